#include "webhook/telemetry/places.h"

#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct place {
    char *labels; /* NULL: not in use */
    size_t length;
    struct place *next;  /* of the same bucket */
    struct place *older; /* counted before */
    struct place *newer;
    struct place_counters counters;
};

/* Places never move. The first is "other", which is in no bucket and no order. */
struct places {
    struct place_labels labels;
    struct siphash_seed seed;
    pthread_mutex_t lock; /* of all below */
    size_t limit;         /* "other" included */
    size_t count;
    struct place *places;
    struct place *oldest;
    struct place *newest;
    size_t mask;
    struct place **buckets;
    unsigned renewals; /* places that may give way */
    uint64_t renewed_at;
    struct place_counters forgotten;
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
 * The order of counting
 */

static void take_out(struct places *places, struct place *place)
{
    *(place->older ? &place->older->newer : &places->oldest) = place->newer;
    *(place->newer ? &place->newer->older : &places->newest) = place->older;
}

static void put_last(struct places *places, struct place *place)
{
    place->older = places->newest;
    place->newer = NULL;
    *(places->newest ? &places->newest->newer : &places->oldest) = place;
    places->newest = place;
}

/*
 * The table
 */

static struct place **bucket_of(const struct places *places, struct slice labels)
{
    return &places->buckets[siphash(labels, places->seed) & places->mask];
}

static struct slice labels_of(const struct place *place)
{
    return (struct slice){place->labels, place->length};
}

static struct place *look_up(const struct places *places, struct slice labels)
{
    struct place *place = *bucket_of(places, labels);
    while (place && !slice_equal(labels, labels_of(place)))
        place = place->next;
    return place;
}

static void add_counters(struct place_counters *sum, const struct place_counters *counters)
{
    for (size_t allowed = 0; allowed < 2; allowed++)
        sum->reviews[allowed] += counters->reviews[allowed];
    for (size_t rule = 0; rule < RULE_COUNT; rule++)
        for (size_t pair = 0; pair < ACTION_PAIR_COUNT; pair++)
            sum->findings[rule][pair] += counters->findings[rule][pair];
}

static void forget(struct places *places, struct place *place)
{
    struct place **link = bucket_of(places, labels_of(place));
    while (*link != place)
        link = &(*link)->next;
    *link = place->next;
    take_out(places, place);
    add_counters(&places->forgotten, &place->counters);
    free(place->labels);
    *place = (struct place){0};
}

static bool may_renew(struct places *places, uint64_t now)
{
    uint64_t gained = (now - places->renewed_at) / PLACE_RENEWAL_MS;
    uint64_t lacking = PLACE_RENEWALS_MAX - places->renewals;
    places->renewals += (unsigned)(gained < lacking ? gained : lacking);
    places->renewed_at = gained < lacking ? places->renewed_at + gained * PLACE_RENEWAL_MS : now;
    if (!places->renewals)
        return false;
    places->renewals--;
    return true;
}

/* One that is not in use. NULL: none may give way now. */
static struct place *vacate(struct places *places, uint64_t now)
{
    if (places->count < places->limit)
        return &places->places[places->count++];
    struct place *oldest = places->oldest;
    if (!oldest || !may_renew(places, now))
        return NULL;
    forget(places, oldest);
    return oldest;
}

static struct place *add(struct places *places, struct slice labels, uint64_t now)
{
    char *copy = strndup(labels.bytes, labels.length);
    struct place *place = copy ? vacate(places, now) : NULL;
    if (!place) {
        free(copy);
        return NULL;
    }
    struct place **bucket = bucket_of(places, labels);
    *place = (struct place){.labels = copy, .length = labels.length, .next = *bucket};
    *bucket = place;
    put_last(places, place);
    return place;
}

/* A namespace of the name "other" shares the series: two with the same labels would spoil the scrape. */
static struct place *find(struct places *places, const struct review *review, uint64_t now)
{
    char buffer[PLACE_LABELS_BYTES];
    struct place *other = &places->places[0];
    if (!is_name(review->group_kind) || !is_name(review->namespace))
        return other;
    struct slice labels = write_labels(places->labels, review->group_kind, review->namespace, buffer);
    if (slice_equal(labels, labels_of(other)))
        return other;
    struct place *place = look_up(places, labels);
    if (!place)
        place = add(places, labels, now);
    return place ? place : other;
}

static void touch(struct places *places, struct place *place)
{
    if (place == places->newest || place == &places->places[0])
        return;
    take_out(places, place);
    put_last(places, place);
}

void places_count(struct places *places, const struct verdict *verdict, uint64_t now)
{
    pthread_mutex_lock(&places->lock);
    struct place *place = find(places, verdict->review, now);
    touch(places, place);
    place->counters.reviews[verdict->allowed]++;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        place->counters.findings[finding->rule][action_pair_index(finding->action, finding->policy_action)]++;
    }
    pthread_mutex_unlock(&places->lock);
}

void places_visit(struct places *places, place_visitor *visit, void *data)
{
    pthread_mutex_lock(&places->lock);
    for (size_t i = 0; i < places->count; i++)
        visit(places->places[i].labels, &places->places[i].counters, data);
    pthread_mutex_unlock(&places->lock);
}

struct place_counters places_forgotten(struct places *places)
{
    pthread_mutex_lock(&places->lock);
    struct place_counters forgotten = places->forgotten;
    pthread_mutex_unlock(&places->lock);
    return forgotten;
}

/*
 * Begin and end
 */

static bool allocate(struct places *places, size_t limit)
{
    size_t buckets = 4;
    while (buckets < limit)
        buckets *= 2;
    places->limit = limit;
    places->mask = buckets - 1;
    places->places = calloc(limit, sizeof(*places->places));
    places->buckets = calloc(buckets, sizeof(struct place *));
    return places->places && places->buckets;
}

static bool add_other(struct places *places)
{
    char buffer[PLACE_LABELS_BYTES];
    struct slice labels = write_labels(places->labels, SLICE("other"), SLICE("other"), buffer);
    places->places[0] =
        (struct place){.labels = strndup(labels.bytes, labels.length), .length = labels.length};
    places->count = 1;
    return places->places[0].labels;
}

struct places *places_create(struct place_labels labels, size_t limit, struct siphash_seed seed)
{
    struct places *places = calloc(1, sizeof(*places));
    if (!places)
        return NULL;
    pthread_mutex_init(&places->lock, NULL);
    places->labels = labels;
    places->seed = seed;
    places->renewals = PLACE_RENEWALS_MAX;
    if (allocate(places, limit + 1) && add_other(places))
        return places;
    places_destroy(places);
    return NULL;
}

void places_destroy(struct places *places)
{
    if (!places)
        return;
    for (size_t i = 0; i < places->count; i++)
        free(places->places[i].labels);
    free(places->places);
    free(places->buckets);
    pthread_mutex_destroy(&places->lock);
    free(places);
}
