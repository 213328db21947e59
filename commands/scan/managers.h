/*
 * managers.h: the ownership matrix: which manager owns how many fields of which kinds, and when it last
 * wrote. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_MANAGERS_H
#define APPLYGUARD_COMMANDS_SCAN_MANAGERS_H

#include "base/name_table.h"
#include "policy/managers.h"
#include "policy/review/review.h"

/* More managers than any cluster has: clients choose the names. */
#define SCAN_MANAGERS_MAX 4096

/* A time in RFC 3339, in UTC. */
#define SCAN_TIME_BYTES 20

/* The number of manager classes. */
#define SCAN_CLASSES (CLASS_BOOKKEEPING + 1)

/* Why a manager has its class; the strongest reason that applies to an object. */
enum scan_evidence {
    SCAN_EVIDENCE_NONE,
    SCAN_EVIDENCE_POLICY,        /* a line of the policy */
    SCAN_EVIDENCE_SUBRESOURCE,   /* it writes the status or the scale */
    SCAN_EVIDENCE_NAME,          /* a known name */
    SCAN_EVIDENCE_APPLY,         /* it applies server-side */
    SCAN_EVIDENCE_CONFIGURATION, /* it keeps its configuration on the object */
    SCAN_EVIDENCE_OWNER,         /* it made the object for another one */
    SCAN_EVIDENCE_COUNT
};

/* A count by name. */
struct scan_count {
    struct slice name;
    uint64_t number;
};

struct scan_manager {
    struct slice key; /* the operation, and the name */
    struct slice name;
    enum manager_operation operation;
    uint64_t classes[SCAN_CLASSES]; /* entries by class */
    uint64_t evidence[SCAN_EVIDENCE_COUNT];
    uint64_t objects, fields;
    struct name_table kinds;                            /* struct scan_count: objects */
    char first[SCAN_TIME_BYTES], last[SCAN_TIME_BYTES]; /* writes; empty: unknown */
};

/* Counts the managers of an object. Returns false if memory runs out. */
bool scan_managers_add(struct name_table *managers, const struct review *review);

/* Finds or adds a manager. NULL: memory runs out, or there are too many. */
struct scan_manager *scan_managers_find_or_add(
    struct name_table *managers, struct slice name, enum manager_operation operation);

/* Notes a write, if it is the first or the last one. */
void scan_manager_note_time(struct scan_manager *manager, struct slice time);

/* Orders them: managers of the most objects first. */
void scan_managers_sort(struct name_table *managers);

/* The class of most of its entries, and the evidence of most. */
enum manager_class scan_manager_class(const struct scan_manager *manager);
enum scan_evidence scan_manager_evidence(const struct scan_manager *manager);

/* "name", "policy", …; "" for none. */
const char *scan_evidence_name(enum scan_evidence evidence);

/* Its tool as people know it; empty: its own name has to do. */
struct slice scan_manager_tool(const struct scan_manager *manager);

/* A time, which is empty if it is unknown. */
struct slice scan_time(const char time[SCAN_TIME_BYTES]);

#endif
