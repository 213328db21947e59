#include "policy/analysis/kept_values.h"

#include "base/array_size.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"

/*
 * kubernetes, pkg/registry/core/service/storage/alloc.go; plugin/pkg/admission/priority and
 * defaulttolerationseconds; pkg/registry/core/limitrange/strategy.go and pkg/registry/apps/statefulset, whose
 * defaults are filled in late
 */
static const struct {
    const char *kind, *field;
} restored[] = {
    {"HorizontalPodAutoscaler.autoscaling", ".spec.metrics"},
    {"LimitRange", ".spec.limits"},
    {"Service", ".spec.clusterIP"},
    {"Service", ".spec.clusterIPs"},
    {"Service", ".spec.healthCheckNodePort"},
    {"Service", ".spec.ipFamilies"},
    {"Service", ".spec.ipFamilyPolicy"},
    {"Service", ".spec.ports[*].nodePort"},
    {"Service", ".spec.ports[*].targetPort"},
    {"StatefulSet.apps", ".spec.volumeClaimTemplates"},
    {"Pod", ".spec.preemptionPolicy"},
    {"Pod", ".spec.priority"},
    {"Pod", ".spec.tolerations"},
};

bool kept_values_are_restored(const struct review *review, const struct path *path)
{
    for (size_t i = 0; i < ARRAY_SIZE(restored); i++) {
        if (slice_equal(review->group_kind, slice_of(restored[i].kind)) &&
            path_pattern_covers(slice_of(restored[i].field), path, review->arena))
            return true;
    }
    return false;
}

bool kept_values_are_quantities(const struct path *path)
{
    static const char *const maps[] = {"limits", "requests", "hard", "capacity", "podFixed"};
    return path->kind == PATH_FIELD &&
        (slice_equal(path->text, SLICE("sizeLimit")) || slice_equal(path->text, SLICE("capacity")) ||
         (path->parent && slice_is_one_of(path->parent->text, maps, ARRAY_SIZE(maps))));
}

bool kept_values_may_have_other_form(struct kept_values *values, const struct path *path)
{
    yyjson_val *value = NULL;
    unsigned absent_depth = 0;
    return kept_values_are_quantities(path) ||
        (lookup_path(values->object, path, &value, &absent_depth) == LOOKUP_FOUND && yyjson_is_ctn(value));
}

bool kept_values_start(struct kept_values *values, const struct review *review)
{
    *values = (struct kept_values){
        .review = review,
        .old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena),
        .object = lookup_cursor_create(review->lookup, review->object, review->arena),
    };
    return values->old_object && values->object;
}

enum search_answer kept_values_has(struct kept_values *values, const struct path *path)
{
    const struct review *review = values->review;
    yyjson_val *old_value = NULL, *value = NULL;
    unsigned absent_depth = 0;
    if (lookup_path(values->old_object, path, &old_value, &absent_depth) != LOOKUP_FOUND ||
        lookup_path(values->object, path, &value, &absent_depth) != LOOKUP_FOUND ||
        ownership_bare(&review->ownership, path, value, review->lookup) != ANSWER_NO)
        return ANSWER_UNKNOWN;
    return lookup_equal(review->lookup, old_value, value);
}
