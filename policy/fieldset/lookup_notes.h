/*
 * lookup_notes.h: what a lookup remembers of the values that it was asked for. Private to lookup*.c.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H
#define APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H

#include "base/arena.h"

#include <yyjson.h>

enum note_kind {
    NOTE_MEMBERS,  /* the members of an object by name: lookup.c */
    NOTE_ITEMS,    /* the items of a list by their keys: lookup_items.c */
    NOTE_COMPARED, /* whether a value equals another: lookup.c */
};

/* The head of each note. */
struct note {
    struct note *next; /* of the same bucket */
    enum note_kind kind;
    const yyjson_val *of;
};

struct lookup_notes {
    struct arena *arena;
    struct note **buckets; /* NULL: there is no note yet */
};

/* The first note of the kind on the value, from `note` (of `note_first`, or the `next` of a note) on; NULL:
 * none. */
struct note *note_find(struct note *note, enum note_kind kind, const yyjson_val *of);

/* Where the notes on a value begin. */
struct note *note_first(const struct lookup_notes *notes, const yyjson_val *of);

/* Adds a note of `size` bytes, cleared but for its head; NULL if there is no memory. */
void *note_add(struct lookup_notes *notes, enum note_kind kind, const yyjson_val *of, size_t size);

#endif
