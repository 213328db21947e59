/*
 * event.h: one request of the API server's audit log (k8s.io/apiserver, pkg/apis/audit/v1).
 *
 * The log's policy decides on its details: the level Metadata has neither the request's object nor the
 * response's, Request has the former, RequestResponse both. All members are untrusted: clients choose their
 * user agent, field manager, and audit ID.
 */
#ifndef APPLYGUARD_AUDIT_EVENT_H
#define APPLYGUARD_AUDIT_EVENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

enum audit_level { AUDIT_METADATA, AUDIT_REQUEST, AUDIT_REQUEST_RESPONSE };

/* objectRef. Unknown members are empty: the name if the API server generates it, and mostly the uid. */
struct audit_object {
    struct slice resource; /* deployments */
    struct slice namespace;
    struct slice name;
    struct slice uid;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice subresource;      /* scale, status; mostly empty */
    struct slice resource_version; /* which the request expects; mostly empty */
};

struct audit_event {
    enum audit_level level;
    struct slice id; /* auditID, which a client may choose */
    struct slice verb;
    struct slice user;         /* the user as which it was done: with impersonation, the impersonated one */
    struct slice impersonator; /* the user who impersonated that user; empty: no impersonation */
    struct slice user_agent;
    struct slice manager;        /* the field manager, as in managedFields: derived from the user agent if the
                                    request names none */
    struct slice option_manager; /* options.fieldManager; empty: the request names none */
    bool lacks_options;          /* the log lacks the request's manager, force and groups (GKE) */
    bool has_force;              /* the request has the option force, as only server-side applies do */
    bool is_forced;              /* force: a server-side apply that takes fields from other managers */
    bool is_dry_run;
    bool is_truncated; /* objects of the level are missing, because they are too large */
    struct audit_object object;
    unsigned code;        /* the HTTP status; 0: unknown */
    struct slice started; /* RFC 3339 in UTC, to the microsecond */
    struct slice ended;
    yyjson_val *request;        /* the request's object: an object, options or a patch; NULL: unknown */
    yyjson_val *response;       /* the response's object: the object, or a Status; NULL: unknown */
    struct slice response_text; /* the response as the log has it; empty: only `response` has it */
    yyjson_val *status;         /* responseStatus; NULL: unknown */
    yyjson_val *groups;         /* of the user; NULL: unknown */
    yyjson_val *annotations;    /* of the event; NULL: none */
};

/* Whether Kubernetes itself serves the API group: another one is of custom resources, or of another server.
 */
bool audit_is_of_kubernetes(struct slice group);

/* Whether the request may change an object, with any outcome. */
bool audit_is_write(const struct audit_event *event);

/* Whether a response is a Status. */
bool audit_is_status(yyjson_val *response);

/* When the request came, or if the log lacks that, when it ended. */
struct slice audit_time(const struct audit_event *event);

/* The name of the request's object. If the API server generated it, the response has it. */
struct slice audit_object_name(const struct audit_event *event);

/* A resourceVersion as a number; 0 if it is not a number. */
uint64_t audit_version_number(struct slice text);

/* metadata.resourceVersion and metadata.generation; 0 if the object has none. */
uint64_t audit_resource_version(yyjson_val *object);
uint64_t audit_generation(yyjson_val *object);

/* Whether the request had an effect: it was not refused, and not a dry run. */
bool audit_is_done(const struct audit_event *event);

enum audit_decode {
    AUDIT_DECODED,
    AUDIT_UNFINISHED, /* of another stage than ResponseComplete and Panic: its end is logged separately, or it
                         never ended */
    AUDIT_NO_EVENT,   /* `error` is filled, or memory ran out */
};

#endif
