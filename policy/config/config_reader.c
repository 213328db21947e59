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

static int expect_kind(const struct config_value *value, enum yaml_kind kind, const char *example)
{
    if (value->node->kind == kind && !value->node->null)
        return 0;
    static const char *const wanted[] = {
        [YAML_KIND_TEXT] = "a single value", [YAML_KIND_LIST] = "a list", [YAML_KIND_MAP] = "a map"};
    return config_refuse(
        value, "must be %s, such as %s, but is %s", wanted[kind], example, kind_found(value->node));
}

int config_expect_map(const struct config_value *value, const char *example)
{
    return expect_kind(value, YAML_KIND_MAP, example);
}

int config_expect_list(const struct config_value *value, const char *example)
{
    return expect_kind(value, YAML_KIND_LIST, example);
}

int config_expect_text(const struct config_value *value, const char *example)
{
    return expect_kind(value, YAML_KIND_TEXT, example);
}

static int refuse_unknown_key(
    const struct config_value *map, const struct yaml_node *key, const struct config_keys *keys)
{
    const char *names[KEYS_MAX];
    for (size_t i = 0; i < keys->count && i < KEYS_MAX; i++)
        names[i] = keys->keys[i].name;
    return config_refuse_key(map, key, names, keys->count < KEYS_MAX ? keys->count : KEYS_MAX);
}

static const struct config_key *find_key(const struct config_keys *keys, struct slice name)
{
    for (size_t i = 0; i < keys->count; i++) {
        if (slice_equal(name, slice_of(keys->keys[i].name)))
            return &keys->keys[i];
    }
    return NULL;
}

static int check_required(const struct config_value *value, const struct config_keys *keys)
{
    const char *missing[KEYS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < keys->count && count < KEYS_MAX; i++) {
        const struct config_key *key = &keys->keys[i];
        if (key->required && !yaml_member(value->node, slice_of(key->name)))
            missing[count++] = key->name;
    }
    return count ? config_refuse_missing(value, missing, count) : 0;
}

static int read_member(
    const struct config_value *map, const struct yaml_entry *entry, const struct config_keys *keys,
    void *target)
{
    const struct config_key *key = find_key(keys, entry->key->text);
    if (!key)
        return refuse_unknown_key(map, entry->key, keys);
    const struct config_value inner = config_member(map, key->name, entry->value);
    void *member = (char *)target + key->offset;
    return key->read ? key->read(&inner, member) : config_read_slices(&inner, key->read_each, member);
}

int config_read_map(const struct config_value *value, const struct config_keys *keys, void *target)
{
    if (expect_kind(value, YAML_KIND_MAP, keys->example) < 0)
        return -1;
    int result = 0;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        if (read_member(value, entry, keys, target) < 0)
            result = -1;
    }
    return check_required(value, keys) < 0 ? -1 : result;
}

int config_read_entries(const struct config_value *value, config_read_entry *read, void *target)
{
    int result = 0;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        if (read(value, entry, target) < 0)
            result = -1;
    }
    return result;
}

int config_read_items(const struct config_value *list, config_read *read, void *items, size_t size)
{
    int result = 0;
    size_t index = 0;
    for (const struct yaml_entry *entry = list->node->entries; entry; entry = entry->next, index++) {
        const struct config_value item = config_item(list, index, entry->value);
        if (read(&item, (char *)items + index * size) < 0)
            result = -1;
    }
    return result;
}

void *config_read_list(const struct config_value *value, config_read *read, size_t size, size_t *count)
{
    *count = 0; /* a duplicate key may have filled it */
    if (config_expect_list(value, "[first, second] or []") < 0)
        return NULL;
    void *items = arena_allocate_array(value->reader->arena, value->node->count, size);
    if (!items)
        config_out_of_memory(value->reader);
    if (!items || config_read_items(value, read, items, size) < 0)
        return NULL;
    *count = value->node->count;
    return items;
}

int config_read_text(const struct config_value *value, void *target)
{
    struct slice *text = target;
    if (config_expect_text(value, "\"text\"") < 0)
        return -1;
    *text = value->node->text;
    return 0;
}

int config_read_constant(const struct config_value *value, const char *constant)
{
    if (config_expect_text(value, constant) < 0)
        return -1;
    if (slice_equal(value->node->text, slice_of(constant)))
        return 0;
    return config_refuse_word(value, &constant, 1);
}

int config_read_api_version(const struct config_value *value, void *target)
{
    (void)target;
    return config_read_constant(value, CONFIG_API_VERSION);
}

int config_read_action(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "warn") < 0)
        return -1;
    if (action_parse(value->node->text, target))
        return 0;
    /* Helm turns a bare off in its values into false. */
    if (slice_equal(value->node->text, SLICE("false")))
        return config_refuse(value, "must be an action, not \"false\"; write \"off\" in quotes");
    const char *names[ACTION_COUNT];
    for (int i = 0; i < ACTION_COUNT; i++)
        names[i] = action_name((enum action)i);
    return config_refuse_word(value, names, ACTION_COUNT);
}

int config_read_mode(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "warn") < 0)
        return -1;
    if (mode_parse(value->node->text, target))
        return 0;
    const char *names[MODE_COUNT];
    for (int i = 0; i < MODE_COUNT; i++)
        names[i] = mode_name((enum mode)i);
    return config_refuse_word(value, names, MODE_COUNT);
}

static void add_yaml_problem(void *context, const struct error *error)
{
    config_add_problem(context, POLICY_BROKEN, error);
}

const struct yaml_node *config_parse(struct config_reader *reader, struct slice text)
{
    struct error error = {0};
    const struct yaml_node *root = NULL;
    if (text.length > POLICY_FILE_BYTES_MAX)
        error_set(
            &error, "%s has %zu bytes; at most %zu are read", reader->file, text.length,
            POLICY_FILE_BYTES_MAX);
    else
        root = yaml_read_on(text, reader->arena, add_yaml_problem, reader, &error);
    if (!root)
        config_add_problem(reader, POLICY_BROKEN, &error);
    return root;
}

bool config_read_file(
    struct config_reader *reader, struct slice text, const struct config_keys *keys, void *target)
{
    const struct config_value file = {.reader = reader, .node = config_parse(reader, text)};
    if (file.node)
        config_read_map(&file, keys, target);
    if (arena_has_failed(reader->arena))
        config_out_of_memory(reader);
    return !reader->is_broken;
}
