#include "apply/service.h"

#include "base/array_size.h"

/* Each port is compared with each other one. No real Service has nearly as many. */
#define PORTS_MAX 1000

static bool is_text(const struct value *spec, const char *member, const char *text)
{
    return slice_equal(value_text(value_member(spec, slice_of(member))), slice_of(text));
}

bool service_is_external_name(const struct value *spec)
{
    return is_text(spec, "type", "ExternalName");
}

static bool has_cluster_address(const struct value *spec)
{
    return !service_is_external_name(spec);
}

bool service_is_load_balancer(const struct value *spec)
{
    return is_text(spec, "type", "LoadBalancer");
}

static bool has_node_ports(const struct value *spec)
{
    return is_text(spec, "type", "NodePort") || service_is_load_balancer(spec);
}

/* A LoadBalancer may do without ports of nodes: then none are kept, and none are dropped. */
static bool keeps_node_ports(const struct value *spec)
{
    const struct value *allocates = value_member(spec, SLICE("allocateLoadBalancerNodePorts"));
    bool is_off = allocates && allocates->kind == VALUE_SCALAR && yyjson_is_false(allocates->scalar);
    return has_node_ports(spec) && !(service_is_load_balancer(spec) && is_off);
}

bool service_has_health_check(const struct value *spec)
{
    return service_is_load_balancer(spec) && is_text(spec, "externalTrafficPolicy", "Local");
}

static bool is_reached_from_outside(const struct value *spec)
{
    const struct value *addresses = value_member(spec, SLICE("externalIPs"));
    return has_node_ports(spec) || (is_text(spec, "type", "ClusterIP") && !value_is_empty(addresses));
}

static bool has_affinity(const struct value *spec)
{
    return !is_text(spec, "sessionAffinity", "None");
}

/*
 * The defaults that depend on other fields (pkg/apis/core/v1/defaults.go, SetDefaults_Service)
 */

static const struct value *fill_traffic_policy(
    const struct value *spec, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("externalTrafficPolicy");
    if (!is_reached_from_outside(spec) || value_member(spec, name) || !value_member(live, name))
        return spec;
    const struct value *policy = value_string(SLICE("Cluster"), arena);
    return policy ? value_with(spec, name, policy, arena) : NULL;
}

/* A manager may give up the timeout, while another one keeps what is around it. */
static const struct value *fill_affinity_timeout(const struct value *spec, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("sessionAffinityConfig");
    const struct value *config = value_member(spec, name);
    if (!is_text(spec, "sessionAffinity", "ClientIP") || !config || config->kind != VALUE_MAP ||
        value_at(config, SLICE(".clientIP.timeoutSeconds")))
        return spec;
    config = value_read_json(SLICE("{\"clientIP\":{\"timeoutSeconds\":10800}}"), arena);
    return config ? value_with(spec, name, config, arena) : NULL;
}

/*
 * The ports of nodes
 */

static const struct value *port_named(const struct value *ports, struct slice name)
{
    for (size_t i = 0; ports && ports->kind == VALUE_LIST && i < ports->count && i < PORTS_MAX; i++)
        if (slice_equal(value_text(value_member(ports->items[i], SLICE("name"))), name))
            return ports->items[i];
    return NULL;
}

static bool is_used(const struct value *ports, const struct value *number)
{
    for (size_t i = 0; ports && ports->kind == VALUE_LIST && i < ports->count && i < PORTS_MAX; i++) {
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

static const struct value *drop_node_port(
    const struct value *port, const struct value *ports, const struct value *live, struct arena *arena)
{
    (void)ports;
    (void)live;
    return port->kind == VALUE_MAP ? value_with(port, SLICE("nodePort"), NULL, arena) : port;
}

/* The spec with each port changed. */
static const struct value *with_ports(
    const struct value *spec, const struct value *live,
    const struct value *(*change)(
        const struct value *port, const struct value *ports, const struct value *live, struct arena *arena),
    struct arena *arena)
{
    const struct value *ports = value_member(spec, SLICE("ports"));
    if (!ports || ports->kind != VALUE_LIST || ports->count > PORTS_MAX)
        return spec;
    const struct value **items = arena_allocate_array(arena, ports->count + 1, sizeof(*items));
    for (size_t i = 0; items && i < ports->count; i++) {
        items[i] = change(ports->items[i], ports, value_member(live, SLICE("ports")), arena);
        if (!items[i])
            return NULL;
    }
    ports = items ? value_list(items, ports->count, arena) : NULL;
    return ports ? value_with(spec, SLICE("ports"), ports, arena) : NULL;
}

static bool has_new_node_port(const struct value *spec, const struct value *live)
{
    const struct value *ports = value_member(spec, SLICE("ports"));
    for (size_t i = 0; ports && ports->kind == VALUE_LIST && i < ports->count && i < PORTS_MAX; i++) {
        const struct value *number = value_member(ports->items[i], SLICE("nodePort"));
        if (number && !is_used(value_member(live, SLICE("ports")), number))
            return true;
    }
    return false;
}

/*
 * Fields that are kept (pkg/registry/core/service/storage, patchAllocatedValues)
 */

static const struct value *keep_allocated(
    const struct value *spec, const struct value *live, struct arena *arena)
{
    static const struct {
        const char *member;
        bool (*has)(const struct value *spec);
    } kept[] = {
        {"clusterIP", has_cluster_address},
        {"clusterIPs", has_cluster_address},
        {"ipFamilies", has_cluster_address},
        {"ipFamilyPolicy", has_cluster_address},
        {"healthCheckNodePort", service_has_health_check},
    };
    for (size_t i = 0; spec && i < ARRAY_SIZE(kept); i++) {
        struct slice name = slice_of(kept[i].member);
        if (kept[i].has(spec) && kept[i].has(live) && value_is_empty(value_member(spec, name)) &&
            value_member(live, name))
            spec = value_with(spec, name, value_member(live, name), arena);
    }
    bool keeps_ports = spec && keeps_node_ports(spec) && keeps_node_ports(live);
    return keeps_ports ? with_ports(spec, live, keep_node_port, arena) : spec;
}

/*
 * Fields that are dropped, as the new type does not have them, unless they change
 * (pkg/registry/core/service/strategy.go, dropTypeDependentFields)
 */

static const struct value *drop_members(
    const struct value *spec, const struct value *live, struct arena *arena)
{
    static const struct {
        const char *member;
        bool (*has)(const struct value *spec);
    } dropped[] = {
        {"clusterIP", has_cluster_address},
        {"clusterIPs", has_cluster_address},
        {"ipFamilies", has_cluster_address},
        {"ipFamilyPolicy", has_cluster_address},
        {"internalTrafficPolicy", has_cluster_address},
        {"healthCheckNodePort", service_has_health_check},
        {"allocateLoadBalancerNodePorts", service_is_load_balancer},
        {"loadBalancerClass", service_is_load_balancer},
        {"externalTrafficPolicy", is_reached_from_outside},
    };
    for (size_t i = 0; spec && i < ARRAY_SIZE(dropped); i++) {
        struct slice name = slice_of(dropped[i].member);
        if (dropped[i].has(live) && !dropped[i].has(spec) && value_member(spec, name) &&
            value_equal_or_empty(value_member(spec, name), value_member(live, name)))
            spec = value_with(spec, name, NULL, arena);
    }
    if (spec && !has_affinity(spec))
        spec = value_with(spec, SLICE("sessionAffinityConfig"), NULL, arena);
    return spec;
}

static const struct value *drop_void(const struct value *spec, const struct value *live, struct arena *arena)
{
    bool drops_ports = has_node_ports(live) && !has_node_ports(spec) && !has_new_node_port(spec, live);
    /* Each condition is about the spec before anything is dropped. */
    const struct value *left = drop_members(spec, live, arena);
    return left && drops_ports ? with_ports(left, live, drop_node_port, arena) : left;
}

const struct value *service_update(const struct value *service, const struct value *live, struct arena *arena)
{
    const struct value *spec = value_member(service, SLICE("spec"));
    const struct value *before = value_member(live, SLICE("spec"));
    if (!spec || spec->kind != VALUE_MAP || !before || before->kind != VALUE_MAP)
        return service;
    spec = fill_traffic_policy(spec, before, arena);
    spec = spec ? fill_affinity_timeout(spec, arena) : NULL;
    spec = spec ? keep_allocated(spec, before, arena) : NULL;
    spec = spec ? drop_void(spec, before, arena) : NULL;
    return spec ? value_with(service, SLICE("spec"), spec, arena) : NULL;
}
