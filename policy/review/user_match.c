#include "policy/review/user_match.h"

#include "base/glob.h"
#include "base/json.h"
#include "base/json_each.h"

bool user_matches(const struct slice_list *users, const struct review *review)
{
    return glob_match_any(users->items, users->count, review->username);
}

bool group_matches(const struct slice_list *groups, const struct review *review)
{
    if (!groups->count)
        return false;
    json_each_item(group, review->groups) {
        if (yyjson_is_str(group) && glob_match_any(groups->items, groups->count, json_text(group)))
            return true;
    }
    return false;
}

/* Service accounts are users named system:serviceaccount:NAMESPACE:NAME; policies write NAMESPACE/NAME. */
bool service_account_matches(const struct slice_list *accounts, const struct review *review)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    if (!accounts->count || !slice_starts_with(review->username, prefix))
        return false;
    struct slice account = slice_from(review->username, prefix.length);
    struct slice namespace = {account.bytes, slice_find(account, ':')};
    if (namespace.length == account.length)
        return false;
    struct slice name = slice_from(account, namespace.length + 1);
    for (size_t i = 0; i < accounts->count; i++) {
        struct slice pattern = accounts->items[i];
        struct slice namespaces = {pattern.bytes, slice_find(pattern, '/')};
        if (namespaces.length == pattern.length)
            continue;
        if (glob_match(namespaces, namespace) && glob_match(slice_from(pattern, namespaces.length + 1), name))
            return true;
    }
    return false;
}
