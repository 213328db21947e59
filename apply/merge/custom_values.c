#include "apply/merge/custom_values.h"

#include "apply/merge/custom_format.h"
#include "apply/merge/custom_number.h"
#include "apply/merge/custom_schema.h"
#include "apply/merge/defaults.h"
#include "apply/merge/items.h"
#include "base/digits.h"
#include "base/json_each.h"
#include "base/text.h"

#include <stdint.h>

/* How many values are held against the alternatives of a schema, and how deep alternatives may lie in others.
 */
#define BRANCHES_MAX ((size_t)1024 * 1024)
#define BRANCH_DEPTH_MAX JSON_DEPTH_MAX

struct check {
    struct arena *arena;
    struct custom_patterns *patterns;
    size_t *branches;
    custom_visit *visit; /* NULL: nothing is visited */
    void *context;
};

/* A value with its schema in both forms, and the live value in its place; NULL: none. */
struct checked {
    yyjson_val *openapi;
    struct schema_ref type;
    const struct value *value;
    const struct value *live;
    unsigned branch_depth;
};

/* ANSWER_YES: the schema allows the value. */
static enum search_answer check_value(
    const struct check *check, const struct checked *checked, const struct path *path);
static enum search_answer check_changed(
    const struct check *check, const struct checked *checked, const struct path *path);

static enum search_answer refuse_for(
    const struct check *check, const struct path *path, const char *sentence, struct slice wanted)
{
    if (check->visit)
        check->visit(check->context, path, &(struct custom_problem){sentence, wanted, true});
    return ANSWER_NO;
}

static enum search_answer refuse(const struct check *check, const struct path *path, const char *sentence)
{
    return refuse_for(check, path, sentence, (struct slice){NULL, 0});
}

static enum search_answer doubt(
    const struct check *check, const struct path *path, const char *sentence, struct slice wanted)
{
    if (check->visit)
        check->visit(check->context, path, &(struct custom_problem){sentence, wanted, false});
    return ANSWER_UNKNOWN;
}

static enum search_answer both(enum search_answer a, enum search_answer b)
{
    if (a == ANSWER_NO || b == ANSWER_NO)
        return ANSWER_NO;
    return a == ANSWER_UNKNOWN ? a : b;
}

/*
 * Scalars
 */
static enum search_answer check_count(
    const struct check *check, yyjson_val *openapi, size_t count, const char *least, const char *most,
    const struct path *path)
{
    yyjson_val *lower = json_member(openapi, slice_of(least)), *upper = json_member(openapi, slice_of(most));
    if (yyjson_is_num(lower) && (double)count < yyjson_get_num(lower))
        return refuse(check, path, "is shorter than the schema allows");
    if (yyjson_is_num(upper) && (double)count > yyjson_get_num(upper))
        return refuse(check, path, "is longer than the schema allows");
    return ANSWER_YES;
}

static enum search_answer check_number(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    const char *problem;
    enum search_answer answer = custom_number_fits(checked->openapi, checked->value->scalar, &problem);
    if (answer == ANSWER_NO)
        return refuse(check, path, problem);
    return answer == ANSWER_YES ? answer
                                : doubt(check, path, "may be beyond a limit", (struct slice){NULL, 0});
}

static enum search_answer check_pattern(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    struct slice pattern = json_text(json_member(checked->openapi, SLICE("pattern")));
    if (!pattern.length)
        return ANSWER_YES;
    enum search_answer answer = custom_pattern_matches(check->patterns, pattern, value_text(checked->value));
    if (answer == ANSWER_NO)
        return refuse_for(check, path, "does not match the pattern", pattern);
    return answer == ANSWER_YES ? answer : doubt(check, path, "may not match the pattern", pattern);
}

/*
 * Numbers have formats of their own (custom_number.h). Where a schema has a format of texts but no type, only
 * texts and lists have it.
 */
static enum search_answer check_format(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    struct slice format = json_text(json_member(checked->openapi, SLICE("format")));
    struct slice type = custom_type_of(checked->openapi);
    const struct value *value = checked->value;
    bool is_text = value->kind == VALUE_SCALAR && yyjson_is_str(value->scalar);
    bool is_other = !is_text && value->kind != VALUE_LIST && !type.length;
    if (!format.length || !custom_format_is_known(format) || !(is_text || is_other))
        return ANSWER_YES;
    enum search_answer answer =
        is_text ? custom_format_fits(check->patterns, format, value_text(value)) : ANSWER_NO;
    if (answer == ANSWER_NO)
        return refuse_for(check, path, "does not have the format", format);
    return answer == ANSWER_YES ? answer : doubt(check, path, "may not have the format", format);
}

static enum search_answer check_scalar(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *scalar = checked->value->scalar;
    if (yyjson_is_num(scalar))
        return check_number(check, checked, path);
    if (!yyjson_is_str(scalar))
        return ANSWER_YES;
    return both(
        check_count(
            check, checked->openapi, text_character_count(json_text(scalar)), "minLength", "maxLength", path),
        check_pattern(check, checked, path));
}

/*
 * Lists and maps
 */

static bool has_repeats(const struct check *check, struct schema_ref type, const struct value *list)
{
    if (schema_type_of(type)->is_atomic & SCHEMA_LIST)
        return false;
    struct items items = items_of(type, list, check->arena);
    return items.distinct < items.count;
}

static enum search_answer check_repeats(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    bool is_new = !checked->branch_depth && has_repeats(check, checked->type, checked->value) &&
        !has_repeats(check, checked->type, checked->live);
    return is_new ? refuse(check, path, "has an item twice") : ANSWER_YES;
}

/* The API server finds only items with keys again in the live list. */
static enum search_answer check_each_item(
    const struct check *check, const struct checked *checked, yyjson_val *openapi, const struct path *path)
{
    const struct value *list = checked->value;
    bool has_keys = schema_type_of(checked->type)->key_count > 0;
    const struct value **lives =
        items_counterparts(checked->type, list, has_keys ? checked->live : NULL, false, check->arena);
    char number[DIGITS_MAX];
    struct path item = path_below(path);
    enum search_answer answer = ANSWER_YES;
    item.kind = PATH_INDEX;
    for (size_t i = 0; lives && i < list->count; i++) {
        const struct checked each = {
            openapi, schema_item(checked->type), list->items[i], lives[i], checked->branch_depth};
        item.text = digits_write(i, number);
        answer = both(answer, check_value(check, &each, &item));
    }
    return answer;
}

static enum search_answer check_items(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *openapi = json_member(checked->openapi, SLICE("items"));
    enum search_answer answer =
        check_count(check, checked->openapi, checked->value->count, "minItems", "maxItems", path);
    answer = both(answer, check_repeats(check, checked, path));
    return openapi ? both(answer, check_each_item(check, checked, openapi, path)) : answer;
}

static enum search_answer require(
    const struct check *check, const struct checked *checked, struct slice name, const struct path *path)
{
    const struct path below = path_member(path, name);
    return value_member(checked->value, name) ? ANSWER_YES : refuse(check, &below, "is required");
}

static enum search_answer check_required(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *required = json_member(checked->openapi, SLICE("required"));
    enum search_answer answer = ANSWER_YES;
    json_each_item(name, required)
        answer = both(answer, require(check, checked, json_text(name), path));
    if (!custom_is_set(checked->openapi, "x-kubernetes-embedded-resource"))
        return answer;
    answer = both(answer, require(check, checked, SLICE("apiVersion"), path));
    return both(answer, require(check, checked, SLICE("kind"), path));
}

static enum search_answer check_members(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    const struct value *map = checked->value;
    enum search_answer answer =
        check_count(check, checked->openapi, map->count, "minProperties", "maxProperties", path);
    answer = both(answer, check_required(check, checked, path));
    for (size_t i = 0; i < map->count; i++) {
        const struct value_member *member = &map->members[i];
        const struct path below = path_member(path, member->name);
        const struct checked each = {
            custom_member_schema(checked->openapi, member->name), schema_member(checked->type, member->name),
            member->value, value_member(checked->live, member->name), checked->branch_depth};
        answer = both(answer, check_value(check, &each, &below));
    }
    return answer;
}

/*
 * Any value
 */

/* An enumeration never allows null. */
static bool is_choice(yyjson_val *choice, const struct value *value, struct arena *arena)
{
    const struct value *allowed = value_read(choice, arena, &(struct error){0});
    bool is_number = value->kind == VALUE_SCALAR && yyjson_is_num(value->scalar);
    if (!allowed || value->kind == VALUE_NULL)
        return false;
    return value_equal(allowed, value) || (is_number && custom_number_is_choice(choice, value->scalar));
}

static enum search_answer check_choice(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    yyjson_val *choices = json_member(checked->openapi, SLICE("enum"));
    if (!yyjson_arr_size(choices))
        return ANSWER_YES;
    json_each_item(choice, choices) {
        struct arena_mark mark = arena_mark(check->arena);
        bool is_one = is_choice(choice, checked->value, check->arena);
        arena_rewind(check->arena, mark);
        if (is_one)
            return ANSWER_YES;
    }
    return refuse(check, path, "is not one of the values that the schema allows");
}

static bool has_type(const struct value *value, struct slice type)
{
    yyjson_val *scalar = value->kind == VALUE_SCALAR ? value->scalar : NULL;
    if (slice_equal(type, SLICE("object")))
        return value->kind == VALUE_MAP;
    if (slice_equal(type, SLICE("array")))
        return value->kind == VALUE_LIST;
    if (slice_equal(type, SLICE("string")))
        return yyjson_is_str(scalar);
    if (slice_equal(type, SLICE("int-or-string")))
        return yyjson_is_str(scalar) || (yyjson_is_num(scalar) && custom_number_is_whole(scalar));
    return slice_equal(type, SLICE("boolean")) ? yyjson_is_bool(scalar) : yyjson_is_num(scalar);
}

/* Whether a whole number must be one is checked with its limits. */
static enum search_answer check_type(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    struct slice type = custom_type_of(checked->openapi);
    bool is_either = slice_equal(type, SLICE("int-or-string"));
    if (checked->value->kind == VALUE_NULL)
        return custom_allows_null(checked->openapi)
            ? ANSWER_YES
            : refuse(check, path, "is null, which the schema does not allow");
    if (!type.length || has_type(checked->value, type))
        return ANSWER_YES;
    /* typed_check reports other wrong types of fields. */
    return !is_either && !checked->branch_depth
        ? ANSWER_NO
        : refuse_for(check, path, "is not of the type", is_either ? SLICE("integer or string") : type);
}

static enum search_answer check_content(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    switch (checked->value->kind) {
    case VALUE_SCALAR:
        return check_scalar(check, checked, path);
    case VALUE_LIST:
        return check_items(check, checked, path);
    case VALUE_MAP:
        return check_members(check, checked, path);
    default:
        return ANSWER_YES;
    }
}

/*
 * Alternatives
 */

/* The API server does not compare parts of the value with the live one there. */
static enum search_answer check_branch(
    const struct check *check, const struct checked *checked, yyjson_val *openapi, const struct path *path)
{
    struct checked branch = *checked;
    branch.openapi = openapi;
    branch.live = NULL;
    branch.branch_depth++;
    return branch.branch_depth > BRANCH_DEPTH_MAX ? ANSWER_UNKNOWN : check_changed(check, &branch, path);
}

/* How many of the schemas allow the value. */
struct tally {
    size_t count, allowing, unknown;
};

static struct tally tally(
    const struct check *check, const struct checked *checked, const char *name, const struct path *path)
{
    struct tally tally = {0};
    yyjson_val *schemas = json_member(checked->openapi, slice_of(name));
    json_each_item(schema, schemas) {
        enum search_answer answer = check_branch(check, checked, schema, path);
        tally.count++;
        tally.allowing += answer == ANSWER_YES;
        tally.unknown += answer == ANSWER_UNKNOWN;
    }
    return tally;
}

static enum search_answer check_alternatives(
    const struct check *check, const struct checked *checked, const char *name, size_t most,
    const struct path *path)
{
    struct check silent = *check;
    silent.visit = NULL;
    struct tally found = tally(&silent, checked, name, path);
    if (found.allowing > most)
        return refuse_for(check, path, "fits several schemas of", slice_of(name));
    if (!found.count || (found.allowing && (most > 1 || !found.unknown)))
        return ANSWER_YES;
    return found.unknown ? doubt(check, path, "may not fit", slice_of(name))
                         : refuse_for(check, path, "fits no schema of", slice_of(name));
}

static enum search_answer check_not(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    struct check silent = *check;
    yyjson_val *schema = json_member(checked->openapi, SLICE("not"));
    silent.visit = NULL;
    if (!yyjson_is_obj(schema))
        return ANSWER_YES;
    enum search_answer answer = check_branch(&silent, checked, schema, path);
    if (answer == ANSWER_NO)
        return ANSWER_YES;
    return answer == ANSWER_YES ? refuse_for(check, path, "fits the schema of", SLICE("not"))
                                : doubt(check, path, "may fit the schema of", SLICE("not"));
}

static enum search_answer check_all(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    struct tally found = tally(check, checked, "allOf", path);
    if (found.allowing + found.unknown < found.count)
        return ANSWER_NO;
    return found.unknown ? ANSWER_UNKNOWN : ANSWER_YES;
}

/* A value that differs from the live one. */
static enum search_answer check_changed(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    if (!yyjson_is_obj(checked->openapi))
        return ANSWER_YES;
    if (checked->branch_depth && ++*check->branches > BRANCHES_MAX)
        return ANSWER_UNKNOWN;
    enum search_answer answer = check_type(check, checked, path);
    if (answer == ANSWER_NO)
        return answer;
    answer = check_choice(check, checked, path);
    if (checked->value->kind == VALUE_NULL)
        return answer;
    answer = both(answer, check_format(check, checked, path));
    answer = both(answer, check_content(check, checked, path));
    answer = both(answer, check_all(check, checked, path));
    answer = both(answer, check_alternatives(check, checked, "anyOf", SIZE_MAX, path));
    answer = both(answer, check_alternatives(check, checked, "oneOf", 1, path));
    return both(answer, check_not(check, checked, path));
}

static enum search_answer check_value(
    const struct check *check, const struct checked *checked, const struct path *path)
{
    bool is_unchanged = checked->live && value_equal(checked->live, checked->value);
    return is_unchanged ? ANSWER_YES : check_changed(check, checked, path);
}

/* The status of an apply is not stored. The API server checks its own defaults with the rest. */
static const struct value *part_to_check(
    struct schema_ref type, const struct value *object, struct arena *arena)
{
    const struct value *part = object ? value_with(object, SLICE("status"), NULL, arena) : NULL;
    return part ? defaults_fill_all(type, part, arena) : NULL;
}

void custom_check(
    yyjson_val *openapi, struct schema_ref type, const struct value *object, const struct value *live,
    struct arena *arena, custom_visit *visit, void *context)
{
    struct custom_patterns patterns = {.arena = arena};
    size_t branches = 0;
    const struct check check = {arena, &patterns, &branches, visit, context};
    const struct checked checked = {
        .openapi = openapi,
        .type = type,
        .value = part_to_check(type, object, arena),
        .live = part_to_check(type, live, arena),
    };
    if (checked.value)
        check_value(&check, &checked, NULL);
    custom_patterns_free(&patterns);
}
