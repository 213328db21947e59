#include "policy/config_reader.h"
#include "policy/path.h"

static bool is_kind_character(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
        byte == '.' || byte == '-' || byte == '*' || byte == '?';
}

bool config_kind_valid(struct slice text)
{
    /* A kind has at most 63 bytes, its group 253. */
    if (text.length == 0 || text.length > 63 + 1 + 253 || text.bytes[0] == '.')
        return false;
    for (size_t i = 0; i < text.length; i++) {
        if (!is_kind_character(text.bytes[i]))
            return false;
    }
    return true;
}

static int read_kind(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    if (config_read_text(reader, place, node, target) < 0)
        return -1;
    if (config_kind_valid(node->text))
        return 0;
    return config_refuse(
        reader, place, node, "must be KIND.GROUP, such as Deployment.apps, or ConfigMap, not \"%s\"",
        yaml_excerpt(reader->policy->arena, node->text));
}

static int read_service_account(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    if (config_read_text(reader, place, node, target) < 0)
        return -1;
    size_t slashes = 0;
    for (size_t i = 0; i < node->text.length; i++)
        slashes += node->text.bytes[i] == '/';
    if (slashes == 1)
        return 0;
    return config_refuse(
        reader, place, node, "must be NAMESPACE/NAME, such as argocd/*, not \"%s\"",
        yaml_excerpt(reader->policy->arena, node->text));
}

static int read_path(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    if (config_read_text(reader, place, node, target) < 0)
        return -1;
    const char *problem = path_pattern_check(node->text);
    if (!problem)
        return 0;
    return config_refuse(
        reader, place, node, "\"%s\" is no path of a field: %s",
        yaml_excerpt(reader->policy->arena, node->text), problem);
}

static int read_texts_by(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    config_read *read, struct slice_list *list)
{
    list->items = config_read_list(reader, place, node, read, sizeof(struct slice), &list->count);
    return list->items ? 0 : -1;
}

int config_read_kinds(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    return read_texts_by(reader, place, node, read_kind, target);
}

int config_read_service_accounts(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    return read_texts_by(reader, place, node, read_service_account, target);
}

int config_read_paths(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    void *target)
{
    return read_texts_by(reader, place, node, read_path, target);
}
