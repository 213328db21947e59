#include "webhook/places.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct place {
    char *labels;
    size_t length;
};

/*
 * An open hash table that only grows: a slot holds a place's number plus one, and is written after the place.
 * At most half of the slots are ever taken.
 */
struct places {
    struct place_labels labels;
    struct siphash_seed seed;
    pthread_mutex_t lock; /* of whoever adds a place */
    atomic_size_t count;
    size_t limit; /* "other" included */
    struct place *places;
    size_t slot_mask;
    atomic_size_t *slots;
};

/*
 * Labels
 */

/* Names of kinds, groups and namespaces have these characters alone, which need no escape. */
static bool is_name_character(char character)
{
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
        (character >= '0' && character <= '9') || character == '-' || character == '.';
}

static bool is_name(struct slice name)
{
    if (name.length > PLACE_NAME_BYTES_MAX)
        return false;
    for (size_t i = 0; i < name.length; i++)
        if (!is_name_character(name.bytes[i]))
            return false;
    return true;
}

static char *append(char *end, struct slice text)
{
    if (text.length)
        memcpy(end, text.bytes, text.length);
    return end + text.length;
}

static char *append_label(char *end, struct slice before, struct slice value)
{
    return append(append(append(end, before), value), SLICE("\""));
}

/* Both are names, so they fit. */
static struct slice write_labels(
    struct place_labels labels, struct slice kind, struct slice namespace, char buffer[PLACE_LABELS_BYTES])
{
    char *end = buffer;
    if (labels.kind)
        end = append_label(end, SLICE("object_kind=\""), kind);
    if (labels.namespace)
        end = append_label(
            end, labels.kind ? SLICE(",object_namespace=\"") : SLICE("object_namespace=\""), namespace);
    return (struct slice){buffer, (size_t)(end - buffer)};
}

/*
 * The table
 */

struct found {
    size_t slot; /* the place's, or a free one */
    size_t place;
    bool exists;
};

static struct found look_up(const struct places *places, struct slice labels)
{
    size_t slot = siphash(labels, places->seed) & places->slot_mask;
    for (;; slot = (slot + 1) & places->slot_mask) {
        size_t number = atomic_load_explicit(&places->slots[slot], memory_order_acquire);
        if (!number)
            return (struct found){.slot = slot};
        const struct place *place = &places->places[number - 1];
        if (slice_equal(labels, (struct slice){place->labels, place->length}))
            return (struct found){.slot = slot, .place = number - 1, .exists = true};
    }
}

/* 0, which is "other", where there is no room or no memory. The lock is held. */
static size_t add(struct places *places, struct slice labels)
{
    /* Another thread may have been first. */
    struct found found = look_up(places, labels);
    size_t count = places_count(places);
    if (found.exists || count == places->limit)
        return found.place;
    char *copy = strndup(labels.bytes, labels.length);
    if (!copy)
        return 0;
    places->places[count] = (struct place){copy, labels.length};
    atomic_store_explicit(&places->slots[found.slot], count + 1, memory_order_release);
    atomic_store_explicit(&places->count, count + 1, memory_order_release);
    return count;
}

size_t places_find(struct places *places, struct slice kind, struct slice namespace)
{
    char buffer[PLACE_LABELS_BYTES];
    if (!is_name(kind) || !is_name(namespace))
        return 0;
    struct slice labels = write_labels(places->labels, kind, namespace, buffer);
    struct found found = look_up(places, labels);
    if (found.exists || places_count(places) == places->limit)
        return found.place;
    pthread_mutex_lock(&places->lock);
    size_t place = add(places, labels);
    pthread_mutex_unlock(&places->lock);
    return place;
}

size_t places_count(const struct places *places)
{
    return atomic_load_explicit(&places->count, memory_order_acquire);
}

const char *place_labels_text(const struct places *places, size_t place)
{
    return places->places[place].labels;
}

/*
 * Begin and end
 */

static bool allocate(struct places *places, size_t limit)
{
    size_t slots = 4;
    while (slots < 2 * limit)
        slots *= 2;
    places->limit = limit;
    places->slot_mask = slots - 1;
    places->places = calloc(limit, sizeof(*places->places));
    places->slots = calloc(slots, sizeof(*places->slots));
    return places->places && places->slots;
}

struct places *places_create(struct place_labels labels, size_t limit, struct siphash_seed seed)
{
    struct places *places = calloc(1, sizeof(*places));
    if (!places)
        return NULL;
    pthread_mutex_init(&places->lock, NULL);
    places->labels = labels;
    places->seed = seed;
    const struct slice other = SLICE("other");
    if (allocate(places, limit + 1)) {
        places_find(places, other, other);
        if (places_count(places) == 1)
            return places;
    }
    places_destroy(places);
    return NULL;
}

void places_destroy(struct places *places)
{
    if (!places)
        return;
    for (size_t i = 0; i < places_count(places); i++)
        free(places->places[i].labels);
    free(places->places);
    free(places->slots);
    pthread_mutex_destroy(&places->lock);
    free(places);
}
