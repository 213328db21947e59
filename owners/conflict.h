/*
 * conflict.h: the conflicts for which the API server refuses a server-side apply.
 */
#ifndef APPLYGUARD_OWNERS_CONFLICT_H
#define APPLYGUARD_OWNERS_CONFLICT_H

#include "base/slice.h"
#include "policy/managers.h"

#include <stddef.h>

/*
 * The limit of conflicts in one text, far more than any object has fields. Further conflicts count as
 * missing.
 */
#define CONFLICTS_MAX ((size_t)10000)

/* The tool that applied, as the text around the conflict shows. */
enum conflict_tool {
    CONFLICT_TOOL_KUBECTL, /* or a tool that cannot be recognized */
    CONFLICT_TOOL_HELM,
    CONFLICT_TOOL_FLUX,
    CONFLICT_TOOL_ARGOCD,
    CONFLICT_TOOL_TERRAFORM,         /* its resource kubernetes_manifest */
    CONFLICT_TOOL_TERRAFORM_KUBECTL, /* the resource kubectl_manifest of another provider */
    CONFLICT_TOOL_PULUMI,
    CONFLICT_TOOL_ANSIBLE, /* its module kubernetes.core.k8s */
};

/* The known parts of an object: unknown ones are empty. */
struct conflict_object {
    struct slice group; /* empty: the core group, or unknown */
    struct slice version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
};

/*
 * A field and the manager that holds it. Texts come unchanged from the API server, so they may contain any
 * bytes.
 */
struct conflict {
    struct slice path; /* in the API server's form */
    struct manager manager;
    struct slice api_version; /* of an Update; empty: none */
    struct slice time;        /* of an Update, in RFC 3339; empty if the text lacks it */
};

/* One refused apply. */
struct conflict_report {
    struct conflict_object object;
    enum conflict_tool tool;
    struct slice manager; /* the field manager that kubectl applies as; empty: the default one, or unknown */
    struct conflict *items;
    size_t count;
    size_t missing; /* conflicts that the text counts, but does not list, because it was cut */
};

struct conflict_reports {
    struct conflict_report *items;
    size_t count;
    size_t capacity;
    size_t conflict_count; /* in all reports, with repeated conflicts */
};

#endif
