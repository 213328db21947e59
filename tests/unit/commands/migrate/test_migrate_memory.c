/* Memory runs out while an object is migrated: the output is whole, or an error says why it is missing.
 */
#include "commands/migrate/migrate.h"
#include "policy/judge.h"
#include "tests/torture/each_allocation.h"
#include "tests/unit/manifest/manifest_fixture.h"

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
    const struct migrate_request request = {.from = {from, 2}, .to = SLICE("kubectl")};
    const struct slice flags[] = {SLICE_LITERAL("--context=a b"), SLICE_LITERAL("--as=me")};
    const struct migrate_sending sending = {.flags = {flags, 2}, .as = SLICE("me")};
    const struct migration *migration = migrate_read(object, &request, NULL, arena, &said->error);
    struct migrate_answer answer;
    if (!migration || migrate_judge(migration, policy, &sending, &answer, &said->error) < 0) {
        if (!strstr(said->error.message, "memory"))
            fail_msg("memory runs out, and it says: %s", said->error.message);
        return false;
    }
    struct text text = text_start(arena, 64);
    migrate_append_readiness(&text, migration);
    assert_int_equal(migrate_append_command(&text, migration, &sending, &said->error), 0);
    if (text.failed || arena_has_failed(arena))
        return false;
    keep(said, text_slice(&text));
    keep(said, answer.moves);
    keep(said, answer.refusals);
    said->is_whole = true;
    return true;
}

struct asking {
    const struct manifest_object *object;
    const struct policy *policy;
    struct said whole;
};

static bool migrate_again(void *data, size_t number)
{
    static struct said said;
    const struct asking *asking = data;
    struct arena *arena = arena_create();
    said = (struct said){0};
    bool is_whole = arena && migrate(asking->object, asking->policy, arena, &said);
    assert_true(is_whole != (blocks.failures > 0));
    if (is_whole && strcmp(said.text, asking->whole.text) != 0)
        fail_msg("allocation %zu fails: %s", number, said.text);
    arena_destroy(arena);
    return is_whole;
}

static void all_or_an_error(void **state)
{
    static struct asking asking;
    struct manifest_object object;
    struct slice text = slice_of(object_text);
    struct manifest_reader *reader = read_object(&text, &object);
    struct policy *policy = policy_default();
    struct arena *arena = arena_create();
    (void)state;
    asking.object = &object;
    asking.policy = policy;
    assert_true(migrate(&object, policy, arena, &asking.whole));
    arena_destroy(arena);
    static const char *const words[] = {"dropped: ", "re-defaulted: ", "unowned: ", "\\u202e", "--context="};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strstr(asking.whole.text, words[i]))
            fail_msg("%s is not in %s", words[i], asking.whole.text);
    fail_each_allocation(migrate_again, &asking, SIZE_MAX);
    assert_true(fault_points > 200);
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
