#include "policy/overrides.h"

#include "policy/glob.h"
#include "policy/identity.h"
#include "policy/json.h"

static bool matches_any(const struct slice_list *patterns, struct slice text)
{
    return !patterns->count || glob_match_any(patterns->items, patterns->count, text);
}

bool override_matches(const struct override_match *match, const struct review *review)
{
    return matches_any(&match->namespaces, review->namespace) &&
        matches_any(&match->kinds, review->group_kind) && matches_any(&match->users, review->username) &&
        (!match->groups.count || identity_is_in_group(&match->groups, review)) &&
        (!match->service_accounts.count || identity_is_service_account(&match->service_accounts, review)) &&
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
