/* Memory runs out while an object is migrated: all that is said is whole, or an error says why there is none.
 */
#include "migrate/migrate.h"
#include "policy/judge.h"
#include "tests/torture/block_arena.h"
#include "tests/unit/manifest_fixture.h"

#define ENTRY(manager, operation, version, fields)                                                           \
    "{\"manager\":\"" manager "\",\"operation\":\"" operation "\",\"apiVersion\":\"" version                 \
    "\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{" fields "}}}"

/* Each word of the readiness, a line of the policy, and a character that has to be escaped. */
static const char object_text[] =
    "{\"apiVersion\":\"apps/"
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"resourceVersion\":\"1\","
    "\"annotations\":{\"kubectl.kubernetes.io/last-applied-configuration\":\"{\\\"apiVersion\\\":\\\"apps/"
    "v1\\\","
    "\\\"kind\\\":\\\"Deployment\\\",\\\"metadata\\\":{\\\"name\\\":\\\"web\\\"},\\\"spec\\\":{\\\"a\\\":1,"
    "\\\"d\\\":1}}\"},\"managedFields\":[" ENTRY("kubectl", "Apply", "apps/v1", "\"f:x\":{}") "," ENTRY("kubectl-client-side-apply", "Update", "apps/v1", "\"f:b\":{},\"f:c\xe2\x80\xae\":{}") "," ENTRY(
        "kubectl-client-side-apply", "Update", "v1",
        "\"f:e\":{}") "," ENTRY("kubectl-edit", "Update", "apps/v1", "\"f:a\":{}") "]},\"spec\":{\"a\":2,"
                                                                                   "\"b\":1,\"d\":1,\"e\":1,"
                                                                                   "\"x\":1}}";

struct said {
    bool is_whole;
    char text[16384];
    struct error error;
};

static void keep(struct said *said, struct slice text)
{
    size_t length = strlen(said->text);
    assert_true(length + text.length < sizeof(said->text));
    memcpy(said->text + length, text.bytes ? text.bytes : "", text.length);
    said->text[length + text.length] = '\0';
}

/* All that the command does with an object. False with the error set, or not `whole`: there was no memory. */
static bool migrate(
    const struct manifest_object *object, const struct policy *policy, struct arena *arena, struct said *said)
{
    const struct slice from[] = {SLICE_LITERAL("kubectl-client-side-apply"), SLICE_LITERAL("kubectl-edit")};
    const struct migrate_request request = {.from = from, .from_count = 2, .to = SLICE("kubectl")};
    const struct migrate_cluster cluster = {.context = SLICE("a b")};
    const struct migration *migration = NULL;
    struct migrate_answer answer;
    if (migrate_read(object, &request, NULL, 0, arena, &migration, &said->error) < 0 ||
        migrate_judge(migration, object, policy, 0, SLICE("me"), arena, &answer, &said->error) < 0) {
        assert_true(said->error.message[0]);
        return false;
    }
    struct text text = text_start(arena, 64);
    migrate_append_readiness(&text, migration);
    migrate_append_command(&text, migration, &cluster);
    if (text.failed || arena_has_failed(arena))
        return false;
    keep(said, text_slice(&text));
    keep(said, answer.moves);
    keep(said, answer.refusals);
    said->is_whole = true;
    return true;
}

/* With the allocation of this number failing, and all after it unless only `once`. False: there were fewer.
 */
static bool migrate_with_failing(
    const struct manifest_object *object, const struct policy *policy, size_t number, bool once,
    const struct said *whole)
{
    static struct said said;
    struct arena *arena = arena_create();
    said = (struct said){0};
    blocks.calls = 0;
    blocks.fail_from = number;
    blocks.fail_once = once;
    bool done = migrate(object, policy, arena, &said);
    bool has_failed = arena_has_failed(arena);
    blocks.fail_from = 0;
    assert_true(done != has_failed);
    assert_true(has_failed == (blocks.calls >= number));
    if (done)
        assert_string_equal(said.text, whole->text);
    arena_destroy(arena);
    return has_failed;
}

static void all_or_an_error(void **state)
{
    static struct said whole;
    struct manifest_object object;
    struct slice text = slice_of(object_text);
    struct manifest_reader *reader = read_object(&text, &object);
    struct policy *policy = policy_default();
    struct arena *arena = arena_create();
    (void)state;
    assert_true(migrate(&object, policy, arena, &whole));
    arena_destroy(arena);
    static const char *const words[] = {"dropped: ", "re-defaulted: ", "unowned: ", "\\u202e", "--context="};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strstr(whole.text, words[i]))
            fail_msg("%s is not in %s", words[i], whole.text);
    for (int once = 0; once < 2; once++) {
        size_t number = 1;
        while (migrate_with_failing(&object, policy, number, once, &whole))
            number++;
        assert_true(number > 100);
    }
    policy_free(policy);
    manifest_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_or_an_error),
    };
    return cmocka_run_group_tests_name("migrations without memory", tests, NULL, NULL);
}
