#include "policy/verdict/tool_annotations.h"

#include "base/json.h"
#include "base/json_each.h"
#include "policy/review/ownership.h"
#include "policy/verdict/expression.h"
#include "policy/verdict/json_path.h"
#include "policy/verdict/tool_annotation_table.h"

/* Annotations of one tool on one object that are read; more are not meant. */
#define TOOL_ANNOTATIONS_MAX 16

/*
 * Collecting what a tool has declared
 */

struct declared_annotation {
    const struct tool_annotation *annotation;
    struct slice key;
    struct slice value;
    const struct json_path *path; /* of VALUE_FIELD; NULL: not understood */
};

struct declared_annotations {
    struct declared_annotation items[TOOL_ANNOTATIONS_MAX];
    size_t count;
};

/* The annotations of each tool, by meaning. */
struct tool_annotation_lists {
    bool is_read[WAIVER_TOOL_COUNT][LETS_OTHERS_ADD + 1];
    struct declared_annotations lists[WAIVER_TOOL_COUNT][LETS_OTHERS_ADD + 1];
};

static bool declares(
    const struct managed_fields_entry *entry, const struct tool_annotation *annotation, struct slice key)
{
    return annotating_tool_declares(annotation->tool, &entry->manager) && entry_owns_annotation(entry, key);
}

/*
 * Whether the entry shows that the tool has not applied the object since another writer set the annotation:
 * Flux takes such an entry over before it applies (fluxcd/pkg, ssa/patch.go).
 */
static bool contradicts(
    const struct managed_fields_entry *entry, const struct tool_annotation *annotation, struct slice key)
{
    return annotation->tool == WAIVER_TOOL_FLUX && entry->manager.operation == MANAGER_UPDATE &&
        slice_starts_with(entry->manager.name, SLICE("kubectl")) && entry_owns_annotation(entry, key);
}

/* Whether the tool had declared the annotation before the request. */
static bool was_declared(
    const struct review *review, const struct tool_annotation *annotation, struct slice key)
{
    const struct managed_fields *before = &review->ownership.before;
    bool is_declared = false;
    for (size_t i = 0; i < before->count; i++) {
        if (contradicts(&before->entries[i], annotation, key))
            return false;
        is_declared |= declares(&before->entries[i], annotation, key);
    }
    return is_declared;
}

/* Whether the request is the tool's own, and declares the annotation. */
static bool is_declared_by_writer(
    const struct review *review, const struct tool_annotation *annotation, struct slice key)
{
    const struct managed_fields_entry *entry = review->ownership.writer.after;
    return entry && declares(entry, annotation, key);
}

/* Whether the annotation had this value before the request. */
static bool stood(const struct review *review, struct slice key, struct slice value)
{
    yyjson_val *before = lookup_member(review->lookup, review->old_parts.metadata.annotations, key);
    return before && slice_equal(json_text(before), value);
}

enum tool_annotation_result tool_annotation_read(
    const struct policy *policy, const struct review *review, struct slice key, struct slice value,
    const char **tool)
{
    for (size_t i = 0; i < tool_annotation_count; i++) {
        const struct tool_annotation *annotation = &tool_annotations[i];
        if (!policy->honoured[annotation->tool] || !tool_annotation_is(annotation, key, value))
            continue;
        *tool = annotating_tool_name(annotation->tool);
        if (!tool_annotation_is_understood(annotation, value, review->arena))
            return TOOL_ANNOTATION_NOT_UNDERSTOOD;
        bool is_own = annotation->by_anybody || is_declared_by_writer(review, annotation, key);
        return is_own ? TOOL_ANNOTATION_COUNTS : TOOL_ANNOTATION_OF_ANOTHER;
    }
    return TOOL_ANNOTATION_NONE;
}

/*
 * Whether the annotation counts. The tool may declare what it takes along with taking it. All else must have
 * stood before the request, the value and the entry that owns it: a client may write both in one request.
 */
static bool counts(
    const struct review *review, const struct tool_annotation *annotation, struct slice key,
    struct slice value)
{
    if (annotation->meaning != LETS_OTHERS_TAKE && is_declared_by_writer(review, annotation, key))
        return true;
    return stood(review, key, value) && (annotation->by_anybody || was_declared(review, annotation, key));
}

static const struct json_path *read_path(const struct review *review, struct slice value)
{
    struct json_path *path = arena_allocate(review->arena, sizeof(*path));
    return path && json_path_parse(value, path) ? path : NULL;
}

/*
 * Each candidate costs a look at all of the tool's entries, so candidates that turn out to be void count,
 * too.
 */
static void read_annotations(
    const struct review *review, enum waiver_tool tool, enum tool_annotation_meaning meaning,
    struct declared_annotations *declared)
{
    size_t candidates = 0;
    declared->count = 0;
    json_each_key(member, review->parts.metadata.annotations) {
        struct slice key = json_text(member), value = json_text(yyjson_obj_iter_get_val(member));
        for (size_t i = 0; i < tool_annotation_count; i++) {
            const struct tool_annotation *annotation = &tool_annotations[i];
            if (annotation->tool != tool || annotation->meaning != meaning ||
                !tool_annotation_is(annotation, key, value))
                continue;
            if (++candidates > TOOL_ANNOTATIONS_MAX) {
                effort_give_up(lookup_effort(review->lookup), EFFORT_TOOL_ANNOTATIONS);
                return;
            }
            if (counts(review, annotation, key, value))
                declared->items[declared->count++] = (struct declared_annotation){
                    annotation, key, value,
                    annotation->value == VALUE_FIELD ? read_path(review, value) : NULL};
        }
    }
}

/* The first call reads them. */
static void collect(
    const struct review *review, enum waiver_tool tool, enum tool_annotation_meaning meaning,
    struct declared_annotations *declared)
{
    struct review_cache *cache = review->cache;
    declared->count = 0;
    if (!cache->tool_annotation_lists)
        cache->tool_annotation_lists =
            arena_allocate_array(review->arena, 1, sizeof(*cache->tool_annotation_lists));
    struct tool_annotation_lists *kept = cache->tool_annotation_lists;
    if (!kept)
        return;
    if (!kept->is_read[tool][meaning])
        read_annotations(review, tool, meaning, &kept->lists[tool][meaning]);
    kept->is_read[tool][meaning] = true;
    *declared = kept->lists[tool][meaning];
}

/*
 * Comparing with a finding
 */

/* How much of a finding is allowed, and by which annotation first. */
struct extent {
    bool some;
    bool all;
    struct slice by;
};

static void extend(struct extent *extent, bool allowed, struct slice by)
{
    extent->some |= allowed;
    extent->all &= allowed;
    if (allowed && !extent->by.length)
        extent->by = by;
}

/* Whether the annotation is for all fields that its managers own. */
static void extend_by_managers(
    struct extent *extent, const struct declared_annotations *declared, const struct manager *others,
    size_t count, struct arena *arena)
{
    extent->all = count > 0;
    for (size_t i = 0; i < count; i++) {
        struct slice by = {NULL, 0};
        for (size_t j = 0; j < declared->count && !by.length; j++) {
            const struct declared_annotation *each = &declared->items[j];
            if (each->annotation->value == VALUE_EXPRESSION &&
                expression_matches(each->value, others[i].name, arena))
                by = each->key;
        }
        extend(extent, by.length > 0, by);
    }
}

/* The tools look their paths up in the object as it is stored. */
static void extend_by_fields(
    struct extent *extent, const struct declared_annotations *declared, const struct review *review,
    const struct finding *finding)
{
    size_t known = finding->field_known ? finding->field_known : finding->field_count;
    extent->all = known > 0 && known == finding->field_total;
    for (size_t i = 0; i < known; i++) {
        struct path_components field;
        struct slice by = {NULL, 0};
        bool found = path_components_read(
            finding->fields[i], review->old_object, review->lookup, review->arena, &field);
        for (size_t j = 0; found && j < declared->count && !by.length; j++) {
            const struct declared_annotation *each = &declared->items[j];
            if (each->path && json_path_covers(each->path, &field))
                by = each->key;
        }
        extend(extent, by.length > 0, by);
    }
}

static bool has_kind(const struct declared_annotations *declared, enum tool_annotation_value value)
{
    for (size_t i = 0; i < declared->count; i++) {
        if (declared->items[i].annotation->value == value)
            return true;
    }
    return false;
}

/* `others` are those at the other end: who loses what the tool takes, who takes what it gives. */
static struct extent extent_of(
    const struct declared_annotations *declared, const struct review *review, const struct finding *finding,
    const struct manager *others, size_t other_count)
{
    struct extent extent = {0};
    for (size_t i = 0; i < declared->count; i++) {
        if (declared->items[i].annotation->value < VALUE_FIELD)
            return (struct extent){.some = true, .all = true, .by = declared->items[i].key};
    }
    if (has_kind(declared, VALUE_EXPRESSION))
        extend_by_managers(&extent, declared, others, other_count, review->arena);
    if (extent.all || !has_kind(declared, VALUE_FIELD))
        return extent;
    struct extent fields = {0};
    extend_by_fields(&fields, declared, review, finding);
    fields.some |= extent.some;
    return fields;
}

/* Findings that the tools allow */

/* The previous owners of a finding: a truncated list of previous owners may hide one for whom nothing is
 * allowed. */
static size_t previous_owners_of(const struct finding *finding)
{
    return finding->previous_owner_count == finding->previous_owner_total ? finding->previous_owner_count : 0;
}

/* An ignored field is not taken, even if another annotation forces it: Kluctl's order. */
static struct slice to_take(const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_annotations declared;
    if (!finding->has_writer || !annotating_tool_is(tool, &finding->writer))
        return (struct slice){NULL, 0};
    collect(review, tool, LETS_TOOL_TAKE, &declared);
    size_t kept = 0;
    for (size_t i = 0; i < declared.count; i++) {
        if (declared.items[i].annotation->operation == finding->writer.operation)
            declared.items[kept++] = declared.items[i];
    }
    declared.count = kept;
    struct extent taken =
        extent_of(&declared, review, finding, finding->previous_owners, previous_owners_of(finding));
    if (!taken.all)
        return (struct slice){NULL, 0};
    collect(review, tool, LETS_OTHERS_TAKE, &declared);
    struct extent ignored =
        extent_of(&declared, review, finding, finding->previous_owners, finding->previous_owner_count);
    return ignored.some ? (struct slice){NULL, 0} : taken.by;
}

static struct slice to_give(const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_annotations declared;
    size_t count = previous_owners_of(finding);
    for (size_t i = 0; i < count; i++) {
        if (!annotating_tool_is(tool, &finding->previous_owners[i]))
            return (struct slice){NULL, 0};
    }
    if (!count)
        return (struct slice){NULL, 0};
    collect(review, tool, LETS_OTHERS_TAKE, &declared);
    struct extent given = extent_of(&declared, review, finding, &finding->writer, finding->has_writer);
    return given.all ? given.by : (struct slice){NULL, 0};
}

/* The annotation of other appliers, if this one alone applies server-side. */
static struct slice to_share(
    const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_annotations declared;
    const struct ownership *ownership = &review->ownership;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry->manager.operation == MANAGER_APPLY && !annotating_tool_is(tool, &entry->manager) &&
            ownership_class(ownership, entry) == CLASS_APPLIER)
            return (struct slice){NULL, 0};
    }
    collect(review, tool, LETS_OTHERS_ADD, &declared);
    struct extent shared = extent_of(&declared, review, finding, NULL, 0);
    return shared.all ? shared.by : (struct slice){NULL, 0};
}

/* Which findings each kind of annotation speaks of, by rule. */
static const bool speaks_of[RULE_COUNT][LETS_OTHERS_ADD + 1] = {
    [RULE_ownership_conflict] = {[LETS_TOOL_TAKE] = true, [LETS_OTHERS_TAKE] = true},
    [RULE_multiple_appliers] = {[LETS_TOOL_TAKE] = true},
    [RULE_last_applied_drift] = {[LETS_TOOL_TAKE] = true},
    [RULE_mixed_apply] = {[LETS_OTHERS_ADD] = true},
    [RULE_orphaned_fields] = {[LETS_OTHERS_ADD] = true},
};

struct slice tool_annotation_for(
    const struct policy *policy, const struct review *review, const struct finding *finding)
{
    static struct slice (*const seekers[])(
        const struct review *, enum waiver_tool, const struct finding *) = {
        [LETS_TOOL_TAKE] = to_take, [LETS_OTHERS_TAKE] = to_give, [LETS_OTHERS_ADD] = to_share};
    for (int tool = 0; tool < WAIVER_TOOL_COUNT; tool++) {
        for (int meaning = 0; policy->honoured[tool] && meaning <= LETS_OTHERS_ADD; meaning++) {
            struct slice by = {NULL, 0};
            if (speaks_of[finding->rule][meaning])
                by = seekers[meaning](review, (enum waiver_tool)tool, finding);
            if (by.length)
                return by;
        }
    }
    return (struct slice){NULL, 0};
}
