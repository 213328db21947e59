#include "base/array_size.h"
#include "policy/config/config_reader.h"

static int read_waivable(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    enum rule_id id;
    if (config_expect_text(reader, path, node, "explicit-strategy") < 0 ||
        config_find_rule(reader, path->parent, node, &id) < 0)
        return -1;
    reader->policy->waivable[id] = true;
    return 0;
}

static int read_rules(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    size_t count;
    return config_read_list(reader, path, node, read_waivable, 0, &count) ? 0 : -1;
}

static const char *const tool_names[WAIVER_TOOL_COUNT] = {
    [WAIVER_TOOL_KLUCTL] = "kluctl", [WAIVER_TOOL_FLUX] = "flux", [WAIVER_TOOL_ARGOCD] = "argocd"};

const char *waiver_tool_name(enum waiver_tool tool)
{
    return tool_names[tool];
}

static int read_honoured(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    if (config_expect_text(reader, path, node, "kluctl") < 0)
        return -1;
    for (int tool = 0; tool < WAIVER_TOOL_COUNT; tool++) {
        if (slice_equal(node->text, slice_of(tool_names[tool]))) {
            reader->policy->honoured[tool] = true;
            return 0;
        }
    }
    return config_refuse_word(reader, path, node, tool_names, WAIVER_TOOL_COUNT);
}

static int read_honour(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    (void)target;
    size_t count;
    return config_read_list(reader, path, node, read_honoured, 0, &count) ? 0 : -1;
}

/*
 * Waivers of some objects
 */

static int read_scoped_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    struct scoped_waiver *waiver)
{
    enum rule_id id;
    if (config_expect_text(reader, path, node, "explicit-strategy") < 0 ||
        config_find_rule(reader, path->parent, node, &id) < 0)
        return -1;
    waiver->rules[id] = true;
    return 0;
}

static int read_scoped_rules(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct scoped_waiver *waiver = target;
    struct config_path item = {.parent = path};
    if (config_expect_list(reader, path, node, "[explicit-strategy]") < 0)
        return -1;
    if (!node->count)
        return config_refuse(reader, path, node, "is empty, so it waives nothing; list some rules");
    int result = 0;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next, item.index++) {
        if (read_scoped_rule(reader, &item, entry->value, waiver) < 0)
            result = -1;
    }
    return result;
}

static int read_expires(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct scoped_waiver *waiver = target;
    return config_read_expires(reader, path, node, &waiver->expires, &waiver->expires_at);
}

static const struct config_key scoped_keys[] = {
    {.name = "rules", .read = read_scoped_rules, .required = true},
    {.name = "namespaces",
     .read = config_read_namespaces,
     .offset = offsetof(struct scoped_waiver, namespaces)},
    {.name = "kinds", .read = config_read_kinds, .offset = offsetof(struct scoped_waiver, kinds)},
    {.name = "names", .read = config_read_object_names, .offset = offsetof(struct scoped_waiver, names)},
    {.name = "reason", .read = config_read_text, .offset = offsetof(struct scoped_waiver, reason)},
    {.name = "expires", .read = read_expires},
};

static int read_scoped_waiver(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = scoped_keys,
        .count = ARRAY_SIZE(scoped_keys),
        .example = "{rules: [explicit-strategy], namespaces: [shop]}",
    };
    struct scoped_waiver *waiver = target;
    waiver->expires_at = INT64_MAX;
    if (config_read_map(reader, path, node, &keys, waiver) < 0)
        return -1;
    config_check_empty(reader, path, node, SLICE("namespaces"), "namespaces");
    config_check_empty(reader, path, node, SLICE("kinds"), "kinds");
    config_check_empty(reader, path, node, SLICE("names"), "names");
    return 0;
}

static int read_scoped(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct policy *policy = target;
    policy->scoped_waivers = config_read_list(
        reader, path, node, read_scoped_waiver, sizeof(struct scoped_waiver), &policy->scoped_waiver_count);
    return policy->scoped_waivers ? 0 : -1;
}

/* Two spellings of one key. The second is refused as a second key of the same spelling is. */
static int check_spellings(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    const struct yaml_node *first = NULL;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        static const char *const spellings[] = {"honor", "honour"};
        if (!slice_is_one_of(entry->key->text, spellings, ARRAY_SIZE(spellings)))
            continue;
        if (first && !slice_equal(first->text, entry->key->text))
            return config_refuse(
                reader, path, entry->key, "has both \"honor\" and \"honour\", which are one key; keep honor");
        first = entry->key;
    }
    return 0;
}

int config_read_waivers(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_key waiver_keys[] = {
        {.name = "rules", .read = read_rules},
        {.name = "honor", .read = read_honour},
        {.name = "honour", .read = read_honour},
        {.name = "scoped", .read = read_scoped},
    };
    static const struct config_keys keys = {
        .keys = waiver_keys, .count = ARRAY_SIZE(waiver_keys), .example = "{rules: [explicit-strategy]}"};
    if (config_read_map(reader, path, node, &keys, target) < 0)
        return -1;
    return check_spellings(reader, path, node);
}
