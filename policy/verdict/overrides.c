#include "policy/verdict/overrides.h"

#include "base/glob.h"
#include "base/json.h"
#include "policy/review/user_match.h"

static bool matches_any(const struct slice_list *patterns, struct slice text)
{
    return !patterns->count || glob_match_any(patterns->items, patterns->count, text);
}

/*
 * Whether the object has all of the labels. On an update, the stored object decides: a request that sets a
 * label gets no milder action by it, and one that removes a label escapes no stricter one.
 */
static bool has_labels(const struct label_matches *labels, const struct review *review)
{
    const struct object_parts *stored = review->old_object ? &review->old_parts : &review->parts;
    for (size_t i = 0; i < labels->count; i++) {
        yyjson_val *value = lookup_member(review->lookup, stored->metadata.labels, labels->items[i].key);
        if (!yyjson_is_str(value) || !glob_match(labels->items[i].value, json_text(value)))
            return false;
    }
    return true;
}

bool override_matches(const struct override_match *match, const struct review *review)
{
    return matches_any(&match->namespaces, review->namespace) &&
        matches_any(&match->kinds, review->group_kind) && matches_any(&match->names, review->name) &&
        has_labels(&match->labels, review) && matches_any(&match->users, review->username) &&
        (!match->groups.count || group_matches(&match->groups, review)) &&
        (!match->service_accounts.count || service_account_matches(&match->service_accounts, review)) &&
        matches_any(&match->managers, review->ownership.writer.manager.name) &&
        matches_any(&match->operations, slice_of(operation_name(review->operation)));
}

bool override_names_writer(const struct override_match *match)
{
    return match->managers.count || match->users.count || match->groups.count ||
        match->service_accounts.count;
}

bool scoped_waiver_matches(const struct scoped_waiver *waiver, const struct review *review)
{
    return matches_any(&waiver->namespaces, review->namespace) &&
        matches_any(&waiver->kinds, review->group_kind) && matches_any(&waiver->names, review->name);
}

const struct scoped_waiver *waivers_expiring(
    const struct policy *policy, int64_t since, int64_t until, size_t *index)
{
    for (; *index < policy->scoped_waiver_count; (*index)++) {
        const struct scoped_waiver *waiver = &policy->scoped_waivers[*index];
        if (waiver->expires_at > since && waiver->expires_at <= until)
            return waiver;
    }
    return NULL;
}

const struct override *overrides_expiring(
    const struct policy *policy, int64_t since, int64_t until, size_t *index)
{
    for (; *index < policy->override_count; (*index)++) {
        const struct override *override = &policy->overrides[*index];
        if (override->expires_at > since && override->expires_at <= until)
            return override;
    }
    return NULL;
}
