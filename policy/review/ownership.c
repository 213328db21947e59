#include "policy/review/ownership.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_append.h"
#include "base/text.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/review/evidence.h"
#include "policy/review/installed_once.h"
#include "policy/review/review.h"
#include "policy/unnamed.h"

/* RFC 3339 in UTC, as the API server writes times, orders as text. */
bool entry_may_be_newer(const struct managed_fields_entry *entry, const struct managed_fields_entry *than)
{
    return !entry->time.length || (than->time.length && slice_compare(entry->time, than->time) >= 0);
}

bool entry_is_comparable(const struct review *review, const struct managed_fields_entry *entry)
{
    return slice_equal(entry->api_version, json_text(review->parts.api_version));
}

bool entries_share_names(
    const struct review *review, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *other)
{
    return slice_equal(entry->api_version, other->api_version) ||
        slice_equal(review->group_kind, SLICE("HorizontalPodAutoscaler.autoscaling"));
}

bool entry_owns_annotation(const struct managed_fields_entry *entry, struct slice key)
{
    yyjson_val *metadata = fields_child(entry_fields(entry), SLICE("metadata"));
    return fields_child(fields_child(metadata, SLICE("annotations")), key) != NULL;
}

bool entry_owns_replicas(const struct managed_fields_entry *entry)
{
    return fields_child(fields_child(entry_fields(entry), SLICE("spec")), SLICE("replicas")) != NULL;
}

bool entry_owns_last_applied(const struct managed_fields_entry *entry)
{
    struct entry_cache *cache = entry->cache;
    if (!cache->is_searched) {
        cache->owns_last_applied = entry_owns_annotation(entry, SLICE(LAST_APPLIED_ANNOTATION));
        cache->is_searched = true;
    }
    return cache->owns_last_applied;
}

enum tool entry_tool(const struct managed_fields_entry *entry)
{
    struct entry_cache *cache = entry->cache;
    if (cache->has_tool)
        return cache->tool;
    cache->tool = manager_tool(entry->manager.name);
    if (cache->tool == TOOL_OTHER && entry->manager.operation == MANAGER_UPDATE &&
        entry_owns_last_applied(entry) && !manager_is_named(&entry->manager))
        cache->tool = TOOL_KUBECTL_CLIENT_SIDE;
    cache->has_tool = true;
    return cache->tool;
}

bool field_is_bookkeeping(const struct path *path)
{
    const struct slice annotations = SLICE("annotations");
    if (path->depth != 3)
        return false;
    return path_is_metadata_key(path, annotations, SLICE(LAST_APPLIED_ANNOTATION)) ||
        path_is_metadata_key(path, annotations, SLICE("deployment.kubernetes.io/revision")) ||
        path_is_metadata_key(path, annotations, SLICE("deprecated.daemonset.template.generation"));
}

struct question {
    const struct review *review;
    const struct managed_fields_entry *entry;
};

static bool does_owner_keep(const void *context)
{
    const struct question *question = context;
    return evidence_of_owner(question->review, question->entry);
}

static yyjson_val *only_member(yyjson_val *fields, struct slice name)
{
    yyjson_val *child = fields_child(fields, name);
    size_t itself = json_member(fields, SLICE(".")) ? 1 : 0;
    return yyjson_obj_size(fields) == 1 + itself ? child : NULL;
}

static bool owns_last_applied_alone(const void *context)
{
    const struct question *question = context;
    if (!question->entry)
        return true;
    yyjson_val *annotations =
        only_member(only_member(entry_fields(question->entry), SLICE("metadata")), SLICE("annotations"));
    return only_member(annotations, SLICE(LAST_APPLIED_ANNOTATION)) != NULL;
}

/* A controller that makes an object sets itself as the object's controller. */
static bool made_controlled(const void *context)
{
    const struct question *question = context;
    const struct managed_fields_entry *entry = question->entry;
    if (!entry)
        return false;
    const struct object_parts *parts = entry->old ? &question->review->old_parts : &question->review->parts;
    struct slice uid = object_controller_uid(parts);
    yyjson_val *references =
        fields_child(fields_child(entry_fields(entry), SLICE("metadata")), SLICE("ownerReferences"));
    if (!uid.length || !references)
        return false;
    struct text key = text_start(question->review->arena, 64);
    text_append_string(&key, "k:{");
    json_append_exact(&key, "uid", uid);
    text_append_string(&key, "}");
    return json_member(references, text_slice(&key));
}

static bool does_writer_keep(const void *context)
{
    const struct question *question = context;
    return question->entry && evidence_of_writer(question->review, question->entry);
}

static enum manager_class class_of_owner(
    const struct ownership *ownership, const struct managed_fields_entry *entry,
    const struct manager *manager)
{
    const struct question question = {ownership->review, entry};
    const struct manager_facts facts = {
        .role = ROLE_OWNER,
        .group = ownership->review->group,
        .keeps_configuration = does_owner_keep,
        .owns_last_applied_alone = owns_last_applied_alone,
        .made_controlled = made_controlled,
        .context = &question,
    };
    enum manager_class class = manager_classify(manager, &facts, ownership->class_rules);
    bool is_by_name = class == CLASS_APPLIER && !manager_has_rule(manager, ownership->class_rules);
    return is_by_name ? installed_once_class(ownership->review, entry) : class;
}

/* 0: it is not known yet; else the class plus 1. */
static unsigned char *known_class(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    return &ownership->classes[entry->old][entry->number];
}

void ownership_set_class(
    struct ownership *ownership, const struct managed_fields_entry *entry, enum manager_class class)
{
    *known_class(ownership, entry) = (unsigned char)(class + 1);
}

enum manager_class ownership_class(
    const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    unsigned char *known = known_class(ownership, entry);
    if (!*known)
        *known = (unsigned char)(class_of_owner(ownership, entry, &entry->manager) + 1);
    return (enum manager_class)(*known - 1);
}

/* kubernetes, pkg/controller: pods of all workloads, claims of a StatefulSet, Jobs of a CronJob. */
static bool is_made_from_template(const struct ownership *ownership, const struct manager *manager)
{
    static const char *const kinds[] = {"Pod", "PersistentVolumeClaim", "Job.batch"};
    return slice_is_one_of(ownership->review->group_kind, kinds, ARRAY_SIZE(kinds)) &&
        manager_is_controller_manager(manager->name) && !manager->subresource.length &&
        !manager_has_rule(manager, ownership->class_rules);
}

/* Labels and annotations may come through the subresource status, too: there the name decides, as elsewhere.
 */
static struct manager without_status(const struct manager *manager)
{
    struct manager named = *manager;
    if (slice_equal(named.subresource, SLICE("status")))
        named.subresource = SLICE("");
    return named;
}

enum manager_class ownership_class_of_previous_owner(
    const struct ownership *ownership, const struct managed_fields_entry *entry, bool is_status)
{
    const struct manager named = without_status(&entry->manager);
    bool is_by_name = !is_status && entry->manager.subresource.length && !named.subresource.length;
    enum manager_class class =
        is_by_name ? class_of_owner(ownership, entry, &named) : ownership_class(ownership, entry);
    return class == CLASS_CONTROLLER && is_made_from_template(ownership, &entry->manager) ? CLASS_AD_HOC
                                                                                          : class;
}

enum manager_class ownership_writer_class(
    const struct ownership *ownership, const struct manager *manager,
    const struct managed_fields_entry *after)
{
    const struct review *review = ownership->review;
    const struct question question = {review, after};
    const struct manager_facts facts = {
        .role = review_is_of_service(review) ? ROLE_SERVICE : ROLE_PERSON,
        .group = review->group,
        .keeps_configuration = does_writer_keep,
        .owns_last_applied_alone = owns_last_applied_alone,
        .context = &question,
    };
    const struct manager named = without_status(manager);
    return manager_classify(&named, &facts, ownership->class_rules);
}

static unsigned find_other_classes(const struct ownership *ownership)
{
    unsigned classes = 0;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry != ownership->writer.after)
            classes |= 1u << ownership_class(ownership, entry);
    }
    return classes;
}

bool ownership_has_other(const struct ownership *ownership, enum manager_class class)
{
    struct review_cache *cache = ownership->review->cache;
    if (!cache->has_other_classes)
        cache->other_classes = find_other_classes(ownership);
    cache->has_other_classes = true;
    return cache->other_classes & 1u << class;
}

bool entry_applies_client_side(const struct ownership *ownership, const struct managed_fields_entry *entry)
{
    return entry->manager.operation == MANAGER_UPDATE && ownership_class(ownership, entry) == CLASS_APPLIER &&
        (slice_equal(entry->manager.name, SLICE("kubectl-client-side-apply")) ||
         entry_owns_last_applied(entry));
}

bool managed_fields_client_side_applied(const struct ownership *ownership, const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        if (entry_applies_client_side(ownership, &side->entries[i]))
            return true;
    }
    return false;
}

bool managed_fields_server_side_applied(const struct ownership *ownership, const struct managed_fields *side)
{
    for (size_t i = 0; i < side->count; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        if (entry->manager.operation == MANAGER_APPLY && ownership_class(ownership, entry) == CLASS_APPLIER)
            return true;
    }
    return false;
}

/*
 * Each label, annotation, finalizer and owner reference has an owner of its own. The API server owns nothing,
 * so those that it adds have no owner.
 */
static bool has_owned_parts(const struct path *path)
{
    static const char *const parts[] = {"annotations", "finalizers", "labels", "ownerReferences"};
    return path_is_metadata(path, path->text) && slice_is_one_of(path->text, parts, ARRAY_SIZE(parts));
}

enum search_answer managed_fields_bare(
    const struct managed_fields *side, const struct path *path, yyjson_val *value, struct lookup *lookup)
{
    if (value && !yyjson_is_ctn(value))
        return ANSWER_NO;
    if (has_owned_parts(path))
        return ANSWER_YES;
    enum search_answer answer = ANSWER_NO;
    for (size_t i = 0; i < side->count && answer == ANSWER_NO; i++)
        answer = fieldset_contains_below(lookup, entry_fields(&side->entries[i]), path);
    return answer;
}

enum search_answer ownership_bare(
    const struct ownership *ownership, const struct path *path, yyjson_val *value, struct lookup *lookup)
{
    enum search_answer before = managed_fields_bare(&ownership->before, path, value, lookup);
    return before == ANSWER_NO ? managed_fields_bare(&ownership->after, path, value, lookup) : before;
}

bool entry_changed(const struct managed_fields_entry *entry)
{
    const struct managed_fields_entry *before = entry->counterpart;
    return !before || !slice_equal(entry->time, before->time) || !entry->same_fields;
}

static bool stop_at_first(void *context, const struct path *path)
{
    (void)path;
    *(bool *)context = true;
    return false;
}

/*
 * Or may have gained, where its fields cannot be compared: whether a field or what is wrong with another one
 * is met first must not decide.
 */
static bool entry_gained(const struct managed_fields_entry *entry, struct lookup *lookup)
{
    bool gained = false;
    if (entry->same_fields)
        return false;
    enum fields_result result = fields_difference(
        entry_fields(entry), entry->counterpart ? entry_fields(entry->counterpart) : NULL, lookup,
        stop_at_first, &gained);
    return gained || result != FIELDS_OK;
}

static void set_writer(struct ownership *ownership, const struct managed_fields_entry *after)
{
    ownership->writer = (struct writer){
        .known = true,
        .manager = after->manager,
        .class = ownership_writer_class(ownership, &after->manager, after),
        .before = after->counterpart,
        .after = after,
    };
}

/* An entry that the request may have written, and how much speaks for it. */
struct candidate {
    const struct managed_fields_entry *entry;
    bool gained;
};

/* RFC 3339 in UTC, as the API server writes times, orders as text. */
static int compare_candidates(const struct candidate *a, const struct candidate *b)
{
    int order = slice_compare(a->entry->time, b->entry->time);
    return order ? order : (int)a->gained - (int)b->gained;
}

static bool is_candidate(const struct candidate *candidate)
{
    const struct managed_fields_entry *before = candidate->entry->counterpart;
    return !before || candidate->gained || slice_compare(candidate->entry->time, before->time) > 0;
}

/*
 * An Update takes fields from the same manager's Apply entry, which then has changed, too, but was not
 * written. Where both own the field, the Update entry gains nothing: its time decides.
 */
static bool wrote_apply(
    const struct managed_fields_entry *apply, const struct managed_fields_entry *update,
    struct lookup *lookup)
{
    if (!update)
        return true;
    if (!entry_changed(apply) || !entry_changed(update))
        return entry_changed(apply);
    struct candidate of_update = {update, entry_gained(update, lookup)};
    return !is_candidate(&of_update);
}

static bool stop_at_field(void *context, const struct path *path)
{
    *(bool *)context |= !field_is_bookkeeping(path);
    return !*(bool *)context;
}

static bool entry_lost(const struct managed_fields_entry *entry, struct lookup *lookup)
{
    bool lost = false;
    yyjson_val *after = entry->counterpart ? entry_fields(entry->counterpart) : NULL;
    return !entry->same_fields &&
        (fields_difference(entry_fields(entry), after, lookup, stop_at_field, &lost) != FIELDS_OK || lost);
}

/* Whether an owner of another name has lost fields. */
static bool have_others_lost(const struct ownership *ownership, struct slice name, struct lookup *lookup)
{
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (!slice_equal(entry->manager.name, name) && entry_lost(entry, lookup))
            return true;
    }
    return false;
}

/* A search for a value that an Apply entry owns, and that another owner has lost. */
struct set_values {
    const struct ownership *ownership;
    yyjson_val *fields; /* of the Apply entry */
    struct lookup_cursor *old_object, *object;
    bool found;
};

static bool visit_set(void *context, const struct path *path)
{
    struct set_values *set = context;
    struct lookup *lookup = set->ownership->review->lookup;
    yyjson_val *old_value = NULL, *value = NULL;
    unsigned absent_depth = 0;
    set->found = fieldset_contains(lookup, set->fields, path) == ANSWER_YES &&
        lookup_path(set->old_object, path, &old_value, &absent_depth) == LOOKUP_FOUND &&
        lookup_path(set->object, path, &value, &absent_depth) == LOOKUP_FOUND &&
        lookup_equal(lookup, old_value, value) == ANSWER_NO &&
        ownership_bare(set->ownership, path, value, lookup) == ANSWER_NO;
    return !set->found;
}

/*
 * Whether the entry, which did not change, was applied again within its second: it still owns a field that
 * has another value, and that another manager lost. An Update would have taken the field from both.
 */
static bool was_applied_again(const struct ownership *ownership, const struct managed_fields_entry *apply)
{
    const struct review *review = ownership->review;
    struct set_values set = {
        .ownership = ownership,
        .fields = entry_fields(apply),
        .old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena),
        .object = lookup_cursor_create(review->lookup, review->object, review->arena),
    };
    if (!set.old_object || !set.object)
        return false;
    for (size_t i = 0; i < ownership->before.count && !set.found; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        yyjson_val *after = entry->counterpart ? entry_fields(entry->counterpart) : NULL;
        if (!entry->same_fields && entry->counterpart != apply)
            fields_difference(entry_fields(entry), after, review->lookup, visit_set, &set);
    }
    return set.found;
}

/*
 * Whether the manager's Apply entry does not show an apply. One that did not change has not applied, or not
 * in a later second. Nor has one for bookkeeping, or one that is gone, where others lose fields: an apply
 * takes only what it declares.
 */
static bool is_no_apply(const struct ownership *ownership, struct lookup *lookup)
{
    const struct writer *writer = &ownership->writer;
    if (writer->manager.operation != MANAGER_APPLY ||
        !have_others_lost(ownership, writer->manager.name, lookup))
        return false;
    return !writer->after || writer->class == CLASS_BOOKKEEPING ||
        (!entry_changed(writer->after) && !was_applied_again(ownership, writer->after));
}

static bool is_entry_of(const struct managed_fields_entry *entry, struct slice name, struct slice subresource)
{
    return slice_equal(entry->manager.name, name) && slice_equal(entry->manager.subresource, subresource);
}

/*
 * Whether the object has owners only now, for what it was before. Only an apply begins that, and one that
 * declares nothing but a name has no entry itself: that of a ServiceAccount, for example.
 */
static bool begins_tracking(const struct ownership *ownership)
{
    bool begins = false;
    for (size_t i = 0; i < ownership->after.count && !ownership->before.count; i++)
        begins |= slice_equal(ownership->after.entries[i].manager.name, SLICE("before-first-apply"));
    return begins;
}

/* No entry of the manager is left, or none shows what it did. */
static struct writer writer_without_entry(
    const struct ownership *ownership, struct slice name, struct slice subresource, bool is_update)
{
    enum manager_operation operation = begins_tracking(ownership) ? MANAGER_APPLY : MANAGER_UPDATE;
    struct writer writer = {.known = true, .manager = {name, operation, subresource}};
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        bool is_of_update = entry->manager.operation == MANAGER_UPDATE;
        if (is_entry_of(entry, name, subresource) && (is_of_update || (!writer.before && !is_update)))
            writer.before = entry;
    }
    if (writer.before)
        writer.manager = writer.before->manager;
    writer.class = ownership_writer_class(ownership, &writer.manager, NULL);
    return writer;
}

/*
 * The manager is named: its Apply entry if that was written, else its Update entry. Where neither changed, or
 * only one is there, the one that is there; where none is left, an Update that kept nothing.
 */
static void find_named_writer(
    struct ownership *ownership, struct slice name, struct slice subresource, struct lookup *lookup)
{
    const struct managed_fields_entry *apply = NULL, *update = NULL;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (!is_entry_of(entry, name, subresource))
            continue;
        if (entry->manager.operation == MANAGER_APPLY)
            apply = entry;
        else if (!update || entry_changed(entry))
            update = entry;
    }
    if (apply && wrote_apply(apply, update, lookup))
        set_writer(ownership, apply);
    else if (update)
        set_writer(ownership, update);
    else
        ownership->writer = writer_without_entry(ownership, name, subresource, false);
    if (!is_no_apply(ownership, lookup))
        return;
    if (update)
        set_writer(ownership, update);
    else
        ownership->writer = writer_without_entry(ownership, name, subresource, true);
}

/*
 * Whether a request without a name has the entry from a copy of the object, which it sends back: a restore.
 * Its manager always names itself, or is one that the API server makes up for others.
 */
static bool is_sent_back(struct slice name)
{
    return manager_hides_writer(name) ||
        !unnamed_may_be_of(&(struct manager){.name = name, .operation = MANAGER_UPDATE});
}

/*
 * The request names no manager, so the API server made one up from the User-Agent: the Update entry that is
 * new, gained fields or has a newer time. Where two could be it, or none, as of a request that only removes
 * fields, it stays unknown, and its user decides on its class. An apply always names its manager: an Apply
 * entry that changed was written in by hand.
 */
static void find_unnamed_writer(struct ownership *ownership, struct slice subresource, struct lookup *lookup)
{
    struct candidate best = {0};
    bool tie = false;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry->manager.operation == MANAGER_APPLY ||
            !slice_equal(entry->manager.subresource, subresource))
            continue;
        struct candidate candidate = {entry, entry_gained(entry, lookup)};
        if (!is_candidate(&candidate))
            continue;
        int order = best.entry ? compare_candidates(&candidate, &best) : 1;
        if (order > 0)
            best = candidate;
        tie = order == 0 || (tie && order < 0);
    }
    enum manager_class class = review_is_of_service(ownership->review) ? CLASS_CONTROLLER : CLASS_AD_HOC;
    if (best.entry && !tie)
        set_writer(ownership, best.entry);
    else
        ownership->writer = (struct writer){.class = class, .manager.operation = MANAGER_UPDATE};
    if (class == CLASS_CONTROLLER && is_sent_back(ownership->writer.manager.name))
        ownership->writer.class = class;
}

static bool have_others_changed(const struct ownership *ownership)
{
    for (size_t i = 0; i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (!entry->same_fields && entry != ownership->writer.before)
            return true;
    }
    return false;
}

bool ownership_read(struct ownership *ownership, const struct review *review)
{
    struct arena *arena = review->arena;
    if (!managed_fields_read(&ownership->before, review->old_parts.metadata.managed_fields, true, arena) ||
        !managed_fields_read(&ownership->after, review->parts.metadata.managed_fields, false, arena))
        return false;
    if (review_is_of_status(review) &&
        (!managed_fields_keep_metadata(&ownership->before, arena) ||
         !managed_fields_keep_metadata(&ownership->after, arena)))
        return false;
    return managed_fields_keep_last(&ownership->before, arena) &&
        managed_fields_pair(&ownership->before, &ownership->after, arena);
}

/* One more than there are entries: a scale adds one (scale.c). */
static unsigned char *unknown_classes(const struct managed_fields *side, struct arena *arena)
{
    return arena_allocate_array(arena, side->count + 1, sizeof(unsigned char));
}

bool ownership_classify(
    struct ownership *ownership, const struct review *review, const struct class_rules *class_rules,
    struct slice subresource)
{
    ownership->review = review;
    ownership->class_rules = class_rules;
    ownership->classes[false] = unknown_classes(&ownership->after, review->arena);
    ownership->classes[true] = unknown_classes(&ownership->before, review->arena);
    if (!ownership->classes[false] || !ownership->classes[true])
        return false;
    if (review->field_manager.length)
        find_named_writer(ownership, review->field_manager, subresource, review->lookup);
    else
        find_unnamed_writer(ownership, subresource, review->lookup);
    ownership->others_changed = have_others_changed(ownership);
    return true;
}
