/*
 * What the webhook says of the patch: the very review that the API server would send is judged.
 */
#include "base/json.h"
#include "commands/migrate/migrate.h"
#include "policy/analysis/ownership_rewrites.h"
#include "policy/judge.h"
#include "policy/review/review_write.h"

/* The object with the entries that it has afterwards. The API server leaves its resourceVersion for later. */
static struct slice object_after(const struct migration *migration, struct slice json, struct arena *arena)
{
    const yyjson_read_flag flags = YYJSON_READ_NUMBER_AS_RAW;
    yyjson_alc alc = arena_yyjson(arena);
    yyjson_doc *before = json_read(json, flags, arena, NULL);
    yyjson_doc *entries = json_read(migration->managed_fields, flags, arena, NULL);
    yyjson_mut_doc *after = before && entries ? yyjson_doc_mut_copy(before, &alc) : NULL;
    yyjson_mut_val *list = after ? yyjson_val_mut_copy(after, yyjson_doc_get_root(entries)) : NULL;
    yyjson_mut_val *key = list ? yyjson_mut_str(after, "managedFields") : NULL;
    size_t length = 0;
    if (!key)
        return (struct slice){NULL, 0};
    yyjson_mut_obj_replace(yyjson_mut_obj_get(yyjson_mut_doc_get_root(after), "metadata"), key, list);
    char *written = yyjson_mut_write_opts(after, YYJSON_WRITE_NOFLAG, &alc, &length, NULL);
    return (struct slice){written, written ? length : 0};
}

static struct slice review_of(
    const struct migration *migration, const struct manifest_object *object,
    const struct migrate_sending *sending, struct arena *arena)
{
    struct slice before = manifest_json(object->root, arena);
    struct slice after = object_after(migration, before, arena);
    struct text text = text_start(arena, before.length + after.length + 1024);
    if (!after.bytes)
        return after;
    const struct review_head head = {
        .uid = "migrate",
        .operation = OPERATION_UPDATE,
        .group = migration->group,
        .version = migration->version,
        .kind = object->kind,
        .namespace = object->namespace,
        .name = object->name,
        .username = sending->as,
        .groups = sending->as_groups,
        .field_manager = migration->plan.request->to,
    };
    review_write_head(&text, &head);
    review_write_object(&text);
    text_append(&text, after);
    review_write_old_object(&text);
    text_append(&text, before);
    review_write_end(&text);
    return text_slice(&text);
}

/* The same policy, which allows some moves more. NULL if there is no memory. */
static const struct policy *policy_with(
    const struct policy *policy, const struct manager_moves *more, struct arena *arena)
{
    const struct ownership_rewrites_settings *settings = policy->settings[RULE_managedfields_rewritten];
    struct policy *widened = arena_allocate_array(arena, 1, sizeof(*widened));
    struct ownership_rewrites_settings *wider = arena_allocate_array(arena, 1, sizeof(*wider));
    size_t count = settings ? settings->moves.count : 0;
    struct manager_move *items = arena_allocate_array(arena, count + more->count + 1, sizeof(*items));
    if (!widened || !wider || !items)
        return NULL;
    for (size_t i = 0; i < count; i++)
        items[i] = settings->moves.items[i];
    for (size_t i = 0; i < more->count; i++)
        items[count + i] = more->items[i];
    wider->moves = (struct manager_moves){items, count + more->count};
    *widened = *policy;
    widened->settings[RULE_managedfields_rewritten] = wider;
    return widened;
}

/* One review, of one writer, at one time. */
struct hearing {
    struct slice review;
    struct judge_options options;
    struct arena *arena;
    struct error *error;
};

/* NULL and an error if it cannot be judged. */
static const struct verdict *hear(const struct hearing *hearing, const struct policy *policy)
{
    const struct verdict *verdict = NULL;
    if (!policy)
        error_set(hearing->error, "there is no memory");
    else if (
        judge(policy, hearing->review, &hearing->options, hearing->arena, &verdict, hearing->error) !=
        JUDGE_OK)
        return NULL;
    return verdict;
}

static const struct finding *find_rewrite(const struct verdict *verdict)
{
    return verdict_next(verdict, RULE_managedfields_rewritten, ACTION_DENY, NULL);
}

static bool has_loser(const struct finding *finding, struct slice name)
{
    for (size_t i = 0; i < finding->loser_count; i++)
        if (slice_equal(finding->losers[i].name, name))
            return true;
    /* More than are listed: any. */
    return finding->loser_total > finding->loser_count;
}

/* The moves that the finding is about. */
static struct manager_moves moves_of(
    const struct plan *plan, const struct finding *finding, struct arena *arena)
{
    struct manager_move *items = arena_allocate_array(arena, plan->from_count + 1, sizeof(*items));
    struct manager_moves moves = {items, 0};
    for (size_t i = 0; items && i < plan->from_count; i++) {
        if (has_loser(finding, plan->from[i]))
            items[moves.count++] = (struct manager_move){.from = plan->from[i], .to = plan->request->to};
    }
    return moves;
}

static struct slice line_of(const struct manager_moves *moves, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    if (!moves->count)
        return (struct slice){"", 0};
    text_append_string(&text, "rules: {managedfields-rewritten: {moves: [");
    for (size_t i = 0; i < moves->count; i++) {
        text_append_member(&text, i ? ", {from: " : "{from: ", moves->items[i].from);
        text_append_member(&text, ", to: ", moves->items[i].to);
        text_append_string(&text, "}");
    }
    text_append_string(&text, "]}}");
    return text_printable(arena, text_slice(&text));
}

static struct slice refusals_of(const struct verdict *verdict, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->action != ACTION_DENY)
            continue;
        text_append_string(&text, rules[finding->rule].name);
        text_append_string(&text, ": ");
        text_append(&text, finding->message);
        text_append_string(&text, "\n");
    }
    return text.length ? text_slice(&text) : (struct slice){"", 0};
}

int migrate_judge(
    const struct migration *migration, const struct manifest_object *object, const struct policy *policy,
    const struct migrate_sending *sending, struct arena *arena, struct migrate_answer *answer,
    struct error *error)
{
    const struct hearing hearing = {
        .review = review_of(migration, object, sending, arena),
        .options = {.ceiling = MODE_ENFORCE, .now = sending->time},
        .arena = arena,
        .error = error,
    };
    struct manager_moves moves = {NULL, 0};
    *answer = (struct migrate_answer){{"", 0}, {"", 0}};
    if (!hearing.review.bytes)
        return error_set(error, "there is no memory");
    const struct verdict *verdict = hear(&hearing, policy);
    const struct finding *rewrite = verdict ? find_rewrite(verdict) : NULL;
    if (rewrite) {
        moves = moves_of(&migration->plan, rewrite, arena);
        verdict = hear(&hearing, policy_with(policy, &moves, arena));
    }
    if (!verdict)
        return -1;
    /* Fields that are dropped went to nobody, which no move allows. */
    if (find_rewrite(verdict))
        moves.count = 0;
    answer->moves = line_of(&moves, arena);
    answer->refusals = refusals_of(verdict, arena);
    if (arena_has_failed(arena))
        return error_set(error, "there is no memory");
    return 0;
}
