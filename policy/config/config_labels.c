#include "base/ascii.h"
#include "base/qualified_name.h"
#include "policy/config/config_reader.h"

#define VALUE_BYTES_MAX 63

static int refuse_label_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    return config_refuse(
        reader, path, node,
        "must be the key of a label, such as controller-selector or example.com/controller, not \"%s\"",
        yaml_excerpt(reader->arena, node->text));
}

int config_read_label_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "controller-selector") < 0)
        return -1;
    if (node->text.length && !qualified_name_is_valid(node->text))
        return refuse_label_key(reader, path, node);
    *(struct slice *)target = node->text;
    return 0;
}

/*
 * The problem with a glob of label values (apimachinery, util/validation IsValidLabelValue); NULL: nothing.
 */
static const char *value_problem(struct slice text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        length += byte != '*';
        if (!ascii_is_alphanumeric(byte) && byte != '-' && byte != '_' && byte != '.' && byte != '*' &&
            byte != '?')
            return "a label's value has only letters, digits, -, _ and dots; patterns know * and ? only";
    }
    return length > VALUE_BYTES_MAX ? "a label's value has at most 63 bytes" : NULL;
}

static int read_label(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target)
{
    struct label_match **next = target;
    struct label_match *label = (*next)++;
    const struct config_path inner = {.parent = path, .key = yaml_excerpt(reader->arena, entry->key->text)};
    if (!qualified_name_is_valid(entry->key->text))
        return refuse_label_key(reader, &inner, entry->key);
    label->key = entry->key->text;
    if (config_expect_text(reader, &inner, entry->value, "web or \"*\"") < 0)
        return -1;
    label->value = entry->value->text;
    const char *problem = value_problem(label->value);
    if (problem)
        config_report(
            reader, POLICY_NO_EFFECT, &inner, entry->value, "never matches \"%s\": %s",
            yaml_excerpt(reader->arena, label->value), problem);
    return 0;
}

int config_read_labels(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct label_matches *labels = target;
    labels->count = 0; /* a duplicate key may have filled it */
    if (config_expect_map(reader, path, node, "{app: web}") < 0)
        return -1;
    struct label_match *items = arena_allocate_array(reader->arena, node->count, sizeof(*items));
    if (!items)
        return config_out_of_memory(reader);
    struct label_match *next = items;
    if (config_read_entries(reader, path, node, read_label, &next) < 0)
        return -1;
    labels->items = items;
    labels->count = node->count;
    return 0;
}
