/* follow.h: objects of `blame` that wait for their history from audit logs. */
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
    bool has_failed; /* memory ran out before all was read */
};

/* Empty if all zero. Released by followed_release. */
struct followed_objects {
    struct followed *items;
    size_t count;
    size_t capacity;
    size_t bytes; /* of all objects */
};

/*
 * Takes over the arena of the blame. Returns false if memory runs out, or if all objects together would take
 * more than 1 GiB; then it takes over nothing.
 */
bool followed_add(struct followed_objects *objects, struct blame *blame);

/* Reads the logs once, for all objects. Reports errors. */
typedef void followed_complain(void *context, const char *path, const struct error *error);
void followed_read(
    struct followed_objects *objects, const struct names *logs, followed_complain *complain, void *context);

/* Frees the objects as well. */
void followed_release(struct followed_objects *objects);

#endif
