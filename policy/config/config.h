/*
 * config.h: the policy, as loaded from the policy file.
 *
 * A loaded policy is immutable, so threads may share it without locks. It owns all its text. A file that does
 * not load yields no policy; the caller keeps the old one.
 *
 * The file is YAML (apiVersion applyguard.io/v1, kind Policy). Unknown and duplicate keys, wrong types and
 * unknown rules are errors with a position.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_CONFIG_H
#define APPLYGUARD_POLICY_CONFIG_CONFIG_H

#include "base/error.h"
#include "base/slice.h"
#include "policy/action.h"
#include "policy/managers.h"
#include "policy/rule_definition.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The size limit of a policy file. People write these files; a larger one is a mistake. */
#define POLICY_FILE_BYTES_MAX ((size_t)1024 * 1024)

/* A label that an object must have. */
struct label_match {
    struct slice key;
    struct slice value; /* a glob */
};

struct label_matches {
    const struct label_match *items;
    size_t count;
};

/*
 * Which requests an override applies to. All lists of globs must match: an empty list matches everything, any
 * other list matches if one of its items does.
 */
struct override_match {
    struct slice_list namespaces;
    struct slice_list kinds;     /* Deployment.apps; ConfigMap for the core group */
    struct slice_list names;     /* of the object */
    struct label_matches labels; /* of the object as it is stored before the request; all of them */
    struct slice_list users;
    struct slice_list groups;
    struct slice_list service_accounts; /* NAMESPACE/NAME */
    struct slice_list managers;         /* of the writer */
    struct slice_list operations;       /* CREATE, UPDATE */
};

struct override {
    struct override_match match;
    bool has_mode;
    enum mode mode; /* a further ceiling */
    bool has_action[RULE_COUNT];
    enum action actions[RULE_COUNT];
    struct slice reason;
    /*
     * The first second, since 1970 UTC, at which it no longer applies: the end of the day in `expires`.
     * INT64_MAX: never.
     */
    int64_t expires_at;
    struct slice expires; /* as written; empty: never */
};

/*
 * Objects on which the annotation applyguard.io/waive may lower some rules to audit. Empty lists match all
 * objects.
 */
struct scoped_waiver {
    bool rules[RULE_COUNT];
    struct slice_list namespaces;
    struct slice_list kinds;
    struct slice_list names;
    struct slice reason;
    int64_t expires_at; /* as in struct override */
    struct slice expires;
};

/* Tools whose own annotations a policy may honour as waivers. */
enum waiver_tool { WAIVER_TOOL_KLUCTL, WAIVER_TOOL_FLUX, WAIVER_TOOL_ARGOCD };
#define WAIVER_TOOL_COUNT 3

struct policy {
    enum mode mode;
    enum profile profile;
    rule_definitions_table definitions; /* of the rules that `settings` are for */
    struct class_rules managers;
    enum action actions[RULE_COUNT];
    const void *settings[RULE_COUNT]; /* of the type that the rule's own file declares; NULL: it has none */
    const struct override *overrides;
    size_t override_count;
    bool waivable[RULE_COUNT]; /* the annotation applyguard.io/waive may lower these to audit */
    const struct scoped_waiver *scoped_waivers; /* and these on some objects */
    size_t scoped_waiver_count;
    bool honoured[WAIVER_TOOL_COUNT]; /* the tool's annotations may lower findings, too */
    struct slice rule_url;            /* where the pages of the rules are (rule_link.h); empty: nowhere */
    char hash[17];       /* of the file's bytes, hexadecimal, or "embedded": identifies the policy in logs */
    struct arena *arena; /* owns all of the above */
};

/* The severity of a problem in a policy file. */
enum policy_problem_kind {
    POLICY_NOTE,      /* valid, but maybe not what the author meant */
    POLICY_NO_EFFECT, /* a part that can never have an effect: `policy check` refuses it, a server only logs
                       * it
                       */
    POLICY_BROKEN,    /* invalid: no policy results */
};

struct policy_problem {
    enum policy_problem_kind kind;
    struct error error;
};

/*
 * The problems of a policy file, in the order of the file, at most one per position. The caller owns the
 * struct, and sets the array, its capacity and the least kind that it wants.
 */
struct policy_problems {
    struct policy_problem *items;
    size_t capacity;
    enum policy_problem_kind least;
    size_t count;
    size_t more; /* further problems, except notes, that did not fit */
};

/* "audit", "baseline", "strict". */
extern const char *const profile_names[PROFILE_COUNT];
const char *profile_name(enum profile profile);

/* Returns false if no profile has the name. */
bool profile_find(struct slice name, enum profile *profile);

/* "kluctl", "flux", "argocd": the names in the policy file. */
const char *waiver_tool_name(enum waiver_tool tool);

/* Accepts NULL. */
void policy_free(struct policy *policy);

/*
 * Prints the policy as a policy file with every default written out; loading what it prints gives the same
 * policy. Returns -1, and prints nothing, if memory runs out.
 */
int policy_print(const struct policy *policy, FILE *out);

#endif
