/*
 * replay.h: judges the writes that an audit log shows, as the webhook would have judged them.
 *
 * The log does not hold reviews, but the answers to writes: with the answer before, each answer makes a
 * review. If the log does not show enough for that, the write is not judged, and there is a reason. So each
 * verdict is the one that the webhook would have given.
 *
 *     struct replay *replay = replay_create(&options);
 *     for each event: replay_add(replay, &event, &write), then replay_append_line(&text, &write)
 *     replay_end(replay); replay_append_summary(&text, replay_summary(replay));
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_REPLAY_H
#define APPLYGUARD_COMMANDS_REPLAY_REPLAY_H

#include "audit/event.h"
#include "base/shard.h"
#include "base/text.h"
#include "commands/replay/suggest.h"
#include "commands/replay/summary.h"
#include "commands/replay/write.h"
#include "policy/config/config.h"

#include <stdbool.h>
#include <stddef.h>

struct replay_options {
    const struct policy *policy;
    const struct policy *other; /* NULL, or a policy to compare with */
    struct slice since,
        until; /* times in RFC 3339 and UTC, of requests: from since on, before until; empty: all */
    struct slice_list namespaces; /* globs; empty: all */
    struct slice_list kinds;      /* Deployment, deployments, Deployment.apps, in any case; empty: all */
    size_t memory;                /* bytes for objects */
    bool suggests;      /* the policies are the profiles of suggest.h, and their denials are collected */
    struct shard shard; /* only its objects */
};

struct replay;

/* NULL: out of memory. */
struct replay *replay_create(const struct replay_options *options);

/* Accepts NULL. */
void replay_free(struct replay *replay);

enum replay_result {
    REPLAY_SILENT, /* the event needs no line */
    REPLAY_LINE,   /* `write` is filled, until the next call */
    REPLAY_NO_MEMORY,
};

/* Adds an event. Events come in order of time. */
enum replay_result replay_add(
    struct replay *replay, const struct audit_event *event, struct replay_write *write);

/* Whether a write, other than a dry run, reached the action by what the policy alone would do. */
bool replay_has_reached(const struct replay *replay, enum action action);

/* After the last event. */
const struct replay_summary *replay_end(struct replay *replay);

/* The same for --suggest. */
const struct replay_suggestion *replay_suggestion(const struct replay *replay);

/* The write as one line of JSON. */
void replay_append_line(struct text *text, const struct replay_write *write);

/* For people: what the policy would have done, to which writes, and what could not be judged. */
void replay_append_text(struct text *text, const struct replay_summary *summary);

/*
 * One page of HTML that loads nothing: its beginning with the sums, the beginning of the table of writes,
 * rows (row.h), and the end, with how many rows were left out.
 */
void replay_append_page(struct text *text, const struct replay_summary *summary);
void replay_append_rows_begin(struct text *text);
void replay_append_rows_end(struct text *text, uint64_t more);

/* The summary as one line of JSON. */
void replay_append_summary(struct text *text, const struct replay_summary *summary);

#endif
