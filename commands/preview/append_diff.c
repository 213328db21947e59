#include "apply/merge/value.h"
#include "base/array_size.h"
#include "commands/preview/line_diff.h"
#include "commands/preview/preview.h"
#include "commands/preview/yaml_lines.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"

/* Like kubectl diff: shows that values differ, but not the values. */
static const struct value *mask_of(
    const struct value *value, const struct value *other, const char *differs, struct arena *arena)
{
    bool is_other = other && !value_equal(value, other);
    return value_string(is_other ? slice_of(differs) : SLICE("***"), arena);
}

static const struct value *mask_map(
    const struct value *map, const struct value *other, const char *differs, struct arena *arena)
{
    struct value_member *members = map ? arena_allocate_array(arena, map->count + 1, sizeof(*members)) : NULL;
    if (!members || map->kind != VALUE_MAP)
        return map ? mask_of(map, other, differs, arena) : NULL;
    for (size_t i = 0; i < map->count; i++) {
        members[i] = map->members[i];
        members[i].value = mask_of(members[i].value, value_member(other, members[i].name), differs, arena);
        if (!members[i].value)
            return NULL;
    }
    return value_map(members, map->count, arena);
}

/* Masks the members of a Secret, or of its metadata. */
static const struct value *mask_members(
    const struct value *map, const struct value *other, struct slice parent, const char *differs,
    struct arena *arena)
{
    struct value_member *members = map ? arena_allocate_array(arena, map->count + 1, sizeof(*members)) : NULL;
    if (!members || map->kind != VALUE_MAP)
        return members ? map : NULL;
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct value *beside = value_member(other, member->name);
        members[i] = *member;
        if (secrets_hide_member(parent, member->name))
            members[i].value = mask_map(member->value, beside, differs, arena);
        else if (!parent.length && slice_equal(member->name, SLICE("metadata")))
            members[i].value = mask_members(member->value, beside, member->name, differs, arena);
        if (!members[i].value)
            return NULL;
    }
    return value_map(members, map->count, arena);
}

/* A Secret without its values. */
static const struct value *mask(
    const struct value *secret, const struct value *other, const char *differs, struct arena *arena)
{
    return mask_members(secret, other, (struct slice){NULL, 0}, differs, arena);
}

/* apps.v1.Deployment.default.web */
static void append_name(struct text *text, const char *sign, const struct preview *preview)
{
    const struct value *object = preview->after ? preview->after : preview->before;
    struct slice api_version = value_text(value_member(object, SLICE("apiVersion")));
    struct slice group = group_of(api_version);
    text_append_all(
        text, sign, as_printable(group), group.length ? "." : "", as_printable(version_of(api_version)));
    const struct slice parts[] = {preview->kind, preview->namespace, preview->name};
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        text_append_all(text, ".", as_printable(parts[i]));
    text_append_string(text, "\n");
}

void preview_append_object(struct text *text, const struct preview *preview)
{
    const struct value *after = preview->after;
    if (preview->is_secret)
        after = mask(after, preview->before, "*** (after)", text->arena);
    struct text json = text_start(text->arena, 4096);
    value_append_json(&json, after);
    text_append_all(text, text_printable_json(text->arena, text_slice(&json)), "\n");
}

void preview_append_diff(struct text *text, const struct preview *preview, bool has_colour)
{
    struct arena *arena = text->arena;
    const struct value *before = preview->before, *after = preview->after;
    if (preview->is_secret) {
        before = mask(preview->before, preview->after, "*** (before)", arena);
        after = mask(preview->after, preview->before, "*** (after)", arena);
    }
    struct text hunks = text_start(arena, 4096);
    line_diff_append(&hunks, yaml_lines_of(before, arena), yaml_lines_of(after, arena), has_colour);
    if (!hunks.length)
        return;
    append_name(text, "--- live/", preview);
    append_name(text, "+++ merged/", preview);
    text_append(text, text_slice(&hunks));
}
