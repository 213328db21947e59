/*
 * explain_conflict.h: conflicts of a server-side apply, for explain.
 */
#ifndef APPLYGUARD_CLI_EXPLAIN_CONFLICT_H
#define APPLYGUARD_CLI_EXPLAIN_CONFLICT_H

#include <stdbool.h>

struct explain_conflict {
    const char *path;        /* of what a tool printed; "-": standard input */
    const char *live_path;   /* of the object; NULL: there is none */
    const char *policy_path; /* NULL: the embedded policy */
    bool is_json;
};

/* Prints them, and on stderr what is wrong. Returns the exit status. */
int explain_conflict(const struct explain_conflict *options);

#endif
