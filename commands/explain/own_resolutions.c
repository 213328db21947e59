#include "commands/explain/own_resolutions.h"

#include "base/array_size.h"
#include "base/find.h"
#include "base/shell.h"
#include "base/text.h"
#include "commands/explain/own_writers.h"
#include "owners/shell_object.h"

#include <string.h>

/* A conflict with the tools that take part. */
struct question {
    const struct own_conflict *conflict;
    const struct own_statement *statement;
    const struct own_writer *writer; /* NULL: a person, or an unknown tool */
    const struct own_writer *owner;  /* the tool that sets the fields at its next run; NULL: unknown */
    bool is_by_hand;
    struct arena *arena;
};

static bool is_about_fields(enum rule_id rule)
{
    static const enum rule_id ids[] = {
        RULE_ownership_conflict, RULE_dropped_replicas, RULE_last_applied_drift, RULE_mixed_apply,
        RULE_multiple_appliers,  RULE_orphaned_fields,  RULE_undone_change,      RULE_contested_field,
    };
    for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
        if (ids[i] == rule)
            return true;
    return false;
}

/*
 * Kinds of conflicts
 */

/* No manifest has the fields, or none any more. */
static bool is_about_leftovers(const struct question *question)
{
    return question->conflict->rule == RULE_orphaned_fields || question->conflict->rule == RULE_mixed_apply;
}

/* A restart that is set back restarts the pods once more, and no manifest should have its time. */
static bool is_restart_by_hand(const struct question *question)
{
    return question->is_by_hand && slice_starts_with(question->statement->fields, SLICE("restartedAt"));
}

/* A claim has its size for ever: the API server refuses a smaller one. */
static bool is_size_of_claim(const struct question *question)
{
    return slice_equal(question->statement->object.kind, SLICE("PersistentVolumeClaim")) &&
        slice_contains_text(question->statement->fields, SLICE(".spec.resources"));
}

/*
 * Whether an object is not valid without one of the fields, as the message writes them: see
 * policy/analysis/unavoidable.c, which judges paths.
 */
static bool has_required_fields(const struct question *question)
{
    static const struct {
        const char *kind, *field;
    } required[] = {
        {"CronJob", "schedule"},
        {"HorizontalPodAutoscaler", "maxReplicas"},
        {"HorizontalPodAutoscaler", "scaleTargetRef"},
        {"Service", ".spec.ports"},
        {"ValidatingWebhookConfiguration", "clientConfig"},
        {"MutatingWebhookConfiguration", "clientConfig"},
    };
    const struct own_statement *statement = question->statement;
    for (size_t i = 0; i < ARRAY_SIZE(required); i++)
        if (slice_equal(statement->object.kind, slice_of(required[i].kind)) &&
            slice_contains_text(statement->fields, slice_of(required[i].field)))
            return true;
    return is_size_of_claim(question) || slice_contains_text(statement->fields, SLICE("'s image")) ||
        slice_contains_text(statement->fields, SLICE("].image"));
}

/* Without replicas in the manifest the default, one pod, replaces the number, unless another applier sets it.
 */
static bool would_scale_down(const struct question *question)
{
    return slice_starts_with(question->statement->fields, SLICE("replicas")) &&
        (question->statement->claim != CLAIM_SETS || question->writer == &own_writer_client_side);
}

static bool is_of_autoscaler(const struct question *question)
{
    return question->conflict->rule == RULE_dropped_replicas ||
        own_statement_is_autoscaled(question->statement);
}

/*
 * Texts
 */

static struct slice joined(const struct question *question, const char *const *parts)
{
    struct text text = text_start(question->arena, 160);
    for (; *parts; parts++) {
        if (strcmp(*parts, "FIELDS") == 0)
            text_append(&text, question->statement->fields);
        else
            text_append_string(&text, *parts);
    }
    return text_slice(&text);
}

/* The parts in order; "FIELDS" is the fields of the message. */
#define JOINED(question, ...) joined((question), (const char *const[]){__VA_ARGS__, NULL})

static struct slice with_object(const struct question *question, const char *before, const char *after)
{
    struct text text = text_start(question->arena, 128);
    text_append_string(&text, before);
    shell_append_object(&text, question->conflict->object);
    text_append_string(&text, after);
    return text_slice(&text);
}

/* The place in which the writer declares the fields, or for a change by hand, the owner. */
static const char *source_of(const struct question *question)
{
    const struct own_writer *tool = question->is_by_hand ? question->owner : question->writer;
    return tool ? tool->source : "MANIFEST";
}

/*
 * The resolution of an edit and of the next run of a tool. The command of an unknown tool is not known, so
 * the edit says it.
 */
static struct resolution edit_and_apply(
    const struct question *question, const struct own_writer *tool, struct slice edit)
{
    if (tool)
        return (struct resolution){.command = slice_of(tool->apply), .edit = edit};
    return (struct resolution){.command = text_join(question->arena, edit, ", then apply it")};
}

/*
 * Resolutions
 */

static struct resolution edit_by_hand(const struct question *question)
{
    bool is_removal = question->statement->effect == EFFECT_REMOVES;
    struct slice edit;
    if (question->conflict->is_denial)
        edit = JOINED(question, is_removal ? "without removing " : "without changing ", "FIELDS");
    else
        edit = JOINED(question, is_removal ? "put " : "set ", "FIELDS", " back");
    return (struct resolution){.command = with_object(question, "kubectl edit ", ""), .edit = edit};
}

static struct resolution drop(const struct question *question)
{
    bool is_removal = question->statement->effect == EFFECT_REMOVES;
    if (question->statement->effect == EFFECT_KEEPS || is_restart_by_hand(question))
        return (struct resolution){0};
    if (is_about_leftovers(question) && !has_required_fields(question))
        return (struct resolution){
            .command = with_object(question, "kubectl edit ", ""),
            .edit = JOINED(question, "remove ", "FIELDS"),
        };
    if (question->is_by_hand && !is_about_leftovers(question))
        return edit_by_hand(question);
    if (is_removal || has_required_fields(question) || would_scale_down(question))
        return (struct resolution){0};
    bool deletes = question->writer == &own_writer_client_side;
    return edit_and_apply(
        question, question->writer,
        JOINED(
            question, "first remove ", "FIELDS", " from ", source_of(question),
            deletes ? "; kubectl then deletes the same from the object" : ""));
}

/* A change that a tool undoes stays while the tool is suspended. */
static struct resolution suspend(const struct question *question)
{
    const struct own_writer *owner = question->owner;
    if (!owner || !owner->suspend || question->conflict->is_denial)
        return (struct resolution){0};
    return (struct resolution){
        .command = slice_of(owner->suspend),
        .edit = JOINED(question, "the change stays until: ", owner->resume),
    };
}

/* Only a tool that applies server-side has conflicts to force, and Flux and Argo CD force each apply. */
static struct resolution force(const struct question *question)
{
    const struct own_writer *writer = question->writer;
    if (question->is_by_hand && is_about_leftovers(question))
        return (struct resolution){0};
    if (question->is_by_hand)
        return suspend(question);
    enum own_effect effect = question->statement->effect;
    if (!writer || !writer->force || effect == EFFECT_REMOVES || effect == EFFECT_KEEPS ||
        is_size_of_claim(question))
        return (struct resolution){0};
    return (struct resolution){
        .command = slice_of(writer->force),
        .edit = question->conflict->is_denial
            ? SLICE("the policy refused it, unless it allows you to waive the rule")
            : slice_of(writer->force_edit ? writer->force_edit : ""),
    };
}

/* kubectl apply deletes from the object what its annotation has and the manifest lacks, replicas, too. */
static struct resolution edit_last_applied(const struct question *question)
{
    const struct conflict_object *object = question->conflict->object;
    struct text command = text_start(question->arena, 128);
    text_append_string(&command, "kubectl apply edit-last-applied ");
    shell_append_object_in_one(&command, object);
    return (struct resolution){
        .command = text_slice(&command),
        .edit = question->conflict->rule == RULE_dropped_replicas
            ? SLICE("once replicas are back in MANIFEST and applied: delete only replicas, then leave "
                    "replicas out of MANIFEST")
            : SLICE("delete only replicas, then leave replicas out of MANIFEST"),
    };
}

/* A server-side apply without replicas leaves them to the autoscaler only if that owns them by then. */
static struct resolution wait_for_autoscaler(const struct question *question)
{
    bool is_helm = question->writer && slice_equal(slice_of(question->writer->name), SLICE("Helm"));
    return (struct resolution){
        .command = with_object(question, "applyguard blame ", ""),
        .edit = JOINED(
            question, "leave replicas out of ", source_of(question),
            " only once this shows that the autoscaler owns them",
            is_helm ? " and Helm applies server-side (Helm 4)" : ""),
    };
}

static struct resolution hand_over_replicas(const struct question *question)
{
    bool is_dropped = question->conflict->rule == RULE_dropped_replicas;
    if (is_dropped ? slice_contains_text(question->statement->advice, SLICE("edit-last-applied"))
                   : question->writer == &own_writer_client_side)
        return edit_last_applied(question);
    if (is_dropped || !question->is_by_hand)
        return wait_for_autoscaler(question);
    return (struct resolution){
        .command = SLICE("kubectl get hpa -A"),
        .edit = SLICE("set the limits of the autoscaler instead"),
    };
}

/* Whether another manager still owns fields that one manager could own alone. */
static bool has_fields_to_hand_over(const struct question *question)
{
    const struct own_statement *statement = question->statement;
    switch (question->conflict->rule) {
    case RULE_mixed_apply:
    case RULE_multiple_appliers:
    case RULE_orphaned_fields:
        return true;
    case RULE_ownership_conflict: /* a write that went through has taken the fields */
        return question->conflict->is_denial && !question->is_by_hand && statement->claim == CLAIM_SETS &&
            statement->effect != EFFECT_REMOVES;
    default:
        return false;
    }
}

/* The field's path, which a message writes as it is or in words; FIELD if the message has not all of it. */
static struct slice path_of(const struct question *question)
{
    static const struct {
        const char *words, *path;
    } known[] = {{".", "."}, {"label ", ".metadata.labels."}, {"annotation ", ".metadata.annotations."}};
    struct slice fields = question->statement->fields;
    if (slice_equal(fields, SLICE("replicas")))
        return SLICE(".spec.replicas");
    if (slice_contains_text(fields, SLICE(" and ")) || slice_contains_text(fields, SLICE(TEXT_ELLIPSIS)))
        return SLICE("FIELD");
    for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
        struct slice words = slice_of(known[i].words);
        if (slice_starts_with(fields, words))
            return text_join(question->arena, known[i].path, slice_from(fields, words.length));
    }
    return SLICE("FIELD");
}

/* A client-side apply by kubectl hands over all its fields: no --from names it. */
static struct resolution hand_over_all(const struct question *question)
{
    bool is_kubectl = slice_starts_with(question->statement->holder, SLICE("kubectl apply"));
    return (struct resolution){
        .command = with_object(
            question,
            is_kubectl ? "applyguard migrate --to MANAGER "
                       : "applyguard migrate --from FORMER --to MANAGER ",
            " -o command"),
        .edit = SLICE("prints the command that does it; MANAGER is the field manager that keeps them, and "
                      "blame lists the managers"),
    };
}

static struct resolution hand_over(const struct question *question)
{
    bool is_client_side = question->writer == &own_writer_client_side;
    if (is_of_autoscaler(question) || (is_client_side && would_scale_down(question)))
        return hand_over_replicas(question);
    if (is_size_of_claim(question) || !has_fields_to_hand_over(question) ||
        slice_contains_text(question->statement->command, SLICE("applyguard migrate")))
        return (struct resolution){0};
    if (question->conflict->rule == RULE_mixed_apply)
        return hand_over_all(question);
    struct text command = text_start(question->arena, 160);
    struct slice path = path_of(question);
    text_append_all(
        &command, "applyguard migrate --fields ", as_escaped(shell_append_word, path), " --to MANAGER ");
    shell_append_object(&command, question->conflict->object);
    text_append_string(&command, " -o command");
    return (struct resolution){
        .command = text_slice(&command),
        .edit = slice_of(
            slice_equal(path, SLICE("FIELD"))
                ? "prints the command that does it; FIELD is the path of each, as blame -o json prints it, "
                  "and MANAGER the field manager that keeps them"
                : "prints the command that does it; MANAGER is the field manager that keeps it, and blame "
                  "lists the managers"),
    };
}

/*
 * The manifest gets the object's value. A removal gets there by the manifest, too, and so does a change by
 * hand that was refused: the object does not have its value.
 */
static struct resolution match(const struct question *question)
{
    const struct own_statement *statement = question->statement;
    bool is_removal = statement->effect == EFFECT_REMOVES && !is_about_leftovers(question);
    if (statement->effect == EFFECT_KEEPS || is_restart_by_hand(question) ||
        (question->is_by_hand && statement->claim == CLAIM_WROTE))
        return (struct resolution){0};
    if (is_removal && question->is_by_hand)
        return edit_and_apply(
            question, question->owner,
            JOINED(question, "first remove ", "FIELDS", " from ", source_of(question)));
    if (is_size_of_claim(question))
        return (struct resolution){
            .command =
                with_object(question, "kubectl get ", " -o jsonpath='{.spec.resources.requests.storage}'"),
            .edit = JOINED(
                question, "then set .spec.resources.requests.storage in ", source_of(question),
                " to what this shows: a volume never shrinks"),
        };
    if (question->is_by_hand && question->conflict->is_denial && !is_about_leftovers(question))
        return edit_and_apply(
            question, question->owner,
            JOINED(
                question, "first set ", "FIELDS", " in ", source_of(question),
                " to the value that you want"));
    return (struct resolution){
        .command = with_object(question, "kubectl get ", " -o yaml"),
        .edit = is_removal
            ? JOINED(question, "then put ", "FIELDS", " back into ", source_of(question), ", and apply again")
            : JOINED(
                  question, "then set ", "FIELDS", " in ", source_of(question),
                  " to what this shows, and apply again"),
    };
}

/* Unknown appliers overwrite; a person or a script changes or removes. */
static bool is_by_hand(const struct own_conflict *conflict, const struct own_writer *writer)
{
    const struct own_statement *statement = conflict->statement;
    return !writer && conflict->rule != RULE_multiple_appliers &&
        (statement->effect != EFFECT_OVERWRITES || slice_starts_with(statement->who, SLICE("kubectl ")));
}

static const struct own_writer *find_owner(const struct own_conflict *conflict)
{
    const struct own_writer *owner = own_writer_find(conflict->statement->holder);
    return owner ? owner : own_writer_that_undoes(conflict->message);
}

static struct question question_of(const struct own_conflict *conflict, struct arena *arena)
{
    const struct own_writer *writer = own_writer_find(conflict->statement->who);
    return (struct question){
        .conflict = conflict,
        .statement = conflict->statement,
        .writer = writer,
        .owner = find_owner(conflict),
        .is_by_hand = is_by_hand(conflict, writer),
        .arena = arena,
    };
}

bool own_resolutions_find(
    const struct own_conflict *conflict, struct arena *arena, struct resolution resolutions[RESOLUTION_COUNT])
{
    const struct question question = question_of(conflict, arena);
    bool is_dropped = conflict->rule == RULE_dropped_replicas;
    memset(resolutions, 0, RESOLUTION_COUNT * sizeof(*resolutions));
    if (!is_about_fields(conflict->rule) || (!conflict->statement->fields.length && !is_dropped))
        return false;
    resolutions[RESOLUTION_HAND_OVER] = hand_over(&question);
    if (is_of_autoscaler(&question))
        return true;
    resolutions[RESOLUTION_DROP] = drop(&question);
    resolutions[RESOLUTION_FORCE] = force(&question);
    resolutions[RESOLUTION_MATCH] = match(&question);
    return true;
}

/* The object itself holds the manifest, in its annotation, only if kubectl applied it client-side. */
struct slice own_preview(const struct own_conflict *conflict, struct arena *arena)
{
    const struct question question = question_of(conflict, arena);
    const struct own_writer *tool = question.is_by_hand ? question.owner : question.writer;
    struct slice namespace = conflict->object->namespace;
    if (question.is_by_hand && tool == &own_writer_client_side)
        return with_object(&question, "applyguard preview ", "");
    struct text command = text_start(arena, 128);
    text_append_string(&command, tool && tool->preview ? tool->preview : "applyguard preview -f MANIFEST");
    if (namespace.length)
        text_append_all(&command, " -n ", as_escaped(shell_append_word, namespace));
    return text_slice(&command);
}
