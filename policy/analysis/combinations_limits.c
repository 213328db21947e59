#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/each_member.h"
#include "base/quantity.h"

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
    yyjson_val *more = member(limit, order->more), *key, *value;
    size_t index, count;
    if (yyjson_obj_size(more) > RESOURCES_MAX)
        return;
    each_member(member(limit, order->less), index, count, key, value)
    {
        int compared;
        const struct path path = path_member(&place, json_text(key));
        if (quantity_compare(value, json_member(more, json_text(key)), &compared) && compared > 0)
            combinations_refuse(of, &path, "", order->sentence);
    }
}

static void check_limit(const struct combinations *of, yyjson_val *limit, const struct path *place)
{
    bool is_of_pods = is_text(member(limit, "type"), "Pod");
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

void combinations_check_quota(const struct combinations *of)
{
    const struct path spec = field_of(NULL, "spec"), place = field_of(&spec, "hard");
    combinations_check_amounts(of, member(member(of->declared->object, "spec"), "hard"), &place);
}
