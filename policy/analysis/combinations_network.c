#include "policy/analysis/combinations_parts.h"

#include "base/ip.h"
#include "base/json_each.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_forms.h"

/*
 * Ingresses
 */

static void check_backend(const struct combinations *of, yyjson_val *backend, const struct path *place)
{
    yyjson_val *service = member(backend, "service"), *port = member(service, "port");
    yyjson_val *number = member(port, "number");
    bool has_number = yyjson_get_num(number) != 0 || yyjson_is_str(number),
         has_name = json_text(member(port, "name")).length;
    if (!backend)
        return;
    if (!service && !member(backend, "resource") && !of->declared->is_partial)
        combinations_refuse(of, place, "", "it needs a service or a resource");
    else if (service && member(backend, "resource"))
        combinations_refuse(of, place, "", "it may have a service or a resource, not both");
    else if (has_number && has_name)
        combinations_refuse(of, place, ".service.port", "it may have a name or a number, not both");
    else if (service && !has_number && !has_name && !of->declared->is_partial)
        combinations_refuse(of, place, ".service.port", "it needs a name or a number");
}

static void check_http_path(const struct combinations *of, yyjson_val *path, const struct path *place)
{
    const struct path backend = field_of(place, "backend");
    check_backend(of, member(path, "backend"), &backend);
}

static void check_ingress_rule(const struct combinations *of, yyjson_val *rule, const struct path *place)
{
    const struct path http = field_of(place, "http"), paths = field_of(&http, "paths");
    combinations_each_item(of, member(member(rule, "http"), "paths"), &paths, check_http_path);
}

/* The annotation is older. A new Ingress may have both only if they say the same. */
static void check_class(const struct combinations *of, yyjson_val *spec)
{
    const struct path place = field_of(NULL, "spec");
    struct slice class = json_text(member(spec, "ingressClassName"));
    struct slice annotation = json_text(json_member(
        json_metadata(of->declared->object, SLICE("annotations")), SLICE("kubernetes.io/ingress.class")));
    if (class.length && annotation.length && !slice_equal(class, annotation) && !of->declared->old_object &&
        !variable_or_template_is_in(class) && !variable_or_template_is_in(annotation))
        combinations_refuse(
            of, &place, ".ingressClassName", "the annotation kubernetes.io/ingress.class has another class");
}

void combinations_check_ingress(const struct combinations *of)
{
    yyjson_val *spec = member(of->declared->object, "spec");
    check_class(of, spec);
    const struct path place = field_of(NULL, "spec"), rules = field_of(&place, "rules"),
                      backend = field_of(&place, "defaultBackend");
    if (spec && !member(spec, "defaultBackend") && is_nothing(member(spec, "rules")) &&
        !of->declared->is_partial)
        combinations_refuse(of, &place, "", "it needs rules or a defaultBackend");
    check_backend(of, member(spec, "defaultBackend"), &backend);
    combinations_each_item(of, member(spec, "rules"), &rules, check_ingress_rule);
}

/*
 * Network policies
 */

/* A range of addresses, and the bits of its prefix. */
struct range {
    struct ip ip;
    unsigned bits;
};

/* Whether IPv4 addresses that are written as IPv6 count as either depends on the version. */
static bool read_range(yyjson_val *text, struct range *range)
{
    return ip_range_parse(json_text(text), &range->ip, &range->bits) && !ip_is_mapped(&range->ip);
}

static void check_exceptions(const struct combinations *of, yyjson_val *block, const struct path *parent)
{
    const struct path place = field_of(parent, "except");
    yyjson_val *exceptions = member(block, "except");
    struct range all, part;
    if (!read_range(member(block, "cidr"), &all))
        return;
    json_each_item(item, exceptions) {
        struct indexed_item indexed;
        combinations_index(&indexed, &place, json_position(item));
        if (read_range(item, &part) && (part.bits <= all.bits || !ip_has_prefix(&part.ip, &all.ip, all.bits)))
            combinations_refuse(of, &indexed.path, "", "it must be a part of cidr, and not all of it");
    }
}

static void check_peer(const struct combinations *of, yyjson_val *peer, const struct path *place)
{
    bool selects = member(peer, "podSelector") || member(peer, "namespaceSelector");
    if (member(peer, "ipBlock") && selects)
        combinations_refuse(of, place, ".ipBlock", "it may not be there together with a selector");
    else if (!yyjson_obj_size(peer))
        combinations_refuse(of, place, "", "it needs an ipBlock, a podSelector or a namespaceSelector");
    const struct path block = field_of(place, "ipBlock");
    check_exceptions(of, member(peer, "ipBlock"), &block);
}

static void check_port_range(const struct combinations *of, yyjson_val *port, const struct path *place)
{
    yyjson_val *first = member(port, "port"), *last = member(port, "endPort");
    if (!last || of->declared->is_partial)
        return;
    if (!first || (yyjson_is_str(first) && !variable_or_template_is_in(json_text(first))))
        combinations_refuse(of, place, ".endPort", "it needs a port that is a number beside it");
    else if (yyjson_is_int(first) && yyjson_is_int(last) && yyjson_get_sint(last) < yyjson_get_sint(first))
        combinations_refuse(of, place, ".endPort", "it is below port");
}

static void check_traffic(const struct combinations *of, yyjson_val *rule, const struct path *place)
{
    const struct path from = field_of(place, "from"), to = field_of(place, "to"),
                      ports = field_of(place, "ports");
    combinations_each_item(of, member(rule, "ports"), &ports, check_port_range);
    combinations_each_item(of, member(rule, "from"), &from, check_peer);
    combinations_each_item(of, member(rule, "to"), &to, check_peer);
}

void combinations_check_network_policy(const struct combinations *of)
{
    const struct path place = field_of(NULL, "spec"), ingress = field_of(&place, "ingress"),
                      egress = field_of(&place, "egress");
    combinations_each_item(
        of, member(member(of->declared->object, "spec"), "ingress"), &ingress, check_traffic);
    combinations_each_item(
        of, member(member(of->declared->object, "spec"), "egress"), &egress, check_traffic);
}

/*
 * Endpoints
 */

/* Addresses of the family that the slice is of. */
static void check_addresses(
    const struct combinations *of, yyjson_val *addresses, const struct path *place, size_t wanted)
{
    json_each_item(item, addresses) {
        struct indexed_item indexed;
        struct ip ip;
        struct slice text = json_text(item);
        bool is_right = ip_parse(text, &ip) && (ip.length == wanted || ip_is_mapped(&ip));
        combinations_index(&indexed, place, json_position(item));
        if (yyjson_is_str(item) && !is_right && !combination_is_placeholder(text))
            combinations_refuse(of, &indexed.path, "", "it is not an IP address of addressType");
    }
}

static void check_endpoint(const struct combinations *of, yyjson_val *endpoint, const struct path *parent)
{
    yyjson_val *type = member(of->declared->object, "addressType");
    const struct path place = field_of(parent, "addresses");
    bool is_v6 = is_text(type, "IPv6");
    if (is_v6 || is_text(type, "IPv4"))
        check_addresses(of, member(endpoint, "addresses"), &place, is_v6 ? IP_V6_BYTES : IP_V4_BYTES);
}

void combinations_check_endpoints(const struct combinations *of)
{
    const struct path list = field_of(NULL, "endpoints");
    combinations_each_item(of, member(of->declared->object, "endpoints"), &list, check_endpoint);
}
