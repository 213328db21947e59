#include "commands/preview/flux_ignore.h"

#include "commands/preview/prune.h"
#include "manifest/kinds.h"

#include <regex.h>

/* The limit of an expression in a rule: names are shorter. */
#define EXPRESSION_BYTES_MAX 256

/*
 * Targets (fluxcd/pkg, ssa/jsondiff/selector.go)
 */

/*
 * An empty expression matches everything, and one that cannot be read nothing. Expressions of names and .*
 * mean the same in Go and in POSIX.
 */
static bool matches(const struct value *target, const char *key, struct slice text, struct arena *arena)
{
    struct slice expression = value_text(value_member(target, slice_of(key)));
    regex_t compiled;
    if (!expression.length)
        return true;
    const char *pattern = text_join_string(arena, "^(", expression, ")$");
    const char *subject = text_join_string(arena, text);
    if (expression.length > EXPRESSION_BYTES_MAX || !pattern || !subject ||
        regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool is_match = regexec(&compiled, subject, 0, NULL, 0) == 0;
    regfree(&compiled);
    return is_match;
}

static bool is_selected(const struct value *target, const char *key, const struct value *map)
{
    struct slice selector = value_text(value_member(target, slice_of(key)));
    return !selector.length || (!prune_selector_problem(selector) && prune_selects(selector, map));
}

static bool is_target(const struct value *target, const struct value *object, struct arena *arena)
{
    const struct value *metadata = value_member(object, SLICE("metadata"));
    struct slice api_version = value_text(value_member(object, SLICE("apiVersion")));
    return !target ||
        (matches(target, "group", group_of(api_version), arena) &&
         matches(target, "version", version_of(api_version), arena) &&
         matches(target, "kind", value_text(value_member(object, SLICE("kind"))), arena) &&
         matches(target, "name", value_text(value_member(metadata, SLICE("name"))), arena) &&
         matches(target, "namespace", value_text(value_member(metadata, SLICE("namespace"))), arena) &&
         is_selected(target, "labelSelector", value_member(metadata, SLICE("labels"))) &&
         is_selected(target, "annotationSelector", value_member(metadata, SLICE("annotations"))));
}

/*
 * JSON pointers (RFC 6901)
 */

/* Takes the first token: ~1 is a slash, and ~0 a tilde. */
static struct slice next_token(struct slice *pointer, struct arena *arena)
{
    struct slice rest = slice_from(*pointer, 1);
    struct slice raw = slice_until(rest, slice_find(rest, '/'));
    struct text token = text_start(arena, raw.length + 1);
    *pointer = slice_from(rest, raw.length);
    for (size_t i = 0; i < raw.length; i++) {
        struct slice here = slice_from(raw, i);
        bool is_slash = slice_starts_with(here, SLICE("~1")), is_tilde = slice_starts_with(here, SLICE("~0"));
        text_append(&token, is_slash ? SLICE("/") : is_tilde ? SLICE("~") : slice_until(here, 1));
        i += is_slash || is_tilde;
    }
    return text_slice(&token);
}

/* The position that a token names in a list; its length if it names none. */
static size_t position_of(const struct value *list, struct slice token)
{
    size_t position = 0;
    for (size_t i = 0; i < token.length; i++) {
        if (token.bytes[i] < '0' || token.bytes[i] > '9' || position >= list->count)
            return list->count;
        position = position * 10 + (size_t)(token.bytes[i] - '0');
    }
    return token.length && position < list->count ? position : list->count;
}

static const struct value *child_of(const struct value *value, struct slice token)
{
    if (value->kind == VALUE_MAP)
        return value_member(value, token);
    size_t position = value->kind == VALUE_LIST ? position_of(value, token) : 0;
    return value->kind == VALUE_LIST && position < value->count ? value->items[position] : NULL;
}

static const struct value *find(const struct value *value, struct slice pointer, struct arena *arena)
{
    while (value && pointer.length)
        value = child_of(value, next_token(&pointer, arena));
    return value;
}

/* The list with another item, or without it if `item` is NULL. */
static const struct value *list_with(
    const struct value *list, size_t position, const struct value *item, struct arena *arena)
{
    const struct value **items = arena_allocate_array(arena, list->count, sizeof(struct value *));
    size_t count = 0;
    for (size_t i = 0; items && i < list->count; i++)
        if (i != position || item)
            items[count++] = i == position ? item : list->items[i];
    return items ? value_list(items, count, arena) : NULL;
}

/*
 * The value with `put` at the pointer, which must lead to a value; without that value if `put` is NULL. The
 * recursion is as deep as the pointer, and so no deeper than the value.
 */
static const struct value *replace(
    const struct value *value, struct slice pointer, const struct value *put, struct arena *arena)
{
    struct slice token = next_token(&pointer, arena);
    const struct value *child = child_of(value, token);
    if (pointer.length) {
        put = replace(child, pointer, put, arena);
        if (!put)
            return NULL;
    }
    return value->kind == VALUE_MAP ? value_with(value, token, put, arena)
                                    : list_with(value, position_of(value, token), put, arena);
}

/*
 * Rules
 */

static const struct value *ignore_path(
    struct slice pointer, const struct value *manifest, const struct value *live, struct arena *arena)
{
    if (!pointer.length || pointer.bytes[0] != '/' || pointer.bytes[pointer.length - 1] == '/')
        return manifest;
    const struct value *declared = find(manifest, pointer, arena), *there = find(live, pointer, arena);
    if (!declared || (there && value_equal(declared, there)))
        return manifest;
    return replace(manifest, pointer, there, arena);
}

static const struct value *ignore_paths(
    const struct value *rule, const struct value *manifest, const struct value *live, struct arena *arena)
{
    const struct value *paths = value_member(rule, SLICE("paths"));
    for (size_t i = 0; paths && paths->kind == VALUE_LIST && i < paths->count && manifest; i++)
        manifest = ignore_path(value_text(paths->items[i]), manifest, live, arena);
    return manifest;
}

const struct value *flux_ignore(
    const struct value *kustomization, const struct value *manifest, const struct value *live,
    struct arena *arena)
{
    const struct value *rules = value_at(kustomization, SLICE(".spec.ignore"));
    for (size_t i = 0; rules && rules->kind == VALUE_LIST && i < rules->count && manifest; i++)
        if (is_target(value_member(rules->items[i], SLICE("target")), live, arena))
            manifest = ignore_paths(rules->items[i], manifest, live, arena);
    return arena_has_failed(arena) ? NULL : manifest;
}
