#include "base/yaml.h"

#include "base/array_size.h"
#include "base/text.h"
#include "base/yaml_problem.h"

#include <stdlib.h>
#include <yaml.h>

struct anchor {
    const struct anchor *previous;
    struct slice name;
    const struct yaml_node *node; /* NULL while its node is being read */
};

struct builder {
    yaml_parser_t parser;
    struct slice text;
    struct arena *arena;
    struct error *error;
    yaml_report *report; /* NULL: the first problem ends the reading */
    void *context;
    struct anchor *anchors; /* the latest first: it hides earlier ones of the same name */
    size_t anchor_count;
    unsigned line; /* of the latest event */
    unsigned column;
};

static unsigned line_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.line + 1;
}

static unsigned column_of(const yaml_event_t *event)
{
    return (unsigned)event->start_mark.column + 1;
}

static int out_of_memory(struct builder *builder)
{
    return error_set_out_of_memory(builder->error);
}

/* The caller deletes the event if this succeeds. */
static int next_event(struct builder *builder, yaml_event_t *event)
{
    if (!yaml_parser_parse(&builder->parser, event))
        return yaml_problem(&builder->parser, builder->text, builder->error);
    builder->line = line_of(event);
    builder->column = column_of(event);
    return 0;
}

const char *yaml_excerpt(struct arena *arena, struct slice text)
{
    const size_t limit = 40;
    struct text excerpt = text_start(arena, 64);
    text_append_quotable(&excerpt, text_cut(text, limit));
    if (text.length > limit)
        text_append_string(&excerpt, "…");
    text_append(&excerpt, (struct slice){"", 1});
    struct slice built = text_slice(&excerpt);
    return built.bytes ? built.bytes : "?";
}

static bool holds(struct slice text, const char *word)
{
    return slice_equal(text, slice_of(word));
}

/* As the core schema of YAML 1.2 reads scalars without quotes. */
static bool is_null(struct slice text)
{
    return text.length == 0 || holds(text, "~") || holds(text, "null") || holds(text, "Null") ||
        holds(text, "NULL");
}

static struct yaml_node *create_node(struct builder *builder, enum yaml_kind kind, const yaml_event_t *event)
{
    struct yaml_node *node = arena_allocate_array(builder->arena, 1, sizeof(*node));
    if (!node) {
        out_of_memory(builder);
        return NULL;
    }
    node->kind = kind;
    node->line = line_of(event);
    node->column = column_of(event);
    node->nodes = 1;
    node->height = kind == YAML_KIND_TEXT ? 0 : 1;
    return node;
}

/* For a problem that need not end the reading; -1 where it does. */
static int report(struct builder *builder, const struct error *error)
{
    if (builder->report) {
        builder->report(builder->context, error);
        return 0;
    }
    *builder->error = *error;
    return -1;
}

/* Nor is a tag named, which may be a token that begins with !. */
static int check_tag(
    struct builder *builder, const yaml_event_t *event, const yaml_char_t *tag, const char *expected)
{
    if (!tag || strcmp((const char *)tag, expected) == 0)
        return 0;
    struct error error;
    error_set_at(
        &error, line_of(event), column_of(event),
        "this tag is not understood here; remove it, or quote text that begins with !");
    return report(builder, &error);
}

/* An anchor counts from here on, but cannot be used until its node is complete. */
static int open_anchor(
    struct builder *builder, const yaml_event_t *event, const yaml_char_t *name, struct anchor **opened)
{
    *opened = NULL;
    if (!name)
        return 0;
    if (builder->anchor_count++ == YAML_ANCHORS_MAX)
        return error_set_at(
            builder->error, line_of(event), column_of(event), "there are more than %zu anchors; use fewer",
            YAML_ANCHORS_MAX);
    struct anchor *anchor = arena_allocate_array(builder->arena, 1, sizeof(*anchor));
    if (!anchor)
        return out_of_memory(builder);
    anchor->previous = builder->anchors;
    anchor->name = arena_copy(builder->arena, slice_of((const char *)name));
    if (!anchor->name.bytes)
        return out_of_memory(builder);
    *opened = builder->anchors = anchor;
    return 0;
}

/* The message leaves the name out: it may be a password that begins with *. */
static const struct yaml_node *read_alias(struct builder *builder, const yaml_event_t *event)
{
    struct slice name = slice_of((const char *)event->data.alias.anchor);
    const struct anchor *anchor = builder->anchors;
    while (anchor && !slice_equal(anchor->name, name))
        anchor = anchor->previous;
    if (anchor && anchor->node)
        return anchor->node;
    error_set_at(
        builder->error, line_of(event), column_of(event),
        anchor ? "this alias is inside the value that it refers to"
               : "this alias has no anchor before it; quote text that begins with *");
    return NULL;
}

static const struct yaml_node *read_text(struct builder *builder, const yaml_event_t *event)
{
    const yaml_char_t *tag = event->data.scalar.tag;
    struct anchor *anchor;
    struct yaml_node *node = create_node(builder, YAML_KIND_TEXT, event);
    if (!node || check_tag(builder, event, tag, YAML_STR_TAG) < 0 ||
        open_anchor(builder, event, event->data.scalar.anchor, &anchor) < 0)
        return NULL;
    struct slice text = {(const char *)event->data.scalar.value, event->data.scalar.length};
    node->text = arena_copy(builder->arena, text);
    if (text.length && !node->text.bytes) {
        out_of_memory(builder);
        return NULL;
    }
    node->text_bytes = text.length;
    node->quoted = tag || event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    node->null = !node->quoted && is_null(text);
    if (anchor)
        anchor->node = node;
    return node;
}

/* A list or map that is being read. */
struct container {
    struct yaml_node *node;
    struct yaml_entry **end;
    struct anchor *anchor;
    unsigned depth; /* 1: the document's own */
};

/* The bounds hold for every part, so they also hold for a walk that follows aliases. */
static int check_bounds(struct builder *builder, const struct yaml_node *node)
{
    if (node->height > YAML_DEPTH_MAX)
        return error_set_at(
            builder->error, builder->line, builder->column,
            "aliases are nested more than %d levels deep; write out what they stand for", YAML_DEPTH_MAX);
    if (node->nodes <= YAML_NODES_MAX && node->text_bytes <= YAML_TEXT_BYTES_MAX)
        return 0;
    return error_set_at(
        builder->error, builder->line, builder->column,
        "up to here the file holds more than %zu values or %zu bytes, aliases counted as what they stand "
        "for; shorten it",
        YAML_NODES_MAX, YAML_TEXT_BYTES_MAX);
}

static int add_entry(
    struct builder *builder, struct container *container, const struct yaml_node *key,
    const struct yaml_node *value)
{
    struct yaml_entry *entry = arena_allocate_array(builder->arena, 1, sizeof(*entry));
    if (!entry)
        return out_of_memory(builder);
    entry->key = key;
    entry->value = value;
    *container->end = entry;
    container->end = &entry->next;
    struct yaml_node *node = container->node;
    node->count++;
    node->nodes += value->nodes + (key ? key->nodes : 0);
    node->text_bytes += value->text_bytes + (key ? key->text_bytes : 0);
    if (value->height + 1 > node->height)
        node->height = value->height + 1;
    return check_bounds(builder, node);
}

static int open_container(
    struct builder *builder, struct container *container, const yaml_event_t *event, unsigned depth)
{
    bool list = event->type == YAML_SEQUENCE_START_EVENT;
    const yaml_char_t *tag = list ? event->data.sequence_start.tag : event->data.mapping_start.tag;
    const yaml_char_t *anchor = list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor;
    if (depth > YAML_DEPTH_MAX)
        return error_set_at(
            builder->error, line_of(event), column_of(event),
            "lists and maps are nested more than %d levels deep", YAML_DEPTH_MAX);
    container->depth = depth;
    container->node = create_node(builder, list ? YAML_KIND_LIST : YAML_KIND_MAP, event);
    if (!container->node)
        return -1;
    container->end = &container->node->entries;
    if (check_tag(builder, event, tag, list ? YAML_SEQ_TAG : YAML_MAP_TAG) < 0)
        return -1;
    return open_anchor(builder, event, anchor, &container->anchor);
}

static const struct yaml_node *read_node(struct builder *builder, const yaml_event_t *event, unsigned depth);

/* Reads the next node of the container; Sets `*ended` instead at the end. */
static int read_next(
    struct builder *builder, const struct container *container, const struct yaml_node **node, bool *ended)
{
    yaml_event_t event;
    if (next_event(builder, &event) < 0)
        return -1;
    *ended = event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
    *node = *ended ? NULL : read_node(builder, &event, container->depth + 1);
    yaml_event_delete(&event);
    return *ended || *node ? 0 : -1;
}

static int check_key(struct builder *builder, const struct yaml_node *key)
{
    if (key->kind != YAML_KIND_TEXT)
        return error_set_at(
            builder->error, key->line, key->column, "a key must be a string, not a list or map");
    if (!key->quoted && key->text.length == 0)
        return error_set_at(builder->error, key->line, key->column, "a key is missing before this colon");
    if (key->quoted || !holds(key->text, "<<"))
        return 0;
    struct error error;
    error_set_at(
        &error, key->line, key->column,
        "merge keys (<<) are not understood; write the keys out, or use an alias for the whole value");
    return report(builder, &error);
}

static int compare_keys(const void *a, const void *b)
{
    const struct yaml_node *first = (*(const struct yaml_entry *const *)a)->key;
    const struct yaml_node *second = (*(const struct yaml_entry *const *)b)->key;
    int order = slice_compare(first->text, second->text);
    if (order == 0)
        order = (first->line > second->line) - (first->line < second->line);
    if (order == 0)
        order = (first->column > second->column) - (first->column < second->column);
    return order;
}

/* By sorting: a map may have tens of thousands of keys. */
static int check_duplicates(struct builder *builder, const struct yaml_node *map)
{
    const struct yaml_entry **sorted = arena_allocate_array(builder->arena, map->count, sizeof(*sorted));
    if (!sorted)
        return out_of_memory(builder);
    size_t count = 0;
    for (const struct yaml_entry *entry = map->entries; entry; entry = entry->next)
        sorted[count++] = entry;
    qsort(sorted, count, sizeof(sorted[0]), compare_keys);
    for (size_t i = 1; i < count; i++) {
        const struct yaml_node *first = sorted[i - 1]->key;
        const struct yaml_node *second = sorted[i]->key;
        if (!slice_equal(first->text, second->text))
            continue;
        struct error error;
        error_set_at(
            &error, second->line, second->column,
            "the key \"%s\" is here a second time, after line %u; remove one of the two",
            yaml_excerpt(builder->arena, second->text), first->line);
        if (report(builder, &error) < 0)
            return -1;
    }
    return 0;
}

static int read_items(struct builder *builder, struct container *container)
{
    const struct yaml_node *item;
    bool ended;
    for (;;) {
        if (read_next(builder, container, &item, &ended) < 0)
            return -1;
        if (ended)
            return 0;
        if (add_entry(builder, container, NULL, item) < 0)
            return -1;
    }
}

static int read_members(struct builder *builder, struct container *container)
{
    const struct yaml_node *key, *value;
    bool ended;
    for (;;) {
        if (read_next(builder, container, &key, &ended) < 0)
            return -1;
        if (ended)
            return check_duplicates(builder, container->node);
        /* libyaml gives an empty text where a value is missing, so a key is never last. */
        if (check_key(builder, key) < 0 || read_next(builder, container, &value, &ended) < 0 ||
            add_entry(builder, container, key, value) < 0)
            return -1;
    }
}

static const struct yaml_node *read_container(
    struct builder *builder, const yaml_event_t *event, unsigned depth)
{
    struct container container = {0};
    if (open_container(builder, &container, event, depth) < 0 || !container.node)
        return NULL;
    int result = container.node->kind == YAML_KIND_LIST ? read_items(builder, &container)
                                                        : read_members(builder, &container);
    if (result < 0)
        return NULL;
    if (container.anchor)
        container.anchor->node = container.node;
    return container.node;
}

/* Recurses as deep as YAML_DEPTH_MAX. */
static const struct yaml_node *read_node(struct builder *builder, const yaml_event_t *event, unsigned depth)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return read_text(builder, event);
    case YAML_ALIAS_EVENT:
        return read_alias(builder, event);
    default:
        return read_container(builder, event, depth);
    }
}

/* Goes on to the next event that is not the stream's or a document's start. */
static int next_content(struct builder *builder, yaml_event_t *event)
{
    for (;;) {
        if (next_event(builder, event) < 0)
            return -1;
        if (event->type != YAML_STREAM_START_EVENT && event->type != YAML_DOCUMENT_START_EVENT)
            return 0;
        yaml_event_delete(event);
    }
}

/* After the document's content come its end and the stream's. */
static int check_end(struct builder *builder)
{
    yaml_event_t event = {.type = YAML_NO_EVENT};
    int result = next_event(builder, &event);
    yaml_event_delete(&event);
    if (result < 0 || next_event(builder, &event) < 0)
        return -1;
    if (event.type != YAML_STREAM_END_EVENT)
        result = error_set_at(
            builder->error, line_of(&event), column_of(&event),
            "a second document begins here; this file holds one");
    yaml_event_delete(&event);
    return result;
}

static const struct yaml_node *read_document(struct builder *builder)
{
    yaml_event_t event;
    if (next_content(builder, &event) < 0)
        return NULL;
    const struct yaml_node *root = NULL;
    if (event.type == YAML_STREAM_END_EVENT)
        error_set_at(builder->error, 1, 1, "the file is empty");
    else
        root = read_node(builder, &event, 1);
    yaml_event_delete(&event);
    return root && check_end(builder) == 0 ? root : NULL;
}

static bool ends_with_line_break(struct slice text)
{
    static const char *const breaks[] = {"\n", "\r", "\xc2\x85", "\xe2\x80\xa8", "\xe2\x80\xa9"};
    for (size_t i = 0; i < ARRAY_SIZE(breaks); i++) {
        struct slice line_break = slice_of(breaks[i]);
        if (text.length >= line_break.length &&
            slice_equal(slice_from(text, text.length - line_break.length), line_break))
            return true;
    }
    return text.length == 0;
}

/* libyaml's time grows with the square of the %TAG lines, and a policy needs no directives. */
static int check_directives(struct slice text, struct error *error)
{
    unsigned line = 1;
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] == '%' && ends_with_line_break((struct slice){text.bytes, i}))
            return error_set_at(
                error, line, 1, "a line that begins with %% is a YAML directive; remove or indent it");
        line += text.bytes[i] == '\n';
    }
    return 0;
}

const struct yaml_node *yaml_read(struct slice text, struct arena *arena, struct error *error)
{
    return yaml_read_on(text, arena, NULL, NULL, error);
}

const struct yaml_node *yaml_read_on(
    struct slice text, struct arena *arena, yaml_report *report, void *context, struct error *error)
{
    /* libyaml takes a byte order mark for a first column. */
    text = slice_without_mark(text);
    struct builder builder = {
        .text = text, .arena = arena, .error = error, .report = report, .context = context};
    if (check_directives(text, error) < 0)
        return NULL;
    if (!yaml_parser_initialize(&builder.parser)) {
        out_of_memory(&builder);
        return NULL;
    }
    yaml_parser_set_encoding(&builder.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &builder.parser, (const yaml_char_t *)(text.length ? text.bytes : ""), text.length);
    const struct yaml_node *root = read_document(&builder);
    yaml_parser_delete(&builder.parser);
    return root;
}

const struct yaml_node *yaml_member(const struct yaml_node *map, struct slice key)
{
    if (map->kind != YAML_KIND_MAP)
        return NULL;
    for (const struct yaml_entry *entry = map->entries; entry; entry = entry->next) {
        if (slice_equal(entry->key->text, key))
            return entry->value;
    }
    return NULL;
}
