/*
 * summary.h: what a scan counted. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SUMMARY_H
#define APPLYGUARD_COMMANDS_SCAN_SUMMARY_H

#include "commands/scan/managers.h"
#include "commands/scan/table.h"
#include "policy/action.h"
#include "policy/rules.h"
#include "policy/verdict/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* So many findings of a rule are kept as examples; with `keeps_all` so many. */
#define SCAN_EXAMPLES 3
#define SCAN_EXAMPLES_ALL 10000

/* So many objects with the largest annotations, and the largest managedFields, are kept. */
#define SCAN_LARGEST 5

/* Bytes of JSON. */
struct scan_budget {
    uint64_t annotations, managed_fields, objects;
    uint64_t last_applied; /* the part of the annotations that server-side apply does not need */
};

/* A kind, in the form Deployment.apps. */
struct scan_kind {
    struct slice name;
    uint64_t objects;
    struct scan_budget budget;
};

/* An object with much of something. */
struct scan_large {
    struct slice object; /* Deployment.apps shop/web */
    uint64_t bytes;
};

enum scan_readiness {
    SCAN_NOT_APPLIED, /* no tool applies the object */
    SCAN_READY,       /* it is applied server-side */
    SCAN_MIGRATE,     /* an applier owns fields by Update */
    SCAN_STUCK,       /* it has fields that no apply removes */
    SCAN_READINESS_COUNT
};

struct scan_examples {
    struct slice *messages; /* the strongest ones come first only within an object */
    size_t count, capacity;
};

struct scan_summary {
    struct arena *arena;
    bool keeps_all;
    uint64_t objects;
    struct scan_table managers; /* struct scan_manager */
    struct scan_table kinds;    /* struct scan_kind */
    struct scan_budget budget;
    struct scan_large annotations[SCAN_LARGEST], managed_fields[SCAN_LARGEST]; /* the largest first */
    uint64_t readiness[SCAN_READINESS_COUNT];
    uint64_t findings[RULE_COUNT][ACTION_COUNT]; /* by what the policy alone would do */
    struct scan_examples examples[RULE_COUNT];
    uint64_t with_findings;         /* objects */
    struct scan_table forbidden;    /* struct scan_count: kinds that may not be listed */
    struct scan_table old_versions; /* struct scan_count: entries of a version that is not served any more */
    uint64_t dropped; /* objects of inputs that have no managedFields at all: the client left them out */
    uint64_t unowned; /* objects without managedFields, in inputs in which others have them */
    bool is_partial;  /* something could not be read */
};

/* All zero but for the arena. */
void scan_summary_start(struct scan_summary *summary, struct arena *arena, bool keeps_all);

/* Counts an object, without its findings. Returns false if memory runs out. */
bool scan_summary_add_object(struct scan_summary *summary, const struct review *review);

/* Counts the findings of a verdict. Returns false if memory runs out. */
bool scan_summary_add_findings(struct scan_summary *summary, const struct verdict *verdict);

/* Keeps the message of a finding for the report, if there is room. Returns false if memory runs out. */
bool scan_summary_keep_example(struct scan_summary *summary, enum rule_id rule, struct slice message);

/* How ready the object is for server-side apply. */
enum scan_readiness scan_readiness_of(const struct verdict *verdict);

/* "ready", "migrate", "stuck"; NULL for an object that no tool applies. */
const char *scan_readiness_name(enum scan_readiness readiness);

/* Puts all tables in order. */
void scan_summary_end(struct scan_summary *summary);

/* Whether a finding reached the action. */
bool scan_summary_has_reached(const struct scan_summary *summary, enum action action);

/* How many findings of a rule there are, of any action. */
uint64_t scan_summary_findings(const struct scan_summary *summary, enum rule_id rule);

#endif
