#include "policy/verdict/waivers.h"

#include "base/json.h"
#include "base/split.h"
#include "policy/review/ownership.h"
#include "policy/verdict/overrides.h"
#include "policy/verdict/tool_annotations.h"

struct slice waiver_take_name(struct slice *rest)
{
    return slice_trim(split_next(rest, ','));
}

/* The rules that the annotation names in the old object and in the object. */
struct waived_rules {
    bool stands; /* it counts for this request, even if it is new */
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

/* The first call reads the annotations. Returns NULL if memory runs out. */
static const struct waived_rules *waived_rules(const struct review *review)
{
    if (review->cache->waived_rules)
        return review->cache->waived_rules;
    struct waived_rules *waived = arena_allocate_array(review->arena, 1, sizeof(*waived));
    if (!waived)
        return NULL;
    read_names(review->parts.metadata.annotations, waived->after);
    waived->stands = waiver_stands(review);
    if (!waived->stands)
        read_names(review->old_parts.metadata.annotations, waived->before);
    review->cache->waived_rules = waived;
    return waived;
}

bool waiver_stands(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return !review->old_object ||
        (writer->class == CLASS_APPLIER && writer->after &&
         entry_owns_annotation(writer->after, SLICE(WAIVE_ANNOTATION)));
}

void waivers_allowed(
    const struct policy *policy, const struct review *review, int64_t now, bool allowed[RULE_COUNT])
{
    memcpy(allowed, policy->waivable, sizeof(policy->waivable));
    for (size_t i = 0; i < policy->scoped_waiver_count; i++) {
        const struct scoped_waiver *waiver = &policy->scoped_waivers[i];
        if (now >= waiver->expires_at || !scoped_waiver_matches(waiver, review))
            continue;
        for (int rule = 0; rule < RULE_COUNT; rule++)
            allowed[rule] |= waiver->rules[rule];
    }
}

struct slice waiver_expired(
    const struct policy *policy, const struct review *review, int64_t now, enum rule_id rule)
{
    const struct scoped_waiver *last = NULL;
    for (size_t i = 0; i < policy->scoped_waiver_count; i++) {
        const struct scoped_waiver *waiver = &policy->scoped_waivers[i];
        if (waiver->rules[rule] && now >= waiver->expires_at && scoped_waiver_matches(waiver, review) &&
            (!last || waiver->expires_at > last->expires_at))
            last = waiver;
    }
    return last ? last->expires : (struct slice){NULL, 0};
}

/* Whether the annotation applyguard.io/waive waives the rule for this request. */
static bool waiver_names_rule(const struct review *review, enum rule_id rule)
{
    const struct waived_rules *waived = waived_rules(review);
    return waived && waived->after[rule] && (waived->stands || waived->before[rule]);
}

struct slice waiver_for(
    const struct policy *policy, const struct review *review, const bool allowed[RULE_COUNT],
    const struct finding *finding)
{
    if (allowed[finding->rule] && waiver_names_rule(review, finding->rule))
        return SLICE(WAIVE_ANNOTATION);
    return tool_annotation_for(policy, review, finding);
}
