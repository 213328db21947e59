#include "base/glob.h"
#include "base/json.h"
#include "base/min.h"
#include "policy/config/config.h"
#include "policy/fieldset/fields.h"
#include "policy/fieldset/fieldset_contains.h"
#include "policy/fieldset/path.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct manager_scope_settings {
    struct manager_scopes scopes;
};

static const struct manager_scope_settings defaults = {{NULL, 0}};

static const struct setting settings[] = {
    {"scopes", SETTING_SCOPES, offsetof(struct manager_scope_settings, scopes),
     "names of field managers, and the fields that they may gain (allow) or may not (deny), in all kinds or "
     "some"},
};

/* The fields that the manager gained outside its scopes. */
struct gains {
    const struct review *review;
    const struct manager_scopes *scopes;
    const struct managed_fields_entry **before; /* what the manager's name had */
    size_t before_count;
    struct slice *fields; /* room for FINDING_FIELDS_MAX */
    size_t total;
    /* A list item that is new to the manager represents its contents, unless some of them are in scope. */
    const char *item;       /* where the text of its element lies; NULL: none is under way */
    struct slice item_path; /* printed where it can be listed */
    size_t item_start;      /* of its fields */
    bool item_in_scope;
};

static bool covers_any(const struct slice_list *patterns, const struct path *path, struct arena *arena)
{
    for (size_t i = 0; i < patterns->count; i++) {
        if (path_pattern_covers(patterns->items[i], path, arena))
            return true;
    }
    return false;
}

static bool is_for(const struct manager_scope *scope, const struct review *review)
{
    return glob_match(scope->manager, review->ownership.writer.manager.name) &&
        (!scope->kinds.count || glob_match_any(scope->kinds.items, scope->kinds.count, review->group_kind));
}

static bool has_scope(const struct manager_scopes *scopes, const struct review *review)
{
    for (size_t i = 0; i < scopes->count; i++) {
        if (is_for(&scopes->items[i], review))
            return true;
    }
    return false;
}

/* A field that one scope denies stays denied; otherwise any scope may allow it. */
static bool is_in_scope(const struct gains *gains, const struct path *path)
{
    bool limited = false, allowed = path_is_key_field(path) || field_is_bookkeeping(path);
    for (size_t i = 0; i < gains->scopes->count; i++) {
        const struct manager_scope *scope = &gains->scopes->items[i];
        if (!is_for(scope, gains->review))
            continue;
        if (covers_any(&scope->deny, path, gains->review->arena))
            return false;
        limited |= scope->allow.count > 0;
        allowed = allowed || covers_any(&scope->allow, path, gains->review->arena);
    }
    return allowed || !limited;
}

/* Returns false if memory runs out. */
static bool prepare(struct gains *gains)
{
    const struct ownership *ownership = &gains->review->ownership;
    gains->before = arena_allocate(
        gains->review->arena, ownership->before.count * sizeof(const struct managed_fields_entry *));
    for (size_t i = 0; gains->before && i < ownership->before.count; i++) {
        const struct managed_fields_entry *entry = &ownership->before.entries[i];
        if (slice_equal(entry->manager.name, ownership->writer.manager.name))
            gains->before[gains->before_count++] = entry;
    }
    gains->fields = arena_allocate_array(gains->review->arena, FINDING_FIELDS_MAX, sizeof(*gains->fields));
    return gains->before && gains->fields;
}

/* The entries of its name, with any operation; `but_for` (NULL: none) is not asked. */
static enum search_answer owned_before(
    const struct gains *gains, const struct path *path, const struct managed_fields_entry *but_for)
{
    enum search_answer owned = ANSWER_NO;
    for (size_t i = 0; i < gains->before_count && owned == ANSWER_NO; i++) {
        if (gains->before[i] != but_for)
            owned = fieldset_contains(gains->review->lookup, entry_fields(gains->before[i]), path);
    }
    return owned;
}

/* The topmost list item on the way to the path that the manager had nothing of; NULL: absent. */
static const struct path *new_item(const struct gains *gains, const struct path *path)
{
    const struct path *above = path->parent ? new_item(gains, path->parent) : NULL;
    if (above)
        return above;
    return path->kind != PATH_FIELD && owned_before(gains, path, NULL) == ANSWER_NO ? path : NULL;
}

static struct slice print_path(const struct gains *gains, const struct path *path)
{
    struct text text = text_start(gains->review->arena, 96);
    path_append(&text, path);
    return text_slice(&text);
}

static void finish_item(struct gains *gains)
{
    if (gains->item && !gains->item_in_scope && gains->total > gains->item_start) {
        gains->total = gains->item_start + 1;
        if (gains->item_start < FINDING_FIELDS_MAX)
            gains->fields[gains->item_start] = gains->item_path;
    }
    gains->item = NULL;
}

static void enter_item(struct gains *gains, const struct path *path)
{
    const struct path *item = new_item(gains, path);
    if (gains->item && item && item->text.bytes == gains->item)
        return;
    finish_item(gains);
    gains->item = item ? item->text.bytes : NULL;
    if (item && gains->total < FINDING_FIELDS_MAX)
        gains->item_path = print_path(gains, item);
    gains->item_start = gains->total;
    gains->item_in_scope = false;
}

static bool visit_gained(void *context, const struct path *path)
{
    struct gains *gains = context;
    if (owned_before(gains, path, gains->review->ownership.writer.before) != ANSWER_NO)
        return true;
    enter_item(gains, path);
    if (is_in_scope(gains, path)) {
        gains->item_in_scope |= !path_is_key_field(path);
        return true;
    }
    if (gains->total < FINDING_FIELDS_MAX)
        gains->fields[gains->total] = print_path(gains, path);
    gains->total++;
    return true;
}

static void report(const struct gains *gains, struct verdict *verdict)
{
    const struct writer *writer = &gains->review->ownership.writer;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_manager_scope,
            .action = ACTION_DENY,
            .message = text_join(
                gains->review->arena, message_manager(&writer->manager), " sets ",
                message_fields(gains->fields, gains->total),
                ", which the policy does not allow it to own; leave ",
                message_for(gains->total, "it to others", "them to others")),
            .fields = gains->fields,
            .field_count = min_u64(gains->total, FINDING_FIELDS_MAX),
            .field_total = gains->total,
            .has_writer = true,
            .writer = writer->manager,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct manager_scope_settings *set = verdict->policy->settings[RULE_manager_scope];
    const struct writer *writer = &review->ownership.writer;
    if (!writer->known || !writer->after || !has_scope(&set->scopes, review))
        return;
    struct gains gains = {.review = review, .scopes = &set->scopes};
    enum fields_result result = FIELDS_OUT_OF_MEMORY;
    if (prepare(&gains))
        result = fields_difference(
            entry_fields(writer->after), writer->before ? entry_fields(writer->before) : NULL, review->lookup,
            visit_gained, &gains);
    finish_item(&gains);
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    if (gains.total && result != FIELDS_OUT_OF_MEMORY)
        report(&gains, verdict);
}

const struct rule_definition rule_manager_scope = {
    .judge = judge,
    RULE_SETTINGS(settings, defaults),
};
