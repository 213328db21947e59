#include "apply/server_set.h"

#include "base/array_size.h"

/*
 * Services: addresses and ports that were given to them (pkg/registry/core/service/storage,
 * patchAllocatedValues)
 */

/* Each port is compared with each other one. No real Service has nearly as many. */
#define PORTS_MAX 1000

static struct slice type_of(const struct value *spec)
{
    return value_text(value_member(spec, SLICE("type")));
}

static bool has_node_ports(const struct value *spec)
{
    return slice_equal(type_of(spec), SLICE("NodePort")) || slice_equal(type_of(spec), SLICE("LoadBalancer"));
}

static const struct value *port_named(const struct value *ports, struct slice name)
{
    for (size_t i = 0; ports && ports->kind == VALUE_LIST && i < ports->count && i < PORTS_MAX; i++)
        if (slice_equal(value_text(value_member(ports->items[i], SLICE("name"))), name))
            return ports->items[i];
    return NULL;
}

static bool is_used(const struct value *ports, const struct value *number)
{
    for (size_t i = 0; i < ports->count; i++) {
        const struct value *other = value_member(ports->items[i], SLICE("nodePort"));
        if (other && value_equal(other, number))
            return true;
    }
    return false;
}

/* A port keeps its number unless another one of the Service has it now. */
static const struct value *keep_node_port(
    const struct value *port, const struct value *ports, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("nodePort");
    const struct value *former = port_named(live, value_text(value_member(port, SLICE("name"))));
    const struct value *number = value_member(former, name);
    if (port->kind != VALUE_MAP || !number || value_member(port, name) || is_used(ports, number))
        return port;
    return value_with(port, name, number, arena);
}

static const struct value *keep_node_ports(
    const struct value *spec, const struct value *live, struct arena *arena)
{
    const struct value *ports = value_member(spec, SLICE("ports"));
    if (!ports || ports->kind != VALUE_LIST || ports->count > PORTS_MAX || !has_node_ports(spec) ||
        !has_node_ports(live))
        return spec;
    const struct value **items = arena_allocate_array(arena, ports->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < ports->count; i++) {
        items[i] = keep_node_port(ports->items[i], ports, value_member(live, SLICE("ports")), arena);
        if (!items[i])
            return NULL;
    }
    ports = items ? value_list(items, ports->count, arena) : NULL;
    return ports ? value_with(spec, SLICE("ports"), ports, arena) : NULL;
}

static const struct value *keep_allocated(
    const struct value *service, const struct value *live, struct arena *arena)
{
    static const struct slice kept[] = {
        SLICE_LITERAL("clusterIP"), SLICE_LITERAL("clusterIPs"), SLICE_LITERAL("ipFamilies"),
        SLICE_LITERAL("ipFamilyPolicy")};
    const struct value *spec = value_member(service, SLICE("spec"));
    const struct value *before = value_member(live, SLICE("spec"));
    if (!spec || spec->kind != VALUE_MAP || slice_equal(type_of(spec), SLICE("ExternalName")) ||
        slice_equal(type_of(before), SLICE("ExternalName")))
        return service;
    for (size_t i = 0; spec && i < ARRAY_SIZE(kept); i++)
        if (value_is_empty(value_member(spec, kept[i])) && value_member(before, kept[i]))
            spec = value_with(spec, kept[i], value_member(before, kept[i]), arena);
    spec = spec ? keep_node_ports(spec, before, arena) : NULL;
    return spec ? value_with(service, SLICE("spec"), spec, arena) : NULL;
}

/*
 * Namespaces (pkg/registry/core/namespace/strategy.go, pkg/apis/core/v1/defaults.go)
 */

static const struct value *keep_namespace(
    const struct value *namespace, const struct value *live, struct arena *arena)
{
    static const struct slice key = SLICE_LITERAL("kubernetes.io/metadata.name");
    const struct value *metadata = value_member(namespace, SLICE("metadata"));
    const struct value *label =
        value_member(value_member(value_member(live, SLICE("metadata")), SLICE("labels")), key);
    const struct value *labels = value_member(metadata, SLICE("labels"));
    namespace = value_with(namespace, SLICE("spec"), value_member(live, SLICE("spec")), arena);
    if (!namespace || !label || value_member(labels, key))
        return namespace;
    labels = value_with(value_is_empty(labels) ? &value_empty_map : labels, key, label, arena);
    metadata = labels ? value_with(metadata, SLICE("labels"), labels, arena) : NULL;
    return metadata ? value_with(namespace, SLICE("metadata"), metadata, arena) : NULL;
}

/*
 * Pods: tolerations that the admission plugin DefaultTolerationSeconds adds
 */

static bool is_added(const struct value *toleration)
{
    static const char *const keys[] = {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"};
    return slice_is_one_of(value_text(value_member(toleration, SLICE("key"))), keys, ARRAY_SIZE(keys)) &&
        slice_equal(value_text(value_member(toleration, SLICE("effect"))), SLICE("NoExecute"));
}

/* The items of a list that the plugin has added, or the others. */
static size_t copy_tolerations(
    const struct value *list, bool are_added, const struct value **items, size_t count)
{
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count; i++)
        if (is_added(list->items[i]) == are_added)
            items[count++] = list->items[i];
    return count;
}

static const struct value *keep_tolerations(
    const struct value *pod, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("tolerations");
    const struct value *spec = value_member(pod, SLICE("spec"));
    const struct value *list = value_member(spec, name);
    const struct value *former = value_member(value_member(live, SLICE("spec")), name);
    size_t declared = list ? list->count : 0;
    const struct value **items =
        arena_allocate_array(arena, declared + (former ? former->count : 0) + 1, sizeof(*items));
    if (!items)
        return NULL;
    size_t count = copy_tolerations(list, false, items, 0);
    if (!spec || spec->kind != VALUE_MAP || count != declared)
        return pod;
    count = copy_tolerations(former, true, items, count);
    if (count == declared)
        return pod;
    list = value_list(items, count, arena);
    spec = list ? value_with(spec, name, list, arena) : NULL;
    return spec ? value_with(pod, SLICE("spec"), spec, arena) : NULL;
}

const struct value *server_set_fields(
    const struct value *object, const struct value *live, struct arena *arena)
{
    static const struct {
        const char *kind;
        const struct value *(*set)(const struct value *object, const struct value *live, struct arena *arena);
    } kinds[] = {{"Namespace", keep_namespace}, {"Pod", keep_tolerations}, {"Service", keep_allocated}};
    struct slice kind = value_text(value_member(live, SLICE("kind")));
    bool is_core = slice_equal(value_text(value_member(live, SLICE("apiVersion"))), SLICE("v1"));
    for (size_t i = 0; is_core && i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(kind, slice_of(kinds[i].kind)))
            return kinds[i].set(object, live, arena);
    return object;
}
