#include "policy/verdict/waivers.h"

#include "base/json.h"
#include "policy/verdict/tool_annotations.h"

struct slice waiver_take_name(struct slice *rest)
{
    struct slice name = {rest->bytes, slice_find(*rest, ',')};
    *rest = slice_from(*rest, name.length + (name.length < rest->length));
    return slice_trim(name);
}

/* What the annotation names, of the old object and of the object. */
struct waived_rules {
    bool before[RULE_COUNT];
    bool after[RULE_COUNT];
};

static void read_names(yyjson_val *annotations, bool named[RULE_COUNT])
{
    struct slice rest = json_text(json_member(annotations, SLICE(WAIVE_ANNOTATION)));
    while (rest.length) {
        enum rule_id rule;
        if (rule_find(waiver_take_name(&rest), &rule))
            named[rule] = true;
    }
}

/* The first call reads the annotations. NULL if there is no memory. */
static const struct waived_rules *waived_rules(const struct review *review)
{
    if (review->cache->waived_rules)
        return review->cache->waived_rules;
    struct waived_rules *waived = arena_allocate_array(review->arena, 1, sizeof(*waived));
    if (!waived)
        return NULL;
    read_names(review->parts.metadata.annotations, waived->after);
    if (!waiver_stands(review))
        read_names(review->old_parts.metadata.annotations, waived->before);
    review->cache->waived_rules = waived;
    return waived;
}

bool waiver_stands(const struct review *review)
{
    return !review->old_object || review->ownership.taker.class == CLASS_APPLIER;
}

/* Whether the annotation applyguard.io/waive waives the rule for this request. */
static bool waiver_names_rule(const struct review *review, enum rule_id rule)
{
    const struct waived_rules *waived = waived_rules(review);
    return waived && waived->after[rule] && (waiver_stands(review) || waived->before[rule]);
}

struct slice waiver_for(
    const struct policy *policy, const struct review *review, const struct finding *finding)
{
    if (policy->waivable[finding->rule] && waiver_names_rule(review, finding->rule))
        return SLICE(WAIVE_ANNOTATION);
    return tool_annotation_for(policy, review, finding);
}
