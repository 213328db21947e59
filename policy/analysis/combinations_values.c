#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "base/quantity.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_forms.h"

/*
 * Amounts
 */

void combinations_check_amounts(const struct combinations *of, yyjson_val *amounts, const struct path *place)
{
    json_each_key(key, amounts) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path path = path_member(place, json_text(key));
        const char *problem = combination_form_problem(&form_amount, value);
        if (problem)
            combinations_refuse(of, &path, "", problem);
    }
}

static void check_resources(const struct combinations *of, yyjson_val *holder, const struct path *parent)
{
    const struct path place = field_of(parent, "resources"), requests = field_of(&place, "requests"),
                      limits = field_of(&place, "limits");
    combinations_check_amounts(of, member(member(holder, "resources"), "requests"), &requests);
    combinations_check_amounts(of, member(member(holder, "resources"), "limits"), &limits);
}

/* The resources of containers that have no domain; others do (IsStandardContainerResourceName). */
static bool is_resource_of_containers(struct slice name)
{
    static const char *const known[] = {"cpu", "memory", "ephemeral-storage"};
    return slice_contains(name, '/') || slice_starts_with(name, SLICE("hugepages-")) ||
        slice_is_one_of(name, known, ARRAY_SIZE(known)) || variable_or_template_is_in(name);
}

#define WHOLE_MAX 1e15

bool combinations_is_fraction(yyjson_val *value)
{
    char canonical[QUANTITY_TEXT_BYTES];
    size_t length = yyjson_is_str(value) ? quantity_canonical(json_text(value), canonical) : 0;
    double number = yyjson_is_real(value) ? yyjson_get_real(value) : 0;
    if (number > 0 && number < WHOLE_MAX)
        return (double)(uint64_t)number < number;
    return length && slice_contains(SLICE("mun"), canonical[length - 1]);
}

static void check_resource_names(
    const struct combinations *of, yyjson_val *container, const char *name, const struct path *parent)
{
    const struct path resources = field_of(parent, "resources"), place = field_of(&resources, name);
    json_each_key(key, member(member(container, "resources"), name)) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path path = path_member(&place, json_text(key));
        if (slice_contains(json_text(key), '/') && combinations_is_fraction(value))
            combinations_refuse(of, &path, "", "an amount of this resource must be a whole number");
        if (!is_resource_of_containers(json_text(key)))
            combinations_refuse(
                of, &path, "", "containers have cpu, memory, ephemeral-storage, hugepages and DOMAIN/NAME");
    }
}

static void check_container(const struct combinations *of, yyjson_val *container, const struct path *place)
{
    check_resources(of, container, place);
    check_resource_names(of, container, "requests", place);
    check_resource_names(of, container, "limits", place);
}

/* Sidecars, which restart, may have probes; other init containers end before a probe could matter. */
static void check_init_container(
    const struct combinations *of, yyjson_val *container, const struct path *place)
{
    static const char *const names[] = {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"};
    check_container(of, container, place);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = field_of(place, names[i]);
        if (member(container, names[i]) && !member(container, "restartPolicy") && !of->declared->is_partial)
            combinations_refuse(of, &path, "", "an init container needs restartPolicy: Always to have it");
    }
}

/*
 * Pods
 */

static void check_port_of_host(const struct combinations *of, yyjson_val *item, const struct path *place)
{
    uint64_t port = yyjson_get_uint(member(item, "hostPort"));
    if (port && port != yyjson_get_uint(member(item, "containerPort")))
        combinations_refuse(of, place, ".hostPort", "it must be containerPort where hostNetwork is true");
}

static void check_ports_of_host(
    const struct combinations *of, yyjson_val *container, const struct path *parent)
{
    const struct path list = field_of(parent, "ports");
    combinations_each_item(of, member(container, "ports"), &list, check_port_of_host);
}

static void check_host(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    const struct path containers = field_of(place, "containers");
    if (yyjson_is_true(member(pod, "hostNetwork")))
        combinations_each_item(of, member(pod, "containers"), &containers, check_ports_of_host);
    if (yyjson_is_true(member(pod, "hostPID")) && yyjson_is_true(member(pod, "shareProcessNamespace")))
        combinations_refuse(of, place, ".shareProcessNamespace", "it may not be true where hostPID is true");
}

#define NAMESERVERS_MAX 3

static void check_dns(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    yyjson_val *servers = member(member(pod, "dnsConfig"), "nameservers");
    if (is_text(member(pod, "dnsPolicy"), "None") && is_nothing(servers) && !of->declared->is_partial)
        combinations_refuse(of, place, ".dnsConfig.nameservers", "dnsPolicy: None needs it");
    else if (yyjson_arr_size(servers) > NAMESERVERS_MAX)
        combinations_refuse(of, place, ".dnsConfig.nameservers", "it may have at most 3");
}

/*
 * Tolerations
 */

static void check_toleration(const struct combinations *of, yyjson_val *toleration, const struct path *place)
{
    yyjson_val *operator= member(toleration, "operator"), *effect = member(toleration, "effect");
    bool is_equal = !operator|| is_text(operator, "Equal");
    if (is_equal && !json_text(member(toleration, "key")).length)
        combinations_refuse(of, place, ".operator", "it must be Exists where there is no key");
    if (is_equal && combination_form_problem(&form_label_value, member(toleration, "value")))
        combinations_refuse(of, place, ".value", form_label_value.sentence);
    if (is_text(operator, "Exists") && json_text(member(toleration, "value")).length)
        combinations_refuse(of, place, ".value", "it may not be there where operator is Exists");
    if (member(toleration, "tolerationSeconds") && !is_text(effect, "NoExecute") &&
        !variable_or_template_is_in(json_text(effect)))
        combinations_refuse(of, place, ".effect", "it must be NoExecute where tolerationSeconds is set");
}

void combinations_check_values(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    static const char *const endless[] = {
        "DaemonSet.apps", "Deployment.apps", "ReplicaSet.apps", "ReplicationController", "StatefulSet.apps"};
    const struct path containers = field_of(place, "containers"), init = field_of(place, "initContainers"),
                      tolerations = field_of(place, "tolerations");
    combinations_each_item(of, member(pod, "containers"), &containers, check_container);
    combinations_each_item(of, member(pod, "initContainers"), &init, check_init_container);
    combinations_each_item(of, member(pod, "tolerations"), &tolerations, check_toleration);
    check_resources(of, pod, place);
    check_host(of, pod, place);
    check_dns(of, pod, place);
    if (member(pod, "activeDeadlineSeconds") &&
        slice_is_one_of(of->declared->group_kind, endless, ARRAY_SIZE(endless)))
        combinations_refuse(
            of, place, ".activeDeadlineSeconds",
            "the pods of this kind run without an end; only Jobs and Pods may have it");
}
