/* The text that tools print for a conflict: which manager holds which field, without harm from hostile text.
 * */
#include "commands/explain/read.h"

#include "base/arena.h"
#include "base/shell.h"
#include "base/text.h"
#include "commands/explain/print.h"
#include "owners/jsonpath.h"
#include "owners/shell_object.h"
#include "policy/judge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct arena *arena;

static int set_up(void **state)
{
    (void)state;
    arena = arena_create();
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

static void assert_slice(struct slice is, const char *wanted)
{
    struct slice expected = slice_of(wanted);
    if (!slice_equal(is, expected))
        fail_msg("\"%.*s\" is not \"%s\"", (int)is.length, is.bytes ? is.bytes : "", wanted);
}

/* The only report in the text. */
static struct conflict_report only(const char *text)
{
    struct conflict_reports reports;
    struct error error = {0};
    if (conflict_read(slice_of(text), arena, &reports, &error) < 0)
        fail_msg("%s", error.message);
    assert_int_equal(reports.count, 1);
    return reports.items[0];
}

static void a_manager_has_all_its_parts(void **state)
{
    (void)state;
    struct conflict_report report = only("Apply failed with 1 conflict: conflict with \"a \\\"b\\\" "
                                         "\\u00fc\\x41: c\" with subresource \"scale\" "
                                         "using apps/v1 at 2026-01-02T03:04:05Z: .spec.replicas");
    assert_int_equal(report.count, 1);
    const struct conflict *conflict = &report.items[0];
    assert_slice(conflict->manager.name, "a \"b\" üA: c");
    assert_slice(conflict->manager.subresource, "scale");
    assert_int_equal(conflict->manager.operation, MANAGER_UPDATE);
    assert_slice(conflict->api_version, "apps/v1");
    assert_slice(conflict->time, "2026-01-02T03:04:05Z");
    assert_slice(conflict->path, ".spec.replicas");
}

static void paths_end_where_they_end(void **state)
{
    (void)state;
    static const struct {
        const char *text, *path;
    } cases[] = {
        {".spec.replicas. Retrying attempt #1", ".spec.replicas"},
        {".spec.replicas, retrying in 5s", ".spec.replicas"},
        {".spec.replicas' -> 'x'", ".spec.replicas"},
        {".spec.a[name=\"x y\\\" z\"].b rest", ".spec.a[name=\"x y\\\" z\"].b"},
        {".metadata.finalizers[=\"x\"]\r\n", ".metadata.finalizers[=\"x\"]"},
        {".spec.a[name=\"never closed\nnext line", ".spec.a[name=\"never closed"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct text text = text_start(arena, 100);
        text_append_string(&text, "Apply failed with 1 conflict: conflict with \"m\": ");
        text_append_string(&text, cases[i].text);
        text_append(&text, (struct slice){"", 1});
        struct conflict_report report = only(text_slice(&text).bytes);
        assert_slice(report.items[0].path, cases[i].path);
    }
}

/* Python prints the bytes of an answer as b'…': it doubles backslashes. Ansible has that in JSON, in a log in
 * JSON. */
static void bytes_of_python_are_read(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "b'{\"message\":\"Apply failed with 1 conflict: conflict with \\\\\"team\\'s\\\\\": "
        ".spec.c[name=\\\\\"a\\\\\"].image\"}\\n'\n",
        "{\"msg\": \"b'{\\\"message\\\":\\\"Apply failed with 1 conflict: conflict with "
        "\\\\\\\\\\\"team\\\\'s\\\\\\\\\\\": .spec.c[name=\\\\\\\\\\\"a\\\\\\\\\\\"].image\\\"}\\\\n'\"}",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct conflict_report report = only(texts[i]);
        assert_int_equal(report.count, 1);
        assert_slice(report.items[0].manager.name, "team's");
        assert_slice(report.items[0].path, ".spec.c[name=\"a\"].image");
    }
}

static void what_is_cut_is_counted(void **state)
{
    (void)state;
    struct conflict_report report = only(
        "Apply failed with 3 conflicts: conflicts with \"m\":\n- .spec.a\n- .spec.b\nconflicts with \"n");
    assert_int_equal(report.count, 2);
    assert_int_equal(report.missing, 1);
}

/* The logs of CI, of pods and of Terraform: each line begins with a time, or with where it comes from. */
static void what_stands_before_each_line_of_a_log_does_not_matter(void **state)
{
    (void)state;
    static const char *const prefixes[] = {
        "",
        "2026-01-02T03:04:05.1234567Z ",
        "2026-01-02T03:04:05Z stderr F ",
        "[pod/flux-0/manager] ",
        "web-1  | ",
        "│ ",
        "\t> ",
    };
    static const char *const lines[] = {
        "error: Apply failed with 4 conflicts: conflicts with \"m\" using v1:\n",
        "- .spec.a\n",
        "- .spec.b\r\n",
        "conflict with \"n o\":\n",
        "- .spec.c\n",
        "- .spec.d[name=\"x y\"]\n",
        "- .spec.not-counted\n"};
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
        struct text text = text_start(arena, 1024);
        /* Behind a prefix, an item beyond the count is another text. A box is removed before. */
        const bool is_plain = i == 0 || strcmp(prefixes[i], "│ ") == 0;
        for (size_t j = 0; j < sizeof(lines) / sizeof(*lines) - (is_plain ? 1 : 0); j++) {
            text_append_string(&text, prefixes[i]);
            text_append_string(&text, lines[j]);
        }
        text_append(&text, (struct slice){"", 1});
        struct conflict_report report = only(text_slice(&text).bytes);
        assert_int_equal(report.count, 4);
        assert_int_equal(report.missing, 0);
        assert_slice(report.items[1].path, ".spec.b");
        assert_slice(report.items[2].manager.name, "n o");
        assert_slice(report.items[3].path, ".spec.d[name=\"x y\"]");
    }
}

/* Pages of CI and of chats show what is left of a colour without its first character. */
static void colours_do_not_matter(void **state)
{
    (void)state;
    static const char *const starts[] = {"\x1b[31m", "\x1b[1;31m", "[31m", "[1;31m"};
    static const char *const ends[] = {"\x1b[0m", "\x1b[0m\x1b[0K", "[0m", "[0m"};
    static const char *const lines[] = {
        "error: Apply failed with 2 conflicts: conflicts with \"m\":", "- .spec.c[name=\"a\"].image",
        "- .spec.d[=5]"};
    for (size_t i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
        struct text text = text_start(arena, 256);
        for (size_t j = 0; j < sizeof(lines) / sizeof(*lines); j++)
            text_append_all(&text, slice_of(starts[i]), lines[j], ends[i], "\n");
        text_append(&text, (struct slice){"", 1});
        struct conflict_report report = only(text_slice(&text).bytes);
        assert_int_equal(report.count, 2);
        assert_int_equal(report.missing, 0);
        assert_slice(report.items[0].path, ".spec.c[name=\"a\"].image");
        assert_slice(report.items[1].path, ".spec.d[=5]");
    }
}

static void a_comparison_of_argo_cd_names_the_object(void **state)
{
    (void)state;
    struct conflict_report report = only(
        "serverSideDiff error: error running server side apply in dryrun mode for resource Deployment/web: "
        "Apply failed with 1 conflict: conflict with \"m\": .spec.a");
    assert_slice(report.object.kind, "Deployment");
    assert_slice(report.object.name, "web");
    assert_int_equal(report.tool, CONFLICT_TOOL_ARGOCD);
}

/* The text behind the last field of a list is not a field: the end of a document of YAML was. */
static void a_list_ends_where_no_item_follows(void **state)
{
    (void)state;
    struct conflict_report report =
        only("Apply failed with 3 conflicts: conflicts with \"m\":\n- .spec.a\n...\nsome-.spec.b\n");
    assert_int_equal(report.count, 1);
    assert_int_equal(report.missing, 2);
}

static void a_text_that_repeats_itself_is_one(void **state)
{
    (void)state;
    struct conflict_report report = only(
        "Apply failed with 1 conflict: conflict with \"m\": .spec.a\n"
        "Deployment/shop/web dry-run failed: Apply failed with 1 conflict: conflict with \"m\": .spec.a\n");
    assert_slice(report.object.kind, "Deployment");
    assert_slice(report.object.namespace, "shop");
    assert_slice(report.object.name, "web");
    assert_int_equal(report.tool, CONFLICT_TOOL_FLUX);
}

static void what_is_no_conflict_is_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "Apply failed with ",
        "Apply failed with 1 conflict",
        "Apply failed with 1 conflict: conflict with m: .a",
        "Apply failed with 1 conflict: conflict with \"m\"",
        "Apply failed with 1 conflict: conflict with \"m",
        "Apply failed with 1 conflict: conflict with \"m\": no path",
        "Apply failed with 99999999999999999999 conflicts: conflicts with \"m\":\n- .a",
        "Apply failed with x conflicts: conflicts with \"m\":\n- .a",
        "Operation cannot be fulfilled on deployments.apps \"web\": the object has been modified",
    };
    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
        struct conflict_reports reports;
        struct error error = {0};
        assert_int_equal(conflict_read(slice_of(texts[i]), arena, &reports, &error), -1);
        assert_true(error.message[0] != 0);
    }
}

/* It is printed with each field, so what is printed grows with their product. */
static void a_holder_with_a_long_name_is_refused(void **state)
{
    (void)state;
    struct conflict_reports reports;
    struct error error = {0};
    struct text text = text_start(arena, 2048);
    text_append_string(&text, "Apply failed with 1 conflict: conflict with \"");
    while (text.length < 1100)
        text_append_string(&text, "m");
    text_append_string(&text, "\": .a");
    assert_int_equal(conflict_read(text_slice(&text), arena, &reports, &error), -1);
}

/* A name may be anything: it neither writes to the terminal nor leaves its word of a command. */
static void names_do_no_harm(void **state)
{
    (void)state;
    struct conflict_report report = only(
        "conflict occurred while applying object a';id;'/b$(id) v1, Kind=Pod: Apply failed with 1 conflict: "
        "conflict with \"m\\x1b[2J'\\\\u202e; id #\\n\": .spec\x1b[31m.a$(id)`id`");
    struct policy *policy = policy_default();
    assert_non_null(policy);
    for (int is_json = 0; is_json < 2; is_json++) {
        const struct conflict_print print = {.policy = policy, .is_json = is_json};
        struct slice printed = conflict_report_print(&print, &report, NULL, arena);
        assert_non_null(printed.bytes);
        for (size_t i = 0; i < printed.length; i++)
            assert_true((unsigned char)printed.bytes[i] >= 0x20 || printed.bytes[i] == '\n');
        assert_null(memmem(printed.bytes, printed.length, "\xe2\x80\xae", 3));
    }
    policy_free(policy);
}

/* kubectl get --server=… would send the user's credentials to another server. */
static void names_are_no_flags(void **state)
{
    (void)state;
    static const struct {
        const char *kind, *name, *words;
    } cases[] = {
        {"Pod", "web-1", "pod web-1"},
        {"Pod", "--server=https://a", "KIND NAME"},
        {"--as", "web", "KIND NAME"},
        {"Pod", "", "KIND NAME"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct text text = text_start(arena, 16);
        const struct conflict_object object = {
            .kind = slice_of(cases[i].kind), .name = slice_of(cases[i].name)};
        shell_append_object(&text, &object);
        assert_slice(text_slice(&text), cases[i].words);
    }
}

static void words_are_quoted(void **state)
{
    (void)state;
    static const struct {
        const char *word, *quoted;
    } cases[] = {
        {"web", "web"},       {"", "''"},          {"a b", "'a b'"}, {"it's", "'it'\\''s'"},
        {"$(id)", "'$(id)'"}, {"a\nb", "'a\\nb'"}, {"'", "''\\'''"}, {"~", "'~'"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct text text = text_start(arena, 16);
        shell_append_word(&text, slice_of(cases[i].word));
        assert_slice(text_slice(&text), cases[i].quoted);
    }
}

static void paths_become_those_of_kubectl(void **state)
{
    (void)state;
    static const struct {
        const char *path, *jsonpath;
    } cases[] = {
        {".spec.replicas", "{.spec.replicas}"},
        {".spec.template.spec.containers[name=\"web\"].image",
         "{.spec.template.spec.containers[?(@.name==\"web\")].image}"},
        {".spec.ports[port=80,protocol=\"TCP\"].name", "{.spec.ports[?(@.port==80)].name}"},
        {".metadata.annotations.example.com/a.b", "{.metadata.annotations.example\\.com/a\\.b}"},
        {".data.tls.crt", "{.data.tls\\.crt}"},
        {".spec.any.*.host", "{.spec.any.\\*.host}"},
        {".spec.hard.requests.cpu", "{.spec.hard.requests\\.cpu}"},
        {".spec.containers[name=\"web\"].resources.limits.nvidia.com/gpu",
         "{.spec.containers[?(@.name==\"web\")].resources.limits.nvidia\\.com/gpu}"},
        {".spec.containers[name=\"web\"].resources.limits.cpu",
         "{.spec.containers[?(@.name==\"web\")].resources.limits.cpu}"},
        {".spec.limits.memory.max", "{.spec.limits.memory.max}"},
        {".metadata.finalizers[=\"x\"]", "{.metadata.finalizers}"},
        {".spec.rules[3].host", "{.spec.rules[3].host}"},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct text text = text_start(arena, 16);
        jsonpath_append(&text, slice_of(cases[i].path), NULL);
        assert_slice(text_slice(&text), cases[i].jsonpath);
    }
}

/* Work that grows faster than the text would not end within the test's time. */
static void long_texts_take_as_long_as_they_are(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "Apply failed with 1 conflict: conflict with \\\"",
        "Apply failed with 9 conflicts: conflicts with \\\\\\\"a\\\\\\\":\\\\n- .a\\\\n",
        "Apply failed with 1 conflict: conflict with \"m\": .a\n",
        "conflicts with \"m\":\n- .a\n",
        "\nconflicts with \"m\":\n x - .a",
        " conflicts with \"m\": - .a",
        "\\\\",
    };
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        struct text text = text_start(arena, 1 << 20);
        text_append_string(&text, "Apply failed with 999999 conflicts: ");
        while (text.length < 1 << 20)
            text_append_string(&text, parts[i]);
        struct conflict_reports reports;
        struct error error = {0};
        if (conflict_read(text_slice(&text), arena, &reports, &error) == 0)
            assert_true(reports.conflict_count <= CONFLICTS_MAX);
        arena_reset(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_manager_has_all_its_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_end_where_they_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_of_python_are_read, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_cut_is_counted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            what_stands_before_each_line_of_a_log_does_not_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(colours_do_not_matter, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_comparison_of_argo_cd_names_the_object, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_list_ends_where_no_item_follows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_text_that_repeats_itself_is_one, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_no_conflict_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_holder_with_a_long_name_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_do_no_harm, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_are_no_flags, set_up, tear_down),
        cmocka_unit_test_setup_teardown(words_are_quoted, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paths_become_those_of_kubectl, set_up, tear_down),
        cmocka_unit_test_setup_teardown(long_texts_take_as_long_as_they_are, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
