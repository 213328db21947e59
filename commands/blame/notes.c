#include "commands/blame/notes.h"

#include "policy/analysis/restarts.h"

struct notes {
    struct text *text;
    const struct blame *blame;
    const struct blame_print *print;
    const struct blame_row *rows;
};

static void append_path(struct notes *notes, const struct blame_node *field)
{
    path_append(notes->text, blame_path(field));
}

static void append_managers(struct notes *notes, const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    for (bool is_first = true; (owner = blame_next_owner(field, owner)); is_first = false)
        text_append_all(
            notes->text, is_first ? "" : ", ",
            blame_row_of(notes->rows, notes->blame, owner->entry)->manager);
}

static void note_stuck(struct notes *notes, const struct blame_node *field)
{
    append_path(notes, field);
    text_append_string(notes->text, " is stuck: no apply removes it, because it belongs only to ");
    append_managers(notes, field);
    text_append_string(
        notes->text,
        field_is_restart(blame_path(field))
            ? "; leave it as it is: it only records when the pods were restarted\n"
            : "; add it to the manifest or delete it by hand\n");
}

static void note_held(struct notes *notes, const struct blame_node *field)
{
    append_path(notes, field);
    text_append_string(notes->text, " is held by hand, too: it belongs to ");
    append_managers(notes, field);
    text_append_string(
        notes->text,
        ", so a change in the manifest conflicts unless forced, and no apply removes it; hand it over with "
        "applyguard migrate\n");
}

static bool has_operator(const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    bool has = false;
    while (!has && (owner = blame_next_owner(field, owner)))
        has = manager_is_operator(&owner->entry->manager);
    return has;
}

static void note_contested(struct notes *notes, const struct blame_node *field)
{
    append_path(notes, field);
    text_append_string(notes->text, " is contested: it belongs to ");
    append_managers(notes, field);
    text_append_all(
        notes->text, blame_next_owner(field, NULL) ? "" : "nobody",
        field->marks.is_set_back
            ? ", and last-applied declares another value, which the next kubectl apply sets\n"
            : has_operator(field) ? ", which all apply it; let only one of them set it\n"
                                  : ", which all apply it; keep it in one manifest\n");
}

/* If an item is stuck, its content is stuck as well, so only the item is noted. */
static void append_notes(struct notes *notes, const struct blame_node *node, bool is_noted)
{
    bool is_shown =
        node->is_field && (!notes->print->manager.bytes || blame_is_owned_by(node, notes->print->manager));
    if (is_shown && node->marks.is_stuck && !is_noted)
        note_stuck(notes, node);
    if (is_shown && node->marks.is_held)
        note_held(notes, node);
    if (is_shown && node->marks.is_contested)
        note_contested(notes, node);
    for (size_t i = 0; i < node->child_count && !node->children[i].is_inside; i++)
        append_notes(notes, &node->children[i], is_noted || node->marks.is_stuck);
}

static void note_absent(struct notes *notes, const struct blame_row *row)
{
    if (!row->absent_count)
        return;
    text_append(notes->text, row->manager);
    for (size_t i = 0; i < row->absent_count && i < NOTE_FIELDS_MAX; i++)
        text_append_all(notes->text, i ? ", " : " owns ", row->absent[i]);
    if (row->absent_count > NOTE_FIELDS_MAX)
        text_append_all(notes->text, " and ", row->absent_count - NOTE_FIELDS_MAX, " more");
    text_append_string(notes->text, ", which the object does not have\n");
}

void blame_append_notes(
    struct text *text, const struct blame *blame, const struct blame_print *print,
    const struct blame_row *rows)
{
    struct notes notes = {.text = text, .blame = blame, .print = print, .rows = rows};
    append_notes(&notes, &blame->root, false);
    for (size_t i = 0; i < blame->managed_fields->count; i++)
        note_absent(&notes, &rows[i]);
}
