/*
 * Whatever is given to kubectl apply: every object prints as JSON that reads back to the same object, every
 * place is in the input, and the size of a read changes nothing.
 */
#include "fuzz.h"
#include "manifest/manifest.h"
#include "tests/fuzz/printable.h"

#include <string.h>

/* Reads the rest of a text, a few bytes at a time. */
struct dripping {
    struct slice rest;
    size_t size;
};

static ptrdiff_t drip(void *context, void *bytes, size_t size)
{
    struct dripping *dripping = context;
    return manifest_read_slice(&dripping->rest, bytes, size < dripping->size ? size : dripping->size);
}

static const struct manifest_limits limits = {16 * 1024, 4096, 64 * 1024};

/* Lines end with LF alone; one more may begin where the text ends. */
static unsigned lines_of(struct slice text)
{
    unsigned lines = 1;
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n';
    return lines;
}

static void check_place(struct manifest_place place, unsigned lines)
{
    promise(place.line >= 1 && place.line <= lines && place.column >= 1, "a place is in the text");
    promise(place.end_line >= place.line && place.end_line <= lines, "a place ends in the text");
    promise(
        !manifest_is_before(place.end_line, place.end_column, place.line, place.column),
        "a place ends behind its beginning");
}

static size_t check_node(const struct manifest_node *node, unsigned lines, size_t budget)
{
    check_place(node->place, lines);
    promise(node->height <= MANIFEST_DEPTH_MAX, "a tree is within its depth");
    for (size_t i = 0; node->kind == MANIFEST_LIST && i < node->count && budget; i++)
        budget = check_node(node->items[i], lines, budget - 1);
    for (size_t i = 0; node->kind == MANIFEST_MAP && i < node->count && budget; i++) {
        const struct manifest_member *member = &node->members[i];
        check_place(member->key_place, lines);
        promise(!i || slice_compare(member[-1].key, member->key) < 0, "keys are in order, each once");
        promise(manifest_member(node, member->key) == member->value, "a key is found");
        budget = check_node(member->value, lines, budget - 1);
    }
    return budget;
}

/* Whether a number is -0.0, which kubectl writes as -0 and reads as 0. */
static bool has_negative_zero(const struct manifest_node *node)
{
    bool has_it = node->kind == MANIFEST_FLOAT && !(node->real < 0) && !(node->real > 0);
    for (size_t i = 0; node->kind == MANIFEST_LIST && i < node->count && !has_it; i++)
        has_it = has_negative_zero(node->items[i]);
    for (size_t i = 0; node->kind == MANIFEST_MAP && i < node->count && !has_it; i++)
        has_it = has_negative_zero(node->members[i].value);
    return has_it;
}

static bool is_utf8(struct slice text)
{
    size_t length;
    for (; text.length; text = slice_from(text, length))
        if (text_character(text, &length) < 0)
            return false;
    return true;
}

/* Whether a key is not UTF-8 (!!binary): it is sorted by its bytes, as by kubectl, and read back elsewhere.
 */
static bool has_broken_key(const struct manifest_node *node)
{
    bool has_it = false;
    for (size_t i = 0; node->kind == MANIFEST_LIST && i < node->count && !has_it; i++)
        has_it = has_broken_key(node->items[i]);
    for (size_t i = 0; node->kind == MANIFEST_MAP && i < node->count && !has_it; i++)
        has_it = !is_utf8(node->members[i].key) || has_broken_key(node->members[i].value);
    return has_it;
}

/*
 * As a document of its own the JSON is the same object. kubectl does not look at the metadata of a List's
 * items, nor at `items` that is not a list, with which a single object counts as a List.
 */
static void check_json(const struct manifest_node *root, struct arena *arena)
{
    struct slice json = manifest_json(root, arena);
    struct slice rest = json;
    struct manifest_object object;
    struct error error;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    promise(reader != NULL, "there is memory");
    enum manifest_result result = manifest_next(reader, &object, &error);
    if (result == MANIFEST_OBJECT)
        promise(
            has_negative_zero(root) || has_broken_key(root) ||
                slice_equal(manifest_json(object.root, arena), json),
            "JSON reads back to the same object");
    else if (!manifest_member(root, SLICE("items")))
        promise(result == MANIFEST_ERROR && strstr(error.message, "kubectl refuses"), "JSON reads back");
    else
        promise(result == MANIFEST_END || strstr(error.message, "kubectl"), "JSON reads back, or is a List");
    manifest_close(reader);
}

static void check_object(const struct manifest_object *object, unsigned lines, struct arena *arena)
{
    check_node(object->root, lines, 4096);
    check_json(object->root, arena);
    for (size_t i = 0; i < object->ambiguity_count; i++)
        check_place(object->ambiguities[i].place, lines);
    for (size_t i = 0; i < object->document->waiver_count; i++) {
        const struct manifest_waiver *waiver = &object->document->waivers[i];
        promise(
            waiver->line >= 1 && waiver->for_line >= waiver->line && waiver->for_line <= lines,
            "a waiver is in the text");
    }
    promise(object->kind.length && object->api_version.length, "an object has a type");
}

static bool next(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error,
    enum manifest_result *result)
{
    *error = (struct error){0};
    *result = manifest_next(reader, object, error);
    return *result != MANIFEST_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice whole = {(const char *)data, size};
    /* UTF-16 has an LF in every other byte at most; lines are counted in the bytes in any case. */
    unsigned lines = lines_of(whole) + 1;
    struct dripping dripping = {whole, 1 + size % 7};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &whole, &limits);
    struct manifest_reader *other = manifest_open(drip, &dripping, &limits);
    struct manifest_object object, again;
    struct error error, same;
    enum manifest_result result, expected;
    struct arena *arena = arena_create();
    promise(reader && other && arena, "there is memory");
    bool has_more = next(reader, &object, &error, &result);
    for (; has_more; has_more = next(reader, &object, &error, &result)) {
        promise(next(other, &again, &same, &expected) && result == expected, "sizes of reads change nothing");
        if (result == MANIFEST_OBJECT) {
            check_object(&object, lines, arena);
            promise(
                slice_equal(manifest_json(object.root, arena), manifest_json(again.root, arena)),
                "sizes of reads change no object");
            promise(object.ambiguity_count == again.ambiguity_count, "sizes of reads change no ambiguity");
            arena_reset(arena);
        } else {
            check_printable(slice_of(error.message), 0);
            promise(
                error.message[0] != '\0' && error.line >= 1 && error.line <= lines, "an error has its place");
            promise(error.line == same.line && error.column == same.column, "sizes of reads change no place");
        }
    }
    promise(!next(other, &again, &same, &expected), "sizes of reads change no end");
    manifest_close(reader);
    manifest_close(other);
    arena_destroy(arena);
    return 0;
}
