#include "base/array_size.h"
#include "base/words.h"
#include "policy/config/config_reader.h"

static int read_rule(const struct config_value *value, void *target)
{
    bool *are_waivable = target;
    enum rule_id id;
    if (config_expect_text(value, "explicit-strategy") < 0 ||
        config_find_rule(value->parent, value->node, &id) < 0)
        return -1;
    are_waivable[id] = true;
    return 0;
}

/* Into an array of bool, by rule. */
static int read_rules(const struct config_value *value, void *target)
{
    if (config_expect_list(value, "[explicit-strategy]") < 0)
        return -1;
    return config_read_items(value, read_rule, target, 0);
}

static const char *const tool_names[WAIVER_TOOL_COUNT] = {
    [WAIVER_TOOL_KLUCTL] = "kluctl", [WAIVER_TOOL_FLUX] = "flux", [WAIVER_TOOL_ARGOCD] = "argocd"};

const char *waiver_tool_name(enum waiver_tool tool)
{
    return tool_names[tool];
}

static int read_tool(const struct config_value *value, void *target)
{
    bool *are_honoured = target;
    if (config_expect_text(value, "kluctl") < 0)
        return -1;
    size_t tool;
    if (!word_find(value->node->text, tool_names, WAIVER_TOOL_COUNT, &tool))
        return config_refuse_word(value, tool_names, WAIVER_TOOL_COUNT);
    are_honoured[tool] = true;
    return 0;
}

static int read_tools(const struct config_value *value, void *target)
{
    if (config_expect_list(value, "[kluctl]") < 0)
        return -1;
    return config_read_items(value, read_tool, target, 0);
}

/*
 * Waivers of some objects
 */

static int read_scoped_rules(const struct config_value *value, void *target)
{
    if (value->node->kind == YAML_KIND_LIST && !value->node->count)
        return config_refuse(value, "is empty, so it waives nothing; list some rules");
    return read_rules(value, target);
}

static int read_expires(const struct config_value *value, void *target)
{
    struct scoped_waiver *waiver = target;
    return config_read_expires(value, &waiver->expires, &waiver->expires_at);
}

static const struct config_key scoped_keys[] = {
    {.name = "rules",
     .read = read_scoped_rules,
     .offset = offsetof(struct scoped_waiver, rules),
     .required = true},
    {.name = "namespaces",
     .read_each = config_read_namespace,
     .offset = offsetof(struct scoped_waiver, namespaces)},
    {.name = "kinds", .read_each = config_read_kind, .offset = offsetof(struct scoped_waiver, kinds)},
    {.name = "names", .read_each = config_read_object_name, .offset = offsetof(struct scoped_waiver, names)},
    {.name = "reason", .read = config_read_text, .offset = offsetof(struct scoped_waiver, reason)},
    {.name = "expires", .read = read_expires},
};

static int read_scoped_waiver(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = scoped_keys,
        .count = ARRAY_SIZE(scoped_keys),
        .example = "{rules: [explicit-strategy], namespaces: [shop]}",
    };
    struct scoped_waiver *waiver = target;
    waiver->expires_at = INT64_MAX;
    if (config_read_map(value, &keys, waiver) < 0)
        return -1;
    config_check_empty(value, SLICE("namespaces"), "namespaces");
    config_check_empty(value, SLICE("kinds"), "kinds");
    config_check_empty(value, SLICE("names"), "names");
    return 0;
}

static int read_scoped(const struct config_value *value, void *target)
{
    struct policy *policy = target;
    policy->scoped_waivers = config_read_list(
        value, read_scoped_waiver, sizeof(struct scoped_waiver), &policy->scoped_waiver_count);
    return policy->scoped_waivers ? 0 : -1;
}

/* Two spellings of one key. The second is refused as a second key of the same spelling is. */
static int check_spellings(const struct config_value *value)
{
    const struct yaml_node *first = NULL;
    for (const struct yaml_entry *entry = value->node->entries; entry; entry = entry->next) {
        static const char *const spellings[] = {"honor", "honour"};
        if (!slice_is_one_of(entry->key->text, spellings, ARRAY_SIZE(spellings)))
            continue;
        const struct config_value at = config_at(value, entry->key);
        if (first && !slice_equal(first->text, entry->key->text))
            return config_refuse(&at, "has both \"honor\" and \"honour\", which are one key; keep honor");
        first = entry->key;
    }
    return 0;
}

int config_read_waivers(const struct config_value *value, void *target)
{
    static const struct config_key waiver_keys[] = {
        {.name = "rules", .read = read_rules, .offset = offsetof(struct policy, waivable)},
        {.name = "honor", .read = read_tools, .offset = offsetof(struct policy, honoured)},
        {.name = "honour", .read = read_tools, .offset = offsetof(struct policy, honoured)},
        {.name = "scoped", .read = read_scoped},
    };
    static const struct config_keys keys = {
        .keys = waiver_keys, .count = ARRAY_SIZE(waiver_keys), .example = "{rules: [explicit-strategy]}"};
    if (config_read_map(value, &keys, target) < 0)
        return -1;
    return check_spellings(value);
}
