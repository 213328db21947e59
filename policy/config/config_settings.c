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

static int read_percent(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "50") < 0)
        return -1;
    size_t percent = 0;
    if (value->node->quoted || !parse_whole(value->node->text, &percent) || percent > 100)
        return config_refuse(
            value, "must be a whole number from 0 to 100, such as 50 (no %%, no quotes), not \"%s\"",
            config_excerpt(value));
    *(size_t *)target = percent;
    return 0;
}

static int read_whole(
    const struct config_value *value, size_t *target, const char *example, const char *expected)
{
    if (config_expect_text(value, example) < 0)
        return -1;
    if (!value->node->quoted && parse_whole(value->node->text, target))
        return 0;
    return config_refuse(value, "must be a whole number%s, not \"%s\"", expected, config_excerpt(value));
}

static int read_bytes(const struct config_value *value, void *target)
{
    return read_whole(value, target, "65536", " of bytes, such as 65536 (no unit, no quotes)");
}

static int read_count(const struct config_value *value, void *target)
{
    return read_whole(value, target, "4", ", such as 4 (no quotes)");
}

static int read_duration(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "10m") < 0)
        return -1;
    if (duration_parse_seconds(value->node->text, target))
        return 0;
    return config_refuse(
        value, "must be a whole number of seconds, minutes or hours, such as 90s, 10m or 2h, not \"%s\"",
        config_excerpt(value));
}

static int read_kind_paths(const struct config_value *map, const struct yaml_entry *entry, void *target)
{
    struct kind_paths **next = target;
    struct kind_paths *kind_paths = (*next)++;
    struct config_value inner =
        config_member(map, yaml_excerpt(map->reader->arena, entry->key->text), entry->key);
    if (!config_kind_valid(entry->key->text))
        return config_refuse_kind(&inner);
    config_check_kind(&inner);
    kind_paths->kind = entry->key->text;
    inner.node = entry->value;
    return config_read_slices(&inner, config_read_path, &kind_paths->paths);
}

static int read_paths_by_kind(const struct config_value *value, void *target)
{
    struct kind_paths_list *list = target;
    if (config_expect_map(value, "{Deployment.apps: [.spec.replicas]}") < 0)
        return -1;
    struct kind_paths *items =
        arena_allocate_array(value->reader->arena, value->node->count, sizeof(struct kind_paths));
    if (!items)
        return config_out_of_memory(value->reader);
    struct kind_paths *next = items;
    if (config_read_entries(value, read_kind_paths, &next) < 0)
        return -1;
    list->items = items;
    list->count = value->node->count;
    return 0;
}

bool config_takeover_key(char *key, int writer, int previous_owner)
{
    enum manager_class from = (enum manager_class)previous_owner, to = (enum manager_class)writer;
    snprintf(key, TAKEOVER_KEY_BYTES, "%s-from-%s", manager_class_name(to), manager_class_name(from));
    return class_takes_from(to, from);
}

#define CELL_COUNT ((size_t)OWNING_CLASS_COUNT * OWNING_CLASS_COUNT)

static int read_cell(const struct config_value *map, const struct yaml_entry *entry, void *target)
{
    enum action *cells = target;
    char keys[CELL_COUNT][TAKEOVER_KEY_BYTES];
    const char *names[CELL_COUNT];
    size_t count = 0;
    for (int i = 0; i < (int)CELL_COUNT; i++) {
        if (!config_takeover_key(keys[i], i / OWNING_CLASS_COUNT, i % OWNING_CLASS_COUNT))
            continue;
        names[count++] = keys[i];
        const struct config_value inner = config_member(map, keys[i], entry->value);
        if (slice_equal(entry->key->text, slice_of(keys[i])))
            return config_read_action(&inner, &cells[i]);
    }
    return config_refuse_key(map, entry->key, names, count);
}

/* Cells that the file does not name keep their defaults. */
static int read_takeover(const struct config_value *value, void *target)
{
    if (config_expect_map(value, "{adhoc-from-applier: deny}") < 0)
        return -1;
    return config_read_entries(value, read_cell, target);
}

static int read_names(const struct config_value *value, void *target)
{
    return config_read_slices(value, config_read_manager_name, target);
}

static int read_paths(const struct config_value *value, void *target)
{
    return config_read_slices(value, config_read_owned_path, target);
}

int config_read_setting(const struct config_value *value, const struct setting *setting, void *settings)
{
    static config_read *const readers[] = {
        [SETTING_BYTES] = read_bytes,
        [SETTING_COUNT] = read_count,
        [SETTING_DURATION] = read_duration,
        [SETTING_PERCENT] = read_percent,
        [SETTING_NAMES] = read_names,
        [SETTING_PATHS] = read_paths,
        [SETTING_PATHS_BY_KIND] = read_paths_by_kind,
        [SETTING_TAKEOVER] = read_takeover,
        [SETTING_BINDINGS] = config_read_bindings,
        [SETTING_SCOPES] = config_read_scopes,
        [SETTING_MOVES] = config_read_moves,
        [SETTING_LABEL_KEY] = config_read_label_key,
    };
    return readers[setting->kind](value, (char *)settings + setting->offset);
}
