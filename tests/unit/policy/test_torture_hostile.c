/*
 * Hostile input, and memory that runs out while it is judged: what is answered then is the truth or nothing.
 * A writer of objects chooses where that happens, and half-made results must not be read.
 *
 * The input is that of every generator of tests/torture, and of every file of the fuzzers' corpus that is a
 * review or can be put into one. Some of the allocations fail for each input, all of them with
 * APPLYGUARD_TORTURE=all, which takes long. Run from the top folder.
 */
#include "tests/torture/failing_memory.h"
#include "tests/torture/hostile.h"

#include "base/text.h"

/* Bytes of a generated review: enough for each trick to be one. */
#define HOSTILE_BYTES ((size_t)6 * 1024)

/* Allocations that fail of a generated review, and of one from the corpus, in each of the two ways. */
#define FAILURES_OF_GENERATED 20
#define FAILURES_OF_CORPUS 8

static void generated_reviews(void **state)
{
    (void)state;
    for (size_t i = 0; i < hostile_case_count; i++) {
        struct buffer body = hostile_body(&hostile_cases[i], HOSTILE_BYTES);
        check_body(hostile_cases[i].name, buffer_slice(&body), failures_of_each(FAILURES_OF_GENERATED));
        buffer_free(&body);
    }
}

/*
 * The corpus
 */

static void check_in_review(const char *name, struct hostile_review *review)
{
    struct buffer body = hostile_assemble(review);
    check_body(name, buffer_slice(&body), failures_of_each(FAILURES_OF_CORPUS));
    buffer_free(&body);
}

static void check_review(const char *name, struct slice text)
{
    check_body(name, text, failures_of_each(FAILURES_OF_CORPUS));
}

static void check_last_applied(const char *name, struct slice text)
{
    struct hostile_review review = {0};
    buffer_append(&review.last_applied, text);
    check_in_review(name, &review);
    review.enters_applier = true;
    review.field_manager = "kubectl-client-side-apply";
    buffer_append(&review.last_applied, text);
    check_in_review(name, &review);
}

static void append_entry(struct buffer *entries, const char *operation, struct slice fields)
{
    buffer_string(
        entries,
        entries->length ? ",{\"manager\":\"a\",\"operation\":\"" : "{\"manager\":\"a\",\"operation\":\"");
    buffer_string(entries, operation);
    buffer_string(entries, "\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":");
    buffer_append(entries, fields);
    buffer_string(entries, "}");
}

static void append_item(struct buffer *entries, const char *operation, yyjson_val *item)
{
    size_t length = 0;
    char *text = yyjson_val_write(item, YYJSON_WRITE_ALLOW_INVALID_UNICODE, &length);
    append_entry(entries, operation, (struct slice){text, length});
    free(text);
}

/* One set of the pair is what an applier had, the other what is there now. An input that is not a pair
 * becomes an entry as it is. */
static void check_fields(const char *name, struct slice text)
{
    yyjson_doc *document = yyjson_read(text.bytes, text.length, YYJSON_READ_NOFLAG);
    yyjson_val *pair = yyjson_doc_get_root(document);
    yyjson_val *first = yyjson_arr_get(pair, 0), *second = yyjson_arr_get(pair, 1);
    struct hostile_review review = {0};
    if (first && second) {
        append_item(&review.old.entries, "Apply", first);
        append_item(&review.new.entries, "Apply", second);
        append_item(&review.new.entries, "Update", first);
    } else {
        append_entry(&review.new.entries, "Update", text);
    }
    yyjson_doc_free(document);
    check_in_review(name, &review);
}

/* As the name of a manager, of a field, and of a label. */
static void check_text(const char *name, struct slice text)
{
    struct arena *arena = arena_create();
    struct text quoted = text_start(arena, 256);
    text_append_json(&quoted, text);
    struct slice string = text_slice(&quoted);
    struct slice bare = {string.bytes + 1, string.length - 2};
    struct hostile_review review = {0};
    for (int side = 0; side < 2; side++) {
        struct hostile_side *filled = side ? &review.new : &review.old;
        buffer_string(&filled->entries, "{\"manager\":");
        buffer_append(&filled->entries, string);
        buffer_string(
            &filled->entries,
            ",\"operation\":\"Apply\",\"apiVersion\":\"apps/"
            "v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:");
        buffer_append(&filled->entries, bare);
        buffer_string(&filled->entries, side ? "\":{}}}" : "\":{},\"f:spec\":{\"f:replicas\":{}}}}");
        buffer_string(&filled->metadata, "\"labels\":{\"");
        buffer_append(&filled->metadata, bare);
        buffer_string(&filled->metadata, side ? "\":\"a\"}" : "\":\"b\"}");
    }
    check_in_review(name, &review);
    arena_destroy(arena);
}

/* Each of a list of reviews by itself, where one is a scale of the object that stands last. */
static void check_list(const char *name, struct slice text)
{
    yyjson_doc *document = yyjson_read(text.bytes, text.length, YYJSON_READ_NOFLAG);
    yyjson_val *list = yyjson_doc_get_root(document), *item;
    size_t index, count, length = 0;
    char *last = yyjson_val_write(yyjson_arr_get_last(list), YYJSON_WRITE_NOFLAG, &length);
    struct slice object = {last, length};
    scaled_object = last ? &object : NULL;
    yyjson_arr_foreach(list, index, count, item)
    {
        size_t item_length = 0;
        char *body = yyjson_val_write(item, YYJSON_WRITE_NOFLAG, &item_length);
        check_body(name, (struct slice){body, item_length}, failures_of_each(FAILURES_OF_CORPUS));
        free(body);
    }
    scaled_object = NULL;
    free(last);
    yyjson_doc_free(document);
}

static void corpus(void **state)
{
    (void)state;
    for_each_input("tests/fuzz/corpus/fuzz_review", check_review);
    for_each_input("tests/fuzz/corpus/fuzz_last_applied", check_last_applied);
    for_each_input("tests/fuzz/corpus/fuzz_fields", check_fields);
    for_each_input("tests/fuzz/corpus/fuzz_text", check_text);
    for_each_input("tests/fuzz/corpus/fuzz_contest", check_list);
    for_each_input("tests/fuzz/corpus/fuzz_scaled", check_list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generated_reviews),
        cmocka_unit_test(corpus),
    };
    return cmocka_run_group_tests_name("torture hostile", tests, NULL, tell_fault_points);
}
