#include "policy/config_reader.h"

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
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *key,
    const struct rule_definition *definition)
{
    const char *names[RULE_KEYS_MAX] = {"action"};
    size_t count = 1;
    for (size_t i = 0; i < definition->setting_count && count < RULE_KEYS_MAX; i++)
        names[count++] = definition->settings[i].name;
    return config_refuse_key(reader, place, key, names, count);
}

static int read_rule_key(
    struct config_reader *reader, const struct config_place *place, const struct yaml_entry *entry,
    enum rule_id id, void *settings)
{
    static const struct slice action = {"action", sizeof("action") - 1};
    const struct rule_definition *definition = rules[id].definition;
    struct config_place inner = {.parent = place};
    if (slice_equal(entry->key->text, action)) {
        inner.key = "action";
        return config_read_action(reader, &inner, entry->value, &reader->policy->actions[id]);
    }
    const struct setting *setting = find_setting(definition, entry->key->text);
    if (!setting)
        return refuse_unknown_key(reader, place, entry->key, definition);
    inner.key = setting->name;
    return config_read_setting(reader, &inner, entry->value, setting, settings);
}

/* The defaults, for what the file gives to be written over. */
static void *copy_settings(struct config_reader *reader, enum rule_id id)
{
    size_t size = rules[id].definition->settings_size;
    void *settings = arena_allocate_array(reader->policy->arena, 1, size);
    if (settings && size)
        memcpy(settings, reader->policy->settings[id], size);
    return settings;
}

static int read_rule(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    enum rule_id id)
{
    const struct rule_definition *definition = rules[id].definition;
    if (config_expect_map(reader, place, node, "{action: warn}") < 0)
        return -1;
    void *settings = copy_settings(reader, id);
    if (!settings)
        return config_out_of_memory(reader);
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        if (read_rule_key(reader, place, entry, id, settings) < 0)
            return -1;
    }
    const char *problem = definition->check ? definition->check(settings) : NULL;
    if (problem)
        return config_refuse(reader, place, node, "cannot be used: %s", problem);
    if (definition->settings_size)
        reader->policy->settings[id] = settings;
    return 0;
}

int config_read_rules(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    (void)target;
    if (config_expect_map(reader, place, node, "{ownership-conflict: {action: warn}}") < 0)
        return -1;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        enum rule_id id;
        if (config_find_rule(reader, place, entry->key, &id) < 0)
            return -1;
        struct config_place inner = {.parent = place, .key = rules[id].name};
        if (read_rule(reader, &inner, entry->value, id) < 0)
            return -1;
    }
    return 0;
}
