#include "policy/analysis/combinations.h"

#include "base/array_size.h"
#include "base/dns.h"
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

static void check_sources(
    const struct combinations *of, yyjson_val *source, const struct path *place, const char *name)
{
    static const char *const names[] = {
        "fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"};
    if (count_members(source, names, ARRAY_SIZE(names)) > 1)
        combinations_refuse(of, place, name, "it may have one source, not several");
    else if (yyjson_is_obj(source) && !yyjson_obj_size(source) && !of->declared->is_partial)
        combinations_refuse(of, place, name, "it has no source, such as secretKeyRef");
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
        if (json_text(member(item, "value")).length && member(item, "valueFrom"))
            combinations_refuse(
                of, &place.path, ".valueFrom", "it may not be there beside a value; keep one of them");
        check_sources(of, member(item, "valueFrom"), &place.path, ".valueFrom");
    }
}

static void check_env_source(const struct combinations *of, yyjson_val *source, const struct path *place)
{
    if (member(source, "configMapRef") && member(source, "secretRef"))
        combinations_refuse(
            of, place, ".secretRef", "it may not be there together with configMapRef; use two items");
    else if (!member(source, "configMapRef") && !member(source, "secretRef") && !of->declared->is_partial)
        combinations_refuse(of, place, "", "it needs a configMapRef or a secretRef");
}

static void check_security(const struct combinations *of, yyjson_val *container, const struct path *place)
{
    yyjson_val *context = member(container, "securityContext");
    yyjson_val *capabilities = member(member(context, "capabilities"), "add");
    if (combinations_has_text(capabilities, SLICE("CAP_SYS_ADMIN")) &&
        yyjson_is_false(member(context, "allowPrivilegeEscalation")))
        combinations_refuse(
            of, place, ".securityContext.allowPrivilegeEscalation",
            "it may not be false where CAP_SYS_ADMIN is added");
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
        const struct path env_from = field_of(&place.path, "envFrom");
        combinations_each_item(of, member(item, "envFrom"), &env_from, check_env_source);
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

static void check_projection(const struct combinations *of, yyjson_val *source, const struct path *place)
{
    static const char *const names[] = {
        "secret", "configMap", "downwardAPI", "serviceAccountToken", "clusterTrustBundle", "podCertificate"};
    if (count_members(source, names, ARRAY_SIZE(names)) > 1)
        combinations_refuse(of, place, "", "it may have one source, not several; use two items");
}

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
        const struct path projected = field_of(&place.path, "projected"),
                          sources = field_of(&projected, "sources");
        combinations_each_item(of, member(member(item, "projected"), "sources"), &sources, check_projection);
    }
}

static void check_pod(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    check_containers(of, pod, "initContainers", place);
    check_containers(of, pod, "containers", place);
    check_volumes(of, pod, place);
    combinations_check_pod(of, pod, place);
    combinations_check_values(of, pod, place);
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

/* The defaults are 0 for maxSurge, and 1 for maxUnavailable. */
static void check_daemon_strategy(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *strategy = member(spec, "updateStrategy"), *rolling = member(strategy, "rollingUpdate");
    yyjson_val *surge = member(rolling, "maxSurge"), *unavailable = member(rolling, "maxUnavailable");
    bool has_surge = surge && !is_zero(surge);
    if (!rolling || of->declared->is_partial || is_text(member(strategy, "type"), "OnDelete"))
        return;
    if (has_surge && !is_zero(unavailable))
        combinations_refuse(
            of, place, ".updateStrategy.rollingUpdate.maxSurge", "it needs maxUnavailable: 0 beside it");
    else if (!has_surge && is_zero(unavailable))
        combinations_refuse(
            of, place, ".updateStrategy.rollingUpdate.maxUnavailable",
            "it may not be 0 where maxSurge is 0, the default");
}

static void refuse_labels(const struct combinations *of, const struct path *place)
{
    combinations_refuse(
        of, place, ".template.metadata.labels", "the selector asks for labels that are not there");
}

static bool has_labels(yyjson_val *labels, yyjson_val *wanted)
{
    yyjson_obj_iter members;
    if (!yyjson_is_obj(wanted) || !yyjson_obj_iter_init(wanted, &members))
        return true;
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        yyjson_val *label = json_member(labels, json_text(key));
        if (yyjson_is_str(value) && !(yyjson_is_str(label) && json_identical(label, value)))
            return false;
    }
    return true;
}

static bool meets_expression(yyjson_val *labels, yyjson_val *expression)
{
    yyjson_val *operator= member(expression, "operator"), *values = member(expression, "values");
    yyjson_val *label = json_member(labels, json_text(member(expression, "key")));
    bool is_value = yyjson_is_str(label) && combinations_has_text(values, json_text(label));
    if (is_text(operator, "In"))
        return is_value;
    if (is_text(operator, "NotIn"))
        return !is_value;
    if (is_text(operator, "Exists"))
        return label;
    return !is_text(operator, "DoesNotExist") || !label;
}

static bool meets_expressions(yyjson_val *labels, yyjson_val *expressions)
{
    yyjson_arr_iter items;
    if (!yyjson_is_arr(expressions) || !yyjson_arr_iter_init(expressions, &items))
        return true;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        if (!meets_expression(labels, item))
            return false;
    return true;
}

static bool is_judging_labels(const struct combinations *of)
{
    return !of->declared->is_partial && !of->declared->kustomize_adds_labels;
}

static void check_selector(
    const struct combinations *of, yyjson_val *spec, yyjson_val *labels, const struct path *place)
{
    yyjson_val *selector = member(spec, "selector");
    yyjson_val *wanted = member(selector, "matchLabels"), *expressions = member(selector, "matchExpressions");
    if (!is_judging_labels(of) || !yyjson_is_obj(selector))
        return;
    if (is_nothing(wanted) && is_nothing(expressions))
        combinations_refuse(of, place, ".selector", "it may not be empty");
    else if (!has_labels(labels, wanted) || !meets_expressions(labels, expressions))
        refuse_labels(of, place);
}

static void check_restart_policy(
    const struct combinations *of, yyjson_val *pod, bool is_job, const struct path *place)
{
    yyjson_val *policy = member(pod, "restartPolicy");
    bool is_default = pod && !policy && !of->declared->is_partial;
    if (is_job && (is_default || is_text(policy, "Always")))
        combinations_refuse(of, place, ".restartPolicy", "the pods of a Job need OnFailure or Never");
    else if (!is_job && (is_text(policy, "Never") || is_text(policy, "OnFailure")))
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

static yyjson_val *template_labels(yyjson_val *spec)
{
    return member(member(member(spec, "template"), "metadata"), "labels");
}

static void check_controller(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *labels = template_labels(spec), *selector = member(spec, "selector");
    if (is_judging_labels(of) && !has_labels(labels, selector))
        refuse_labels(of, place);
    check_template(of, spec, false, place);
}

#define PROGRESS_DEADLINE_DEFAULT 600

/* An integer that is set, and the default otherwise. */
static int64_t integer_or(yyjson_val *value, int64_t default_value)
{
    return yyjson_is_int(value) ? yyjson_get_sint(value) : default_value;
}

static void check_progress_deadline(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *deadline = member(spec, "progressDeadlineSeconds"), *ready = member(spec, "minReadySeconds");
    if (of->declared->is_partial && !(deadline && ready))
        return;
    if (integer_or(deadline, PROGRESS_DEADLINE_DEFAULT) <= integer_or(ready, 0))
        combinations_refuse(
            of, place, ".progressDeadlineSeconds", "it must be above minReadySeconds; the default is 600");
}

static void check_workload(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    if (slice_equal(of->declared->group_kind, SLICE("Deployment.apps"))) {
        check_strategy(of, spec, place);
        check_progress_deadline(of, spec, place);
    }
    if (slice_equal(of->declared->group_kind, SLICE("StatefulSet.apps")))
        check_update_strategy(of, spec, place);
    if (slice_equal(of->declared->group_kind, SLICE("DaemonSet.apps")))
        check_daemon_strategy(of, spec, place);
    check_selector(of, spec, template_labels(spec), place);
    check_template(of, spec, false, place);
}

/* The API server makes the selector, unless manualSelector is true. */
static void check_job_selector(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *selector = member(spec, "selector");
    if (yyjson_is_true(member(spec, "manualSelector"))) {
        check_selector(of, spec, template_labels(spec), place);
        if (!selector && !of->declared->is_partial)
            combinations_refuse(of, place, ".selector", "manualSelector: true needs it");
    } else if (selector && !of->declared->old_object && !of->declared->is_partial)
        combinations_refuse(of, place, ".selector", "it may be there only where manualSelector is true");
}

/* The name is the value of a label of the pods, unless their labels are declared by hand. */
static void check_job_name(const struct combinations *of, yyjson_val *spec)
{
    const struct path metadata = field_of(NULL, "metadata");
    struct slice name = json_text(json_metadata(of->declared->object, SLICE("name")));
    if (name.length > DNS_LABEL_BYTES_MAX && !yyjson_is_true(member(spec, "manualSelector")) &&
        !of->declared->is_partial && !slice_contains(name, '$') && !slice_contains(name, '{'))
        combinations_refuse(of, &metadata, ".name", "that of a Job has at most 63 characters");
}

/* An item says by exit codes, or by conditions of pods, when it applies. */
static void check_failure_rule(const struct combinations *of, yyjson_val *rule, const struct path *place)
{
    bool has_codes = member(rule, "onExitCodes"),
         has_conditions = !is_nothing(member(rule, "onPodConditions"));
    if (has_codes == has_conditions && !of->declared->is_partial)
        combinations_refuse(of, place, "", "it needs onExitCodes or onPodConditions, and not both");
}

static void check_failure_policy(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    const struct path policy = field_of(place, "podFailurePolicy"), rules = field_of(&policy, "rules");
    yyjson_val *declared = member(spec, "podFailurePolicy");
    combinations_each_item(of, member(declared, "rules"), &rules, check_failure_rule);
    if (declared && is_text(member(member(member(spec, "template"), "spec"), "restartPolicy"), "OnFailure"))
        combinations_refuse(
            of, place, ".template.spec.restartPolicy", "it must be Never where podFailurePolicy is set");
}

/* Fields that only a Job with indexes may have. */
static void check_indexes(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    static const char *const names[] = {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"};
    bool is_indexed = is_text(member(spec, "completionMode"), "Indexed");
    if (of->declared->is_partial)
        return;
    if (is_indexed && member(spec, "parallelism") && !member(spec, "completions"))
        combinations_refuse(of, place, ".completions", "completionMode: Indexed needs it");
    for (size_t i = 0; i < ARRAY_SIZE(names) && !is_indexed; i++) {
        const struct path path = field_of(place, names[i]);
        if (member(spec, names[i]))
            combinations_refuse(of, &path, "", "it needs completionMode: Indexed");
    }
}

static void check_job_spec(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_indexes(of, spec, place);
    check_failure_policy(of, spec, place);
    check_template(of, spec, true, place);
}

static void check_job(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_job_name(of, spec);
    check_job_selector(of, spec, place);
    check_job_spec(of, spec, place);
}

static void check_cron_job(const struct combinations *of, yyjson_val *spec, const struct path *parent)
{
    const struct path job = field_of(parent, "jobTemplate"), place = field_of(&job, "spec");
    yyjson_val *job_spec = member(member(spec, "jobTemplate"), "spec");
    if (member(job_spec, "selector") && !of->declared->is_partial)
        combinations_refuse(of, &place, ".selector", "the Jobs of a CronJob may not have it");
    check_job_spec(of, job_spec, &place);
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
    combinations_check_service_type(of, spec, place);
    yyjson_arr_iter items;
    if (of->declared->is_partial || yyjson_arr_size(ports) < 2 || !yyjson_arr_iter_init(ports, &items))
        return;
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        if (yyjson_is_obj(item) && !json_text(member(item, "name")).length) {
            combinations_refuse(of, place, ".ports", "of several ports each needs a name");
            return;
        }
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
    struct slice group_kind;
    void (*check)(const struct combinations *of, yyjson_val *spec, const struct path *place);
} kinds[] = {
    {SLICE_LITERAL("Pod"), check_bare_pod},
    {SLICE_LITERAL("Deployment.apps"), check_workload},
    {SLICE_LITERAL("ReplicaSet.apps"), check_workload},
    {SLICE_LITERAL("StatefulSet.apps"), check_workload},
    {SLICE_LITERAL("DaemonSet.apps"), check_workload},
    {SLICE_LITERAL("ReplicationController"), check_controller},
    {SLICE_LITERAL("Job.batch"), check_job},
    {SLICE_LITERAL("CronJob.batch"), check_cron_job},
    {SLICE_LITERAL("Service"), check_service},
    {SLICE_LITERAL("HorizontalPodAutoscaler.autoscaling"), combinations_check_autoscaler},
    {SLICE_LITERAL("PodDisruptionBudget.policy"), check_disruption_budget},
};

void combinations_find(
    const struct declared_spec *declared, struct arena *arena, combination_visit *visit, void *context)
{
    const struct combinations of = {declared, arena, visit, context};
    const struct path place = field_of(NULL, "spec");
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (declared->spec && slice_equal(declared->group_kind, kinds[i].group_kind))
            kinds[i].check(&of, declared->spec, &place);
    combinations_check_metadata(&of);
    combinations_check_required(&of);
    combinations_check_object(&of);
}
