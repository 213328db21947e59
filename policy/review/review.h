/*
 * review.h: one AdmissionReview, decoded (admission.k8s.io/v1 and v1beta1, kubernetes/api
 * admission/v1/types.go).
 *
 * A review is decoded once and does not change afterwards. Judging it under a policy begins with
 * review_classify, which makes a copy for that policy. Slices and values point into its JSON document,
 * which lives in its arena. `object` and `old_object` are JSON objects or NULL, so rules need not check their
 * type.
 */
#ifndef APPLYGUARD_POLICY_REVIEW_REVIEW_H
#define APPLYGUARD_POLICY_REVIEW_REVIEW_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/fieldset/lookup.h"
#include "policy/review/last_applied.h"
#include "policy/review/managed_fields.h"
#include "policy/review/object.h"
#include "policy/review/review_cache.h"

#include <stdbool.h>
#include <yyjson.h>

enum operation { OPERATION_CREATE, OPERATION_UPDATE, OPERATION_DELETE, OPERATION_CONNECT };

/* The limit of unjudged parts that are listed. */
#define REVIEW_UNJUDGED_MAX 8

struct resource {
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice name; /* deployments */
};

struct review {
    size_t bytes;             /* of the whole AdmissionReview */
    struct slice api_version; /* of the AdmissionReview: the answer has the same */
    struct slice uid;
    enum operation operation;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice kind;
    struct slice group_kind; /* Deployment.apps; ConfigMap for the core group */
    struct slice subresource;
    bool is_scaled;           /* of a request to scale: the objects are the scaled one, before and after */
    struct resource resource; /* of the request: deployments, even if the object is a Scale */
    struct slice namespace;   /* of the request: the object's may be empty */
    struct slice name;        /* of the request, else of the object; empty if the server generates it */
    struct slice username;
    yyjson_val *groups; /* of the user: an array, or NULL */
    bool dry_run;
    struct slice field_manager; /* options.fieldManager; empty: the request names none */

    yyjson_val *object;            /* as it will be stored; NULL on DELETE, or if it is not a JSON object */
    yyjson_val *old_object;        /* as it is stored; NULL on CREATE */
    struct object_parts parts;     /* of the object */
    struct object_parts old_parts; /* of the old object */
    bool deleting;                 /* old_object has a deletionTimestamp */
    bool kustomize_adds_labels;    /* it would apply a manifest to whose selectors and pod templates kustomize
                                    * adds labels
                                    */
    bool declared_by_other_sources; /* it would apply a manifest of an object that other sources of manifests
                                     * declare, too
                                     */

    bool is_of_manifest; /* it would apply a manifest, so no API server has validated the object */

    struct ownership ownership;
    struct last_applied last_applied;
    struct lookup *lookup;      /* NULL before review_classify */
    struct review_cache *cache; /* the same */

    struct slice unjudged[REVIEW_UNJUDGED_MAX]; /* printable: which part could not be judged, and why */
    size_t unjudged_count;
    struct arena *arena;
};

/* "CREATE", "UPDATE", "DELETE", "CONNECT". */
const char *operation_name(enum operation operation);

/*
 * Whether a service account or a component of Kubernetes sent it: these do not read warnings, and only retry
 * when denied. Users whose names begin with "system:" are components of Kubernetes, and with "eks:" of EKS.
 */
bool review_is_of_service(const struct review *review);

/* Whether the object is a Deployment, ReplicaSet, StatefulSet or DaemonSet of the group apps. */
bool review_is_of_workload(const struct review *review);

/* Whether rules judge it: it is a CREATE or UPDATE of the resource itself, with an object, or is scaled. */
bool review_is_judged(const struct review *review);

/* Whether it is an update of the subresource status. */
bool review_is_of_status(const struct review *review);

/*
 * Whether it is one that changes labels, annotations, other metadata or their owners. Rules that judge
 * metadata alone judge it.
 */
bool review_is_judged_for_metadata(const struct review *review);

/*
 * Whether a configuration belongs to another object: it has a kind, name or namespace that differs. Missing
 * ones do not count.
 */
bool review_is_of_another(const struct review *review, const struct object_parts *configuration);

#endif
