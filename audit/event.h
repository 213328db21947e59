/*
 * event.h: one request, as the API server's audit log tells of it (k8s.io/apiserver, pkg/apis/audit/v1).
 *
 * The log's policy decides how much there is: at the level Metadata neither what was sent nor what came of
 * it, at Request what was sent, at RequestResponse both. All of it is untrusted: clients choose their
 * user agent, field manager, and audit ID.
 */
#ifndef APPLYGUARD_AUDIT_EVENT_H
#define APPLYGUARD_AUDIT_EVENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"

#include <stdbool.h>
#include <yyjson.h>

enum audit_level { AUDIT_METADATA, AUDIT_REQUEST, AUDIT_REQUEST_RESPONSE };

/* objectRef. What is not told is empty: of a name that the API server makes, of the uid mostly. */
struct audit_object {
    struct slice resource; /* deployments */
    struct slice namespace;
    struct slice name;
    struct slice uid;
    struct slice group; /* empty: the core group */
    struct slice version;
    struct slice subresource;      /* scale, status; mostly empty */
    struct slice resource_version; /* that the request expects; mostly empty */
};

struct audit_event {
    enum audit_level level;
    struct slice id; /* auditID, which a client may choose */
    struct slice verb;
    struct slice user;         /* as whom it was done: of who impersonates, the other one */
    struct slice impersonator; /* who did it as that user; empty: the user itself */
    struct slice user_agent;
    struct slice manager; /* the field manager, as managedFields has it: from the user agent if none is given
                           */
    struct slice option_manager; /* options.fieldManager; empty: the request names none */
    bool lacks_options;          /* nothing shows which manager, force and groups the request had (GKE) */
    bool has_force;              /* it says whether it is forced, as only server-side applies do */
    bool is_forced;              /* force: a server-side apply that takes fields from others */
    bool is_dry_run;
    bool is_truncated; /* objects are left out that the level asks for, because they are too large */
    struct audit_object object;
    unsigned code;        /* of HTTP; 0: none is told */
    struct slice started; /* RFC 3339 in UTC, to the microsecond */
    struct slice ended;
    yyjson_val *request;     /* what was sent: an object, options or a patch; NULL: not told */
    yyjson_val *response;    /* what came of it: the object, or a Status; NULL: not told */
    yyjson_val *status;      /* responseStatus; NULL: not told */
    yyjson_val *groups;      /* of the user; NULL: not told */
    yyjson_val *annotations; /* of the event; NULL: there are none */
};

/* Whether it is a request that may change an object, whatever came of it. */
bool audit_is_write(const struct audit_event *event);

/* Whether a response is a Status. */
bool audit_is_status(yyjson_val *response);

/* Whether it was done: not refused, and no dry run. */
bool audit_is_done(const struct audit_event *event);

enum audit_decode {
    AUDIT_DECODED,
    AUDIT_UNFINISHED, /* of another stage than ResponseComplete: it is told again, or never ended */
    AUDIT_NO_EVENT,   /* `error` is filled, or there is no memory */
};

#endif
