/* notes.h: collects the ambiguities of a document. */
#ifndef APPLYGUARD_MANIFEST_NOTES_H
#define APPLYGUARD_MANIFEST_NOTES_H

#include "manifest/document.h"
#include "manifest/resolve.h"

struct notes {
    struct arena *arena;
    struct manifest_ambiguity *items;
    size_t count; /* at most two for each written value or key */
    size_t capacity;
};

/* Adds an ambiguity; if memory runs out it is dropped, and arena_has_failed() reports that. */
void notes_add(struct notes *notes, const struct manifest_ambiguity *ambiguity);

/* 22:30, 1:30:15.5: digits, and groups of one or two digits that are below 60 (yaml.org/type/int). */
bool notes_is_sexagesimal(struct slice text);

/*
 * Adds the ambiguities of a scalar without quotes or tag. `read_as` is its JSON or, for a key, the resulting
 * text, which differs from the written one.
 */
void notes_add_scalar(
    struct notes *notes, struct slice written, const struct resolved *resolved, struct slice read_as,
    bool is_key, struct manifest_place place);

/* Sorts them by place. */
void notes_sort(struct notes *notes);

#endif
