/* Memory runs out while a live object is read to explain a conflict: nothing is said of the object itself. */
#include "base/json.h"
#include "owners/live.h"
#include "policy/judge.h"
#include "tests/torture/each_allocation.h"

static const char object[] =
    "{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"managedFields\":["
    "{\"manager\":\"kubectl\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","
    "\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{}}}}]},\"spec\":{\"replicas\":1}}";

static bool read_again(void *data, size_t number)
{
    const struct policy *policy = data;
    struct arena *arena = arena_create();
    struct error error = {0};
    yyjson_doc *document = arena ? json_read(slice_of(object), YYJSON_READ_NOFLAG, arena, NULL) : NULL;
    const struct live_object *live =
        arena ? live_read(yyjson_doc_get_root(document), &policy->managers, arena, &error) : NULL;
    if (arena && !live && !strstr(error.message, "memory"))
        fail_msg("allocation %zu fails: %s", number, error.message);
    arena_destroy(arena);
    return live != NULL;
}

static void it_says_that_there_is_no_memory(void **state)
{
    (void)state;
    struct policy *policy = policy_default();
    fail_each_allocation(read_again, policy, SIZE_MAX);
    assert_true(fault_points > 10);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_says_that_there_is_no_memory),
    };
    return cmocka_run_group_tests_name("conflicts without memory", tests, NULL, NULL);
}
