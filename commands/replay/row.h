/*
 * row.h: a write for people: a row of the page, or a line of a comparison. It comes from a replay, or from
 * the JSON of a shard.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_ROW_H
#define APPLYGUARD_COMMANDS_REPLAY_ROW_H

#include "base/text.h"
#include "commands/replay/write.h"

#include <stdbool.h>
#include <stddef.h>

struct replay_row_finding {
    enum action action; /* by what the policy alone would do */
    struct slice message;
    struct slice rule;
};

/* The verdict of one policy. */
struct replay_row_verdict {
    struct replay_row_finding *findings;
    size_t count;
    enum action strongest;
};

struct replay_row {
    struct slice time, verb, kind, subresource, namespace, name, user, manager;
    bool is_dry_run;
    bool is_compared; /* two policies decide differently */
    struct replay_row_verdict verdict, other;
    struct slice_list webhooks; /* mutating ones that changed the object */
};

/* The row lives as long as the write and the arena. False: out of memory. */
bool replay_row_of_write(struct replay_row *row, const struct replay_write *write, struct arena *arena);

/* The same from a write's line of JSON, which is decoded. */
bool replay_row_read(struct replay_row *row, yyjson_val *line, struct arena *arena);

/* A row of the table of writes, if the write was warned of or denied. False: nothing is appended. */
bool replay_append_row(struct text *text, const struct replay_row *row);

/* A line with the rules that differ, if two policies decide differently. */
void replay_append_difference(struct text *text, const struct replay_row *row);

#endif
