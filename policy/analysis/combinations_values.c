#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/quantity.h"
#include "manifest/variable.h"

/*
 * Amounts
 */

static void check_amount(const struct combinations *of, yyjson_val *value, const struct path *path)
{
    struct slice text = json_text(value);
    bool is_negative = yyjson_is_num(value) ? yyjson_get_num(value) < 0 : slice_starts_with(text, SLICE("-"));
    if (yyjson_is_str(value) && !quantity_is_valid(text) && !variable_or_template_is_in(text))
        combinations_refuse(of, path, "", "it must be an amount, such as 500m, 2 or 1Gi");
    else if (is_negative)
        combinations_refuse(of, path, "", "it may not be negative");
}

static void check_amounts_of(
    const struct combinations *of, yyjson_val *resources, const char *name, const struct path *parent)
{
    const struct path place = field_of(parent, name);
    yyjson_val *amounts = member(resources, name);
    yyjson_obj_iter members;
    if (!yyjson_is_obj(amounts) || !yyjson_obj_iter_init(amounts, &members))
        return;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        const struct path path = path_member(&place, json_text(key));
        check_amount(of, yyjson_obj_iter_get_val(key), &path);
    }
}

void combinations_check_resources(
    const struct combinations *of, yyjson_val *holder, const struct path *parent)
{
    const struct path place = field_of(parent, "resources");
    check_amounts_of(of, member(holder, "resources"), "requests", &place);
    check_amounts_of(of, member(holder, "resources"), "limits", &place);
}

static void check_container(const struct combinations *of, yyjson_val *container, const struct path *place)
{
    combinations_check_resources(of, container, place);
}

/* Sidecars, which restart, may have probes; other init containers end before a probe could matter. */
static void check_init_container(
    const struct combinations *of, yyjson_val *container, const struct path *place)
{
    static const char *const names[] = {"livenessProbe", "readinessProbe", "startupProbe", "lifecycle"};
    combinations_check_resources(of, container, place);
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = field_of(place, names[i]);
        if (member(container, names[i]) && !member(container, "restartPolicy") && !of->declared->is_partial)
            combinations_refuse(of, &path, "", "an init container needs restartPolicy: Always to have it");
    }
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
    combinations_check_resources(of, pod, place);
    if (member(pod, "activeDeadlineSeconds") &&
        slice_is_one_of(of->declared->group_kind, endless, ARRAY_SIZE(endless)))
        combinations_refuse(
            of, place, ".activeDeadlineSeconds",
            "the pods of this kind run without an end; only Jobs and Pods may have it");
}
