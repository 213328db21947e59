/*
 * Whatever live object, manifest and previous manifest: they are refused with a reason, or the effect of an
 * apply is printed in each format; the same server-side apply again changes nothing, and has no conflicts.
 */
#include "commands/preview/preview.h"

#include "base/array_size.h"
#include "base/json.h"
#include "fuzz.h"
#include "manifest/json_value.h"
#include "policy/judge.h"
#include "tests/fuzz/printable.h"

#define NOW 1800000000

static const enum apply_tool server_side[] = {APPLY_KUBECTL_SERVER, APPLY_FLUX};
static const struct manifest_limits limits = {16 * 1024, 4096, 64 * 1024};

static void check_lines(struct slice all)
{
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
}

static void check_formats(const struct preview *preview, struct arena *arena)
{
    struct text text = text_start(arena, 1024), json = text_start(arena, 1024),
                diff = text_start(arena, 1024);
    preview_append_text(&text, preview, false);
    preview_append_json(&json, preview);
    if (preview->after)
        preview_append_diff(&diff, preview, false);
    check_lines(text_slice(&text));
    check_lines(text_slice(&json));
    check_lines(text_slice(&diff));
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    promise(document != NULL, "the JSON is JSON");
    yyjson_doc_free(document);
}

static struct slice text_of(yyjson_val *object, struct arena *arena)
{
    yyjson_alc allocator = arena_yyjson(arena);
    size_t length = 0;
    char *bytes = object ? yyjson_val_write_opts(object, 0, &allocator, &length, NULL) : NULL;
    return (struct slice){bytes, length};
}

static const struct preview *ask(const struct apply_question *question, struct arena *arena)
{
    struct error error = {0};
    const struct preview *preview = preview_make(question, arena, &error);
    promise(preview || error.message[0], "a refusal says why");
    if (preview)
        check_formats(preview, arena);
    else
        check_printable(slice_of(error.message), 0);
    return preview;
}

static bool open_object(struct slice text, struct manifest_reader **reader, struct manifest_object *object)
{
    struct error error;
    *reader = manifest_open(manifest_read_slice, &text, &limits);
    promise(*reader != NULL, "there is memory");
    return manifest_next(*reader, object, &error) == MANIFEST_OBJECT;
}

/*
 * Nothing is set or changed. It may remove: of an item whose owners have no longer its key,
 * structured-merge-diff removes the key, and so confuses it with another item (corpus: item-without-key).
 */
static bool is_settled(const struct preview *preview)
{
    return !preview->set.count && !preview->changed.count;
}

/* The fields that the applier owns now, applied once more. */
static void check_last_apply(struct apply_question question, struct arena *arena)
{
    struct manifest_reader *live_reader, *reader = NULL;
    struct manifest_object live, manifest;
    struct last_apply applied;
    struct error error = {0};
    question.manifest = &live;
    if (open_object(text_of(question.live, arena), &live_reader, &live) &&
        apply_find_last(&question, arena, &applied, &error) == 0 && applied.is_partial &&
        open_object(applied.manifest, &reader, &manifest)) {
        question.manifest = &manifest;
        question.is_partial = true;
        const struct preview *preview = ask(&question, arena);
        promise(preview != NULL, "what a manager owns can be applied");
        if (!preview->is_refused)
            promise(
                is_settled(preview) && !preview->conflict_count,
                "what a manager owns, applied again, changes nothing");
    }
    manifest_close(reader);
    manifest_close(live_reader);
}

static void check(struct apply_question question, struct arena *arena)
{
    const struct preview *first = ask(&question, arena);
    if (!first || !first->verdict)
        return;
    question.live = first->verdict->review->object;
    const struct preview *second = ask(&question, arena);
    promise(second != NULL, "what an apply makes can be applied to");
    if (second->is_refused)
        return;
    promise(is_settled(second), "the same apply again changes nothing");
    /* The manager kubectl writes another last-applied annotation than a manifest may have. */
    if (question.applier != APPLY_KUBECTL_SERVER)
        promise(!second->conflict_count, "nor does it conflict");
    check_last_apply(question, arena);
}

/* Helm may apply client-side. */
static void check_helm(struct apply_question question, struct slice previous, struct arena *arena)
{
    question.applier = APPLY_HELM;
    ask(&question, arena);
    question.has_previous = true;
    ask(&question, arena);
    question.previous = previous;
    ask(&question, arena);
}

/* Returns NULL if the text has no further object. */
static yyjson_val *read_object(
    struct manifest_reader *reader, struct manifest_object *object, struct arena *arena)
{
    struct error error;
    bool is_there = manifest_next(reader, object, &error) == MANIFEST_OBJECT;
    return is_there ? manifest_json_value(object->root, arena) : NULL;
}

/* With a reader of its own: an object lives until the next one is read. */
static struct slice read_third(struct slice text, struct arena *arena)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, &limits);
    struct manifest_object object;
    yyjson_val *third = NULL;
    promise(reader != NULL, "there is memory");
    for (size_t i = 0; i < 3; i++)
        third = read_object(reader, &object, arena);
    manifest_close(reader);
    return text_of(third, arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = {(const char *)data, size}, rest = text;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, &limits);
    struct arena *arena = arena_create();
    struct policy *policy = policy_default();
    struct manifest_object object;
    promise(reader && arena && policy, "there is memory");
    struct apply_question question = {.manifest = &object, .policy = policy, .now = NOW, .is_forced = true};
    question.live = read_object(reader, &object, arena);
    bool has_live = question.live != NULL;
    bool has_manifest = read_object(reader, &object, arena) != NULL;
    for (size_t i = 0; has_manifest && i < ARRAY_SIZE(server_side); i++) {
        question.applier = server_side[i];
        if (has_live)
            check(question, arena);
        struct apply_question created = question;
        created.live = NULL;
        check(created, arena);
        struct apply_question unforced = question;
        unforced.is_forced = false;
        check(unforced, arena);
    }
    if (has_manifest && has_live)
        check_helm(question, read_third(text, arena), arena);
    policy_free(policy);
    arena_destroy(arena);
    manifest_close(reader);
    return 0;
}
