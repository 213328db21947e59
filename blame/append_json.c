#include "base/json.h"
#include "blame/blame.h"
#include "blame/history_text.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

static void append_owner(
    struct text *text, const struct blame *blame, const struct managed_fields_entry *entry)
{
    enum manager_class class = ownership_class(&blame->review->ownership, entry);
    text_append_member(text, "{\"manager\":", entry->manager.name);
    text_append_member(text, ",\"operation\":", slice_of(manager_operation_name(entry->manager.operation)));
    text_append_member(text, ",\"subresource\":", entry->manager.subresource);
    text_append_member(text, ",\"time\":", entry->time);
    text_append_member(text, ",\"class\":", slice_of(manager_class_name(class)));
    text_append_string(text, "}");
}

static void append_field(struct text *text, const struct blame *blame, const struct blame_node *node)
{
    struct text path = text_start(blame->arena, 96);
    path_append(&path, blame_path(node));
    text_append_member(text, "{\"path\":", text_slice(&path));
    text_append_string(text, ",\"owners\":[");
    const struct blame_holder *owner = NULL;
    for (bool is_first = true; (owner = blame_next_owner(node, owner)); is_first = false) {
        text_append_string(text, is_first ? "" : ",");
        append_owner(text, blame, owner->entry);
    }
    text_append_string(text, node->marks.is_declared ? "],\"declared\":true" : "],\"declared\":false");
    text_append_string(text, node->marks.is_stuck ? ",\"stuck\":true" : ",\"stuck\":false");
    text_append_string(text, node->marks.is_held ? ",\"held\":true" : ",\"held\":false");
    if (blame->history) {
        text_append_string(text, ",\"history\":");
        history_append_field_json(text, node);
    }
    text_append_string(text, "}");
}

static void append_fields(
    struct text *text, const struct blame *blame, const struct blame_node *node, struct slice manager,
    bool *is_first)
{
    if (node->is_field && (!manager.bytes || blame_is_owned_by(node, manager))) {
        text_append_string(text, *is_first ? "" : ",");
        append_field(text, blame, node);
        *is_first = false;
    }
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        append_fields(text, blame, &node->children[i], manager, is_first);
}

static void append_object(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    bool is_first = true;
    text_append_member(text, "{\"kind\":", blame->kind);
    text_append_member(text, ",\"namespace\":", blame->namespace);
    text_append_member(text, ",\"name\":", blame->name);
    text_append_string(text, ",\"fields\":[");
    append_fields(text, blame, &blame->root, print->manager, &is_first);
    text_append_string(text, "]");
    if (blame->history) {
        text_append_string(text, ",\"history\":");
        history_append_json(text, blame->history);
    }
    text_append_string(text, "}\n");
}

/* The values stay exact: what is not printable is escaped as JSON has it. */
void blame_append_json(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    struct text object = text_start(text->arena, 4096);
    append_object(&object, blame, print);
    text_append(text, text_printable_json(text->arena, text_slice(&object)));
}
