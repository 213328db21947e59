#include "base/json_append.h"
#include "commands/preview/preview.h"
#include "owners/resolutions.h"
#include "policy/verdict/encode.h"

static void append_kept(struct text *text, const struct preview *preview)
{
    json_append_open(text, "kept", "[");
    for (size_t i = 0; i < preview->kept_count; i++) {
        json_append_open(text, NULL, "{");
        json_append_member(text, "path", preview->kept[i].path);
        json_append_list(text, "managers", preview->kept[i].managers);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_conflicts(struct text *text, const struct preview *preview)
{
    json_append_open(text, "conflicts", "[");
    for (size_t i = 0; i < preview->conflict_count; i++) {
        const struct preview_conflict *conflict = &preview->conflicts[i];
        json_append_open(text, NULL, "{");
        json_append_member(text, "path", conflict->path);
        json_append_member(text, "manager", conflict->manager.name);
        json_append_member(text, "operation", slice_of(manager_operation_name(conflict->manager.operation)));
        json_append_bool(text, "taken", preview->is_forced);
        text_append_string(text, ",\"ways\":");
        if (conflict->resolutions)
            resolutions_append_json(text, conflict->resolutions);
        else
            text_append_string(text, "[]");
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_reverted(struct text *text, const struct preview *preview)
{
    json_append_open(text, "reverted_by", "[");
    for (size_t i = 0; i < preview->reverted_count; i++) {
        json_append_open(text, NULL, "{");
        json_append_member(text, "path", preview->reverted[i].path);
        json_append_member(text, "manager", preview->reverted[i].manager);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_verdict(struct text *text, const struct preview *preview)
{
    struct slice verdict = SLICE("null\n");
    if (preview->verdict)
        verdict = encode_verdict(preview->verdict, (struct slice){NULL, 0}, text->arena);
    text_append_all(text, ",\"verdict\":", slice_until(verdict, verdict.length ? verdict.length - 1 : 0));
}

/* Unknown values are null. */
void preview_append_json(struct text *text, const struct preview *preview)
{
    text_append_string(text, "{");
    json_append_member(text, "kind", preview->kind);
    json_append_member(text, "namespace", preview->namespace);
    json_append_member(text, "name", preview->name);
    json_append_list(text, "set", preview->set);
    json_append_list(text, "changed", preview->changed);
    json_append_list(text, "removed", preview->removed);
    if (preview->has_owners) {
        append_kept(text, preview);
        append_conflicts(text, preview);
        append_reverted(text, preview);
    } else {
        text_append_string(text, ",\"kept\":null,\"conflicts\":null,\"reverted_by\":null");
    }
    json_append_list(text, "refused", preview->refused);
    append_verdict(text, preview);
    if (preview->notes.count)
        json_append_list(text, "notes", preview->notes);
    if (preview->dropped)
        json_append_member(
            text, "dropped", preview->dropped == DROPPED_DELETED ? SLICE("deleted") : SLICE("left"));
    if (preview->reason)
        json_append_member(text, "reason", slice_of(preview->reason));
    text_append_string(text, "}\n");
}
