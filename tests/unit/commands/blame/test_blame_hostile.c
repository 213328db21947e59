/* Objects that are made to be expensive: blame answers or refuses them, in memory that follows their size. */
#include "commands/blame/print.h"
#include "tests/unit/manifest/manifest_fixture.h"

/* Text of any length. */
struct made {
    char *bytes;
    size_t length;
    FILE *file;
};

static void begin(struct made *made)
{
    made->file = open_memstream(&made->bytes, &made->length);
    assert_non_null(made->file);
    fputs(
        "{\"apiVersion\":\"v1\",\"kind\":\"C\",\"metadata\":{\"name\":\"c\",\"managedFields\":[", made->file);
}

static void begin_entry(struct made *made, size_t number)
{
    fprintf(
        made->file,
        "%s{\"manager\":\"m%zu\",\"operation\":\"Apply\",\"apiVersion\":\"v1\",\"fieldsType\":"
        "\"FieldsV1\",\"fieldsV1\":{\"f:l\":",
        number ? "," : "", number);
}

struct outcome {
    bool is_read;
    size_t fields;
    size_t printed_bytes;  /* as JSON */
    size_t printing_bytes; /* what that took */
    size_t bytes_per_byte; /* of memory, for each of the object */
    struct error error;
};

static struct outcome finish(struct made *made)
{
    struct outcome outcome = {0};
    struct manifest_object object;
    struct blame *blame = NULL;
    struct arena *arena = arena_create();
    fclose(made->file);
    struct slice text = {made->bytes, made->length};
    struct manifest_reader *reader = read_object(&text, &object);
    outcome.is_read = blame_read(&object, NULL, arena, &blame, &outcome.error) == 0;
    outcome.fields = outcome.is_read ? blame->field_count : 0;
    outcome.bytes_per_byte = arena_taken(arena) / made->length;
    size_t taken = arena_taken(arena);
    struct text json = text_start(arena, 64);
    if (outcome.is_read)
        blame_append_json(&json, blame, &(struct blame_print){0});
    outcome.printed_bytes = json.length;
    outcome.printing_bytes = arena_taken(arena) - taken;
    manifest_close(reader);
    arena_destroy(arena);
    free(made->bytes);
    return outcome;
}

static void many_owners_of_many_fields(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    for (size_t entry = 0; entry < 100; entry++) {
        begin_entry(&made, entry);
        for (size_t i = 0; i < 3000; i++)
            fprintf(made.file, "%s\"f:%zu\":{}", i ? "," : "{", i);
        fputs("}}}", made.file);
    }
    fputs("]},\"l\":", made.file);
    for (size_t i = 0; i < 3000; i++)
        fprintf(made.file, "%s\"%zu\":1", i ? "," : "{", i);
    fputs("}}", made.file);
    struct outcome outcome = finish(&made);
    assert_true(outcome.is_read);
    assert_int_equal(outcome.fields, 3000 + 3);
    assert_true(outcome.bytes_per_byte < 40);
}

/* The manager is printed for each field, so what is printed grows with their product. */
static void a_manager_with_a_long_name(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    begin_entry(&made, 0);
    fprintf(
        made.file,
        "{\"f:a\":{}}}},{\"manager\":\"%01200d\",\"operation\":\"Apply\",\"apiVersion\":\"v1\","
        "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:l\":{\"f:a\":{}}}}",
        0);
    fputs("]},\"l\":{\"a\":1}}", made.file);
    struct outcome outcome = finish(&made);
    assert_false(outcome.is_read);
    assert_string_equal(
        outcome.error.message,
        "managedFields entry 2 has a longer manager, subresource or time than an API server takes");
}

/* Each entry names all items at once, so what is owned grows with their product. */
static void items_of_one_key(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    for (size_t entry = 0; entry < 3000; entry++) {
        begin_entry(&made, entry);
        fputs("{\"k:{\\\"a\\\":1}\":{}}}}", made.file);
    }
    fputs("]},\"l\":", made.file);
    for (size_t i = 0; i < 3000; i++)
        fprintf(made.file, "%s{\"a\":1}", i ? "," : "[");
    fputs("]}", made.file);
    struct outcome outcome = finish(&made);
    assert_false(outcome.is_read);
    assert_string_equal(outcome.error.message, "its fields have more owners than can be listed");
}

/* Still so many that all of them together, printed, would take thousands of times the object's bytes. */
static void items_of_one_key_with_few_owners(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    for (size_t entry = 0; entry < 100; entry++) {
        begin_entry(&made, entry);
        fputs("{\"v:\\\"x\\\"\":{}}}}", made.file);
    }
    fputs("]},\"l\":", made.file);
    for (size_t i = 0; i < 20000; i++)
        fprintf(made.file, "%s\"x\"", i ? "," : "[");
    fputs("]}", made.file);
    struct outcome outcome = finish(&made);
    assert_false(outcome.is_read);
    assert_string_equal(outcome.error.message, "its fields have more owners than can be listed");
    assert_true(outcome.bytes_per_byte < 200);
}

/* The output may take many times the object's bytes, and memory grows with the output. */
static void long_paths_of_many_fields(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    begin_entry(&made, 0);
    for (size_t i = 0; i < 7; i++)
        fprintf(made.file, "{\"f:%0250d\":", 0);
    for (size_t i = 0; i < 2000; i++)
        fprintf(made.file, "%s\"f:%zu\":{}", i ? "," : "{", i);
    fputs("}}}}}}}}}}]},\"l\":", made.file);
    for (size_t i = 0; i < 7; i++)
        fprintf(made.file, "{\"%0250d\":", 0);
    for (size_t i = 0; i < 2000; i++)
        fprintf(made.file, "%s\"%zu\":1", i ? "," : "{", i);
    fputs("}}}}}}}}}", made.file);
    struct outcome outcome = finish(&made);
    assert_true(outcome.is_read);
    assert_true(outcome.printed_bytes > 2000 * 7 * 250);
    assert_true(outcome.printing_bytes < 5 * outcome.printed_bytes);
}

static void lists_with_ever_other_keys(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    begin_entry(&made, 0);
    for (size_t i = 0; i < 2000; i++)
        fprintf(made.file, "%s\"k:{\\\"a%zu\\\":1}\":{}", i ? "," : "{", i);
    fputs("}}}]},\"l\":", made.file);
    for (size_t i = 0; i < 2000; i++)
        fprintf(made.file, "%s{\"a%zu\":1}", i ? "," : "[", i);
    fputs("]}", made.file);
    struct outcome outcome = finish(&made);
    assert_false(outcome.is_read);
    assert_string_equal(
        outcome.error.message, "managedFields name the items of one list by more than 8 sets of keys");
}

static void nested_as_deep_as_kubectl_reads(void **state)
{
    struct made made;
    (void)state;
    begin(&made);
    begin_entry(&made, 0);
    for (size_t i = 0; i < 190; i++)
        fputs("{\"f:a\":", made.file);
    fputs("{}", made.file);
    for (size_t i = 0; i < 190; i++)
        fputs("}", made.file);
    fputs("}}]},\"l\":", made.file);
    for (size_t i = 0; i < 190; i++)
        fputs("{\"a\":", made.file);
    fputs("1", made.file);
    for (size_t i = 0; i < 190; i++)
        fputs("}", made.file);
    fputs("}", made.file);
    struct outcome outcome = finish(&made);
    assert_true(outcome.is_read || outcome.error.message[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_owners_of_many_fields),
        cmocka_unit_test(a_manager_with_a_long_name),
        cmocka_unit_test(items_of_one_key),
        cmocka_unit_test(items_of_one_key_with_few_owners),
        cmocka_unit_test(long_paths_of_many_fields),
        cmocka_unit_test(lists_with_ever_other_keys),
        cmocka_unit_test(nested_as_deep_as_kubectl_reads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
