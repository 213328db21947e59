#include "policy/config/config_reader.h"

/* More settings than any rule has. */
#define RULE_KEYS_MAX 32

static const struct setting *find_setting(const struct rule_definition *definition, struct slice name)
{
    for (size_t i = 0; i < definition->setting_count; i++) {
        if (slice_equal(name, slice_of(definition->settings[i].name)))
            return &definition->settings[i];
    }
    return NULL;
}

static int refuse_unknown_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    const struct rule_definition *definition)
{
    const char *names[RULE_KEYS_MAX] = {"action"};
    size_t count = 1;
    for (size_t i = 0; i < definition->setting_count && count < RULE_KEYS_MAX; i++)
        names[count++] = definition->settings[i].name;
    return config_refuse_key(reader, path, key, names, count);
}

static int read_rule_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    enum rule_id id, void *settings)
{
    static const struct slice action = SLICE_LITERAL("action");
    const struct rule_definition *definition = reader->policy->definitions[id];
    struct config_path inner = {.parent = path};
    if (slice_equal(entry->key->text, action)) {
        inner.key = "action";
        return config_read_action(reader, &inner, entry->value, &reader->policy->actions[id]);
    }
    const struct setting *setting = find_setting(definition, entry->key->text);
    if (!setting)
        return refuse_unknown_key(reader, path, entry->key, definition);
    inner.key = setting->name;
    return config_read_setting(reader, &inner, entry->value, setting, settings);
}

/* The defaults, for what the file gives to be written over. */
static void *copy_settings(struct config_reader *reader, enum rule_id id)
{
    size_t size = reader->policy->definitions[id]->settings_size;
    void *settings = arena_allocate_array(reader->arena, 1, size);
    if (settings && size)
        memcpy(settings, reader->policy->settings[id], size);
    return settings;
}

static int read_rule_keys(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum rule_id id)
{
    if (config_expect_map(reader, path, node, "{action: warn}") < 0)
        return -1;
    void *settings = copy_settings(reader, id);
    if (!settings)
        return config_out_of_memory(reader);
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        if (read_rule_key(reader, path, entry, id, settings) < 0)
            result = -1;
    }
    if (reader->policy->definitions[id]->settings_size)
        reader->policy->settings[id] = settings;
    return result;
}

static int read_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target)
{
    (void)target;
    enum rule_id id;
    if (config_find_rule(reader, path, entry->key, &id) < 0)
        return -1;
    struct config_path inner = {.parent = path, .key = rules[id].name};
    int result = read_rule_keys(reader, &inner, entry->value, id);
    reader->broken_rules[id] |= result < 0;
    return result;
}

int config_read_rules(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_map(reader, path, node, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    return config_read_entries(reader, path, node, read_rule, target);
}

const struct yaml_node *config_override_that_switches_on(
    const struct policy *policy, const struct yaml_node *root, enum rule_id id)
{
    const struct yaml_node *list = yaml_member(root, SLICE("overrides"));
    const struct yaml_entry *entry = list ? list->entries : NULL;
    for (size_t i = 0; i < policy->override_count && entry; i++, entry = entry->next) {
        const struct override *override = &policy->overrides[i];
        if (override->has_action[id] && override->actions[id] != ACTION_OFF)
            return entry->value;
    }
    return NULL;
}

static void check_rule(struct config_reader *reader, const struct yaml_node *root, enum rule_id id)
{
    const struct policy *policy = reader->policy;
    const struct yaml_node *override = config_override_that_switches_on(policy, root, id);
    const struct yaml_node *all_rules = yaml_member(root, SLICE("rules"));
    const struct yaml_node *node = all_rules ? yaml_member(all_rules, slice_of(rules[id].name)) : NULL;
    const char *problem =
        policy->definitions[id]->check(policy->settings[id], override || policy->actions[id] != ACTION_OFF);
    if (!problem)
        return;
    const struct config_path all = {.key = "rules"};
    const struct config_path path = {.parent = &all, .key = rules[id].name};
    config_refuse(reader, &path, node ? node : override ? override : root, "cannot be used: %s", problem);
}

void config_check_rules(struct config_reader *reader, const struct yaml_node *root)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        if (reader->policy->definitions[i]->check && !reader->broken_rules[i])
            check_rule(reader, root, (enum rule_id)i);
    }
}
