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
#include "base/json.h"
#include "commands/preview/advice.h"
#include "commands/preview/immutable.h"
#include "commands/preview/names.h"
#include "commands/preview/parts.h"
#include "commands/preview/refusals.h"
#include "commands/preview/values.h"
#include "manifest/json_value.h"
#include "manifest/kinds.h"
#include "manifest/secrets.h"
#include "policy/judge.h"

/* The limit of sentences of each kind in one preview. */
#define SENTENCES_MAX 16

struct sentences {
    struct slice items[SENTENCES_MAX];
    size_t count;
    size_t left_out;
};

struct making {
    const struct preview_question *question;
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

static void add(struct making *making, struct sentences *sentences, struct slice sentence)
{
    if (sentences->count < SENTENCES_MAX)
        sentences->items[sentences->count++] = arena_copy(making->arena, sentence);
    else
        sentences->left_out++;
}

static void refuse(void *context, struct slice sentence)
{
    struct making *making = context;
    add(making, &making->refused, sentence);
}

/*
 * The sent object
 */

static const struct manifest_node *sent(const struct making *making)
{
    const struct preview_question *question = making->question;
    const struct manifest_node *manifest =
        first_apply_place(question->manifest->root, making->identity.namespace, making->arena);
    if (!question->is_partial || question->applier == PREVIEW_HELM)
        manifest = marks_add(question->applier, manifest, making->live.object, making->arena);
    return manifest;
}

static const struct value *declared_by(const struct making *making, const struct manifest_node *node)
{
    yyjson_val *json = node ? manifest_json_value(node, making->arena) : NULL;
    if (!json) {
        error_set_out_of_memory(making->error);
        return NULL;
    }
    const struct value *value = value_read(json, making->arena, making->error);
    const struct value *declared = value ? sent_declared(value, making->arena) : NULL;
    if (value && !declared)
        error_set_out_of_memory(making->error);
    return declared;
}

/*
 * Other candidates for the live object
 */

static int check_live(const struct making *making)
{
    const struct manifest_object *manifest = making->question->manifest;
    const struct value *live = making->live.object;
    struct slice version = value_text(value_member(live, SLICE("apiVersion")));
    if (!slice_equal(value_text(value_member(live, SLICE("kind"))), manifest->kind) ||
        !slice_equal(preview_live_metadata(live, SLICE("name")), manifest->name) ||
        !slice_equal(group_of(version), group_of(manifest->api_version)))
        return error_set(making->error, "the live object is another one than the manifest's");
    if (slice_equal(version, manifest->api_version))
        return 0;
    struct slice shown = text_printable(making->arena, text_cut(version, 64));
    struct slice wanted = text_printable(making->arena, text_cut(manifest->api_version, 64));
    return error_set(
        making->error, "the live object is of %.*s and the manifest of %.*s; read it as the manifest has it",
        (int)shown.length, shown.bytes ? shown.bytes : "", (int)wanted.length,
        wanted.bytes ? wanted.bytes : "");
}

static void note_live(struct making *making)
{
    struct slice deleted = preview_live_metadata(making->live.object, SLICE("deletionTimestamp"));
    if (!making->live.has_owners)
        add(making, &making->notes,
            SLICE(
                "the live object has no managedFields, so who owns what is unknown, and what conflicts or is "
                "dropped, too; kubectl get shows them with --show-managed-fields"));
    if (deleted.length)
        add(making, &making->notes,
            SLICE("the live object is being deleted: what is applied goes with it, and the object has to be "
                  "applied again"));
}

static int read_live(struct making *making)
{
    if (!making->question->live.bytes)
        return 0;
    if (preview_live_read(making->question->live, making->arena, &making->live, making->error) < 0 ||
        check_live(making) < 0)
        return -1;
    making->attempt.live = &making->live;
    note_live(making);
    if (making->question->is_partial)
        add(making, &making->notes,
            SLICE("what others have taken from this manager: the manifest is what it still owns of the live "
                  "object; its own tells, with -f"));
    return 0;
}

static void check_name(struct making *making, bool is_known)
{
    const char *problem =
        name_problem(making->identity.group_kind, is_known, making->question->manifest->name);
    if (problem && !making->attempt.live)
        refuse(making, slice_of(problem));
}

static int read_type(struct making *making)
{
    struct found_type found;
    if (type_find(making->question, making->attempt.live, making->arena, &found, making->error) < 0)
        return -1;
    making->attempt.type = found.type;
    making->attempt.is_custom = found.is_custom;
    check_name(making, found.is_known);
    if (found.is_known)
        refusals_of_types(making->attempt.manifest, found.type, making->arena, refuse, making);
    else
        add(making, &making->notes,
            SLICE("the schema of this custom resource is unknown: its lists are taken as the owners of the "
                  "live object show them, others as one value; --crd FILE tells"));
    return 0;
}

/*
 * Helm's previous manifest
 */

/* If the release did not have the object, Helm takes it over as if it had declared it in the same way. */
static const struct value *previous_of_release(struct making *making)
{
    const struct preview_question *question = making->question;
    if (question->previous.bytes)
        return value_read_json(question->previous, making->arena);
    if (!question->has_previous)
        add(making, &making->notes,
            making->attempt.is_custom
                ? SLICE("Helm sets and removes in a custom resource what differs from the release's previous "
                        "manifest, which is unknown; --previous FILE tells, as helm get manifest prints it")
                : SLICE("Helm removes what the release's previous manifest declares and this one does not, "
                        "which is unknown; --previous FILE tells, as helm get manifest prints it"));
    return making->attempt.manifest;
}

/* For a client-side upgrade by Helm. */
static int read_previous(struct making *making)
{
    const struct preview_question *question = making->question;
    struct attempt *attempt = &making->attempt;
    if (question->applier != PREVIEW_HELM || attempt->manager.operation != MANAGER_UPDATE)
        return 0;
    attempt->is_custom |= helm_lacks_type(question->manifest->api_version);
    const struct value *previous = previous_of_release(making);
    attempt->previous = previous ? sent_declared(previous, making->arena) : NULL;
    /* If the previous manifest is unknown, the live object is the best guess. */
    attempt->compares_manifests = attempt->is_custom && question->has_previous;
    if (question->is_forced)
        add(making, &making->notes,
            SLICE("Helm upgrades this object client-side and takes what conflicts; Helm 4 refuses "
                  "--force-conflicts for such a release"));
    return attempt->previous ? 0 : error_set_out_of_memory(making->error);
}

/*
 * The verdict
 */

static int judge_apply(struct making *making)
{
    const struct preview_question *question = making->question;
    const struct reviewed reviewed = {
        .attempt = &making->attempt,
        .outcome = &making->outcome,
        .manifest = question->manifest,
        .namespace = making->identity.namespace,
        .user = question->user,
        .groups = question->groups,
        .now = question->now,
    };
    const struct judge_options options = {.ceiling = MODE_ENFORCE, .now = question->now};
    const struct review *review = review_of_apply(&reviewed, making->arena, making->error);
    bool is_judged = review &&
        judge_review(question->policy, review, &options, &making->preview->verdict, making->error) ==
            JUDGE_OK;
    return is_judged ? 0 : -1;
}

/*
 * The whole preview
 */

/* For a custom resource, only a cluster knows whether it is namespaced: the live object shows it. */
static bool is_namespace_unknown(const struct making *making)
{
    const struct manifest_object *object = making->question->manifest;
    return (making->attempt.live || !object->namespace.length) &&
        kind_scope_of(group_of(object->api_version), object->kind) == KIND_UNKNOWN;
}

static int prepare(struct making *making)
{
    const struct preview_question *question = making->question;
    const struct applier applier = {.namespace = question->namespace, .now = question->now};
    if (!question->manifest->name.length)
        return error_set(making->error, "it has no name: an apply needs metadata.name");
    if (!first_apply_identify(question->manifest, &applier, making->arena, &making->identity))
        return error_set_out_of_memory(making->error);
    if (read_live(making) < 0)
        return -1;
    making->attempt.manager = applier_manager(question, making->attempt.live);
    making->attempt.is_forced = question->is_forced || question->applier == PREVIEW_FLUX ||
        question->applier == PREVIEW_ARGOCD || making->attempt.manager.operation == MANAGER_UPDATE;
    if (is_namespace_unknown(making))
        making->identity.namespace = preview_live_metadata(making->live.object, SLICE("namespace"));
    making->attempt.applied = sent(making);
    making->attempt.manifest = declared_by(making, making->attempt.applied);
    if (!making->attempt.manifest)
        return -1;
    if (question->applier == PREVIEW_FLUX && making->attempt.live && !question->is_partial &&
        !flux_take_over(&making->live, making->attempt.manifest, making->attempt.manager.name, making->arena))
        return error_set_out_of_memory(making->error);
    return read_type(making) == 0 ? read_previous(making) : -1;
}

static void name(struct making *making)
{
    struct preview *preview = making->preview;
    preview->kind = making->question->manifest->kind;
    preview->namespace = making->identity.namespace;
    preview->name = making->question->manifest->name;
    preview->is_created = !making->attempt.live;
    preview->is_forced = making->attempt.is_forced;
    preview->has_owners = preview->is_created || making->live.has_owners;
    preview->is_secret = secrets_may_be(preview->kind);
}

/* The applier (fieldValidation) and its version decide which of the two the API server does. */
static void note_unknown(struct making *making)
{
    struct slice_list paths = paths_of(making->outcome.unknown, making->arena);
    for (size_t i = 0; i < paths.count; i++) {
        struct text text = text_start(making->arena, 160);
        text_append(&text, paths.items[i]);
        text_append_string(
            &text, ": the schema has no such field, so the API server refuses the apply or drops the field");
        add(making, &making->notes, text_slice(&text));
    }
}

static void note_removal(struct making *making, struct slice path, struct slice manager)
{
    struct text text = text_start(making->arena, 160);
    text_append(&text, path);
    text_append_string(&text, ": kubectl removes it, too, when it has taken over what ");
    text_append(&text, manager);
    text_append_string(&text, " owns, and applies again");
    add(making, &making->notes, text_slice(&text));
}

static void note_second_apply(struct making *making)
{
    const struct live *live = making->attempt.live;
    bool removes = false;
    for (size_t i = 0; live && i < live->count; i++) {
        struct slice_list paths =
            paths_of(kubectl_left_over(&making->attempt, &making->outcome, i, making->arena), making->arena);
        for (size_t j = 0; j < paths.count; j++)
            note_removal(making, paths.items[j], live->entries[i].manager.name);
        removes |= paths.count > 0;
    }
    if (removes)
        add(making, &making->notes,
            SLICE("what the policy says of kubectl's second apply: the verdict is of the first one"));
}

static int fill(struct making *making)
{
    struct preview *preview = making->preview;
    struct arena *arena = making->arena;
    preview->before = making->attempt.live ? making->outcome.before : NULL;
    preview->after = making->outcome.after;
    note_unknown(making);
    if (making->attempt.live)
        immutable_find(
            making->outcome.before, making->outcome.after, making->identity.group_kind, arena, refuse,
            making);
    values_find_refused(
        making->outcome.after, making->live.object, making->identity.group_kind, arena, refuse, making);
    refusals_of_object(making->outcome.after, making->identity.group_kind, arena, refuse, making);
    parts_changes(&making->attempt, &making->outcome, arena, preview);
    parts_conflicts(&making->attempt, &making->outcome, arena, preview);
    advise(making->question, &making->attempt, arena, preview);
    parts_kept(&making->attempt, &making->outcome, arena, preview);
    preview->is_refused = making->refused.count || (preview->conflict_count && !preview->is_forced);
    if (preview->is_refused || !preview->has_owners || making->outcome.is_unsent)
        return 0;
    if (making->question->applier == PREVIEW_KUBECTL_SERVER && !making->question->is_partial)
        note_second_apply(making);
    parts_reverted(&making->attempt, &making->outcome, making->question, arena, preview);
    return judge_apply(making);
}

static int make(struct making *making)
{
    struct error problem = {0};
    if (prepare(making) < 0)
        return -1;
    name(making);
    refusals_of_manifest(
        making->live.object, making->question->manifest->root,
        making->attempt.manager.operation == MANAGER_APPLY, refuse, making);
    int status = making->attempt.manager.operation == MANAGER_APPLY
        ? outcome_of_server_side(&making->attempt, making->arena, &making->outcome, &problem)
        : outcome_of_client_side(&making->attempt, making->arena, &making->outcome, &problem);
    if (status < 0) {
        *making->error = problem;
        return -1;
    }
    if (status == 0)
        return fill(making);
    add(making, &making->refused, slice_of(problem.message));
    making->preview->is_refused = true;
    return 0;
}

static struct slice left_out(size_t count, struct arena *arena)
{
    struct text text = text_start(arena, 32);
    text_append_string(&text, "and ");
    text_append_number(&text, count);
    text_append_string(&text, " more");
    return text_slice(&text);
}

static struct slice_list copy(const struct sentences *sentences, struct arena *arena)
{
    size_t count = sentences->count;
    struct slice *items = arena_allocate_array(arena, count + 1, sizeof(*items));
    if (!items)
        return (struct slice_list){NULL, 0};
    for (size_t i = 0; i < count; i++)
        items[i] = sentences->items[i];
    if (sentences->left_out)
        items[count++] = left_out(sentences->left_out, arena);
    return (struct slice_list){items, count};
}

const struct preview *preview_make(
    const struct preview_question *question, struct arena *arena, struct error *error)
{
    struct making making = {
        .question = question,
        .arena = arena,
        .error = error,
        .preview = arena_allocate_array(arena, 1, sizeof(*making.preview)),
    };
    bool is_made = making.preview && make(&making) == 0;
    if (is_made) {
        making.preview->refused = copy(&making.refused, arena);
        making.preview->notes = copy(&making.notes, arena);
    }
    if (!arena_has_failed(arena))
        return is_made ? making.preview : NULL;
    /* Other messages may be wrong if memory ran out. */
    error_set_out_of_memory(error);
    return NULL;
}

bool preview_is_same(const struct preview *preview)
{
    return preview->dropped != DROPPED_DELETED && !preview->is_created && !preview->set.count &&
        !preview->changed.count && !preview->removed.count;
}
