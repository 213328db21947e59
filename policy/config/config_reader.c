#include "policy/config/config_reader.h"

/* More keys than any map of the policy file has. */
#define KEYS_MAX 16

/* "is a list" says what was found where something else belongs. */
static const char *kind_found(const struct yaml_node *node)
{
    static const char *const names[] = {
        [YAML_KIND_TEXT] = "a single value", [YAML_KIND_LIST] = "a list", [YAML_KIND_MAP] = "a map"};
    return node->null ? "empty" : names[node->kind];
}

static int expect_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum yaml_kind kind, const char *example)
{
    if (node->kind == kind && !node->null)
        return 0;
    static const char *const wanted[] = {
        [YAML_KIND_TEXT] = "a single value", [YAML_KIND_LIST] = "a list", [YAML_KIND_MAP] = "a map"};
    return config_refuse(
        reader, path, node, "must be %s, such as %s, but is %s", wanted[kind], example, kind_found(node));
}

int config_expect_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example)
{
    return expect_kind(reader, path, node, YAML_KIND_MAP, example);
}

int config_expect_list(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example)
{
    return expect_kind(reader, path, node, YAML_KIND_LIST, example);
}

int config_expect_text(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example)
{
    return expect_kind(reader, path, node, YAML_KIND_TEXT, example);
}

static int refuse_unknown_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    const struct config_keys *keys)
{
    const char *names[KEYS_MAX];
    for (size_t i = 0; i < keys->count && i < KEYS_MAX; i++)
        names[i] = keys->keys[i].name;
    return config_refuse_key(reader, path, key, names, keys->count < KEYS_MAX ? keys->count : KEYS_MAX);
}

static const struct config_key *find_key(const struct config_keys *keys, struct slice name)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (slice_equal(name, slice_of(keys->keys[i].name)))
            return &keys->keys[i];
    }
    return NULL;
}

static int check_required(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct config_keys *keys)
{
    const char *missing[KEYS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < keys->count && count < KEYS_MAX; i++) {
        const struct config_key *key = &keys->keys[i];
        if (key->required && !yaml_member(node, slice_of(key->name)))
            missing[count++] = key->name;
    }
    return count ? config_refuse_missing(reader, path, node, missing, count) : 0;
}

static int read_member(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    const struct config_keys *keys, void *target)
{
    const struct config_key *key = find_key(keys, entry->key->text);
    if (!key)
        return refuse_unknown_key(reader, path, entry->key, keys);
    struct config_path inner = {.parent = path, .key = key->name};
    return key->read(reader, &inner, entry->value, (char *)target + key->offset);
}

int config_read_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct config_keys *keys, void *target)
{
    if (expect_kind(reader, path, node, YAML_KIND_MAP, keys->example) < 0)
        return -1;
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        if (read_member(reader, path, entry, keys, target) < 0)
            result = -1;
    }
    return check_required(reader, path, node, keys) < 0 ? -1 : result;
}

int config_read_entries(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read_entry *read, void *target)
{
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        if (read(reader, path, entry, target) < 0)
            result = -1;
    }
    return result;
}

void *config_read_list(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, size_t size, size_t *count)
{
    *count = 0; /* a duplicate key may have filled it */
    if (expect_kind(reader, path, node, YAML_KIND_LIST, "[first, second] or []") < 0)
        return NULL;
    char *items = arena_allocate_array(reader->arena, node->count, size);
    if (!items) {
        config_out_of_memory(reader);
        return NULL;
    }
    bool failed = false;
    struct config_path item = {.parent = path, .index = 0};
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next, item.index++) {
        if (read(reader, &item, entry->value, items + item.index * size) < 0)
            failed = true;
    }
    if (failed)
        return NULL;
    *count = node->count;
    return items;
}

int config_read_text(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct slice *text = target;
    if (config_expect_text(reader, path, node, "\"text\"") < 0)
        return -1;
    *text = node->text;
    return 0;
}

int config_read_constant(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *constant)
{
    if (config_expect_text(reader, path, node, constant) < 0)
        return -1;
    if (slice_equal(node->text, slice_of(constant)))
        return 0;
    return config_refuse_word(reader, path, node, &constant, 1);
}

int config_read_api_version(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    return config_read_constant(reader, path, node, CONFIG_API_VERSION);
}

int config_read_action(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "warn") < 0)
        return -1;
    if (action_parse(node->text, target))
        return 0;
    /* Helm turns a bare off in its values into false. */
    if (slice_equal(node->text, SLICE("false")))
        return config_refuse(reader, path, node, "must be an action, not \"false\"; write \"off\" in quotes");
    const char *names[ACTION_COUNT];
    for (int i = 0; i < ACTION_COUNT; i++)
        names[i] = action_name((enum action)i);
    return config_refuse_word(reader, path, node, names, ACTION_COUNT);
}

int config_read_mode(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "warn") < 0)
        return -1;
    if (mode_parse(node->text, target))
        return 0;
    const char *names[MODE_COUNT];
    for (int i = 0; i < MODE_COUNT; i++)
        names[i] = mode_name((enum mode)i);
    return config_refuse_word(reader, path, node, names, MODE_COUNT);
}
