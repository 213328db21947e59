/*
 * config_reader.h: reads the policy file's tree, with errors that say where the problem is and what to do.
 * Other files of ours are read by the same functions, with a tree of keys of their own.
 *
 * Each kind of map in the file has a table of its keys, and each kind of value a function of type
 * config_read. These functions return 0, or add a problem and return -1. After a problem, reading continues
 * with the next value, so that one run reports all problems of a file.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_CONFIG_READER_H
#define APPLYGUARD_POLICY_CONFIG_CONFIG_READER_H

#include "base/yaml.h"
#include "policy/config/config.h"

struct config_reader {
    const char *file;      /* what is read, in messages: "the policy file" */
    const char *reference; /* what lists the keys of a map that are too many for a message */
    struct arena *arena;   /* owns all that is read */
    struct policy *policy; /* what is being filled; NULL: no policy */
    struct policy_problems *problems;
    bool is_broken;                /* at least one problem is POLICY_BROKEN */
    bool broken_rules[RULE_COUNT]; /* rules whose settings could not all be read */
};

/*
 * The path of a value in the file, for messages: overrides[2].match.kinds. It lives on the stack of the
 * reading function.
 */
struct config_path {
    const struct config_path *parent; /* NULL: a key of the file itself */
    const char *key;                  /* NULL: an item */
    size_t index;
};

/* Reads a value into `target`, whose type the function knows. */
typedef int config_read(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target);

struct config_key {
    const char *name;
    config_read *read;
    size_t offset; /* of the member that it sets, in the struct that the whole map fills */
    bool required;
};

struct config_keys {
    const struct config_key *keys;
    size_t count;
    const char *example; /* of such a map */
};

/* Reads a map with these keys and no others. `path` is NULL for the file itself. */
int config_read_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct config_keys *keys, void *target);

/* Reads a list of elements of `size` bytes into an array. NULL if that fails; never NULL for an empty list.
 */
void *config_read_list(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, size_t size, size_t *count);

/* Reads every entry of a map that has no table of keys, all into the same target. */
typedef int config_read_entry(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target);
int config_read_entries(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read_entry *read, void *target);

/* These refuse other kinds of node. `example` shows a valid value. */
int config_expect_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example);
int config_expect_list(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example);
int config_expect_text(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example);

/* The apiVersion of all files of ours. */
#define CONFIG_API_VERSION "applyguard.io/v1"

/* Takes one text only, such as the kind. */
int config_read_constant(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *constant);

config_read config_read_api_version; /* takes CONFIG_API_VERSION; the target is not used */
config_read config_read_text;        /* into a struct slice */
config_read config_read_action;      /* into an enum action */
config_read config_read_mode;        /* into an enum mode */

/* Reads a list of texts, each with `read`, into a struct slice_list (config_lists.c). */
int config_read_slices(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, void *target);

/* Reports that a list is empty, and so matches all: its author may have meant that it matches nothing. */
void config_report_empty(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *list, struct slice what);

/* The same, if the map has such a key with an empty list. */
void config_check_empty(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *map,
    struct slice key, const char *what);

/* Read lists of texts of a certain form into a struct slice_list, and report texts that can never match. */
config_read config_read_kinds;      /* KIND.GROUP (config_kinds.c) */
config_read config_read_namespaces; /* these and the next in config_names.c */
config_read config_read_object_names;
config_read config_read_manager_names;
config_read config_read_users;
config_read config_read_groups;
config_read config_read_service_accounts; /* NAMESPACE/NAME */
config_read config_read_paths;            /* path patterns (config_lists.c) */
config_read config_read_owned_paths;      /* the same, of fields that managers own */

/*
 * The field managers that a tool uses, if the text names the tool instead of a field manager
 * (config_tools.c); else NULL.
 */
const char *config_managers_of_tool(struct slice text);

/* Both report a manager's name or a kind that can never match. */
void config_check_manager(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);
void config_check_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);

/* Refuses a text that is not a kind. */
int config_refuse_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);

/* Finds a rule by its key or name. */
int config_find_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum rule_id *id);

/*
 * Adds a problem to the file's problems, which are sorted by position. If several have one position, it keeps
 * the first of the most severe kind.
 */
int config_add_problem(
    struct config_reader *reader, enum policy_problem_kind kind, const struct error *error);

/* The same for yaml_read_on: a problem of the YAML that does not end the reading. `context` is the reader. */
void config_add_yaml_problem(void *context, const struct error *error);

/* False if a problem at the node would not be kept, so that its message need not be built. */
bool config_wants_problem(
    const struct config_reader *reader, enum policy_problem_kind kind, const struct yaml_node *node);

/* Adds a problem of a part that still loads, at the node: "PATH SENTENCE". */
void config_report(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *node, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a POLICY_BROKEN, at the node: "PATH SENTENCE". Returns -1. */
int config_refuse(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Refuses a text that is not one of the `known` words, and suggests the closest of them. */
int config_refuse_word(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *known, size_t count);

/* Refuses an unknown key of the map at `path`, which has only the `known` keys. */
int config_refuse_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    const char *const *known, size_t count);

/* Refuses a map that lacks the `missing` keys. */
int config_refuse_missing(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *missing, size_t count);

int config_out_of_memory(struct config_reader *reader);

/* The parts of the policy file, each read in its own C file. */
config_read config_read_rules;     /* config_rules.c */
config_read config_read_managers;  /* config_managers.c */
config_read config_read_overrides; /* config_overrides.c */
config_read config_read_waivers;   /* config_waivers.c */

/* Settings that are read in config_manager_rules.c. */
config_read config_read_bindings; /* into a struct manager_bindings */
config_read config_read_scopes;   /* into a struct manager_scopes */
config_read config_read_moves;    /* into a struct manager_moves */

/* Reads the key of a label, or an empty text for none (config_labels.c). */
config_read config_read_label_key; /* into a struct slice */

/* Reads a map from keys of labels to globs of their values. */
config_read config_read_labels; /* into a struct label_matches */

/* Reads the last day on which a part of the policy holds, and the second that ends it (config_day.c). */
int config_read_expires(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    struct slice *day, int64_t *end);

/* Calls each rule's check of its settings after the whole file has been read (config_rules.c). */
void config_check_rules(struct config_reader *reader, const struct yaml_node *root);

/* The first override that gives the rule an action other than off; NULL: none does. */
const struct yaml_node *config_override_that_switches_on(
    const struct policy *policy, const struct yaml_node *root, enum rule_id id);

/* Whether all of its lists are empty. */
bool config_matches_all(const struct override_match *match);

/* Reports parts that have no effect, after the whole file has been read (config_effect.c). */
void config_check_effect(struct config_reader *reader, const struct yaml_node *root);

/* Reads one setting into the rule's settings struct. */
int config_read_setting(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct setting *setting, void *settings);

/* "applier-from-adhoc": the key of one cell of a takeover table. False: that cannot happen, and has no key.
 */
#define TAKEOVER_KEY_BYTES 40
bool config_takeover_key(char *key, int writer, int previous_owner);

/* The first second after the day YYYY-MM-DD in UTC; false if that day does not exist. */
bool config_day_end(struct slice text, int64_t *seconds);

/* Whether the text may be a kind: KIND.GROUP (KIND for the core group), with * and ? as in all globs. */
bool config_kind_valid(struct slice text);

#endif
