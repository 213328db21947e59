/*
 * notes.h: the ambiguities of a document, as they are found.
 */
#ifndef APPLYGUARD_MANIFEST_NOTES_H
#define APPLYGUARD_MANIFEST_NOTES_H

#include "manifest/document.h"
#include "manifest/resolve.h"

struct notes {
    struct arena *arena;
    struct manifest_ambiguity *items;
    size_t count; /* at most two for each value or key that is written */
    size_t capacity;
};

/* Adds one; without memory it is dropped, and the arena tells. */
void notes_add(struct notes *notes, const struct manifest_ambiguity *ambiguity);

/*
 * Adds what is to say of a scalar without quotes or tag. `read_as` is its JSON, or as a key the text that it
 * became.
 */
void notes_add_scalar(
    struct notes *notes, struct slice written, const struct resolved *resolved, struct slice read_as,
    bool is_key, struct manifest_place place);

/* Brings them in the order of their places. */
void notes_sort(struct notes *notes);

#endif
