/*
 * conflict.h: the conflicts for which the API server refuses a server-side apply.
 */
#ifndef APPLYGUARD_OWNERS_CONFLICT_H
#define APPLYGUARD_OWNERS_CONFLICT_H

#include "base/slice.h"
#include "policy/managers.h"

#include <stddef.h>

/* The limit of conflicts in one text, far more than any object has fields. The rest is left out as missing.
 */
#define CONFLICTS_MAX ((size_t)10000)

/* Who applied, by the words around the conflict. */
enum conflict_tool {
    CONFLICT_TOOL_KUBECTL, /* or another that does not say so */
    CONFLICT_TOOL_HELM,
    CONFLICT_TOOL_FLUX,
    CONFLICT_TOOL_ARGOCD,
};

/* An object as far as it is known: what is not is empty. */
struct conflict_object {
    struct slice group; /* empty: the core group, or unknown */
    struct slice version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
};

/* A field and who holds it. Texts are as the API server has them, so they may hold any bytes. */
struct conflict {
    struct slice path; /* in the API server's form */
    struct manager manager;
    struct slice api_version; /* of an Update; empty: none */
    struct slice time;        /* of an Update, in RFC 3339; empty: the text does not say */
};

/* One refused apply. */
struct conflict_report {
    struct conflict_object object;
    enum conflict_tool tool;
    struct slice manager; /* that kubectl applies as; empty: its own, or unknown */
    struct conflict *items;
    size_t count;
    size_t missing; /* conflicts that the text counts and does not list: it was cut */
};

struct conflict_reports {
    struct conflict_report *items;
    size_t count;
    size_t capacity;
    size_t conflict_count; /* in all reports, repeated ones as well */
};

#endif
