/*
 * combinations_parts.h: what the checks of combinations share. Private to them.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_PARTS_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_PARTS_H

#include "base/arena.h"
#include "base/digits.h"
#include "base/json.h"
#include "policy/analysis/declared_spec.h"
#include "policy/fieldset/path.h"

struct combinations {
    const struct declared_spec *declared;
    struct arena *arena;
    combination_visit *visit;
    void *context;
};

static inline struct path field_of(const struct path *parent, const char *name)
{
    return path_member(parent, slice_of(name));
}

/* The value of a member that is set: NULL if it is absent or null. */
static inline yyjson_val *set_member(yyjson_val *object, struct slice name)
{
    yyjson_val *value = json_member(object, name);
    return value && !yyjson_is_null(value) ? value : NULL;
}

static inline yyjson_val *member(yyjson_val *object, const char *name)
{
    return set_member(object, slice_of(name));
}

/* Absent, or an empty list or map. */
static inline bool is_nothing(yyjson_val *value)
{
    return !value || (yyjson_is_ctn(value) && !unsafe_yyjson_get_len(value));
}

static inline bool is_text(yyjson_val *value, const char *text)
{
    return value && slice_equal(json_text(value), slice_of(text));
}

/* `sentence` says what is refused and what to do. */
void combinations_refuse(
    const struct combinations *of, const struct path *place, const char *field_name, const char *sentence);

/* A list item by its position: where its name is another item's, too, or it has none. */
struct indexed_item {
    struct path path;
    char number[DIGITS_MAX];
};

/* Fills it. The path points into it. */
void combinations_index(struct indexed_item *item, const struct path *list, size_t index);

/* Calls `check` for each item of the list that is an object. Another kind of value has no items. */
typedef void combinations_item(const struct combinations *of, yyjson_val *item, const struct path *place);
void combinations_each_item(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_item *check);

/* Whether the list has the text, or an item of this name. */
bool combinations_has_text(yyjson_val *list, struct slice text);
bool combinations_has_named(yyjson_val *list, struct slice name);

/* Amounts, tolerations, and fields that only some pods or containers have (combinations_values.c). */
void combinations_check_amounts(const struct combinations *of, yyjson_val *amounts, const struct path *place);
bool combinations_is_fraction(yyjson_val *amount);
void combinations_check_values(const struct combinations *of, yyjson_val *pod, const struct path *place);

/* Handlers, sources and rights of containers, and sources of volumes (combinations_containers.c). */
void combinations_check_containers(const struct combinations *of, yyjson_val *pod, const struct path *place);

/* Whether labels have all that a selector wants, or may get it (combinations_labels.c). */
bool combinations_labels_match(yyjson_val *map, yyjson_val *wanted, yyjson_val *expressions);

/* Jobs (combinations_jobs.c), and the parts of a workload that they have, too. */
void combinations_check_job(const struct combinations *of, yyjson_val *spec, const struct path *place);
void combinations_check_cron_job(const struct combinations *of, yyjson_val *spec, const struct path *parent);
void combinations_check_selector(const struct combinations *of, yyjson_val *spec, const struct path *place);
void combinations_check_template(
    const struct combinations *of, yyjson_val *spec, bool is_job, const struct path *parent);

/* Fields that are required (combinations_required.c). */
void combinations_check_required(const struct combinations *of);

/* Labels, annotations, finalizers and owners, and the data of ConfigMaps and Secrets
 * (combinations_metadata.c). */
void combinations_check_metadata(const struct combinations *of);

/* Fields of objects without pods (combinations_objects.c). */
void combinations_check_object(const struct combinations *of);

/* Names that a pod refers to, names that it has twice, and amounts (combinations_pod.c). */
void combinations_check_pod(const struct combinations *of, yyjson_val *pod, const struct path *place);

/* Ports of a Service that are there twice (combinations_service.c). */
void combinations_check_ports(const struct combinations *of, yyjson_val *spec, const struct path *place);

/* Fields of a Service that only some types need or may have (combinations_service.c). */
void combinations_check_service_type(
    const struct combinations *of, yyjson_val *spec, const struct path *place);

/* Replicas and metrics of an autoscaler (combinations_autoscaler.c). */
void combinations_check_autoscaler(const struct combinations *of, yyjson_val *spec, const struct path *place);

/* Ingresses, network policies and endpoints (combinations_network.c). */
void combinations_check_ingress(const struct combinations *of);
void combinations_check_network_policy(const struct combinations *of);
void combinations_check_endpoints(const struct combinations *of);

/* Webhooks (combinations_webhooks.c). */
void combinations_check_webhooks(const struct combinations *of);

/* Amounts of containers, claims and pods in one namespace (combinations_limits.c). */
void combinations_check_limit_range(const struct combinations *of);
void combinations_check_quota(const struct combinations *of);

/* A key, and the position of the item or port that has it. */
struct combinations_keyed {
    struct slice key;
    size_t position;
};

/* Moves each one whose key is also at an earlier position to the front, sorted. Returns their number. */
size_t combinations_repeated(struct combinations_keyed *keys, size_t count);

/*
 * Refuses each item of the list whose key an item before it has. `key` returns it in memory of the arena, and
 * an empty one for an item that does not count.
 */
typedef struct slice combinations_key(yyjson_val *item, struct arena *arena);
void combinations_check_unique(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_key *key,
    const char *field_name, const char *sentence);

/* The key of items that are known by their names. */
combinations_key combinations_name_of;

#endif
