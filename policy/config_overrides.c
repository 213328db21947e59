#include "policy/config_reader.h"

static int read_operation(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    static const char *const known[] = {"CREATE", "UPDATE"};
    if (config_read_text(reader, place, node, target) < 0)
        return -1;
    if (slice_equal(node->text, SLICE("CREATE")) || slice_equal(node->text, SLICE("UPDATE")))
        return 0;
    return config_refuse_word(reader, place, node, known, 2);
}

static int read_operations(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    struct slice_list *list = target;
    list->items = config_read_list(reader, place, node, read_operation, sizeof(struct slice), &list->count);
    return list->items ? 0 : -1;
}

#define MATCH_KEY(name_, member, read_)                                                                      \
    {                                                                                                        \
        .name = name_, .read = read_, .offset = offsetof(struct override_match, member)                      \
    }

static const struct config_key match_keys[] = {
    MATCH_KEY("namespaces", namespaces, config_read_texts),
    MATCH_KEY("kinds", kinds, config_read_kinds),
    MATCH_KEY("users", users, config_read_texts),
    MATCH_KEY("groups", groups, config_read_texts),
    MATCH_KEY("serviceAccounts", service_accounts, config_read_service_accounts),
    MATCH_KEY("managers", managers, config_read_texts),
    MATCH_KEY("operations", operations, read_operations),
};

static int read_match(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    static const struct config_keys keys = {
        .keys = match_keys,
        .count = sizeof(match_keys) / sizeof(match_keys[0]),
        .example = "{namespaces: [\"dev-*\"]} or {} for all",
    };
    struct override *override = target;
    return config_read_map(reader, place, node, &keys, &override->match);
}

static int read_mode(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    struct override *override = target;
    override->has_mode = true;
    return config_read_mode(reader, place, node, &override->mode);
}

/* Settings are the same for all requests, so that one look at `rules` shows them. */
static int refuse_setting(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *key,
    enum rule_id id)
{
    for (size_t i = 0; i < rules[id].definition->setting_count; i++) {
        const char *name = rules[id].definition->settings[i].name;
        if (slice_equal(key->text, slice_of(name)))
            return config_refuse(
                reader, place, key,
                "takes only an action: an override cannot change \"%s\"; set it in rules.%s", name,
                rules[id].name);
    }
    static const char *const known[] = {"action"};
    return config_refuse_key(reader, place, key, known, 1);
}

static int read_rule(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    enum rule_id id, struct override *override)
{
    if (config_expect_map(reader, place, node, "{action: warn}") < 0)
        return -1;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        if (!slice_equal(entry->key->text, SLICE("action")))
            return refuse_setting(reader, place, entry->key, id);
        struct config_place inner = {.parent = place, .key = "action"};
        if (config_read_action(reader, &inner, entry->value, &override->actions[id]) < 0)
            return -1;
        override->has_action[id] = true;
    }
    if (!override->has_action[id])
        return config_refuse(reader, place, node, "lacks the key \"action\"; add it");
    return 0;
}

static int read_rules(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    if (config_expect_map(reader, place, node, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        enum rule_id id;
        if (config_find_rule(reader, place, entry->key, &id) < 0)
            return -1;
        struct config_place inner = {.parent = place, .key = rules[id].name};
        if (read_rule(reader, &inner, entry->value, id, target) < 0)
            return -1;
    }
    return 0;
}

static int read_reason(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    struct override *override = target;
    return config_read_text(reader, place, node, &override->reason);
}

static int read_expires(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    struct override *override = target;
    if (config_read_text(reader, place, node, &override->expires) < 0)
        return -1;
    if (config_day_end(node->text, &override->expires_at))
        return 0;
    return config_refuse(
        reader, place, node, "must be a day that exists, as YYYY-MM-DD, not \"%s\"",
        yaml_excerpt(reader->policy->arena, node->text));
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
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    static const struct config_keys keys = {
        .keys = override_keys,
        .count = sizeof(override_keys) / sizeof(override_keys[0]),
        .example = "{match: {namespaces: [\"dev-*\"]}, mode: audit}",
    };
    struct override *override = target;
    override->expires_at = INT64_MAX;
    if (config_read_map(reader, place, node, &keys, override) < 0)
        return -1;
    if (!changes_something(override))
        return config_refuse(reader, place, node, "changes nothing; give it a mode, or rules with actions");
    return 0;
}

int config_read_overrides(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    struct policy *policy = target;
    policy->overrides = config_read_list(
        reader, place, node, read_override, sizeof(struct override), &policy->override_count);
    return policy->overrides ? 0 : -1;
}
