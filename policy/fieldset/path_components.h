/*
 * path_components.h: splits the printed path of a field into its components.
 *
 * The printed path alone does not show where a name that contains dots ends, or at which position of its list
 * an item is. The object shows both.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_PATH_COMPONENTS_H
#define APPLYGUARD_POLICY_FIELDSET_PATH_COMPONENTS_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/fieldset/lookup.h"

#include <stdbool.h>
#include <stddef.h>

/* More than the depth of any field of API types. */
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

/*
 * False if the object has no such field, or several with the same printed path. The steps point into
 * `printed`.
 */
bool path_components_read(
    struct slice printed, yyjson_val *object, struct lookup *lookup, struct arena *arena,
    struct path_components *field);

#endif
