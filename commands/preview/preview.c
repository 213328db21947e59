#include "commands/preview/preview.h"

#include "apply/applier.h"
#include "apply/first_apply.h"
#include "apply/flux.h"
#include "apply/helm.h"
#include "apply/kubectl.h"
#include "apply/marks.h"
#include "apply/merge/paths.h"
#include "apply/review.h"
#include "apply/sent.h"
#include "apply/type.h"
#include "commands/preview/advice.h"
#include "commands/preview/immutable.h"
#include "commands/preview/parts.h"
#include "commands/preview/refusals.h"
#include "commands/preview/sentences.h"
#include "commands/preview/values.h"
#include "manifest/json_value.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"
#include "policy/analysis/object_name.h"
#include "policy/judge.h"

struct preview_builder {
    const struct apply_question *question;
    struct arena *arena;
    struct error *error;
    struct live live;
    struct attempt attempt;
    struct outcome outcome;
    struct first_apply identity;
    struct preview *preview;
    struct sentences refused;
    struct sentences notes;
};

/*
 * The sent object
 */

static const struct manifest_node *sent(const struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    const struct manifest_node *manifest =
        first_apply_place(question->manifest->root, builder->identity.namespace, builder->arena);
    if (!question->is_partial || question->applier == APPLY_HELM)
        manifest = marks_add(question->applier, manifest, builder->live.object, builder->arena);
    return manifest;
}

static const struct value *declared_by(
    const struct preview_builder *builder, const struct manifest_node *node)
{
    yyjson_val *json = node ? manifest_json_value(node, builder->arena) : NULL;
    if (!json) {
        error_set_out_of_memory(builder->error);
        return NULL;
    }
    const struct value *value = value_read(json, builder->arena, builder->error);
    const struct value *declared = value ? sent_declared(value, builder->arena) : NULL;
    if (value && !declared)
        error_set_out_of_memory(builder->error);
    return declared;
}

/*
 * The live object and its type
 */

static int check_live(const struct preview_builder *builder)
{
    const struct manifest_object *manifest = builder->question->manifest;
    const struct value *live = builder->live.object;
    struct slice version = value_text(value_member(live, SLICE("apiVersion")));
    if (!slice_equal(value_text(value_member(live, SLICE("kind"))), manifest->kind) ||
        !slice_equal(apply_live_metadata(live, SLICE("name")), manifest->name) ||
        !slice_equal(group_of(version), group_of(manifest->api_version)))
        return error_set(builder->error, "the live object is another one than the manifest's");
    if (slice_equal(version, manifest->api_version))
        return 0;
    struct slice shown = text_printable(builder->arena, text_cut(version, 64));
    struct slice wanted = text_printable(builder->arena, text_cut(manifest->api_version, 64));
    return error_set(
        builder->error, "the live object is of %.*s and the manifest of %.*s; read it as the manifest has it",
        (int)shown.length, shown.bytes ? shown.bytes : "", (int)wanted.length,
        wanted.bytes ? wanted.bytes : "");
}

static void note_live(struct preview_builder *builder)
{
    struct slice deleted = apply_live_metadata(builder->live.object, SLICE("deletionTimestamp"));
    if (!builder->live.has_owners)
        sentences_add(
            &builder->notes,
            SLICE(
                "the live object has no managedFields, so who owns what is unknown, and what conflicts or is "
                "dropped, too; kubectl get shows them with --show-managed-fields"));
    if (deleted.length)
        sentences_add(
            &builder->notes,
            SLICE("the live object is being deleted: what is applied goes with it, and the object has to be "
                  "applied again"));
}

static int read_live(struct preview_builder *builder)
{
    if (!builder->question->live)
        return 0;
    if (apply_live_read(builder->question->live, builder->arena, &builder->live, builder->error) < 0 ||
        check_live(builder) < 0)
        return -1;
    builder->attempt.live = &builder->live;
    note_live(builder);
    if (builder->question->is_partial)
        sentences_add(
            &builder->notes,
            SLICE("fields that others have taken from this manager: the manifest holds the fields that it "
                  "still owns; use -f MANIFEST"));
    return 0;
}

static void check_name(struct preview_builder *builder, bool is_known)
{
    const char *problem =
        object_name_refusal(builder->identity.group_kind, is_known, builder->question->manifest->name);
    if (problem && !builder->attempt.live)
        sentences_add(&builder->refused, slice_of(problem));
}

static int read_type(struct preview_builder *builder)
{
    struct found_type found;
    if (type_find(builder->question, builder->attempt.live, builder->arena, &found, builder->error) < 0)
        return -1;
    builder->attempt.type = found.type;
    builder->attempt.openapi = found.openapi;
    builder->attempt.is_custom = found.is_custom;
    check_name(builder, found.is_known);
    if (found.is_known)
        refusals_of_types(builder->attempt.manifest, found.type, &builder->refused);
    else
        sentences_add(
            &builder->notes,
            SLICE("the schema of this custom resource is unknown: its lists are taken as the owners of the "
                  "live object show them, others as one value; use --crd FILE"));
    return 0;
}

/*
 * Helm's previous manifest
 */

/* If the release did not have the object, Helm takes it over as if it had declared it in the same way. */
static const struct value *previous_of_release(struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    if (question->previous.bytes)
        return value_read_json(question->previous, builder->arena);
    if (!question->has_previous)
        sentences_add(
            &builder->notes,
            builder->attempt.is_custom
                ? SLICE("Helm sets and removes in a custom resource the differences from the release's "
                        "previous manifest, which is unknown; use --previous FILE, as helm get manifest "
                        "prints it")
                : SLICE("Helm removes the fields of the release's previous manifest that this one lacks, and "
                        "the former is unknown; use --previous FILE, as helm get manifest prints it"));
    return builder->attempt.manifest;
}

/* For a client-side upgrade by Helm. */
static int read_previous(struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    struct attempt *attempt = &builder->attempt;
    if (question->applier != APPLY_HELM || attempt->manager.operation != MANAGER_UPDATE)
        return 0;
    attempt->is_custom |= helm_lacks_type(question->manifest->api_version);
    const struct value *previous = previous_of_release(builder);
    attempt->previous = previous ? sent_declared(previous, builder->arena) : NULL;
    /* If the previous manifest is unknown, the live object is the best guess. */
    attempt->compares_manifests = attempt->is_custom && question->has_previous;
    if (question->is_forced)
        sentences_add(
            &builder->notes,
            SLICE("Helm upgrades this object client-side and takes what conflicts; Helm 4 refuses "
                  "--force-conflicts for such a release"));
    return attempt->previous ? 0 : error_set_out_of_memory(builder->error);
}

/*
 * The verdict
 */

static const struct review *review_apply(const struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    const struct reviewed reviewed = {
        .attempt = &builder->attempt,
        .outcome = &builder->outcome,
        .manifest = question->manifest,
        .namespace = builder->identity.namespace,
        .user = question->user,
        .groups = question->groups,
        .now = question->now,
    };
    return review_of_apply(&reviewed, builder->arena, builder->error);
}

static int judge_apply(struct preview_builder *builder, const struct review *review)
{
    const struct apply_question *question = builder->question;
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = question->now};
    enum judge_result result =
        judge_review(question->policy, review, &options, &builder->preview->verdict, builder->error);
    return result == JUDGE_OK ? 0 : -1;
}

/*
 * The whole preview
 */

/* For a custom resource, only a cluster knows whether it is namespaced: the live object shows it. */
static bool is_namespace_unknown(const struct preview_builder *builder)
{
    const struct manifest_object *object = builder->question->manifest;
    return (builder->attempt.live || !object->namespace.length) &&
        kind_scope_of(group_of(object->api_version), object->kind) == KIND_UNKNOWN;
}

static void find_applier(struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    struct attempt *attempt = &builder->attempt;
    attempt->manager = applier_manager(question, attempt->live);
    attempt->is_forced = question->is_forced || question->applier == APPLY_FLUX ||
        question->applier == APPLY_ARGOCD || attempt->manager.operation == MANAGER_UPDATE;
}

/* Finds the object that is sent, and what Flux takes over before it sends it. */
static int read_sent(struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    struct attempt *attempt = &builder->attempt;
    attempt->applied = sent(builder);
    attempt->manifest = declared_by(builder, attempt->applied);
    if (!attempt->manifest)
        return -1;
    if (question->applier != APPLY_FLUX || !attempt->live || question->is_partial)
        return 0;
    bool is_taken_over =
        flux_take_over(&builder->live, attempt->manifest, attempt->manager.name, builder->arena);
    return is_taken_over ? 0 : error_set_out_of_memory(builder->error);
}

static int prepare(struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    const struct applier applier = {.namespace = question->namespace, .now = question->now};
    if (!question->manifest->name.length)
        return error_set(builder->error, "it has no name: an apply needs metadata.name");
    if (!first_apply_identify(question->manifest, &applier, builder->arena, &builder->identity))
        return error_set_out_of_memory(builder->error);
    if (read_live(builder) < 0)
        return -1;
    find_applier(builder);
    if (is_namespace_unknown(builder))
        builder->identity.namespace = apply_live_metadata(builder->live.object, SLICE("namespace"));
    if (read_sent(builder) < 0 || read_type(builder) < 0)
        return -1;
    return read_previous(builder);
}

static void describe(struct preview_builder *builder)
{
    struct preview *preview = builder->preview;
    preview->kind = builder->question->manifest->kind;
    preview->namespace = builder->identity.namespace;
    preview->name = builder->question->manifest->name;
    preview->is_created = !builder->attempt.live;
    preview->is_forced = builder->attempt.is_forced;
    preview->has_owners = preview->is_created || builder->live.has_owners;
    preview->is_secret = secrets_may_be(preview->kind);
}

/*
 * A server-side apply of a field that the schema lacks is always refused, and kubectl asks for strict
 * validation of a client-side one. Other clients may let the API server drop the field. The action of the
 * rule schema shows whether the cluster may be newer than the schemas of Kubernetes' own types.
 */
static bool is_refused_if_unknown(const struct preview_builder *builder)
{
    const struct apply_question *question = builder->question;
    bool is_strict =
        builder->attempt.manager.operation == MANAGER_APPLY || question->applier == APPLY_KUBECTL;
    return is_strict && (builder->attempt.is_custom || question->policy->actions[RULE_schema] == ACTION_DENY);
}

static void find_unknown(struct preview_builder *builder)
{
    struct slice_list paths = paths_of(builder->outcome.unknown, builder->arena);
    bool is_refused = is_refused_if_unknown(builder);
    for (size_t i = 0; i < paths.count; i++) {
        sentences_add(
            is_refused ? &builder->refused : &builder->notes,
            text_join(
                builder->arena, paths.items[i], ": the schema has no such field",
                is_refused ? "" : ", so the API server refuses the apply or drops the field"));
    }
}

static void note_removal(struct preview_builder *builder, struct slice path, struct slice manager)
{
    sentences_add(
        &builder->notes,
        text_join(
            builder->arena, path, ": kubectl removes it, too, when it has taken over what ", manager,
            " owns, and applies again"));
}

static void note_second_apply(struct preview_builder *builder)
{
    const struct live *live = builder->attempt.live;
    bool removes = false;
    for (size_t i = 0; live && i < live->count; i++) {
        struct slice_list paths = paths_of(
            kubectl_left_over(&builder->attempt, &builder->outcome, i, builder->arena), builder->arena);
        for (size_t j = 0; j < paths.count; j++)
            note_removal(builder, paths.items[j], live->entries[i].manager.name);
        removes |= paths.count > 0;
    }
    if (removes)
        sentences_add(
            &builder->notes,
            SLICE("what the policy says of kubectl's second apply: the verdict is of the first one"));
}

static void find_refusals(struct preview_builder *builder, const struct review *review)
{
    const struct outcome *outcome = &builder->outcome;
    struct sentences *refused = &builder->refused;
    if (builder->attempt.live)
        refusals_of_changes(outcome->before, outcome->after, builder->identity.group_kind, refused);
    refusals_of_metadata(outcome->after, builder->live.object, refused);
    refusals_of_custom(&builder->attempt, outcome->after, refused, &builder->notes);
    refusals_of_object(review, refused);
}

static int fill(struct preview_builder *builder)
{
    struct preview *preview = builder->preview;
    struct arena *arena = builder->arena;
    const struct review *review = review_apply(builder);
    if (!review)
        return -1;
    preview->before = builder->attempt.live ? builder->outcome.before : NULL;
    preview->after = builder->outcome.after;
    find_unknown(builder);
    find_refusals(builder, review);
    parts_changes(&builder->attempt, &builder->outcome, arena, preview);
    parts_conflicts(&builder->attempt, &builder->outcome, arena, preview);
    preview_advise(builder->question, &builder->attempt, arena, preview);
    parts_kept(&builder->attempt, &builder->outcome, arena, preview);
    preview->is_refused = builder->refused.count || (preview->conflict_count && !preview->is_forced);
    if (preview->is_refused || !preview->has_owners || builder->outcome.is_unsent)
        return 0;
    if (builder->question->applier == APPLY_KUBECTL_SERVER && !builder->question->is_partial)
        note_second_apply(builder);
    parts_reverted(&builder->attempt, &builder->outcome, builder->question, arena, preview);
    return judge_apply(builder, review);
}

static int make(struct preview_builder *builder)
{
    struct error problem = {0}; /* the error, or why the API server refuses the apply */
    if (prepare(builder) < 0)
        return -1;
    describe(builder);
    refusals_of_manifest(&builder->attempt, builder->question->manifest->root, &builder->refused);
    int status = builder->attempt.manager.operation == MANAGER_APPLY
        ? outcome_of_server_side(&builder->attempt, builder->arena, &builder->outcome, &problem)
        : outcome_of_client_side(&builder->attempt, builder->arena, &builder->outcome, &problem);
    if (status < 0) {
        *builder->error = problem;
        return -1;
    }
    if (status == 0)
        return fill(builder);
    sentences_add(&builder->refused, slice_of(problem.message));
    builder->preview->is_refused = true;
    return 0;
}

const struct preview *preview_make(
    const struct apply_question *question, struct arena *arena, struct error *error)
{
    struct preview_builder builder = {
        .question = question,
        .arena = arena,
        .error = error,
        .preview = arena_allocate_array(arena, 1, sizeof(*builder.preview)),
        .refused = {.arena = arena},
        .notes = {.arena = arena},
    };
    bool is_made = builder.preview && make(&builder) == 0;
    if (is_made) {
        builder.preview->refused = sentences_list(&builder.refused);
        builder.preview->notes = sentences_list(&builder.notes);
    }
    if (!arena_has_failed(arena))
        return is_made ? builder.preview : NULL;
    /* Other messages may be wrong if memory ran out. */
    error_set_out_of_memory(error);
    return NULL;
}

bool preview_is_same(const struct preview *preview)
{
    return preview->dropped != DROPPED_DELETED && !preview->is_created && !preview->set.count &&
        !preview->changed.count && !preview->removed.count;
}
