#include "policy/fieldset/lookup_notes.h"

/* Of the table of notes, which is made with the first. */
#define BUCKETS_LOG2 12

/* Values lie at regular distances, so the bits of their addresses are mixed (Knuth's multiplicative hashing).
 */
static size_t bucket_of(const yyjson_val *value)
{
    uint64_t mixed = (uint64_t)((uintptr_t)value / sizeof(yyjson_val)) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> (64 - BUCKETS_LOG2));
}

struct note *note_first(const struct lookup_notes *notes, const yyjson_val *of)
{
    return notes->buckets ? notes->buckets[bucket_of(of)] : NULL;
}

struct note *note_find(struct note *note, enum note_kind kind, const yyjson_val *of)
{
    while (note && (note->of != of || note->kind != kind))
        note = note->next;
    return note;
}

void *note_add(struct lookup_notes *notes, enum note_kind kind, const yyjson_val *of, size_t size)
{
    struct note *note = arena_allocate_array(notes->arena, 1, size);
    if (!notes->buckets)
        notes->buckets =
            arena_allocate_array(notes->arena, (size_t)1 << BUCKETS_LOG2, sizeof(*notes->buckets));
    if (!note || !notes->buckets)
        return NULL;
    struct note **bucket = &notes->buckets[bucket_of(of)];
    *note = (struct note){*bucket, kind, of};
    *bucket = note;
    return note;
}
