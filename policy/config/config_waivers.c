#include "base/count.h"
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

int config_read_waivers(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_key waiver_keys[] = {
        {.name = "rules", .read = read_rules}, {.name = "honour", .read = read_honour}};
    static const struct config_keys keys = {
        .keys = waiver_keys, .count = COUNT(waiver_keys), .example = "{rules: [explicit-strategy]}"};
    return config_read_map(reader, path, node, &keys, target);
}
