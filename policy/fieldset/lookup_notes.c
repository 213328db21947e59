#include "policy/fieldset/lookup_notes.h"

/* Most reviews need a few notes, or none; to clear a larger table takes longer than to fill it. */
#define BUCKETS_LOG2_MIN 5

/* Values lie at regular distances, so the bits of their addresses are mixed (Knuth's multiplicative hashing).
 */
static struct note **bucket_of(const struct lookup_notes *notes, const yyjson_val *value)
{
    uint64_t mixed = (uint64_t)((uintptr_t)value / sizeof(yyjson_val)) * UINT64_C(0x9e3779b97f4a7c15);
    return &notes->buckets[mixed >> (64 - notes->buckets_log2)];
}

struct note *note_first(const struct lookup_notes *notes, const yyjson_val *of)
{
    return notes->buckets ? *bucket_of(notes, of) : NULL;
}

struct note *note_find(struct note *note, enum note_kind kind, const yyjson_val *of)
{
    while (note && (note->of != of || note->kind != kind))
        note = note->next;
    return note;
}

static void put(struct lookup_notes *notes, struct note *note)
{
    struct note **bucket = bucket_of(notes, note->of);
    note->next = *bucket;
    *bucket = note;
}

/* If memory runs out, the table keeps its size, and its chains grow. */
static void grow(struct lookup_notes *notes)
{
    struct lookup_notes larger = *notes;
    larger.buckets_log2 = notes->buckets ? notes->buckets_log2 + 1 : BUCKETS_LOG2_MIN;
    larger.buckets =
        arena_allocate_array(notes->arena, (size_t)1 << larger.buckets_log2, sizeof(struct note *));
    if (!larger.buckets)
        return;
    for (size_t i = 0; notes->buckets && i < (size_t)1 << notes->buckets_log2; i++) {
        for (struct note *note = notes->buckets[i], *next; note; note = next) {
            next = note->next;
            put(&larger, note);
        }
    }
    *notes = larger;
}

void *note_add(struct lookup_notes *notes, enum note_kind kind, const yyjson_val *of, size_t size)
{
    if (!notes->buckets || notes->count >> notes->buckets_log2)
        grow(notes);
    struct note *note = notes->buckets ? arena_allocate_array(notes->arena, 1, size) : NULL;
    if (!note)
        return NULL;
    *note = (struct note){.kind = kind, .of = of};
    put(notes, note);
    notes->count++;
    return note;
}
