#include "commands/explain/print.h"

#include "base/json_append.h"
#include "base/terminal.h"
#include "commands/explain/refusals.h"
#include "owners/explained.h"
#include "policy/verdict/message_name.h"

static void append_object(struct text *text, const struct conflict_object *object)
{
    text_append_all(
        text, as_terminal(object->kind.length ? object->kind : SLICE("object")), " ",
        as_qualified(terminal_append, object->namespace, object->name));
}

/*
 * JSON
 */

static void append_conflict_json(struct text *text, const struct explained *explained)
{
    const struct manager *manager = &explained->conflict->manager;
    text_append_string(text, "{");
    json_append_member(text, "path", explained->conflict->path);
    json_append_member(text, "manager", manager->name);
    json_append_member(text, "operation", slice_of(manager_operation_name(manager->operation)));
    json_append_member(text, "subresource", manager->subresource);
    if (explained->since.length)
        json_append_member(text, "since", explained->since);
    else
        text_append_string(text, ",\"since\":null");
    json_append_member(text, "class", slice_of(manager_class_name(explained->class)));
    text_append_string(text, ",\"ways\":");
    resolutions_append_json(text, explained->resolutions);
    text_append_string(text, "}");
}

static void append_object_json(struct text *text, const struct conflict_object *object)
{
    struct text name = text_start(text->arena, 64);
    append_object(&name, object);
    if (object->name.length)
        text_append_json(text, text_slice(&name));
    else
        text_append_string(text, "null");
}

/*
 * Text
 */

static const char *class_words(enum manager_class class)
{
    static const char *const words[] = {
        [CLASS_APPLIER] = "an applier",
        [CLASS_CONTROLLER] = "a controller",
        [CLASS_AD_HOC] = "ad hoc: a person or a script",
        [CLASS_UNKNOWN] = "unknown: a person, a script or a controller",
        [CLASS_OPERATOR] = "an operator that applies server-side",
        [CLASS_BOOKKEEPING] = "bookkeeping of kubectl apply",
    };
    return words[class];
}

static void append_line(struct text *text, const char *label, struct slice content)
{
    if (!content.length)
        return;
    text_append_all(
        text, "    ", label, &"            "[strlen(label)], *label ? "" : terminal_guard(content),
        as_terminal(content), "\n");
}

static struct slice holder_line(const struct explained *explained, struct arena *arena)
{
    const struct manager *manager = &explained->conflict->manager;
    struct text line = text_start(arena, 128);
    text_append_all(&line, as_printable(manager->name), ", ", manager_operation_name(manager->operation));
    if (manager->subresource.length)
        text_append_all(&line, " of ", as_printable(manager->subresource));
    text_append_all(
        &line, " (",
        manager_hides_writer(manager->name) ? "its writer is unknown" : class_words(explained->class), ")");
    return text_slice(&line);
}

static struct slice since_line(const struct explained *explained, struct arena *arena)
{
    struct text line = text_start(arena, 64);
    const struct live_field *field = explained->field;
    const bool has_holder = field && field->holder;
    if (explained->since.length) {
        text_append_all(&line, as_printable(explained->since), " or before: its last write");
    } else if (!field) {
        text_append_string(&line, "unknown; see --live OBJECT");
    } else {
        text_append_string(
            &line, has_holder ? "unknown: the API server keeps no time" : "unknown: it has no entry now");
    }
    if (has_holder && !field->is_held)
        text_append_string(&line, "; it no longer owns the field");
    return text_slice(&line);
}

/* The managers that will set it again: the Apply entries that own it, and client-side appliers. */
static struct slice declared_line(const struct explained *explained, struct arena *arena)
{
    const struct live_field *field = explained->field;
    bool by_holder = explained->conflict->manager.operation == MANAGER_APPLY;
    struct text line = text_start(arena, 64);
    if (!field && !by_holder)
        return (struct slice){NULL, 0};
    if (by_holder)
        manager_append(&line, &explained->conflict->manager);
    if (field && field->applier_count) {
        size_t named =
            field->applier_count < LIVE_APPLIERS_NAMED ? field->applier_count : LIVE_APPLIERS_NAMED;
        text_append_string(&line, line.length ? ", " : "");
        managers_append(&line, field->appliers, named, field->applier_count, manager_append);
    }
    if (field && field->is_last_applied)
        text_append_all(&line, line.length ? ", " : "", "the last kubectl apply (client-side)");
    if (!line.length)
        text_append_string(&line, "nobody");
    return text_slice(&line);
}

static void append_refusal(struct text *text, struct slice rule)
{
    const struct slice line = text_join(text->arena, "The policy refuses this: ", rule);
    if (rule.length)
        append_line(text, "", line);
}

static void append_resolutions_text(struct text *text, const struct resolution resolutions[RESOLUTION_COUNT])
{
    for (int i = 0; i < RESOLUTION_COUNT; i++) {
        append_line(text, resolution_label((enum resolution_kind)i), resolutions[i].command);
        append_line(text, "", resolutions[i].edit);
        append_line(text, "", resolutions[i].next);
        append_refusal(text, resolutions[i].refused_by);
    }
}

static void append_conflict_text(struct text *text, const struct explained *explained, bool has_colour)
{
    text_append_all(
        text, has_colour ? "\n  " TERMINAL_HEADING : "\n  ", as_terminal(explained->conflict->path),
        has_colour ? TERMINAL_RESET "\n" : "\n");
    append_line(text, "held by", holder_line(explained, text->arena));
    append_line(text, "since", since_line(explained, text->arena));
    append_line(text, "declared by", declared_line(explained, text->arena));
    append_resolutions_text(text, explained->resolutions);
}

static void append_head(struct text *text, const struct conflict_object *object, size_t count)
{
    text_append_string(text, object->name.length ? terminal_guard(object->kind) : "");
    if (object->name.length)
        append_object(text, object);
    else
        text_append_string(text, "An object that the text does not name");
    text_append_all(text, ": ", as_count(count, "conflict\n", "conflicts\n"));
}

/*
 * The whole report
 */

struct slice conflict_report_print(
    const struct conflict_print *print, const struct conflict_report *report, const struct live_fields *live,
    struct arena *arena)
{
    const struct conflict_object *object = live ? &live->object->identity : &report->object;
    struct explained *explained = conflict_explain(report, live, &print->policy->managers, arena);
    struct text text = text_start(arena, 4096);
    if (!explained)
        return (struct slice){NULL, 0};
    if (print->is_json) {
        text_append_string(&text, "{\"object\":");
        append_object_json(&text, object);
        json_append_open(&text, "conflicts", "[");
    } else {
        append_head(&text, object, report->count);
    }
    for (size_t i = 0; i < report->count; i++) {
        refusals_find(print->policy, report, &explained[i]);
        if (print->is_json && i)
            text_append_string(&text, ",");
        if (print->is_json)
            append_conflict_json(&text, &explained[i]);
        else
            append_conflict_text(&text, &explained[i], print->has_colour);
    }
    if (print->is_json)
        text_append_string(&text, "]}\n");
    return text_slice(&text);
}
