#include "base/json.h"
#include "policy/analysis/absorption.h"
#include "policy/analysis/co_owners.h"
#include "policy/analysis/defaults.h"
#include "policy/analysis/orphans.h"
#include "policy/analysis/restarts.h"
#include "policy/analysis/stored_object.h"
#include "policy/analysis/undo_commands.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/tool_habits.h"
#include "policy/verdict/verdict.h"

#include <string.h>

/* The fields of one finding. */
struct orphans {
    bool is_at_rest;        /* the object is stored */
    bool is_news;           /* the writer has no earlier finding about some fields */
    bool may_be_declared;   /* an owner wrote after the applier: it may have changed what the manifest has */
    bool is_owner;          /* whether the owner that is searched is one of these: */
    struct manager *owners; /* as many as there are entries */
    size_t owner_count;
    struct undo_commands undo;
    struct finding_fields fields;
};

struct orphan_search {
    const struct review *review;
    bool is_at_rest;      /* the object is stored, and nothing was applied just now */
    yyjson_val *manifest; /* of the object's release; NULL: not known */
    struct lookup_cursor *object;
    struct lookup_cursor *configuration; /* what the manifest or the annotation declares; NULL: nothing */
    yyjson_val *string_data;             /* of it; NULL: it declares none */
    bool is_undecided;                   /* of some fields it is not known whether they are declared */
    const bool *ad_hoc;                  /* for each entry */
    const struct managed_fields_entry *owner; /* whose fields are walked */
    size_t earlier_ad_hoc;   /* the number of compared sets at the front that are older: already reported */
    struct orphans restarts; /* restartedAt, of which nothing is advised */
    struct orphans others;
};

/* Or may be: then nothing is said of the field itself. */
static bool is_declared(struct orphan_search *search, const struct path *path)
{
    if (orphans_is_applied_plain(search->review, path))
        return true;
    if (!search->configuration)
        return false;
    enum search_answer declared = lookup_declares(search->configuration, path);
    search->is_undecided |= declared == ANSWER_UNKNOWN;
    return declared != ANSWER_NO || orphans_is_declared_plain(search->review, search->string_data, path);
}

/* An empty map or list is as good as none. */
static bool is_bare(
    struct orphan_search *search, const struct path *path, yyjson_val *node, yyjson_val *value)
{
    const struct review *review = search->review;
    if (!yyjson_is_ctn(value) || !fields_is_leaf(node))
        return false;
    return unsafe_yyjson_get_len(value) == 0 ||
        managed_fields_bare(&review->ownership.after, path, value, review->lookup) != ANSWER_NO;
}

/* A value that may be a default does not count: it would come back. */
static bool is_held(struct orphan_search *search, const struct path *path, yyjson_val *node)
{
    yyjson_val *value = NULL;
    unsigned absent_depth = 0;
    return lookup_path(search->object, path, &value, &absent_depth) == LOOKUP_FOUND &&
        !is_bare(search, path, node, value) && !value_may_be_default(path, value);
}

static void add_owner(struct orphans *orphans, const struct managed_fields_entry *owner)
{
    if (!orphans->is_owner)
        orphans->owners[orphans->owner_count++] = owner->manager;
    orphans->is_owner = true;
}

/*
 * Whether the field came since the writer last applied, or the writer leaves it behind only now. A manager
 * that declares `resources: {}` does not declare what others put into it.
 */
static bool is_news(const struct orphan_search *search, const struct path *path)
{
    const struct writer *writer = &search->review->ownership.writer;
    /* An apply that changes nothing, such as the hourly sync of a tool, is not reported. */
    if (!entry_changed(writer->after))
        return false;
    return !writer->before || entry_may_be_newer(search->owner, writer->before) ||
        fieldset_names(search->review->lookup, entry_fields(writer->before), path) == ANSWER_YES;
}

static void add_field(struct orphan_search *search, const struct path *path)
{
    struct orphans *orphans = field_is_restart(path) ? &search->restarts : &search->others;
    add_owner(orphans, search->owner);
    orphans->may_be_declared |= search->is_at_rest && !search->manifest &&
        entry_may_be_newer(search->owner, search->review->ownership.writer.after);
    orphans->is_news = orphans->is_news || is_news(search, path);
    undo_commands_add(&orphans->undo, search->review, path);
    finding_fields_add(&orphans->fields, path);
}

/* The fields here that an ad-hoc manager owns further up; NULL: none does, or others do as well. */
static yyjson_val *ad_hoc_node(const struct orphan_search *search, const struct overlap_node *node)
{
    yyjson_val *first = NULL;
    size_t owners = 0;
    for (size_t i = 0; i < search->earlier_ad_hoc; i++) {
        owners += node->others[i] != NULL;
        first = first ? first : node->others[i];
    }
    return owners == node->shared ? first : NULL;
}

/* Whether the field, which only ad-hoc managers own, represents all its contents. */
static bool is_orphaned_whole(struct orphan_search *search, const struct path *path, yyjson_val *node)
{
    return !orphans_is_exempt(path) && !is_declared(search, path) && fields_stand_for_all(path, node) &&
        is_held(search, path, node);
}

static bool is_list_of_containers(const struct path *path)
{
    return path && path->kind == PATH_FIELD &&
        (slice_equal(path->text, SLICE("containers")) || slice_equal(path->text, SLICE("initContainers")));
}

/*
 * An applied container has an image, which next-conflict reports: if another manager owns it, it took it
 * after the last apply.
 */
static bool is_taken_image(const struct orphan_search *search, const struct path *path)
{
    return search->is_at_rest && path->kind == PATH_FIELD && slice_equal(path->text, SLICE("image")) &&
        path->parent && path->parent->kind == PATH_KEY && is_list_of_containers(path->parent->parent);
}

/* A field that an ad-hoc manager owns further up was reported there, with all its contents. */
static enum walk_action visit_shared(struct orphan_search *search, const struct overlap_node *node)
{
    if (node->is_leaf)
        return WALK_PASS;
    yyjson_val *ad_hoc = ad_hoc_node(search, node);
    return ad_hoc && is_orphaned_whole(search, node->path, ad_hoc) ? WALK_PASS : WALK_DESCEND;
}

static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct orphan_search *search = context;
    if (node->shared)
        return visit_shared(search, node);
    if (orphans_is_exempt(node->path) || is_taken_image(search, node->path))
        return WALK_PASS;
    if (is_declared(search, node->path) || !fields_stand_for_all(node->path, node->fields))
        return WALK_DESCEND;
    if (is_held(search, node->path, node->fields))
        add_field(search, node->path);
    return WALK_PASS;
}

/* Ad-hoc entries further on have their own turn; a field that two of them own is reported for the first. */
static enum fields_result walk(struct orphan_search *search, size_t number)
{
    const struct managed_fields *side = &search->review->ownership.after;
    yyjson_val *others[FIELDSET_OVERLAP_MAX];
    size_t count = 0;
    for (size_t i = 0; i < number; i++) {
        if (search->ad_hoc[i])
            others[count++] = entry_fields(&side->entries[i]);
    }
    search->earlier_ad_hoc = count;
    for (size_t i = 0; i < side->count; i++) {
        if (!search->ad_hoc[i])
            others[count++] = entry_fields(&side->entries[i]);
    }
    search->owner = &side->entries[number];
    search->others.is_owner = search->restarts.is_owner = false;
    return fieldset_overlap_walk(
        entry_fields(search->owner), others, count, search->review->lookup, visit, search);
}

/* A part that cannot be read hides nothing of the others: the result says why, and the search goes on. */
static enum fields_result walk_all(struct orphan_search *search)
{
    enum fields_result unread = FIELDS_OK;
    for (size_t i = 0; i < search->review->ownership.after.count; i++) {
        enum fields_result result = search->ad_hoc[i] ? walk(search, i) : FIELDS_OK;
        if (fields_unread(result))
            unread = result;
        else if (result != FIELDS_OK)
            return result;
    }
    return unread;
}

/* A stored object, of which a tool applies the whole server-side: the tool can own the fields, too. */
static bool can_hand_over(const struct review *review, const struct orphans *orphans)
{
    return orphans->is_at_rest && review->ownership.writer.manager.operation == MANAGER_APPLY;
}

static void append_removal(struct text *text, const struct review *review, const struct orphans *orphans)
{
    if (can_hand_over(review, orphans))
        text_append_string(
            text,
            message_for(
                orphans->fields.total, ", or hand it over, and the next apply removes it",
                ", or hand them over, and the next apply removes them"));
    else if (orphans->undo.whole.length)
        text_append_string(text, ", or delete it");
    else
        text_append_all(
            text, message_for(orphans->fields.total, ", or delete it (", ", or delete them ("),
            undo_commands_text(&orphans->undo, review->arena), ")");
}

/* The command that the sentence ends with. Nothing is advised of a restart. */
static struct slice command_of(const struct review *review, const struct orphans *orphans, bool are_restarts)
{
    if (are_restarts)
        return SLICE("");
    if (can_hand_over(review, orphans))
        return message_command_migrate(
            review, orphans->owners, orphans->owner_count, &review->ownership.writer.manager);
    return orphans->undo.whole;
}

static struct slice describe(const struct review *review, const struct orphans *orphans, bool are_restarts)
{
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    const struct tool_habits *habits = manager_habits(&applier->manager, entry_tool(applier));
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, are_restarts ? "no apply removes " : "",
        message_fields(orphans->fields.items, orphans->fields.total), " (",
        message_managers(orphans->owners, orphans->owner_count, orphans->owner_count));
    if (are_restarts) {
        text_append_string(&text, "); leave it: it only records when the pods were restarted");
    } else {
        text_append_all(
            &text, message_for(orphans->fields.total, ") is in no manifest", ") are in no manifest"),
            message_for(orphans->fields.total, "; add it", "; add them"));
        if (strcmp(habits->source, "the manifest") != 0)
            text_append_all(&text, " to ", habits->source);
        append_removal(&text, review, orphans);
    }
    return text_slice(&text);
}

/* For a stored object: nothing shows whether the manifest declares the field, with another value. */
static struct slice describe_set_by_hand(const struct review *review, const struct orphans *orphans)
{
    const struct managed_fields_entry *applier = review->ownership.writer.after;
    const struct tool_habits *habits = manager_habits(&applier->manager, entry_tool(applier));
    struct text text = text_start(review->arena, 256);
    text_append_all(
        &text, message_managers(orphans->owners, orphans->owner_count, orphans->owner_count), " set ",
        message_fields(orphans->fields.items, orphans->fields.total),
        message_for(
            orphans->fields.total, " by hand, and no apply removes it; add it to ",
            " by hand, and no apply removes them; add them to "),
        habits->source);
    append_removal(&text, review, orphans);
    return text_slice(&text);
}

static void report(
    const struct review *review, struct verdict *verdict, const struct orphans *orphans, bool are_restarts)
{
    if (!orphans->fields.total)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_orphaned_fields,
            .action = orphans->is_news ? ACTION_DENY : ACTION_AUDIT,
            .message = orphans->may_be_declared && !are_restarts ? describe_set_by_hand(review, orphans)
                                                                 : describe(review, orphans, are_restarts),
            .command = command_of(review, orphans, are_restarts),
            FINDING_FIELDS(orphans->fields),
            .has_writer = true,
            .writer = review->ownership.writer.manager,
        });
}

/*
 * Which entries are ad-hoc; false where it does not exist. If managers write in several apiVersions, one
 * field may have two names, so no field is known to lack an owner.
 */
static bool find_ad_hoc(const struct review *review, bool *ad_hoc)
{
    const struct managed_fields *side = &review->ownership.after;
    struct slice version = json_text(review->parts.api_version);
    const struct managed_fields_entry *absorber = absorber_of(review, side);
    bool any = false, one_version = true;
    for (size_t i = 0; i < side->count && i < FIELDSET_OVERLAP_MAX; i++) {
        ad_hoc[i] = orphans_leaves_behind(review, &side->entries[i], absorber);
        any |= ad_hoc[i];
        one_version &= slice_equal(side->entries[i].api_version, version);
    }
    return any && one_version;
}

/* Returns false if memory runs out. */
static bool start(struct orphans *orphans, struct arena *arena)
{
    orphans->owners = arena_allocate(arena, FIELDSET_OVERLAP_MAX * sizeof(struct manager));
    return orphans->owners && finding_fields_start(&orphans->fields, arena);
}

/* Returns false if memory runs out. */
static bool prepare(struct orphan_search *search)
{
    const struct review *review = search->review;
    yyjson_val *configuration = search->manifest ? search->manifest : applied_annotation(review);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    if (configuration)
        search->configuration = lookup_cursor_create_declared(review->lookup, configuration, review->arena);
    if (slice_equal(review->group_kind, SLICE("Secret")))
        search->string_data = json_member(configuration, SLICE("stringData"));
    return start(&search->others, review->arena) && start(&search->restarts, review->arena) &&
        search->object && (search->configuration || !configuration);
}

/* A person who applies a few fields, such as an annotation, has no manifest to add the others to. */
static bool is_told(const struct review *review)
{
    return applied_kind(review) != APPLIED_NOTHING && !orphans_are_of_another(review);
}

/*
 * Whether an apply by force is the only way: the policy denies that ownership moves to tools that the table
 * of moves does not have. Reports are read by people who may change the policy.
 */
static bool needs_force(const struct review *review, const struct verdict *verdict)
{
    enum tool tool = entry_tool(review->ownership.writer.after);
    return verdict->policy_actions[RULE_managedfields_rewritten] == ACTION_DENY && !verdict->is_stored &&
        (tool == TOOL_KUBECTL || tool == TOOL_OTHER);
}

static struct slice describe_co_owned(
    const struct review *review, const struct co_owned *found, bool by_force)
{
    size_t total = found->fields.total;
    return text_join(
        review->arena, message_managers(found->owners, found->owner_count, found->owner_count),
        message_for(found->owner_count, " still owns ", " still own "),
        message_fields(found->fields.items, total),
        message_for(total, ", too, so changing it conflicts", ", too, so changing them conflicts"),
        by_force ? message_for(
                       total, "; add --force-conflicts when you change it",
                       "; add --force-conflicts when you change them")
                 : message_for(total, "; hand it over", "; hand them over"));
}

/* Once the manifest drops them, they are orphaned: until then they conflict. */
static void judge_co_owned(const struct review *review, struct verdict *verdict)
{
    struct co_owned found;
    enum fields_result result = co_owned_find(review, &found);
    if (result != FIELDS_OK) {
        verdict_add_unread_fields(verdict, result);
        return;
    }
    if (!found.fields.total)
        return;
    bool by_force = needs_force(review, verdict);
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_orphaned_fields,
            .action = ACTION_DENY,
            .message = describe_co_owned(review, &found, by_force),
            .command = by_force
                ? SLICE("")
                : message_command_migrate(
                      review, found.owners, found.owner_count, &review->ownership.writer.manager),
            FINDING_FIELDS(found.fields),
            .has_writer = true,
            .writer = review->ownership.writer.manager,
        });
}

static void judge_orphans(
    const struct review *review, struct verdict *verdict, const struct stored_object *stored)
{
    bool ad_hoc[FIELDSET_OVERLAP_MAX];
    size_t count = review->ownership.after.count;
    if (!is_told(review) || !find_ad_hoc(review, ad_hoc))
        return;
    struct orphan_search search = {
        .review = review,
        .is_at_rest = stored != NULL,
        .manifest = stored && stored->upgrade ? stored->upgrade->manifest : NULL,
        .ad_hoc = ad_hoc,
        .others.is_at_rest = stored != NULL};
    enum fields_result result = count > FIELDSET_OVERLAP_MAX ? FIELDS_TOO_MANY
        : prepare(&search)                                   ? walk_all(&search)
                                                             : FIELDS_OUT_OF_MEMORY;
    if (search.is_undecided)
        verdict_add_undecided(verdict);
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    if (result != FIELDS_OK && !fields_unread(result))
        return;
    report(review, verdict, &search.others, false);
    /* One occasion is enough, and there is nothing to do about a restart. */
    search.restarts.is_news &= search.others.fields.total == 0;
    report(review, verdict, &search.restarts, true);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->old_object || review->ownership.after.count < 2 ||
        !ownership_has_other(&review->ownership, CLASS_AD_HOC))
        return;
    judge_orphans(review, verdict, NULL);
    judge_co_owned(review, verdict);
}

/* Fields that people own together with the applier conflict first: next-conflict reports them. */
static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    if (review->ownership.writer.after && ownership_has_other(&review->ownership, CLASS_AD_HOC))
        judge_orphans(review, verdict, object);
}

const struct rule_definition rule_orphaned_fields = {.judge = judge, .judge_object = judge_object};
