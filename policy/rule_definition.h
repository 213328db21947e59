/*
 * rule_definition.h: what a rule consists of: its judge function and its settings.
 *
 * A rule reads the review and adds findings to the verdict; it has no other effect, so rules can be read,
 * tested and added one at a time. Its action and its settings come from the policy.
 */
#ifndef APPLYGUARD_POLICY_RULE_DEFINITION_H
#define APPLYGUARD_POLICY_RULE_DEFINITION_H

#include "base/slice.h"
#include "policy/rules.h"

#include <stdbool.h>
#include <stddef.h>

/* How a setting is written in the policy file, and the C type it has in the rule's settings struct. */
enum setting_kind {
    SETTING_BYTES,         /* a whole number of bytes: size_t */
    SETTING_COUNT,         /* a whole number: size_t */
    SETTING_DURATION,      /* 90s, 10m, 2h: size_t, in seconds */
    SETTING_PERCENT,       /* a whole number up to 100: size_t */
    SETTING_NAMES,         /* a list of globs: struct slice_list */
    SETTING_PATHS,         /* a list of path patterns (policy/fieldset/path.h): struct slice_list */
    SETTING_PATHS_BY_KIND, /* a map from kind to a list of path patterns: struct kind_paths_list */
    SETTING_TAKEOVER,      /* a map CLASS-from-CLASS: action: enum action[OWNING_CLASS_COUNT] squared,
                              [writer][previous owner] */
    SETTING_BINDINGS,      /* a list of maps: struct manager_bindings */
    SETTING_SCOPES,        /* a list of maps: struct manager_scopes */
    SETTING_MOVES,         /* a list of maps: struct manager_moves */
    SETTING_LABEL_KEY,     /* the key of a label, empty if none is set: struct slice */
};

struct kind_paths {
    struct slice kind; /* Deployment.apps; ConfigMap for the core group */
    struct slice_list paths;
};

struct kind_paths_list {
    const struct kind_paths *items;
    size_t count;
};

/* The users that may use a manager's name: everybody who matches one of the lists of globs. */
struct manager_binding {
    struct slice manager; /* a glob */
    struct slice_list users;
    struct slice_list groups;
    struct slice_list service_accounts; /* NAMESPACE/NAME */
};

struct manager_bindings {
    const struct manager_binding *items;
    size_t count;
};

/* Which fields a manager may come to own. */
struct manager_scope {
    struct slice manager;    /* a glob */
    struct slice_list kinds; /* globs of Deployment.apps; ConfigMap for the core group. Empty: all */
    struct slice_list allow; /* path patterns. Empty: all fields */
    struct slice_list deny;
};

struct manager_scopes {
    const struct manager_scope *items;
    size_t count;
};

/* The managers that may move ownership from one manager to another, without a change of value. */
struct manager_move {
    struct slice from, to;   /* globs */
    struct slice_list users; /* globs. Empty: everybody */
};

struct manager_moves {
    const struct manager_move *items;
    size_t count;
};

/* One further key of the rule in the policy file, next to `action`. */
struct setting {
    const char *name;
    enum setting_kind kind;
    size_t offset; /* into the rule's settings struct */
    const char *summary;
};

struct document;
struct review;
struct stored_object;
struct verdict;

/* The definitions in a rule's own file. */
struct rule_definition {
    /*
     * Adds findings. Called only if the action is not off, for CREATE and UPDATE of the resource itself; some
     * rules also for writes of a status (judge.c). NULL for a rule of the scope manifest or object.
     */
    void (*judge)(const struct review *review, struct verdict *verdict);

    /*
     * The same for a manifest: `review` is the request that would apply the document. A rule of the scope
     * manifest has only this one; another rule may have both.
     */
    void (*judge_document)(
        const struct review *review, const struct document *document, struct verdict *verdict);

    /*
     * The same for an object as a cluster stores it (stored_object.h). A rule of the scope object has only
     * this one. NULL: only a request shows what the rule judges, or `judges_objects`.
     */
    void (*judge_object)(
        const struct review *review, const struct stored_object *object, struct verdict *verdict);
    bool judges_objects; /* `judge` judges a stored object as it judges a request */

    /*
     * Records what the request does, for later reviews (NULL: nothing). Called last, if the request is
     * allowed and not a dry run, and if the caller passes a takeover_history.
     */
    void (*remember)(const struct review *review, const struct verdict *verdict);

    const struct setting *settings;
    size_t setting_count;

    /* The settings struct: its size, and its defaults under each profile (NULL where settings_size is 0). */
    size_t settings_size;
    const void *defaults[PROFILE_COUNT];

    /*
     * Checks settings against each other after the whole file has been read (NULL: nothing to check). `is_on`
     * is whether the policy or one of its overrides gives the rule an action. Returns NULL, or a sentence
     * without a full stop that says what is wrong.
     */
    const char *(*check)(const void *settings, bool is_on);
};

/* Initializers of a definition, for a table of settings that have the same defaults under each profile. */
#define RULE_SETTINGS(table, same)                                                                           \
    .settings = (table), .setting_count = sizeof(table) / sizeof((table)[0]), .settings_size = sizeof(same), \
    .defaults = {&(same), &(same), &(same)}

/* Indexed by rule_id. */
typedef const struct rule_definition *const *rule_definitions_table;

#endif
