/*
 * server.h: the webhook's server within this process: loops on their own threads, with the routes and
 * handlers of the program, over Unix sockets. From the bytes that a connection brings to the answer it is the
 * program's own way.
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

enum door {
    DOOR_REVIEWS, /* what is behind TLS, without it */
    DOOR_PLAIN,   /* probes and metrics */
    DOOR_TLS,
};
#define DOORS 3

struct exchange {
    char *bytes; /* all that came */
    size_t length;
    size_t capacity;
    struct answered answers[ANSWERED_MAX];
    size_t count;
};

/*
 * Sends `bytes` on a connection of their own, in so many pieces, ends the sending, and reads until the server
 * closes. Checks what is logged meanwhile. `answers` stays empty. Freed with exchange_free.
 */
struct exchange exchange_bytes(enum door door, struct slice bytes, unsigned pieces);

/*
 * The same where HTTP is spoken. Checks that what comes are answers such as may be given.
 * `may_lack_bodies`: a HEAD may be among what is asked.
 */
struct exchange exchange(enum door door, struct slice bytes, unsigned pieces, bool may_lack_bodies);

/* Posts `body` to `path` as an API server does, on a connection of its own. */
struct exchange exchange_post(const char *path, struct slice body);

void exchange_free(struct exchange *exchange);

/* A connection to the door, for another client than this. The caller closes it. */
int exchange_connect(enum door door);

#endif
