#include "base/base64.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/min.h"
#include "base/quantity.h"
#include "manifest/groups.h"
#include "policy/analysis/adoption.h"
#include "policy/analysis/apply_sets.h"
#include "policy/analysis/lost_values.h"
#include "policy/analysis/suspension.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/list_types.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_command.h"
#include "policy/verdict/tool_habits.h"
#include "policy/verdict/verdict.h"

/*
 * Walks the annotation's configuration together with both objects. Old and new object are compared, never the
 * annotation with an object: quantities, base64 and omitted defaults look different there without being so.
 */
struct drift {
    const struct review *review;
    struct verdict *verdict;
    struct lost_values reported; /* by ownership-conflict, with at least the same action */
    bool in_string_data;         /* declared plain, stored in base64 */
    bool at_least;               /* for some further fields it is unknown whether they are reported already */
    struct slice *fields;        /* room for FINDING_FIELDS_MAX */
    size_t total;
};

/* The values of a declared field; NULL: absent. */
struct declared_change {
    yyjson_val *old_value, *value;
    bool gone;
};

static void compare(
    struct drift *drift, const struct path *path, yyjson_val *declared, yyjson_val *old_value,
    yyjson_val *value);

/*
 * The annotation is of a former applier, which the writer has replaced. People read the warnings of a tool
 * that leaves it there, and can delete it.
 */
static enum action strongest_action(const struct ownership *ownership)
{
    enum adoption adoption = adoption_from_tool(ownership, TOOL_KUBECTL_CLIENT_SIDE);
    if (adoption == ADOPTION_SETTLED && !adoption_leaves_last_applied(ownership))
        return ACTION_AUDIT;
    if (adoption != ADOPTION_NONE || adoption_removes_last_applied(ownership))
        return ACTION_WARN;
    return writer_ceiling(&ownership->writer);
}

/* The same, but flux suspend is never denied. */
static enum action strongest_action_of(const struct review *review, const struct slice *only)
{
    enum action action = strongest_action(&review->ownership);
    bool may_suspend = (!only || slice_equal(*only, SLICE(SUSPEND_PATH))) && is_of_flux_suspend(review);
    return may_suspend ? action_min(action, ACTION_WARN) : action;
}

/* Returns false if memory runs out. */
static bool find_reported(struct drift *drift)
{
    const struct lost_fields *lost = lost_fields_find(drift->review, drift->verdict);
    enum action action = action_min(
        drift->verdict->policy_actions[RULE_last_applied_drift], strongest_action_of(drift->review, NULL));
    return lost_values_find(lost, action, drift->review->arena, &drift->reported);
}

/* For a removed field, a reported field inside it is enough. */
static bool is_reported(const struct drift *drift, const struct declared_change *change)
{
    return lost_values_cover(&drift->reported, change->old_value, change->value) ||
        (change->gone && lost_values_are_in(&drift->reported, change->old_value));
}

/*
 * Without a name, the manager that gained the field is the writer. Not so a client-side applier that holds
 * it: what was changed in flight stays its own.
 */
static enum search_answer is_gained(const struct review *review, const struct path *path)
{
    const struct managed_fields *side = &review->ownership.after;
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        enum search_answer owned =
            entry->same_fields ? ANSWER_NO : fieldset_contains(review->lookup, entry_fields(entry), path);
        enum search_answer held = owned == ANSWER_YES && entry->counterpart
            ? fieldset_contains(review->lookup, entry_fields(entry->counterpart), path)
            : ANSWER_NO;
        if (owned == ANSWER_UNKNOWN || held == ANSWER_UNKNOWN)
            return ANSWER_UNKNOWN;
        if (owned == ANSWER_YES && held == ANSWER_NO)
            return ANSWER_YES;
    }
    return ANSWER_NO;
}

/* The API server takes what a writer removes out of all entries. */
static enum search_answer is_owned_by_nobody(const struct review *review, const struct path *path)
{
    const struct managed_fields *side = &review->ownership.after;
    for (size_t i = 0; i < side->count; i++) {
        enum search_answer owned = fieldset_contains(review->lookup, entry_fields(&side->entries[i]), path);
        if (owned != ANSWER_NO)
            return owned == ANSWER_YES ? ANSWER_NO : ANSWER_UNKNOWN;
    }
    return ANSWER_YES;
}

/*
 * Whether the writer did it, and not a mutating webhook or policy: these come after ownership is worked out,
 * so that what they change stays its owner's. An object without managedFields does not show another owner:
 * then it was the writer.
 */
static enum search_answer is_writers_doing(const struct review *review, const struct path *path, bool gone)
{
    const struct ownership *ownership = &review->ownership;
    const struct writer *writer = &ownership->writer;
    if (writer->after && !gone)
        return fieldset_contains(review->lookup, entry_fields(writer->after), path);
    if (!ownership->after.present)
        return ANSWER_YES;
    if (gone)
        return is_owned_by_nobody(review, path);
    return writer->known ? ANSWER_NO : is_gained(review, path);
}

static void add(struct drift *drift, const struct path *path, const struct declared_change *change)
{
    struct effort *effort = lookup_effort(drift->review->lookup);
    if (is_reported(drift, change) || (change->gone && apply_set_is_membership(path)) ||
        is_writers_doing(drift->review, path, change->gone) != ANSWER_YES)
        return;
    struct text text = text_start(drift->review->arena, 96);
    if (!effort->exceeded[EFFORT_PATHS])
        path_append(&text, path);
    if (!effort_spend(effort, EFFORT_PATHS, text.length)) {
        drift->at_least = true;
        return;
    }
    struct slice field = text_slice(&text);
    if (drift->total < FINDING_FIELDS_MAX)
        drift->fields[drift->total] = field;
    drift->total++;
}

static bool pay_for(const struct drift *drift, const yyjson_val *value)
{
    return lookup_pay_for(drift->review->lookup, value);
}

static bool differs(const struct drift *drift, yyjson_val *a, yyjson_val *b)
{
    return !json_equal(a, b, drift->review->arena);
}

/* Quantities are stored as text, in a form that never has a fraction: 1.5 becomes 1500m. */
static bool is_declared_quantity(yyjson_val *declared, struct slice text)
{
    return !slice_contains(text, '.') && quantity_is_declared(declared, text);
}

static bool is_as_declared(const struct drift *drift, yyjson_val *declared, yyjson_val *value)
{
    struct slice text = json_text(value);
    if (drift->in_string_data && base64_is_of(text, json_text(declared)))
        return true;
    return !differs(drift, declared, value) || is_declared_quantity(declared, text);
}

static void compare_member(
    struct drift *drift, const struct path *parent, struct slice name, yyjson_val *declared,
    yyjson_val *old_object, yyjson_val *object)
{
    const struct path element = path_member(parent, name);
    struct lookup *lookup = drift->review->lookup;
    compare(
        drift, &element, declared, lookup_member(lookup, old_object, name),
        lookup_member(lookup, object, name));
}

static void compare_members(
    struct drift *drift, const struct path *path, yyjson_val *declared, yyjson_val *old_object,
    yyjson_val *object)
{
    json_each_key(key, declared)
        compare_member(drift, path, json_text(key), yyjson_obj_iter_get_val(key), old_object, object);
}

static void compare_item(
    struct drift *drift, const struct path *list, const struct list_type *type, yyjson_val *declared,
    yyjson_val *old_list, yyjson_val *new_list)
{
    struct lookup *lookup = drift->review->lookup;
    struct path element = path_below(list);
    element.kind = type->kind == LIST_SET ? PATH_VALUE : PATH_KEY;
    element.json = declared;
    element.key_names = type->kind == LIST_SET ? NULL : &type->keys;
    if (yyjson_is_obj(declared) != (type->kind == LIST_KEYED))
        return;
    yyjson_val *old_item = NULL, *item = NULL;
    if (lookup_element(lookup, old_list, &element, &old_item) != LOOKUP_FOUND)
        return;
    /* The object's item has the key fields that the manifest left to their defaults. */
    element.json = old_item;
    enum lookup_result after = lookup_element(lookup, new_list, &element, &item);
    if (after == LOOKUP_ABSENT || after == LOOKUP_SEVERAL)
        add(drift, &element, &(struct declared_change){old_item, NULL, after == LOOKUP_ABSENT});
    else if (after == LOOKUP_FOUND && type->kind == LIST_KEYED)
        compare(drift, &element, declared, old_item, item);
}

static void compare_list(
    struct drift *drift, const struct path *path, yyjson_val *declared, yyjson_val *old_list,
    yyjson_val *new_list)
{
    if (!yyjson_is_arr(old_list) || !pay_for(drift, old_list) || json_identical(old_list, new_list))
        return;
    struct list_type type = list_type_at(drift->review, path);
    if (type.kind == LIST_UNKNOWN)
        return;
    if (type.kind == LIST_ATOMIC) {
        if (differs(drift, old_list, new_list) && differs(drift, declared, new_list))
            add(drift, path, &(struct declared_change){old_list, new_list, false});
        return;
    }
    json_each_item(item, declared)
        compare_item(drift, path, &type, item, old_list, new_list);
}

static bool is_empty(yyjson_val *value)
{
    return yyjson_is_ctn(value) && unsafe_yyjson_get_len(value) == 0;
}

static bool is_zero(yyjson_val *value)
{
    return is_empty(value) || json_is_zero(value);
}

/*
 * A zero value that is declared is not stored: any other value changes it. Only atomic lists are replaced
 * whole.
 */
static bool sets_declared_zero(
    struct drift *drift, const struct path *path, yyjson_val *declared, yyjson_val *value)
{
    if (json_is_zero(declared))
        return !json_is_zero(value);
    return yyjson_is_arr(declared) && yyjson_arr_size(declared) == 0 && yyjson_arr_size(value) > 0 &&
        list_type_at(drift->review, path).kind == LIST_ATOMIC;
}

/* A controller with types writes nothing for the {} or [] that it read in a custom resource. */
static bool is_left_out(const struct drift *drift, yyjson_val *old_value, yyjson_val *value)
{
    return !value && is_empty(old_value) && drift->review->ownership.writer.class == CLASS_CONTROLLER &&
        !is_builtin_group(drift->review->group);
}

/* The request did not change a field that was absent before; what now is as declared has been put right. */
static void compare(
    struct drift *drift, const struct path *path, yyjson_val *declared, yyjson_val *old_value,
    yyjson_val *value)
{
    if (!declared || yyjson_is_null(declared) || path->depth >= JSON_DEPTH_MAX)
        return;
    if (!old_value) {
        if (value && sets_declared_zero(drift, path, declared, value))
            add(drift, path, &(struct declared_change){NULL, value, false});
        return;
    }
    /* A value that is left out now may be the zero that is declared, unless a zero was not left out before.
     */
    bool is_restored = !value && is_zero(declared) && !is_zero(old_value);
    if (is_restored || (is_empty(declared) && (value || yyjson_is_arr(declared))) ||
        is_left_out(drift, old_value, value))
        return;
    if (!value)
        add(drift, path, &(struct declared_change){old_value, NULL, true});
    else if (yyjson_is_obj(declared) && yyjson_is_obj(old_value) && yyjson_is_obj(value))
        compare_members(drift, path, declared, old_value, value);
    else if (yyjson_is_arr(declared) && yyjson_is_arr(value))
        compare_list(drift, path, declared, old_value, value);
    else if (
        pay_for(drift, old_value) && differs(drift, old_value, value) &&
        !is_as_declared(drift, declared, value))
        add(drift, path, &(struct declared_change){old_value, value, false});
}

/* In an exported manifest, the rest of the metadata is the server's own. */
static void compare_metadata(
    struct drift *drift, yyjson_val *declared, yyjson_val *old_metadata, yyjson_val *metadata)
{
    const struct path path = path_member(NULL, SLICE("metadata"));
    const struct path annotations_path = path_member(&path, SLICE("annotations"));
    compare_member(
        drift, &path, SLICE("labels"), json_member(declared, SLICE("labels")), old_metadata, metadata);
    yyjson_val *old_annotations = json_member(old_metadata, SLICE("annotations"));
    yyjson_val *annotations = json_member(metadata, SLICE("annotations"));
    json_each_key(key, json_member(declared, SLICE("annotations"))) {
        const struct path annotation = path_member(&annotations_path, json_text(key));
        if (!field_is_bookkeeping(&annotation))
            compare_member(
                drift, &annotations_path, json_text(key), yyjson_obj_iter_get_val(key), old_annotations,
                annotations);
    }
}

/* stringData is stored as data. */
static void compare_string_data(struct drift *drift, yyjson_val *declared)
{
    const struct path path = path_member(NULL, SLICE("data"));
    drift->in_string_data = true;
    compare_members(
        drift, &path, declared, json_member(drift->review->old_object, SLICE("data")),
        json_member(drift->review->object, SLICE("data")));
    drift->in_string_data = false;
}

static void compare_objects(struct drift *drift, yyjson_val *configuration)
{
    const struct review *review = drift->review;
    bool secret = slice_equal(review->group_kind, SLICE("Secret"));
    json_each_key(key, configuration) {
        struct slice name = json_text(key);
        yyjson_val *declared = yyjson_obj_iter_get_val(key);
        yyjson_val *old_value = lookup_member(review->lookup, review->old_object, name);
        yyjson_val *value = lookup_member(review->lookup, review->object, name);
        if (secret && slice_equal(name, SLICE("stringData")) && yyjson_is_obj(declared))
            compare_string_data(drift, declared);
        else if (
            !old_value || slice_equal(name, SLICE("status")) || !pay_for(drift, old_value) ||
            json_identical(old_value, value))
            continue;
        else if (slice_equal(name, SLICE("metadata")))
            compare_metadata(drift, declared, old_value, value);
        else
            compare_member(drift, NULL, name, declared, review->old_object, review->object);
    }
}

/*
 * Whether an applier will use the annotation again: not where the object is applied server-side alone.
 * Without managedFields that is possible.
 */
static bool will_be_applied(const struct ownership *ownership)
{
    return managed_fields_client_side_applied(ownership, &ownership->before) ||
        !managed_fields_server_side_applied(ownership, &ownership->before);
}

/* Argo CD reconciles rights under one name, before it applies and annotates under another. */
static bool is_tool_of_applier(const struct ownership *ownership)
{
    const struct managed_fields *before = &ownership->before;
    for (size_t i = 0; i < before->count; i++) {
        if (manager_is_same_tool(before->entries[i].manager.name, ownership->writer.manager.name) &&
            entry_applies_client_side(ownership, &before->entries[i]))
            return true;
    }
    return false;
}

/* A client-side applier changes declared fields to the values that it declares: it heals. */
static bool is_of_the_applier(const struct ownership *ownership)
{
    const struct writer *writer = &ownership->writer;
    const struct managed_fields_entry *entry = writer->after ? writer->after : writer->before;
    return writer->class == CLASS_BOOKKEEPING || (entry && entry_applies_client_side(ownership, entry)) ||
        (writer->class == CLASS_APPLIER && is_tool_of_applier(ownership));
}

/* The tool that keeps its configuration in the annotation. */
static enum tool tool_of_annotation(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (entry_applies_client_side(ownership, entry) && manager_tool(entry->manager.name) != TOOL_OTHER)
            return manager_tool(entry->manager.name);
    }
    return TOOL_KUBECTL_CLIENT_SIDE;
}

static void append_what_follows(struct text *text, enum tool applier, bool is_former)
{
    const struct tool_habits *habits = tool_habits(applier);
    text_append_all(
        text, is_former ? ", which an old kubectl apply still declares" : ", but ",
        is_former ? "" : habits->undoes, "; ", is_former ? "delete its annotation" : habits->change);
}

static void report(const struct review *review, struct verdict *verdict, const struct drift *drift)
{
    const struct slice *fields = drift->fields;
    struct text text = text_start(review->arena, 200);
    text_append_all(
        &text, message_writer(review), " changes ",
        drift->at_least ? message_fields_at_least(fields, drift->total)
                        : message_fields(fields, drift->total));
    enum tool applier = tool_of_annotation(&review->ownership);
    bool is_former = applier == TOOL_KUBECTL_CLIENT_SIDE &&
        adoption_from_tool(&review->ownership, applier) != ADOPTION_NONE;
    append_what_follows(&text, applier, is_former);
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_last_applied_drift,
            .action = drift->total == 1 ? strongest_action_of(review, fields)
                                        : strongest_action(&review->ownership),
            .message = text_slice(&text),
            .command = is_former ? message_command_remove_last_applied(review) : SLICE(""),
            .fields = fields,
            .field_count = min_u64(drift->total, FINDING_FIELDS_MAX),
            .field_total = drift->total,
            FINDING_WRITER(review->ownership.writer),
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct last_applied *last_applied = &review->last_applied;
    bool rewritten = last_applied->written || !last_applied->after.bytes || !last_applied->before.bytes;
    if (rewritten || is_of_the_applier(&review->ownership) || !will_be_applied(&review->ownership))
        return;
    yyjson_val *configuration = applied_annotation(review);
    if (!configuration)
        return;
    struct drift drift = {.review = review, .verdict = verdict};
    drift.fields = arena_allocate_array(review->arena, FINDING_FIELDS_MAX, sizeof(*drift.fields));
    if (!drift.fields || !find_reported(&drift))
        return;
    compare_objects(&drift, configuration);
    if (drift.total)
        report(review, verdict, &drift);
}

const struct rule_definition rule_last_applied_drift = {.judge = judge};
