#include "manifest/read_yaml.h"

#include "base/ascii.h"
#include "base/find.h"
#include "base/text.h"
#include "base/yaml_problem.h"
#include "manifest/flow_colons.h"
#include "manifest/marks.h"
#include "manifest/scalar.h"

#include <yaml.h>

struct anchor {
    const struct anchor *previous;
    struct slice name;
    const struct manifest_node *node; /* NULL while it is being read */
};

struct parse {
    struct build *build;
    yaml_parser_t parser;
    struct slice document;
    struct slice text;                /* the text without a byte order mark */
    const struct flow_colons *colons; /* for the text that libyaml reads instead; NULL: it reads `text` */
    size_t offset_of_text;
    unsigned first_line;
    struct marks marks;
    struct anchor *anchors; /* the latest first: it hides earlier ones with the same name */
    size_t anchor_count;
    size_t aliased_nodes;
    bool has_exact_marks; /* libyaml's lines and columns are those of editors */
};

static void move_to(struct parse *parse, const yaml_mark_t *mark)
{
    struct marks *marks = &parse->marks;
    if (!parse->has_exact_marks) {
        marks_move(marks, mark->index);
        return;
    }
    marks->character = marks->offset = mark->index;
    marks->line = parse->first_line + (unsigned)mark->line;
    marks->column = (unsigned)mark->column + 1;
}

static struct manifest_place start_of(struct parse *parse, const yaml_event_t *event)
{
    move_to(parse, &event->start_mark);
    const struct marks *marks = &parse->marks;
    return (struct manifest_place){marks->line, marks->column, marks->line, marks->column};
}

/* A block scalar ends where the next token begins: lines without content behind it do not belong to it. */
static void set_end(struct parse *parse, const yaml_event_t *event, struct manifest_place *place)
{
    move_to(parse, &event->end_mark);
    struct marks end = parse->marks;
    if (end.line > place->line)
        marks_move_before_blanks(&end);
    place->end_line = end.line;
    place->end_column = end.column;
}

/* A list or map ends at least where its content ends. */
static void extend(struct manifest_place *place, struct manifest_place inner)
{
    if (!manifest_is_before(place->end_line, place->end_column, inner.end_line, inner.end_column))
        return;
    place->end_line = inner.end_line;
    place->end_column = inner.end_column;
}

/*
 * libyaml counts lines in another way than editors. If something is missing at the end, its place is after
 * the last line.
 */
static void correct_mark(const struct parse *parse, yaml_mark_t *mark)
{
    struct marks marks = marks_start(parse->text, parse->first_line);
    marks_move(&marks, mark->index);
    if (marks.offset == parse->text.length)
        marks_move_before_blanks(&marks);
    mark->line = marks.line - 1;
    mark->column = marks.column - 1;
}

/* Whether the line contains {{ and }}, which are rare in YAML. */
static bool is_of_template(const struct parse *parse, unsigned line)
{
    struct slice rest = parse->text;
    for (unsigned number = parse->first_line; number < line && rest.length; number++)
        rest = slice_from(rest, slice_find(rest, '\n') + 1);
    struct slice text = slice_until(rest, slice_find(rest, '\n'));
    return slice_contains_text(text, SLICE("{{")) && slice_contains_text(text, SLICE("}}"));
}

static void mention_templates(const struct parse *parse, struct error *error)
{
    const struct error found = *error;
    if (is_of_template(parse, found.line))
        error_set_at(
            error, found.line, found.column,
            "%s; if this is a Helm template, check what helm template prints", found.message);
}

static struct slice given_text(const struct parse *parse)
{
    return parse->colons ? parse->colons->text : parse->text;
}

static bool next_event(struct parse *parse, yaml_event_t *event)
{
    if (yaml_parser_parse(&parse->parser, event)) {
        if (parse->colons && event->type == YAML_SCALAR_EVENT)
            event->data.scalar.length = flow_colons_restore(
                parse->colons, (char *)event->data.scalar.value, event->data.scalar.length);
        return true;
    }
    struct error *error = parse->build->error;
    correct_mark(parse, &parse->parser.problem_mark);
    correct_mark(parse, &parse->parser.context_mark);
    yaml_problem(&parse->parser, given_text(parse), error);
    if (parse->parser.error == YAML_READER_ERROR)
        error->line += parse->first_line - 1;
    mention_templates(parse, error);
    return false;
}

/* go.yaml.in/yaml/v2, decode.go: allowedAliasRatio. */
static double allowed_alias_ratio(size_t nodes)
{
    const double low = 400000, high = 4000000;
    double count = (double)nodes;
    if (count <= low)
        return 0.99;
    return count >= high ? 0.10 : 0.99 - 0.89 * ((count - low) / (high - low));
}

static bool check_aliases(struct parse *parse, struct manifest_place place)
{
    size_t nodes = parse->build->nodes, aliased = parse->aliased_nodes;
    if (aliased <= 100 || nodes <= 1000 || (double)aliased / (double)nodes <= allowed_alias_ratio(nodes))
        return true;
    return build_refuse(parse->build, place, "kubectl refuses this: most of the document comes from aliases");
}

static bool add_anchor(
    struct parse *parse, const yaml_char_t *name, struct manifest_place place, struct anchor **added)
{
    struct arena *arena = parse->build->arena;
    if (parse->anchor_count++ == MANIFEST_ANCHORS_MAX)
        return build_refuse(parse->build, place, "the document has more than 512 anchors; use fewer");
    struct anchor *anchor = arena_allocate_array(arena, 1, sizeof(*anchor));
    struct slice copy = anchor ? arena_copy(arena, slice_of((const char *)name)) : (struct slice){NULL, 0};
    if (!copy.bytes)
        return build_out_of_memory(parse->build);
    anchor->previous = parse->anchors;
    anchor->name = copy;
    *added = parse->anchors = anchor;
    return true;
}

/* Nearly no node has an anchor. */
static inline bool open_anchor(
    struct parse *parse, const yaml_char_t *name, struct manifest_place place, struct anchor **opened)
{
    *opened = NULL;
    return !name || add_anchor(parse, name, place, opened);
}

/* The message omits the name: it may be a password that begins with *. */
static const struct anchor *find_anchor(struct parse *parse, struct slice name, struct manifest_place place)
{
    const struct anchor *anchor = parse->anchors;
    while (anchor && !slice_equal(anchor->name, name))
        anchor = anchor->previous;
    if (anchor && anchor->node)
        return anchor;
    build_refuse(
        parse->build, place,
        anchor ? "this alias is inside the value that it refers to"
               : "this alias has no anchor before it; quote text that begins with *");
    return NULL;
}

/* The node of the anchor, at the place of the alias. */
static struct manifest_node *read_alias(struct parse *parse, const yaml_event_t *event, unsigned depth)
{
    struct build *build = parse->build;
    struct manifest_place place = start_of(parse, event);
    set_end(parse, event, &place);
    build->has_aliases = true;
    const struct anchor *anchor = find_anchor(parse, slice_of((const char *)event->data.alias.anchor), place);
    if (!anchor || !build_check_depth(build, depth - 1 + anchor->node->height, place) ||
        !build_count(build, anchor->node->nodes + 1, anchor->node->text_bytes, place))
        return NULL;
    parse->aliased_nodes += anchor->node->nodes;
    if (!check_aliases(parse, place))
        return NULL;
    struct manifest_node *node = arena_allocate(build->arena, sizeof(*node));
    if (!node)
        return build_out_of_memory(build);
    *node = *anchor->node;
    node->place = place;
    node->nodes++;
    return node;
}

/* Go's scanner allows \' and forbids \/. */
static bool has_escaped_slash(struct slice source)
{
    for (size_t i = 0; i + 1 < source.length; i++) {
        if (source.bytes[i] != '\\')
            continue;
        if (source.bytes[++i] == '/')
            return true;
    }
    return false;
}

/* Text that libyaml 0.2.5 accepts and Go's scanner refuses. */
static bool check_source(
    struct parse *parse, const yaml_event_t *event, struct slice source, bool in_flow,
    struct manifest_place place)
{
    yaml_scalar_style_t style = event->data.scalar.style;
    if (style == YAML_DOUBLE_QUOTED_SCALAR_STYLE && has_escaped_slash(source))
        return build_refuse(
            parse->build, place, "kubectl does not know the escape \\/; write / without a backslash");
    /* Do not search the source: a tag before the text may contain one. */
    struct slice text = {(const char *)event->data.scalar.value, event->data.scalar.length};
    if (style == YAML_PLAIN_SCALAR_STYLE && in_flow && slice_contains(text, '?'))
        return build_refuse(
            parse->build, place, "kubectl reads a ? in brackets as the mark of a key; quote this text");
    return true;
}

static bool resolve(
    struct parse *parse, const yaml_event_t *event, struct slice text, struct resolved *resolved,
    struct manifest_place place)
{
    const yaml_char_t *tag = event->data.scalar.tag;
    const char *problem;
    if (resolve_scalar(
            tag ? slice_of((const char *)tag) : SLICE(""), event->data.scalar.plain_implicit, text,
            parse->build->arena, resolved, &problem))
        return true;
    return problem && !arena_has_failed(parse->build->arena) ? build_refuse(parse->build, place, problem)
                                                             : build_out_of_memory(parse->build);
}

/* The texts of nodes outlive the event. */
static bool keep_text(struct parse *parse, const yaml_event_t *event, struct slice *text)
{
    *text = (struct slice){(const char *)event->data.scalar.value, event->data.scalar.length};
    if (!text->length)
        return true;
    *text = arena_copy(parse->build->arena, *text);
    if (!text->bytes)
        build_out_of_memory(parse->build);
    return text->bytes != NULL;
}

static bool is_block(const yaml_event_t *event)
{
    return event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
        event->data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
}

/* A scalar, with the value of its text. */
struct reading {
    struct scalar scalar;
    struct resolved resolved;
    struct anchor *anchor; /* NULL: it has none */
};

static bool read_text(struct parse *parse, const yaml_event_t *event, bool in_flow, struct reading *reading)
{
    struct manifest_place place = start_of(parse, event);
    const size_t offset = parse->marks.offset, start = parse->offset_of_text + offset;
    set_end(parse, event, &place);
    struct slice source = slice_from(slice_until(parse->text, parse->marks.offset), offset), text;
    reading->anchor = NULL;
    if (parse->build->has_waivers &&
        !comments_add_scalar(
            &parse->build->spans, parse->document, start, start + source.length, is_block(event),
            parse->build->arena))
        return build_out_of_memory(parse->build);
    if (!check_source(parse, event, source, in_flow, place) || !keep_text(parse, event, &text) ||
        !open_anchor(parse, event->data.scalar.anchor, place, &reading->anchor) ||
        !resolve(parse, event, text, &reading->resolved, place))
        return false;
    reading->scalar = (struct scalar){
        .resolved = &reading->resolved,
        .written = text,
        .is_plain = event->data.scalar.plain_implicit && event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE,
        .place = place,
    };
    return true;
}

static struct manifest_node *read_value(struct parse *parse, const yaml_event_t *event, bool in_flow)
{
    struct reading reading;
    struct manifest_node *node =
        read_text(parse, event, in_flow, &reading) ? scalar_value(parse->build, &reading.scalar) : NULL;
    if (node && reading.anchor)
        reading.anchor->node = node;
    return node && check_aliases(parse, node->place) ? node : NULL;
}

/* An alias as a key gets the text of its value, 1 and not "1"; the ambiguity was noted at the anchor. */
static bool keep_key(struct parse *parse, struct reading *reading)
{
    reading->scalar.is_plain = false;
    reading->anchor->node = scalar_value(parse->build, &reading->scalar);
    return reading->anchor->node != NULL;
}

static bool read_key(struct parse *parse, const yaml_event_t *event, bool in_flow, struct manifest_node *key)
{
    struct reading reading;
    return read_text(parse, event, in_flow, &reading) && scalar_key(parse->build, &reading.scalar, key) &&
        (!reading.anchor || keep_key(parse, &reading)) && check_aliases(parse, key->place);
}

static struct manifest_node *read_node(
    struct parse *parse, const yaml_event_t *event, unsigned depth, bool in_flow);

static bool is_flow(const yaml_event_t *event)
{
    return event->type == YAML_SEQUENCE_START_EVENT
        ? event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE
        : event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
}

/* A list or map whose content is being read. */
struct level {
    struct build_container container;
    struct anchor *anchor;
    unsigned depth;
    bool in_flow;
    bool has_ended;
};

/* Reads the next item or value; returns NULL at the end, or with an error. */
static struct manifest_node *read_next(struct parse *parse, struct level *level)
{
    yaml_event_t event;
    if (!next_event(parse, &event))
        return NULL;
    struct manifest_node *node = NULL;
    struct manifest_place *place = &level->container.node->place;
    if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
        level->has_ended = true;
        if (level->in_flow)
            set_end(parse, &event, place);
    } else {
        node = read_node(parse, &event, level->depth + 1, level->in_flow);
    }
    yaml_event_delete(&event);
    if (node)
        extend(place, node->place);
    return node;
}

static bool read_items(struct parse *parse, struct level *level)
{
    for (;;) {
        const struct manifest_member item = {.value = read_next(parse, level)};
        if (!item.value)
            return level->has_ended;
        if (!build_add(parse->build, &level->container, &item))
            return false;
    }
}

/* Adds the members of a merged map, as they were read there. */
static bool merge_map(
    struct parse *parse, struct level *level, const struct manifest_node *map, struct manifest_place place)
{
    if (map->kind != MANIFEST_MAP)
        return build_refuse(parse->build, place, "a merge key (<<) takes a map, or a list of maps");
    for (size_t i = 0; i < map->count; i++) {
        struct build_entry *entry = build_add(parse->build, &level->container, &map->members[i]);
        if (!entry)
            return false;
        entry->is_merged = true;
        entry->member.key_place = entry->member.key_place.line ? entry->member.key_place : place;
    }
    return true;
}

static bool merge(
    struct parse *parse, struct level *level, const struct manifest_node *value, bool is_alias,
    struct manifest_place place)
{
    if (value->kind != MANIFEST_LIST || is_alias)
        return merge_map(parse, level, value, place);
    /* Go backwards, because earlier maps take precedence. */
    for (size_t i = value->count; i; i--) {
        if (!merge_map(parse, level, value->items[i - 1], place))
            return false;
    }
    return true;
}

static bool is_merge(const yaml_event_t *event)
{
    const char *tag = (const char *)event->data.scalar.tag;
    return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 2 &&
        memcmp(event->data.scalar.value, "<<", 2) == 0 &&
        (event->data.scalar.plain_implicit || (tag && strcmp(tag, "tag:yaml.org,2002:merge") == 0));
}

static bool read_merge(struct parse *parse, struct level *level, const yaml_event_t *key)
{
    struct manifest_place place = start_of(parse, key);
    struct anchor *anchor;
    if (!open_anchor(parse, key->data.scalar.anchor, place, &anchor))
        return false;
    if (anchor)
        anchor->node = build_node(parse->build, MANIFEST_STRING, SLICE("<<"), place);
    yaml_event_t event;
    if ((anchor && !anchor->node) || !next_event(parse, &event))
        return false;
    bool is_alias = event.type == YAML_ALIAS_EVENT;
    const struct manifest_node *value = read_node(parse, &event, level->depth + 1, level->in_flow);
    yaml_event_delete(&event);
    if (value)
        extend(&level->container.node->place, value->place);
    return value && merge(parse, level, value, is_alias, place);
}

/* A key that is an alias becomes the same text as if it were written in full. */
static bool key_of_alias(struct parse *parse, const struct manifest_node *node, struct manifest_node *key)
{
    struct resolved resolved = {.kind = RESOLVED_TEXT};
    switch (node->kind) {
    case MANIFEST_STRING:
        *key = *node;
        return true;
    case MANIFEST_BOOL:
        resolved.kind = RESOLVED_BOOL;
        resolved.boolean = node->boolean;
        break;
    case MANIFEST_INT:
        resolved.kind = RESOLVED_INT;
        resolved.integer = node->integer;
        break;
    case MANIFEST_FLOAT:
        resolved.kind = RESOLVED_REAL;
        resolved.real = node->real;
        break;
    case MANIFEST_NULL:
        resolved.kind = RESOLVED_NULL;
        break;
    default:
        return build_refuse(
            parse->build, node->place,
            "a key must be a string; if this is a Helm template, check what helm template prints");
    }
    return scalar_key(parse->build, &(struct scalar){.resolved = &resolved, .place = node->place}, key);
}

static bool read_any_key(
    struct parse *parse, struct level *level, const yaml_event_t *event, struct manifest_node *key)
{
    if (event->type == YAML_SCALAR_EVENT)
        return read_key(parse, event, level->in_flow, key);
    const struct manifest_node *node = read_node(parse, event, level->depth + 1, level->in_flow);
    return node && key_of_alias(parse, node, key);
}

static bool read_member(struct parse *parse, struct level *level, const yaml_event_t *event)
{
    struct manifest_node key;
    if (is_merge(event))
        return read_merge(parse, level, event);
    if (!read_any_key(parse, level, event, &key))
        return false;
    const struct manifest_member member = {
        .key = key.string, .key_place = key.place, .value = read_next(parse, level)};
    if (!member.value || !build_add(parse->build, &level->container, &member))
        return false;
    struct manifest_node *node = level->container.node;
    node->nodes += key.nodes;
    node->text_bytes += key.text_bytes;
    return true;
}

static bool read_members(struct parse *parse, struct level *level)
{
    while (!level->has_ended) {
        yaml_event_t event;
        if (!next_event(parse, &event))
            return false;
        level->has_ended = event.type == YAML_MAPPING_END_EVENT;
        if (level->has_ended && level->in_flow)
            set_end(parse, &event, &level->container.node->place);
        bool is_good = level->has_ended || read_member(parse, level, &event);
        yaml_event_delete(&event);
        if (!is_good)
            return false;
    }
    return true;
}

/* kubectl ignores tags of lists and maps. */
static struct manifest_node *read_container(struct parse *parse, const yaml_event_t *event, unsigned depth)
{
    bool is_list = event->type == YAML_SEQUENCE_START_EVENT;
    struct manifest_place place = start_of(parse, event);
    struct level level = {.depth = depth, .in_flow = is_flow(event)};
    if (!build_check_depth(parse->build, depth, place))
        return NULL;
    struct manifest_node *node =
        build_node(parse->build, is_list ? MANIFEST_LIST : MANIFEST_MAP, (struct slice){NULL, 0}, place);
    if (!node ||
        !open_anchor(
            parse, is_list ? event->data.sequence_start.anchor : event->data.mapping_start.anchor, place,
            &level.anchor))
        return NULL;
    level.container = build_open(parse->build, node);
    if (!(is_list ? read_items(parse, &level) : read_members(parse, &level)))
        return NULL;
    node = build_close(parse->build, &level.container);
    if (level.anchor)
        level.anchor->node = node;
    return node && check_aliases(parse, place) ? node : NULL;
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. */
static struct manifest_node *read_node(
    struct parse *parse, const yaml_event_t *event, unsigned depth, bool in_flow)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return read_value(parse, event, in_flow);
    case YAML_ALIAS_EVENT:
        return read_alias(parse, event, depth);
    default:
        return read_container(parse, event, depth);
    }
}

/* The first byte from `offset` on that is neither white space nor in a comment. */
static size_t skip_comments(struct slice text, size_t offset)
{
    while (offset < text.length && (ascii_is_space(text.bytes[offset]) || text.bytes[offset] == '#')) {
        if (text.bytes[offset] == '#')
            offset += slice_find(slice_from(text, offset), '\n');
        else
            offset++;
    }
    return offset;
}

/* Go's decoder ignores everything after its first document. */
static void note_rest(struct parse *parse, const yaml_event_t *end)
{
    move_to(parse, &end->end_mark);
    size_t offset = skip_comments(parse->text, parse->marks.offset);
    while (slice_starts_with(slice_from(parse->text, offset), SLICE("...")))
        offset = skip_comments(parse->text, offset + 3);
    if (offset == parse->text.length)
        return;
    marks_move_to_offset(&parse->marks, offset);
    struct manifest_ambiguity ambiguity = {
        .kind = MANIFEST_IGNORED_CONTENT,
        .place = {parse->marks.line, parse->marks.column, parse->marks.line, parse->marks.column}};
    notes_add(parse->build->notes, &ambiguity);
}

static const struct manifest_node *read_root(struct parse *parse)
{
    yaml_event_t event;
    if (!next_event(parse, &event))
        return NULL;
    const struct manifest_node *root = read_node(parse, &event, 1, false);
    yaml_event_delete(&event);
    if (!root || !next_event(parse, &event))
        return NULL;
    note_rest(parse, &event);
    yaml_event_delete(&event);
    return root;
}

static const struct manifest_node *read_document(struct parse *parse)
{
    yaml_event_t event;
    const struct manifest_place start = {parse->first_line, 1, parse->first_line, 1};
    yaml_event_type_t type;
    do {
        if (!next_event(parse, &event))
            return NULL;
        type = event.type;
        yaml_event_delete(&event);
    } while (type == YAML_STREAM_START_EVENT);
    parse->build->nodes++; /* Go counts the document itself */
    if (type == YAML_STREAM_END_EVENT)
        return build_node(parse->build, MANIFEST_NULL, (struct slice){NULL, 0}, start);
    return read_root(parse);
}

/*
 * Documents are split at ---, so a directive belongs to no document. This check runs before libyaml, whose
 * time is quadratic in the number of %TAG lines.
 */
static bool check_directives(struct parse *parse)
{
    size_t offset = skip_comments(parse->text, 0);
    if (offset == parse->text.length || parse->text.bytes[offset] != '%' ||
        (offset && parse->text.bytes[offset - 1] != '\n'))
        return true;
    marks_move_to_offset(&parse->marks, offset);
    return build_refuse(
        parse->build, (struct manifest_place){parse->marks.line, 1, parse->marks.line, 1},
        "kubectl refuses YAML directives, as it splits documents at ---; remove this line");
}

static bool is_flow_colon(const yaml_parser_t *parser)
{
    return parser->error == YAML_SCANNER_ERROR && strcmp(parser->problem, "found unexpected ':'") == 0;
}

/* `again`: libyaml refused a colon that Go's YAML reads as text. */
static const struct manifest_node *parse_text(struct parse *parse, bool *again)
{
    if (!yaml_parser_initialize(&parse->parser))
        return build_out_of_memory(parse->build);
    const struct slice text = given_text(parse);
    yaml_parser_set_encoding(&parse->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(
        &parse->parser, (const yaml_char_t *)(text.length ? text.bytes : ""), text.length);
    const struct manifest_node *root = read_document(parse);
    *again = !root && is_flow_colon(&parse->parser);
    yaml_parser_delete(&parse->parser);
    return root;
}

const struct manifest_node *read_yaml(struct build *build, struct slice text, unsigned first_line)
{
    struct parse parse = {
        .build = build,
        .document = text,
        .offset_of_text = text.length - slice_without_mark(text).length,
        .first_line = first_line,
    };
    build->has_waivers = comments_has_waivers(text);
    text = parse.text = slice_from(text, parse.offset_of_text);
    parse.has_exact_marks = marks_are_bytes(text);
    parse.marks = marks_start(text, first_line);
    if (!check_directives(&parse))
        return NULL;
    parse.marks = marks_start(text, first_line);
    const struct parse start = parse;
    const struct build build_start = *build;
    const size_t note_count = build->notes->count, entry_count = build->stack->count;
    struct flow_colons colons;
    bool again = false;
    const struct manifest_node *root = parse_text(&parse, &again);
    if (!again || !flow_colons_replace(text, build->arena, &colons))
        return root;
    parse = start;
    parse.colons = &colons;
    *build = build_start;
    build->notes->count = note_count;
    build->stack->count = entry_count;
    return parse_text(&parse, &again);
}
