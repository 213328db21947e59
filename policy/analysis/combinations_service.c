#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/text.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_forms.h"

static struct slice protocol_of(yyjson_val *port)
{
    struct slice protocol = json_text(member(port, "protocol"));
    return protocol.length ? protocol : SLICE("TCP");
}

/* PROTOCOL/NUMBER; empty if the port has no such number. */
static struct slice key_of_number(yyjson_val *port, const char *name, struct arena *arena)
{
    yyjson_val *number = member(port, name);
    if (!yyjson_is_uint(number) || !yyjson_get_uint(number))
        return (struct slice){NULL, 0};
    return text_join(arena, protocol_of(port), "/", yyjson_get_uint(number));
}

static struct slice key_of_port(yyjson_val *port, struct arena *arena)
{
    return key_of_number(port, "port", arena);
}

static struct slice key_of_node_port(yyjson_val *port, struct arena *arena)
{
    return key_of_number(port, "nodePort", arena);
}

void combinations_check_ports(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    const struct path list = field_of(place, "ports");
    yyjson_val *ports = member(spec, "ports");
    combinations_check_unique(
        of, ports, &list, combinations_name_of, ".name", "another port has this name; each needs its own");
    combinations_check_unique(
        of, ports, &list, key_of_port, ".port", "another port has this number and protocol; delete one");
    combinations_check_unique(
        of, ports, &list, key_of_node_port, ".nodePort",
        "another port has this number on nodes, and this protocol");
}

static bool has_type(yyjson_val *spec, const char *type)
{
    yyjson_val *declared = member(spec, "type");
    return is_text(declared, type) || (!declared && slice_equal(slice_of(type), SLICE("ClusterIP")));
}

static void check_external_name(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    static const char *const names[] = {
        "allocateLoadBalancerNodePorts",
        "clusterIPs",
        "externalTrafficPolicy",
        "ipFamilies",
        "ipFamilyPolicy",
        "loadBalancerClass",
        "loadBalancerSourceRanges"};
    yyjson_val *name = member(spec, "externalName");
    const char *problem = combination_form_problem(&form_external_name, name);
    if (problem && !of->declared->is_partial)
        combinations_refuse(of, place, ".externalName", problem);
    if (!json_text(name).length && !of->declared->is_partial)
        combinations_refuse(of, place, ".externalName", "type: ExternalName needs it");
    if (json_text(member(spec, "clusterIP")).length)
        combinations_refuse(of, place, ".clusterIP", "it may not be there where type is ExternalName");
    for (size_t i = 0; i < ARRAY_SIZE(names) && !of->declared->old_object; i++) {
        const struct path path = field_of(place, names[i]);
        yyjson_val *value = member(spec, names[i]);
        if (!is_nothing(value) && !yyjson_equals_str(value, ""))
            combinations_refuse(of, &path, "", "it may not be there where type is ExternalName");
    }
}

/* An update loses the fields that its former type alone may have. */
static bool had_other_type(const struct combinations *of, const char *type, bool has_it)
{
    yyjson_val *old = member(of->declared->old_object, "spec");
    return old && has_type(old, type) == has_it;
}

static void refuse_node_port(const struct combinations *of, yyjson_val *port, const struct path *place)
{
    if (yyjson_get_uint(member(port, "nodePort")))
        combinations_refuse(
            of, place, ".nodePort", "it may be there only where type is NodePort or LoadBalancer");
}

static void refuse_balancer_fields(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    static const char *const names[] = {
        "loadBalancerClass", "allocateLoadBalancerNodePorts", "loadBalancerSourceRanges"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = field_of(place, names[i]);
        if (!is_nothing(member(spec, names[i])))
            combinations_refuse(of, &path, "", "it may be there only where type is LoadBalancer");
    }
}

#define SESSION_SECONDS_MAX 86400

static void check_session(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *seconds = member(member(member(spec, "sessionAffinityConfig"), "clientIP"), "timeoutSeconds");
    bool is_right = yyjson_is_uint(seconds) && yyjson_get_uint(seconds) &&
        yyjson_get_uint(seconds) <= SESSION_SECONDS_MAX;
    if (is_text(member(spec, "sessionAffinity"), "ClientIP") && yyjson_is_int(seconds) && !is_right)
        combinations_refuse(
            of, place, ".sessionAffinityConfig.clientIP.timeoutSeconds", "it must be from 1 to 86400");
}

/* An update of one of them changes the other. */
static void check_addresses(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *all = member(spec, "clusterIPs"), *families = member(spec, "ipFamilies");
    struct slice first = json_text(yyjson_arr_get_first(all)), address = json_text(member(spec, "clusterIP"));
    if (of->declared->old_object)
        return;
    if (first.length && !slice_equal(first, address) && !variable_or_template_is_in(address) &&
        !variable_or_template_is_in(first))
        combinations_refuse(of, place, ".clusterIPs", "clusterIP must be there with its first address");
    if (yyjson_arr_size(families) == 2 &&
        json_identical(yyjson_arr_get_first(families), yyjson_arr_get_last(families)))
        combinations_refuse(of, place, ".ipFamilies", "it may not have a family twice");
    if (yyjson_arr_size(families) > 1 && is_text(member(spec, "ipFamilyPolicy"), "SingleStack"))
        combinations_refuse(
            of, place, ".ipFamilyPolicy",
            "it must be PreferDualStack or RequireDualStack for two ipFamilies");
}

static void check_health_port(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    bool has_checks =
        has_type(spec, "LoadBalancer") && is_text(member(spec, "externalTrafficPolicy"), "Local");
    yyjson_val *old = member(of->declared->old_object, "spec");
    if (yyjson_get_uint(member(spec, "healthCheckNodePort")) && !has_checks &&
        !yyjson_get_uint(member(old, "healthCheckNodePort")))
        combinations_refuse(
            of, place, ".healthCheckNodePort",
            "it may be there only where type is LoadBalancer and externalTrafficPolicy is Local");
}

static void check_ports(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    bool is_headless = is_text(member(spec, "clusterIP"), "None");
    if (!is_headless && !of->declared->is_partial && is_nothing(member(spec, "ports")))
        combinations_refuse(of, place, ".ports", "it is required");
}

void combinations_check_service_type(
    const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    const struct path ports = field_of(place, "ports");
    if (has_type(spec, "ExternalName")) {
        check_external_name(of, spec, place);
        return;
    }
    check_ports(of, spec, place);
    if (of->declared->is_partial || combination_is_marked(json_text(member(spec, "type"))))
        return;
    check_session(of, spec, place);
    check_addresses(of, spec, place);
    if (has_type(spec, "ClusterIP") && !had_other_type(of, "ClusterIP", false)) {
        combinations_each_item(of, member(spec, "ports"), &ports, refuse_node_port);
        if (json_text(member(spec, "externalTrafficPolicy")).length &&
            is_nothing(member(spec, "externalIPs")))
            combinations_refuse(
                of, place, ".externalTrafficPolicy",
                "it may be there only where type is NodePort or LoadBalancer");
    }
    if (!has_type(spec, "LoadBalancer") && !had_other_type(of, "LoadBalancer", true))
        refuse_balancer_fields(of, spec, place);
    check_health_port(of, spec, place);
}
