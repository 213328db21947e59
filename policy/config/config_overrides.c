#include "base/array_size.h"
#include "policy/config/config_reader.h"

static int read_operation(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const char *const known[] = {"CREATE", "UPDATE"};
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    if (slice_equal(node->text, SLICE("CREATE")) || slice_equal(node->text, SLICE("UPDATE")))
        return 0;
    if (slice_equal(node->text, SLICE("*")))
        return config_refuse(
            reader, path, node, "must be CREATE or UPDATE, not \"*\"; leave operations out for both");
    if (slice_equal(node->text, SLICE("DELETE")) || slice_equal(node->text, SLICE("CONNECT")))
        return config_refuse(
            reader, path, node, "must be CREATE or UPDATE, not \"%s\": no rule judges that operation",
            yaml_excerpt(reader->arena, node->text));
    return config_refuse_word(reader, path, node, known, 2);
}

static int read_operations(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_operation, target);
}

#define MATCH_KEY(name_, member, read_)                                                                      \
    {                                                                                                        \
        .name = name_, .read = read_, .offset = offsetof(struct override_match, member)                      \
    }

static const struct config_key match_keys[] = {
    MATCH_KEY("namespaces", namespaces, config_read_namespaces),
    MATCH_KEY("kinds", kinds, config_read_kinds),
    MATCH_KEY("names", names, config_read_object_names),
    MATCH_KEY("labels", labels, config_read_labels),
    MATCH_KEY("users", users, config_read_users),
    MATCH_KEY("groups", groups, config_read_groups),
    MATCH_KEY("serviceAccounts", service_accounts, config_read_service_accounts),
    MATCH_KEY("managers", managers, config_read_manager_names),
    MATCH_KEY("operations", operations, read_operations),
};

bool config_matches_all(const struct override_match *match)
{
    return !match->namespaces.count && !match->kinds.count && !match->names.count && !match->labels.count &&
        !match->users.count && !match->groups.count && !match->service_accounts.count &&
        !match->managers.count && !match->operations.count;
}

static void check_match(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct override_match *match)
{
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        static const char *const places[] = {"namespaces", "kinds", "names", "labels"};
        if (entry->value->kind == YAML_KIND_TEXT || entry->value->count)
            continue;
        struct slice key = entry->key->text;
        bool says_where = slice_is_one_of(key, places, ARRAY_SIZE(places));
        config_report_empty(
            reader, says_where || config_matches_all(match) ? POLICY_NO_EFFECT : POLICY_NOTE, path,
            entry->value, key);
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
static void check_users(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct override_match *match)
{
    bool may_match = !match->users.count || !match->service_accounts.count;
    for (size_t i = 0; i < match->users.count && !may_match; i++)
        may_match = may_be_service_account(match->users.items[i]);
    if (!may_match)
        config_report(
            reader, POLICY_NO_EFFECT, path, yaml_member(node, SLICE("users")),
            "never matches: all its lists must match, and no service account is one of these users; write an "
            "override for each");
}

static int read_match(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = match_keys,
        .count = ARRAY_SIZE(match_keys),
        .example = "{namespaces: [\"dev-*\"]} or {} for all",
    };
    struct override *override = target;
    if (config_read_map(reader, path, node, &keys, &override->match) < 0)
        return -1;
    check_match(reader, path, node, &override->match);
    check_users(reader, path, node, &override->match);
    return 0;
}

static int read_mode(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct override *override = target;
    override->has_mode = true;
    return config_read_mode(reader, path, node, &override->mode);
}

/* Settings are the same for all requests, so that one look at `rules` shows them. */
static int refuse_setting(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    enum rule_id id)
{
    const struct rule_definition *definition = reader->policy->definitions[id];
    for (size_t i = 0; i < definition->setting_count; i++) {
        const char *name = definition->settings[i].name;
        if (slice_equal(key->text, slice_of(name)))
            return config_refuse(
                reader, path, key,
                "takes only an action: an override cannot change \"%s\"; set it in rules.%s", name,
                rules[id].name);
    }
    static const char *const known[] = {"action"};
    return config_refuse_key(reader, path, key, known, 1);
}

static int read_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum rule_id id, struct override *override)
{
    static const char *const action = "action";
    if (config_expect_map(reader, path, node, "{action: warn}") < 0)
        return -1;
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        struct config_path inner = {.parent = path, .key = action};
        bool is_action = slice_equal(entry->key->text, slice_of(action));
        if ((is_action ? config_read_action(reader, &inner, entry->value, &override->actions[id])
                       : refuse_setting(reader, path, entry->key, id)) < 0)
            result = -1;
    }
    override->has_action[id] = yaml_member(node, slice_of(action)) != NULL;
    if (result == 0 && !override->has_action[id])
        return config_refuse_missing(reader, path, node, &action, 1);
    return result;
}

static int read_rule_entry(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target)
{
    enum rule_id id;
    if (config_find_rule(reader, path, entry->key, &id) < 0)
        return -1;
    struct config_path inner = {.parent = path, .key = rules[id].name};
    return read_rule(reader, &inner, entry->value, id, target);
}

static int read_rules(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_map(reader, path, node, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    return config_read_entries(reader, path, node, read_rule_entry, target);
}

static int read_reason(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct override *override = target;
    return config_read_text(reader, path, node, &override->reason);
}

static int read_expires(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct override *override = target;
    return config_read_expires(reader, path, node, &override->expires, &override->expires_at);
}

static const struct config_key override_keys[] = {
    {.name = "match", .read = read_match, .required = true},
    {.name = "mode", .read = read_mode},
    {.name = "rules", .read = read_rules},
    {.name = "reason", .read = read_reason},
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

static int read_override(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = override_keys,
        .count = ARRAY_SIZE(override_keys),
        .example = "{match: {namespaces: [\"dev-*\"]}, mode: audit}",
    };
    struct override *override = target;
    override->expires_at = INT64_MAX;
    if (config_read_map(reader, path, node, &keys, override) < 0)
        return -1;
    if (!changes_something(override))
        return config_refuse(reader, path, node, "changes nothing; give it a mode, or rules with actions");
    return 0;
}

int config_read_overrides(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy *policy = target;
    policy->overrides =
        config_read_list(reader, path, node, read_override, sizeof(struct override), &policy->override_count);
    return policy->overrides ? 0 : -1;
}
