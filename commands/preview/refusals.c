#include "commands/preview/refusals.h"

#include "apply/merge/custom_values.h"
#include "apply/merge/typed.h"
#include "policy/analysis/combinations.h"

static void add_type_refusal(void *context, const struct path *path, const char *is, const char *must_be)
{
    struct sentences *refused = context;
    struct text text = text_start(refused->arena, 160);
    path_append(&text, path);
    text_append_all(&text, " is a ", is, " and must be a ", must_be);
    sentences_add(refused, text_slice(&text));
}

void refusals_of_types(const struct value *manifest, struct schema_ref type, struct sentences *refused)
{
    typed_check(type, manifest, add_type_refusal, refused);
}

/* The part of a pattern that is shown. */
#define WANTED_BYTES_MAX 128

struct custom_refusals {
    struct sentences *refused, *unknown;
};

static void add_custom_refusal(void *context, const struct path *path, const struct custom_problem *problem)
{
    const struct custom_refusals *refusals = context;
    struct sentences *sentences = problem->is_certain ? refusals->refused : refusals->unknown;
    struct text text = text_start(sentences->arena, 160);
    path_append(&text, path);
    text_append_all(&text, " ", problem->sentence);
    if (problem->wanted.length)
        text_append_all(&text, " ", as_printable(text_cut(problem->wanted, WANTED_BYTES_MAX)));
    if (problem->wanted.length > WANTED_BYTES_MAX)
        text_append_string(&text, TEXT_ELLIPSIS);
    if (!problem->is_certain)
        text_append_string(&text, " of its schema: only the API server checks it");
    sentences_add(sentences, text_slice(&text));
}

void refusals_of_custom(
    const struct attempt *attempt, const struct value *object, struct sentences *refused,
    struct sentences *unknown)
{
    struct custom_refusals refusals = {refused, unknown};
    const struct value *live = attempt->live ? attempt->live->object : NULL;
    if (attempt->openapi)
        custom_check(
            attempt->openapi, attempt->type, object, live, refused->arena, add_custom_refusal, &refusals);
}

/* Each refusal is looked for among those of the live object. The API server stores no object with so many. */
#define REFUSED_OF_LIVE_MAX 256

/* The fields of an object that the API server refuses, to compare them with those of another object. */
struct refused {
    struct refused *next;
    struct slice field;
    const char *sentence;
};

struct comparison_with_live {
    struct sentences *refused;
    struct declared_spec live;
    bool is_live_known;
    struct refused *of_live;
    size_t of_live_count;
};

static void add_of_live(void *context, struct slice field, const char *sentence)
{
    struct comparison_with_live *comparison = context;
    if (comparison->of_live_count++ >= REFUSED_OF_LIVE_MAX)
        return;
    struct refused *refused = arena_allocate(comparison->refused->arena, sizeof(*refused));
    if (!refused)
        return;
    *refused = (struct refused){comparison->of_live, field, sentence};
    comparison->of_live = refused;
}

/* The live object is searched once the result has something that is refused: few results have. */
static void add_of_result(void *context, struct slice field, const char *sentence)
{
    struct comparison_with_live *comparison = context;
    if (comparison->live.object && !comparison->is_live_known)
        combinations_find(&comparison->live, comparison->refused->arena, add_of_live, comparison);
    comparison->is_live_known = true;
    if (comparison->of_live_count > REFUSED_OF_LIVE_MAX)
        return;
    for (const struct refused *live = comparison->of_live; live; live = live->next)
        if (slice_equal(live->field, field) && live->sentence == sentence)
            return;
    sentences_add(
        comparison->refused, text_join(comparison->refused->arena, as_printable(field), ": ", sentence));
}

/* The API server has taken what the live object has. */
void refusals_of_object(const struct review *review, struct sentences *refused)
{
    struct declared_spec result = {
        .group_kind = review->group_kind,
        .version = review->version,
        .object = review->object,
        .old_object = review->old_object,
        .spec = review->parts.spec,
    };
    struct comparison_with_live comparison = {.refused = refused, .live = result};
    comparison.live.object = review->old_object;
    comparison.live.spec = review->old_parts.spec;
    combinations_find(&result, refused->arena, add_of_result, &comparison);
}

/* A uid or resourceVersion in the manifest is a precondition of an update. */
static bool is_other(const struct value *live, struct slice name, struct slice wanted)
{
    return wanted.length && live && !slice_equal(wanted, apply_live_metadata(live, name));
}

void refusals_of_manifest(
    const struct attempt *attempt, const struct manifest_node *manifest, struct sentences *refused)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *entries = manifest_member(metadata, SLICE("managedFields"));
    const struct value *live = attempt->live ? attempt->live->object : NULL;
    struct slice uid = manifest_text(manifest_member(metadata, SLICE("uid")));
    struct slice version = manifest_text(manifest_member(metadata, SLICE("resourceVersion")));
    bool is_apply = attempt->manager.operation == MANAGER_APPLY;
    if (is_apply && entries && entries->kind == MANIFEST_LIST)
        sentences_add(refused, SLICE("the manifest has metadata.managedFields; remove them from it"));
    if (is_apply && uid.length && !live)
        sentences_add(refused, SLICE("the manifest has metadata.uid, and the object is not there"));
    if (is_other(live, SLICE("uid"), uid))
        sentences_add(
            refused,
            SLICE("the manifest has another metadata.uid than the live object; remove it from the manifest"));
    /* 0 matches any version. */
    if (is_other(live, SLICE("resourceVersion"), version) && !slice_equal(version, SLICE("0")))
        sentences_add(
            refused,
            SLICE(
                "the manifest has another metadata.resourceVersion than the live object; remove it from the "
                "manifest"));
}
