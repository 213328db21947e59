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

/* A file that was passed over, and why. */
struct passed_input {
    char *path;
    const char *reason;
};

/* Owns all of it, but the names and reasons. */
struct check_inputs {
    struct check_input *items;
    size_t count;
    struct input_problem *problems; /* what cannot be read */
    size_t problem_count;
    struct input_problem *notes; /* directories of sources that hold no manifest */
    size_t note_count;
    struct passed_input *passed; /* what was passed over in directories */
    size_t passed_count;
    size_t excluded_count; /* those of them that the user excludes */
    char **charts;         /* the folders of Helm charts that no other chart contains */
    size_t chart_count;
    struct arena *arena;        /* of what kustomizations say of the items */
    struct exclusions excluded; /* by flags: also of files that are named */
    struct exclusions ignored;  /* by .applyguardignore */
    struct slice source;        /* of what is being added */
    const char *name;           /* that was given, and leads to what is being added */
};

/*
 * Adds the files of a source (empty: there is one), in the order of the names, and reads those that can be
 * read only once. False if there is no memory; the caller releases the inputs in any case.
 */
bool check_inputs_gather(
    struct check_inputs *inputs, const struct names *names, struct slice source, bool is_recursive);

/*
 * Leaves out the patches of kustomizations and what was given before, and finds what is applied together.
 * After all are gathered, as a kustomization may name patches anywhere. False if there is no memory.
 */
bool check_inputs_settle(struct check_inputs *inputs);

void check_inputs_release(struct check_inputs *inputs);

#endif
