/*
 * follow.h: objects of `blame` that wait for their history, which comes from audit logs.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_FOLLOW_H
#define APPLYGUARD_COMMANDS_BLAME_FOLLOW_H

#include "base/error.h"
#include "base/names.h"
#include "owners/blame.h"

#include <stdbool.h>
#include <stddef.h>

struct followed {
    struct blame *blame;
    struct history *history;
    bool has_failed; /* there was no memory for all of it */
};

/* Empty if all zero. Released by followed_release. */
struct followed_objects {
    struct followed *items;
    size_t count;
    size_t capacity;
    size_t bytes; /* that they take */
};

/*
 * Takes over the arena of the blame. False: there is no memory, or all of them would take more than 1 GiB,
 * and it takes over nothing.
 */
bool followed_add(struct followed_objects *objects, struct blame *blame);

/* Reads the logs once, for all objects. What cannot be read is told. */
typedef void followed_complain(void *context, const char *path, const struct error *error);
void followed_read(
    struct followed_objects *objects, const struct names *logs, followed_complain *complain, void *context);

/* Frees the objects, too. */
void followed_release(struct followed_objects *objects);

#endif
