#include "base/ascii.h"
#include "base/qualified_name.h"
#include "policy/config/config_reader.h"

#define VALUE_BYTES_MAX 63

static int refuse_label_key(const struct config_value *value)
{
    return config_refuse(
        value,
        "must be the key of a label, such as controller-selector or example.com/controller, not \"%s\"",
        config_excerpt(value));
}

int config_read_label_key(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "controller-selector") < 0)
        return -1;
    if (value->node->text.length && !qualified_name_is_valid(value->node->text))
        return refuse_label_key(value);
    *(struct slice *)target = value->node->text;
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

static int read_label(const struct config_value *map, const struct yaml_entry *entry, void *target)
{
    struct label_match **next = target;
    struct label_match *label = (*next)++;
    struct config_value inner =
        config_member(map, yaml_excerpt(map->reader->arena, entry->key->text), entry->key);
    if (!qualified_name_is_valid(entry->key->text))
        return refuse_label_key(&inner);
    label->key = entry->key->text;
    inner.node = entry->value;
    if (config_expect_text(&inner, "web or \"*\"") < 0)
        return -1;
    label->value = entry->value->text;
    const char *problem = value_problem(label->value);
    if (problem)
        config_report(&inner, POLICY_NO_EFFECT, "never matches \"%s\": %s", config_excerpt(&inner), problem);
    return 0;
}

int config_read_labels(const struct config_value *value, void *target)
{
    struct label_matches *labels = target;
    labels->count = 0; /* a duplicate key may have filled it */
    if (config_expect_map(value, "{app: web}") < 0)
        return -1;
    struct label_match *items =
        arena_allocate_array(value->reader->arena, value->node->count, sizeof(*items));
    if (!items)
        return config_out_of_memory(value->reader);
    struct label_match *next = items;
    if (config_read_entries(value, read_label, &next) < 0)
        return -1;
    labels->items = items;
    labels->count = value->node->count;
    return 0;
}
