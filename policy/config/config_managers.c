#include "base/array_size.h"
#include "policy/config/config_reader.h"

static int read_operation(const struct config_value *value, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(value, "Update") < 0)
        return -1;
    if (!manager_operation_parse(value->node->text, &rule->operation)) {
        const char *names[] = {manager_operation_name(MANAGER_APPLY), manager_operation_name(MANAGER_UPDATE)};
        return config_refuse_word(value, names, 2);
    }
    rule->any_operation = false;
    return 0;
}

static int read_subresource(const struct config_value *value, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(value, "scale") < 0)
        return -1;
    if (slice_contains(value->node->text, '/'))
        config_report(
            value, POLICY_NO_EFFECT,
            "never matches \"%s\": a subresource is a name without its resource or a slash, such as scale",
            config_excerpt(value));
    else if (slice_contains(value->node->text, '*') || slice_contains(value->node->text, '?'))
        config_report(
            value, POLICY_NO_EFFECT,
            "never matches \"%s\": a subresource is no pattern; leave the key out for any",
            config_excerpt(value));
    rule->subresource = value->node->text;
    rule->any_subresource = false;
    return 0;
}

static int read_class(const struct config_value *value, void *target)
{
    struct class_rule *rule = target;
    if (config_expect_text(value, "applier") < 0)
        return -1;
    if (manager_class_parse(value->node->text, &rule->class))
        return 0;
    const char *names[CLASS_BOOKKEEPING + 1];
    for (int i = 0; i <= CLASS_BOOKKEEPING; i++)
        names[i] = manager_class_name((enum manager_class)i);
    return config_refuse_word(value, names, CLASS_BOOKKEEPING + 1);
}

static const struct config_key manager_keys[] = {
    {.name = "name",
     .read = config_read_manager,
     .offset = offsetof(struct class_rule, name),
     .required = true},
    {.name = "operation", .read = read_operation},
    {.name = "subresource", .read = read_subresource},
    {.name = "class", .read = read_class, .required = true},
};

static int read_rule(const struct config_value *value, void *target)
{
    static const struct config_keys keys = {
        .keys = manager_keys,
        .count = ARRAY_SIZE(manager_keys),
        .example = "{name: \"ci-*\", class: applier}",
    };
    struct class_rule *rule = target;
    rule->any_operation = true;
    rule->any_subresource = true;
    return config_read_map(value, &keys, rule);
}

int config_read_managers(const struct config_value *value, void *target)
{
    struct class_rules *managers = &((struct policy *)target)->managers;
    managers->items = config_read_list(value, read_rule, sizeof(struct class_rule), &managers->count);
    return managers->items ? 0 : -1;
}
