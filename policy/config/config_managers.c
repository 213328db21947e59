#include "base/array_size.h"
#include "policy/config/config_reader.h"

static int read_name(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(reader, path, node, "\"ci-*\"") < 0)
        return -1;
    if (node->text.length == 0)
        return config_refuse(reader, path, node, "is empty; write \"*\" for every manager");
    config_check_manager(reader, path, node);
    rule->name = node->text;
    return 0;
}

static int read_operation(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(reader, path, node, "Update") < 0)
        return -1;
    if (!manager_operation_parse(node->text, &rule->operation)) {
        const char *names[] = {manager_operation_name(MANAGER_APPLY), manager_operation_name(MANAGER_UPDATE)};
        return config_refuse_word(reader, path, node, names, 2);
    }
    rule->any_operation = false;
    return 0;
}

static int read_subresource(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(reader, path, node, "scale") < 0)
        return -1;
    if (slice_contains(node->text, '/'))
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": a subresource is a name without its resource or a slash, such as scale",
            yaml_excerpt(reader->arena, node->text));
    else if (slice_contains(node->text, '*') || slice_contains(node->text, '?'))
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": a subresource is no pattern; leave the key out for any",
            yaml_excerpt(reader->arena, node->text));
    rule->subresource = node->text;
    rule->any_subresource = false;
    return 0;
}

static int read_class(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(reader, path, node, "applier") < 0)
        return -1;
    if (manager_class_parse(node->text, &rule->class))
        return 0;
    const char *names[CLASS_BOOKKEEPING + 1];
    for (int i = 0; i <= CLASS_BOOKKEEPING; i++)
        names[i] = manager_class_name((enum manager_class)i);
    return config_refuse_word(reader, path, node, names, CLASS_BOOKKEEPING + 1);
}

static const struct config_key manager_keys[] = {
    {.name = "name", .read = read_name, .required = true},
    {.name = "operation", .read = read_operation},
    {.name = "subresource", .read = read_subresource},
    {.name = "class", .read = read_class, .required = true},
};

static int read_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct config_keys keys = {
        .keys = manager_keys,
        .count = ARRAY_SIZE(manager_keys),
        .example = "{name: \"ci-*\", class: applier}",
    };
    struct class_rule *rule = target;
    rule->any_operation = true;
    rule->any_subresource = true;
    return config_read_map(reader, path, node, &keys, rule);
}

int config_read_managers(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct class_rules *managers = &((struct policy *)target)->managers;
    managers->items =
        config_read_list(reader, path, node, read_rule, sizeof(struct class_rule), &managers->count);
    return managers->items ? 0 : -1;
}
