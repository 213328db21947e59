/*
 * FieldsV1: what applyguard reads in sets of fields.
 */
#include "policy/fieldset/fields.h"

#include "base/json.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "tests/differential/driver/driver.h"

static yyjson_val *read_set(struct question *question, size_t part)
{
    if (part >= question->count)
        return NULL;
    yyjson_doc *document = json_read(question->parts[part], YYJSON_READ_NOFLAG, question->arena, NULL);
    return yyjson_doc_get_root(document);
}

/* As FieldsV1 spells it, but for its JSON, which is written as it was read. */
static void answer_element(struct question *question, const struct path *element)
{
    static const char letters[] = {
        [PATH_FIELD] = 'f', [PATH_KEY] = 'k', [PATH_VALUE] = 'v', [PATH_INDEX] = 'i'};
    const char prefix[] = {letters[element->kind], ':'};
    struct slice rest = element->text;
    if (element->json) {
        yyjson_alc allocator = arena_yyjson(question->arena);
        rest.bytes = yyjson_val_write_opts(element->json, 0, &allocator, &rest.length, NULL);
    }
    struct text text = text_start(question->arena, rest.length + 2);
    text_append(&text, (struct slice){prefix, sizeof(prefix)});
    text_append(&text, rest);
    answer_field(question, text_slice(&text));
}

/* From the root down. */
static void answer_elements(struct question *question, const struct path *path)
{
    if (!path)
        return;
    answer_elements(question, path->parent);
    answer_element(question, path);
}

static void answer_path(struct question *question, const struct path *path)
{
    struct text printed = text_start(question->arena, 96);
    path_append(&printed, path);
    answer_field(question, text_slice(&printed));
    answer_number(question, path->depth);
    answer_elements(question, path);
}

static bool visit_lost(void *context, const struct path *path)
{
    answer_path(context, path);
    return true;
}

/* The fields that were found before the walk ended come first. */
static void answer_result(struct question *question, enum fields_result result)
{
    static const char *const names[] = {
        [FIELDS_OK] = "ok",
        [FIELDS_STOPPED] = "stopped",
        [FIELDS_MALFORMED] = "malformed",
        [FIELDS_TOO_DEEP] = "too deep",
        [FIELDS_TOO_MANY] = "too many",
        [FIELDS_OUT_OF_MEMORY] = "out of memory",
    };
    answer_field(question, slice_of(names[result]));
}

void answer_difference(struct question *question)
{
    yyjson_val *before = read_set(question, 0), *after = read_set(question, 1);
    answer_result(
        question, fields_difference(before, after, lookup_create(question->arena), visit_lost, question));
}

struct overlap {
    struct question *question;
    size_t others;
};

static enum walk_action visit_node(void *context, const struct overlap_node *place)
{
    struct overlap *overlap = context;
    char owners[FIELDSET_OVERLAP_MAX];
    for (size_t i = 0; i < overlap->others; i++)
        owners[i] = place->others[i] ? 'y' : 'n';
    answer_path(overlap->question, place->path);
    answer_field(overlap->question, (struct slice){owners, overlap->others});
    return WALK_DESCEND;
}

void answer_overlap(struct question *question)
{
    yyjson_val *others[PARTS_MAX] = {NULL};
    struct overlap overlap = {question, question->count - 1};
    for (size_t i = 0; i < overlap.others; i++)
        others[i] = read_set(question, i + 1);
    answer_result(
        question,
        fieldset_overlap_walk(
            read_set(question, 0), others, overlap.others, lookup_create(question->arena), visit_node,
            &overlap));
}

static void answer_owned(struct question *question, yyjson_val *set, const struct path *path)
{
    static const char *const names[] = {
        [ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNKNOWN] = "unknown"};
    struct lookup *lookup = lookup_create(question->arena);
    answer_field(question, slice_of(names[fieldset_contains(lookup, set, path)]));
    answer_field(question, slice_of(names[fieldset_contains_below(lookup, set, path)]));
}

void answer_contains(struct question *question)
{
    struct path elements[PARTS_MAX] = {0};
    const struct path *path = NULL;
    bool known;
    for (size_t i = 1; i < question->count; i++) {
        elements[i] = (struct path){.parent = path, .depth = (unsigned)i};
        if (!fields_decode_element(question->parts[i], question->arena, &elements[i], &known)) {
            answer_field(question, SLICE("malformed"));
            return;
        }
        path = &elements[i];
    }
    answer_owned(question, read_set(question, 0), path);
}

void answer_contains_item(struct question *question)
{
    const struct slice_list names = {&question->parts[3], question->count - 3};
    yyjson_doc *item = json_read(question->parts[2], YYJSON_READ_NOFLAG, question->arena, NULL);
    const struct path list = {.depth = 1, .kind = PATH_FIELD, .text = question->parts[1]};
    const struct path element = {
        .parent = &list,
        .depth = 2,
        .kind = names.count ? PATH_KEY : PATH_VALUE,
        .json = yyjson_doc_get_root(item),
        .key_names = names.count ? &names : NULL,
    };
    answer_owned(question, read_set(question, 0), &element);
}
