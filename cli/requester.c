#include "cli/requester.h"

#include "cli/framework/message.h"

/* An override that matches users or groups cannot match if these are unknown. */
static bool needs_more(const struct override_match *match, const struct requester *requester)
{
    return (!requester->user && (match->users.count || match->service_accounts.count)) ||
        (!requester->groups.count && match->groups.count);
}

void warn_unmatchable_overrides(
    const struct requester *requester, const struct policy *policy, const char *command)
{
    size_t count = 0;
    for (size_t i = 0; i < policy->override_count; i++)
        count += needs_more(&policy->overrides[i].match, requester);
    if (count)
        message_say(
            "applyguard %s: %zu override%s of the policy match%s users or groups and %s not applied; say who "
            "applies with --user and --group",
            command, count, count == 1 ? "" : "s", count == 1 ? "es" : "", count == 1 ? "is" : "are");
}
