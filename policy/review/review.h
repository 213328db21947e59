/*
 * review.h: one AdmissionReview, decoded (admission.k8s.io/v1 and v1beta1, kubernetes/api
 * admission/v1/types.go).
 *
 * Decoded once and not changed afterwards. Slices and values point into the review's JSON document, which
 * lives in the review's arena. `object` and `old_object` are JSON objects or NULL, so rules never check their
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

/* Parts of a review that could not be judged, at most; more are not told apart. */
#define REVIEW_UNJUDGED_MAX 8

struct resource {
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice name; /* deployments */
};

struct review {
    size_t bytes;             /* of the whole AdmissionReview */
    struct slice api_version; /* of the AdmissionReview: the answer carries the same */
    struct slice uid;
    enum operation operation;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice kind;
    struct slice group_kind; /* Deployment.apps; ConfigMap for the core group */
    struct slice subresource;
    struct resource resource; /* that the request is about: deployments, also where the object is a Scale */
    struct slice namespace;   /* of the request: the object's may be empty */
    struct slice name; /* of the request, else of the object; empty where the server is to make it up */
    struct slice username;
    yyjson_val *groups; /* of the user: an array, or NULL */
    bool dry_run;
    struct slice field_manager; /* options.fieldManager; empty: the request names none */

    yyjson_val *object;            /* as it will be stored; NULL on DELETE, or where it is no JSON object */
    yyjson_val *old_object;        /* as it is stored; NULL on CREATE */
    struct object_parts parts;     /* of the object */
    struct object_parts old_parts; /* of the old object */
    bool deleting;                 /* old_object has a deletionTimestamp */

    struct ownership ownership;
    struct last_applied last_applied;
    struct lookup *lookup;
    struct review_cache *cache;

    struct slice unjudged[REVIEW_UNJUDGED_MAX]; /* printable: which part could not be judged, and why */
    size_t unjudged_count;
    struct arena *arena;
};

/* "CREATE", "UPDATE", "DELETE", "CONNECT". */
const char *operation_name(enum operation operation);

/*
 * Whether a service account sent it, or a part of Kubernetes: nobody who reads warnings, and who will only
 * try again when denied. Users whose names begin with "system:" are Kubernetes' own.
 */
bool review_is_of_service(const struct review *review);

/* Whether the object is one of the kinds of apps that run pods by a selector: Deployment, ReplicaSet,
 * StatefulSet or DaemonSet. */
bool review_is_of_workload(const struct review *review);

/* Whether rules judge it: a CREATE or UPDATE of the resource itself, with an object. */
bool review_is_judged(const struct review *review);

/* Whether a configuration, by what it names of kind, name and namespace, is another object's. What it does
 * not name cannot be another's. */
bool review_is_of_another(const struct review *review, const struct object_parts *configuration);

#endif
