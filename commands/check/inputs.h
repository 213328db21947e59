/*
 * inputs.h: the files that -f, -R and arguments name, for check.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_INPUTS_H
#define APPLYGUARD_COMMANDS_CHECK_INPUTS_H

#include "base/error.h"
#include "base/names.h"
#include "commands/check/check.h"
#include "commands/check/exclusions.h"

struct input_problem {
    char *path;
    struct error error; /* does not name the file */
};

/* A file that was skipped, and why. */
struct passed_input {
    char *path;
    const char *reason;
};

/* Owns all memory, except for names and reasons. */
struct check_inputs {
    struct check_input *items;
    size_t count;
    struct input_problem *problems; /* paths that cannot be read */
    size_t problem_count;
    struct input_problem *notes; /* directories of sources without manifests */
    size_t note_count;
    struct passed_input *passed; /* files in directories that were skipped */
    size_t passed_count;
    size_t excluded_count; /* the number of these that the user excluded */
    char **charts;         /* the directories of Helm charts that are not part of another chart */
    size_t chart_count;
    const char *first_ytt;      /* the first template of ytt that was passed over; NULL: none */
    struct arena *arena;        /* of the changes that kustomizations make to the items */
    struct exclusions excluded; /* by flags: also of files that are named */
    struct exclusions ignored;  /* by .applyguardignore, in the directories above what is being added */
    struct slice source;        /* of the inputs that are being added */
    bool is_former;             /* the same */
    struct slice walked;        /* the directory of the file that was found last */
    const char *name;           /* that was given, and leads to what is being added */
};

/*
 * Adds the files of a source (empty: the only one), in the order of the names, and reads inputs that can be
 * read only once. Returns false if memory runs out; the caller must release the inputs in any case.
 */
bool check_inputs_gather(
    struct check_inputs *inputs, const struct names *names, struct slice source, bool is_recursive);

/*
 * The same for former CustomResourceDefinitions, with which the ones in the other inputs are compared. Call
 * it before check_inputs_gather.
 */
bool check_inputs_gather_former(struct check_inputs *inputs, const char *name, bool is_recursive);

/* The same for a text, which the inputs free. `name` is what it is called, and must stay valid. */
bool check_inputs_add_former(struct check_inputs *inputs, const char *name, struct slice text);

/*
 * Excludes the patches of kustomizations and repeated files, and finds which files are applied together. Call
 * it after all inputs are gathered, because a kustomization may name patches anywhere. Returns false if
 * memory runs out.
 */
bool check_inputs_settle(struct check_inputs *inputs);

void check_inputs_release(struct check_inputs *inputs);

#endif
