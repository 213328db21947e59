#include "policy/fieldset/fieldset_contains.h"

#include "base/json.h"
#include "base/json_append.h"
#include "base/text.h"
#include "policy/fieldset/fields_element.h"
#include "policy/fieldset/lookup_state.h"

#include <stdio.h>

struct node_search {
    struct lookup *lookup;
    bool is_named; /* what is part of an atomic value is not looked for */
    bool is_cut_short;
};

/* The escape of the character at the start of `rest`; NULL: itself. `*length` is the character's. */
static const char *escape_of(struct slice rest, size_t *length, char unicode[8])
{
    const char byte = rest.bytes[0];
    *length = 1;
    switch (byte) {
    case '"':
        return "\\\"";
    case '\\':
        return "\\\\";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        break;
    }
    if (slice_starts_with(rest, SLICE("\u2028")) || slice_starts_with(rest, SLICE("\u2029"))) {
        *length = 3;
        return rest.bytes[2] == '\xa8' ? "\\u2028" : "\\u2029";
    }
    if ((unsigned char)byte >= 0x20 && byte != '<' && byte != '>' && byte != '&')
        return NULL;
    snprintf(unicode, 8, "\\u%04x", (unsigned)byte);
    return unicode;
}

/* As Go writes JSON by default: with <, > and & escaped for HTML. */
static void append_string(struct text *text, struct slice string)
{
    char unicode[8];
    text_append_string(text, "\"");
    for (size_t length; string.length; string = slice_from(string, length)) {
        const char *escape = escape_of(string, &length, unicode);
        text_append(text, escape ? slice_of(escape) : slice_until(string, 1));
    }
    text_append_string(text, "\"");
}

static void append_json(struct text *text, yyjson_val *value)
{
    if (yyjson_is_str(value))
        append_string(text, json_text(value));
    else
        json_append_value(text, value);
}

/* The key of the list that comes next in the order of names; NULL: absent. */
static const struct slice *next_name(const struct slice_list *names, const struct slice *last)
{
    const struct slice *next = NULL;
    for (size_t i = 0; i < names->count; i++) {
        const struct slice *name = &names->items[i];
        if ((!last || slice_compare(*name, *last) > 0) && (!next || slice_compare(*name, *next) < 0))
            next = name;
    }
    return next;
}

/* An element that was found in an object, and not in FieldsV1, as the API server spells it there. */
static struct slice spell(const struct path *element, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    if (element->kind == PATH_VALUE || !element->key_names) {
        append_json(&text, element->json);
        return text_slice(&text);
    }
    char separator[] = "{";
    const struct slice *name = NULL;
    while ((name = next_name(element->key_names, name))) {
        yyjson_val *value = json_member(element->json, *name);
        if (!value)
            continue;
        text_append_all(&text, separator, as_json(*name), ":");
        append_json(&text, value);
        separator[0] = ',';
    }
    text_append_string(&text, "}");
    return text_slice(&text);
}

/* The child that the element names; `*search` remembers if the bound does not let it be found. */
static yyjson_val *child(struct node_search *search, yyjson_val *parent, const struct path *element)
{
    struct lookup *lookup = search->lookup;
    struct path spelled = *element;
    bool is_spelled = element->text.bytes || !element->json;
    struct arena_mark start = arena_mark(lookup->arena);
    if (!is_spelled && !lookup->effort.exceeded[EFFORT_OWNERS])
        spelled.text = spell(element, lookup->arena);
    size_t cost = is_spelled ? 1 : 1 + spelled.text.length, notes = lookup->notes.count;
    search->is_cut_short = !effort_spend(&lookup->effort, EFFORT_OWNERS, cost);
    yyjson_val *found = search->is_cut_short ? NULL : lookup_child(lookup, parent, &spelled);
    if (lookup->notes.count == notes)
        arena_rewind(lookup->arena, start);
    return found;
}

/* The node at the path or, where {} above it says that a value is owned whole, that one. */
static yyjson_val *node_at(struct node_search *search, yyjson_val *fields, const struct path *path)
{
    if (!path || search->is_cut_short)
        return fields;
    yyjson_val *parent = node_at(search, fields, path->parent);
    bool atomic = parent && path->parent && yyjson_obj_size(parent) == 0;
    if (parent && atomic)
        return search->is_named ? NULL : parent;
    return parent ? child(search, parent, path) : NULL;
}

static enum search_answer find(struct node_search search, yyjson_val *fields, const struct path *path)
{
    const yyjson_val *node = node_at(&search, fields, path);
    return search.is_cut_short ? ANSWER_UNKNOWN : node ? ANSWER_YES : ANSWER_NO;
}

enum search_answer fieldset_contains(struct lookup *lookup, yyjson_val *fields, const struct path *path)
{
    return find((struct node_search){.lookup = lookup}, fields, path);
}

enum search_answer fieldset_names(struct lookup *lookup, yyjson_val *fields, const struct path *path)
{
    return find((struct node_search){.lookup = lookup, .is_named = true}, fields, path);
}

enum search_answer fieldset_contains_below(struct lookup *lookup, yyjson_val *fields, const struct path *path)
{
    struct node_search search = {.lookup = lookup};
    yyjson_val *node = node_at(&search, fields, path);
    if (search.is_cut_short)
        return ANSWER_UNKNOWN;
    return yyjson_is_obj(node) && !fields_is_leaf(node) ? ANSWER_YES : ANSWER_NO;
}
