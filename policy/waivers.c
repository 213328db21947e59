#include "policy/waivers.h"

#include "policy/json.h"
#include "policy/wishes.h"

struct slice waiver_take_name(struct slice *rest)
{
    struct slice name = {rest->bytes, slice_find(*rest, ',')};
    *rest = slice_from(*rest, name.length + (name.length < rest->length));
    return slice_trim(name);
}

static bool names_rule(yyjson_val *annotations, enum rule_id rule)
{
    struct slice rest = json_text(json_member(annotations, SLICE(WAIVE_ANNOTATION)));
    while (rest.length) {
        if (slice_equal(waiver_take_name(&rest), slice_of(rules[rule].name)))
            return true;
    }
    return false;
}

bool waiver_stands(const struct review *review)
{
    return !review->old_object || review->ownership.taker.class == CLASS_APPLIER;
}

bool waiver_names_rule(const struct review *review, enum rule_id rule)
{
    return names_rule(review->parts.metadata.annotations, rule) &&
        (waiver_stands(review) || names_rule(review->old_parts.metadata.annotations, rule));
}

struct slice waiver_for(
    const struct policy *policy, const struct review *review, const struct finding *finding)
{
    if (policy->waivable[finding->rule] && waiver_names_rule(review, finding->rule))
        return SLICE(WAIVE_ANNOTATION);
    return wish_for(policy, review, finding);
}
