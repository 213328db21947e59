/* The words of messages: short, printable, and right in number. */
#include "parse.h"

#include "policy/verdict/message.h"

#include <string.h>

/* A text of `count` times the same character. */
static struct slice repeated(struct arena *arena, const char *character, size_t count)
{
    struct text text = text_start(arena, 0);
    for (size_t i = 0; i < count; i++)
        text_append_string(&text, character);
    return text_slice(&text);
}

static struct slice named(struct arena *arena, struct slice name)
{
    struct text text = text_start(arena, 0);
    message_append_name(&text, name);
    return text_slice(&text);
}

/* Names are whole up to the bound; beyond, a beginning that ends at a character, and an ellipsis. */
static void names_are_cut_and_printable(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_text(named(arena, SLICE("web")), "web");
    assert_text(named(arena, SLICE("")), "");
    assert_text(named(arena, SLICE("a\nb\x1b[2J\xe2\x80\xae")), "a\\nb\\x1b[2J\\u202e");
    assert_text(named(arena, (struct slice){"a\0b", 3}), "a\\x00b");
    struct slice fits = repeated(arena, "n", MESSAGE_NAME_BYTES);
    assert_true(slice_equal(named(arena, fits), fits));
    struct slice cut = named(arena, repeated(arena, "n", MESSAGE_NAME_BYTES + 1));
    assert_true(slice_starts_with(cut, fits));
    assert_text(slice_from(cut, MESSAGE_NAME_BYTES), "…");
    cut = named(arena, repeated(arena, "世", 100));
    assert_true(slice_equal(cut, named(arena, repeated(arena, "世", MESSAGE_NAME_BYTES / 3 + 1))));
    assert_int_equal(cut.length, MESSAGE_NAME_BYTES + strlen("…"));
    arena_destroy(arena);
}

#define TEXT(literal)                                                                                        \
    {                                                                                                        \
        literal, sizeof(literal) - 1                                                                         \
    }

static const struct manager writers[] = {
    {TEXT("argocd"), MANAGER_APPLY, TEXT("")},
    {TEXT("helm"), MANAGER_UPDATE, TEXT("")},
    {TEXT("kube-controller-manager"), MANAGER_UPDATE, TEXT("scale")},
    {TEXT("kubectl"), MANAGER_APPLY, TEXT("status")},
};

/* A manager is named with what tells it from others of its name. */
static void managers_are_told_apart(void **state)
{
    (void)state;
    static const char *const expected[] = {
        "argocd (Apply)", "helm", "kube-controller-manager (scale)", "kubectl (status)"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(writers); i++) {
        struct text text = text_start(arena, 0);
        message_append_manager(&text, &writers[i]);
        assert_text(text_slice(&text), expected[i]);
    }
    struct manager nobody = {.operation = MANAGER_APPLY, .subresource = SLICE("scale")};
    struct text text = text_start(arena, 0);
    message_append_manager(&text, &nobody);
    assert_text(text_slice(&text), "this request");
    arena_destroy(arena);
}

/* Two are named; of more, two and how many others, those not listed included. */
static void many_managers_are_counted(void **state)
{
    (void)state;
    static const struct {
        size_t count, total;
        const char *expected;
    } cases[] = {
        {0, 0, ""},
        {1, 1, "argocd (Apply)"},
        {2, 2, "argocd (Apply) and helm"},
        {3, 3, "argocd (Apply), helm and 1 more"},
        {4, 4, "argocd (Apply), helm and 2 more"},
        {2, 5, "argocd (Apply), helm and 3 more"},
        {4, 1000, "argocd (Apply), helm and 998 more"},
        {1, 2, "argocd (Apply) and 1 more"},
        {1, 7, "argocd (Apply) and 6 more"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = text_start(arena, 0);
        message_append_managers(&text, writers, cases[i].count, cases[i].total);
        assert_text(text_slice(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* The first field is named, shortened where it is long, and the others are counted in good English. */
static void fields_are_counted(void **state)
{
    (void)state;
    static const struct slice short_field[] = {TEXT(".spec.replicas")};
    static const struct slice long_field[] = {
        TEXT(".spec.template.spec.containers[name=\"nginx\"].resources.limits.cpu")};
    static const struct {
        const struct slice *fields;
        size_t total;
        const char *expected;
    } cases[] = {
        {short_field, 1, ".spec.replicas"},
        {short_field, 2, ".spec.replicas and 1 more field"},
        {short_field, 3, ".spec.replicas and 2 more fields"},
        {short_field, 5000, ".spec.replicas and 4999 more fields"},
        {long_field, 1, ".spec…[name=\"nginx\"].resources.limits.cpu"},
        {long_field, 2, ".spec…[name=\"nginx\"].resources.limits.cpu and 1 more field"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct text text = text_start(arena, 0);
        message_append_fields(&text, cases[i].fields, cases[i].total);
        assert_text(text_slice(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

/* An object is named as far as it has a name, and none of its names can break the line. */
static void objects_are_named(void **state)
{
    (void)state;
    static const struct {
        struct slice kind, namespace, name;
        const char *expected;
    } cases[] = {
        {TEXT("Deployment"), TEXT("default"), TEXT("web"), "Deployment default/web"},
        {TEXT("Namespace"), TEXT("web"), TEXT("web"), "Namespace web"},
        {TEXT("Node"), TEXT(""), TEXT("web"), "Node web"},
        {TEXT("Pod"), TEXT("default"), TEXT(""), "Pod"},
        {TEXT("Pod"), TEXT(""), TEXT(""), "Pod"},
        {TEXT("P\nod"), TEXT("d\x1b"), TEXT("w\xe2\x80\xae"), "P\\nod d\\x1b/w\\u202e"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct review review = {
            .kind = cases[i].kind,
            .group_kind = cases[i].kind,
            .namespace = cases[i].namespace,
            .name = cases[i].name,
            .arena = arena};
        struct text text = text_start(arena, 0);
        message_append_object(&text, &review);
        assert_text(text_slice(&text), cases[i].expected);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cut_and_printable), cmocka_unit_test(managers_are_told_apart),
        cmocka_unit_test(many_managers_are_counted),   cmocka_unit_test(fields_are_counted),
        cmocka_unit_test(objects_are_named),
    };
    return cmocka_run_group_tests_name("message", tests, NULL, NULL);
}
