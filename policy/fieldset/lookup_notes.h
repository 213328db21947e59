/*
 * lookup_notes.h: what a lookup remembers of the values that it was asked for. Private to lookup*.c.
 */
#ifndef APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H
#define APPLYGUARD_POLICY_FIELDSET_LOOKUP_NOTES_H

#include "base/effort.h"
#include "policy/fieldset/lookup.h"

#include <stdint.h>

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

struct lookup {
    struct arena *arena;
    struct note **buckets; /* NULL: there is no note yet */
    struct effort effort;
};

/* The first note of the kind on the value, from `note` (of `note_first`, or the `next` of a note) on; NULL:
 * none. */
struct note *note_find(struct note *note, enum note_kind kind, const yyjson_val *of);

/* Where the notes on a value begin. */
struct note *note_first(const struct lookup *lookup, const yyjson_val *of);

/* Adds a note of `size` bytes, cleared but for its head; NULL if there is no memory. */
void *note_add(struct lookup *lookup, enum note_kind kind, const yyjson_val *of, size_t size);

/* An item of a list known by key fields, or of a set. */
enum lookup_result lookup_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found);

/* The same of a declared list, whose items may leave key fields to their defaults. */
enum lookup_result lookup_declared_item(
    struct lookup *lookup, yyjson_val *list, const struct path *element, yyjson_val **found);

#endif
