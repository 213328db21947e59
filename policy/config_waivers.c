#include "policy/config_reader.h"

static int read_waivable(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    (void)target;
    enum rule_id id;
    if (config_expect_text(reader, place, node, "explicit-strategy") < 0 ||
        config_find_rule(reader, place->parent, node, &id) < 0)
        return -1;
    reader->policy->waivable[id] = true;
    return 0;
}

static int read_rules(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    (void)target;
    size_t count;
    return config_read_list(reader, place, node, read_waivable, 0, &count) ? 0 : -1;
}

int config_read_waivers(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    static const struct config_key waiver_keys[] = {{.name = "rules", .read = read_rules}};
    static const struct config_keys keys = {
        .keys = waiver_keys, .count = 1, .example = "{rules: [explicit-strategy]}"};
    return config_read_map(reader, place, node, &keys, target);
}
