/*
 * Memory that runs out while a preview is made: each allocation in turn, once and for ever after. The preview
 * is whole, or the error says that memory ran out, and nothing leaks.
 *
 * Run from the top folder, where the fuzzer's corpus is.
 */
#include "tests/torture/failing_memory.h"

#include "base/array_size.h"
#include "commands/preview/preview.h"
#include "manifest/json_value.h"
#include "policy/judge.h"

#define SAID_MAX ((size_t)256 * 1024)

/* Allocations that fail of each preview, in each of the two ways. */
#define FAILURES_OF_EACH 12

/* The corpus has more. */
#define PREVIEWS_MIN 100

static struct policy *policy;
static size_t previews;

struct way {
    enum apply_tool applier;
    const char *manager; /* NULL: the applier's own */
    bool is_forced;      /* conflicts are taken, and need no ways out */
};

/* The last is Helm's client-side upgrade, where the live object was applied by kubectl. */
static const struct way ways[] = {
    {APPLY_KUBECTL_SERVER, NULL, true},
    {APPLY_KUBECTL_SERVER, NULL, false},
    {APPLY_HELM, NULL, true},
    {APPLY_HELM, "kubectl-client-side-apply", false},
};
static const struct way *way;

static bool append(struct text *text, char *said)
{
    struct slice all = text_slice(text);
    if (!all.bytes)
        return false;
    strncat(said, all.bytes, all.length);
    return true;
}

/* False if memory ran out. */
static bool say(const struct manifest_object *manifest, yyjson_val *live, struct slice previous, char *said)
{
    struct arena *arena = arena_create();
    struct error error = {0};
    const struct apply_question question = {
        .manifest = manifest,
        .live = live,
        .applier = way->applier,
        .manager = way->manager ? slice_of(way->manager) : (struct slice){NULL, 0},
        .is_forced = way->is_forced,
        .has_previous = true,
        .previous = previous,
        .policy = policy,
        .now = 1800000000,
    };
    said[0] = '\0';
    const struct preview *preview = arena ? preview_make(&question, arena, &error) : NULL;
    bool is_whole = preview || (arena && !arena_has_failed(arena));
    if (!is_whole && arena && !strstr(error.message, "memory"))
        fail_msg("memory runs out, and it says: %s", error.message);
    if (preview) {
        struct text json = text_start(arena, 64), text = text_start(arena, 64), diff = text_start(arena, 64);
        preview_append_json(&json, preview);
        preview_append_text(&text, preview, true);
        if (preview->after)
            preview_append_diff(&diff, preview, true);
        is_whole = append(&json, said) && append(&text, said) && append(&diff, said);
    }
    arena_destroy(arena);
    return is_whole;
}

struct question {
    const char *path;
    const struct manifest_object *manifest;
    yyjson_val *live;
    struct slice previous;
    char truth[SAID_MAX];
};

static bool say_again(void *data, size_t number)
{
    static char said[SAID_MAX];
    const struct question *question = data;
    bool is_whole = say(question->manifest, question->live, question->previous, said);
    if (is_whole && strcmp(said, question->truth) != 0)
        fail_msg("%s, allocation %zu fails: %s", question->path, number, said);
    return is_whole;
}

static void check_ways(struct question *question)
{
    for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
        way = &ways[i];
        if (!say(question->manifest, question->live, question->previous, question->truth))
            continue;
        previews++;
        fail_each_allocation(say_again, question, failures_of_each(FAILURES_OF_EACH));
    }
}

/* A live object, and the manifest. Fuzzing found inputs that hold no two objects, or whose preview is
 * refused. */
static void check_file(const char *name, struct slice text)
{
    static struct question question;
    struct manifest_object object;
    struct error error;
    struct arena *arena = arena_create();
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    question.path = name;
    question.manifest = &object;
    if (manifest_next(reader, &object, &error) == MANIFEST_OBJECT) {
        question.live = manifest_json_value(object.root, arena);
        question.previous = manifest_json(object.root, arena);
        if (manifest_next(reader, &object, &error) == MANIFEST_OBJECT)
            check_ways(&question);
    }
    manifest_close(reader);
    arena_destroy(arena);
}

static void it_is_told_whole_or_not_at_all(void **state)
{
    (void)state;
    policy = policy_default();
    assert_non_null(policy);
    for_each_input("tests/fuzz/corpus/fuzz_preview", check_file);
    assert_true(previews > PREVIEWS_MIN);
    policy_free(policy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_whole_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, tell_fault_points);
}
