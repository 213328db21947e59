#include "policy/analysis/combinations.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "policy/analysis/combinations_parts.h"

static void check_pod(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    combinations_check_containers(of, pod, place);
    combinations_check_pod(of, pod, place);
    combinations_check_values(of, pod, place);
}

static void refuse_ephemeral(
    const struct combinations *of, yyjson_val *pod, const struct path *place, const char *sentence)
{
    if (!is_nothing(member(pod, "ephemeralContainers")))
        combinations_refuse(of, place, ".ephemeralContainers", sentence);
}

static void check_template_pod(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    refuse_ephemeral(of, pod, place, "a pod template may not have them; kubectl debug adds them to a pod");
    check_pod(of, pod, place);
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

static bool is_judging_labels(const struct combinations *of)
{
    return !of->declared->is_partial && !of->declared->kustomize_adds_labels;
}

static yyjson_val *template_labels(yyjson_val *spec)
{
    return member(member(member(spec, "template"), "metadata"), "labels");
}

void combinations_check_selector(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *selector = member(spec, "selector"), *labels = template_labels(spec);
    yyjson_val *wanted = member(selector, "matchLabels"), *expressions = member(selector, "matchExpressions");
    if (!is_judging_labels(of) || !yyjson_is_obj(selector))
        return;
    if (is_nothing(wanted) && is_nothing(expressions))
        combinations_refuse(of, place, ".selector", "it may not be empty");
    else if (!combinations_labels_match(labels, wanted, expressions))
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

void combinations_check_template(
    const struct combinations *of, yyjson_val *spec, bool is_job, const struct path *parent)
{
    const struct path template = field_of(parent, "template"), place = field_of(&template, "spec");
    yyjson_val *pod = member(member(spec, "template"), "spec");
    check_restart_policy(of, pod, is_job, &place);
    check_template_pod(of, pod, &place);
}

static void check_controller(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *labels = template_labels(spec), *selector = member(spec, "selector");
    if (is_judging_labels(of) && is_nothing(labels) && is_nothing(selector))
        combinations_refuse(of, place, ".selector", "it is required if the pod template has no labels");
    else if (is_judging_labels(of) && !combinations_labels_match(labels, selector, NULL))
        refuse_labels(of, place);
    combinations_check_template(of, spec, false, place);
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
    combinations_check_selector(of, spec, place);
    combinations_check_template(of, spec, false, place);
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
    if (of->declared->is_partial || yyjson_arr_size(ports) < 2)
        return;
    json_each_item(item, ports)
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
    if (!of->declared->old_object)
        refuse_ephemeral(of, spec, place, "a pod is created without them; kubectl debug adds them later");
    check_pod(of, spec, place);
}

/* It has no spec of its own. */
static void check_pod_template(const struct combinations *of)
{
    const struct path template = field_of(NULL, "template"), place = field_of(&template, "spec");
    if (slice_equal(of->declared->group_kind, SLICE("PodTemplate")))
        check_template_pod(of, member(member(of->declared->object, "template"), "spec"), &place);
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
    {SLICE_LITERAL("Job.batch"), combinations_check_job},
    {SLICE_LITERAL("CronJob.batch"), combinations_check_cron_job},
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
    check_pod_template(&of);
    combinations_check_metadata(&of);
    combinations_check_required(&of);
    combinations_check_object(&of);
}
