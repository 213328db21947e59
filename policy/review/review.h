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
#include "base/error.h"
#include "base/slice.h"
#include "policy/fieldset/lookup.h"
#include "policy/review/evidence.h"
#include "policy/review/last_applied.h"
#include "policy/review/object.h"
#include "policy/review/ownership.h"

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
    struct evidence evidence;
    struct lookup *lookup;
    /* NULL until first asked for */
    const struct repeated_items_applied *repeated_items;
    const struct waived_rules *waived_rules;
    struct wish_lists *wish_lists;
    bool has_applied_annotation;       /* whether these two stand: */
    yyjson_val *applied_annotation;    /* applied_annotation() tells it */
    struct object_parts applied_parts; /* applied_annotation_parts() tells them */

    struct slice unjudged[REVIEW_UNJUDGED_MAX]; /* printable: which part could not be judged, and why */
    size_t unjudged_count;
    struct arena *arena;
};

enum review_result { REVIEW_OK = 0, REVIEW_UNREADABLE = -1, REVIEW_OUT_OF_MEMORY = -2 };

/*
 * Decodes a review and reads what both objects say of ownership, with the policy's lines for classing
 * managers. REVIEW_UNREADABLE, with `error` filled, only where no answer with a right uid could be given;
 * what is wrong further inside is noted as unjudged. `flags` are json_read's: `body` need not outlive the
 * call, or it is parsed in place.
 */
enum review_result review_decode(
    struct slice body, yyjson_read_flag flags, const struct manager_line *lines, size_t line_count,
    struct arena *arena, struct review **review, struct error *error);

/* "CREATE", "UPDATE", "DELETE", "CONNECT". */
const char *operation_name(enum operation operation);

/*
 * Whether a service account sent it, or a part of Kubernetes: nobody who reads warnings, and who will only
 * try again when denied. Users whose names begin with "system:" are Kubernetes' own.
 */
bool review_is_of_service(const struct review *review);

/* Whether rules judge it: a CREATE or UPDATE of the resource itself, with an object. */
bool review_is_judged(const struct review *review);

#endif
