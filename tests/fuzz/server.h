/*
 * server.h: the webhook's server within this process: one loop on its own thread, with the routes and
 * handlers of the program, and plain HTTP over a Unix socket in place of TLS. From the bytes that a
 * connection brings to the answer it is the program's own way.
 */
#ifndef APPLYGUARD_TESTS_FUZZ_SERVER_H
#define APPLYGUARD_TESTS_FUZZ_SERVER_H

#include "base/slice.h"

#include <stdbool.h>

/* An answer, as HTTP has it. */
struct answered {
    int status;
    bool is_json;
    struct slice body;
};

#define ANSWERED_MAX 512

struct exchange {
    char *bytes; /* all that came */
    size_t length;
    size_t capacity;
    struct answered answers[ANSWERED_MAX];
    size_t count;
};

/*
 * Sends `bytes` on a connection of their own, in so many pieces, ends the sending, and reads until the server
 * closes. Checks that what comes are answers of HTTP such as may be given, and what is logged meanwhile.
 * `may_lack_bodies`: a HEAD may be among what is asked. Freed with exchange_free.
 */
struct exchange exchange(struct slice bytes, unsigned pieces, bool may_lack_bodies);

void exchange_free(struct exchange *exchange);

#endif
