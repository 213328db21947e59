/*
 * The webhook's findings about the patch, from the same review that the API server would send.
 */
#include "base/json.h"
#include "base/json_build.h"
#include "base/json_each.h"
#include "base/split.h"
#include "commands/migrate/migrate.h"
#include "policy/analysis/ownership_rewrites.h"
#include "policy/judge.h"
#include "policy/review/review_from_objects.h"

/* The annotations with another last-applied configuration. */
static void build_annotations(struct json_build *build, yyjson_val *map, struct slice last_applied)
{
    size_t annotations = json_build_open(build, YYJSON_TYPE_OBJ);
    json_each_key(key, map) {
        yyjson_val *member = yyjson_obj_iter_get_val(key);
        json_build_copy(build, key);
        if (slice_equal(json_text(key), SLICE(LAST_APPLIED_ANNOTATION)))
            json_build_string(build, last_applied);
        else
            json_build_copy(build, member);
    }
    json_build_close(build, annotations);
}

static void build_metadata(
    struct json_build *build, yyjson_val *map, yyjson_val *entries, struct slice last_applied)
{
    size_t metadata = json_build_open(build, YYJSON_TYPE_OBJ);
    json_each_key(key, map) {
        yyjson_val *member = yyjson_obj_iter_get_val(key);
        json_build_copy(build, key);
        if (slice_equal(json_text(key), SLICE("annotations")) && last_applied.length)
            build_annotations(build, member, last_applied);
        else
            json_build_copy(build, slice_equal(json_text(key), SLICE("managedFields")) ? entries : member);
    }
    json_build_close(build, metadata);
}

/* The object with its entries after the migration. At this time the API server has not changed its
 * resourceVersion yet. */
static yyjson_val *object_after(const struct migration *migration, yyjson_val *before, struct arena *arena)
{
    yyjson_val *entries = json_parse(migration->managed_fields, arena);
    struct json_build build = json_build_start(arena, json_parts(before), migration->managed_fields.length);
    size_t object = json_build_open(&build, YYJSON_TYPE_OBJ);
    if (!entries)
        return NULL;
    json_each_key(key, before) {
        yyjson_val *member = yyjson_obj_iter_get_val(key);
        json_build_copy(&build, key);
        if (!slice_equal(json_text(key), SLICE("metadata"))) {
            json_build_copy(&build, member);
            continue;
        }
        build_metadata(&build, member, entries, migration->last_applied);
    }
    json_build_close(&build, object);
    return json_build_finish(&build);
}

static const struct review *review_of(
    const struct migration *migration, const struct migrate_sending *sending, struct error *error)
{
    const struct review *live = migration->blame->review;
    struct arena *arena = migration->blame->arena;
    yyjson_val *after = object_after(migration, live->object, arena);
    const struct review_head head = {
        .uid = "migrate",
        .operation = OPERATION_UPDATE,
        .group = live->group,
        .version = live->version,
        .kind = live->kind,
        .namespace = live->namespace,
        .name = live->name,
        .username = sending->as,
        .groups = sending->as_groups,
        .field_manager = migration->sender,
    };
    if (after)
        return review_from_objects(&head, live->object, after, arena, error);
    error_set_out_of_memory(error);
    return NULL;
}

/* A copy of the policy that allows more moves. Returns NULL if memory runs out. */
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

/* A review, its writer and its time. */
struct review_request {
    const struct review *review;
    struct judge_options options;
    struct error *error;
};

/* Returns NULL and sets the error if it cannot be judged. */
static const struct verdict *judge_request(const struct review_request *request, const struct policy *policy)
{
    const struct verdict *verdict = NULL;
    if (!policy)
        error_set_out_of_memory(request->error);
    else if (judge_review(policy, request->review, &request->options, &verdict, request->error) != JUDGE_OK)
        return NULL;
    return verdict;
}

static const struct finding *find_rewrite(const struct verdict *verdict)
{
    return verdict_next(verdict, RULE_managedfields_rewritten, ACTION_DENY, NULL);
}

static bool has_previous_owner(const struct finding *finding, struct slice name)
{
    for (size_t i = 0; i < finding->previous_owner_count; i++)
        if (slice_equal(finding->previous_owners[i].name, name))
            return true;
    /* If not all are listed, it may concern any. */
    return finding->previous_owner_total > finding->previous_owner_count;
}

/* The moves in the finding. */
static struct manager_moves moves_of(
    const struct plan *plan, const struct finding *finding, struct arena *arena)
{
    struct manager_move *items = arena_allocate_array(arena, plan->from_count + 1, sizeof(*items));
    struct manager_moves moves = {items, 0};
    for (size_t i = 0; items && i < plan->from_count; i++) {
        if (has_previous_owner(finding, plan->from[i]))
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
    for (size_t i = 0; i < moves->count; i++)
        text_append_all(
            &text, i ? ", {from: " : "{from: ", as_json(moves->items[i].from),
            ", to: ", as_json(moves->items[i].to), "}");
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
        text_append_all(&text, rules[finding->rule].name, ": ", finding->message, "\n");
    }
    return text.length ? text_slice(&text) : (struct slice){"", 0};
}

int migrate_judge(
    const struct migration *migration, const struct policy *policy, const struct migrate_sending *sending,
    struct migrate_answer *answer, struct error *error)
{
    struct arena *arena = migration->blame->arena;
    const struct review_request request = {
        .review = review_of(migration, sending, error),
        .options = {.ceiling = MODE_ENFORCE, .now = sending->time},
        .error = error,
    };
    struct manager_moves moves = {NULL, 0};
    if (!request.review)
        return -1;
    const struct verdict *verdict = judge_request(&request, policy);
    const struct finding *rewrite = verdict ? find_rewrite(verdict) : NULL;
    if (rewrite) {
        moves = moves_of(&migration->plan, rewrite, arena);
        verdict = judge_request(&request, policy_with(policy, &moves, arena));
    }
    if (!verdict)
        return -1;
    /* Dropped fields have no new owner, which no move allows. */
    if (find_rewrite(verdict))
        moves.count = 0;
    answer->moves = line_of(&moves, arena);
    answer->refusals = refusals_of(verdict, arena);
    return arena_has_failed(arena) ? error_set_out_of_memory(error) : 0;
}

static void append_lines(struct text *text, const char *prefix, struct slice lines)
{
    while (lines.length)
        text_append_all(text, prefix, split_next(&lines, '\n'), "\n");
}

static void append_refused(struct text *text, const char *under, const char *prefix, const char *end)
{
    text_append_all(text, prefix, "The webhook refuses this patch", under, end);
}

void migrate_append_answer(
    struct text *text, const struct migrate_answer *answer, const char *under, const char *prefix)
{
    if (answer->moves.length) {
        append_refused(text, under, prefix, ", unless its policy says:\n");
        append_lines(text, prefix, answer->moves);
    }
    if (answer->refusals.length) {
        append_refused(text, under, prefix, ":\n");
        append_lines(text, prefix, answer->refusals);
    }
}
