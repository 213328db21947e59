#include "commands/replay/replay.h"

#include "audit/objects.h"
#include "base/array_size.h"
#include "base/glob.h"
#include "base/json.h"
#include "base/siphash.h"
#include "commands/replay/fights.h"
#include "commands/replay/groups.h"
#include "commands/replay/review.h"
#include "manifest/kinds.h"
#include "policy/judge.h"

#include <stdlib.h>

struct replay {
    struct replay_options options;
    struct replay_judge judge; /* its arena is for one event */
    struct arena *names;       /* of the summary and of the policies' groups */
    enum action strongest;     /* of all writes but dry runs */
    uint64_t event_count;      /* of all shards */
    struct replay_summary summary;
    struct replay_fights fights;
    struct replay_doubt doubts[REPLAY_DOUBTS];
    struct replay_suggestion suggestion;
};

/* Which fields are remembered must not depend on the run. */
static struct takeover_history *create_history(void)
{
    return takeover_history_create((struct siphash_seed){{0x7265706c6179, 0x74616b656f766572}});
}

/* With kinds in place of their short names. Returns false if memory runs out. */
static bool name_kinds(struct slice_list *kinds, struct arena *arena)
{
    struct slice *named = arena_allocate_array(arena, kinds->count + 1, sizeof(*named));
    for (size_t i = 0; named && i < kinds->count; i++) {
        struct slice name = kinds->items[i];
        size_t length = slice_find(name, '.');
        struct slice kind = kind_of_short_name(slice_until(name, length));
        named[i] = kind.length ? text_join(arena, kind, slice_from(name, length)) : name;
    }
    kinds->items = named;
    return named && !arena_has_failed(arena);
}

struct replay *replay_create(const struct replay_options *options)
{
    struct replay *replay = calloc(1, sizeof(*replay));
    if (!replay)
        return NULL;
    struct replay_judge *judge = &replay->judge;
    replay->options = *options;
    replay->names = arena_create();
    *judge = (struct replay_judge){
        .policy = options->policy,
        .other = options->other,
        .history = create_history(),
        .other_history = options->other ? create_history() : NULL,
        .objects = audit_objects_create(options->memory),
        .doubts = replay->doubts,
        .arena = arena_create(),
    };
    bool is_whole = judge->objects && judge->history && judge->arena && replay->names &&
        (!options->other || judge->other_history) && name_kinds(&replay->options.kinds, replay->names) &&
        replay_groups(options->policy, options->other, replay->names, &judge->groups);
    if (is_whole) {
        replay_summary_start(&replay->summary, replay->names);
        replay->summary.has_other = options->other;
        replay->suggestion.denied = replay_counts_start(replay->names);
        replay->fights.class_rules = &options->policy->managers;
        return replay;
    }
    replay_free(replay);
    return NULL;
}

void replay_free(struct replay *replay)
{
    if (!replay)
        return;
    audit_objects_free(replay->judge.objects);
    takeover_history_destroy(replay->judge.history);
    takeover_history_destroy(replay->judge.other_history);
    arena_destroy(replay->judge.arena);
    arena_destroy(replay->names);
    free(replay);
}

/*
 * Selection
 */

static bool is_in_time(const struct replay_options *options, const struct audit_event *event)
{
    struct slice time = audit_time(event);
    return (!options->since.length || slice_compare(time, options->since) >= 0) &&
        (!options->until.length || slice_compare(time, options->until) < 0);
}

/* By the object, so that all requests about it are in one shard. */
static bool is_in_shard(const struct replay_options *options, const struct audit_event *event)
{
    const struct audit_object *object = &event->object;
    const struct slice parts[] = {
        object->group, object->resource, object->namespace, audit_object_name(event)};
    struct siphash_seed seed = {{0x7265706c6179, 0x7368617264}};
    if (!options->shard.count)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        seed.words[0] ^= siphash(parts[i], seed);
    return seed.words[0] % options->shard.count == options->shard.index;
}

static bool is_one_of(const struct slice_list *list, struct slice name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (slice_equal_in_any_case(list->items[i], name))
            return true;
    }
    return false;
}

/* Where the log shows no kind, the resource does. */
static bool is_resource_of(
    const struct slice_list *kinds, const struct audit_object *object, struct arena *arena)
{
    for (size_t i = 0; i < kinds->count; i++) {
        size_t length = slice_find(kinds->items[i], '.');
        struct slice kind = slice_until(kinds->items[i], length),
                     group = slice_from(kinds->items[i], length + 1);
        if (kind.length && slice_equal(object->resource, kind_resource_of(kind, arena)) &&
            (!group.length || slice_equal(group, object->group)))
            return true;
    }
    return false;
}

static bool is_of_kind(const struct slice_list *kinds, const struct replay_write *write, struct arena *arena)
{
    return !kinds->count || is_one_of(kinds, write->kind) || is_one_of(kinds, write->resource) ||
        is_one_of(kinds, write->event->object.resource) ||
        is_one_of(kinds, slice_until(write->kind, slice_find(write->kind, '.'))) ||
        (!write->kind.length && is_resource_of(kinds, &write->event->object, arena));
}

static bool is_selected(const struct replay *replay, const struct replay_write *write)
{
    const struct replay_options *options = &replay->options;
    struct slice namespace = write->event->object.namespace;
    return (!options->namespaces.count ||
            glob_match_any(options->namespaces.items, options->namespaces.count, namespace)) &&
        is_of_kind(&options->kinds, write, replay->judge.arena);
}

/*
 * Events
 */

static bool judge_write(struct replay *replay, struct replay_write *write)
{
    if (write->is_refused)
        return true;
    if (!replay_judge_write(&replay->judge, write))
        return false;
    /* No write takes fields from the owners of an object without managedFields, so all takes are known. */
    if (write->verdict)
        replay_remember_takes(write);
    replay_doubt_add(replay_doubt_of(replay->doubts, write), write);
    return true;
}

static bool has_line(const struct replay *replay, const struct replay_write *write)
{
    if (replay->options.other)
        return write->other && !replay_is_same(write);
    return write->causes || write->reason != REPLAY_NO_REASON || write->index_patch ||
        replay_next_finding(write, write->verdict, NULL);
}

static enum replay_result add_write(
    struct replay *replay, const struct audit_event *event, struct replay_write *write)
{
    struct arena *arena = replay->judge.arena;
    if (!replay_write_read(write, event, &replay->options.policy->managers, arena) ||
        !judge_write(replay, write))
        return REPLAY_NO_MEMORY;
    write->number = replay->options.shard.count ? replay->event_count : 0;
    if (!is_in_time(&replay->options, event) || !is_selected(replay, write))
        return REPLAY_SILENT;
    if (!replay_summary_add(&replay->summary, write, arena) ||
        !replay_fights_add(&replay->fights, &replay->summary, write, arena) ||
        (replay->options.suggests && !replay_suggestion_add(&replay->suggestion, write)))
        return REPLAY_NO_MEMORY;
    enum action strongest = replay_strongest(write, write->verdict);
    if (!event->is_dry_run && strongest > replay->strongest)
        replay->strongest = strongest;
    return has_line(replay, write) ? REPLAY_LINE : REPLAY_SILENT;
}

enum replay_result replay_add(
    struct replay *replay, const struct audit_event *event, struct replay_write *write)
{
    enum replay_result result = REPLAY_SILENT;
    arena_reset(replay->judge.arena);
    replay->event_count++;
    audit_objects_see(replay->judge.objects, event);
    if (!is_in_shard(&replay->options, event))
        return REPLAY_SILENT;
    if (is_in_time(&replay->options, event))
        replay_summary_add_event(&replay->summary, event);
    if (replay_is_write(event))
        result = add_write(replay, event, write);
    if (result == REPLAY_NO_MEMORY || arena_has_failed(replay->judge.arena) ||
        (replay_is_followed(event) && !audit_objects_follow(replay->judge.objects, event)))
        return REPLAY_NO_MEMORY;
    return result;
}

bool replay_has_reached(const struct replay *replay, enum action action)
{
    return replay->strongest >= action;
}

const struct replay_summary *replay_end(struct replay *replay)
{
    replay_summary_end(&replay->summary);
    replay_counts_sort(&replay->suggestion.denied);
    return &replay->summary;
}

const struct replay_suggestion *replay_suggestion(const struct replay *replay)
{
    return &replay->suggestion;
}
