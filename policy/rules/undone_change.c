#include "base/json.h"
#include "policy/analysis/absorption.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_overlap.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/finding_fields.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct undone_search {
    const struct review *review;
    struct lookup_cursor *old_object;
    struct lookup_cursor *object;
    struct finding_fields fields;
};

/* A request's value is of use once, whatever becomes of it. */
static bool is_exempt(const struct path *path)
{
    return field_is_bookkeeping(path) || absorber_is_request(path);
}

/* Of a field that the writer owns and the applier does not declare: told where this request brought it about.
 */
static enum walk_action visit_undeclared(struct undone_search *search, const struct overlap_node *node)
{
    bool is_leaf = fields_is_leaf(node->fields);
    unsigned absent_depth;
    yyjson_val *old_value = NULL, *value = NULL;
    enum lookup_result before = lookup_path(search->old_object, node->path, &old_value, &absent_depth);
    enum lookup_result after = lookup_path(search->object, node->path, &value, &absent_depth);
    if (after != LOOKUP_FOUND || (before != LOOKUP_FOUND && before != LOOKUP_ABSENT))
        return WALK_PASS;
    if (before == LOOKUP_FOUND && lookup_equal(search->review->lookup, old_value, value) != ANSWER_NO)
        return WALK_PASS;
    if (!is_leaf && before == LOOKUP_FOUND)
        return WALK_DESCEND;
    const struct review *review = search->review;
    if (!is_leaf ||
        managed_fields_bare(&review->ownership.after, node->path, value, review->lookup) == ANSWER_NO)
        finding_fields_add(&search->fields, node->path);
    return search->fields.out_of_memory ? WALK_STOP : WALK_PASS;
}

/* Beside the writer's fields stand those that the applier declares. */
static enum walk_action visit(void *context, const struct overlap_node *node)
{
    yyjson_val *declared = node->others[0];
    if (is_exempt(node->path))
        return WALK_PASS;
    if (declared) {
        bool is_declared = fields_is_leaf(node->fields) || yyjson_obj_size(declared) == 0;
        return is_declared ? WALK_PASS : WALK_DESCEND;
    }
    return fields_stand_for_all(node->path, node->fields) ? visit_undeclared(context, node) : WALK_DESCEND;
}

static struct slice describe(const struct undone_search *search, const struct managed_fields_entry *absorber)
{
    struct text text = text_start(search->review->arena, 256);
    message_append_manager(&text, &search->review->ownership.taker.manager);
    text_append_string(&text, " sets ");
    message_append_fields(&text, search->fields.items, search->fields.total);
    text_append_string(
        &text,
        manager_tool(absorber->manager.name) == TOOL_FLUX
            ? ", but Flux will undo this unless suspended; change the manifest or use "
              "--field-manager=flux-client-side-apply"
            : ", but Timoni will undo this; change the manifest or use a --field-manager that does not begin "
              "with kubectl");
    return text_slice(&text);
}

static void report(
    const struct undone_search *search, const struct managed_fields_entry *absorber, struct verdict *verdict)
{
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_undone_change,
            .action = ACTION_DENY,
            .message = describe(search, absorber),
            .fields = search->fields.items,
            .field_count = search->fields.listed,
            .field_total = search->fields.total,
            .has_taker = true,
            .taker = search->review->ownership.taker.manager,
        });
}

/* False if there is no memory. */
static bool prepare(struct undone_search *search)
{
    const struct review *review = search->review;
    search->old_object = lookup_cursor_create(review->lookup, review->old_object, review->arena);
    search->object = lookup_cursor_create(review->lookup, review->object, review->arena);
    return finding_fields_start(&search->fields, review->arena) && search->old_object && search->object;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct taker *taker = &review->ownership.taker;
    if (!taker->after || taker->class == CLASS_BOOKKEEPING ||
        !slice_starts_with(taker->manager.name, SLICE("kubectl")))
        return;
    const struct managed_fields_entry *absorber = absorber_of(review, &review->ownership.before);
    if (!absorber || !absorber_takes(absorber, &taker->manager) || !entry_is_comparable(review, absorber) ||
        !entry_is_comparable(review, taker->after))
        return;
    struct undone_search search = {.review = review};
    yyjson_val *const declared[] = {absorber->fields};
    enum fields_result result = prepare(&search)
        ? fieldset_overlap_walk(taker->after->fields, declared, 1, review->arena, visit, &search)
        : FIELDS_OUT_OF_MEMORY;
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, search.fields.out_of_memory ? FIELDS_OUT_OF_MEMORY : result);
    else if (search.fields.total)
        report(&search, absorber, verdict);
}

const struct rule_definition rule_undone_change = {.judge = judge};
