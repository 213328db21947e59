/* A field path in a policy that could never match is refused, with the reason. */
#include "base/array_size.h"
#include "policy/fieldset/path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

/* Paths as people copy them from findings and 409 answers are good patterns. */
static void accepts_paths_as_they_are_printed(void **state)
{
    (void)state;
    static const char *const patterns[] = {
        ".spec",
        ".spec.replicas",
        ".metadata.annotations.kubectl.kubernetes.io/restartedAt",
        ".metadata.annotations[*]",
        ".spec[*][*]",
        ".spec.template.spec.containers[name=\"nginx\"].image",
        ".spec.ports[containerPort=80,protocol=\"TCP\"]",
        ".a[k=\"]\"].b",
        ".a[k=\"\\\"\\\\\"].b",
        ".a[k=\",\",l=\"=\"]",
        ".metadata.finalizers[=\"example.com/keep\"]",
        ".a[=-1.5e3][=true][=false][=null][=0]",
        ".a[0][12]",
        ".status.größe",
        ".data.a=b,c",
        ".data.\"quoted\"",
    };
    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
        const char *problem = path_pattern_check(slice_of(patterns[i]));
        if (problem)
            fail_msg("%s is refused: %s", patterns[i], problem);
    }
}

struct bad_pattern {
    const char *pattern;
    const char *because; /* a part of the sentence */
};

/* Each slip has its own reason: the sentence is what the person who wrote it goes by. */
static void says_what_is_wrong(void **state)
{
    (void)state;
    static const struct bad_pattern patterns[] = {
        {"", "empty"},
        {"spec.replicas", "begin with a dot"},
        {"[*]", "begin with a dot"},
        {" .spec", "begin with a dot"},
        {".", "empty field name"},
        {"..", "empty field name"},
        {".spec.", "empty field name"},
        {".spec..replicas", "empty field name"},
        {".spec.[*]", "empty field name"},
        {".spec.*", "[*]"},
        {".spec.image*", "[*]"},
        {".spec]", "closes a bracket"},
        {".a[", "brackets hold"},
        {".a[]", "brackets hold"},
        {".a[**]", "brackets hold"},
        {".a[nginx]", "brackets hold"},
        {".a[\"nginx\"]", "brackets hold"},
        {".a[-1]", "brackets hold"},
        {".a[1x]", "brackets hold"},
        {".a[*", "brackets hold"},
        {".a[3", "brackets hold"},
        {".a[name=\"x\"", "not closed"},
        {".a[name=\"x", "quote is not closed"},
        {".a[name=\"x\\", "quote is not closed"},
        {".a[name=\"x\\\"]", "quote is not closed"},
        {".a[name=\"x\"y]", "not closed"},
        {".a[name=nginx]", "double quotes"},
        {".a[name='nginx']", "double quotes"},
        {".a[name=]", "double quotes"},
        {".a[=]", "double quotes"},
        {".a[=x]", "double quotes"},
        {".a[=\"x\",k=1]", "not closed"},
        {".a[k=1,]", "brackets hold"},
        {".a[k=1,=2]", "brackets hold"},
        {".a[protocol=\"TCP\",containerPort=80]", "alphabetical"},
        {".a[k=1,k=1]", "alphabetical"},
        {".a[k=1,b=x]", "alphabetical"},
        {".a[*]b", "after a bracket"},
        {".a[*]]", "after a bracket"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
        const char *problem = path_pattern_check(slice_of(patterns[i].pattern));
        if (!problem)
            fail_msg("\"%s\" is accepted", patterns[i].pattern);
        if (!strstr(problem, patterns[i].because))
            fail_msg(
                "\"%s\": \"%s\" says nothing of \"%s\"", patterns[i].pattern, problem, patterns[i].because);
    }
}

/* NUL bytes end nothing, neither names nor searches. */
static void takes_nul_for_any_other_byte(void **state)
{
    (void)state;
    assert_null(path_pattern_check((struct slice){".a\0b.c", 6}));
    assert_non_null(path_pattern_check((struct slice){".a\0b.", 5}));
    assert_non_null(path_pattern_check((struct slice){".a[=1\0]", 7}));
    assert_non_null(path_pattern_check((struct slice){".a[k=\0]", 7}));
}

static struct path element(const struct path *parent, enum path_kind kind, const char *text, yyjson_val *json)
{
    return (struct path){
        .parent = parent,
        .depth = parent ? parent->depth + 1 : 1,
        .kind = kind,
        .text = slice_of(text),
        .json = json};
}

/* Whatever the API server calls a list item, its printed path can be pasted into a policy and covers it. */
static void accepts_and_covers_printed_items(void **state)
{
    (void)state;
    static const char *const items[] = {
        "{\"name\":\"nginx\"}",
        "{\"a\":\"]\",\"b\":\"[*]\"}",
        "{\"containerPort\":80,\"protocol\":\"TCP\"}",
        "{\"k\":\"q\\\"b\\\\n\\n\"}",
        "{\"k\":true,\"l\":null}",
        "{\"k\":-7,\"l\":1.5,\"m\":1e300}",
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(items); i++) {
        yyjson_doc *json = yyjson_read(items[i], strlen(items[i]), 0);
        assert_non_null(json);
        struct path list = element(NULL, PATH_FIELD, "list", NULL);
        struct path item = element(&list, PATH_KEY, "", yyjson_doc_get_root(json));
        struct path field = element(&item, PATH_FIELD, "image", NULL);
        struct text printed = text_start(arena, 64);
        path_append(&printed, &field);
        const char *problem = path_pattern_check(text_slice(&printed));
        if (problem)
            fail_msg("%.*s is refused: %s", (int)printed.length, printed.bytes, problem);
        assert_true(path_pattern_covers(text_slice(&printed), &field, arena));
        yyjson_doc_free(json);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepts_paths_as_they_are_printed),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(takes_nul_for_any_other_byte),
        cmocka_unit_test(accepts_and_covers_printed_items),
    };
    return cmocka_run_group_tests_name("path_pattern", tests, NULL, NULL);
}
