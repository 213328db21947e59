#include "policy/overrides.h"

#include "policy/glob.h"
#include "policy/json.h"

static bool matches_any(const struct slice_list *patterns, struct slice text)
{
    for (size_t i = 0; i < patterns->count; i++) {
        if (glob_match(patterns->items[i], text))
            return true;
    }
    return patterns->count == 0;
}

static bool matches_group(const struct slice_list *patterns, yyjson_val *groups)
{
    if (patterns->count == 0)
        return true;
    yyjson_arr_iter iterator;
    if (!yyjson_arr_iter_init(groups, &iterator))
        return false;
    for (yyjson_val *group; (group = yyjson_arr_iter_next(&iterator));) {
        if (yyjson_is_str(group) && matches_any(patterns, json_text(group)))
            return true;
    }
    return false;
}

/* Service accounts are users named system:serviceaccount:NAMESPACE:NAME; policies write NAMESPACE/NAME. */
static bool matches_service_account(const struct slice_list *patterns, struct slice username)
{
    static const struct slice prefix = {"system:serviceaccount:", sizeof("system:serviceaccount:") - 1};
    if (patterns->count == 0)
        return true;
    if (!slice_starts_with(username, prefix))
        return false;
    struct slice account = slice_from(username, prefix.length);
    struct slice namespace = {account.bytes, slice_find(account, ':')};
    if (namespace.length == account.length)
        return false;
    struct slice name = slice_from(account, namespace.length + 1);
    for (size_t i = 0; i < patterns->count; i++) {
        struct slice pattern = patterns->items[i];
        struct slice namespaces = {pattern.bytes, slice_find(pattern, '/')};
        if (namespaces.length == pattern.length)
            continue;
        if (glob_match(namespaces, namespace) && glob_match(slice_from(pattern, namespaces.length + 1), name))
            return true;
    }
    return false;
}

bool override_matches(const struct override_match *match, const struct review *review)
{
    return matches_any(&match->namespaces, review->namespace) &&
        matches_any(&match->kinds, review->group_kind) && matches_any(&match->users, review->username) &&
        matches_group(&match->groups, review->groups) &&
        matches_service_account(&match->service_accounts, review->username) &&
        matches_any(&match->managers, review->ownership.taker.manager.name) &&
        matches_any(&match->operations, slice_of(operation_name(review->operation)));
}

static struct slice trim(struct slice text)
{
    while (text.length && (text.bytes[0] == ' ' || text.bytes[0] == '\t'))
        text = slice_from(text, 1);
    while (text.length && (text.bytes[text.length - 1] == ' ' || text.bytes[text.length - 1] == '\t'))
        text.length--;
    return text;
}

bool waiver_names_rule(const struct review *review, enum rule_id rule)
{
    yyjson_val *annotations =
        json_member(json_member(review->object, SLICE("metadata")), SLICE("annotations"));
    struct slice rest = json_text(json_member(annotations, SLICE("applyguard.io/waive")));
    while (rest.length) {
        size_t length = slice_find(rest, ',');
        if (slice_equal(trim((struct slice){rest.bytes, length}), slice_of(rules[rule].name)))
            return true;
        rest = slice_from(rest, length < rest.length ? length + 1 : length);
    }
    return false;
}
