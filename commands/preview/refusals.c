#include "commands/preview/refusals.h"

#include "apply/merge/custom_values.h"
#include "apply/merge/typed.h"
#include "policy/analysis/combinations.h"

struct refusal_search {
    struct arena *arena;
    refusal_visit *visit;
    void *context;
};

static void add_refusal(void *context, struct slice field, const char *sentence)
{
    const struct refusal_search *search = context;
    search->visit(search->context, text_join(search->arena, as_printable(field), ": ", sentence));
}

static void add_type_refusal(void *context, const struct path *path, const char *is, const char *must_be)
{
    const struct refusal_search *search = context;
    struct text text = text_start(search->arena, 160);
    path_append(&text, path);
    text_append_all(&text, " is a ", is, " and must be a ", must_be);
    search->visit(search->context, text_slice(&text));
}

void refusals_of_types(
    const struct value *manifest, struct schema_ref type, struct arena *arena, refusal_visit *visit,
    void *context)
{
    struct refusal_search search = {arena, visit, context};
    typed_check(type, manifest, add_type_refusal, &search);
}

/* The part of a pattern that is shown. */
#define WANTED_BYTES_MAX 128

struct custom_search {
    struct refusal_search search;
    refusal_visit *visit_unknown;
};

static void add_custom_refusal(void *context, const struct path *path, const struct custom_problem *problem)
{
    const struct custom_search *custom = context;
    const struct refusal_search *search = &custom->search;
    struct text text = text_start(search->arena, 160);
    path_append(&text, path);
    text_append_all(&text, " ", problem->sentence);
    if (problem->wanted.length)
        text_append_all(&text, " ", as_printable(text_cut(problem->wanted, WANTED_BYTES_MAX)));
    if (problem->wanted.length > WANTED_BYTES_MAX)
        text_append_string(&text, TEXT_ELLIPSIS);
    if (!problem->is_certain)
        text_append_string(&text, " of its schema: only the API server checks it");
    (problem->is_certain ? search->visit : custom->visit_unknown)(search->context, text_slice(&text));
}

void refusals_of_custom(
    const struct attempt *attempt, const struct value *object, struct arena *arena, refusal_visit *visit,
    refusal_visit *visit_unknown, void *context)
{
    struct custom_search search = {{arena, visit, context}, visit_unknown};
    const struct value *live = attempt->live ? attempt->live->object : NULL;
    if (attempt->openapi)
        custom_check(attempt->openapi, attempt->type, object, live, arena, add_custom_refusal, &search);
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
    struct refusal_search search;
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
    struct refused *refused = arena_allocate_array(comparison->search.arena, 1, sizeof(*refused));
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
        combinations_find(&comparison->live, comparison->search.arena, add_of_live, comparison);
    comparison->is_live_known = true;
    if (comparison->of_live_count > REFUSED_OF_LIVE_MAX)
        return;
    for (const struct refused *live = comparison->of_live; live; live = live->next)
        if (slice_equal(live->field, field) && live->sentence == sentence)
            return;
    add_refusal(&comparison->search, field, sentence);
}

/* The API server has taken what the live object has. */
void refusals_of_object(const struct review *review, struct arena *arena, refusal_visit *visit, void *context)
{
    struct declared_spec result = {
        .group_kind = review->group_kind,
        .version = review->version,
        .object = review->object,
        .old_object = review->old_object,
        .spec = review->parts.spec,
    };
    struct comparison_with_live comparison = {.search = {arena, visit, context}, .live = result};
    comparison.live.object = review->old_object;
    comparison.live.spec = review->old_parts.spec;
    combinations_find(&result, arena, add_of_result, &comparison);
}

/* A uid or resourceVersion in the manifest is a precondition of an update. */
static bool is_other(const struct value *live, struct slice name, struct slice wanted)
{
    return wanted.length && live && !slice_equal(wanted, apply_live_metadata(live, name));
}

void refusals_of_manifest(
    const struct value *live, const struct manifest_node *manifest, bool is_apply, refusal_visit *visit,
    void *context)
{
    const struct manifest_node *metadata = manifest_member(manifest, SLICE("metadata"));
    const struct manifest_node *entries = manifest_member(metadata, SLICE("managedFields"));
    struct slice uid = manifest_text(manifest_member(metadata, SLICE("uid")));
    struct slice version = manifest_text(manifest_member(metadata, SLICE("resourceVersion")));
    if (is_apply && entries && entries->kind == MANIFEST_LIST)
        visit(context, SLICE("the manifest has metadata.managedFields; remove them from it"));
    if (is_apply && uid.length && !live)
        visit(context, SLICE("the manifest has metadata.uid, and the object is not there"));
    if (is_other(live, SLICE("uid"), uid))
        visit(
            context,
            SLICE("the manifest has another metadata.uid than the live object; remove it from the manifest"));
    /* 0 matches any version. */
    if (is_other(live, SLICE("resourceVersion"), version) && !slice_equal(version, SLICE("0")))
        visit(
            context,
            SLICE(
                "the manifest has another metadata.resourceVersion than the live object; remove it from the "
                "manifest"));
}
