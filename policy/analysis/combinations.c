#include "policy/analysis/combinations.h"

#include "base/array_size.h"
#include "policy/analysis/combinations_parts.h"

static const struct slice key_of_items[] = {SLICE_LITERAL("name")};
static const struct slice_list item_names = {key_of_items, ARRAY_SIZE(key_of_items)};

/* Containers, variables and volumes are known by their names; one without, which is refused as well, by its
 * index. */
static void item_of(struct indexed_item *of, const struct path *list, yyjson_val *value, size_t index)
{
    if (!json_text(json_member(value, key_of_items[0])).length) {
        combinations_index(of, list, index);
        return;
    }
    of->path = path_below(list);
    of->path.kind = PATH_KEY;
    of->path.json = value;
    of->path.key_names = &item_names;
}

static bool is_set(yyjson_val *value)
{
    return value && !yyjson_is_null(value);
}

static size_t count_members(yyjson_val *object, const char *const *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += member(object, names[i]) != NULL;
    return found;
}

/*
 * Containers
 */

static const char *const handlers[] = {"exec", "httpGet", "tcpSocket", "grpc", "sleep"};

static void check_handler(
    const struct combinations *of, yyjson_val *holder, const char *name, const struct path *place)
{
    const struct path path = field_of(place, name);
    yyjson_val *handler = member(holder, name);
    if (!yyjson_is_obj(handler))
        return;
    size_t count = count_members(handler, handlers, ARRAY_SIZE(handlers));
    if (count > 1)
        combinations_refuse(of, &path, "", "it may have one handler, such as exec or httpGet, not several");
    else if (count == 0 && !of->declared->is_partial)
        combinations_refuse(of, &path, "", "it has no handler, such as exec or httpGet");
}

static void check_env(const struct combinations *of, yyjson_val *container, const struct path *parent)
{
    const struct path list = field_of(parent, "env");
    yyjson_val *env = member(container, "env");
    yyjson_arr_iter items;
    if (!yyjson_is_arr(env) || !yyjson_arr_iter_init(env, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        struct indexed_item place;
        item_of(&place, &list, item, items.idx - 1);
        if (json_text(member(item, "value")).length && is_set(member(item, "valueFrom")))
            combinations_refuse(
                of, &place.path, ".valueFrom", "it may not be there beside a value; keep one of them");
    }
}

static void check_security(const struct combinations *of, yyjson_val *container, const struct path *place)
{
    yyjson_val *context = member(container, "securityContext");
    if (yyjson_is_true(member(context, "privileged")) &&
        yyjson_is_false(member(context, "allowPrivilegeEscalation")))
        combinations_refuse(
            of, place, ".securityContext.allowPrivilegeEscalation",
            "it may not be false where privileged is true");
}

static void check_containers(
    const struct combinations *of, yyjson_val *pod, const char *name, const struct path *parent)
{
    const struct path list = field_of(parent, name);
    yyjson_val *containers = member(pod, name);
    yyjson_arr_iter items;
    if (!yyjson_is_arr(containers) || !yyjson_arr_iter_init(containers, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        struct indexed_item place;
        item_of(&place, &list, item, items.idx - 1);
        const struct path lifecycle = field_of(&place.path, "lifecycle");
        check_handler(of, item, "livenessProbe", &place.path);
        check_handler(of, item, "readinessProbe", &place.path);
        check_handler(of, item, "startupProbe", &place.path);
        check_handler(of, member(item, "lifecycle"), "postStart", &lifecycle);
        check_handler(of, member(item, "lifecycle"), "preStop", &lifecycle);
        check_env(of, item, &place.path);
        check_security(of, item, &place.path);
    }
}

/*
 * Volumes
 */

static const char *const volume_sources[] = {
    "hostPath",
    "emptyDir",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "persistentVolumeClaim",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "downwardAPI",
    "fc",
    "azureFile",
    "configMap",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "projected",
    "portworxVolume",
    "scaleIO",
    "storageos",
    "csi",
    "ephemeral",
    "image"};

static void check_volumes(const struct combinations *of, yyjson_val *pod, const struct path *parent)
{
    const struct path list = field_of(parent, "volumes");
    yyjson_val *volumes = member(pod, "volumes");
    yyjson_arr_iter items;
    if (!yyjson_is_arr(volumes) || !yyjson_arr_iter_init(volumes, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));) {
        struct indexed_item place;
        item_of(&place, &list, item, items.idx - 1);
        if (count_members(item, volume_sources, ARRAY_SIZE(volume_sources)) > 1)
            combinations_refuse(of, &place.path, "", "a volume may have one source, not several");
    }
}

static void check_pod(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    check_containers(of, pod, "initContainers", place);
    check_containers(of, pod, "containers", place);
    check_volumes(of, pod, place);
    combinations_check_pod(of, pod, place);
}

/*
 * Workloads
 */

/* An integer 0, or a percentage of it. */
static bool is_zero(yyjson_val *value)
{
    return (yyjson_is_int(value) && yyjson_get_sint(value) == 0) || is_text(value, "0%");
}

static void check_strategy(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *strategy = member(spec, "strategy");
    yyjson_val *rolling = member(strategy, "rollingUpdate");
    if (is_text(member(strategy, "type"), "Recreate") && rolling)
        combinations_refuse(
            of, place, ".strategy.rollingUpdate", "it may not be there where strategy.type is Recreate");
    else if (is_zero(member(rolling, "maxSurge")) && is_zero(member(rolling, "maxUnavailable")))
        combinations_refuse(
            of, place, ".strategy.rollingUpdate", "maxSurge and maxUnavailable may not both be 0");
}

static void check_update_strategy(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *strategy = member(spec, "updateStrategy");
    if (is_text(member(strategy, "type"), "OnDelete") && member(strategy, "rollingUpdate"))
        combinations_refuse(
            of, place, ".updateStrategy.rollingUpdate",
            "it may not be there where updateStrategy.type is OnDelete");
}

/* Whatever the expressions ask for: each of the labels is asked for as well. */
static void check_selector(
    const struct combinations *of, yyjson_val *spec, yyjson_val *labels, const struct path *place)
{
    yyjson_val *wanted = member(member(spec, "selector"), "matchLabels");
    yyjson_obj_iter members;
    if (of->declared->is_partial || of->declared->kustomize_adds_labels || !yyjson_is_obj(wanted) ||
        !yyjson_obj_iter_init(wanted, &members))
        return;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        yyjson_val *label = json_member(labels, json_text(key));
        if (!yyjson_is_str(value) || (yyjson_is_str(label) && json_identical(label, value)))
            continue;
        combinations_refuse(
            of, place, ".template.metadata.labels", "the selector asks for labels that are not there");
        return;
    }
}

static void check_restart_policy(
    const struct combinations *of, yyjson_val *pod, bool is_job, const struct path *place)
{
    yyjson_val *policy = member(pod, "restartPolicy");
    bool is_default = pod && !policy && !of->declared->is_partial;
    if (is_job && (is_default || is_text(policy, "Always")))
        combinations_refuse(of, place, ".restartPolicy", "the pods of a Job need OnFailure or Never");
    else if (!is_job && policy && !is_text(policy, "Always"))
        combinations_refuse(of, place, ".restartPolicy", "these pods may have Always only");
}

static void check_template(
    const struct combinations *of, yyjson_val *spec, bool is_job, const struct path *parent)
{
    const struct path template = field_of(parent, "template"), place = field_of(&template, "spec");
    yyjson_val *pod = member(member(spec, "template"), "spec");
    check_restart_policy(of, pod, is_job, &place);
    check_pod(of, pod, &place);
}

static void check_controller(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_template(of, spec, false, place);
}

static void check_workload(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *metadata = member(member(spec, "template"), "metadata");
    if (slice_equal(of->declared->group_kind, SLICE("Deployment.apps")))
        check_strategy(of, spec, place);
    if (slice_equal(of->declared->group_kind, SLICE("StatefulSet.apps")))
        check_update_strategy(of, spec, place);
    check_selector(of, spec, member(metadata, "labels"), place);
    check_controller(of, spec, place);
}

static void check_cron_job(const struct combinations *of, yyjson_val *spec, const struct path *parent)
{
    const struct path job = field_of(parent, "jobTemplate"), place = field_of(&job, "spec");
    check_template(of, member(member(spec, "jobTemplate"), "spec"), true, &place);
}

static void check_job(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_template(of, spec, true, place);
}

/*
 * Others
 */

static void check_service(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *type = member(spec, "type"), *ports = member(spec, "ports");
    bool is_reached_from_outside = is_text(type, "NodePort") || is_text(type, "LoadBalancer");
    if (is_reached_from_outside && is_text(member(spec, "clusterIP"), "None"))
        combinations_refuse(
            of, place, ".clusterIP", "it may not be None where type is NodePort or LoadBalancer");
    combinations_check_ports(of, spec, place);
    yyjson_arr_iter items;
    if (of->declared->is_partial || yyjson_arr_size(ports) < 2 || !yyjson_arr_iter_init(ports, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        if (yyjson_is_obj(item) && !json_text(member(item, "name")).length) {
            combinations_refuse(of, place, ".ports", "of several ports each needs a name");
            return;
        }
}

static void check_autoscaler(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *least = member(spec, "minReplicas"), *most = member(spec, "maxReplicas");
    if (yyjson_is_int(least) && yyjson_is_int(most) && yyjson_get_sint(least) > yyjson_get_sint(most))
        combinations_refuse(of, place, ".maxReplicas", "it is below minReplicas");
}

static void check_disruption_budget(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    if (member(spec, "minAvailable") && member(spec, "maxUnavailable"))
        combinations_refuse(
            of, place, ".maxUnavailable", "it may not be there beside minAvailable; keep one of them");
}

static void check_bare_pod(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_pod(of, spec, place);
}

static const struct {
    const char *group_kind;
    void (*check)(const struct combinations *of, yyjson_val *spec, const struct path *place);
} kinds[] = {
    {"Pod", check_bare_pod},
    {"Deployment.apps", check_workload},
    {"ReplicaSet.apps", check_workload},
    {"StatefulSet.apps", check_workload},
    {"DaemonSet.apps", check_workload},
    {"ReplicationController", check_controller},
    {"Job.batch", check_job},
    {"CronJob.batch", check_cron_job},
    {"Service", check_service},
    {"HorizontalPodAutoscaler.autoscaling", check_autoscaler},
    {"PodDisruptionBudget.policy", check_disruption_budget},
};

void combinations_find(
    const struct declared_spec *declared, struct arena *arena, combination_visit *visit, void *context)
{
    const struct combinations of = {declared, arena, visit, context};
    const struct path place = field_of(NULL, "spec");
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(declared->group_kind, slice_of(kinds[i].group_kind)))
            kinds[i].check(&of, declared->spec, &place);
}
