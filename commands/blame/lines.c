#include "commands/blame/lines.h"

#include "base/json.h"
#include "manifest/write_yaml.h"

struct lines {
    struct text text; /* the current line */
    bool is_compact;
    lines_visit *visit;
    void *context;
};

static void end_line(struct lines *lines, const struct blame_node *field)
{
    struct slice text = {lines->text.bytes, lines->text.length};
    if (!lines->text.failed)
        lines->visit(lines->context, &(struct yaml_line){field, text});
    lines->text.length = 0;
}

static const struct blame_node *field_or_none(const struct blame_node *node)
{
    return node->is_field ? node : NULL;
}

static void write_block(struct lines *lines, const struct blame_node *node, size_t depth)
{
    struct slice rest = json_text(node->value), line;
    text_append_all(&lines->text, " ", yaml_block_header(rest));
    end_line(lines, field_or_none(node));
    while (yaml_block_line(&rest, &line)) {
        text_append_spaces(&lines->text, line.length ? depth : 0);
        text_append(&lines->text, line);
        end_line(lines, NULL);
    }
}

/* Continues the line of its key or dash. */
static void write_scalar(struct lines *lines, const struct blame_node *node, size_t depth)
{
    struct slice string = json_text(node->value);
    if (!node->is_hidden && yyjson_is_str(node->value) && yaml_is_block(string)) {
        write_block(lines, node, depth);
        return;
    }
    text_append_string(&lines->text, " ");
    if (node->is_hidden)
        text_append_string(&lines->text, BLAME_HIDDEN);
    else
        yaml_append_scalar(&lines->text, node->value);
    end_line(lines, field_or_none(node));
}

static void write_map(struct lines *lines, const struct blame_node *map, size_t depth);
static void write_list(struct lines *lines, const struct blame_node *list, size_t depth);

static bool is_scalar(const struct blame_node *node)
{
    return node->is_hidden || !yyjson_is_ctn(node->value);
}

/* The visible part of a list or map may be empty, even if the whole is not. */
static void write_empty(struct lines *lines, const struct blame_node *node)
{
    text_append_string(&lines->text, yyjson_is_arr(node->value) ? " []" : " {}");
    end_line(lines, field_or_none(node));
}

static void append_key(struct lines *lines, const struct blame_node *member, size_t depth)
{
    size_t start = lines->text.length;
    yaml_append_string(&lines->text, member->name);
    if (lines->text.length - start > YAML_SIMPLE_KEY_BYTES_MAX) {
        lines->text.length = start;
        text_append_string(&lines->text, "? ");
        yaml_append_string(&lines->text, member->name);
        end_line(lines, NULL);
        text_append_spaces(&lines->text, depth);
    }
    text_append_string(&lines->text, ":");
}

static void write_member(struct lines *lines, const struct blame_node *member, size_t depth)
{
    append_key(lines, member, depth);
    if (is_scalar(member)) {
        write_scalar(lines, member, depth + 2);
    } else if (!member->child_count) {
        write_empty(lines, member);
    } else {
        end_line(lines, field_or_none(member));
        if (yyjson_is_arr(member->value))
            write_list(lines, member, depth);
        else
            write_map(lines, member, depth + 2);
    }
}

/* The first member may continue the line of a dash. */
static void write_map(struct lines *lines, const struct blame_node *map, size_t depth)
{
    for (size_t i = 0; i < map->child_count; i++) {
        text_append_spaces(&lines->text, lines->text.length ? 0 : depth);
        write_member(lines, &map->children[i], depth);
    }
}

static bool have_same_owners(const struct blame_node *a, const struct blame_node *b)
{
    const struct blame_holder *x = NULL, *y = NULL;
    do {
        x = blame_next_owner(a, x);
        y = blame_next_owner(b, y);
    } while (x && y && x->entry == y->entry);
    return !x && !y;
}

/* Whether the item's line can be that of its first member. */
static bool is_one_line(const struct lines *lines, const struct blame_node *item)
{
    const struct blame_node *first = &item->children[0];
    if (lines->is_compact || item->is_inside)
        return true;
    return first->is_field && !item->marks.is_stuck == !first->marks.is_stuck &&
        have_same_owners(item, first);
}

static void write_item(struct lines *lines, const struct blame_node *item, size_t depth)
{
    text_append_spaces(&lines->text, depth);
    text_append_string(&lines->text, "-");
    if (is_scalar(item)) {
        write_scalar(lines, item, depth + 2);
    } else if (!item->child_count) {
        write_empty(lines, item);
    } else if (yyjson_is_arr(item->value)) {
        end_line(lines, field_or_none(item));
        write_list(lines, item, depth + 2);
    } else if (item->children[0].is_inside && item->is_field) {
        /* If the item is owned as a whole, its first line is its own. */
        end_line(lines, item);
        write_map(lines, item, depth + 2);
    } else if (is_one_line(lines, item)) {
        text_append_string(&lines->text, " ");
        write_map(lines, item, depth + 2);
    } else {
        end_line(lines, field_or_none(item));
        write_map(lines, item, depth + 2);
    }
}

static void write_list(struct lines *lines, const struct blame_node *list, size_t depth)
{
    for (size_t i = 0; i < list->child_count; i++)
        write_item(lines, &list->children[i], depth);
}

bool lines_of(
    const struct blame_node *root, bool is_compact, struct arena *arena, lines_visit *visit, void *context)
{
    struct lines lines = {
        .text = text_start(arena, 256), .is_compact = is_compact, .visit = visit, .context = context};
    write_map(&lines, root, 0);
    return !lines.text.failed && !arena_has_failed(arena);
}
