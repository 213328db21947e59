#include "commands/preview/immutable.h"

#include "apply/service.h"
#include "base/array_size.h"
#include "base/quantity.h"
#include "base/split.h"

#include <stdlib.h>

/* The limit of items that are looked for in another list. No real object has nearly as many. */
#define ITEMS_MAX 1000

/* A field before and after the apply, or the part of it that must not change. */
struct change {
    struct arena *arena;
    const struct value *old_object;
    const struct value *new_object;
    struct slice name; /* the name of the field in its map */
    const struct value *before;
    const struct value *after;
};

/* Reduces a change to the part that must not change. Returns false if the field may change as a whole. */
typedef bool change_filter(struct change *change);

static bool is_true(const struct value *value)
{
    return value && value->kind == VALUE_SCALAR && yyjson_is_true(value->scalar);
}

static bool is_text(const struct value *object, const char *path, const char *text)
{
    return slice_equal(value_text(value_at(object, slice_of(path))), slice_of(text));
}

/* Returns a null value if memory runs out; the arena remembers that. */
static const struct value *without(const struct value *map, const char *name, struct arena *arena)
{
    bool has_it = map && map->kind == VALUE_MAP && value_member(map, slice_of(name));
    return has_it ? value_with(map, slice_of(name), NULL, arena) : map;
}

static const struct value *with(
    const struct value *map, const char *name, const struct value *value, struct arena *arena)
{
    return map && map->kind == VALUE_MAP ? value_with(map, slice_of(name), value, arena) : map;
}

/*
 * Lists
 */

/* The number of items that are compared; 0 if it is not a list. */
static size_t item_count(const struct value *list)
{
    size_t count = list && list->kind == VALUE_LIST ? list->count : 0;
    return count < ITEMS_MAX ? count : ITEMS_MAX;
}

static const struct value *first_item(const struct value *list)
{
    return item_count(list) ? list->items[0] : NULL;
}

static bool has_item(const struct value *list, const struct value *item)
{
    size_t count = item_count(list), i = 0;
    while (i < count && !value_equal(list->items[i], item))
        i++;
    return i < count;
}

/* The list with each item without a member. Returns NULL if memory runs out. */
static const struct value *items_without(const struct value *list, const char *member, struct arena *arena)
{
    if (!list || list->kind != VALUE_LIST)
        return list;
    const struct value **items = arena_allocate_array(arena, list->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < list->count; i++) {
        items[i] = without(list->items[i], member, arena);
        if (!items[i])
            return NULL;
    }
    return items ? value_list(items, list->count, arena) : NULL;
}

/*
 * Filters
 */

static bool whole(struct change *change)
{
    (void)change;
    return true;
}

static bool if_immutable(struct change *change)
{
    return is_true(value_member(change->old_object, SLICE("immutable")));
}

/* Those of an indexed Job may change with its parallelism. */
static bool completions_of_job(struct change *change)
{
    const struct value *parallelism = value_at(change->new_object, SLICE(".spec.parallelism"));
    return !is_text(change->new_object, ".spec.completionMode", "Indexed") || !change->after ||
        !parallelism || !value_equal(change->after, parallelism);
}

/* The API server sets it again. */
static bool if_still_there(struct change *change)
{
    return !value_is_empty(change->after);
}

static bool is_gated(const struct change *change)
{
    return !value_is_empty(value_at(change->old_object, SLICE(".spec.schedulingGates")));
}

static const struct value *without_node_affinity(const struct value *affinity, struct arena *arena)
{
    affinity = without(affinity, "nodeAffinity", arena);
    return value_is_empty(affinity) ? NULL : affinity;
}

/* The node affinity of a pod with scheduling gates may change. */
static bool affinity_of_pod(struct change *change)
{
    if (is_gated(change)) {
        change->before = without_node_affinity(change->before, change->arena);
        change->after = without_node_affinity(change->after, change->arena);
    }
    return true;
}

/* The node selector of a pod with scheduling gates may get more labels. */
static bool if_label_is_lost(struct change *change)
{
    const struct value *labels = change->before;
    size_t count = labels && labels->kind == VALUE_MAP ? labels->count : 0, i = 0;
    while (i < count) {
        const struct value *label = value_member(change->after, labels->members[i].name);
        if (!label || !value_equal(label, labels->members[i].value))
            break;
        i++;
    }
    return i < count || !is_gated(change);
}

/* Names may change until the API server has accepted them. */
static bool if_established(struct change *change)
{
    const struct value *conditions = value_at(change->old_object, SLICE(".status.conditions"));
    for (size_t i = 0; conditions && conditions->kind == VALUE_LIST && i < conditions->count; i++)
        if (is_text(conditions->items[i], ".type", "Established") &&
            is_text(conditions->items[i], ".status", "True"))
            return true;
    return false;
}

/* The API server requests what a container is limited to, unless it requests something else. */
static const struct value *with_requests(const struct value *container, struct arena *arena)
{
    const struct value *resources = value_member(container, SLICE("resources"));
    const struct value *limits = value_member(resources, SLICE("limits"));
    const struct value *requests = value_member(resources, SLICE("requests"));
    if (value_is_empty(limits) || limits->kind != VALUE_MAP)
        return container;
    for (size_t i = 0; i < limits->count; i++)
        if (!value_member(requests, limits->members[i].name))
            requests = value_with(requests, limits->members[i].name, limits->members[i].value, arena);
    return with(container, "resources", with(resources, "requests", requests, arena), arena);
}

static const struct value *fixed_containers(const struct value *containers, struct arena *arena)
{
    containers = items_without(containers, "image", arena);
    size_t count = containers && containers->kind == VALUE_LIST ? containers->count : 0;
    const struct value **items = arena_allocate_array(arena, count + 1, sizeof(*items));
    for (size_t i = 0; items && i < count; i++) {
        items[i] = with_requests(containers->items[i], arena);
        if (!items[i])
            return NULL;
    }
    return items ? value_list(items, count, arena) : NULL;
}

static bool containers_of_pod(struct change *change)
{
    change->before = fixed_containers(change->before, change->arena);
    change->after = fixed_containers(change->after, change->arena);
    return true;
}

static bool number_of(const struct value *value, double *number)
{
    if (!value || value->kind != VALUE_SCALAR || !yyjson_is_num(value->scalar))
        return false;
    *number = yyjson_get_num(value->scalar);
    return true;
}

/* A negative time, which old API servers accepted, may become 1. */
static bool if_not_negative(struct change *change)
{
    double before;
    return !number_of(change->before, &before) || before >= 0;
}

static bool if_raised_or_gone(struct change *change)
{
    double before, after;
    return number_of(change->before, &before) && (!number_of(change->after, &after) || after > before);
}

static bool if_gate_is_new(struct change *change)
{
    size_t count = item_count(change->after), i = 0;
    while (i < count && has_item(change->before, change->after->items[i]))
        i++;
    return i < count;
}

/* Whether a plugin of the API server may add the toleration again (ExtendedResourceToleration). */
static bool may_come_back(const struct value *toleration)
{
    return slice_contains(value_text(value_member(toleration, SLICE("key"))), '/') &&
        is_text(toleration, ".operator", "Exists");
}

static bool if_toleration_is_lost(struct change *change)
{
    static const char member[] = "tolerationSeconds";
    const struct value *before = items_without(change->before, member, change->arena);
    const struct value *after = items_without(change->after, member, change->arena);
    size_t count = item_count(before), i = 0;
    while (i < count && (has_item(after, before->items[i]) || may_come_back(before->items[i])))
        i++;
    return i < count;
}

/* The part of a suspended Job's template that must not change in any version of Kubernetes. */
static const struct value *fixed_part(const struct value *template, struct arena *arena)
{
    static const char *const scheduling[] = {"nodeSelector", "schedulingGates", "tolerations"};
    static const char *const lists[] = {"containers", "initContainers"};
    const struct value *spec = value_member(template, SLICE("spec"));
    for (size_t i = 0; i < ARRAY_SIZE(scheduling); i++)
        spec = without(spec, scheduling[i], arena);
    const struct value *affinity = value_member(spec, SLICE("affinity"));
    if (affinity)
        spec = with(spec, "affinity", without_node_affinity(affinity, arena), arena);
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        const struct value *containers = value_member(spec, slice_of(lists[i]));
        if (containers)
            spec = with(spec, lists[i], items_without(containers, "resources", arena), arena);
    }
    return with(without(template, "metadata", arena), "spec", spec, arena);
}

static bool template_of_job(struct change *change)
{
    if (is_true(value_at(change->old_object, SLICE(".spec.suspend")))) {
        change->before = fixed_part(change->before, change->arena);
        change->after = fixed_part(change->after, change->arena);
    }
    return true;
}

static bool if_set(struct change *change)
{
    return !value_is_empty(change->before);
}

/* A claim whose phase is unknown may be bound. */
static bool may_be_bound(const struct change *change)
{
    struct slice phase = value_text(value_at(change->old_object, SLICE(".status.phase")));
    return !phase.length || slice_equal(phase, SLICE("Bound"));
}

/* The part of a bound claim's resources that may not change. */
static const struct value *fixed_resources(const struct value *resources, struct arena *arena)
{
    const struct value *requests = without(value_member(resources, SLICE("requests")), "storage", arena);
    bool has_limits = !value_is_empty(value_member(resources, SLICE("limits")));
    resources = with(resources, "requests", value_is_empty(requests) ? NULL : requests, arena);
    return has_limits || !value_is_empty(requests) ? resources : NULL;
}

static bool resources_of_claim(struct change *change)
{
    if (may_be_bound(change)) {
        change->before = fixed_resources(change->before, change->arena);
        change->after = fixed_resources(change->after, change->arena);
    }
    return true;
}

/*
 * A class that the driver has applied may change, and may not go away. Kubernetes before 1.34 drops the
 * class, so whether the first class of an unbound claim is refused is unknown.
 */
static bool class_of_claim(const struct change *change)
{
    const struct value *current =
        value_at(change->old_object, SLICE(".status.currentVolumeAttributesClassName"));
    if (!may_be_bound(change))
        return !value_is_empty(change->before);
    return !value_text(change->after).length && !value_is_empty(current);
}

/* A binding may name the volume, and an old claim its class. */
static bool claim_member(struct change *change)
{
    static const char *const set_once[] = {"storageClassName", "volumeName"};
    if (slice_equal(change->name, SLICE("resources")))
        return resources_of_claim(change);
    if (slice_equal(change->name, SLICE("volumeAttributesClassName")))
        return class_of_claim(change);
    return !slice_is_one_of(change->name, set_once, ARRAY_SIZE(set_once)) || !value_is_empty(change->before);
}

/* Sets the order of two amounts. Returns false if one of them is no amount. */
static bool compare_amounts(const struct value *a, const struct value *b, int *order)
{
    return a && b && a->kind == VALUE_SCALAR && b->kind == VALUE_SCALAR &&
        quantity_compare(a->scalar, b->scalar, order);
}

/* A request that grew may become less again, but more than the volume has. */
static bool if_below_capacity(struct change *change)
{
    const struct value *capacity = value_at(change->old_object, SLICE(".status.capacity.storage"));
    int change_of_size, left;
    return compare_amounts(change->after, change->before, &change_of_size) && change_of_size < 0 &&
        compare_amounts(change->after, capacity, &left) && left <= 0;
}

static bool volume_source(struct change *change)
{
    static const char name[] = "controllerExpandSecretRef";
    if (slice_equal(change->name, SLICE("csi")) && !value_member(change->before, slice_of(name)))
        change->after = without(change->after, name, change->arena);
    if (slice_equal(change->name, SLICE("nodeAffinity")))
        return !value_is_empty(change->before);
    return !slice_equal(change->name, SLICE("volumeAttributesClassName")) || value_is_empty(change->after);
}

static const struct value *old_spec(const struct change *change)
{
    return value_member(change->old_object, SLICE("spec"));
}

static const struct value *new_spec(const struct change *change)
{
    return value_member(change->new_object, SLICE("spec"));
}

static bool address_of_service(struct change *change)
{
    return !service_is_external_name(old_spec(change)) && !service_is_external_name(new_spec(change)) &&
        !value_is_empty(change->before) && !value_is_empty(change->after);
}

/* The second address or family may come and go. A Service without an address may change its families. */
static bool first_address_of_service(struct change *change)
{
    change->before = first_item(change->before);
    change->after = first_item(change->after);
    return address_of_service(change) && !is_text(change->old_object, ".spec.clusterIP", "None") &&
        !is_text(change->new_object, ".spec.clusterIP", "None");
}

static bool if_load_balancer(struct change *change)
{
    return service_is_load_balancer(old_spec(change)) && service_is_load_balancer(new_spec(change));
}

static bool if_has_health_check(struct change *change)
{
    return service_has_health_check(old_spec(change)) && service_has_health_check(new_spec(change));
}

/* One network may become two, of both address families. */
static bool cidrs(struct change *change)
{
    const struct value *before = first_item(change->before);
    bool is_second = before && change->before->count == 1 && change->after &&
        change->after->kind == VALUE_LIST && change->after->count == 2;
    return !is_second || !value_equal(before, change->after->items[0]);
}

static int compare_texts(const void *a, const void *b)
{
    return slice_compare(
        value_text(*(const struct value *const *)a), value_text(*(const struct value *const *)b));
}

/* The list, ascending, and each text once. */
static const struct value *sorted(const struct value *list, struct arena *arena)
{
    if (!list || list->kind != VALUE_LIST)
        return list;
    const struct value **items = arena_allocate_array(arena, list->count + 1, sizeof(*items));
    size_t count = 0;
    if (!items)
        return NULL;
    for (size_t i = 0; i < list->count; i++)
        items[i] = list->items[i];
    qsort(items, list->count, sizeof(*items), compare_texts);
    for (size_t i = 0; i < list->count; i++)
        if (!count || compare_texts(&items[count - 1], &items[i]))
            items[count++] = items[i];
    return value_list(items, count, arena);
}

static bool any_order(struct change *change)
{
    change->before = sorted(change->before, change->arena);
    change->after = sorted(change->after, change->arena);
    return true;
}

static const struct value *driver_named(const struct value *drivers, struct slice name)
{
    size_t count = item_count(drivers);
    for (size_t i = 0; i < count; i++)
        if (slice_equal(value_text(value_member(drivers->items[i], SLICE("name"))), name))
            return drivers->items[i];
    return NULL;
}

/* Whether a driver that stays changes. How many volumes it takes may change from Kubernetes 1.34 on. */
static bool same_drivers(struct change *change)
{
    static const char may_change[] = "allocatable";
    const struct value *drivers = change->before;
    size_t count = item_count(drivers);
    for (size_t i = 0; i < count; i++) {
        const struct value *other =
            driver_named(change->after, value_text(value_member(drivers->items[i], SLICE("name"))));
        const struct value *before = without(drivers->items[i], may_change, change->arena);
        other = without(other, may_change, change->arena);
        if (before && other && !value_equal(before, other))
            return true;
    }
    return false;
}

/*
 * The table
 */

struct immutable {
    const char *group_kind;
    const char *path;
    change_filter *filter;
    const char *may_change; /* member names, separated by spaces */
    const char *hint;
};

static const struct immutable immutables[] = {
#define IMMUTABLE(group_kind, path, filter, may_change, hint) {group_kind, path, filter, may_change, hint},
#include "commands/preview/immutable.def"
#undef IMMUTABLE
};

struct search {
    const struct immutable *row;
    struct sentences *refused;
    struct change change;
};

static void compare(
    const struct search *search, struct slice path, struct slice name, const struct value *before,
    const struct value *after)
{
    struct change change = search->change;
    change.name = name;
    change.before = before;
    change.after = after;
    if (value_equal_or_empty(before, after) || !search->row->filter(&change) ||
        value_equal_or_empty(change.before, change.after))
        return;
    sentences_add(
        search->refused,
        text_join(
            change.arena, path, as_printable(name),
            value_is_empty(after) ? " goes away, and it may not change" : " changes, and it may not",
            *search->row->hint ? ": " : "", search->row->hint));
}

/* Compares each member of either map. */
static void compare_members(
    const struct search *search, struct slice path, const struct value *before, const struct value *after)
{
    size_t old_count = before && before->kind == VALUE_MAP ? before->count : 0;
    size_t new_count = after && after->kind == VALUE_MAP ? after->count : 0;
    for (size_t i = 0, j = 0; i < old_count || j < new_count;) {
        int order = i == old_count ? 1
            : j == new_count       ? -1
                                   : slice_compare(before->members[i].name, after->members[j].name);
        struct slice name = order <= 0 ? before->members[i].name : after->members[j].name;
        const struct value *old_value = order <= 0 ? before->members[i++].value : NULL;
        const struct value *new_value = order >= 0 ? after->members[j++].value : NULL;
        if (!split_has(slice_of(search->row->may_change), ' ', name))
            compare(search, path, name, old_value, new_value);
    }
}

static void check(const struct search *search)
{
    struct slice path = slice_of(search->row->path);
    const struct value *before = search->change.old_object, *after = search->change.new_object;
    if (path.bytes[path.length - 1] == '*') {
        struct slice map = slice_until(path, path.length - 2);
        compare_members(
            search, slice_until(path, path.length - 1), value_at(before, map), value_at(after, map));
    } else {
        compare(search, path, (struct slice){NULL, 0}, value_at(before, path), value_at(after, path));
    }
}

void refusals_of_changes(
    const struct value *before, const struct value *after, struct slice group_kind, struct sentences *refused)
{
    struct search search = {
        .refused = refused,
        .change = {.arena = refused->arena, .old_object = before, .new_object = after},
    };
    for (size_t i = 0; i < ARRAY_SIZE(immutables); i++) {
        search.row = &immutables[i];
        if (slice_equal(group_kind, slice_of(search.row->group_kind)))
            check(&search);
    }
}
