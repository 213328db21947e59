#include "policy/analysis/conflicts.h"

#include "base/array_size.h"
#include "base/json.h"
#include "manifest/groups.h"
#include "policy/analysis/adoption.h"
#include "policy/analysis/apply_sets.h"
#include "policy/analysis/defaults.h"
#include "policy/analysis/protection.h"
#include "policy/analysis/replacement.h"
#include "policy/analysis/replicas.h"
#include "policy/analysis/string_data.h"
#include "policy/analysis/suspension.h"
#include "policy/analysis/unavoidable.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/unnamed.h"

#include <stdlib.h>

/* How an entry loses fields: by its class, which is not the same for the status and the rest of an object. */
struct loss {
    enum manager_class class;
    enum action action;
    bool heals;      /* the writer puts back what it took */
    bool is_product; /* it is a controller of the product to which the object belongs */
};

struct collector {
    const struct review *review;
    const struct conflict_settings *settings;
    struct conflicts *conflicts;
    const struct conflict *last;
    struct slice version; /* of the object */
    bool replicas_reported;
    bool is_of_flux_suspend;
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
    bool has_declared;                     /* whether the next two are looked up */
    yyjson_val *declared;                  /* what client-side appliers declared before; NULL: not known */
    struct lookup_cursor *declared_before; /* of it */
    bool has_own;                          /* whether the next one is looked up */
    struct lookup_cursor *own;             /* the writer's own configuration; NULL: not known */
    /* of the entry under way */
    const struct managed_fields_entry *previous_owner;
    bool other_version;
    /* Whether the table's row for the previous owner is looked up, for fields below .status and for others.
     */
    bool has_loss[2];
    struct loss losses[2];
    bool owns_defaults;    /* it may have created the object by a plain write, with its defaults */
    bool keeps_annotation; /* one that keeps what it declares in the last-applied annotation */
};

/* Whether it is the field of that name of the object's spec. */
static bool is_below_spec(const struct path *path, struct slice name)
{
    return path->depth == 2 && slice_equal(path->text, name) &&
        slice_equal(path->parent->text, SLICE("spec"));
}

static bool is_ignored(const struct collector *collector, const struct path *path)
{
    if (collector->replicas_reported && is_below_spec(path, SLICE("replicas")))
        return true;
    const struct slice_list *patterns = &collector->settings->ignore_fields;
    for (size_t i = 0; i < patterns->count; i++) {
        if (path_pattern_covers(patterns->items[i], path, collector->review->arena))
            return true;
    }
    return false;
}

/* Whether nothing but a map, or a list, was there, and is: its contents are lost by their own owners. */
static enum search_answer is_bare(
    const struct collector *collector, const struct path *path, yyjson_val *old_value, yyjson_val *value)
{
    const struct review *review = collector->review;
    if (old_value && value && yyjson_get_type(old_value) != yyjson_get_type(value))
        return ANSWER_NO;
    yyjson_val *scalar = old_value && !yyjson_is_ctn(old_value) ? old_value : value;
    return ownership_bare(&review->ownership, path, scalar, review->lookup);
}

/*
 * The element that represents all that was removed with it: the first list item that is gone, else the
 * topmost map. `gone_depth` is the depth of the topmost element that is not there any more.
 */
static const struct path *removed_whole(const struct path *path, unsigned gone_depth)
{
    const struct path *whole = path;
    for (const struct path *element = path; element && element->depth >= gone_depth;
         element = element->parent) {
        if (element->kind != PATH_FIELD || whole->kind == PATH_FIELD)
            whole = element;
    }
    return whole;
}

/* Whether the annotation may be an applier's: kubectl edit and others write it as they find it, an apply does
 * not. */
static bool is_configuration_kept(const struct review *review)
{
    const struct managed_fields *before = &review->ownership.before;
    for (size_t i = 0; i < before->count; i++) {
        const struct managed_fields_entry *entry = &before->entries[i];
        if (entry->manager.operation == MANAGER_APPLY && entry_owns_last_applied(entry))
            return false;
    }
    return true;
}

/* Whether it is not what was applied: no workload is applied without a spec. */
static bool is_emptied(const struct review *review, yyjson_val *configuration)
{
    return review_is_of_workload(review) && yyjson_obj_size(json_member(configuration, SLICE("spec"))) == 0;
}

static void find_declared(struct collector *collector)
{
    const struct review *review = collector->review;
    if (collector->has_declared)
        return;
    yyjson_val *configuration = is_configuration_kept(review) ? applied_annotation_before(review) : NULL;
    collector->declared = configuration && !is_emptied(review, configuration) ? configuration : NULL;
    if (collector->declared)
        collector->declared_before =
            lookup_cursor_create_declared(review->lookup, collector->declared, review->arena);
    collector->has_declared = true;
}

/*
 * A manager that creates an object by a plain write owns the defaults that came with it, and its next apply
 * leaves them alone. Its declaration is in the annotation, if it keeps one; without one, as of Helm 3, which
 * keeps it in a Secret, it is not known of a value that may be a default.
 */
static enum search_answer is_declared(
    struct collector *collector, const struct path *path, yyjson_val *old_value)
{
    const struct review *review = collector->review;
    bool is_string_data = slice_equal(review->group_kind, SLICE("Secret"));
    if (!collector->owns_defaults || is_string_data)
        return ANSWER_YES;
    if (collector->keeps_annotation)
        find_declared(collector);
    if (!collector->keeps_annotation || !collector->declared)
        return value_may_be_default(path, old_value) ? ANSWER_NO : ANSWER_YES;
    return collector->declared_before ? lookup_declares(collector->declared_before, path) : ANSWER_UNKNOWN;
}

bool conflicts_are_aggregation(const struct review *review)
{
    return slice_equal(review->group_kind, SLICE("ClusterRole.rbac.authorization.k8s.io")) &&
        json_member(review->object, SLICE("aggregationRule"));
}

/*
 * The API server fills the rules by a forced apply, over any manager that declares them, and that manager
 * empties them.
 */
static enum action ceiling_of_rules(const struct collector *collector, const struct path *path)
{
    const struct review *review = collector->review;
    while (path->depth > 1)
        path = path->parent;
    if (!slice_equal(path->text, SLICE("rules")) || !conflicts_are_aggregation(review))
        return ACTION_DENY;
    return review->ownership.writer.class == CLASS_CONTROLLER ? ACTION_AUDIT : ACTION_WARN;
}

/* The values at a path before and after; `depth` is that of the topmost element that is not there. */
struct change {
    enum lookup_result before, after;
    yyjson_val *old_value, *value; /* NULL: absent */
    unsigned old_depth, depth;
};

/* kubectl replace --save-config: it writes its manifest into the annotation, as kubectl apply does. */
static bool saves_configuration(const struct review *review)
{
    const struct writer *writer = &review->ownership.writer;
    return slice_equal(writer->manager.name, SLICE("kubectl-replace")) && review->last_applied.written &&
        writer->after && entry_owns_last_applied(writer->after);
}

/* The configuration of a writer that keeps it on the object; NULL: it does not. */
static yyjson_val *own_configuration(const struct review *review)
{
    yyjson_val *configuration =
        saves_configuration(review) ? applied_annotation(review) : applied_client_side(review);
    return configuration ? configuration : replacement_configuration(review);
}

static enum declaration declaration_of(
    struct collector *collector, const struct path *path, yyjson_val *value)
{
    const struct review *review = collector->review;
    const struct writer *writer = &review->ownership.writer;
    enum declaration declared = value && !json_is_zero(value) ? DECLARATION_PRESENT : DECLARATION_EMPTY;
    if (writer->manager.operation == MANAGER_APPLY) {
        bool is_applied = value ||
            (writer->after &&
             fieldset_contains(review->lookup, entry_fields(writer->after), path) == ANSWER_YES);
        return is_applied ? declared : DECLARATION_UNKNOWN;
    }
    if (!collector->has_own) {
        yyjson_val *own = own_configuration(review);
        collector->own = own ? lookup_cursor_create_declared(review->lookup, own, review->arena) : NULL;
        collector->has_own = true;
    }
    switch (collector->own ? lookup_declares(collector->own, path) : ANSWER_UNKNOWN) {
    case ANSWER_YES:
        return declared;
    case ANSWER_NO:
        return DECLARATION_ABSENT;
    case ANSWER_UNKNOWN:
        break;
    }
    return DECLARATION_UNKNOWN;
}

/*
 * Whether the writer declares its change in the annotation that it shares with the previous owner, whose next
 * apply starts from there. A default that has come back in place of the value is not declared.
 */
static bool renews(struct collector *collector, const struct path *path, yyjson_val *value)
{
    const struct review *review = collector->review;
    if (!saves_configuration(review) || entry_tool(collector->previous_owner) != TOOL_KUBECTL_CLIENT_SIDE)
        return false;
    enum declaration declared = declaration_of(collector, path, value);
    return value ? declared == DECLARATION_PRESENT || declared == DECLARATION_EMPTY
                 : declared == DECLARATION_ABSENT;
}

/* kubectl taint, and kubectl patch that releases a volume: a controller and people keep these together. */
static bool is_kept_by_people(const struct collector *collector, const struct path *path)
{
    static const struct {
        const char *kind, *field;
    } fields[] = {{"Node", ".spec.taints"}, {"PersistentVolume", ".spec.claimRef"}};
    const struct review *review = collector->review;
    for (size_t i = 0; review->ownership.writer.class == CLASS_AD_HOC && i < ARRAY_SIZE(fields); i++) {
        if (slice_equal(review->group_kind, slice_of(fields[i].kind)) &&
            path_pattern_covers(slice_of(fields[i].field), path, review->arena))
            return true;
    }
    return false;
}

/* The table's action for the loss, and less where the field gives a reason. */
static enum action action_at(
    const struct collector *collector, const struct path *path, const struct loss *loss, bool required)
{
    enum action action = action_min(loss->action, ceiling_of_rules(collector, path));
    if (collector->review->ownership.writer.class == CLASS_APPLIER && (required || loss->is_product))
        action = action_min(action, ACTION_WARN);
    if (collector->is_of_flux_suspend && is_below_spec(path, SLICE("suspend")))
        action = action_min(action, ACTION_WARN);
    if (loss->class != CLASS_APPLIER && is_kept_by_people(collector, path))
        action = action_min(action, ACTION_AUDIT);
    return action;
}

/* `gone_depth` 0: the value is another. */
static void add_conflict(
    struct collector *collector, const struct path *path, const struct change *change, unsigned gone_depth,
    const struct loss *loss)
{
    struct effort *effort = lookup_effort(collector->review->lookup);
    enum search_answer declared = is_declared(collector, path, change->old_value);
    bool undeclared = declared == ANSWER_NO;
    bool is_controllers = loss->class == CLASS_CONTROLLER;
    bool required = is_controllers && field_is_required(collector->review, path, change->value);
    bool renewed = renews(collector, path, change->value);
    enum action action = action_min(
        action_at(collector, path, loss, required), undeclared || renewed ? ACTION_AUDIT : ACTION_DENY);
    collector->conflicts->undecided |= declared == ANSWER_UNKNOWN;
    if (declared == ANSWER_UNKNOWN)
        return;
    const struct path *whole = gone_depth ? removed_whole(path, gone_depth) : path;
    struct text text = text_start(collector->review->arena, 96);
    if (whole != path)
        path_append(&text, whole);
    size_t field_length = text.length;
    text.length = 0;
    if (!effort->exceeded[EFFORT_PATHS])
        path_append(&text, path);
    if (!effort_spend(effort, EFFORT_PATHS, text.length)) {
        collector->conflicts->overflowed[action] = true;
        return;
    }
    struct slice leaf = text_slice(&text);
    if (leaf.bytes)
        arena_shorten(collector->review->arena, leaf.bytes + leaf.length);
    struct conflict *conflict = arena_allocate(collector->review->arena, sizeof(*conflict));
    if (!conflict)
        return;
    *conflict = (struct conflict){
        .previous = collector->last,
        .leaf = leaf,
        .field = whole == path ? leaf : slice_until(leaf, field_length),
        .removed = gone_depth > 0,
        .item_removed = gone_depth && whole->kind != PATH_FIELD,
        .undeclared = undeclared,
        .heals = loss->heals,
        .renewed = renewed,
        .required = required,
        .declaration = is_controllers ? declaration_of(collector, path, change->value) : DECLARATION_UNKNOWN,
        .old_value = change->old_value,
        .value = change->value,
        .action = action,
        .previous_owner = collector->previous_owner,
        .previous_owner_class = loss->class,
    };
    collector->last = conflict;
    collector->conflicts->count++;
}

/* kubectl apply --server-side taking over what kubectl apply declared is one tool changing its way of
 * applying. */
static bool is_kubectl_migrating(const struct manager *writer, const struct manager *previous_owner)
{
    return writer->operation == MANAGER_APPLY && manager_tool(writer->name) == TOOL_KUBECTL &&
        manager_tool(previous_owner->name) == TOOL_KUBECTL_CLIENT_SIDE;
}

/* kubectl apply under any name, and what applies as it does, such as Ansible's apply. */
static bool is_client_side_kubectl(
    const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    enum tool tool = entry_tool(entry);
    return tool == TOOL_KUBECTL_CLIENT_SIDE ||
        (tool == TOOL_OTHER && entry_applies_client_side(ownership, entry));
}

/* Both work with the same annotation. */
static bool are_client_side_kubectl(
    const struct ownership *ownership, const struct managed_fields_entry *previous_owner)
{
    const struct managed_fields_entry *writer = ownership->writer.after;
    return writer && is_client_side_kubectl(ownership, writer) &&
        is_client_side_kubectl(ownership, previous_owner);
}

/* The strongest action of one applier against another: a tool may take from itself and from what it succeeds.
 */
static enum action ceiling_of_appliers(
    const struct ownership *ownership, const struct managed_fields_entry *previous_owner)
{
    const struct writer *writer = &ownership->writer;
    if (manager_is_same_tool(writer->manager.name, previous_owner->manager.name))
        return ACTION_OFF;
    if (is_kubectl_migrating(&writer->manager, &previous_owner->manager))
        return ACTION_AUDIT;
    if (are_client_side_kubectl(ownership, previous_owner))
        return ACTION_WARN;
    return adoption_ceiling(adoption_from(ownership, previous_owner));
}

/* Whether an applier's entry was merged into this one: what it declared is still declared. */
static bool holds_applier(const struct managed_fields_entry *entry)
{
    yyjson_val *annotations =
        fields_child(fields_child(entry_fields(entry), SLICE("metadata")), SLICE("annotations"));
    return entry_owns_last_applied(entry) || fields_child(annotations, SLICE("meta.helm.sh/release-name"));
}

/*
 * The API server merges the oldest entries where there are too many. A person takes from the applier among
 * them; an applier may be the one that it takes from.
 */
static enum manager_class class_of_previous_owner(
    const struct ownership *ownership, const struct managed_fields_entry *previous_owner, bool is_status)
{
    enum manager_class class = ownership_class_of_previous_owner(ownership, previous_owner, is_status);
    bool is_merged = slice_equal(previous_owner->manager.name, SLICE("ancient-changes")) &&
        !manager_has_rule(&previous_owner->manager, ownership->class_rules);
    if (!is_merged)
        return class;
    return ownership->writer.class == CLASS_AD_HOC && holds_applier(previous_owner) ? CLASS_APPLIER
                                                                                    : CLASS_AD_HOC;
}

/* The action of the policy's table, and less if a tool takes from itself or from its predecessor. */
static struct loss loss_of(
    const struct collector *collector, const struct managed_fields_entry *previous_owner, bool is_status)
{
    const struct review *review = collector->review;
    const struct writer *writer = &review->ownership.writer;
    struct loss loss = {.class = class_of_previous_owner(&review->ownership, previous_owner, is_status)};
    if (!class_takes_from(writer->class, loss.class))
        return loss;
    loss.action = collector->settings->takeover[writer->class][loss.class];
    if (class_is_unattended(writer->class) &&
        manager_is_same_tool(writer->manager.name, previous_owner->manager.name))
        loss.action = ACTION_OFF;
    loss.is_product =
        loss.class == CLASS_CONTROLLER && manager_is_of_product(review, &previous_owner->manager);
    if (writer->class == CLASS_APPLIER && loss.class == CLASS_APPLIER) {
        loss.action = action_min(loss.action, ceiling_of_appliers(&review->ownership, previous_owner));
        loss.heals = adoption_from(&review->ownership, previous_owner) == ADOPTION_HEALS;
    }
    return loss;
}

static bool is_status(const struct path *path)
{
    while (path->parent)
        path = path->parent;
    return path->kind == PATH_FIELD && slice_equal(path->text, SLICE("status"));
}

/*
 * Whether the entry may hold what came with the object's creation. A workload is created with its template:
 * a manager that owns nothing in the template wrote its fields later.
 */
static bool may_have_created(const struct review *review, const struct managed_fields_entry *entry)
{
    static const char *const templates[] = {"template", "jobTemplate"};
    yyjson_val *spec = json_member(review->old_object, SLICE("spec"));
    yyjson_val *fields = fields_child(entry_fields(entry), SLICE("spec"));
    for (size_t i = 0; i < ARRAY_SIZE(templates); i++)
        if (json_member(spec, slice_of(templates[i])) && !fields_child(fields, slice_of(templates[i])))
            return false;
    return true;
}

static const struct loss *loss_at(struct collector *collector, const struct path *path)
{
    const struct managed_fields_entry *previous_owner = collector->previous_owner;
    const struct ownership *ownership = &collector->review->ownership;
    bool in_status = is_status(path);
    if (!collector->has_loss[false] && !collector->has_loss[true]) {
        collector->keeps_annotation = entry_applies_client_side(ownership, previous_owner);
        enum manager_class class = ownership_class(ownership, previous_owner);
        collector->owns_defaults = previous_owner->manager.operation == MANAGER_UPDATE &&
            (class == CLASS_APPLIER ||
             (class == CLASS_UNKNOWN && may_have_created(collector->review, previous_owner)));
    }
    if (!collector->has_loss[in_status])
        collector->losses[in_status] = loss_of(collector, previous_owner, in_status);
    collector->has_loss[in_status] = true;
    return &collector->losses[in_status];
}

/*
 * The API server does not store zero values (minReadySeconds: 0, args: []), so an owned field may be absent,
 * and what is below it. A list item is never left out: where it is not found, its key says something else.
 */
static bool may_be_zero(const struct path *path, unsigned absent_depth)
{
    while (path->depth > absent_depth)
        path = path->parent;
    return path->kind == PATH_FIELD;
}

static bool is_known(enum lookup_result result)
{
    return result == LOOKUP_FOUND || result == LOOKUP_ABSENT;
}

static bool has_become_several(const struct change *change)
{
    return change->before == LOOKUP_FOUND && change->after == LOOKUP_SEVERAL;
}

static bool is_resolved(
    const struct collector *collector, const struct path *path, const struct change *change)
{
    if (has_become_several(change))
        return !collector->other_version;
    if (!is_known(change->before) || !is_known(change->after))
        return false;
    if (change->before == LOOKUP_ABSENT && change->after == LOOKUP_ABSENT &&
        !may_be_zero(path, change->old_depth))
        return false;
    return !collector->other_version || (change->old_value && change->value);
}

static bool is_nothing(yyjson_val *value)
{
    return !value || yyjson_is_null(value) || (yyjson_is_ctn(value) && unsafe_yyjson_get_len(value) == 0);
}

/* emptyDir: {} selects the kind of a volume. */
static bool is_kind_of_volume(const struct review *review, const struct path *path)
{
    const struct path *item = path->parent;
    return path->kind == PATH_FIELD && item && item->kind == PATH_KEY && item->parent &&
        slice_equal(path->text, SLICE("emptyDir")) && slice_equal(item->parent->text, SLICE("volumes")) &&
        is_builtin_group(review->group);
}

/*
 * An empty map or list, null, and none are the same to a client with types, which writes one for the other.
 * An applier means exactly what it declares, and the API server refuses {} where another applied null.
 */
static enum search_answer is_unchanged(
    const struct review *review, const struct path *path, const struct change *change)
{
    const struct writer *writer = &review->ownership.writer;
    bool are_both = change->old_value && change->value;
    bool is_applied = writer->known && writer->manager.operation == MANAGER_APPLY;
    bool is_other_kind = change->old_value && !change->value && is_kind_of_volume(review, path);
    if (!(are_both && is_applied) && !is_other_kind && is_nothing(change->old_value) &&
        is_nothing(change->value))
        return ANSWER_YES;
    return are_both ? lookup_equal(review->lookup, change->old_value, change->value) : ANSWER_NO;
}

/* Whether the owner may have dropped the field itself: the review does not show who removes it. */
static bool may_be_its_own(const struct collector *collector, const struct change *change)
{
    return !collector->review->ownership.writer.known && !change->value &&
        unnamed_may_be_of(&collector->previous_owner->manager);
}

/*
 * A removal that may be the applier's own is recorded. A service that removes a field without a name gets no
 * warning: it reads no warnings, and it may be an owner that has come to use another client.
 */
static enum action ceiling_of_unnamed(const struct collector *collector, const struct change *change)
{
    const struct review *review = collector->review;
    bool is_unnamed = !review->ownership.writer.known && !change->value;
    return is_unnamed && (may_be_its_own(collector, change) || review_is_of_service(review)) ? ACTION_AUDIT
                                                                                             : ACTION_DENY;
}

/* Nothing is at stake where who may have dropped its own field does not apply. */
static bool is_its_own(const struct collector *collector, const struct change *change)
{
    return may_be_its_own(collector, change) &&
        ownership_class(&collector->review->ownership, collector->previous_owner) != CLASS_APPLIER;
}

/* Whether the change is the previous owner's loss, and not that of who owns what is in the map or list. */
static bool is_loss(const struct collector *collector, const struct path *path, const struct change *change)
{
    if (has_become_several(change))
        return true;
    return is_unchanged(collector->review, path, change) == ANSWER_NO && !is_its_own(collector, change) &&
        is_bare(collector, path, change->old_value, change->value) == ANSWER_NO;
}

static const struct path *at_depth(const struct path *path, unsigned depth)
{
    while (path && path->depth > depth)
        path = path->parent;
    return path;
}

/*
 * Where a map has become a scalar or a list, or a list a map, that is what was taken; where an item is there
 * several times now, the item: the API server leaves it, and what is in it, to the writer alone
 * (structured-merge-diff, typed/compare.go). Else the path itself.
 */
static const struct path *up_to_taken(const struct collector *collector, const struct path *path)
{
    yyjson_val *value = NULL;
    unsigned end = 0;
    enum lookup_result result = lookup_path(collector->object, path, &value, &end);
    if (result == LOOKUP_SEVERAL)
        return at_depth(path, end);
    if (result != LOOKUP_ABSENT && result != LOOKUP_MISFIT)
        return path;
    const struct path *above = at_depth(path, end - 1);
    if (!above || lookup_path(collector->object, above, &value, &end) != LOOKUP_FOUND)
        return path;
    bool is_other = result == LOOKUP_MISFIT || !(yyjson_is_ctn(value) || yyjson_is_null(value));
    return is_other ? above : path;
}

static void add_unresolved(struct collector *collector, const struct path *path)
{
    struct conflicts *conflicts = collector->conflicts;
    if (conflicts->unresolved++)
        return;
    struct text text = text_start(collector->review->arena, 96);
    path_append(&text, path);
    conflicts->unresolved_field = text_slice(&text);
    conflicts->unresolved_owner = collector->previous_owner;
}

static bool visit_lost(void *context, const struct path *path)
{
    struct collector *collector = context;
    if (field_is_bookkeeping(path) || is_ignored(collector, path))
        return true;
    path = up_to_taken(collector, path);
    struct change change = {0};
    change.before = lookup_path(collector->old_object, path, &change.old_value, &change.old_depth);
    change.after = lookup_path(collector->object, path, &change.value, &change.depth);
    if (!is_resolved(collector, path, &change)) {
        add_unresolved(collector, path);
        return true;
    }
    bool is_gone = change.after == LOOKUP_ABSENT;
    bool is_harmless =
        is_gone && (apply_set_is_membership(path) || protection_returns(collector->review, path));
    if (!is_loss(collector, path, &change) || is_harmless)
        return true;
    struct loss loss = *loss_at(collector, path);
    loss.action = action_min(loss.action, ceiling_of_unnamed(collector, &change));
    if (loss.action != ACTION_OFF)
        add_conflict(collector, path, &change, is_gone ? change.depth : 0, &loss);
    return true;
}

/*
 * The same manager under another operation is the same tool changing its way of applying. Under another
 * subresource it is another way to write the object, as with kubectl scale and kubectl apply. kubectl rollout
 * undo and kubectl apply --server-side also differ, although both have the name kubectl: the next apply
 * conflicts with it.
 */
static bool is_writer(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    const struct writer *writer = &ownership->writer;
    if (!slice_equal(writer->manager.name, entry->manager.name) ||
        !slice_equal(writer->manager.subresource, entry->manager.subresource))
        return false;
    bool is_ad_hoc_by_name = writer->class == CLASS_AD_HOC && manager_is_named(&writer->manager);
    return writer->manager.operation == entry->manager.operation || !is_ad_hoc_by_name ||
        ownership_class(ownership, entry) != CLASS_APPLIER;
}

int conflicts_compare(const void *a, const void *b)
{
    const struct conflict *x = *(const struct conflict *const *)a, *y = *(const struct conflict *const *)b;
    if (x->action != y->action)
        return (int)y->action - (int)x->action;
    int order = slice_compare(x->field, y->field);
    return order ? order : (x->previous_owner > y->previous_owner) - (x->previous_owner < y->previous_owner);
}

/* Orders the losses of one previous owner at one path by their leaves. */
static int compare_with_leaves(const void *a, const void *b)
{
    const struct conflict *x = *(const struct conflict *const *)a, *y = *(const struct conflict *const *)b;
    int order = conflicts_compare(a, b);
    return order ? order : slice_compare(x->leaf, y->leaf);
}

/* How many there are is known at the end only. Returns false if memory runs out. */
static bool sort_conflicts(struct collector *collector)
{
    struct conflicts *conflicts = collector->conflicts;
    size_t left = conflicts->count;
    if (!left)
        return true;
    conflicts->items = arena_allocate_array(collector->review->arena, left, sizeof(const struct conflict *));
    if (!conflicts->items)
        return false;
    for (const struct conflict *conflict = collector->last; conflict; conflict = conflict->previous)
        conflicts->items[--left] = conflict;
    qsort(conflicts->items, conflicts->count, sizeof(const struct conflict *), compare_with_leaves);
    return true;
}

/* Most reviews need none of this. Returns false if memory runs out. */
static bool prepare(struct collector *collector, bool dropped_replicas_reported)
{
    const struct review *review = collector->review;
    if (collector->object)
        return true;
    collector->version = json_text(review->parts.api_version);
    collector->replicas_reported = dropped_replicas_reported && replicas_dropped(review);
    collector->is_of_flux_suspend = is_of_flux_suspend(review);
    collector->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    collector->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    return collector->old_object && collector->object;
}

/* Whether the request changed it, and not something in flight. A value that is gone has no owner any more. */
static enum search_answer is_writers(
    const struct collector *collector, const struct path *name, yyjson_val *value)
{
    static const char *const maps[] = {"data", "stringData"};
    const struct review *review = collector->review;
    const struct managed_fields_entry *after = review->ownership.writer.after;
    enum search_answer answer = value ? ANSWER_NO : ANSWER_YES;
    for (size_t i = 0; after && i < ARRAY_SIZE(maps) && answer == ANSWER_NO; i++) {
        const struct path map = path_member(NULL, slice_of(maps[i]));
        const struct path path = path_member(&map, name->text);
        answer = fieldset_contains(review->lookup, entry_fields(after), &path);
    }
    return answer;
}

/* One name in the stringData of an Apply entry: its value is what data holds. */
static bool visit_string_data(void *context, const struct path *name)
{
    struct collector *collector = context;
    const struct path data = path_member(NULL, SLICE("data")), path = path_member(&data, name->text);
    struct change change = {0};
    if (name->parent || is_ignored(collector, &path))
        return true;
    change.before = lookup_path(collector->old_object, &path, &change.old_value, &change.old_depth);
    change.after = lookup_path(collector->object, &path, &change.value, &change.depth);
    if (change.before != LOOKUP_FOUND || !is_known(change.after) ||
        is_unchanged(collector->review, &path, &change) != ANSWER_NO)
        return true;
    enum search_answer is_changed = is_writers(collector, name, change.value);
    collector->conflicts->undecided |= is_changed == ANSWER_UNKNOWN;
    if (is_changed != ANSWER_YES)
        return true;
    struct loss loss = *loss_at(collector, &path);
    loss.action = action_min(loss.action, ceiling_of_unnamed(collector, &change));
    if (loss.action != ACTION_OFF)
        add_conflict(collector, &path, &change, change.value ? 0 : change.depth, &loss);
    return true;
}

static void collect(struct collector *collector, yyjson_val *before, yyjson_val *after, fields_visit *visit)
{
    enum fields_result result = fields_difference(before, after, collector->review->lookup, visit, collector);
    if (fields_unread(result))
        collector->conflicts->unread = result;
}

/* An entry keeps the names in its stringData, so the API server does not see who changes the values. */
static void collect_of(
    struct collector *collector, const struct managed_fields_entry *previous_owner, yyjson_val *string_data)
{
    const struct managed_fields_entry *after = previous_owner->counterpart;
    collector->previous_owner = previous_owner;
    memset(collector->has_loss, 0, sizeof(collector->has_loss));
    collector->other_version = !slice_equal(previous_owner->api_version, collector->version);
    if (string_data)
        collect(collector, string_data, NULL, visit_string_data);
    if (!previous_owner->same_fields)
        collect(collector, entry_fields(previous_owner), after ? entry_fields(after) : NULL, visit_lost);
}

struct conflicts conflicts_collect(
    const struct review *review, const struct conflict_settings *settings, bool dropped_replicas_reported)
{
    struct conflicts conflicts = {0};
    struct collector collector = {.review = review, .settings = settings, .conflicts = &conflicts};
    const struct ownership *ownership = &review->ownership;
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        yyjson_val *string_data = string_data_of(review, entry);
        if ((entry->same_fields && !string_data) || is_writer(ownership, entry))
            continue;
        if (!prepare(&collector, dropped_replicas_reported))
            break;
        collect_of(&collector, entry, string_data);
    }
    if (arena_has_failed(review->arena) || !sort_conflicts(&collector))
        return (struct conflicts){0};
    return conflicts;
}
