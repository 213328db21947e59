/*
 * stored_object.h: the facts about an object as a cluster stores it, in addition to the object: what other
 * objects of the cluster show about it. The rules judge it with judge_object.
 *
 * Its review has the object, no old object, and no request: the writer is the manager that applies the object
 * (ownership_set_applier). Facts from other objects are known only after all of them are read, and a review
 * made then has no object any more.
 *
 * Everything that it points to outlives the judging.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_STORED_OBJECT_H
#define APPLYGUARD_POLICY_ANALYSIS_STORED_OBJECT_H

#include "policy/analysis/manifest_set.h"
#include "policy/managers.h"

#include <yyjson.h>

/* How a member of an ApplySet and the set's parent disagree. */
enum stored_apply_set {
    STORED_APPLY_SET_AGREES,
    STORED_APPLY_SET_NO_PARENT,        /* no object of the cluster is the parent */
    STORED_APPLY_SET_OTHER_KINDS,      /* the parent does not list the member's kind */
    STORED_APPLY_SET_OTHER_NAMESPACES, /* nor its namespace */
};

/*
 * The fields of other managers that the next upgrade of the object's Helm release changes, if the chart and
 * its values stay as they are.
 */
struct stored_upgrade {
    yyjson_val *manifest;       /* the object in the manifest of the release */
    bool is_refused;            /* with a conflict; else the upgrade sets the fields back */
    const struct slice *fields; /* printable */
    size_t field_count;         /* at most FINDING_FIELDS_MAX */
    size_t field_total;
    const struct manager *owners; /* of these fields */
    size_t owner_count;
};

/* All zero: nothing is known about it from other objects. */
struct stored_object {
    const struct manifest_identity *autoscaler; /* scales the object; NULL: none */
    const struct manager *declarer;             /* the applier that declares the replicas; NULL: none */
    enum stored_apply_set apply_set;
    const struct manifest_identity *apply_set_parent; /* NULL: none */
    const struct stored_upgrade *upgrade;             /* NULL: it changes no such field, or is not known */
};

#endif
