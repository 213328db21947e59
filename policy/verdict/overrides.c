#include "policy/verdict/overrides.h"

#include "base/glob.h"
#include "base/json.h"
#include "policy/review/user_match.h"

static bool matches_any(const struct slice_list *patterns, struct slice text)
{
    return !patterns->count || glob_match_any(patterns->items, patterns->count, text);
}

bool override_matches(const struct override_match *match, const struct review *review)
{
    return matches_any(&match->namespaces, review->namespace) &&
        matches_any(&match->kinds, review->group_kind) && matches_any(&match->users, review->username) &&
        (!match->groups.count || group_matches(&match->groups, review)) &&
        (!match->service_accounts.count || service_account_matches(&match->service_accounts, review)) &&
        matches_any(&match->managers, review->ownership.taker.manager.name) &&
        matches_any(&match->operations, slice_of(operation_name(review->operation)));
}

bool override_names_writer(const struct override_match *match)
{
    return match->managers.count || match->users.count || match->groups.count ||
        match->service_accounts.count;
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
