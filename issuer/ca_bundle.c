#include "issuer/ca_bundle.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <yaml.h>

/* A webhook configuration in a List is 6 deep. */
#define DEPTH_MAX 64

/* A webhook configuration may have some hundred webhooks. */
#define EDITS_MAX 4096

/* The role of a node, by its place: .webhooks[].clientConfig of an object, or of an object in .items[]. */
enum role {
    ROLE_OTHER,
    ROLE_OBJECT,
    ROLE_ITEMS,
    ROLE_WEBHOOKS,
    ROLE_WEBHOOK,
    ROLE_CLIENT_CONFIG,
    ROLE_CA_BUNDLE
};

struct frame {
    enum role role;
    bool is_map;
    bool expects_key;
    bool is_flow;
    bool is_empty;
    bool has_bundle;     /* of a clientConfig */
    enum role next_role; /* of the value whose key was read last */
    size_t start;        /* of the first key, or in flow style of the opening brace */
    size_t column;
};

/* In characters, as libyaml counts. */
enum edit_kind { EDIT_REPLACE, EDIT_INSERT_LINE, EDIT_INSERT_FIRST, EDIT_INSERT_ONLY };

struct edit {
    enum edit_kind kind;
    size_t start, end;
    size_t column;
    bool in_quotes;
};

struct scan {
    struct slice text;
    struct frame frames[DEPTH_MAX];
    size_t depth;
    struct edit edits[EDITS_MAX];
    size_t edit_count;
    size_t client_configs;
    size_t matching; /* caBundles that are `wanted` already */
    struct slice wanted;
    struct error *error;
};

static int fail_at(struct scan *scan, yaml_mark_t mark, const char *message)
{
    return error_set_at(scan->error, (unsigned)mark.line + 1, (unsigned)mark.column + 1, "%s", message);
}

static enum role role_of_value(enum role object, struct slice key)
{
    if (object == ROLE_OBJECT && slice_equal(key, SLICE("webhooks")))
        return ROLE_WEBHOOKS;
    if (object == ROLE_OBJECT && slice_equal(key, SLICE("items")))
        return ROLE_ITEMS;
    if (object == ROLE_WEBHOOK && slice_equal(key, SLICE("clientConfig")))
        return ROLE_CLIENT_CONFIG;
    if (object == ROLE_CLIENT_CONFIG && slice_equal(key, SLICE("caBundle")))
        return ROLE_CA_BUNDLE;
    return ROLE_OTHER;
}

/* The role of the node that begins now. */
static enum role role_here(const struct scan *scan)
{
    if (scan->depth == 0)
        return ROLE_OBJECT;
    const struct frame *frame = &scan->frames[scan->depth - 1];
    if (frame->is_map)
        return frame->expects_key ? ROLE_OTHER : frame->next_role;
    return frame->role == ROLE_ITEMS ? ROLE_OBJECT : frame->role == ROLE_WEBHOOKS ? ROLE_WEBHOOK : ROLE_OTHER;
}

/* A node, and all in it, is behind us: in a map keys and values take turns. */
static void node_ended(struct scan *scan)
{
    if (scan->depth > 0)
        scan->frames[scan->depth - 1].expects_key = !scan->frames[scan->depth - 1].expects_key;
}

static int add_edit(struct scan *scan, struct edit edit, yaml_mark_t mark)
{
    if (scan->edit_count == EDITS_MAX)
        return fail_at(scan, mark, "too many webhooks");
    scan->edits[scan->edit_count++] = edit;
    return 0;
}

static int begin_collection(struct scan *scan, const yaml_event_t *event, bool is_map, bool is_flow)
{
    if (scan->depth == DEPTH_MAX)
        return fail_at(scan, event->start_mark, "nested too deep");
    enum role role = role_here(scan);
    if (role == ROLE_CA_BUNDLE)
        return fail_at(scan, event->start_mark, "a caBundle that is no text");
    if (scan->depth > 0)
        scan->frames[scan->depth - 1].next_role =
            ROLE_OTHER; /* the role of a value whose key is a map or list */
    /* A flow map's own mark is at its anchor or tag, if it has one; its end mark behind the brace. */
    scan->frames[scan->depth++] = (struct frame){
        .role = role,
        .is_map = is_map,
        .expects_key = true,
        .is_flow = is_flow,
        .is_empty = true,
        .start = event->end_mark.index};
    scan->client_configs += is_map && role == ROLE_CLIENT_CONFIG;
    return 0;
}

static int end_map(struct scan *scan, const yaml_event_t *event)
{
    const struct frame *frame = &scan->frames[--scan->depth];
    if (frame->role == ROLE_CLIENT_CONFIG && !frame->has_bundle) {
        struct edit edit = {.start = frame->start, .end = frame->start, .column = frame->column};
        edit.kind = !frame->is_flow ? EDIT_INSERT_LINE
            : frame->is_empty       ? EDIT_INSERT_ONLY
                                    : EDIT_INSERT_FIRST;
        if (add_edit(scan, edit, event->start_mark) != 0)
            return -1;
    }
    node_ended(scan);
    return 0;
}

static void key_read(struct scan *scan, const yaml_event_t *event, struct slice key)
{
    struct frame *frame = &scan->frames[scan->depth - 1];
    frame->next_role = role_of_value(frame->role, key);
    if (frame->is_empty && !frame->is_flow) {
        frame->start = event->start_mark.index;
        frame->column = event->start_mark.column;
    }
    frame->is_empty = false;
}

static int bundle_read(struct scan *scan, const yaml_event_t *event, struct slice value)
{
    struct frame *frame = &scan->frames[scan->depth - 1];
    if (frame->has_bundle)
        return fail_at(scan, event->start_mark, "a second caBundle in one clientConfig");
    frame->has_bundle = true;
    scan->matching += slice_equal(value, scan->wanted);
    return add_edit(
        scan,
        (struct edit){
            .kind = EDIT_REPLACE,
            .start = event->start_mark.index,
            .end = event->end_mark.index,
            .in_quotes = frame->is_flow},
        event->start_mark);
}

static int leaf_read(struct scan *scan, const yaml_event_t *event, struct slice value, bool has_anchor)
{
    bool is_key =
        scan->depth > 0 && scan->frames[scan->depth - 1].is_map && scan->frames[scan->depth - 1].expects_key;
    if (is_key)
        key_read(scan, event, value);
    else if (role_here(scan) == ROLE_CA_BUNDLE) {
        if (has_anchor)
            return fail_at(scan, event->start_mark, "a caBundle with an anchor; write it without");
        if (bundle_read(scan, event, value) != 0)
            return -1;
    }
    node_ended(scan);
    return 0;
}

static int take_event(struct scan *scan, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_MAPPING_START_EVENT:
        return begin_collection(
            scan, event, true, event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE);
    case YAML_SEQUENCE_START_EVENT:
        return begin_collection(scan, event, false, false);
    case YAML_MAPPING_END_EVENT:
        return end_map(scan, event);
    case YAML_SEQUENCE_END_EVENT:
        scan->depth--;
        node_ended(scan);
        return 0;
    case YAML_SCALAR_EVENT:
        return leaf_read(
            scan, event, (struct slice){(const char *)event->data.scalar.value, event->data.scalar.length},
            event->data.scalar.anchor != NULL);
    case YAML_ALIAS_EVENT:
        return leaf_read(scan, event, SLICE(""), false);
    default:
        return 0;
    }
}

static int parser_failed(struct scan *scan, const yaml_parser_t *parser)
{
    if (parser->error == YAML_READER_ERROR)
        return error_set(scan->error, "it is no text in UTF-8");
    if (parser->error == YAML_MEMORY_ERROR)
        return error_set_out_of_memory(scan->error);
    return fail_at(scan, parser->problem_mark, parser->problem ? parser->problem : "it is no YAML");
}

static int take_events(struct scan *scan, yaml_parser_t *parser)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event))
            return parser_failed(scan, parser);
        bool is_end = event.type == YAML_STREAM_END_EVENT;
        int result = take_event(scan, &event);
        yaml_event_delete(&event);
        if (is_end || result != 0)
            return result;
    }
}

static int scan_text(struct scan *scan)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        return error_set_out_of_memory(scan->error);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)scan->text.bytes, scan->text.length);
    int result = take_events(scan, &parser);
    yaml_parser_delete(&parser);
    if (result == 0 && scan->client_configs == 0)
        return error_set(scan->error, "it has no webhooks with a clientConfig");
    return result;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

/* Prints on to character `to`; `*byte` and `*character` are where it is. */
static void print_to(struct slice text, size_t *byte, size_t *character, size_t to, FILE *out)
{
    size_t begin = *byte;
    while (*byte < text.length && (*character < to || is_continuation(text.bytes[*byte]))) {
        *character += !is_continuation(text.bytes[*byte]);
        ++*byte;
    }
    if (out)
        fwrite(text.bytes + begin, 1, *byte - begin, out);
}

static void print_edit(const struct edit *edit, const char *base64, bool ends_line, FILE *out)
{
    const char *quote = edit->in_quotes ? "\"" : "";
    switch (edit->kind) {
    case EDIT_REPLACE:
        /* Nothing at all stands right behind the colon; a block ends with its line. */
        fprintf(
            out, "%s%s%s%s%s", edit->start == edit->end ? " " : "", quote, base64, quote,
            ends_line ? "\n" : "");
        return;
    case EDIT_INSERT_LINE:
        fprintf(out, "caBundle: %s\n%*s", base64, (int)edit->column, "");
        return;
    case EDIT_INSERT_FIRST:
        fprintf(out, "\"caBundle\": \"%s\", ", base64);
        return;
    case EDIT_INSERT_ONLY:
        fprintf(out, "\"caBundle\": \"%s\"", base64);
        return;
    }
}

static int by_place(const void *a, const void *b)
{
    size_t first = ((const struct edit *)a)->start, second = ((const struct edit *)b)->start;
    return (first > second) - (first < second);
}

static void print_edited(struct scan *scan, const char *base64, FILE *out)
{
    size_t byte = 0, character = 0;
    qsort(scan->edits, scan->edit_count, sizeof(scan->edits[0]), by_place);
    for (size_t i = 0; i < scan->edit_count; i++) {
        const struct edit *edit = &scan->edits[i];
        print_to(scan->text, &byte, &character, edit->start, out);
        size_t replaced = byte;
        print_to(scan->text, &byte, &character, edit->end, NULL);
        print_edit(edit, base64, byte > replaced && scan->text.bytes[byte - 1] == '\n', out);
    }
    print_to(scan->text, &byte, &character, SIZE_MAX, out);
}

/* Reads the outcome again: what was edited blindly must be what was meant. */
static int check_outcome(struct scan *scan, struct slice outcome)
{
    size_t expected = scan->client_configs;
    scan->text = outcome;
    scan->depth = scan->edit_count = scan->client_configs = scan->matching = 0;
    struct error *error = scan->error, ignored = {0};
    scan->error = &ignored;
    int result = scan_text(scan);
    scan->error = error;
    if (result == 0 && scan->client_configs == expected && scan->matching == expected)
        return 0;
    return error_set(error, "it is written in a way that this cannot edit; set the caBundle by hand");
}

/* No byte order mark is printed, and so none of several. */
static struct slice without_marks(struct slice text)
{
    while (slice_starts_with(text, SLICE("\xef\xbb\xbf")))
        text = slice_from(text, 3);
    return text;
}

static int set_all(struct scan *scan, const char *base64, FILE *out)
{
    char *edited = NULL;
    size_t length = 0;
    if (scan_text(scan) != 0)
        return -1;
    FILE *memory = open_memstream(&edited, &length);
    if (!memory)
        return error_set_out_of_memory(scan->error);
    print_edited(scan, base64, memory);
    bool is_whole = fclose(memory) == 0;
    int result =
        is_whole ? check_outcome(scan, (struct slice){edited, length}) : error_set_out_of_memory(scan->error);
    if (result == 0)
        fwrite(edited, 1, length, out);
    free(edited);
    return result;
}

int ca_bundle_set(struct slice manifest, const char *base64, FILE *out, struct error *error)
{
    struct scan *scan = calloc(1, sizeof(*scan));
    if (!scan)
        return error_set_out_of_memory(error);
    scan->text = without_marks(manifest);
    scan->wanted = slice_of(base64);
    scan->error = error;
    int result = set_all(scan, base64, out);
    free(scan);
    return result;
}
