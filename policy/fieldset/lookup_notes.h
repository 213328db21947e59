/*
 * lookup_notes.h: the indexes and answers that a lookup keeps for values. Private to this folder.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H
#define APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H

#include "base/arena.h"

#include <yyjson.h>

enum note_kind {
    NOTE_MEMBERS,  /* the members of an object by name: lookup.c */
    NOTE_ITEMS,    /* the items of a list by their keys: lookup_items.c */
    NOTE_COMPARED, /* whether a value equals another: lookup.c */
    NOTE_CHILDREN, /* the children of a FieldsV1 node: fieldset_index.c */
};

/* The head of each note. */
struct note {
    struct note *next; /* of the same bucket */
    enum note_kind kind;
    const yyjson_val *of;
};

/* A hash table with chains, which doubles as it fills. All zero but the arena: no notes yet. */
struct lookup_notes {
    struct arena *arena;
    struct note **buckets; /* NULL, or two to the power of `buckets_log2` */
    unsigned buckets_log2;
    size_t count;
};

/*
 * The first note of this kind about the value, searching from `note` (the result of `note_first`, or the
 * `next` of a note). NULL if it does not exist.
 */
struct note *note_find(struct note *note, enum note_kind kind, const yyjson_val *of);

/* The start of the list in which to search for notes about a value. */
struct note *note_first(const struct lookup_notes *notes, const yyjson_val *of);

/* Adds a note of `size` bytes, of which all but the head are cleared. Returns NULL if memory runs out. */
void *note_add(struct lookup_notes *notes, enum note_kind kind, const yyjson_val *of, size_t size);

#endif
