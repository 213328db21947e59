#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "base/quantity.h"
#include "base/split.h"
#include "policy/analysis/combinations_forms.h"

/*
 * The amounts of a LimitRange in their order (kubernetes, pkg/apis/core/validation: ValidateLimitRange).
 */
static const struct order {
    const char *less;
    const char *more;
    const char *sentence; /* about an amount of `less` that is above that of `more` */
} orders[] = {
    {"min", "max", "it is above max"},
    {"min", "defaultRequest", "it is above defaultRequest"},
    {"min", "default", "it is above default"},
    {"defaultRequest", "max", "it is above max"},
    {"defaultRequest", "default", "it is above default"},
    {"default", "max", "it is above max"},
};

/* Each one is looked for among the others. No real limit has nearly as many resources. */
#define RESOURCES_MAX 100

static void check_order(
    const struct combinations *of, yyjson_val *limit, const struct path *parent, const struct order *order)
{
    const struct path place = field_of(parent, order->less);
    yyjson_val *more = member(limit, order->more);
    if (yyjson_obj_size(more) > RESOURCES_MAX)
        return;
    json_each_key(key, member(limit, order->less)) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        int compared;
        const struct path path = path_member(&place, json_text(key));
        if (quantity_compare(value, json_member(more, json_text(key)), &compared) && compared > 0)
            combinations_refuse(of, &path, "", order->sentence);
    }
}

/* Amounts may be negative here. */
static void check_resources(
    const struct combinations *of, yyjson_val *limit, const char *name, const struct path *parent)
{
    const struct path place = field_of(parent, name);
    json_each_key(key, member(limit, name)) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path path = path_member(&place, json_text(key));
        const char *problem = combination_form_problem(&form_quantity, value);
        if (!combination_is_resource(json_text(key)))
            problem = "it is not a resource, such as cpu or memory";
        if (problem)
            combinations_refuse(of, &path, "", problem);
    }
}

static void check_limit(const struct combinations *of, yyjson_val *limit, const struct path *place)
{
    static const char *const names[] = {"min", "max", "default", "defaultRequest"};
    bool is_of_pods = is_text(member(limit, "type"), "Pod");
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        check_resources(of, limit, names[i], place);
    for (size_t i = 0; i < ARRAY_SIZE(orders); i++)
        check_order(of, limit, place, &orders[i]);
    if (is_of_pods && !is_nothing(member(limit, "default")))
        combinations_refuse(of, place, ".default", "it may not be there where type is Pod");
    if (is_of_pods && !is_nothing(member(limit, "defaultRequest")))
        combinations_refuse(of, place, ".defaultRequest", "it may not be there where type is Pod");
}

static struct slice type_of(yyjson_val *limit, struct arena *arena)
{
    (void)arena;
    return json_text(member(limit, "type"));
}

void combinations_check_limit_range(const struct combinations *of)
{
    const struct path spec = field_of(NULL, "spec"), place = field_of(&spec, "limits");
    yyjson_val *limits = member(member(of->declared->object, "spec"), "limits");
    combinations_each_item(of, limits, &place, check_limit);
    combinations_check_unique(
        of, limits, &place, type_of, ".type", "another limit has this type; each needs its own");
}

/*
 * Quotas
 */

static bool is_word(struct slice name, const char *words)
{
    return split_has(slice_of(words), ' ', name);
}

static const char compute[] = "pods cpu memory limits.cpu limits.memory requests.cpu requests.memory";

/* The resources that a scope can count (helper.IsResourceQuotaScopeValidForResource). NULL: unknown. */
static const char *resources_of(struct slice scope)
{
    if (is_word(scope, "BestEffort"))
        return "pods";
    if (is_word(scope, "VolumeAttributesClass"))
        return "persistentvolumeclaims requests.storage";
    return is_word(scope, "Terminating NotTerminating NotBestEffort PriorityClass CrossNamespacePodAffinity")
        ? compute
        : NULL;
}

/* Resources with a domain are not compared. */
static bool applies(struct slice scope, yyjson_val *hard)
{
    const char *counted = resources_of(scope);
    json_each_key(key, hard) {
        struct slice name = json_text(key);
        bool is_known = combination_is_resource(name) && !slice_contains(name, '/') &&
            !slice_starts_with(name, SLICE("hugepages-"));
        if (counted && is_known && !is_word(name, counted))
            return false;
    }
    return true;
}

/* Each scope is compared with each resource. There are seven scopes. */
#define SCOPES_MAX 16

static void check_scopes(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *scopes = member(spec, "scopes");
    const struct path list = field_of(place, "scopes");
    if (!yyjson_arr_size(scopes) || yyjson_arr_size(scopes) > SCOPES_MAX)
        return;
    json_each_item(scope, scopes) {
        struct indexed_item item;
        combinations_index(&item, &list, json_position(scope));
        if (!applies(json_text(scope), member(spec, "hard")))
            combinations_refuse(
                of, &item.path, "", "this scope does not apply to each resource in hard; use another quota");
    }
    if ((combinations_has_text(scopes, SLICE("BestEffort")) &&
         combinations_has_text(scopes, SLICE("NotBestEffort"))) ||
        (combinations_has_text(scopes, SLICE("Terminating")) &&
         combinations_has_text(scopes, SLICE("NotTerminating"))))
        combinations_refuse(of, &list, "", "a scope and its opposite may not both be there");
}

static bool must_be_whole(struct slice name)
{
    static const char words[] =
        "pods resourcequotas services replicationcontrollers secrets configmaps persistentvolumeclaims "
        "services.nodeports services.loadbalancers";
    return is_word(name, words) || slice_starts_with(name, SLICE("count/"));
}

static void check_hard(const struct combinations *of, yyjson_val *hard, const struct path *place)
{
    combinations_check_amounts(of, hard, place);
    json_each_key(key, hard) {
        yyjson_val *value = yyjson_obj_iter_get_val(key);
        const struct path path = path_member(place, json_text(key));
        struct slice name = json_text(key);
        if (!combination_is_resource(name) || is_word(name, "storage"))
            combinations_refuse(
                of, &path, "", "it is not a resource of quotas, such as requests.cpu or pods");
        else if (must_be_whole(name) && combinations_is_fraction(value))
            combinations_refuse(of, &path, "", "it must be a whole number");
    }
}

void combinations_check_quota(const struct combinations *of)
{
    const struct path place = field_of(NULL, "spec"), hard = field_of(&place, "hard");
    yyjson_val *spec = member(of->declared->object, "spec");
    check_hard(of, member(spec, "hard"), &hard);
    check_scopes(of, spec, &place);
}
