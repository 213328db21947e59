#include "base/count.h"
#include "policy/analysis/document.h"
#include "policy/fieldset/path.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message_name.h"
#include "policy/verdict/verdict.h"

#include <stdio.h>

/* Room for the index of a list item. */
#define NUMBER_BYTES 24

/* Of what is written, in a message. */
#define WRITTEN_BYTES 32

/*
 * What kubectl makes of each is hardly ever what is meant (deny), or may well be (audit). Where kubectl reads
 * what is written, only others do not, that is an audit as well.
 */
static const struct reading {
    enum action action;
    const char *problem; /* after what is written: "on" … */
    const char *advice;
} readings[] = {
    [MANIFEST_BOOLEAN_WORD] = {ACTION_DENY, "is a boolean to kubectl", "write true or false, or quote it"},
    [MANIFEST_OCTAL] = {ACTION_AUDIT, "is an octal number to kubectl", "quote it if that is not meant"},
    [MANIFEST_OTHER_BASE] = {ACTION_AUDIT, "is a number to kubectl", "quote it if that is not meant"},
    [MANIFEST_LEADING_ZERO] = {ACTION_DENY, "loses its leading zero", "quote it to keep it"},
    [MANIFEST_EXPONENT] =
        {ACTION_DENY, "is a number with an exponent to kubectl", "quote it if text is meant"},
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

static const char *const names_of_quantities[] = {"cpu",       "memory",       "storage", "ephemeral-storage",
                                                  "sizeLimit", "averageValue", "value"};

/*
 * Where it is, as a path
 */

struct path_search {
    struct arena *arena;
    struct manifest_place wanted;
    bool is_key;
    struct slice field; /* what was found, printed; empty: nothing */
    struct slice name;  /* of the member that it is; empty: it is an item */
};

static bool is_at(struct manifest_place a, struct manifest_place b)
{
    return a.line == b.line && a.column == b.column;
}

static bool keep(struct path_search *of, const struct path *path)
{
    struct text printed = text_start(of->arena, 96);
    path_append(&printed, path);
    of->field = text_slice(&printed);
    of->name = path && path->kind == PATH_FIELD ? path->text : (struct slice){NULL, 0};
    return true;
}

static bool search(struct path_search *of, const struct manifest_node *node, const struct path *path);

static bool search_members(struct path_search *of, const struct manifest_node *map, const struct path *parent)
{
    for (size_t i = 0; i < map->count; i++) {
        const struct manifest_member *member = &map->members[i];
        const struct path path = path_member(parent, member->key);
        if (of->is_key && is_at(member->key_place, of->wanted))
            return keep(of, &path);
        if (search(of, member->value, &path))
            return true;
    }
    return false;
}

static bool search_items(struct path_search *of, const struct manifest_node *list, const struct path *parent)
{
    char index[NUMBER_BYTES];
    for (size_t i = 0; i < list->count; i++) {
        struct path path = path_below(parent);
        path.kind = PATH_INDEX;
        path.text = (struct slice){index, (size_t)snprintf(index, sizeof(index), "%zu", i)};
        if (search(of, list->items[i], &path))
            return true;
    }
    return false;
}

static bool search(struct path_search *of, const struct manifest_node *node, const struct path *path)
{
    if (node->kind == MANIFEST_MAP)
        return search_members(of, node, path);
    if (node->kind == MANIFEST_LIST)
        return search_items(of, node, path);
    return !of->is_key && is_at(node->place, of->wanted) && keep(of, path);
}

/*
 * What is found
 */

static bool ends_with(struct slice text, struct slice end)
{
    return text.length >= end.length && slice_equal(slice_from(text, text.length - end.length), end);
}

/* Fields in which people write numbers so, and mean them: 0644 is a file's mode, 1e9 and 1.0 are quantities.
 */
static bool is_meant(const struct path_search *of, enum manifest_ambiguity_kind kind)
{
    if (kind == MANIFEST_OCTAL)
        return ends_with(of->name, SLICE("mode")) || ends_with(of->name, SLICE("Mode"));
    if (kind != MANIFEST_EXPONENT && kind != MANIFEST_TRAILING_ZERO)
        return false;
    for (size_t i = 0; i < COUNT(names_of_quantities); i++)
        if (slice_equal(of->name, slice_of(names_of_quantities[i])))
            return true;
    return false;
}

/* What is written is a value, and that of a Secret is nobody's to read. */
static struct slice describe(
    const struct review *review, const struct manifest_ambiguity *ambiguity, const struct reading *reading)
{
    struct text text = text_start(review->arena, 160);
    bool is_shown = ambiguity->written.length && !slice_equal(review->group_kind, SLICE("Secret"));
    if (ambiguity->kind == MANIFEST_IGNORED_CONTENT || ambiguity->kind == MANIFEST_NOT_UTF8) {
        text_append_string(&text, reading->problem);
    } else if (is_shown) {
        message_append_cut(&text, ambiguity->written, WRITTEN_BYTES);
        text_append_string(&text, " ");
        text_append_string(&text, reading->problem);
    } else {
        text_append_string(&text, ambiguity->is_key ? "a key " : "a value ");
        text_append_string(&text, reading->problem);
    }
    text_append_string(&text, "; ");
    text_append_string(&text, reading->advice);
    return text_slice(&text);
}

static void add(
    const struct review *review, const struct document *document, const struct manifest_ambiguity *ambiguity,
    struct verdict *verdict)
{
    const struct reading *reading = &readings[ambiguity->kind];
    struct path_search of = {.arena = review->arena, .wanted = ambiguity->place, .is_key = ambiguity->is_key};
    struct slice *field = arena_allocate(review->arena, sizeof(*field));
    bool is_found = search(&of, document->object->root, NULL);
    if (!field || is_meant(&of, ambiguity->kind))
        return;
    *field = of.field;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_yaml_ambiguity,
            .action = reading->action,
            .message = describe(review, ambiguity, reading),
            .fields = is_found ? field : NULL,
            .field_count = is_found,
            .field_total = is_found,
            .line = ambiguity->place.line,
            .column = ambiguity->place.column,
        });
}

/* More than a verdict lists are not looked for. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct manifest_object *object = document->object;
    for (size_t i = 0; i < object->ambiguity_count && i < VERDICT_FINDINGS_MAX; i++)
        add(review, document, &object->ambiguities[i], verdict);
}

const struct rule_definition rule_yaml_ambiguity = {.judge_document = judge};
