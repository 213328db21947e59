/*
 * review_cache.h: caches what was computed about a review. Only the function that computes a part reads and
 * writes it.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_CACHE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_CACHE_H

#include "policy/managers.h"
#include "policy/review/object.h"

#include <stdbool.h>
#include <yyjson.h>

/* The annotations: kubectl's last-applied, and its counterparts of kapp, KubeVela and Rancher. */
#define EVIDENCE_COUNT 4

enum evidence_answer { EVIDENCE_UNREAD, EVIDENCE_NONE, EVIDENCE_FOUND };

/* For the old object and the object, what each annotation shows. Each is parsed once. */
struct evidence {
    enum evidence_answer answers[2][EVIDENCE_COUNT];
};

/* When each tool last wrote the old object. */
struct tool_writes {
    bool is_read;
    bool found[TOOL_COUNT];
    struct slice times[TOOL_COUNT];
};

struct review_cache {
    struct evidence evidence;
    struct tool_writes tool_writes;

    bool has_other_classes; /* whether `other_classes` is cached: call ownership_has_other */
    unsigned other_classes;

    bool has_applied_annotation;       /* whether these two are cached: */
    yyjson_val *applied_annotation;    /* call applied_annotation */
    struct object_parts applied_parts; /* call applied_annotation_parts */
    bool has_applied_before;           /* whether this is cached: */
    yyjson_val *applied_before;        /* call applied_annotation_before */

    bool has_string_data;     /* whether these two are cached: call orphans_is_applied_plain */
    yyjson_val **string_data; /* of the Apply entries that have it, the node in their fields */
    size_t string_data_count;

    /* NULL until they are first needed. */
    const struct repeated_items_applied *repeated_items;
    const struct waived_rules *waived_rules;
    const struct lost_fields *lost_fields;
    struct tool_annotation_lists *tool_annotation_lists;
};

#endif
