#include "webhook/telemetry/label_sets.h"

#include "base/ascii.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct label_set {
    char *labels; /* NULL: unused */
    size_t length;
    struct label_set *next;  /* the next one in the same bucket */
    struct label_set *older; /* the one that was counted before it */
    struct label_set *newer;
    struct label_set_counters counters;
};

/* Label sets never move. The first is "other", which is in no bucket and not in the order. */
struct label_sets {
    struct label_names names;
    struct siphash_seed seed;
    pthread_mutex_t lock; /* guards all members below */
    size_t limit;         /* "other" included */
    size_t count;
    struct label_set *items;
    struct label_set *oldest;
    struct label_set *newest;
    size_t mask;
    struct label_set **buckets;
    unsigned renewals; /* label sets that may be replaced now */
    uint64_t renewed_at;
    struct label_set_counters forgotten;
};

/*
 * Labels
 */

/* Names of kinds, groups and namespaces consist of these characters, which need no escaping. */
static bool is_name_character(char character)
{
    return ascii_is_alphanumeric(character) || character == '-' || character == '.';
}

static bool is_name(struct slice name)
{
    if (name.length > LABEL_VALUE_BYTES_MAX)
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

/* Both are valid names, so they fit. */
static struct slice write_labels(
    struct label_names names, struct slice kind, struct slice namespace, char buffer[LABEL_SET_TEXT_BYTES])
{
    char *end = buffer;
    if (names.kind)
        end = append_label(end, SLICE("object_kind=\""), kind);
    if (names.namespace)
        end = append_label(
            end, names.kind ? SLICE(",object_namespace=\"") : SLICE("object_namespace=\""), namespace);
    return (struct slice){buffer, (size_t)(end - buffer)};
}

/*
 * The order of counting
 */

static void take_out(struct label_sets *sets, struct label_set *set)
{
    *(set->older ? &set->older->newer : &sets->oldest) = set->newer;
    *(set->newer ? &set->newer->older : &sets->newest) = set->older;
}

static void put_last(struct label_sets *sets, struct label_set *set)
{
    set->older = sets->newest;
    set->newer = NULL;
    *(sets->newest ? &sets->newest->newer : &sets->oldest) = set;
    sets->newest = set;
}

/*
 * The table
 */

static struct label_set **bucket_of(const struct label_sets *sets, struct slice labels)
{
    return &sets->buckets[siphash(labels, sets->seed) & sets->mask];
}

static struct slice labels_of(const struct label_set *set)
{
    return (struct slice){set->labels, set->length};
}

static struct label_set *look_up(const struct label_sets *sets, struct slice labels)
{
    struct label_set *set = *bucket_of(sets, labels);
    while (set && !slice_equal(labels, labels_of(set)))
        set = set->next;
    return set;
}

static void add_counters(struct label_set_counters *sum, const struct label_set_counters *counters)
{
    for (size_t allowed = 0; allowed < 2; allowed++)
        sum->reviews[allowed] += counters->reviews[allowed];
    for (size_t rule = 0; rule < RULE_COUNT; rule++)
        for (size_t pair = 0; pair < ACTION_PAIR_COUNT; pair++)
            sum->findings[rule][pair] += counters->findings[rule][pair];
}

static void forget(struct label_sets *sets, struct label_set *set)
{
    struct label_set **link = bucket_of(sets, labels_of(set));
    while (*link != set)
        link = &(*link)->next;
    *link = set->next;
    take_out(sets, set);
    add_counters(&sets->forgotten, &set->counters);
    free(set->labels);
    *set = (struct label_set){0};
}

static bool may_renew(struct label_sets *sets, uint64_t now)
{
    uint64_t gained = (now - sets->renewed_at) / LABEL_SET_RENEWAL_MS;
    uint64_t lacking = LABEL_SET_RENEWALS_MAX - sets->renewals;
    sets->renewals += (unsigned)(gained < lacking ? gained : lacking);
    sets->renewed_at = gained < lacking ? sets->renewed_at + gained * LABEL_SET_RENEWAL_MS : now;
    if (!sets->renewals)
        return false;
    sets->renewals--;
    return true;
}

/* Returns an unused label set. Returns NULL if none may be replaced now. */
static struct label_set *vacate(struct label_sets *sets, uint64_t now)
{
    if (sets->count < sets->limit)
        return &sets->items[sets->count++];
    struct label_set *oldest = sets->oldest;
    if (!oldest || !may_renew(sets, now))
        return NULL;
    forget(sets, oldest);
    return oldest;
}

static struct label_set *add(struct label_sets *sets, struct slice labels, uint64_t now)
{
    char *copy = strndup(labels.bytes, labels.length);
    struct label_set *set = copy ? vacate(sets, now) : NULL;
    if (!set) {
        free(copy);
        return NULL;
    }
    struct label_set **bucket = bucket_of(sets, labels);
    *set = (struct label_set){.labels = copy, .length = labels.length, .next = *bucket};
    *bucket = set;
    put_last(sets, set);
    return set;
}

/*
 * A namespace with the name "other" shares the series: two series with the same labels would make the scrape
 * invalid.
 */
static struct label_set *find(struct label_sets *sets, const struct review *review, uint64_t now)
{
    char buffer[LABEL_SET_TEXT_BYTES];
    struct label_set *other = &sets->items[0];
    if (!is_name(review->group_kind) || !is_name(review->namespace))
        return other;
    struct slice labels = write_labels(sets->names, review->group_kind, review->namespace, buffer);
    if (slice_equal(labels, labels_of(other)))
        return other;
    struct label_set *set = look_up(sets, labels);
    if (!set)
        set = add(sets, labels, now);
    return set ? set : other;
}

static void touch(struct label_sets *sets, struct label_set *set)
{
    if (set == sets->newest || set == &sets->items[0])
        return;
    take_out(sets, set);
    put_last(sets, set);
}

void label_sets_count(struct label_sets *sets, const struct verdict *verdict, uint64_t now)
{
    pthread_mutex_lock(&sets->lock);
    struct label_set *set = find(sets, verdict->review, now);
    touch(sets, set);
    set->counters.reviews[verdict->allowed]++;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        set->counters.findings[finding->rule][action_pair_index(finding->action, finding->policy_action)]++;
    }
    pthread_mutex_unlock(&sets->lock);
}

void label_sets_visit(struct label_sets *sets, label_set_visitor *visit, void *data)
{
    pthread_mutex_lock(&sets->lock);
    for (size_t i = 0; i < sets->count; i++)
        visit(sets->items[i].labels, &sets->items[i].counters, data);
    pthread_mutex_unlock(&sets->lock);
}

struct label_set_counters label_sets_forgotten(struct label_sets *sets)
{
    pthread_mutex_lock(&sets->lock);
    struct label_set_counters forgotten = sets->forgotten;
    pthread_mutex_unlock(&sets->lock);
    return forgotten;
}

/*
 * Begin and end
 */

static bool allocate(struct label_sets *sets, size_t limit)
{
    size_t buckets = 4;
    while (buckets < limit)
        buckets *= 2;
    sets->limit = limit;
    sets->mask = buckets - 1;
    sets->items = calloc(limit, sizeof(*sets->items));
    sets->buckets = calloc(buckets, sizeof(struct label_set *));
    return sets->items && sets->buckets;
}

static bool add_other(struct label_sets *sets)
{
    char buffer[LABEL_SET_TEXT_BYTES];
    struct slice labels = write_labels(sets->names, SLICE("other"), SLICE("other"), buffer);
    sets->items[0] =
        (struct label_set){.labels = strndup(labels.bytes, labels.length), .length = labels.length};
    sets->count = 1;
    return sets->items[0].labels;
}

struct label_sets *label_sets_create(struct label_names names, size_t limit, struct siphash_seed seed)
{
    struct label_sets *sets = calloc(1, sizeof(*sets));
    if (!sets)
        return NULL;
    pthread_mutex_init(&sets->lock, NULL);
    sets->names = names;
    sets->seed = seed;
    sets->renewals = LABEL_SET_RENEWALS_MAX;
    if (allocate(sets, limit + 1) && add_other(sets))
        return sets;
    label_sets_destroy(sets);
    return NULL;
}

void label_sets_destroy(struct label_sets *sets)
{
    if (!sets)
        return;
    for (size_t i = 0; i < sets->count; i++)
        free(sets->items[i].labels);
    free(sets->items);
    free(sets->buckets);
    pthread_mutex_destroy(&sets->lock);
    free(sets);
}
