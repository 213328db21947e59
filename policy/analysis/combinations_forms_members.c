/*
 * Members that an object needs, or may not have, together.
 */
#include "policy/analysis/combinations_forms.h"

#include "base/json.h"
#include "base/json_each.h"
#include "manifest/variable.h"

#define MEMBERS(name, takes_object, words)                                                                   \
    const struct combination_form form_##name = {.takes = takes_object, .sentence = words}

/* Whether the member is set, and neither an empty text nor an empty list. */
static bool has(yyjson_val *object, const char *name)
{
    yyjson_val *value = json_member(object, slice_of(name));
    bool may_be_empty = !yyjson_is_str(value) && !yyjson_is_arr(value);
    return value && !yyjson_is_null(value) && (may_be_empty || unsafe_yyjson_get_len(value));
}

static bool is_one(yyjson_val *object, const char *name, const char *first, const char *second)
{
    struct slice text = json_text(json_member(object, slice_of(name)));
    return slice_equal(text, slice_of(first)) || slice_equal(text, slice_of(second));
}

/* The values, unless something replaces them. */
static bool takes_requirement(yyjson_val *requirement, const struct combination_form *form)
{
    yyjson_val *values = json_member(requirement, SLICE("values"));
    (void)form;
    if (values && !yyjson_is_null(values) && !yyjson_is_arr(values))
        return true;
    if (is_one(requirement, "operator", "In", "NotIn"))
        return yyjson_arr_size(values);
    if (is_one(requirement, "operator", "Gt", "Lt"))
        return yyjson_arr_size(values) == 1;
    return !is_one(requirement, "operator", "Exists", "DoesNotExist") || !yyjson_arr_size(values);
}

MEMBERS(
    requirement, takes_requirement,
    "values are there with In and NotIn, and may not be there with Exists and DoesNotExist");
MEMBERS(
    node_requirement, takes_requirement,
    "In and NotIn need values, Gt and Lt need one, and Exists and DoesNotExist may have none");

static bool takes_labels(yyjson_val *labels, const struct combination_form *form)
{
    json_each_key(key, labels) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        if (combination_form_problem(&form_filled_key, key) ||
            combination_form_problem(&form_label_value, value))
            return false;
    }
    (void)form;
    return true;
}

/* A profile of seccomp or AppArmor. */
static bool takes_profile(yyjson_val *profile, const struct combination_form *form)
{
    struct slice type = json_text(json_member(profile, SLICE("type")));
    yyjson_val *file = json_member(profile, SLICE("localhostProfile"));
    (void)form;
    return !yyjson_is_obj(profile) || !type.length || variable_or_template_is_in(type) ||
        slice_equal(type, SLICE("Localhost")) == (file && !yyjson_is_null(file));
}

static bool takes_mount(yyjson_val *mount, const struct combination_form *form)
{
    (void)form;
    return !has(mount, "subPath") || !has(mount, "subPathExpr");
}

static bool takes_spread(yyjson_val *spread, const struct combination_form *form)
{
    (void)form;
    return (!has(spread, "minDomains") ||
            !is_one(spread, "whenUnsatisfiable", "ScheduleAnyway", "ScheduleAnyway")) &&
        (!has(spread, "matchLabelKeys") || has(spread, "labelSelector"));
}

static bool takes_downward_item(yyjson_val *item, const struct combination_form *form)
{
    (void)form;
    return has(item, "fieldRef") != has(item, "resourceFieldRef");
}

/* The API server asks for the order, so that a code is there once. */
static bool takes_exit_codes(yyjson_val *codes, const struct combination_form *form)
{
    yyjson_val *values = json_member(codes, SLICE("values"));
    bool is_in = is_one(codes, "operator", "In", "In");
    int64_t previous = INT64_MIN;
    (void)form;
    if (!yyjson_arr_size(values))
        return true;
    json_each_item(value, values) {
        int64_t code = yyjson_get_sint(value);
        if (yyjson_is_int(value) && ((is_in && !code) || code <= previous))
            return false;
        previous = code;
    }
    return true;
}

static bool takes_success_rule(yyjson_val *rule, const struct combination_form *form)
{
    (void)form;
    return has(rule, "succeededIndexes") || has(rule, "succeededCount");
}

static bool takes_parameters(yyjson_val *parameters, const struct combination_form *form)
{
    bool is_namespaced = is_one(parameters, "scope", "Namespace", "Namespace");
    (void)form;
    return is_one(parameters, "scope", "Namespace", "Cluster") || !has(parameters, "scope")
        ? is_namespaced == has(parameters, "namespace")
        : true;
}

static bool takes_subset(yyjson_val *subset, const struct combination_form *form)
{
    (void)form;
    return has(subset, "addresses") || has(subset, "notReadyAddresses");
}

MEMBERS(labels, takes_labels, "its keys and values must have the form of labels");
MEMBERS(profile, takes_profile, "localhostProfile is there with type: Localhost, and only with it");
MEMBERS(mount, takes_mount, "it may have subPath or subPathExpr, not both");
MEMBERS(spread, takes_spread, "minDomains needs DoNotSchedule, and matchLabelKeys need a labelSelector");
MEMBERS(downward_item, takes_downward_item, "it needs either a fieldRef or a resourceFieldRef");
MEMBERS(exit_codes, takes_exit_codes, "values must be in ascending order, each once, and not 0 with In");
MEMBERS(success_rule, takes_success_rule, "it needs succeededIndexes or succeededCount");
MEMBERS(parameters, takes_parameters, "a namespace is there with scope: Namespace, and only with it");
MEMBERS(subset, takes_subset, "it needs addresses or notReadyAddresses");
