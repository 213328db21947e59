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
 * Reads an object. `class_rules` are the policy's, or NULL. All lives in the arena. Fills the error if the
 * result is not BLAME_OK.
 */
enum blame_result blame_read(
    const struct manifest_object *object, const struct class_rules *class_rules, struct arena *arena,
    struct blame **blame, struct error *error);

enum blame_select {
    BLAME_ALL_ENTRIES, /* all that the manager owns */
    BLAME_MANIFEST,    /* what it applies: its Apply entry, or where it has none, its other entries */
};

/*
 * The parts of the object that a manager owns, with what identifies the object: of a manager that applies
 * server-side its manifest, which changes nothing when it is applied again. NULL if there is no memory.
 */
const struct blame_node *blame_select(
    const struct blame *blame, struct slice manager, enum blame_select select);

#endif
