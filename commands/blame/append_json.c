#include "base/json.h"
#include "base/json_append.h"
#include "commands/blame/history_text.h"
#include "commands/blame/print.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

static void append_owner(
    struct text *text, const struct blame *blame, const struct managed_fields_entry *entry)
{
    enum manager_class class = ownership_class(&blame->review->ownership, entry);
    text_append_string(text, "{");
    json_append_exact(text, "manager", entry->manager.name);
    json_append_exact(text, "operation", slice_of(manager_operation_name(entry->manager.operation)));
    json_append_exact(text, "subresource", entry->manager.subresource);
    json_append_exact(text, "time", entry->time);
    json_append_exact(text, "class", slice_of(manager_class_name(class)));
    text_append_string(text, "}");
}

/* Fields are written here: one after another into the same memory, and then to the text. */
struct output {
    struct text *text;
    const struct blame *blame;
    struct slice manager; /* only the fields of this manager; bytes NULL: all */
    struct text path;
    struct text field;
};

/* The values stay exact: unprintable characters become escapes of JSON. */
static void append_printable(struct text *text, struct slice json)
{
    struct arena_mark start = arena_mark(text->arena);
    struct slice printable = text_printable_json(text->arena, json);
    bool has_room = printable.length <= text->capacity - text->length;
    text->failed |= !printable.bytes;
    text_append(text, printable);
    if (has_room)
        arena_rewind(text->arena, start);
}

static void append_field(struct output *output, const struct blame_node *node)
{
    const struct blame *blame = output->blame;
    struct text *text = &output->field, *path = &output->path;
    path->length = text->length = 0;
    path_append(path, blame_path(node));
    text_append_string(text, "{");
    json_append_exact(text, "path", text_slice(path));
    json_append_open(text, "owners", "[");
    const struct blame_holder *owner = NULL;
    while ((owner = blame_next_owner(node, owner))) {
        json_append_comma(text);
        append_owner(text, blame, owner->entry);
    }
    text_append_string(text, "]");
    json_append_bool(text, "declared", node->marks.is_declared);
    json_append_bool(text, "stuck", node->marks.is_stuck);
    json_append_bool(text, "held", node->marks.is_held);
    if (blame->history) {
        text_append_string(text, ",\"history\":");
        history_append_field_json(text, node);
    }
    text_append_string(text, "}");
    append_printable(output->text, text_slice(text));
}

static void append_fields(struct output *output, const struct blame_node *node)
{
    if (node->is_field && (!output->manager.bytes || blame_is_owned_by(node, output->manager))) {
        json_append_comma(output->text);
        append_field(output, node);
    }
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        append_fields(output, &node->children[i]);
}

static void append_head(struct text *text, const struct blame *blame)
{
    struct text head = text_start(text->arena, 256);
    text_append_string(&head, "{");
    json_append_exact(&head, "kind", blame->kind);
    json_append_exact(&head, "namespace", blame->namespace);
    json_append_exact(&head, "name", blame->name);
    append_printable(text, text_slice(&head));
}

static void append_history(struct text *text, const struct history *history)
{
    struct text json = text_start(text->arena, 1024);
    history_append_json(&json, history);
    text_append_string(text, ",\"history\":");
    append_printable(text, text_slice(&json));
}

void blame_append_json(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    struct output output = {
        .text = text,
        .blame = blame,
        .manager = print->manager,
        .path = text_start(text->arena, 256),
        .field = text_start(text->arena, 1024),
    };
    append_head(text, blame);
    json_append_open(text, "fields", "[");
    append_fields(&output, &blame->root);
    text_append_string(text, "]");
    if (blame->history)
        append_history(text, blame->history);
    text_append_string(text, "}\n");
}
