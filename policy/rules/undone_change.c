#include "base/json.h"
#include "base/json_changes.h"
#include "manifest/groups.h"
#include "policy/analysis/absorption.h"
#include "policy/analysis/conflicts.h"
#include "policy/analysis/defaults.h"
#include "policy/analysis/orphans.h"
#include "policy/analysis/replacement.h"
#include "policy/analysis/restarts.h"
#include "policy/analysis/stored_object.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"
#include "policy/verdict/tool_habits.h"
#include "policy/verdict/verdict.h"

/* The applier's next act upon the change, and the advice to the writer. */
struct remedy {
    const char *event;
    const char *advice;
    const char *advice_for_restarts; /* restartedAt is a moment: no manifest should have it */
};

#define ANOTHER_NAME "use a --field-manager that does not begin with kubectl"

static const struct remedy of_flux = {
    "Flux undoes this unless suspended",
    "change it in Git, or use --field-manager=flux-client-side-apply",
    "use --field-manager=flux-client-side-apply",
};
static const struct remedy of_flux_operator = {
    "Flux Operator undoes this unless reconciliation is disabled",
    "change its ResourceSet, or " ANOTHER_NAME,
    ANOTHER_NAME,
};
static const struct remedy of_timoni = {
    "Timoni undoes this at its next apply",
    "change the module, or " ANOTHER_NAME,
    ANOTHER_NAME,
};
static const struct remedy of_kapp = {
    "the next kapp deploy undoes this",
    "change its manifest, or keep the field with a rebase rule",
    "keep the field with a rebase rule",
};
static const struct remedy of_argocd = {
    "Argo CD (Replace=true) undoes this at its next sync",
    "change it in Git, or drop the sync option Replace=true",
    "drop the sync option Replace=true",
};

struct undone_search {
    const struct review *review;
    const struct managed_fields_entry *writer; /* whose change it is */
    struct replacer replacer;                  /* the applier writes the whole object */
    const struct remedy *remedy;
    struct json_changes changes; /* from the old object to the object */
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
    struct lookup_cursor *configuration; /* of kapp; NULL: not known */
    struct finding_fields fields;
    struct finding_fields restarts;
};

/* The control plane fills the rules of an aggregated ClusterRole again when a client has emptied them. */
static bool is_aggregated(const struct review *review, const struct path *path)
{
    return path->depth == 1 && slice_equal(path->text, SLICE("rules")) && conflicts_are_aggregation(review);
}

/* The value of such a request is used once, so its later fate does not matter. */
static bool is_exempt(const struct undone_search *search, const struct path *path)
{
    return field_is_bookkeeping(path) || is_aggregated(search->review, path) || absorber_is_request(path) ||
        (search->replacer.tool && replacer_keeps(path));
}

/* This request set nothing in a value that is the same in both objects. */
static bool is_unchanged(struct undone_search *search, const struct path *path)
{
    yyjson_val *old_value = NULL;
    unsigned absent_depth;
    return search->review->old_object &&
        lookup_path(search->old_object, path, &old_value, &absent_depth) == LOOKUP_FOUND &&
        !json_changes_touch(&search->changes, old_value);
}

/*
 * Once the applier has removed the field, the API server sets this value again: kubectl patch resumes a
 * CronJob (suspend: false), or makes a Service a NodePort, which gives it an externalTrafficPolicy.
 */
static bool is_set_by_default(const struct review *review, const struct path *path, yyjson_val *value)
{
    const struct path *top = path;
    while (top->parent)
        top = top->parent;
    return is_builtin_group(review->group) && slice_equal(top->text, SLICE("spec")) &&
        !yyjson_is_ctn(value) && !slice_equal(path->text, SLICE("imagePullPolicy")) &&
        value_may_be_default(path, value);
}

/*
 * Adds a field that the writer owns and the applier does not declare, if this request set or changed it.
 */
static enum walk_action visit_undeclared(
    struct undone_search *search, const struct overlap_node *node, bool is_owned)
{
    unsigned absent_depth;
    yyjson_val *old_value = NULL, *value = NULL;
    enum lookup_result before = search->review->old_object
        ? lookup_path(search->old_object, node->path, &old_value, &absent_depth)
        : LOOKUP_ABSENT;
    enum lookup_result after = lookup_path(search->object, node->path, &value, &absent_depth);
    if (after != LOOKUP_FOUND || (before != LOOKUP_FOUND && before != LOOKUP_ABSENT))
        return WALK_PASS;
    if (before == LOOKUP_FOUND && lookup_equal(search->review->lookup, old_value, value) != ANSWER_NO)
        return WALK_PASS;
    if (!node->is_leaf && before == LOOKUP_FOUND)
        return WALK_DESCEND;
    if (node->is_leaf && is_set_by_default(search->review, node->path, value))
        return WALK_PASS;
    /* The applier declares the fields that it owns, but for defaults. */
    if (is_owned && (before != LOOKUP_FOUND || !value_may_be_default(node->path, old_value)))
        return WALK_PASS;
    const struct review *review = search->review;
    if (!node->is_leaf ||
        managed_fields_bare(&review->ownership.after, node->path, value, review->lookup) == ANSWER_NO)
        finding_fields_add(field_is_restart(node->path) ? &search->restarts : &search->fields, node->path);
    return WALK_PASS;
}

/* Nodes that hold more than one kind of thing are looked into. */
static enum walk_action visit_undeclared_whole(
    struct undone_search *search, const struct overlap_node *node, bool is_owned)
{
    return fields_stand_for_all(node->path, node->fields) ? visit_undeclared(search, node, is_owned)
                                                          : WALK_DESCEND;
}

/* A key of a Secret's data that an applier declares in stringData: ownership-conflict judges it. */
static bool is_declared_plain(const struct review *review, const struct path *path)
{
    return path->depth == 2 && orphans_is_applied_plain(review, path);
}

/* The applier declares other fields of the same parent. */
static enum walk_action visit_absorbed(void *context, const struct overlap_node *node)
{
    struct undone_search *search = context;
    yyjson_val *declared = node->others[0];
    if (is_exempt(search, node->path) || is_unchanged(search, node->path) ||
        is_declared_plain(search->review, node->path))
        return WALK_PASS;
    if (declared) {
        bool is_declared = node->is_leaf || yyjson_obj_size(declared) == 0;
        return is_declared ? WALK_PASS : WALK_DESCEND;
    }
    return visit_undeclared_whole(search, node, false);
}

/* The applier owned other fields of the same parent: with its defaults, which it does not declare. */
static enum walk_action visit_replaced(void *context, const struct overlap_node *node)
{
    struct undone_search *search = context;
    bool is_owned = node->others[0] != NULL;
    if (is_exempt(search, node->path) || is_unchanged(search, node->path))
        return WALK_PASS;
    if (!search->configuration)
        return is_owned && !node->is_leaf ? WALK_DESCEND : visit_undeclared_whole(search, node, is_owned);
    if (lookup_declares(search->configuration, node->path) == ANSWER_NO)
        return visit_undeclared_whole(search, node, false);
    return node->is_leaf ? WALK_PASS : WALK_DESCEND;
}

static struct slice describe(
    const struct undone_search *search, const struct finding_fields *fields, bool are_restarts)
{
    const struct remedy *remedy = search->remedy;
    return text_join(
        search->review->arena,
        search->review->old_object ? message_writer(search->review)
                                   : message_manager(&search->writer->manager),
        !search->review->old_object ? " has set "
            : are_restarts          ? " sets "
                                    : " changes ",
        message_fields(fields->items, fields->total), ", but ", remedy->event,
        are_restarts ? ", and the pods restart again; " : "; ",
        are_restarts ? remedy->advice_for_restarts : remedy->advice);
}

static void report(
    const struct undone_search *search, const struct finding_fields *fields, bool are_restarts,
    struct verdict *verdict)
{
    if (!fields->total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_undone_change,
            .action = ACTION_DENY,
            .message = describe(search, fields, are_restarts),
            FINDING_FIELDS(*fields),
            .has_writer = true,
            .writer = search->writer->manager,
        });
}

/* Returns false if memory runs out. */
static bool prepare(struct undone_search *search)
{
    const struct review *review = search->review;
    json_changes_find(
        &search->changes, review->old_object, review->object, review->old_parts.metadata.managed_fields);
    search->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    if (search->replacer.configuration)
        search->configuration =
            lookup_cursor_create_declared(review->lookup, search->replacer.configuration, review->arena);
    return finding_fields_start(&search->fields, review->arena) &&
        finding_fields_start(&search->restarts, review->arena) && search->old_object && search->object &&
        (search->configuration || !search->replacer.configuration);
}

static void search_beside(
    struct undone_search *search, const struct managed_fields_entry *applier, overlap_visit *visit,
    struct verdict *verdict)
{
    const struct review *review = search->review;
    const struct managed_fields_entry *writer = search->writer;
    if (!entry_is_comparable(review, applier) || !entry_is_comparable(review, writer))
        return;
    yyjson_val *const beside[] = {entry_fields(applier)};
    enum fields_result result = prepare(search)
        ? fieldset_overlap_walk(entry_fields(writer), beside, 1, review->lookup, visit, search)
        : FIELDS_OUT_OF_MEMORY;
    if (result != FIELDS_OK) {
        verdict_add_unread_fields(verdict, result);
        return;
    }
    report(search, &search->restarts, true, verdict);
    report(search, &search->fields, false, verdict);
}

static const struct remedy *remedy_of(const struct managed_fields_entry *absorber)
{
    switch (absorber_named(absorber->manager.name)) {
    case ABSORBER_FLUX:
        return &of_flux;
    case ABSORBER_FLUX_OPERATOR:
        return &of_flux_operator;
    case ABSORBER_TIMONI:
    case ABSORBER_NONE:
        break;
    }
    return &of_timoni;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct writer *writer = &review->ownership.writer;
    struct undone_search search = {.review = review, .writer = writer->after};
    if (!writer->after || writer->class == CLASS_BOOKKEEPING)
        return;
    const struct managed_fields_entry *absorber = absorber_of(review, &review->ownership.before);
    if (absorber) {
        search.remedy = remedy_of(absorber);
        if (slice_starts_with(writer->manager.name, SLICE("kubectl")) &&
            absorber_takes(absorber, &writer->manager))
            search_beside(&search, absorber, visit_absorbed, verdict);
        return;
    }
    if (writer->class != CLASS_AD_HOC || writer->manager.subresource.length)
        return;
    search.replacer = replacer_of(review);
    search.remedy = search.replacer.tool == REPLACER_KAPP ? &of_kapp : &of_argocd;
    if (search.replacer.tool)
        search_beside(&search, search.replacer.entry, visit_replaced, verdict);
}

static struct slice describe_upgrade(const struct review *review, const struct stored_upgrade *upgrade)
{
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    const struct tool_habits *habits = manager_habits(&applier->manager, entry_tool(applier));
    return text_join(
        review->arena, message_managers(upgrade->owners, upgrade->owner_count, upgrade->owner_count),
        message_for(upgrade->owner_count, " has set ", " have set "),
        message_fields(upgrade->fields, upgrade->field_total), ", but ", habits->undoes, "; ",
        habits->change);
}

/* An upgrade that checks no conflicts sets the fields back silently. */
static void judge_upgrade(
    const struct review *review, const struct stored_upgrade *upgrade, struct verdict *verdict)
{
    if (upgrade->is_refused || !upgrade->field_total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_undone_change,
            .action = ACTION_DENY,
            .message = describe_upgrade(review, upgrade),
            .fields = upgrade->fields,
            .field_count = upgrade->field_count,
            .field_total = upgrade->field_total,
            .has_writer = true,
            .writer = upgrade->owners[0],
        });
}

/*
 * The same where the applier writes the whole object. A field that is older than its last write has survived
 * it, by a rebase rule or an ignored difference.
 */
static void judge_replaced(const struct review *review, struct verdict *verdict)
{
    const struct managed_fields *side = &review->ownership.after;
    const struct replacer replacer = replacer_of_stored(review);
    for (size_t i = 0; replacer.tool && i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (ownership_class(&review->ownership, entry) != CLASS_AD_HOC || entry->manager.subresource.length ||
            !entry_may_be_newer(entry, replacer.entry))
            continue;
        struct undone_search search = {
            .review = review,
            .writer = entry,
            .replacer = replacer,
            .remedy = replacer.tool == REPLACER_KAPP ? &of_kapp : &of_argocd};
        search_beside(&search, replacer.entry, visit_replaced, verdict);
    }
}

/*
 * Finds in a stored object the fields that people set since the absorber last applied it, or that the next
 * upgrade of its release sets back.
 */
static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    const struct managed_fields *side = &review->ownership.after;
    const struct managed_fields_entry *absorber = absorber_of(review, side);
    if (object->upgrade && review->ownership.writer.after)
        judge_upgrade(review, object->upgrade, verdict);
    if (!absorber)
        judge_replaced(review, verdict);
    for (size_t i = 0; absorber && i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (ownership_class(&review->ownership, entry) != CLASS_AD_HOC ||
            !slice_starts_with(entry->manager.name, SLICE("kubectl")) ||
            !absorber_takes(absorber, &entry->manager))
            continue;
        struct undone_search search = {.review = review, .writer = entry, .remedy = remedy_of(absorber)};
        search_beside(&search, absorber, visit_absorbed, verdict);
    }
}

const struct rule_definition rule_undone_change = {.judge = judge, .judge_object = judge_object};
