#include "policy/verdict/wishes.h"

#include "base/json.h"
#include "policy/fieldset/fields.h"
#include "policy/review/ownership.h"
#include "policy/verdict/expression.h"
#include "policy/verdict/json_path.h"
#include "policy/verdict/wish_table.h"

/* Annotations of one tool on one object that are read; more are not meant. */
#define WISHES_MAX 16

/*
 * Collecting what a tool has declared
 */

struct declared_wish {
    const struct wish *wish;
    struct slice key;
    struct slice value;
    const struct json_path *path; /* of VALUE_FIELD; NULL: it is none that is understood */
};

struct declared_wishes {
    struct declared_wish items[WISHES_MAX];
    size_t count;
};

/* Of each tool, by what they mean. */
struct wish_lists {
    bool is_read[WAIVER_TOOL_COUNT][WISH_TO_SHARE + 1];
    struct declared_wishes lists[WAIVER_TOOL_COUNT][WISH_TO_SHARE + 1];
};

static bool owns_annotation(const struct managed_fields_entry *entry, struct slice key)
{
    yyjson_val *metadata = fields_child(entry->fields, SLICE("metadata"));
    return fields_child(fields_child(metadata, SLICE("annotations")), key) != NULL;
}

static bool is_declared(const struct managed_fields *side, enum waiver_tool tool, struct slice key)
{
    for (size_t i = 0; i < side->count; i++) {
        if (wish_tool_is(tool, &side->entries[i].manager) && owns_annotation(&side->entries[i], key))
            return true;
    }
    return false;
}

enum wish_result wish_read(
    const struct policy *policy, const struct review *review, struct slice key, struct slice value,
    const char **tool)
{
    for (size_t i = 0; i < wish_count; i++) {
        const struct wish *wish = &wishes[i];
        if (!policy->honoured[wish->tool] || !wish_is(wish, key, value))
            continue;
        *tool = wish_tool_name(wish->tool);
        if (!wish_is_understood(wish, value, review->arena))
            return WISH_NOT_UNDERSTOOD;
        bool is_own = wish->by_anybody || is_declared(&review->ownership.after, wish->tool, key);
        return is_own ? WISH_COUNTS : WISH_OF_ANOTHER;
    }
    return WISH_NONE;
}

/*
 * Whether the annotation counts. What the tool wishes to take it may declare along with taking it; what
 * others may take must have stood before they do.
 */
static bool counts(const struct review *review, const struct wish *wish, struct slice key, struct slice value)
{
    const struct ownership *ownership = &review->ownership;
    if (wish->meaning != WISH_TO_GIVE)
        return is_declared(&ownership->after, wish->tool, key);
    yyjson_val *stood = lookup_member(review->lookup, review->old_parts.metadata.annotations, key);
    return stood && slice_equal(json_text(stood), value) &&
        (wish->by_anybody || is_declared(&ownership->before, wish->tool, key));
}

static const struct json_path *read_path(const struct review *review, struct slice value)
{
    struct json_path *path = arena_allocate(review->arena, sizeof(*path));
    return path && json_path_parse(value, path) ? path : NULL;
}

/* Each candidate costs a look at all of the tool's entries, so those that do not count are counted too. */
static void read_wishes(
    const struct review *review, enum waiver_tool tool, enum wish_meaning meaning,
    struct declared_wishes *declared)
{
    size_t candidates = 0;
    yyjson_obj_iter annotations;
    declared->count = 0;
    yyjson_obj_iter_init(review->parts.metadata.annotations, &annotations);
    for (yyjson_val *member; (member = yyjson_obj_iter_next(&annotations));) {
        struct slice key = json_text(member), value = json_text(yyjson_obj_iter_get_val(member));
        for (size_t i = 0; i < wish_count; i++) {
            const struct wish *wish = &wishes[i];
            if (wish->tool != tool || wish->meaning != meaning || !wish_is(wish, key, value))
                continue;
            if (++candidates > WISHES_MAX) {
                effort_give_up(lookup_effort(review->lookup), EFFORT_WISHES);
                return;
            }
            if (counts(review, wish, key, value))
                declared->items[declared->count++] = (struct declared_wish){
                    wish, key, value, wish->value == VALUE_FIELD ? read_path(review, value) : NULL};
        }
    }
}

/* The first call reads them. */
static void collect(
    const struct review *review, enum waiver_tool tool, enum wish_meaning meaning,
    struct declared_wishes *declared)
{
    struct review_cache *cache = review->cache;
    declared->count = 0;
    if (!cache->wish_lists)
        cache->wish_lists = arena_allocate_array(review->arena, 1, sizeof(*cache->wish_lists));
    struct wish_lists *kept = cache->wish_lists;
    if (!kept)
        return;
    if (!kept->is_read[tool][meaning])
        read_wishes(review, tool, meaning, &kept->lists[tool][meaning]);
    kept->is_read[tool][meaning] = true;
    *declared = kept->lists[tool][meaning];
}

/*
 * Comparing with a finding
 */

/* How much of a finding is wished for, and by which annotation first. */
struct extent {
    bool some;
    bool all;
    struct slice by;
};

static void extend(struct extent *extent, bool wished, struct slice by)
{
    extent->some |= wished;
    extent->all &= wished;
    if (wished && !extent->by.length)
        extent->by = by;
}

/* Whether it is for whatever the annotation's managers own. */
static void extend_by_managers(
    struct extent *extent, const struct declared_wishes *declared, const struct manager *others, size_t count,
    struct arena *arena)
{
    extent->all = count > 0;
    for (size_t i = 0; i < count; i++) {
        struct slice by = {NULL, 0};
        for (size_t j = 0; j < declared->count && !by.length; j++) {
            const struct declared_wish *each = &declared->items[j];
            if (each->wish->value == VALUE_EXPRESSION &&
                expression_matches(each->value, others[i].name, arena))
                by = each->key;
        }
        extend(extent, by.length > 0, by);
    }
}

/* The tools look their paths up in the object as it is stored. */
static void extend_by_fields(
    struct extent *extent, const struct declared_wishes *declared, const struct review *review,
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
            const struct declared_wish *each = &declared->items[j];
            if (each->path && json_path_covers(each->path, &field))
                by = each->key;
        }
        extend(extent, by.length > 0, by);
    }
}

static bool has_kind(const struct declared_wishes *declared, enum wish_value value)
{
    for (size_t i = 0; i < declared->count; i++) {
        if (declared->items[i].wish->value == value)
            return true;
    }
    return false;
}

/* `others` are those at the other end: who loses what the tool takes, who takes what it gives. */
static struct extent extent_of(
    const struct declared_wishes *declared, const struct review *review, const struct finding *finding,
    const struct manager *others, size_t other_count)
{
    struct extent extent = {0};
    for (size_t i = 0; i < declared->count; i++) {
        if (declared->items[i].wish->value < VALUE_FIELD)
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

/*
 * What the tools wish of a finding
 */

/* Whom else it is about: a truncated list of losers may hide one for whom nothing was wished. */
static size_t losers_of(const struct finding *finding)
{
    return finding->loser_count == finding->loser_total ? finding->loser_count : 0;
}

/* What is to be ignored is not taken, even where it is to be forced: Kluctl's order. */
static struct slice wish_to_take(
    const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_wishes declared;
    if (!finding->has_taker || !wish_tool_is(tool, &finding->taker))
        return (struct slice){NULL, 0};
    collect(review, tool, WISH_TO_TAKE, &declared);
    size_t kept = 0;
    for (size_t i = 0; i < declared.count; i++) {
        if (declared.items[i].wish->operation == finding->taker.operation)
            declared.items[kept++] = declared.items[i];
    }
    declared.count = kept;
    struct extent taken = extent_of(&declared, review, finding, finding->losers, losers_of(finding));
    if (!taken.all)
        return (struct slice){NULL, 0};
    collect(review, tool, WISH_TO_GIVE, &declared);
    struct extent ignored = extent_of(&declared, review, finding, finding->losers, finding->loser_count);
    return ignored.some ? (struct slice){NULL, 0} : taken.by;
}

static struct slice wish_to_give(
    const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_wishes declared;
    size_t count = losers_of(finding);
    for (size_t i = 0; i < count; i++) {
        if (!wish_tool_is(tool, &finding->losers[i]))
            return (struct slice){NULL, 0};
    }
    if (!count)
        return (struct slice){NULL, 0};
    collect(review, tool, WISH_TO_GIVE, &declared);
    struct extent given = extent_of(&declared, review, finding, &finding->taker, finding->has_taker);
    return given.all ? given.by : (struct slice){NULL, 0};
}

/* Others beside it, where it alone applies server-side. */
static struct slice wish_to_share(
    const struct review *review, enum waiver_tool tool, const struct finding *finding)
{
    struct declared_wishes declared;
    const struct ownership *ownership = &review->ownership;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry->manager.operation == MANAGER_APPLY && !wish_tool_is(tool, &entry->manager) &&
            ownership_class(ownership, entry) == CLASS_APPLIER)
            return (struct slice){NULL, 0};
    }
    collect(review, tool, WISH_TO_SHARE, &declared);
    struct extent shared = extent_of(&declared, review, finding, NULL, 0);
    return shared.all ? shared.by : (struct slice){NULL, 0};
}

/* Which findings a wish speaks of, by rule. */
static const bool speaks_of[RULE_COUNT][WISH_TO_SHARE + 1] = {
    [RULE_ownership_conflict] = {[WISH_TO_TAKE] = true, [WISH_TO_GIVE] = true},
    [RULE_multiple_appliers] = {[WISH_TO_TAKE] = true},
    [RULE_last_applied_drift] = {[WISH_TO_TAKE] = true},
    [RULE_mixed_apply] = {[WISH_TO_SHARE] = true},
    [RULE_orphaned_fields] = {[WISH_TO_SHARE] = true},
};

struct slice wish_for(const struct policy *policy, const struct review *review, const struct finding *finding)
{
    static struct slice (*const seekers[])(
        const struct review *, enum waiver_tool, const struct finding *) = {
        [WISH_TO_TAKE] = wish_to_take, [WISH_TO_GIVE] = wish_to_give, [WISH_TO_SHARE] = wish_to_share};
    for (int tool = 0; tool < WAIVER_TOOL_COUNT; tool++) {
        for (int meaning = 0; policy->honoured[tool] && meaning <= WISH_TO_SHARE; meaning++) {
            struct slice by = {NULL, 0};
            if (speaks_of[finding->rule][meaning])
                by = seekers[meaning](review, (enum waiver_tool)tool, finding);
            if (by.length)
                return by;
        }
    }
    return (struct slice){NULL, 0};
}
