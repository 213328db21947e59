#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "manifest/variable.h"

/*
 * The sources of metrics (kubernetes, pkg/apis/autoscaling/validation). One or both of the values of the
 * target are there.
 */
static const struct source {
    const char *type;
    const char *member;
    const char *values[2];
    bool may_have_both;
    const char *sentence; /* about other values */
} sources[] = {
    {"Resource",
     "resource",
     {"averageUtilization", "averageValue"},
     false,
     "it needs either averageUtilization or averageValue"},
    {"ContainerResource",
     "containerResource",
     {"averageUtilization", "averageValue"},
     false,
     "it needs either averageUtilization or averageValue"},
    {"Pods", "pods", {"averageValue", "averageValue"}, true, "it needs averageValue"},
    {"External", "external", {"value", "averageValue"}, false, "it needs either value or averageValue"},
    {"Object", "object", {"value", "averageValue"}, true, "it needs value or averageValue"},
};

static const struct source *find_source(struct slice type)
{
    for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
        if (slice_equal(type, slice_of(sources[i].type)))
            return &sources[i];
    return NULL;
}

static void check_target(
    const struct combinations *of, yyjson_val *metric, const struct path *parent, const struct source *source)
{
    const struct path place = field_of(parent, source->member);
    yyjson_val *target = member(member(metric, source->member), "target");
    bool has_first = member(target, source->values[0]), has_second = member(target, source->values[1]);
    if (target && ((!has_first && !has_second) || (has_first && has_second && !source->may_have_both)))
        combinations_refuse(of, &place, ".target", source->sentence);
}

static void check_metric(const struct combinations *of, yyjson_val *metric, const struct path *place)
{
    struct slice type = json_text(member(metric, "type"));
    const struct source *source = find_source(type);
    size_t count = 0;
    if (!type.length || variable_or_template_is_in(type))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(sources); i++)
        count += member(metric, sources[i].member) != NULL;
    if (!source)
        combinations_refuse(
            of, place, ".type", "it must be Resource, ContainerResource, Pods, Object or External");
    else if (count != 1 || !member(metric, source->member))
        combinations_refuse(of, place, "", "it needs the source that its type names, and no other");
    else
        check_target(of, metric, place, source);
}

/* Only metrics that do not come from pods can scale up from 0. */
static bool can_scale_from_zero(yyjson_val *metrics)
{
    json_each_item(item, metrics)
        if (member(item, "object") || member(item, "external"))
            return true;
    return false;
}

void combinations_check_autoscaler(const struct combinations *of, yyjson_val *spec, const struct path *place)
{
    yyjson_val *least = member(spec, "minReplicas"), *most = member(spec, "maxReplicas");
    const struct path metrics = field_of(place, "metrics");
    if (yyjson_is_int(least) && yyjson_is_int(most) && yyjson_get_sint(least) > yyjson_get_sint(most))
        combinations_refuse(of, place, ".maxReplicas", "it is below minReplicas");
    if (of->declared->is_partial || !slice_equal(of->declared->version, SLICE("v2")))
        return;
    combinations_each_item(of, member(spec, "metrics"), &metrics, check_metric);
    if (yyjson_is_uint(least) && !yyjson_get_uint(least) && !can_scale_from_zero(member(spec, "metrics")))
        combinations_refuse(of, place, ".minReplicas", "0 needs a metric of type Object or External");
}
