/* judge_object.h: one object of a manifest, and its findings. */
#ifndef APPLYGUARD_COMMANDS_CHECK_JUDGE_OBJECT_H
#define APPLYGUARD_COMMANDS_CHECK_JUDGE_OBJECT_H

#include "apply/first_apply.h"
#include "base/error.h"
#include "policy/analysis/document.h"
#include "policy/config/config.h"
#include "report/report.h"

struct object_judge {
    const struct policy *policy;
    const struct applier *applier;
    bool shows_lines_around; /* findings have the lines next to theirs, too */
    bool is_rendered;        /* findings belong to the files that the text names as its origin */
    struct arena *scratch;   /* reset before each object */
    struct arena *results;   /* for the item's memory */
};

/* An object and its findings. The receiver may remove findings. */
struct judged_object {
    struct report_item item; /* without its findings */
    struct report_finding *findings;
    size_t finding_count;
};

/*
 * Judges the document's object. Its `last_applied` and `problems` are found here. `identity` is the object's
 * (first_apply_identify), and lives as long as the results. Returns NULL and sets the error if the object
 * cannot be judged.
 */
struct judged_object *judge_object(
    const struct object_judge *judge, struct document *document, const struct first_apply *identity,
    struct error *error);

#endif
