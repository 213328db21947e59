/* Objects that are made to be expensive: migrate answers them in memory that follows their size. */
#include "commands/migrate/migrate.h"
#include "tests/unit/manifest/manifest_fixture.h"

/* As many entries as there may be, each with many fields of its own: what is united is not copied for each.
 */
static void memory_follows_the_object(void **state)
{
    struct arena *arena = arena_create();
    struct manifest_object object;
    char *bytes = NULL;
    size_t length = 0;
    (void)state;
    FILE *file = open_memstream(&bytes, &length);
    fputs(
        "{\"apiVersion\":\"v1\",\"kind\":\"C\",\"metadata\":{\"name\":\"c\",\"resourceVersion\":\"1\","
        "\"managedFields\":[",
        file);
    for (int entry = 0; entry < MIGRATE_ENTRIES_MAX; entry++) {
        fprintf(
            file,
            "%s{\"manager\":\"m%d\",\"operation\":\"Apply\",\"apiVersion\":\"v1\",\"fieldsType\":"
            "\"FieldsV1\","
            "\"fieldsV1\":{",
            entry ? "," : "", entry);
        for (int i = 0; i < 100; i++)
            fprintf(file, "%s\"f:%d-%d\":{}", i ? "," : "", entry, i);
        fputs("}}", file);
    }
    fputs("]}}", file);
    fclose(file);
    struct slice text = {bytes, length};
    struct manifest_reader *reader = read_object(&text, &object);
    struct slice from[MIGRATE_ENTRIES_MAX];
    char names[MIGRATE_ENTRIES_MAX][8];
    for (int i = 0; i < MIGRATE_ENTRIES_MAX; i++)
        from[i] = (struct slice){names[i], (size_t)snprintf(names[i], sizeof(names[i]), "m%d", i)};
    const struct migrate_request request = {
        .from = {from, MIGRATE_ENTRIES_MAX}, .to = SLICE("a"), .is_back = true};
    struct error error = {0};
    const struct migration *migration = migrate_read(&object, &request, NULL, arena, &error);
    assert_non_null(migration);
    assert_int_equal(migration->plan.entries[0].fields->count, 100 * MIGRATE_ENTRIES_MAX);
    assert_true(arena_taken(arena) / length < 80);
    manifest_close(reader);
    arena_destroy(arena);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_follows_the_object),
    };
    return cmocka_run_group_tests_name("hostile migrations", tests, NULL, NULL);
}
