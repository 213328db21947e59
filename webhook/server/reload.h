/* reload.h: loads the policy file when it changes. If a file does not load, the old policy stays in force. */
#ifndef APPLYGUARD_WEBHOOK_SERVER_RELOAD_H
#define APPLYGUARD_WEBHOOK_SERVER_RELOAD_H

#include "base/error.h"
#include "policy/config/config.h"
#include "webhook/tls/watched_file.h"

#include <stdbool.h>

struct policy_file {
    struct watched_file file; /* its path is NULL if the embedded default is in force */
    struct secret content;    /* as last read, even if it did not load */
    bool is_loaded;           /* `content` loaded; content that did not load is tried again at each check */
    struct error
        reported; /* the failure that was reported last; empty: none since the last successful load */
};

enum reload_result {
    RELOAD_UNCHANGED,
    RELOAD_NEW,    /* `*policy` is the new policy; the caller owns it */
    RELOAD_FAILED, /* `error` says why, with the file, line and column in its message */
};

/* `flag` names the file in errors. */
void policy_file_init(struct policy_file *file, const char *path, const char *flag);
void policy_file_release(struct policy_file *file);

/*
 * Reads the file, and loads it if its content has changed or did not load: a failure may be temporary, for
 * example if memory runs out, so each check tries again. A failure is reported once. With `is_forced` reads
 * the file even if it seems unchanged, and reports a broken one again. The first call always loads.
 */
enum reload_result policy_file_reload(
    struct policy_file *file, bool is_forced, struct policy **policy, struct error *error);

/* Makes the next call load the file again, because the last policy could not be put in force. */
void policy_file_forget(struct policy_file *file);

#endif
