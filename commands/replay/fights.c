#include "commands/replay/fights.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "base/siphash.h"
#include "base/text.h"
#include "base/utc_time.h"
#include "commands/replay/conflict.h"

#define SECONDS_OF_A_DAY 86400

struct fight {
    struct replay_fights *fights;
    struct replay_summary *summary;
    const struct replay_write *write;
    struct slice object; /* Deployment.apps shop/web */
    struct arena *arena;
};

/* The result does not depend on the run, so the seed is fixed: texts that collide make a number inexact. */
static uint64_t hash_of(struct slice object, struct slice field, struct slice manager)
{
    const struct slice parts[] = {object, field, manager};
    struct siphash_seed seed = {{0x7265706c6179, 0x666967687473}};
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        seed.words[0] = siphash(parts[i], seed);
    return seed.words[0] ? seed.words[0] : 1;
}

/*
 * Conflicts
 */

static struct replay_open_conflict *open_conflict(const struct fight *fight, uint64_t *hash)
{
    *hash = hash_of(fight->object, SLICE(""), fight->write->manager);
    return &fight->fights->open[*hash % REPLAY_OPEN_CONFLICTS];
}

/* Adds to the row of the conflict that has it, or to a free one: others are counted as not forced. */
static void note_row(struct replay_open_conflict *open, uint32_t row)
{
    for (size_t i = 0; i < REPLAY_RIVALS_MAX; i++) {
        if (open->counts[i] && open->rows[i] != row)
            continue;
        open->rows[i] = row;
        open->counts[i]++;
        return;
    }
}

/* Whether an earlier cause names the same owner. */
static bool is_repeated(
    const struct replay_write *write, size_t place, struct slice owner, struct arena *arena)
{
    json_each_item(cause, write->causes) {
        if (json_position(cause) == place)
            return false;
        if (slice_equal(replay_conflict_of(cause, arena).manager, owner))
            return true;
    }
    return false;
}

/* Owners beyond the first causes are not counted: an apply has as many causes as it has fields. */
static bool add_refused(const struct fight *fight)
{
    struct name_table *table = &fight->summary->rivals;
    uint64_t hash;
    struct replay_open_conflict *open = open_conflict(fight, &hash);
    if (open->hash != hash)
        *open = (struct replay_open_conflict){.hash = hash};
    json_each_item(cause, fight->write->causes) {
        struct slice owner = replay_conflict_of(cause, fight->arena).manager;
        if (json_position(cause) == REPLAY_CAUSES_MAX)
            break;
        if (is_repeated(fight->write, json_position(cause), owner, fight->arena))
            continue;
        const struct slice parts[] = {fight->write->manager, owner};
        struct replay_count *row = replay_counts_row_of_parts(table, parts, ARRAY_SIZE(parts), fight->arena);
        if (!row)
            return false;
        row->values[REPLAY_REFUSED]++;
        note_row(open, (uint32_t)(row - replay_counts_item(table, 0)));
    }
    return true;
}

/* An apply that was done ends the conflict: the writer has won if it forced the apply. */
static void end_conflict(const struct fight *fight)
{
    uint64_t hash;
    if (!fight->write->event->has_force)
        return;
    struct replay_open_conflict *open = open_conflict(fight, &hash);
    if (open->hash != hash)
        return;
    for (size_t i = 0; i < REPLAY_RIVALS_MAX && fight->write->event->is_forced; i++) {
        if (open->counts[i])
            replay_counts_item(&fight->summary->rivals, open->rows[i])->values[REPLAY_WON] += open->counts[i];
    }
    *open = (struct replay_open_conflict){0};
}

/*
 * Fields that change hands
 */

/* The class of a manager that applies is always known. */
static bool is_of_unknown_class(const struct replay_write *write, const struct class_rules *class_rules)
{
    const struct manager manager = {write->manager, MANAGER_UPDATE, write->event->object.subresource};
    const struct manager_facts facts = {.role = ROLE_OWNER, .group = write->event->object.group};
    return write->has_class && !write->is_apply &&
        manager_classify(&manager, &facts, class_rules) == CLASS_UNKNOWN;
}

/* The managers in the order of their names. NULL: out of memory. */
static struct replay_count *row_of_field(
    const struct fight *fight, struct slice field, struct slice writer, struct slice owner)
{
    const struct replay_write *write = fight->write;
    bool is_in_order = slice_compare(writer, owner) < 0;
    const struct slice parts[] = {
        replay_kind_or_resource(write), write->event->object.namespace, write->name, field,
        is_in_order ? writer : owner,   is_in_order ? owner : writer,
    };
    return replay_counts_row_of_parts(&fight->summary->fields, parts, ARRAY_SIZE(parts), fight->arena);
}

static bool add_change(const struct fight *fight, struct slice field, struct slice writer, struct slice owner)
{
    uint64_t day = (uint64_t)(utc_time_seconds(fight->write->time) / SECONDS_OF_A_DAY) + 1;
    struct replay_count *row = row_of_field(fight, field, writer, owner);
    if (!row)
        return false;
    row->values[REPLAY_CHANGES]++;
    row->values[REPLAY_DAYS] += row->values[REPLAY_LAST_DAY] != day;
    row->values[REPLAY_LAST_DAY] = day;
    return true;
}

/* Whether the writer had lost the field before. */
static bool takes_back(const struct fight *fight, struct slice field, struct slice writer)
{
    uint64_t hash = hash_of(fight->object, field, writer);
    uint64_t *place = &fight->fights->losses[hash % REPLAY_LOSSES];
    bool is_back = *place == hash;
    if (is_back)
        *place = 0;
    return is_back;
}

static bool add_finding(const struct fight *fight, const struct finding *finding, bool *is_back)
{
    for (size_t i = 0; i < finding->field_count; i++) {
        *is_back |= takes_back(fight, finding->fields[i], finding->writer.name);
        for (size_t j = 0; j < finding->previous_owner_count; j++) {
            struct slice owner = finding->previous_owners[j].name;
            uint64_t hash = hash_of(fight->object, finding->fields[i], owner);
            fight->fights->losses[hash % REPLAY_LOSSES] = hash;
            if (!add_change(fight, finding->fields[i], finding->writer.name, owner))
                return false;
        }
    }
    return true;
}

static bool add_unknown(const struct fight *fight, bool is_back)
{
    const struct replay_write *write = fight->write;
    if (!replay_is_sent(write->event) || !is_of_unknown_class(write, fight->fights->class_rules))
        return true;
    struct replay_count *row =
        replay_counts_row_of_parts(&fight->summary->unknown, &write->manager, 1, fight->arena);
    if (!row)
        return false;
    row->values[write->class == CLASS_CONTROLLER ? REPLAY_BY_SERVICES : REPLAY_BY_PEOPLE]++;
    row->values[REPLAY_TAKEN_BACK] += is_back;
    return true;
}

static bool add_done(const struct fight *fight)
{
    const struct replay_write *write = fight->write;
    bool is_back = false, is_added = true;
    end_conflict(fight);
    for (const struct finding *finding = NULL;
         is_added && (finding = replay_next_finding(write, write->verdict, finding));) {
        if (finding->rule == RULE_ownership_conflict && finding->has_writer && finding->writer.name.length)
            is_added = add_finding(fight, finding, &is_back);
    }
    return is_added && add_unknown(fight, is_back);
}

/* Without a finding or a conflict, the object's name is not needed. */
static bool needs_name(const struct replay_write *write)
{
    return write->causes || write->event->has_force || replay_next_finding(write, write->verdict, NULL);
}

bool replay_fights_add(
    struct replay_fights *fights, struct replay_summary *summary, const struct replay_write *write,
    struct arena *arena)
{
    if (write->event->is_dry_run || (write->is_refused && !write->causes))
        return true;
    struct slice object = needs_name(write) ? replay_object(write, arena) : SLICE("");
    const struct fight fight = {fights, summary, write, object, arena};
    return object.bytes && (write->is_refused ? add_refused(&fight) : add_done(&fight)) &&
        !arena_has_failed(arena);
}

/*
 * Rows
 */

bool replay_slow_fights(const struct name_table *fields, struct arena *arena, struct name_table *slow)
{
    return replay_counts_at_least(fields, REPLAY_DAYS, 2, arena, slow);
}

static void append_field(struct text *text, struct slice name)
{
    text_append_all(
        text, replay_counts_part(name, REPLAY_PART_KIND), " ",
        as_qualified(
            text_append, replay_counts_part(name, REPLAY_PART_NAMESPACE),
            replay_counts_part(name, REPLAY_PART_NAME)),
        " ", replay_counts_part(name, REPLAY_PART_FIELD), ": ", replay_counts_part(name, REPLAY_PART_MANAGER),
        " and ", replay_counts_part(name, REPLAY_PART_OTHER_MANAGER));
}

struct slice replay_fight_label(struct slice name, struct arena *arena)
{
    struct text text = text_start(arena, 128);
    bool is_rival = slice_contains(name, '\0');
    if (replay_counts_part(name, REPLAY_PART_FIELD).length) {
        append_field(&text, name);
    } else {
        struct slice writer = replay_counts_part(name, REPLAY_PART_WRITER);
        text_append(&text, is_rival && !writer.length ? SLICE("(none)") : writer);
        text_append_all(&text, is_rival ? " against " : "", replay_counts_part(name, REPLAY_PART_OWNER));
    }
    return text_slice(&text);
}
