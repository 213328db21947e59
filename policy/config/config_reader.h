/*
 * config_reader.h: reading the policy file's tree, with errors that say where and what to do.
 *
 * Each kind of map in the file is a table of its keys, and each kind of value a function of type config_read.
 * All of them return 0, or -1 with a problem added; whoever reads several values goes on with the next one,
 * so that all problems of a file are told at once.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_CONFIG_READER_H
#define APPLYGUARD_POLICY_CONFIG_CONFIG_READER_H

#include "base/yaml.h"
#include "policy/config/config.h"

struct config_reader {
    struct policy *policy; /* what is being filled; its arena owns all that is read */
    struct policy_problems *problems;
    bool is_broken;                /* some problem is POLICY_BROKEN */
    bool broken_rules[RULE_COUNT]; /* their settings are not all read */
};

/* Where a value stands, for people: overrides[2].match.kinds. Lives on the stack of whoever reads. */
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
    size_t offset; /* of what it reads into, in the target of the whole map */
    bool required;
};

struct config_keys {
    const struct config_key *keys;
    size_t count;
    const char *example; /* of such a map */
};

/* Reads a map with these keys and no others. `path` may be NULL: the file itself. */
int config_read_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct config_keys *keys, void *target);

/* Reads a list of elements of `size` bytes into an array. NULL if that fails; never NULL for an empty list.
 */
void *config_read_list(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, size_t size, size_t *count);

/* Reads every entry of a map whose keys are not in one table, into the same target. */
typedef int config_read_entry(
    struct config_reader *reader, const struct config_path *path, const struct yaml_entry *entry,
    void *target);
int config_read_entries(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read_entry *read, void *target);

/* Both refuse other kinds of node. `example` shows how the value is written. */
int config_expect_map(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example);
int config_expect_text(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *example);

config_read config_read_text;   /* into a struct slice */
config_read config_read_action; /* into an enum action */
config_read config_read_mode;   /* into an enum mode */

/* A list of texts that `read` takes, into a struct slice_list (config_lists.c). */
int config_read_slices(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    config_read *read, void *target);

/* Lists of texts that must have a form, or can never match without it, into a struct slice_list. */
config_read config_read_kinds;      /* KIND.GROUP (config_kinds.c) */
config_read config_read_namespaces; /* these and the next in config_names.c */
config_read config_read_manager_names;
config_read config_read_users;
config_read config_read_groups;
config_read config_read_service_accounts; /* NAMESPACE/NAME */
config_read config_read_paths;            /* path patterns (config_lists.c) */
config_read config_read_owned_paths;      /* the same, of fields that managers own */

/* Tells of a field manager's name, or a kind, that can never match. */
void config_check_manager(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);
void config_check_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);

/* For a text that is no kind. */
int config_refuse_kind(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node);

/* Finds a rule by its key or name. */
int config_find_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum rule_id *id);

/*
 * Adds a problem to those of the file, sorted by place; of several at one place the first of the heaviest
 * stays.
 */
int config_add_problem(
    struct config_reader *reader, enum policy_problem_kind kind, const struct error *error);

/* False where a problem at the node would not be kept: then nobody needs to look for words. */
bool config_wants_problem(
    const struct config_reader *reader, enum policy_problem_kind kind, const struct yaml_node *node);

/* Tells of a part that loads: "PLACE SENTENCE", at the node. */
void config_report(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *node, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Adds a POLICY_BROKEN: "PLACE SENTENCE", at the node. */
int config_refuse(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Of A to Z, a to z. */
char config_lower(char byte);

/* How many letters to insert, delete or replace (Levenshtein), upper case as good as lower; UINT_MAX for
 * longer words than anybody mistypes. */
unsigned config_word_distance(struct slice a, struct slice b);

/* The known word that was probably meant: a third of it may be wrong. NULL if none is near. */
const char *config_nearest_word(struct slice text, const char *const *known, size_t count);

/* The same for a text that is none of the `known` words; names the closest of them. */
int config_refuse_word(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *known, size_t count);

/* The same for a key: of `path`, which has the `known` keys only. */
int config_refuse_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    const char *const *known, size_t count);

/* For a map that lacks the `missing` keys. */
int config_refuse_missing(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *missing, size_t count);

int config_out_of_memory(struct config_reader *reader);

/* The parts of the file that have files of their own. */
config_read config_read_rules;     /* config_rules.c */
config_read config_read_managers;  /* config_managers.c */
config_read config_read_overrides; /* config_overrides.c */
config_read config_read_waivers;   /* config_waivers.c */

/* Settings that have a file of their own (config_manager_rules.c). */
config_read config_read_bindings; /* into a struct manager_bindings */
config_read config_read_scopes;   /* into a struct manager_scopes */
config_read config_read_moves;    /* into a struct manager_moves */

/* The key of a label, or an empty text for none (config_labels.c). */
config_read config_read_label_key; /* into a struct slice */

/* What the rules have to say of their settings, after all of the file is read (config_rules.c). */
void config_check_rules(struct config_reader *reader, const struct yaml_node *root);

/* The first override that gives the rule an action other than off; NULL: none does. */
const struct yaml_node *config_override_that_switches_on(
    const struct policy *policy, const struct yaml_node *root, enum rule_id id);

/* Whether it sets no limit at all. */
bool config_matches_all(const struct override_match *match);

/* Tells of what has no effect, after all of the file is read (config_effect.c). */
void config_check_effect(struct config_reader *reader, const struct yaml_node *root);

/* One setting of a rule, into its place in the rule's settings struct. */
int config_read_setting(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const struct setting *setting, void *settings);

/* "applier-from-adhoc": the key of one cell of a takeover table. */
#define TAKEOVER_KEY_BYTES 40
void config_takeover_key(char *key, int taker, int loser);

/* The first second after the day YYYY-MM-DD in UTC; false if there is no such day. */
bool config_day_end(struct slice text, int64_t *seconds);

/* False where no kind can be meant: KIND.GROUP (KIND for the core group), with * and ? as in all globs. */
bool config_kind_valid(struct slice text);

#endif
