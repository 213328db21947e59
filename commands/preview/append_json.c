#include "commands/preview/preview.h"
#include "owners/resolutions.h"
#include "policy/verdict/encode.h"

static void append_list(struct text *text, const char *before, struct slice_list list)
{
    text_append_string(text, before);
    text_append_string(text, "[");
    for (size_t i = 0; i < list.count; i++)
        text_append_printable_member(text, i ? "," : "", list.items[i]);
    text_append_string(text, "]");
}

static void append_kept(struct text *text, const struct preview *preview)
{
    text_append_string(text, ",\"kept\":[");
    for (size_t i = 0; i < preview->kept_count; i++) {
        text_append_printable_member(text, i ? ",{\"path\":" : "{\"path\":", preview->kept[i].path);
        append_list(text, ",\"managers\":", preview->kept[i].managers);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_conflicts(struct text *text, const struct preview *preview)
{
    text_append_string(text, ",\"conflicts\":[");
    for (size_t i = 0; i < preview->conflict_count; i++) {
        const struct preview_conflict *conflict = &preview->conflicts[i];
        text_append_printable_member(text, i ? ",{\"path\":" : "{\"path\":", conflict->path);
        text_append_printable_member(text, ",\"manager\":", conflict->manager.name);
        text_append_printable_member(
            text, ",\"operation\":", slice_of(manager_operation_name(conflict->manager.operation)));
        text_append_string(text, preview->is_forced ? ",\"taken\":true" : ",\"taken\":false");
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
    text_append_string(text, ",\"reverted_by\":[");
    for (size_t i = 0; i < preview->reverted_count; i++) {
        text_append_printable_member(text, i ? ",{\"path\":" : "{\"path\":", preview->reverted[i].path);
        text_append_printable_member(text, ",\"manager\":", preview->reverted[i].manager);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}

static void append_verdict(struct text *text, const struct preview *preview)
{
    struct slice verdict = SLICE("null\n");
    if (preview->verdict)
        verdict = encode_verdict(preview->verdict, (struct slice){NULL, 0}, text->arena);
    text_append_string(text, ",\"verdict\":");
    text_append(text, slice_until(verdict, verdict.length ? verdict.length - 1 : 0));
}

/* Unknown values are null. */
void preview_append_json(struct text *text, const struct preview *preview)
{
    text_append_printable_member(text, "{\"kind\":", preview->kind);
    text_append_printable_member(text, ",\"namespace\":", preview->namespace);
    text_append_printable_member(text, ",\"name\":", preview->name);
    append_list(text, ",\"set\":", preview->set);
    append_list(text, ",\"changed\":", preview->changed);
    append_list(text, ",\"removed\":", preview->removed);
    if (preview->has_owners) {
        append_kept(text, preview);
        append_conflicts(text, preview);
        append_reverted(text, preview);
    } else {
        text_append_string(text, ",\"kept\":null,\"conflicts\":null,\"reverted_by\":null");
    }
    append_list(text, ",\"refused\":", preview->refused);
    append_verdict(text, preview);
    if (preview->notes.count)
        append_list(text, ",\"notes\":", preview->notes);
    if (preview->dropped)
        text_append_string(
            text, preview->dropped == DROPPED_DELETED ? ",\"dropped\":\"deleted\"" : ",\"dropped\":\"left\"");
    if (preview->reason) {
        text_append_string(text, ",\"reason\":");
        text_append_json(text, slice_of(preview->reason));
    }
    text_append_string(text, "}\n");
}
