#include "manifest/manifest.h"

#include "base/array_size.h"
#include "base/find.h"
#include "base/search.h"
#include "manifest/build.h"
#include "manifest/comments.h"
#include "manifest/marks.h"
#include "manifest/object.h"
#include "manifest/origin.h"
#include "manifest/read_json.h"
#include "manifest/read_yaml.h"
#include "manifest/secrets.h"
#include "manifest/stream.h"

#include <stdlib.h>
#include <string.h>

/* Whether the reader reports a failure of the input: only once. */
enum failure { FAILURE_UNREPORTED, FAILURE_REPORTED };

struct manifest_reader {
    struct arena *arena;
    struct manifest_limits limits;
    struct stream stream;
    struct build_stack stack; /* empty between documents */
    struct manifest_document document;
    const struct manifest_node *list; /* the List whose items come next; NULL: none */
    size_t next_item;
    size_t document_count;
    struct manifest_mark lost_waiver; /* the first in empty documents since the last object */
    enum failure failure;
    bool is_foreign;
    bool is_unlike_objects;
};

/* Every object has these. */
static const char *const object_names[] = {"apiVersion", "kind", "metadata"};

struct manifest_reader *manifest_open(
    manifest_read *read, void *context, const struct manifest_limits *limits)
{
    struct manifest_reader *reader = malloc(sizeof(*reader));
    struct arena *arena = reader ? arena_create() : NULL;
    if (!arena) {
        free(reader);
        return NULL;
    }
    reader->arena = arena;
    reader->limits = limits ? *limits : manifest_default_limits();
    stream_open(&reader->stream, read, context, reader->limits.document_bytes);
    reader->stack = (struct build_stack){0};
    reader->list = NULL;
    reader->document_count = 0;
    reader->lost_waiver = (struct manifest_mark){0};
    reader->failure = FAILURE_UNREPORTED;
    reader->is_foreign = reader->is_unlike_objects = false;
    return reader;
}

void manifest_close(struct manifest_reader *reader)
{
    if (!reader)
        return;
    stream_close(&reader->stream);
    build_stack_free(&reader->stack);
    arena_destroy(reader->arena);
    free(reader);
}

/* A failure of the input ends it, and is reported once. */
static enum manifest_result end(struct manifest_reader *reader, struct error *error)
{
    const struct input *input = &reader->stream.input;
    if (reader->failure == FAILURE_REPORTED || (!input->failure && !input->is_memory_out))
        return MANIFEST_END;
    reader->failure = FAILURE_REPORTED;
    error_set_at(
        error, reader->stream.line, 1, "the input cannot be read from here on: %s",
        input->failure ? strerror(input->failure) : "out of memory");
    error->is_out_of_memory = !input->failure;
    return MANIFEST_ERROR;
}

static bool is_before(const void *ambiguity, const void *place)
{
    const struct manifest_place *first = &((const struct manifest_ambiguity *)ambiguity)->place;
    const struct manifest_place *second = place;
    return manifest_is_before(first->line, first->column, second->line, second->column);
}

/* The first ambiguity from a position on; they are sorted by place. */
static size_t first_ambiguity(const struct manifest_document *document, unsigned line, unsigned column)
{
    const struct manifest_place place = {.line = line, .column = column};
    return search_first(
        document->ambiguities, document->ambiguity_count, sizeof(*document->ambiguities), is_before, &place);
}

/*
 * Ambiguities inside an item, which may share its lines with other items; if the document is one object, all
 * of them.
 */
static void find_ambiguities(const struct manifest_reader *reader, struct manifest_object *object)
{
    const struct manifest_document *document = &reader->document;
    const struct manifest_place place = object->root->place;
    size_t first = 0, end = document->ambiguity_count;
    if (reader->list) {
        first = first_ambiguity(document, place.line, place.column);
        end = first_ambiguity(document, place.end_line, place.end_column);
    }
    object->ambiguities = end > first ? document->ambiguities + first : NULL;
    object->ambiguity_count = end - first;
}

static bool has_failed(const struct manifest_reader *reader)
{
    return arena_has_failed(reader->arena) || reader->stack.failed;
}

static enum manifest_result out_of_memory(struct error *error, unsigned line)
{
    error_set_out_of_memory_at(error, line);
    return MANIFEST_ERROR;
}

static enum manifest_result fill_object(
    struct manifest_reader *reader, const struct manifest_node *root, struct manifest_object *object,
    struct error *error)
{
    const struct manifest_node *metadata = manifest_member(root, SLICE("metadata"));
    *object = (struct manifest_object){
        .document = &reader->document,
        .root = root,
        .api_version = manifest_text(manifest_member(root, SLICE("apiVersion"))),
        .kind = manifest_text(manifest_member(root, SLICE("kind"))),
        .namespace = manifest_text(manifest_member(metadata, SLICE("namespace"))),
        .name = manifest_text(manifest_member(metadata, SLICE("name"))),
        .origin = reader->document.origin,
    };
    find_ambiguities(reader, object);
    origin_of_annotation(root, reader->arena, &object->origin);
    if (has_failed(reader))
        return out_of_memory(error, root->place.line);
    return MANIFEST_OBJECT;
}

/* Adds the kind and apiVersion that the List gives to the item. */
static const struct manifest_node *complete_item(
    struct manifest_reader *reader, const struct manifest_node *item)
{
    struct slice kind = object_kind_of_item(reader->list, item);
    if (manifest_text(manifest_member(item, SLICE("kind"))).length ||
        manifest_text(manifest_member(item, SLICE("apiVersion"))).length)
        return item;
    struct error ignored;
    struct notes notes = {.arena = reader->arena}; /* the item's ambiguities were found before */
    struct build build = {
        .arena = reader->arena,
        .error = &ignored,
        .limits = reader->limits,
        .notes = &notes,
        .stack = &reader->stack,
    };
    struct manifest_node *whole = build_node(&build, MANIFEST_MAP, (struct slice){NULL, 0}, item->place);
    const struct manifest_node *version = manifest_member(reader->list, SLICE("apiVersion"));
    struct manifest_node *kind_node = build_node(&build, MANIFEST_STRING, kind, item->place);
    struct manifest_node *version_node =
        build_node(&build, MANIFEST_STRING, manifest_text(version), item->place);
    if (!whole || !kind_node || !version_node)
        return NULL;
    const struct manifest_member added[] = {
        {SLICE("kind"), item->place, kind_node}, {SLICE("apiVersion"), item->place, version_node}};
    struct build_container container = build_open(&build, whole);
    for (size_t i = 0; i < (item->kind == MANIFEST_MAP ? item->count : 0); i++)
        build_add(&build, &container, &item->members[i]);
    for (size_t i = 0; i < 2; i++)
        build_add(&build, &container, &added[i]);
    return has_failed(reader) ? NULL : build_close(&build, &container);
}

static enum manifest_result next_item(
    struct manifest_reader *reader, const struct manifest_node *items, struct manifest_object *object,
    struct error *error)
{
    const struct manifest_node *item = items->items[reader->next_item++];
    const unsigned line = item->place.line;
    const struct manifest_node *whole = complete_item(reader, item);
    if (!whole)
        return out_of_memory(error, line);
    return object_check_type(whole, error) ? fill_object(reader, whole, object, error) : MANIFEST_ERROR;
}

/* The items of the List that is being read; returns NULL if all were read. */
static const struct manifest_node *items_left(const struct manifest_reader *reader)
{
    const struct manifest_node *items = manifest_member(reader->list, SLICE("items"));
    bool is_left = items && items->kind == MANIFEST_LIST && reader->next_item < items->count;
    return is_left ? items : NULL;
}

/* Returns false, so that callers can return the result. */
static bool refuse_at(const struct manifest_node *node, struct error *error, const char *sentence)
{
    error_set_at(error, node->place.line, node->place.column, "%s", sentence);
    return false;
}

/* kubectl reads a List as a whole: a wrong item, or a List inside it, invalidates the whole List. */
static bool check_list(const struct manifest_node *items, struct error *error)
{
    if (items->kind != MANIFEST_LIST && items->kind != MANIFEST_NULL)
        return refuse_at(
            items, error, "items must be a list, because kubectl reads an object with items as a List");
    for (size_t i = 0; i < (items->kind == MANIFEST_LIST ? items->count : 0); i++) {
        const struct manifest_node *item = items->items[i];
        if (item->kind != MANIFEST_MAP && item->kind != MANIFEST_NULL)
            return refuse_at(item, error, "an item of a List must be an object");
        const struct manifest_member *nested = manifest_find_member(item, SLICE("items"));
        if (nested && nested->value->kind == MANIFEST_LIST)
            return refuse_at(
                item, error,
                "kubectl refuses a List inside a List, with the items of both; move its items to the outer "
                "List");
    }
    return true;
}

/* If memory runs out, the index is missing; arena_has_failed() reports that. */
static void index_lines(struct manifest_document *document, struct arena *arena)
{
    struct slice text = document->text;
    size_t count = 0, line = 0;
    for (size_t at = 0; at < text.length; at += slice_find(slice_from(text, at), '\n') + 1)
        count++;
    size_t *starts = arena_allocate_array(arena, count, sizeof(*starts));
    for (size_t at = 0; starts && at < text.length; at += slice_find(slice_from(text, at), '\n') + 1)
        starts[line++] = at;
    document->line_starts = starts;
    document->line_count = count;
}

/* kustomize reads it without an apiVersion, too, unlike a Kustomization of Flux. */
static bool is_bare_kustomization(const struct manifest_node *root)
{
    const struct slice kind = manifest_text(manifest_member(root, SLICE("kind")));
    return (slice_equal(kind, SLICE("Kustomization")) || slice_equal(kind, SLICE("Component"))) &&
        !manifest_member(root, SLICE("apiVersion")) && !manifest_member(root, SLICE("spec"));
}

static bool is_foreign(const struct manifest_node *root)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_SIZE(object_names); i++)
        count += manifest_member(root, slice_of(object_names[i])) != NULL;
    return root->kind == MANIFEST_LIST ||
        (root->kind == MANIFEST_MAP && (count <= 1 || is_bare_kustomization(root)));
}

/* Judges by the text, because the value is not a map. */
static bool is_unlike_objects(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < ARRAY_SIZE(object_names); i++)
        count += slice_contains_text(text, slice_of(object_names[i]));
    return count <= 1;
}

/* Decides what kubectl takes the document for: an object, or a List whose items come next. */
static enum manifest_result take_document(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error)
{
    const struct manifest_node *root = reader->document.root;
    const struct manifest_node *items = manifest_member(root, SLICE("items"));
    reader->is_foreign = is_foreign(root);
    reader->is_unlike_objects = !root->height && is_unlike_objects(reader->document.text);
    bool is_object = root->kind == MANIFEST_MAP ||
        refuse_at(root, error, "the document is not an object: it should be a map with apiVersion and kind");
    if (!is_object || !object_check_type(root, error) || !object_check_metadata(root, reader->arena, error))
        return MANIFEST_ERROR;
    if (!items)
        return fill_object(reader, root, object, error);
    if (!check_list(items, error))
        return MANIFEST_ERROR;
    index_lines(&reader->document, reader->arena);
    reader->list = root;
    reader->next_item = 0;
    return MANIFEST_END; /* continue with the items */
}

/* Notes the first U+FFFD. */
static void note_replaced(struct notes *notes, const struct stream_document *source)
{
    struct marks marks = marks_start(source->text, source->line);
    size_t offset = 0;
    while (offset < source->text.length &&
           !slice_starts_with(slice_from(source->text, offset), SLICE("\xef\xbf\xbd")))
        offset += 1 + slice_find(slice_from(source->text, offset + 1), '\xef');
    if (offset >= source->text.length)
        return;
    marks.column = source->column;
    marks_move_to_offset(&marks, offset);
    struct manifest_ambiguity ambiguity = {
        .kind = MANIFEST_NOT_UTF8, .place = {marks.line, marks.column, marks.line, marks.column}};
    notes_add(notes, &ambiguity);
}

/* Returns false if memory runs out. */
static bool find_comments(struct manifest_document *document, const struct build *build)
{
    comments_find_source(document, &document->origin);
    return !build->has_waivers || comments_find_waivers(document, &build->spans, build->arena);
}

/*
 * Returns NULL and sets the error if the document cannot be read. The error is not set if memory runs out for
 * what is noted of it; the arena remembers.
 */
static const struct manifest_node *read_document(
    struct manifest_reader *reader, const struct stream_document *source, bool *is_malformed,
    struct error *error)
{
    struct notes notes = {.arena = reader->arena};
    struct build build = {
        .arena = reader->arena,
        .error = error,
        .limits = reader->limits,
        .notes = &notes,
        .stack = &reader->stack,
    };
    struct manifest_document *document = &reader->document;
    *document = (struct manifest_document){
        .number = ++reader->document_count,
        .first_line = source->line,
        .first_column = source->column,
        .text = source->text,
        .is_json = source->is_json,
    };
    if (source->has_replaced)
        note_replaced(&notes, source);
    document->root = source->is_json ? read_json(&build, source->text, source->line, source->column)
                                     : read_yaml(&build, source->text, source->line);
    *is_malformed = build.is_malformed;
    notes_sort(&notes);
    document->ambiguities = notes.items;
    document->ambiguity_count = notes.count;
    document->has_aliases = build.has_aliases;
    if (!document->root || !secrets_find_lines(document, reader->arena))
        return NULL;
    return source->is_json || find_comments(document, &build) ? document->root : NULL;
}

/*
 * A comment above the --- of an object belongs to the document before, which is empty, so kubectl skips it.
 */
static void keep_lost_waiver(struct manifest_reader *reader)
{
    const struct manifest_document *document = &reader->document;
    if (document->waiver_count && !reader->lost_waiver.line)
        reader->lost_waiver = (struct manifest_mark){document->waivers[0].line, document->waivers[0].column};
}

/* The next document that is not empty. Returns MANIFEST_OBJECT if one was read. */
static enum manifest_result next_document(struct manifest_reader *reader, struct error *error)
{
    for (;;) {
        struct stream_document source;
        arena_reset(reader->arena);
        reader->stack.count = 0;
        reader->stack.failed = false;
        reader->list = NULL;
        reader->is_unlike_objects = false;
        enum stream_result result = stream_next(&reader->stream, &source, error);
        if (result != STREAM_DOCUMENT)
            return result == STREAM_END ? end(reader, error) : MANIFEST_ERROR;
        bool is_malformed, is_news = true;
        struct error problem;
        const struct manifest_node *root = read_document(reader, &source, &is_malformed, &problem);
        if (has_failed(reader))
            return out_of_memory(error, source.line);
        if (!root && is_malformed && stream_reject(&reader->stream, &is_news)) {
            reader->document_count--;
            continue;
        }
        reader->is_unlike_objects = !root && is_unlike_objects(source.text);
        if (!root && is_news) {
            *error = problem;
            return MANIFEST_ERROR;
        }
        if (root && root->kind != MANIFEST_NULL) {
            reader->document.lost_waiver = reader->lost_waiver;
            reader->lost_waiver = (struct manifest_mark){0};
            return MANIFEST_OBJECT;
        }
        if (root)
            keep_lost_waiver(reader);
    }
}

/* If memory ran out, a message may lack a name: then report running out of memory. */
static enum manifest_result check_memory(
    const struct manifest_reader *reader, enum manifest_result result, struct error *error)
{
    if (result == MANIFEST_ERROR && has_failed(reader))
        return out_of_memory(error, error->line);
    return result;
}

enum manifest_result manifest_next(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error)
{
    reader->is_foreign = reader->is_unlike_objects = false;
    for (;;) {
        const struct manifest_node *items = items_left(reader);
        if (items)
            return check_memory(reader, next_item(reader, items, object, error), error);
        enum manifest_result result = next_document(reader, error);
        if (result != MANIFEST_OBJECT)
            return result;
        result = take_document(reader, object, error);
        if (result != MANIFEST_END)
            return check_memory(reader, result, error);
    }
}

bool manifest_is_foreign(const struct manifest_reader *reader)
{
    return reader->is_foreign;
}

bool manifest_is_unlike_objects(const struct manifest_reader *reader)
{
    return reader->is_unlike_objects;
}
