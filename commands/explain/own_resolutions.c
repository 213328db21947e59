#include "commands/explain/own_resolutions.h"

#include "base/array_size.h"
#include "base/text.h"
#include "owners/shell_object.h"

#include <string.h>

/* The kinds of writers for which the commands differ. */
enum own_writer { WRITER_APPLY, WRITER_SERVER_SIDE, WRITER_HELM, WRITER_FLUX, WRITER_ARGOCD, WRITER_BY_HAND };

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

static bool contains(struct slice text, const char *words)
{
    return text.length && memmem(text.bytes, text.length, words, strlen(words));
}

static enum own_writer writer_of(struct slice who)
{
    if (slice_equal(who, SLICE("kubectl apply --server-side")))
        return WRITER_SERVER_SIDE;
    if (slice_starts_with(who, SLICE("kubectl ")) && !slice_starts_with(who, SLICE("kubectl apply")))
        return WRITER_BY_HAND;
    if (slice_equal(who, SLICE("Helm")))
        return WRITER_HELM;
    if (slice_equal(who, SLICE("Flux")))
        return WRITER_FLUX;
    return slice_starts_with(who, SLICE("Argo CD")) ? WRITER_ARGOCD : WRITER_APPLY;
}

static struct slice apply_again(enum own_writer writer)
{
    static const struct slice commands[] = {
        [WRITER_APPLY] = SLICE_LITERAL("kubectl apply -f MANIFEST"),
        [WRITER_SERVER_SIDE] = SLICE_LITERAL("kubectl apply --server-side -f MANIFEST"),
        [WRITER_HELM] = SLICE_LITERAL("helm upgrade --install RELEASE CHART"),
        [WRITER_FLUX] = SLICE_LITERAL("flux reconcile kustomization NAME --with-source"),
        [WRITER_ARGOCD] = SLICE_LITERAL("argocd app sync NAME"),
        [WRITER_BY_HAND] = SLICE_LITERAL("kubectl apply -f MANIFEST"),
    };
    return commands[writer];
}

static const char *manifest_of(enum own_writer writer)
{
    return writer == WRITER_HELM                           ? "the chart"
        : writer == WRITER_FLUX || writer == WRITER_ARGOCD ? "Git"
                                                           : "MANIFEST";
}

static struct slice with_fields(
    const struct own_conflict *conflict, const char *before, const char *after, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    text_append_string(&text, before);
    text_append(&text, conflict->fields);
    text_append_string(&text, after);
    return text_slice(&text);
}

static struct slice with_object(
    const struct own_conflict *conflict, const char *before, const char *after, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    text_append_string(&text, before);
    shell_append_object(&text, conflict->object);
    text_append_string(&text, after);
    return text_slice(&text);
}

/* No manifest has the fields, or none any more. */
static bool is_about_leftovers(enum rule_id rule)
{
    return rule == RULE_orphaned_fields || rule == RULE_mixed_apply;
}

static struct resolution drop(
    const struct own_conflict *conflict, enum own_writer writer, struct arena *arena)
{
    if (is_about_leftovers(conflict->rule))
        return (struct resolution){
            .command = with_object(conflict, "kubectl edit ", "", arena),
            .edit = with_fields(conflict, "remove ", "", arena),
        };
    if (writer == WRITER_BY_HAND)
        return (struct resolution){
            .command = with_object(conflict, "kubectl edit ", "", arena),
            .edit = conflict->is_denial ? with_fields(conflict, "without ", "", arena)
                                        : with_fields(conflict, "set ", " back", arena),
        };
    struct text edit = text_start(arena, 128);
    text_append_string(&edit, "first remove ");
    text_append(&edit, conflict->fields);
    text_append_string(&edit, " from ");
    text_append_string(&edit, manifest_of(writer));
    return (struct resolution){.command = apply_again(writer), .edit = text_slice(&edit)};
}

/* Flux and Argo CD force each apply. A change that they undo stays only while they are suspended. */
static struct resolution force(
    const struct own_conflict *conflict, enum own_writer writer, struct arena *arena)
{
    struct resolution resolution = {
        .command = SLICE("kubectl apply --server-side --force-conflicts -f MANIFEST")};
    if (writer == WRITER_HELM)
        resolution.command = SLICE("helm upgrade --install RELEASE CHART --force-conflicts");
    else if (writer == WRITER_FLUX || writer == WRITER_ARGOCD)
        resolution.command = apply_again(writer);
    else if (writer == WRITER_BY_HAND && contains(conflict->message, "Flux undoes"))
        resolution.command = SLICE("flux suspend kustomization NAME");
    else if (writer == WRITER_BY_HAND)
        resolution.edit = with_fields(conflict, "first set ", " in MANIFEST", arena);
    if (conflict->is_denial)
        resolution.edit = SLICE("the policy refused it, unless it allows you to waive the rule");
    return resolution;
}

static struct resolution hand_over(const struct own_conflict *conflict, struct arena *arena)
{
    return (struct resolution){
        .command = with_object(conflict, "applyguard migrate --to MANAGER ", " -o command", arena),
        .edit = SLICE("MANAGER is the field manager that keeps them; blame lists the managers"),
    };
}

static struct resolution match(
    const struct own_conflict *conflict, enum own_writer writer, struct arena *arena)
{
    struct text edit = text_start(arena, 128);
    text_append_string(&edit, "then set ");
    text_append(&edit, conflict->fields);
    text_append_string(&edit, " in ");
    text_append_string(&edit, manifest_of(writer));
    text_append_string(&edit, " to what this shows, and apply again");
    return (struct resolution){
        .command = with_object(conflict, "kubectl get ", " -o yaml", arena), .edit = text_slice(&edit)};
}

bool own_resolutions_find(
    const struct own_conflict *conflict, struct arena *arena, struct resolution resolutions[RESOLUTION_COUNT])
{
    enum own_writer writer = is_about_leftovers(conflict->rule) ? WRITER_BY_HAND : writer_of(conflict->who);
    if (!is_about_fields(conflict->rule) || !conflict->fields.length)
        return false;
    resolutions[RESOLUTION_DROP] = drop(conflict, writer, arena);
    resolutions[RESOLUTION_FORCE] = force(conflict, writer, arena);
    resolutions[RESOLUTION_HAND_OVER] = hand_over(conflict, arena);
    resolutions[RESOLUTION_MATCH] = match(conflict, writer, arena);
    return true;
}
