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
 * A value of the file. Messages name it by its parents and its key or index: overrides[2].match.kinds. It
 * lives on the stack of the function that reads its parent.
 */
struct config_value {
    struct config_reader *reader;
    const struct yaml_node *node;
    const struct config_value *parent; /* NULL: the value is the file itself */
    const char *key;                   /* NULL: an item */
    size_t index;
};

/* The value of a map's key. Where the problem is with the key itself, that is the node. */
static inline struct config_value config_member(
    const struct config_value *map, const char *key, const struct yaml_node *node)
{
    return (struct config_value){.reader = map->reader, .node = node, .parent = map, .key = key};
}

/* The same by the key; the node is NULL if the map has no such key. */
static inline struct config_value config_find(const struct config_value *map, const char *key)
{
    return config_member(map, key, map->node ? yaml_member(map->node, slice_of(key)) : NULL);
}

static inline struct config_value config_item(
    const struct config_value *list, size_t index, const struct yaml_node *node)
{
    return (struct config_value){.reader = list->reader, .node = node, .parent = list, .index = index};
}

/* The same value for a problem at another node, such as one of its keys. */
static inline struct config_value config_at(const struct config_value *value, const struct yaml_node *node)
{
    struct config_value at = *value;
    at.node = node;
    return at;
}

/* The value's text as it fits between quotes in a sentence: see yaml_excerpt. */
static inline const char *config_excerpt(const struct config_value *value)
{
    return yaml_excerpt(value->reader->arena, value->node->text);
}

/* Reads a value into `target`, whose type the function knows. */
typedef int config_read(const struct config_value *value, void *target);

struct config_key {
    const char *name;
    config_read *read;
    config_read *read_each; /* in place of `read`: the value is a list of texts, into a struct slice_list */
    size_t offset;          /* of the member that it sets, in the struct that the whole map fills */
    bool required;
};

struct config_keys {
    const struct config_key *keys;
    size_t count;
    const char *example; /* of such a map */
};

/* Reads a map with these keys and no others. */
int config_read_map(const struct config_value *value, const struct config_keys *keys, void *target);

/* Reads a list of elements of `size` bytes into an array. NULL if that fails; never NULL for an empty list.
 */
void *config_read_list(const struct config_value *value, config_read *read, size_t size, size_t *count);

/* Reads each item of a list into an element of `size` bytes; 0: all into the same. */
int config_read_items(const struct config_value *list, config_read *read, void *items, size_t size);

/* Reads every entry of a map that has no table of keys, all into the same target. */
typedef int config_read_entry(const struct config_value *map, const struct yaml_entry *entry, void *target);
int config_read_entries(const struct config_value *value, config_read_entry *read, void *target);

/* These refuse other kinds of node. `example` shows a valid value. */
int config_expect_map(const struct config_value *value, const char *example);
int config_expect_list(const struct config_value *value, const char *example);
int config_expect_text(const struct config_value *value, const char *example);

/* The apiVersion of all files of ours. */
#define CONFIG_API_VERSION "applyguard.io/v1"

/* Takes one text only, such as the kind. */
int config_read_constant(const struct config_value *value, const char *constant);

config_read config_read_api_version; /* takes CONFIG_API_VERSION; the target is not used */
config_read config_read_text;        /* into a struct slice */
config_read config_read_action;      /* into an enum action */
config_read config_read_mode;        /* into an enum mode */

/* Reads a list of texts, each with `read`, into a struct slice_list (config_lists.c). */
int config_read_slices(const struct config_value *value, config_read *read, void *target);

/* Reports that a list is empty, and so matches all: its author may have meant that it matches nothing. */
void config_report_empty(const struct config_value *list, enum policy_problem_kind kind, struct slice what);

/* The same, if the map has such a key with an empty list. */
void config_check_empty(const struct config_value *map, struct slice key, const char *what);

/* Read a text of a certain form into a struct slice, and report one that can never match. */
config_read config_read_kind;      /* KIND.GROUP (config_kinds.c) */
config_read config_read_namespace; /* this and the next in config_names.c */
config_read config_read_object_name;
config_read config_read_manager;      /* a name or pattern, not an empty one */
config_read config_read_manager_name; /* may be empty */
config_read config_read_user;
config_read config_read_group;
config_read config_read_service_account; /* NAMESPACE/NAME */
config_read config_read_path;            /* a path pattern (config_lists.c) */
config_read config_read_owned_path;      /* the same, of fields that managers own */

/*
 * The field managers that a tool uses, if the text names the tool instead of a field manager
 * (config_tools.c); else NULL.
 */
const char *config_managers_of_tool(struct slice text);

/* Reports a kind that can never match. */
void config_check_kind(const struct config_value *value);

/* Refuses a text that is not a kind. */
int config_refuse_kind(const struct config_value *value);

/* Finds the rule of this name, which is in the value: a key of a map, or an item of a list. */
int config_find_rule(const struct config_value *in, const struct yaml_node *name, enum rule_id *id);

/*
 * Adds a problem to the file's problems, which are sorted by position. If several have one position, it keeps
 * the first of the most severe kind.
 */
int config_add_problem(
    struct config_reader *reader, enum policy_problem_kind kind, const struct error *error);

/* False if a problem of the value would not be kept, so that its message need not be built. */
bool config_wants_problem(const struct config_value *value, enum policy_problem_kind kind);

/* Adds a problem of a part that still loads: "PATH SENTENCE". */
void config_report(const struct config_value *value, enum policy_problem_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds a POLICY_BROKEN: "PATH SENTENCE". Returns -1. */
int config_refuse(const struct config_value *value, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Refuses a text that is not one of the `known` words, and suggests the closest of them. */
int config_refuse_word(const struct config_value *value, const char *const *known, size_t count);

/* Refuses an unknown key of the map, which has only the `known` keys. */
int config_refuse_key(
    const struct config_value *map, const struct yaml_node *key, const char *const *known, size_t count);

/* Refuses a map that lacks the `missing` keys. */
int config_refuse_missing(const struct config_value *value, const char *const *missing, size_t count);

int config_out_of_memory(struct config_reader *reader);

/* The tree of the file's text, with a problem for each part that is not allowed. NULL: it cannot be read. */
const struct yaml_node *config_parse(struct config_reader *reader, struct slice text);

/* Reads a whole file. False: it has a problem. */
bool config_read_file(
    struct config_reader *reader, struct slice text, const struct config_keys *keys, void *target);

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
int config_read_expires(const struct config_value *value, struct slice *day, int64_t *end);

/* Calls each rule's check of its settings after the whole file has been read (config_rules.c). */
void config_check_rules(const struct config_value *file);

/* The first override that gives the rule an action other than off; NULL: none does. */
const struct yaml_node *config_override_that_switches_on(const struct config_value *file, enum rule_id id);

/* Whether all of its lists are empty. */
bool config_matches_all(const struct override_match *match);

/* Reports parts that have no effect, after the whole file has been read (config_effect.c). */
void config_check_effect(const struct config_value *file);

/* Reads one setting into the rule's settings struct. */
int config_read_setting(const struct config_value *value, const struct setting *setting, void *settings);

/* The rule's setting of this kind (config_rules.c); NULL: it has none. */
const void *config_setting(const struct policy *policy, enum rule_id rule, enum setting_kind kind);

/* "applier-from-adhoc": the key of one cell of a takeover table. False: that cannot happen, and has no key.
 */
#define TAKEOVER_KEY_BYTES 40
bool config_takeover_key(char *key, int writer, int previous_owner);

/* The first second after the day YYYY-MM-DD in UTC; false if that day does not exist. */
bool config_day_end(struct slice text, int64_t *seconds);

/* Whether the text may be a kind: KIND.GROUP (KIND for the core group), with * and ? as in all globs. */
bool config_kind_valid(struct slice text);

#endif
