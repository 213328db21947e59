#include "base/array_size.h"
#include "policy/config/config_reader.h"

static int read_operation(const struct config_value *value, void *target)
{
    static const char *const known[] = {"CREATE", "UPDATE"};
    if (config_read_text(value, target) < 0)
        return -1;
    if (slice_equal(value->node->text, SLICE("CREATE")) || slice_equal(value->node->text, SLICE("UPDATE")))
        return 0;
    if (slice_equal(value->node->text, SLICE("*")))
        return config_refuse(value, "must be CREATE or UPDATE, not \"*\"; leave operations out for both");
    if (slice_equal(value->node->text, SLICE("DELETE")) || slice_equal(value->node->text, SLICE("CONNECT")))
        return config_refuse(
            value, "must be CREATE or UPDATE, not \"%s\": no rule judges that operation",
            config_excerpt(value));
    return config_refuse_word(value, known, 2);
}

#define MATCH_LIST(name_, member, read_)                                                                     \
    {                                                                                                        \
        .name = name_, .read_each = read_, .offset = offsetof(struct override_match, member)                 \
    }

static const struct config_key match_keys[] = {
    MATCH_LIST("namespaces", namespaces, config_read_namespace),
    MATCH_LIST("kinds", kinds, config_read_kind),
    MATCH_LIST("names", names, config_read_object_name),
    {.name = "labels", .read = config_read_labels, .offset = offsetof(struct override_match, labels)},
    MATCH_LIST("users", users, config_read_user),
    MATCH_LIST("groups", groups, config_read_group),
    MATCH_LIST("serviceAccounts", service_accounts, config_read_service_account),
    MATCH_LIST("managers", managers, config_read_manager_name),
    MATCH_LIST("operations", operations, read_operation),
};

bool config_matches_all(const struct override_match *match)
{
    return !match->namespaces.count && !match->kinds.count && !match->names.count && !match->labels.count &&
        !match->users.count && !match->groups.count && !match->service_accounts.count &&
        !match->managers.count && !match->operations.count;
}

static void check_match(const struct config_value *value, const struct override_match *match)
{
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        static const char *const places[] = {"namespaces", "kinds", "names", "labels"};
        if (entry->value->kind == YAML_KIND_TEXT || entry->value->count)
            continue;
        struct slice key = entry->key->text;
        bool says_where = slice_is_one_of(key, places, ARRAY_SIZE(places));
        const struct config_value list = config_at(value, entry->value);
        config_report_empty(
            &list, says_where || config_matches_all(match) ? POLICY_NO_EFFECT : POLICY_NOTE, key);
    }
}

/* Whether the pattern, up to its first * or ?, may begin as the users do that service accounts are. */
static bool may_be_service_account(struct slice pattern)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    size_t star = slice_find(pattern, '*'), mark = slice_find(pattern, '?');
    size_t end = star < mark ? star : mark;
    return slice_starts_with(pattern, prefix) ||
        (end < pattern.length && slice_starts_with(prefix, slice_until(pattern, end)));
}

/* With both present, the intended one is unclear, as in bindings of managers. */
static void check_users(const struct config_value *value, const struct override_match *match)
{
    const struct config_value at = config_at(value, yaml_member(value->node, SLICE("users")));
    bool may_match = !match->users.count || !match->service_accounts.count;
    for (size_t i = 0; i < match->users.count && !may_match; i++)
        may_match = may_be_service_account(match->users.items[i]);
    if (!may_match)
        config_report(
            &at, POLICY_NO_EFFECT,
            "never matches: all its lists must match, and no service account is one of these users; write an "
            "override for each");
}

static int read_match(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = match_keys,
        .count = ARRAY_SIZE(match_keys),
        .example = "{namespaces: [\"dev-*\"]} or {} for all",
    };
    struct override *override = target;
    if (config_read_map(value, &keys, &override->match) < 0)
        return -1;
    check_match(value, &override->match);
    check_users(value, &override->match);
    return 0;
}

static int read_mode(const struct config_value *value, void *target)
{
    struct override *override = target;
    override->has_mode = true;
    return config_read_mode(value, &override->mode);
}

/* Settings are the same for all requests, so that one look at `rules` shows them. */
static int refuse_setting(const struct config_value *rule, const struct yaml_node *key, enum rule_id id)
{
    const struct rule_definition *definition = rule->reader->policy->definitions[id];
    const struct config_value at = config_at(rule, key);
    for (size_t i = 0; i < definition->setting_count; i++) {
        const char *name = definition->settings[i].name;
        if (slice_equal(key->text, slice_of(name)))
            return config_refuse(
                &at, "takes only an action: an override cannot change \"%s\"; set it in rules.%s", name,
                rules[id].name);
    }
    static const char *const known[] = {"action"};
    return config_refuse_key(rule, key, known, 1);
}

static int read_rule(const struct config_value *value, enum rule_id id, struct override *override)
{
    static const char *const action = "action";
    if (config_expect_map(value, "{action: warn}") < 0)
        return -1;
    int result = 0;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        const struct config_value inner = config_member(value, action, entry->value);
        bool is_action = slice_equal(entry->key->text, slice_of(action));
        if ((is_action ? config_read_action(&inner, &override->actions[id])
                       : refuse_setting(value, entry->key, id)) < 0)
            result = -1;
    }
    override->has_action[id] = yaml_member(value->node, slice_of(action)) != NULL;
    if (result == 0 && !override->has_action[id])
        return config_refuse_missing(value, &action, 1);
    return result;
}

static int read_rule_entry(const struct config_value *map, const struct yaml_entry *entry, void *target)
{
    enum rule_id id;
    if (config_find_rule(map, entry->key, &id) < 0)
        return -1;
    const struct config_value inner = config_member(map, rules[id].name, entry->value);
    return read_rule(&inner, id, target);
}

static int read_rules(const struct config_value *value, void *target)
{
    if (config_expect_map(value, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    return config_read_entries(value, read_rule_entry, target);
}

static int read_expires(const struct config_value *value, void *target)
{
    struct override *override = target;
    return config_read_expires(value, &override->expires, &override->expires_at);
}

static const struct config_key override_keys[] = {
    {.name = "match", .read = read_match, .required = true},
    {.name = "mode", .read = read_mode},
    {.name = "rules", .read = read_rules},
    {.name = "reason", .read = config_read_text, .offset = offsetof(struct override, reason)},
    {.name = "expires", .read = read_expires},
};

static bool changes_something(const struct override *override)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        if (override->has_action[i])
            return true;
    }
    return override->has_mode;
}

static int read_override(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = override_keys,
        .count = ARRAY_SIZE(override_keys),
        .example = "{match: {namespaces: [\"dev-*\"]}, mode: audit}",
    };
    struct override *override = target;
    override->expires_at = INT64_MAX;
    if (config_read_map(value, &keys, override) < 0)
        return -1;
    if (!changes_something(override))
        return config_refuse(value, "changes nothing; give it a mode, or rules with actions");
    return 0;
}

int config_read_overrides(const struct config_value *value, void *target)
{
    struct policy *policy = target;
    policy->overrides =
        config_read_list(value, read_override, sizeof(struct override), &policy->override_count);
    return policy->overrides ? 0 : -1;
}
