/* The playground answers every question with JSON: findings, or what is wrong with the question. */
#include "base/json.h"
#include "playground/exports.h"
#include "playground/playground.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define POLICY "\"policy\":\"apiVersion: applyguard.io/v1\\nkind: Policy\\nprofile: strict\\n\""
#define WEB                                                                                                  \
    "apiVersion: apps/v1\\nkind: Deployment\\nmetadata: {name: web}\\nspec:\\n  replicas: 3\\n  strategy: "  \
    "{type: Recreate}\\n"

static yyjson_val *ask(const char *question, struct arena *arena)
{
    struct slice answer = playground_answer(slice_of(question), 1800000000, arena);
    assert_non_null(answer.bytes);
    yyjson_doc *document = json_read(answer, 0, arena, NULL);
    assert_non_null(document);
    return yyjson_doc_get_root(document);
}

/* The member `of` of the only problem. */
static void assert_problem(const char *question, const char *of)
{
    struct arena *arena = arena_create();
    yyjson_val *problems = json_member(ask(question, arena), SLICE("problems"));
    assert_int_equal(yyjson_arr_size(problems), 1);
    struct slice found = json_text(json_member(yyjson_arr_get_first(problems), SLICE("of")));
    assert_true(slice_equal(found, slice_of(of)));
    arena_destroy(arena);
}

static void what_cannot_be_read_is_a_problem(void **state)
{
    (void)state;
    assert_problem("", "policy");
    assert_problem("[1", "policy");
    assert_problem("{\"policy\":\"kind: Policy\"}", "policy");
    assert_problem("{" POLICY ",\"review\":\"{}\"}", "review");
    assert_problem("{" POLICY "}", "after");
    assert_problem("{" POLICY ",\"after\":\"a: [\"}", "after");
    assert_problem("{" POLICY ",\"before\":\"[]\",\"after\":\"" WEB "\"}", "before");
    assert_problem(
        "{" POLICY ",\"before\":\"apiVersion: v1\\nkind: Pod\\nmetadata: {name: a}\",\"after\":\"" WEB "\"}",
        "after");
}

static void manifests_are_checked_line_by_line(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *answer = ask("{" POLICY ",\"manifest\":\"" WEB "---\\na: [\"}", arena);
    yyjson_val *checked = json_member(answer, SLICE("checked"));
    assert_int_equal(yyjson_arr_size(checked), 2);
    assert_non_null(json_member(yyjson_arr_get(checked, 0), SLICE("findings")));
    assert_non_null(json_member(yyjson_arr_get(checked, 1), SLICE("error")));
    assert_int_equal(yyjson_arr_size(json_member(answer, SLICE("problems"))), 0);
    arena_destroy(arena);
}

static void findings_of_a_change_have_places(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_val *answer =
        ask("{" POLICY ",\"owner\":\"flux\",\"owner_operation\":\"Apply\",\"manager\":\"kubectl-edit\","
            "\"operation\":\"Update\",\"before\":\"" WEB "\",\"after\":\"apiVersion: apps/v1\\nkind: "
            "Deployment\\nmetadata: {name: web}\\nspec:\\n  replicas: 4\\n  strategy: {type: Recreate}\\n\"}",
            arena);
    yyjson_val *findings = json_member(json_member(answer, SLICE("verdict")), SLICE("findings"));
    yyjson_val *places = json_member(answer, SLICE("places"));
    assert_true(yyjson_arr_size(findings) > 0);
    assert_int_equal(yyjson_arr_size(places), yyjson_arr_size(findings));
    assert_int_equal(yyjson_get_uint(json_member(yyjson_arr_get_first(places), SLICE("line"))), 5);
    arena_destroy(arena);
}

static void a_page_asks_again_and_again(void **state)
{
    (void)state;
    static const char question[] = "{" POLICY ",\"manifest\":\"" WEB "\"}";
    for (int i = 0; i < 3; i++) {
        char *memory = playground_reserve(sizeof(question) - 1);
        assert_non_null(memory);
        memcpy(memory, question, sizeof(question) - 1);
        const char *answer = playground_ask(sizeof(question) - 1);
        assert_non_null(answer);
        assert_non_null(strstr(answer, "\"checked\":[{\"file\":\"-\""));
    }
    playground_release();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_cannot_be_read_is_a_problem),
        cmocka_unit_test(manifests_are_checked_line_by_line),
        cmocka_unit_test(findings_of_a_change_have_places),
        cmocka_unit_test(a_page_asks_again_and_again),
    };
    return cmocka_run_group_tests_name("playground", tests, NULL, NULL);
}
