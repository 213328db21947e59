/*
 * fights.h: what a log shows of managers that fight over fields: conflicts and what came of them, fields that
 * changed hands on several days, and managers that take a field back. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_FIGHTS_H
#define APPLYGUARD_COMMANDS_REPLAY_FIGHTS_H

#include "commands/replay/summary.h"
#include "commands/replay/write.h"

#include <stdbool.h>
#include <stdint.h>

/* Causes of one conflict that are looked at: each is compared with those before. */
#define REPLAY_CAUSES_MAX 64

/* Owners that are remembered for one conflict. */
#define REPLAY_RIVALS_MAX 4

/* Applies of one manager to one object that a conflict refused, and none was done since. */
struct replay_open_conflict {
    uint64_t hash;                    /* of the object and the manager; 0: the place is free */
    uint32_t rows[REPLAY_RIVALS_MAX]; /* of the table of conflicts */
    uint32_t counts[REPLAY_RIVALS_MAX];
};

/*
 * Places for what is remembered. If two need the same one, the later one is remembered, so there are many: a
 * shard then counts as one run does.
 */
#define REPLAY_OPEN_CONFLICTS 16384
#define REPLAY_LOSSES ((size_t)1 << 17)

/* The parts of a name in the table of conflicts, and in that of fields. */
enum { REPLAY_PART_WRITER, REPLAY_PART_OWNER, REPLAY_RIVALS_PARTS };
enum {
    REPLAY_PART_KIND,
    REPLAY_PART_NAMESPACE,
    REPLAY_PART_NAME,
    REPLAY_PART_FIELD,
    REPLAY_PART_MANAGER,
    REPLAY_PART_OTHER_MANAGER,
    REPLAY_FIELD_PARTS
};

/* All zero but for the rules: nothing was seen. */
struct replay_fights {
    const struct class_rules *class_rules; /* of the policy */
    struct replay_open_conflict open[REPLAY_OPEN_CONFLICTS];
    uint64_t losses[REPLAY_LOSSES]; /* hashes of an object, a field and the manager that lost it last */
};

/* Adds a write to the summary's tables of fights. False: out of memory. */
bool replay_fights_add(
    struct replay_fights *fights, struct replay_summary *summary, const struct replay_write *write,
    struct arena *arena);

/* The fields that changed hands on several days. False: out of memory. */
bool replay_slow_fights(const struct name_table *fields, struct arena *arena, struct name_table *slow);

/*
 * A name of these tables for people: "flux against kubectl-edit", "Deployment.apps shop/web .spec.replicas:
 * helm and tuner". Empty: out of memory.
 */
struct slice replay_fight_label(struct slice name, struct arena *arena);

#endif
