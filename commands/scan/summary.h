/*
 * summary.h: what a scan counted. Private to commands/scan/.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SUMMARY_H
#define APPLYGUARD_COMMANDS_SCAN_SUMMARY_H

#include "base/name_table.h"
#include "base/text.h"
#include "commands/scan/managers.h"
#include "commands/scan/readiness.h"
#include "policy/action.h"
#include "policy/config/suggestion.h"
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

/* So many of the largest objects of each kind are kept. */
#define SCAN_LARGEST_OF_KIND 3

/* The longest names that an API server takes. */
#define SCAN_NAMESPACE_BYTES ((size_t)63)
#define SCAN_OBJECT_NAME_BYTES ((size_t)253)

/*
 * One of the largest objects. It has room for its names, so that replacing it takes no memory: objects may
 * come from the smallest to the largest.
 */
struct scan_large {
    uint64_t bytes; /* 0: the list has no more objects */
    struct slice kind;
    size_t namespace_length, name_length;
    char namespace[SCAN_NAMESPACE_BYTES], name[SCAN_OBJECT_NAME_BYTES];
};

/* A kind, in the form Deployment.apps. */
struct scan_kind {
    struct slice name;
    uint64_t objects;
    struct scan_budget budget;
    struct scan_large *largest; /* with keeps_all: SCAN_LARGEST_OF_KIND, the largest first; or NULL */
};

/* A list of objects with what each needs. */
struct scan_tasks {
    struct scan_task *items;
    size_t count, capacity;
};

/* A workload that selects the pods of another one of its namespace. */
struct scan_overlap {
    struct slice context;   /* of kubeconfig; empty if there is one cluster only */
    struct slice namespace; /* of both */
    struct slice kind, name, other_kind, other_name;
    bool is_mutual; /* the other one selects the pods of this one, too */
};

/* A finding in the report. */
struct scan_example {
    struct slice message; /* with its command */
    struct slice command; /* which ends the message; empty: it has none, or it is not known */
};

struct scan_examples {
    struct scan_example *items; /* the strongest ones come first only within an object */
    size_t count, capacity;
};

struct scan_summary {
    struct arena *arena;
    bool keeps_all;
    uint64_t objects;
    struct name_table managers; /* struct scan_manager */
    struct name_table kinds;    /* struct scan_kind */
    struct scan_budget budget;
    struct scan_large annotations[SCAN_LARGEST], managed_fields[SCAN_LARGEST]; /* the largest first */
    uint64_t readiness[SCAN_READINESS_COUNT];
    uint64_t without_last_applied; /* objects that are applied server-side and lack the annotation */
    struct scan_tasks tasks[SCAN_READINESS_COUNT]; /* with keeps_all: of objects to migrate, and stuck ones */
    uint64_t findings[RULE_COUNT][ACTION_COUNT];   /* by what the policy alone would do */
    uint64_t denied[SUGGESTION_PROFILES][RULE_COUNT]; /* by suggestion_profiles, for scan_append_suggestion */
    struct scan_examples examples[RULE_COUNT];
    uint64_t with_findings;        /* objects */
    struct scan_overlap *overlaps; /* at most SCAN_EXAMPLES_ALL */
    size_t overlap_count, overlap_capacity;
    struct name_table forbidden;    /* struct scan_count: kinds that may not be listed */
    struct name_table old_versions; /* struct scan_count: entries of a version that is not served any more */
    uint64_t dropped; /* objects of inputs that have no managedFields at all: the client left them out */
    uint64_t unowned; /* objects without managedFields, in inputs in which others have them */
    uint64_t unread_releases; /* releases of Helm, and objects of them, that were not compared */
    bool is_partial;          /* something could not be read */
};

/* All zero but for the arena. */
void scan_summary_start(struct scan_summary *summary, struct arena *arena, bool keeps_all);

/* Counts an object, without its findings. Returns false if memory runs out. */
bool scan_summary_add_object(struct scan_summary *summary, const struct review *review);

/* Counts the findings of a verdict. Returns false if memory runs out. */
bool scan_summary_add_findings(struct scan_summary *summary, const struct verdict *verdict);

/* Keeps a finding for the report, if there is room. Returns false if memory runs out. */
bool scan_summary_keep_example(
    struct scan_summary *summary, enum rule_id rule, const struct scan_example *example);

/* Counts how ready the object is, and with `keeps_all` keeps its task. Returns false if memory runs out. */
bool scan_summary_add_readiness(struct scan_summary *summary, const struct verdict *verdict);

/* shop/web */
void scan_append_large(struct text *text, const struct scan_large *large);

/* Keeps a copy of the overlap, if there is room. Returns false if memory runs out. */
bool scan_summary_add_overlap(struct scan_summary *summary, const struct scan_overlap *overlap);

/* Deployment shop/a selects the pods of StatefulSet shop/b */
void scan_append_overlap(struct text *text, const struct scan_overlap *overlap);

/* Puts all tables in order. */
void scan_summary_end(struct scan_summary *summary);

/* Whether a finding reached the action. */
bool scan_summary_has_reached(const struct scan_summary *summary, enum action action);

/* How many findings of a rule there are, of any action. */
uint64_t scan_summary_findings(const struct scan_summary *summary, enum rule_id rule);

#endif
