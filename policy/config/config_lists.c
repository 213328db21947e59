#include "base/array_size.h"
#include "base/ascii.h"
#include "base/words.h"
#include "policy/config/config_reader.h"
#include "policy/fieldset/path.h"

int config_read_slices(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, void *target)
{
    struct slice_list *list = target;
    list->items = config_read_list(reader, path, node, read, sizeof(struct slice), &list->count);
    return list->items ? 0 : -1;
}

void config_report_empty(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *list, struct slice what)
{
    config_report(
        reader, kind, path, list, "has an empty %s of %.*s, which matches all; list some, or remove the key",
        list->kind == YAML_KIND_MAP ? "map" : "list", (int)what.length, what.bytes);
}

void config_check_empty(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *map,
    struct slice key, const char *what)
{
    const struct yaml_node *list = yaml_member(map, key);
    if (list && list->kind == YAML_KIND_LIST && !list->count)
        config_report_empty(reader, POLICY_NO_EFFECT, path, list, slice_of(what));
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

static void check_metadata(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    /* apimachinery, meta/v1 ObjectMeta; what managedFields leave out is in its stripMeta. */
    static const char *const owned[] = {"annotations",      "labels",       "finalizers",
                                        "ownerReferences",  "generateName", "deletionGracePeriodSeconds",
                                        "deletionTimestamp"};
    static const char *const stripped[] = {"name",       "namespace",     "creationTimestamp",
                                           "selfLink",   "uid",           "clusterName",
                                           "generation", "managedFields", "resourceVersion"};
    const size_t owned_count = ARRAY_SIZE(owned);
    struct slice member = metadata_member(node->text);
    const char *found = yaml_excerpt(reader->arena, node->text);
    if (!member.length || slice_is_one_of(member, owned, owned_count))
        return;
    const char *nearest = word_nearest(member, owned, owned_count);
    if (slice_is_one_of(member, stripped, ARRAY_SIZE(stripped)))
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": no field manager ever owns that field", found);
    else if (nearest)
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": metadata has no such field; did you mean \".metadata.%s\"?", found,
            nearest);
    else
        config_report(
            reader, POLICY_NO_EFFECT, path, node, "never matches \"%s\": metadata has no such field", found);
}

/* .spc.replicas: custom resources may have any field at the root, so this is only a note. */
static void note_near_root(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    static const char *const roots[] = {"metadata", "spec", "status"};
    struct slice rest = slice_from(node->text, 1);
    size_t dot = slice_find(rest, '.'), bracket = slice_find(rest, '[');
    struct slice root = slice_until(rest, dot < bracket ? dot : bracket);
    for (size_t i = 0; i < ARRAY_SIZE(roots); i++)
        if (word_distance(root, slice_of(roots[i])) == 1)
            config_report(
                reader, POLICY_NOTE, path, node, "has \"%s\"; did you mean \".%s\"?",
                yaml_excerpt(reader->arena, node->text), roots[i]);
}

/* Reports paths of owned fields that can never match any object. */
static void check_path(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    const char *found = yaml_excerpt(reader->arena, node->text);
    if (has_position(node->text))
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": managedFields know items by their keys; write [name=\"nginx\"], or [*] "
            "for any",
            found);
    else if (slice_equal(node->text, SLICE(".apiVersion")) || slice_equal(node->text, SLICE(".kind")))
        config_report(
            reader, POLICY_NO_EFFECT, path, node,
            "never matches \"%s\": no field manager ever owns that field", found);
    else
        check_metadata(reader, path, node);
    note_near_root(reader, path, node);
}

static int read_path(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    const char *problem = path_pattern_check(node->text);
    if (!problem)
        return 0;
    return config_refuse(
        reader, path, node, "\"%s\" is no path of a field: %s", yaml_excerpt(reader->arena, node->text),
        problem);
}

static int read_owned_path(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (read_path(reader, path, node, target) < 0)
        return -1;
    if (reader->problems->least <= POLICY_NO_EFFECT)
        check_path(reader, path, node);
    return 0;
}

int config_read_paths(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_path, target);
}

int config_read_owned_paths(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_owned_path, target);
}
