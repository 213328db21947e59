#include "base/array_size.h"
#include "base/ascii.h"
#include "base/words.h"
#include "policy/config/config_reader.h"
#include "policy/fieldset/path.h"

int config_read_slices(const struct config_value *value, config_read *read, void *target)
{
    struct slice_list *list = target;
    list->items = config_read_list(value, read, sizeof(struct slice), &list->count);
    return list->items ? 0 : -1;
}

void config_report_empty(const struct config_value *list, enum policy_problem_kind kind, struct slice what)
{
    config_report(
        list, kind, "has an empty %s of %.*s, which matches all; list some, or remove the key",
        list->node->kind == YAML_KIND_MAP ? "map" : "list", (int)what.length, what.bytes);
}

void config_check_empty(const struct config_value *map, struct slice key, const char *what)
{
    const struct yaml_node *list = yaml_member(map->node, key);
    if (!list || list->kind != YAML_KIND_LIST || list->count)
        return;
    const struct config_value at = config_at(map, list);
    config_report_empty(&at, POLICY_NO_EFFECT, slice_of(what));
}

/* The member of metadata that a path names; empty: the path is of something else. */
static struct slice metadata_member(struct slice path)
{
    static const struct slice metadata = SLICE_LITERAL(".metadata.");
    if (!slice_starts_with(path, metadata))
        return (struct slice){NULL, 0};
    struct slice rest = slice_from(path, metadata.length);
    size_t dot = slice_find(rest, '.'), bracket = slice_find(rest, '[');
    return (struct slice){rest.bytes, dot < bracket ? dot : bracket};
}

/* [3], not after a quote: [name="a[3]"] */
static bool has_position(struct slice path)
{
    bool quoted = false;
    for (size_t i = 0; i + 1 < path.length; i++) {
        char byte = path.bytes[i];
        if (quoted && byte == '\\')
            i++;
        else if (byte == '"')
            quoted = !quoted;
        else if (!quoted && byte == '[' && ascii_is_digit(path.bytes[i + 1]))
            return true;
    }
    return false;
}

static void check_metadata(const struct config_value *value)
{
    /* apimachinery, meta/v1 ObjectMeta; what managedFields leave out is in its stripMeta. */
    static const char *const owned[] = {"annotations",      "labels",       "finalizers",
                                        "ownerReferences",  "generateName", "deletionGracePeriodSeconds",
                                        "deletionTimestamp"};
    static const char *const stripped[] = {"name",       "namespace",     "creationTimestamp",
                                           "selfLink",   "uid",           "clusterName",
                                           "generation", "managedFields", "resourceVersion"};
    const size_t owned_count = ARRAY_SIZE(owned);
    struct slice member = metadata_member(value->node->text);
    const char *found = config_excerpt(value);
    if (!member.length || slice_is_one_of(member, owned, owned_count))
        return;
    const char *nearest = word_nearest(member, owned, owned_count);
    if (slice_is_one_of(member, stripped, ARRAY_SIZE(stripped)))
        config_report(
            value, POLICY_NO_EFFECT, "never matches \"%s\": no field manager ever owns that field", found);
    else if (nearest)
        config_report(
            value, POLICY_NO_EFFECT,
            "never matches \"%s\": metadata has no such field; did you mean \".metadata.%s\"?", found,
            nearest);
    else
        config_report(value, POLICY_NO_EFFECT, "never matches \"%s\": metadata has no such field", found);
}

/* .spc.replicas: custom resources may have any field at the root, so this is only a note. */
static void note_near_root(const struct config_value *value)
{
    static const char *const roots[] = {"metadata", "spec", "status"};
    struct slice rest = slice_from(value->node->text, 1);
    size_t dot = slice_find(rest, '.'), bracket = slice_find(rest, '[');
    struct slice root = slice_until(rest, dot < bracket ? dot : bracket);
    for (size_t i = 0; i < ARRAY_SIZE(roots); i++)
        if (word_distance(root, slice_of(roots[i])) == 1)
            config_report(
                value, POLICY_NOTE, "has \"%s\"; did you mean \".%s\"?", config_excerpt(value), roots[i]);
}

/* Reports paths of owned fields that can never match any object. */
static void check_path(const struct config_value *value)
{
    const char *found = config_excerpt(value);
    if (has_position(value->node->text))
        config_report(
            value, POLICY_NO_EFFECT,
            "never matches \"%s\": managedFields know items by their keys; write [name=\"nginx\"], or [*] "
            "for any",
            found);
    else if (
        slice_equal(value->node->text, SLICE(".apiVersion")) ||
        slice_equal(value->node->text, SLICE(".kind")))
        config_report(
            value, POLICY_NO_EFFECT, "never matches \"%s\": no field manager ever owns that field", found);
    else
        check_metadata(value);
    note_near_root(value);
}

int config_read_path(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    const char *problem = path_pattern_check(value->node->text);
    if (!problem)
        return 0;
    return config_refuse(value, "\"%s\" is no path of a field: %s", config_excerpt(value), problem);
}

int config_read_owned_path(const struct config_value *value, void *target)
{
    if (config_read_path(value, target) < 0)
        return -1;
    if (value->reader->problems->least <= POLICY_NO_EFFECT)
        check_path(value);
    return 0;
}
