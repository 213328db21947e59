/*
 * review_cache.h: what was found out of a review, so that it is found once. Each part is kept and read by the
 * one function that finds it; the review itself says the same before and after.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_CACHE_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_CACHE_H

#include "policy/review/object.h"

#include <stdbool.h>
#include <yyjson.h>

/* kubectl's last-applied, and those of kapp, KubeVela and Rancher. */
#define EVIDENCE_COUNT 4

enum evidence_answer { EVIDENCE_UNREAD, EVIDENCE_NONE, EVIDENCE_FOUND };

/* What was read of the annotations, of the old object and of the object: each is parsed once. */
struct evidence {
    enum evidence_answer answers[2][EVIDENCE_COUNT];
};

struct review_cache {
    struct evidence evidence;

    bool has_other_classes; /* whether `other_classes` stands: ownership_has_other tells of it */
    unsigned other_classes;

    bool has_applied_annotation;       /* whether these two stand: */
    yyjson_val *applied_annotation;    /* applied_annotation() tells it */
    struct object_parts applied_parts; /* applied_annotation_parts() tells them */

    /* NULL until first asked for. */
    const struct repeated_items_applied *repeated_items;
    const struct waived_rules *waived_rules;
    struct tool_annotation_lists *tool_annotation_lists;
};

#endif
