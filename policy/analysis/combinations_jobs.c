/*
 * Jobs and CronJobs (kubernetes, pkg/apis/batch/validation).
 */
#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/dns.h"
#include "base/json_each.h"
#include "manifest/variable.h"

/* The API server makes the selector, unless manualSelector is true. */
static void check_job_selector(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *selector = member(spec, "selector");
    bool has_terms =
        !is_nothing(member(selector, "matchLabels")) || !is_nothing(member(selector, "matchExpressions"));
    if (yyjson_is_true(member(spec, "manualSelector"))) {
        combinations_check_selector(of, spec, place);
        if (!selector && !of->declared->is_partial)
            combinations_refuse(of, place, ".selector", "manualSelector: true needs it");
    } else if (has_terms && !of->declared->old_object && !of->declared->is_partial)
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

/* Each container that a rule names is looked for among those of the pod. No real pod has nearly as many. */
#define CONTAINERS_MAX 100

static bool lacks_container(yyjson_val *pod, struct slice name)
{
    yyjson_val *containers = member(pod, "containers"), *init = member(pod, "initContainers");
    return name.length && !variable_or_template_is_in(name) &&
        yyjson_arr_size(containers) + yyjson_arr_size(init) <= CONTAINERS_MAX &&
        !combinations_has_named(containers, name) && !combinations_has_named(init, name);
}

/* An item says by exit codes, or by conditions of pods, when it applies. */
static void check_failure_rule(
    const struct combinations *of, yyjson_val *spec, yyjson_val *rule, const struct path *place)
{
    yyjson_val *codes = member(rule, "onExitCodes");
    bool has_conditions = !is_nothing(member(rule, "onPodConditions"));
    if ((codes != NULL) == has_conditions)
        combinations_refuse(of, place, "", "it needs onExitCodes or onPodConditions, and not both");
    if (is_text(member(rule, "action"), "FailIndex") && !member(spec, "backoffLimitPerIndex"))
        combinations_refuse(of, place, ".action", "FailIndex needs backoffLimitPerIndex in the Job");
    if (lacks_container(member(member(spec, "template"), "spec"), json_text(member(codes, "containerName"))))
        combinations_refuse(of, place, ".onExitCodes.containerName", "the pod has no container of this name");
}

static void check_failure_rules(
    const struct combinations *of, yyjson_val *spec, yyjson_val *list, const struct path *place)
{
    if (of->declared->is_partial)
        return;
    json_each_item(item, list) {
        struct indexed_item indexed;
        combinations_index(&indexed, place, json_position(item));
        check_failure_rule(of, spec, item, &indexed.path);
    }
}

static void check_failure_policy(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    const struct path policy = field_of(place, "podFailurePolicy"), rules = field_of(&policy, "rules");
    yyjson_val *declared = member(spec, "podFailurePolicy");
    check_failure_rules(of, spec, member(declared, "rules"), &rules);
    if (declared && is_text(member(member(member(spec, "template"), "spec"), "restartPolicy"), "OnFailure"))
        combinations_refuse(
            of, place, ".template.spec.restartPolicy", "it must be Never where podFailurePolicy is set");
    if (declared && is_text(member(spec, "podReplacementPolicy"), "TerminatingOrFailed"))
        combinations_refuse(
            of, place, ".podReplacementPolicy", "it must be Failed where podFailurePolicy is set");
}

/* Fields that only a Job with indexes may have. A CronJob does not fill in the defaults of its Jobs. */
static void check_indexes(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    static const char *const names[] = {"backoffLimitPerIndex", "maxFailedIndexes", "successPolicy"};
    bool is_indexed = is_text(member(spec, "completionMode"), "Indexed");
    if (of->declared->is_partial)
        return;
    bool has_default = of->declared->spec == spec && !member(spec, "parallelism");
    if (is_indexed && !has_default && !member(spec, "completions"))
        combinations_refuse(of, place, ".completions", "completionMode: Indexed needs it");
    for (size_t i = 0; i < ARRAY_SIZE(names) && !is_indexed; i++) {
        const struct path path = field_of(place, names[i]);
        if (member(spec, names[i]))
            combinations_refuse(of, &path, "", "it needs completionMode: Indexed");
    }
}

/* An integer that is above another one. Other values are not. */
static bool is_above(yyjson_val *value, yyjson_val *limit)
{
    return yyjson_is_uint(value) && yyjson_is_uint(limit) && yyjson_get_uint(value) > yyjson_get_uint(limit);
}

static void check_counts(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *failed = member(spec, "maxFailedIndexes");
    if (failed && !member(spec, "backoffLimitPerIndex") && !of->declared->is_partial)
        combinations_refuse(of, place, ".backoffLimitPerIndex", "maxFailedIndexes needs it");
    if (is_above(failed, member(spec, "completions")))
        combinations_refuse(of, place, ".maxFailedIndexes", "it may not be above completions");
}

static void check_job_spec(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_indexes(of, spec, place);
    check_counts(of, spec, place);
    check_failure_policy(of, spec, place);
    combinations_check_template(of, spec, true, place);
}

void combinations_check_job(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    check_job_name(of, spec);
    check_job_selector(of, spec, place);
    check_job_spec(of, spec, place);
}

void combinations_check_cron_job(const struct combinations *of, yyjson_val *spec, const struct path *parent)
{
    const struct path job = field_of(parent, "jobTemplate"), place = field_of(&job, "spec");
    yyjson_val *job_spec = member(member(spec, "jobTemplate"), "spec");
    if (member(job_spec, "selector") && !of->declared->is_partial)
        combinations_refuse(of, &place, ".selector", "the Jobs of a CronJob may not have it");
    if (yyjson_is_true(member(job_spec, "manualSelector")))
        combinations_refuse(of, &place, ".manualSelector", "it may not be true in a CronJob");
    check_job_spec(of, job_spec, &place);
}
