#include "base/array_size.h"
#include "base/search.h"
#include "manifest/secrets.h"
#include "policy/analysis/document.h"
#include "policy/fieldset/path.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

#include <stdio.h>

/* Room for the index of a list item. */
#define NUMBER_BYTES 24

/* The limit of written text in a message. */
#define WRITTEN_BYTES 32

/*
 * The value that kubectl reads is hardly ever meant (deny), or may well be meant (audit). If kubectl reads
 * the written value, and only other readers do not, that is an audit as well.
 */
static const struct reading {
    enum action action;
    const char *problem; /* after what is written: "on" … */
    const char *advice;
} readings[] = {
    [MANIFEST_BOOLEAN_WORD] = {ACTION_DENY, NULL, NULL}, /* see describe_boolean */
    [MANIFEST_OCTAL] = {ACTION_AUDIT, "is an octal number to kubectl", "quote it if that is not meant"},
    [MANIFEST_OTHER_BASE] = {ACTION_AUDIT, "is a number to kubectl", "quote it if that is not meant"},
    [MANIFEST_LEADING_ZERO] = {ACTION_DENY, "loses its leading zero", "quote it to keep it"},
    [MANIFEST_EXPONENT] =
        {ACTION_DENY, "is a number with an exponent to kubectl", "quote it if text is meant"},
    [MANIFEST_SIGNED_EXPONENT] =
        {ACTION_AUDIT, "is a number with an exponent to kubectl", "quote it if text is meant"},
    [MANIFEST_UNDERSCORES] =
        {ACTION_DENY, "is a number to kubectl, without the underscores", "quote it if text is meant"},
    [MANIFEST_TRAILING_ZERO] = {ACTION_AUDIT, "loses its last zero", "quote it if it is a version"},
    [MANIFEST_LOST_DIGITS] = {ACTION_DENY, "loses digits, because no number holds as many", "quote it"},
    [MANIFEST_SEXAGESIMAL] = {ACTION_AUDIT, "is text to kubectl and a number to other tools", "quote it"},
    [MANIFEST_TIMESTAMP] = {ACTION_AUDIT, "is text to kubectl and a date to other tools", "quote it"},
    [MANIFEST_DUPLICATE_KEY] = {ACTION_DENY, "is there twice, and kubectl takes only the last", "delete one"},
    [MANIFEST_MERGE_OVERRIDES] =
        {ACTION_DENY, "is overridden by the merge key after it", "put the merge key first"},
    [MANIFEST_IGNORED_CONTENT] =
        {ACTION_DENY, "kubectl ignores what follows here", "begin a new document with ---"},
    [MANIFEST_NOT_UTF8] =
        {ACTION_DENY, "bytes here are not UTF-8, and kubectl replaces them", "save the file as UTF-8"},
};

static const char *const names_of_quantities[] = {"cpu",     "memory",    "ephemeral-storage",
                                                  "storage", "sizeLimit", "averageValue"};

/*
 * Where they are, as paths
 */

struct spot {
    struct slice field; /* printed; empty: not found */
    struct slice name;  /* of the member that it is; empty: it is an item */
};

/* One walk over the object finds the spots of all. */
struct search {
    struct arena *arena;
    const struct manifest_ambiguity *ambiguities; /* in the order of their places */
    size_t count;
    struct spot *spots; /* of each */
};

static bool is_before(struct manifest_place a, struct manifest_place b)
{
    return a.line < b.line || (a.line == b.line && a.column < b.column);
}

static bool is_ambiguity_before(const void *ambiguity, const void *place)
{
    return is_before(
        ((const struct manifest_ambiguity *)ambiguity)->place, *(const struct manifest_place *)place);
}

static size_t first_from(const struct search *search, struct manifest_place place)
{
    return search_first(
        search->ambiguities, search->count, sizeof(*search->ambiguities), is_ambiguity_before, &place);
}

/* Through aliases a place is met more than once: the first time counts. */
static void keep(struct search *search, struct manifest_place place, bool is_key, const struct path *path)
{
    for (size_t i = first_from(search, place);
         i < search->count && !is_before(place, search->ambiguities[i].place); i++) {
        struct spot *spot = &search->spots[i];
        if (search->ambiguities[i].is_key != is_key || spot->field.length)
            continue;
        struct text printed = text_start(search->arena, 96);
        path_append(&printed, path);
        spot->field = text_slice(&printed);
        spot->name = path && path->kind == PATH_FIELD ? path->text : (struct slice){NULL, 0};
    }
}

static void walk(struct search *search, const struct manifest_node *node, const struct path *path);

static void walk_members(struct search *search, const struct manifest_node *map, const struct path *parent)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct manifest_member *member = &map->members[i];
        const struct path path = path_member(parent, member->key);
        keep(search, member->key_place, true, &path);
        walk(search, member->value, &path);
    }
}

static void walk_items(struct search *search, const struct manifest_node *list, const struct path *parent)
{
    char index[NUMBER_BYTES] = "";
    for (size_t i = 0; i < list->count; i++) {
        struct path path = path_below(parent);
        path.kind = PATH_INDEX;
        path.text = (struct slice){index, (size_t)snprintf(index, sizeof(index), "%zu", i)};
        walk(search, list->items[i], &path);
    }
}

/* Recurses as deep as MANIFEST_DEPTH_MAX. */
static void walk(struct search *search, const struct manifest_node *node, const struct path *path)
{
    if (node->kind == MANIFEST_MAP)
        walk_members(search, node, path);
    else if (node->kind == MANIFEST_LIST)
        walk_items(search, node, path);
    else
        keep(search, node->place, false, path);
}

/* Findings */

/* Fields in which people write numbers so, and mean them: 0644 is a file's mode, 1e9 and 1.0 are quantities.
 */
static bool is_meant(const struct spot *spot, enum manifest_ambiguity_kind kind)
{
    if (kind == MANIFEST_OCTAL)
        return slice_ends_with(spot->name, SLICE("mode")) || slice_ends_with(spot->name, SLICE("Mode"));
    if (kind != MANIFEST_EXPONENT && kind != MANIFEST_SIGNED_EXPONENT && kind != MANIFEST_TRAILING_ZERO)
        return false;
    /* The target of an autoscaler; other fields of this name hold text, such as that of a variable. */
    return slice_ends_with(spot->field, SLICE(".target.value")) ||
        slice_is_one_of(spot->name, names_of_quantities, ARRAY_SIZE(names_of_quantities));
}

/* The written text is a value: values of a Secret, and values that a Secret may refer to, are never shown. */
static bool is_shown(const struct manifest_object *object, const struct manifest_ambiguity *ambiguity)
{
    return ambiguity->written.length && !secrets_may_be(object->kind) &&
        secrets_show_line(object->document, ambiguity->place.line);
}

/* The written text of a key that kubectl reads as another one; empty: it is the key itself. */
static struct slice written_key(const struct search *search, struct manifest_place place)
{
    for (size_t i = first_from(search, place);
         i < search->count && !is_before(place, search->ambiguities[i].place); i++) {
        const struct manifest_ambiguity *other = &search->ambiguities[i];
        if (other->is_key && other->read_as.length)
            return other->written;
    }
    return (struct slice){NULL, 0};
}

/* The written text, between marks: "no is read as false" would be hard to read. */
static void append_written(struct text *text, struct slice written)
{
    text_append_all(text, "`", message_marked(text_cut(written, WRITTEN_BYTES)), "`");
}

/* Keys are texts, so what a value would be does not matter: "kubectl reads the key y as "true"". */
static void describe_key(
    const struct manifest_object *object, const struct manifest_ambiguity *ambiguity, struct text *text)
{
    if (!is_shown(object, ambiguity)) {
        text_append_string(text, "kubectl reads a key here as another one; quote it");
        return;
    }
    text_append_all(
        text, "kubectl reads the key ", as_escaped(append_written, ambiguity->written), " as ",
        as_escaped(append_written, ambiguity->read_as), "; quote it");
}

/* y and on: two keys to people, and one to kubectl. False if they are written in the same way. */
static bool describe_same_keys(
    const struct search *search, const struct manifest_object *object,
    const struct manifest_ambiguity *ambiguity, struct text *text)
{
    struct slice first = written_key(search, ambiguity->other), last = written_key(search, ambiguity->place);
    struct slice key = ambiguity->written;
    if (ambiguity->kind != MANIFEST_DUPLICATE_KEY || !is_shown(object, ambiguity) ||
        (!first.length && !last.length) || slice_equal(first, last))
        return false;
    text_append_all(
        text, as_escaped(append_written, first.length ? first : key), " and ",
        as_escaped(append_written, last.length ? last : key), " are the same key (",
        as_escaped(append_written, key), ") to kubectl, which keeps only the last; quote both");
    return true;
}

/* YAML 1.1: y, yes and on are true, the others are false. */
static bool is_true_word(struct slice word)
{
    static const char *const words[] = {"y", "Y", "yes", "Yes", "YES", "on", "On", "ON"};
    return slice_is_one_of(word, words, ARRAY_SIZE(words));
}

static void describe_boolean(
    const struct manifest_object *object, const struct manifest_ambiguity *ambiguity, struct text *text)
{
    if (!is_shown(object, ambiguity)) {
        text_append_string(text, "a value is a boolean to kubectl; write true or false, or quote it");
        return;
    }
    const char *value = is_true_word(ambiguity->written) ? "true" : "false";
    text_append_all(
        text, as_escaped(append_written, ambiguity->written), " is read as ", value, "; write ", value,
        ", or quote it if text is meant");
}

/* Whether the ambiguity is a repeated key of the object itself, and not of something in it. */
static bool is_repeated_member(
    const struct manifest_object *object, const struct manifest_ambiguity *ambiguity)
{
    return ambiguity->kind == MANIFEST_DUPLICATE_KEY && object->root == object->document->root &&
        object->root->place.line != ambiguity->place.line &&
        object->root->place.column == ambiguity->place.column;
}

static struct slice advice_of(
    const struct manifest_object *object, const struct manifest_ambiguity *ambiguity)
{
    const struct slice key = ambiguity->written;
    bool begins_object = is_repeated_member(object, ambiguity) &&
        (slice_equal(key, SLICE("apiVersion")) || slice_equal(key, SLICE("kind")));
    return begins_object ? SLICE("if another object begins here, write --- above it")
                         : slice_of(readings[ambiguity->kind].advice);
}

static struct slice describe(
    const struct search *search, const struct manifest_object *object,
    const struct manifest_ambiguity *ambiguity, const struct reading *reading)
{
    struct text text = text_start(search->arena, 160);
    if (ambiguity->is_key && ambiguity->read_as.length) {
        describe_key(object, ambiguity, &text);
        return text_slice(&text);
    }
    if (describe_same_keys(search, object, ambiguity, &text))
        return text_slice(&text);
    if (ambiguity->kind == MANIFEST_BOOLEAN_WORD) {
        describe_boolean(object, ambiguity, &text);
        return text_slice(&text);
    }
    if (ambiguity->kind == MANIFEST_IGNORED_CONTENT || ambiguity->kind == MANIFEST_NOT_UTF8) {
        text_append_string(&text, reading->problem);
    } else if (is_shown(object, ambiguity)) {
        text_append_all(&text, as_escaped(append_written, ambiguity->written), " ", reading->problem);
    } else {
        text_append_all(&text, ambiguity->is_key ? "a key " : "a value ", reading->problem);
    }
    text_append_all(&text, "; ", advice_of(object, ambiguity));
    return text_slice(&text);
}

/* The list that a field is an item of; empty if the field is not an item. */
static struct slice list_of(struct slice field)
{
    size_t end = field.length;
    if (!end || field.bytes[end - 1] != ']')
        return slice_until(field, 0);
    while (end && field.bytes[end - 1] != '[')
        end--;
    return slice_until(field, end);
}

/* Whether an item before it in the same list is the same to kubectl: the list has one finding. */
static bool is_reported_with_list(const struct search *search, size_t number)
{
    const struct slice list = list_of(search->spots[number].field);
    if (!number || !list.length || search->ambiguities[number].is_key)
        return false;
    return search->ambiguities[number - 1].kind == search->ambiguities[number].kind &&
        readings[search->ambiguities[number].kind].action == ACTION_AUDIT &&
        slice_equal(list_of(search->spots[number - 1].field), list);
}

/*
 * Without a --- between them, the keys of the second object repeat those of the first. One finding at its
 * first key says so.
 */
struct second_object {
    bool is_open; /* one began, and is not over */
    bool has_api_version, has_kind;
};

/* Whether the repeated key is a part of a second object that has a finding. */
static bool is_of_second_object(struct second_object *second, struct slice key)
{
    bool is_api_version = slice_equal(key, SLICE("apiVersion")), is_kind = slice_equal(key, SLICE("kind"));
    if (!is_api_version && !is_kind)
        return second->is_open;
    bool begins =
        !second->is_open || (is_api_version && second->has_api_version) || (is_kind && second->has_kind);
    if (begins)
        *second = (struct second_object){.is_open = true};
    second->has_api_version |= is_api_version;
    second->has_kind |= is_kind;
    return !begins;
}

static void add(
    const struct search *search, const struct manifest_object *object, size_t number, struct verdict *verdict)
{
    const struct manifest_ambiguity *ambiguity = &search->ambiguities[number];
    const struct spot *spot = &search->spots[number];
    const struct reading *reading = &readings[ambiguity->kind];
    bool is_found = spot->field.length != 0;
    if (is_meant(spot, ambiguity->kind) || is_reported_with_list(search, number))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_yaml_ambiguity,
            .action = reading->action,
            .message = describe(search, object, ambiguity, reading),
            .fields = is_found ? &spot->field : NULL,
            .field_count = is_found,
            .field_total = is_found,
            .line = ambiguity->place.line,
            .column = ambiguity->place.column,
        });
}

/* All of them: the verdict counts ambiguities that it does not list. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct manifest_object *object = document->object;
    struct search search = {
        .arena = review->arena, .ambiguities = object->ambiguities, .count = object->ambiguity_count};
    if (!search.count)
        return;
    search.spots = arena_allocate_array(review->arena, search.count, sizeof(*search.spots));
    if (!search.spots)
        return;
    walk(&search, object->root, NULL);
    struct second_object second = {0};
    for (size_t i = 0; i < search.count; i++)
        if (!is_repeated_member(object, &search.ambiguities[i]) ||
            !is_of_second_object(&second, search.ambiguities[i].written))
            add(&search, object, i, verdict);
}

const struct rule_definition rule_yaml_ambiguity = {.judge_document = judge};
