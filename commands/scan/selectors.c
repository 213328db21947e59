#include "commands/scan/selectors.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/siphash.h"
#include "base/text.h"
#include "commands/scan/facts.h"
#include "policy/review/review.h"

#include <string.h>

/* Real workloads have fewer labels; others are passed over. */
#define LABELS_MAX 32

/* So many workloads with a label in common are compared with one: after that, a hostile set ends. */
#define CHECKS_MAX 1000

struct labels {
    uint64_t hashes[LABELS_MAX]; /* of namespace, key and value */
    size_t count;
};

struct workload {
    struct slice key; /* kind, namespace and name, each with a NUL behind it */
    struct slice kind, namespace, name;
    uint64_t *labels;
    size_t label_count;
    uint64_t *selector;
    size_t selector_count; /* 0: it is not decided what the selector matches */
};

struct bucket {
    struct slice hash;
    uint32_t *workloads;
    size_t count, capacity;
};

void scan_selectors_start(struct scan_selectors *selectors, struct arena *arena)
{
    *selectors = (struct scan_selectors){
        .arena = arena,
        .workloads = {.arena = arena, .record_bytes = sizeof(struct workload), .limit = SCAN_WORKLOADS_MAX},
        .labels = {.arena = arena, .record_bytes = sizeof(struct bucket)},
    };
}

/* Returns false if key or value is not text, or there are too many labels. */
static bool add_label(struct labels *labels, struct slice space, yyjson_val *key, yyjson_val *value)
{
    struct siphash_seed seed = {{0x7363616e, 0x6c6162656c}};
    if (!yyjson_is_str(key) || !yyjson_is_str(value) || labels->count == LABELS_MAX)
        return false;
    seed.words[0] ^= siphash(space, seed);
    seed.words[1] ^= siphash(json_text(key), seed);
    labels->hashes[labels->count++] = siphash(json_text(value), seed);
    return true;
}

static bool read_map(struct labels *labels, struct slice space, yyjson_val *map)
{
    if (map && !yyjson_is_obj(map))
        return false;
    json_each_key(key, map)
        if (!add_label(labels, space, key, yyjson_obj_iter_get_val(key)))
            return false;
    return true;
}

/* One value that must be there is as good as a label; what else an expression matches is not decided. */
static bool read_expressions(struct labels *labels, struct slice space, yyjson_val *expressions)
{
    if (expressions && !yyjson_is_arr(expressions))
        return false;
    json_each_item(item, expressions) {
        yyjson_val *values = json_member(item, SLICE("values"));
        if (!slice_equal(json_text(json_member(item, SLICE("operator"))), SLICE("In")) ||
            yyjson_arr_size(values) != 1 ||
            !add_label(labels, space, json_member(item, SLICE("key")), yyjson_arr_get_first(values)))
            return false;
    }
    return true;
}

/* An object that a controller made has the labels of its owner, and is deleted with it. */
static bool is_compared(const struct review *review)
{
    static const struct slice kinds[] = {
        SLICE_LITERAL("Deployment.apps"), SLICE_LITERAL("StatefulSet.apps"), SLICE_LITERAL("DaemonSet.apps"),
        SLICE_LITERAL("ReplicaSet.apps")};
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(review->group_kind, kinds[i]))
            return !object_is_controlled(&review->parts) && !review->parts.metadata.deletion_timestamp;
    return false;
}

static uint64_t *copy_hashes(const struct labels *labels, struct arena *arena)
{
    uint64_t *copy = arena_allocate_array(arena, labels->count + 1, sizeof(*copy));
    if (copy)
        memcpy(copy, labels->hashes, labels->count * sizeof(*copy));
    return copy;
}

static bool index_labels(struct scan_selectors *selectors, const struct labels *labels, size_t number)
{
    for (size_t i = 0; i < labels->count; i++) {
        struct slice hash = {(const char *)&labels->hashes[i], sizeof(labels->hashes[i])};
        struct bucket *bucket = name_table_add(&selectors->labels, hash);
        uint32_t *workloads = bucket
            ? arena_grow(
                  selectors->arena, bucket->workloads, bucket->count, &bucket->capacity, sizeof(*workloads))
            : NULL;
        if (!workloads)
            return false;
        bucket->workloads = workloads;
        workloads[bucket->count++] = (uint32_t)number;
    }
    return true;
}

static struct workload *add_workload(struct scan_selectors *selectors, const struct review *review)
{
    const struct slice parts[] = {review->group_kind, review->namespace, review->name};
    struct slice name = scan_key(parts, ARRAY_SIZE(parts), review->arena);
    return name.bytes ? name_table_add(&selectors->workloads, name) : NULL;
}

bool scan_selectors_add(struct scan_selectors *selectors, const struct review *review)
{
    struct labels labels = {.count = 0}, selector = {.count = 0};
    struct slice space = review->namespace;
    yyjson_val *template = json_member(review->parts.spec, SLICE("template"));
    yyjson_val *by = json_member(review->parts.spec, SLICE("selector"));
    if (!is_compared(review) || selectors->workloads.count == SCAN_WORKLOADS_MAX ||
        !read_map(&labels, space, json_member(json_member(template, SLICE("metadata")), SLICE("labels"))))
        return true;
    struct workload *workload = add_workload(selectors, review);
    /* It may come twice, as the objects of a file do. */
    if (!workload || workload->labels)
        return workload != NULL;
    bool is_decided = read_map(&selector, space, json_member(by, SLICE("matchLabels"))) &&
        read_expressions(&selector, space, json_member(by, SLICE("matchExpressions")));
    workload->kind = slice_until(workload->key, review->group_kind.length);
    workload->namespace = arena_copy(selectors->arena, review->namespace);
    workload->name = arena_copy(selectors->arena, review->name);
    workload->labels = copy_hashes(&labels, selectors->arena);
    workload->label_count = labels.count;
    workload->selector = copy_hashes(&selector, selectors->arena);
    workload->selector_count = is_decided ? selector.count : 0;
    return workload->labels && workload->selector &&
        index_labels(selectors, &labels, selectors->workloads.count - 1);
}

static bool has(const struct workload *workload, uint64_t hash)
{
    for (size_t i = 0; i < workload->label_count; i++)
        if (workload->labels[i] == hash)
            return true;
    return false;
}

static bool selects(const struct workload *workload, const struct workload *other)
{
    for (size_t i = 0; i < workload->selector_count; i++)
        if (!has(other, workload->selector[i]))
            return false;
    return workload->selector_count > 0;
}

/* The label of the selector that the fewest workloads have. NULL: no workload has one of the labels. */
static const struct bucket *smallest_bucket(
    const struct scan_selectors *selectors, const struct workload *workload)
{
    const struct bucket *smallest = NULL;
    for (size_t i = 0; i < workload->selector_count; i++) {
        struct slice hash = {(const char *)&workload->selector[i], sizeof(workload->selector[i])};
        const struct bucket *bucket = name_table_find(&selectors->labels, hash);
        if (!bucket)
            return NULL;
        if (!smallest || bucket->count < smallest->count)
            smallest = bucket;
    }
    return smallest;
}

/* The first other workload whose pods it selects; of two that select each other, the first one finds it. */
static const struct workload *find_other(
    const struct scan_selectors *selectors, const struct workload *workload, size_t number)
{
    const struct bucket *bucket = smallest_bucket(selectors, workload);
    for (size_t i = 0; bucket && i < bucket->count && i < CHECKS_MAX; i++) {
        const struct workload *other = name_table_item(&selectors->workloads, bucket->workloads[i]);
        if (other != workload && selects(workload, other) &&
            (bucket->workloads[i] > number || !selects(other, workload)))
            return other;
    }
    return NULL;
}

bool scan_selectors_find(
    const struct scan_selectors *selectors, struct slice cluster, struct scan_summary *summary)
{
    for (size_t i = 0; i < selectors->workloads.count; i++) {
        const struct workload *workload = name_table_item(&selectors->workloads, i);
        const struct workload *other = find_other(selectors, workload, i);
        if (!other)
            continue;
        const struct scan_overlap overlap = {
            .context = cluster,
            .namespace = workload->namespace,
            .kind = workload->kind,
            .name = workload->name,
            .other_kind = other->kind,
            .other_name = other->name,
            .is_mutual = selects(other, workload),
        };
        if (!scan_summary_add_overlap(summary, &overlap))
            return false;
    }
    return true;
}
