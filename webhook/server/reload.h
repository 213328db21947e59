/*
 * reload.h: the policy file, and when it has changed. What does not load changes nothing.
 */
#ifndef APPLYGUARD_WEBHOOK_SERVER_RELOAD_H
#define APPLYGUARD_WEBHOOK_SERVER_RELOAD_H

#include "base/error.h"
#include "policy/config/config.h"
#include "webhook/tls/watched_file.h"

#include <stdbool.h>

struct policy_file {
    struct watched_file file; /* whose path is NULL where the embedded default is in force */
    struct secret content;    /* as last read, whether it loaded or not */
};

enum reload_result {
    RELOAD_UNCHANGED,
    RELOAD_NEW,    /* `*policy` is the new policy; the caller owns it */
    RELOAD_FAILED, /* `error` says why, with the file, line and column in its message */
};

void policy_file_init(struct policy_file *file, const char *path);
void policy_file_release(struct policy_file *file);

/*
 * Reads the file and loads it if it is not what was read last. With `is_forced` it is read even if nothing
 * shows that it changed, and a broken one is reported again. The first call loads whatever is there.
 */
enum reload_result policy_file_reload(
    struct policy_file *file, bool is_forced, struct policy **policy, struct error *error);

/* Has the next call load the file again: what the last one gave could not be put in force. */
void policy_file_forget(struct policy_file *file);

#endif
