/*
 * blame.h: an object with the owners of each of its fields.
 */
#ifndef APPLYGUARD_OWNERS_BLAME_H
#define APPLYGUARD_OWNERS_BLAME_H

#include "base/error.h"
#include "manifest/manifest.h"
#include "owners/object.h"

enum blame_result {
    BLAME_OK = 0,
    BLAME_UNREADABLE = -1,
    BLAME_NO_OWNERS = -2, /* it has no managedFields */
};

/*
 * Reads an object. `class_rules` are the policy's, or NULL. All memory is in the arena. Fills the error if
 * the result is not BLAME_OK.
 */
enum blame_result blame_read(
    const struct manifest_object *object, const struct class_rules *class_rules, struct arena *arena,
    struct blame **blame, struct error *error);

enum blame_select {
    BLAME_ALL_ENTRIES, /* all fields that the manager owns */
    BLAME_MANIFEST, /* the fields that it applies: the fields of its Apply entry or, without one, of its other
                       entries */
};

/*
 * The parts of the object that a manager owns, with the fields that identify the object: for a manager that
 * applies server-side, this is its manifest, which changes nothing when it is applied again. Returns NULL if
 * memory runs out.
 */
const struct blame_node *blame_select(
    const struct blame *blame, struct slice manager, enum blame_select select);

#endif
