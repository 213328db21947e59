/*
 * path_components.h: the printed path of a field, step by step.
 *
 * A printed path does not tell where a name with dots in it ends, nor at which position of its list an item
 * stands; the object tells both.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_PATH_COMPONENTS_H
#define APPLYGUARD_POLICY_FIELDSET_PATH_COMPONENTS_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/fieldset/lookup.h"

#include <stdbool.h>
#include <stddef.h>

/* Fields of API types are not as deep. */
#define PATH_COMPONENTS_MAX 32

struct path_component {
    bool is_item;
    struct slice name; /* of a member */
    size_t position;   /* of an item */
};

struct path_components {
    struct path_component steps[PATH_COMPONENTS_MAX];
    size_t count;
};

/* False if the object has no such field, or several that are printed alike. The steps point into `printed`.
 */
bool path_components_read(
    struct slice printed, yyjson_val *object, struct lookup *lookup, struct arena *arena,
    struct path_components *field);

#endif
