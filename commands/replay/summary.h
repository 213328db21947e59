/*
 * summary.h: what a replay counted. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_SUMMARY_H
#define APPLYGUARD_COMMANDS_REPLAY_SUMMARY_H

#include "base/text.h"
#include "commands/replay/counts.h"
#include "commands/replay/write.h"
#include "policy/action.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stdint.h>

#define REPLAY_TIME_BYTES_MAX 32

/* Columns of the tables by user, namespace, kind, manager and object. */
enum { REPLAY_WARNED, REPLAY_DENIED };

/* Columns of the tables of fights (fights.h). Tables are ordered by the last column first. */
enum { REPLAY_WON, REPLAY_REFUSED };
enum { REPLAY_LAST_DAY, REPLAY_UNUSED, REPLAY_CHANGES, REPLAY_DAYS };
enum { REPLAY_BY_PEOPLE, REPLAY_BY_SERVICES, REPLAY_TAKEN_BACK };

/* The last row of the table of writes that are not judged. */
#define REPLAY_NOT_SENT "the chart does not send them to the webhook"

/* How many tables of names there are. */
#define REPLAY_TABLES 15

struct replay_time {
    char bytes[REPLAY_TIME_BYTES_MAX];
    size_t length;
};

struct replay_summary {
    struct replay_time first, last; /* of requests */
    uint64_t events, writes, dry_runs;
    uint64_t refused[1000]; /* by HTTP code */
    uint64_t judged[REPLAY_TIER_COUNT];
    uint64_t unjudged[REPLAY_REASON_COUNT];
    uint64_t not_sent; /* writes that the chart does not send to the webhook */
    uint64_t findings[RULE_COUNT][ACTION_COUNT];
    uint64_t index_patches[ACTION_COUNT]; /* findings of the rule index-patch */
    uint64_t would_warn, would_deny;
    struct name_table by_user, by_namespace, by_kind, by_manager;
    struct name_table forced, imperative, conflicts; /* by manager */
    struct name_table objects;  /* Deployment.apps NAMESPACE/NAME, warned of and denied */
    struct name_table messages; /* of findings, with their rules, by action */
    struct name_table hours;    /* 2026-01-31T08, warned of and denied */
    struct name_table webhooks; /* mutating ones, by the writes with findings that they changed */
    struct name_table rivals;   /* writer and owner: conflicts, and how often the writer forced then */
    struct name_table fields;   /* that changed hands between two managers (fights.h) */
    struct name_table unlogged; /* resources whose writes the log's level leaves out */
    struct name_table unknown;  /* managers of unknown class: writes, and fields taken back */
    bool has_other;             /* two policies are compared */
    uint64_t newly_denied, no_longer_denied, newly_warned, no_longer_warned;
};

/* All zero, with the arena for names. */
void replay_summary_start(struct replay_summary *summary, struct arena *arena);

/* The time as text, as long as the summary lives. */
struct slice replay_time(const struct replay_time *time);

/* Extends `first` to `last`, so that the time is within; without effect if it is empty. */
void replay_summary_add_time(struct replay_summary *summary, struct slice time);

/* Counts a request that ended. */
void replay_summary_add_event(struct replay_summary *summary, const struct audit_event *event);

/* Counts a write; the arena is for this call. False: out of memory. */
bool replay_summary_add(
    struct replay_summary *summary, const struct replay_write *write, struct arena *arena);

/*
 * Appends how many writes the API server refused, between the two texts: "667 writes: 158 with 403, 509 with
 * 409". Appends nothing if it refused no write.
 */
void replay_append_refused(
    struct text *text, const char *before, const struct replay_summary *summary, const char *after);

/* Puts the names in order. */
void replay_summary_end(struct replay_summary *summary);

#endif
