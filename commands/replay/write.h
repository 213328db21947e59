/*
 * write.h: a write that an audit log shows, with what is known of it. Private to commands/replay/.
 */
#ifndef APPLYGUARD_COMMANDS_REPLAY_WRITE_H
#define APPLYGUARD_COMMANDS_REPLAY_WRITE_H

#include "audit/event.h"
#include "commands/replay/index_patch.h"
#include "policy/managers.h"
#include "policy/review/review.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum replay_tier {
    REPLAY_FULL,     /* all rules judge */
    REPLAY_PARTIAL,  /* only the rules that need no managedFields */
    REPLAY_METADATA, /* nothing is judged */
};

#define REPLAY_TIER_COUNT 3

/* Why a write is not judged in full. */
enum replay_reason {
#define REASON(symbol, name, text) REPLAY_##symbol,
#include "commands/replay/reasons.def"
#undef REASON
    REPLAY_REASON_COUNT
};

/* A verdict that a write may have, and the one under the policy to compare with. */
struct replay_possible {
    const struct verdict *verdict, *other;
    const struct replay_possible *next;
};

/* The objects that the log shows for a write, which make its review. */
struct replay_shown {
    enum operation operation;
    yyjson_val *before, *after;
    struct slice scaled; /* the object whose replicas the request sets, as JSON; empty: it sets none */
};

struct replay_write {
    const struct audit_event *event;
    struct slice time;     /* when the request came */
    struct slice kind;     /* Deployment.apps; empty: not known */
    struct slice resource; /* deployments.apps */
    struct slice name;
    struct slice manager; /* empty: not known */
    bool has_class;
    enum manager_class class; /* of the writer */
    bool is_apply;            /* a server-side apply */
    bool is_refused;
    yyjson_val *causes; /* of a conflict that refused it: an array, or NULL */
    enum replay_tier tier;
    enum replay_reason reason;
    struct replay_shown shown;
    const struct verdict *verdict;                /* NULL: it is not judged */
    const struct verdict *other;                  /* under the policy to compare with */
    const struct replay_index_patch *index_patch; /* NULL: nothing was found */
    struct slice index_message;                   /* what is said of it */
    enum action index_action;
    const struct replay_possible *possible; /* if it is not judged: NULL, or verdicts that it may have */
    bool takes_are_known; /* not judged, but which fields it took from their owners is known */
    bool lacks_former;    /* the log lacks a write to the object before this one, or has it later */
    uint64_t number;      /* of the event, for lines of shards; 0: it has none */
};

/* "full", "partial", "metadata". */
const char *replay_tier_name(enum replay_tier tier);

/* "first-seen". Empty for REPLAY_NO_REASON. */
const char *replay_reason_name(enum replay_reason reason);

/* The meaning of the reason, as a sentence without a full stop. */
const char *replay_reason_text(enum replay_reason reason);

/* Whether the request writes an object that the API server stores. */
bool replay_is_write(const struct audit_event *event);

/* Whether the chart may send it to the webhook: another write is not judged. */
bool replay_is_sent(const struct audit_event *event);

/* Whether a write to the object may be sent, so that it matters how requests left the object. */
bool replay_is_followed(const struct audit_event *event);

/* Reads the facts about the write that need no objects. False: out of memory. */
bool replay_write_read(
    struct replay_write *write, const struct audit_event *event, const struct class_rules *class_rules,
    struct arena *arena);

/* Deployment.apps, or deployments.apps if the kind is not known. */
struct slice replay_kind_or_resource(const struct replay_write *write);

/* Deployment.apps shop/web. NULL bytes if memory runs out. */
struct slice replay_object(const struct replay_write *write, struct arena *arena);

/* The next finding after `last` (NULL: the first) that counts in the write's tier. NULL: no more. */
const struct finding *replay_next_finding(
    const struct replay_write *write, const struct verdict *verdict, const struct finding *last);

/* The strongest action of these by what the policy alone would do. */
enum action replay_strongest(const struct replay_write *write, const struct verdict *verdict);

/* Whether it would have been allowed. */
bool replay_is_allowed(const struct replay_write *write, const struct verdict *verdict);

/* Whether both policies find the same. */
bool replay_is_same(const struct replay_write *write);

#endif
