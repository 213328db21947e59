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
    const struct config_value *map, const struct yaml_node *key, const struct rule_definition *definition)
{
    const char *names[RULE_KEYS_MAX] = {"action"};
    size_t count = 1;
    for (size_t i = 0; i < definition->setting_count && count < RULE_KEYS_MAX; i++)
        names[count++] = definition->settings[i].name;
    return config_refuse_key(map, key, names, count);
}

static int read_rule_key(
    const struct config_value *map, const struct yaml_entry *entry, enum rule_id id, void *settings)
{
    static const struct slice action = SLICE_LITERAL("action");
    const struct rule_definition *definition = map->reader->policy->definitions[id];
    struct config_value inner = config_member(map, "action", entry->value);
    if (slice_equal(entry->key->text, action))
        return config_read_action(&inner, &map->reader->policy->actions[id]);
    const struct setting *setting = find_setting(definition, entry->key->text);
    if (!setting)
        return refuse_unknown_key(map, entry->key, definition);
    inner.key = setting->name;
    return config_read_setting(&inner, setting, settings);
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

static int read_rule_keys(const struct config_value *value, enum rule_id id)
{
    if (config_expect_map(value, "{action: warn}") < 0)
        return -1;
    void *settings = copy_settings(value->reader, id);
    if (!settings)
        return config_out_of_memory(value->reader);
    int result = 0;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        if (read_rule_key(value, entry, id, settings) < 0)
            result = -1;
    }
    if (value->reader->policy->definitions[id]->settings_size)
        value->reader->policy->settings[id] = settings;
    return result;
}

static int read_rule(const struct config_value *map, const struct yaml_entry *entry, void *target)
{
    (void)target;
    enum rule_id id;
    if (config_find_rule(map, entry->key, &id) < 0)
        return -1;
    const struct config_value inner = config_member(map, rules[id].name, entry->value);
    int result = read_rule_keys(&inner, id);
    map->reader->broken_rules[id] |= result < 0;
    return result;
}

int config_read_rules(const struct config_value *value, void *target)
{
    if (config_expect_map(value, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    return config_read_entries(value, read_rule, target);
}

const struct yaml_node *config_override_that_switches_on(const struct config_value *file, enum rule_id id)
{
    const struct policy *policy = file->reader->policy;
    const struct yaml_node *list = yaml_member(file->node, SLICE("overrides"));
    const struct yaml_entry *entry = list ? list->entries : NULL;
    for (size_t i = 0; i < policy->override_count && entry; i++, entry = entry->next) {
        const struct override *override = &policy->overrides[i];
        if (override->has_action[id] && override->actions[id] != ACTION_OFF)
            return entry->value;
    }
    return NULL;
}

static void check_rule(const struct config_value *file, enum rule_id id)
{
    const struct policy *policy = file->reader->policy;
    const struct yaml_node *override = config_override_that_switches_on(file, id);
    const struct config_value all = config_find(file, "rules");
    struct config_value own = config_find(&all, rules[id].name);
    const char *problem =
        policy->definitions[id]->check(policy->settings[id], override || policy->actions[id] != ACTION_OFF);
    if (!problem)
        return;
    if (!own.node)
        own.node = override ? override : file->node;
    config_refuse(&own, "cannot be used: %s", problem);
}

void config_check_rules(const struct config_value *file)
{
    const struct config_reader *reader = file->reader;
    for (int i = 0; i < RULE_COUNT; i++) {
        if (reader->policy->definitions[i]->check && !reader->broken_rules[i])
            check_rule(file, (enum rule_id)i);
    }
}

const void *config_setting(const struct policy *policy, enum rule_id rule, enum setting_kind kind)
{
    const struct rule_definition *definition = policy->definitions[rule];
    for (size_t i = 0; i < definition->setting_count; i++)
        if (definition->settings[i].kind == kind)
            return (const char *)policy->settings[rule] + definition->settings[i].offset;
    return NULL;
}
