/*
 * blame.h: an object with the owners of each of its fields.
 */
#ifndef APPLYGUARD_BLAME_BLAME_H
#define APPLYGUARD_BLAME_BLAME_H

#include "base/error.h"
#include "base/text.h"
#include "blame/object.h"
#include "manifest/manifest.h"

#include <stdint.h>

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

struct blame_print {
    size_t columns; /* of the terminal; 0: as many as it takes */
    bool colour;
    int64_t now;          /* seconds since 1970 UTC */
    struct slice manager; /* only the fields of this one; bytes NULL: all */
};

/* For people: YAML with the owners at its left, and below it what is worth a look. */
void blame_append_text(struct text *text, const struct blame *blame, const struct blame_print *print);

/* One line of JSON. */
void blame_append_json(struct text *text, const struct blame *blame, const struct blame_print *print);

/* YAML with the owners as comments; of one manager its manifest. */
void blame_append_yaml(struct text *text, const struct blame *blame, const struct blame_print *print);

#endif
