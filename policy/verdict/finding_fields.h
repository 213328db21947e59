/*
 * finding_fields.h: collects the fields of one finding: lists the first ones as printed paths, and counts the
 * rest.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_FINDING_FIELDS_H
#define APPLYGUARD_POLICY_VERDICT_FINDING_FIELDS_H

#include "base/arena.h"
#include "policy/fieldset/path.h"

#include <stdbool.h>
#include <stddef.h>

struct finding_fields {
    struct arena *arena;
    struct slice *items; /* room for FINDING_FIELDS_MAX */
    size_t listed;
    size_t total;
};

/* Starts without fields. Returns false if memory runs out. */
bool finding_fields_start(struct finding_fields *fields, struct arena *arena);

/* Adds a field that was not added before. */
void finding_fields_add(struct finding_fields *fields, const struct path *path);

/* Adds a field unless it is listed already. */
void finding_fields_add_once(struct finding_fields *fields, const struct path *path);

#endif
