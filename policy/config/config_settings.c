#include "base/digits.h"
#include "base/durations.h"
#include "policy/config/config_reader.h"

#include <stdio.h>

/* Decimal digits without a sign or leading zeros (YAML 1.1 would read those as octal); the product is
 * checked.
 */
static bool parse_whole(struct slice text, size_t *number)
{
    bool has_leading_zero = text.length > 1 && text.bytes[0] == '0';
    return !has_leading_zero && digits_parse(text, number);
}

static int read_percent(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "50") < 0)
        return -1;
    size_t percent = 0;
    if (node->quoted || !parse_whole(node->text, &percent) || percent > 100)
        return config_refuse(
            reader, path, node,
            "must be a whole number from 0 to 100, such as 50 (no %%, no quotes), not \"%s\"",
            yaml_excerpt(reader->arena, node->text));
    *(size_t *)target = percent;
    return 0;
}

static int read_whole(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    size_t *target, const char *example, const char *expected)
{
    if (config_expect_text(reader, path, node, example) < 0)
        return -1;
    if (!node->quoted && parse_whole(node->text, target))
        return 0;
    return config_refuse(
        reader, path, node, "must be a whole number%s, not \"%s\"", expected,
        yaml_excerpt(reader->arena, node->text));
}

static int read_bytes(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return read_whole(reader, path, node, target, "65536", " of bytes, such as 65536 (no unit, no quotes)");
}

static int read_count(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return read_whole(reader, path, node, target, "4", ", such as 4 (no quotes)");
}

static int read_duration(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "10m") < 0)
        return -1;
    if (duration_parse_seconds(node->text, target))
        return 0;
    return config_refuse(
        reader, path, node,
        "must be a whole number of seconds, minutes or hours, such as 90s, 10m or 2h, not \"%s\"",
        yaml_excerpt(reader->arena, node->text));
}

static int read_kind_paths(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target)
{
    struct kind_paths **next = target;
    struct kind_paths *kind_paths = (*next)++;
    struct config_path inner = {.parent = path, .key = yaml_excerpt(reader->arena, entry->key->text)};
    if (!config_kind_valid(entry->key->text))
        return config_refuse_kind(reader, &inner, entry->key);
    config_check_kind(reader, &inner, entry->key);
    kind_paths->kind = entry->key->text;
    return config_read_paths(reader, &inner, entry->value, &kind_paths->paths);
}

static int read_paths_by_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    struct kind_paths_list *list = target;
    if (config_expect_map(reader, path, node, "{Deployment.apps: [.spec.replicas]}") < 0)
        return -1;
    struct kind_paths *items = arena_allocate_array(reader->arena, node->count, sizeof(struct kind_paths));
    if (!items)
        return config_out_of_memory(reader);
    struct kind_paths *next = items;
    if (config_read_entries(reader, path, node, read_kind_paths, &next) < 0)
        return -1;
    list->items = items;
    list->count = node->count;
    return 0;
}

bool config_takeover_key(char *key, int writer, int previous_owner)
{
    enum manager_class from = (enum manager_class)previous_owner, to = (enum manager_class)writer;
    snprintf(key, TAKEOVER_KEY_BYTES, "%s-from-%s", manager_class_name(to), manager_class_name(from));
    return class_takes_from(to, from);
}

#define CELL_COUNT ((size_t)OWNING_CLASS_COUNT * OWNING_CLASS_COUNT)

static int read_cell(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target)
{
    enum action *cells = target;
    char keys[CELL_COUNT][TAKEOVER_KEY_BYTES];
    const char *names[CELL_COUNT];
    size_t count = 0;
    for (int i = 0; i < (int)CELL_COUNT; i++) {
        if (!config_takeover_key(keys[i], i / OWNING_CLASS_COUNT, i % OWNING_CLASS_COUNT))
            continue;
        names[count++] = keys[i];
        struct config_path inner = {.parent = path, .key = keys[i]};
        if (slice_equal(entry->key->text, slice_of(keys[i])))
            return config_read_action(reader, &inner, entry->value, &cells[i]);
    }
    return config_refuse_key(reader, path, entry->key, names, count);
}

/* Cells that the file does not name keep their defaults. */
static int read_takeover(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_map(reader, path, node, "{adhoc-from-applier: deny}") < 0)
        return -1;
    return config_read_entries(reader, path, node, read_cell, target);
}

int config_read_setting(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct setting *setting, void *settings)
{
    static config_read *const readers[] = {
        [SETTING_BYTES] = read_bytes,
        [SETTING_COUNT] = read_count,
        [SETTING_DURATION] = read_duration,
        [SETTING_PERCENT] = read_percent,
        [SETTING_NAMES] = config_read_manager_names,
        [SETTING_PATHS] = config_read_owned_paths,
        [SETTING_PATHS_BY_KIND] = read_paths_by_kind,
        [SETTING_TAKEOVER] = read_takeover,
        [SETTING_BINDINGS] = config_read_bindings,
        [SETTING_SCOPES] = config_read_scopes,
        [SETTING_MOVES] = config_read_moves,
        [SETTING_LABEL_KEY] = config_read_label_key,
    };
    return readers[setting->kind](reader, path, node, (char *)settings + setting->offset);
}
