#include "apply/applier.h"
#include "apply/merge/typed.h"
#include "apply/outcome.h"
#include "apply/question.h"
#include "apply/stored.h"
#include "apply/type.h"
#include "manifest/kinds.h"

/*
 * kubectl maintains the annotation in a client-side apply, and in a server-side apply if the annotation
 * exists.
 */
static bool keeps_annotation(const struct apply_question *question, const struct live *live)
{
    struct manager manager = applier_manager(question, live);
    if (manager.operation == MANAGER_UPDATE)
        return question->applier == APPLY_KUBECTL || question->applier == APPLY_ARGOCD;
    return slice_equal(manager.name, SLICE("kubectl")) && outcome_last_applied(live->object);
}

/* Users copy annotations from object to object. */
static bool is_of_live(const struct value *applied, const struct live *live)
{
    const struct value *object = live->object;
    return slice_equal(
               value_text(value_member(applied, SLICE("kind"))),
               value_text(value_member(object, SLICE("kind")))) &&
        slice_equal(
               group_of(value_text(value_member(applied, SLICE("apiVersion")))),
               group_of(value_text(value_member(object, SLICE("apiVersion"))))) &&
        slice_equal(apply_live_metadata(applied, SLICE("name")), apply_live_metadata(object, SLICE("name")));
}

static int find_annotation(
    const struct live *live, struct arena *arena, struct last_apply *found, struct error *error)
{
    struct slice text = value_text(outcome_last_applied(live->object));
    const struct value *applied = text.length ? value_read_json(text, arena) : NULL;
    if (!text.length)
        return error_set(
            error, "%s",
            "it has no last-applied annotation, so no client-side apply made it: name a manifest with -f, or "
            "another applier with --applier");
    if (arena_has_failed(arena))
        return error_set_out_of_memory(error);
    if (!applied || !is_of_live(applied, live))
        return error_set(
            error, "%s",
            "its last-applied annotation does not contain its manifest: name a manifest with -f");
    found->manifest = text;
    return 0;
}

/* Fields of every manifest that no entry contains. */
static const struct field_set *identity(void)
{
    static const struct field_node metadata[] = {
        {SLICE_LITERAL("f:name"), &field_set_empty, true},
        {SLICE_LITERAL("f:namespace"), &field_set_empty, true},
    };
    static const struct field_set below = {metadata, 2};
    static const struct field_node object[] = {
        {SLICE_LITERAL("f:apiVersion"), &field_set_empty, true},
        {SLICE_LITERAL("f:kind"), &field_set_empty, true},
        {SLICE_LITERAL("f:metadata"), &below, false},
    };
    static const struct field_set all = {object, 3};
    return &all;
}

/* The Apply entry of the manager. */
static const struct owner_entry *find_entry(const struct live *live, const struct manager *manager)
{
    for (size_t i = 0; i < live->count; i++) {
        if (owners_is_written_by(&live->entries[i], manager, SLICE("")))
            return &live->entries[i];
    }
    return NULL;
}

static int find_owned(
    const struct apply_question *question, const struct live *live, struct arena *arena,
    struct last_apply *found, struct error *error)
{
    const struct manager manager = applier_manager(question, live);
    const struct owner_entry *entry = manager.operation == MANAGER_APPLY ? find_entry(live, &manager) : NULL;
    struct found_type type;
    if (!live->has_owners)
        return error_set(
            error, "%s",
            "it has no managedFields, so what was applied last is unknown; kubectl get shows them with "
            "--show-managed-fields");
    if (!entry) {
        struct slice name = text_printable(arena, text_cut(manager.name, 128));
        return error_set(
            error,
            "%.*s has not applied it server-side, so the object does not show its manifest: name one with "
            "-f, or another applier with --applier",
            (int)name.length, name.bytes ? name.bytes : "");
    }
    if (type_find(question, live, arena, &type, error) < 0)
        return -1;
    const struct field_set *fields = stored_fields(live->object, entry->fields, arena);
    fields = field_set_union(fields, identity(), arena);
    struct text text = text_start(arena, 1024);
    value_append_json(&text, typed_extract(type.type, live->object, fields, arena));
    found->manifest = text_slice(&text);
    found->is_partial = true;
    return found->manifest.bytes && !arena_has_failed(arena) ? 0 : error_set_out_of_memory(error);
}

int apply_find_last(
    const struct apply_question *question, struct arena *arena, struct last_apply *found, struct error *error)
{
    struct live live;
    *found = (struct last_apply){0};
    if (apply_live_read(question->live, arena, &live, error) < 0)
        return -1;
    return keeps_annotation(question, &live) ? find_annotation(&live, arena, found, error)
                                             : find_owned(question, &live, arena, found, error);
}
