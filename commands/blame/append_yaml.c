#include "commands/blame/lines.h"
#include "commands/blame/print.h"

struct yaml_output {
    struct text *text;
    bool has_comments;
};

static void append_owner(struct text *text, const struct managed_fields_entry *entry)
{
    text_append_all(
        text, as_printable(entry->manager.name), " ", manager_operation_name(entry->manager.operation));
    if (entry->manager.subresource.length)
        text_append_all(text, " ", as_printable(entry->manager.subresource));
    if (entry->time.length)
        text_append_all(text, " ", as_printable(entry->time));
}

static void append_comment(struct text *text, const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    text_append_string(text, " # ");
    for (bool is_first = true; (owner = blame_next_owner(field, owner)); is_first = false) {
        text_append_string(text, is_first ? "" : "; ");
        append_owner(text, owner->entry);
    }
    if (!blame_next_owner(field, NULL))
        text_append_string(text, "(nobody)");
    text_append_all(
        text, field->marks.is_declared ? ", declared" : "", field->marks.is_stuck ? ", stuck" : "",
        field->marks.is_held ? ", held by hand, too" : "", field->marks.is_contested ? ", contested" : "");
}

static void append_line(void *context, const struct yaml_line *line)
{
    struct yaml_output *output = context;
    text_append(output->text, line->text);
    if (output->has_comments && line->field && line->field->marks.is_tracked)
        append_comment(output->text, line->field);
    text_append_string(output->text, "\n");
}

void blame_append_yaml(struct text *text, const struct blame *blame, const struct blame_print *print)
{
    struct yaml_output output = {.text = text, .has_comments = !print->manager.bytes};
    const struct blame_node *root =
        print->manager.bytes ? blame_select(blame, print->manager, BLAME_MANIFEST) : &blame->root;
    if (blame->is_secret)
        text_append_string(
            text, "# The values of a Secret are not shown, so the API server refuses this manifest.\n");
    if (!root || !lines_of(root, !output.has_comments, blame->arena, append_line, &output))
        text->failed = true;
}
