/*
 * inputs.h: the files that -f, -R and arguments name, for check.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_INPUTS_H
#define APPLYGUARD_COMMANDS_CHECK_INPUTS_H

#include "base/error.h"
#include "base/names.h"
#include "commands/check/check.h"

struct input_problem {
    char *path;
    struct error error; /* does not name the file */
};

/* Owns all of it. */
struct check_inputs {
    struct check_input *items;
    size_t count;
    struct input_problem *problems; /* what cannot be read */
    size_t problem_count;
    size_t
        template_count; /* of charts, passed over in directories: text that is no YAML before Helm fills it */
    size_t patch_count; /* of kustomizations, passed over likewise: parts of objects */
    struct slice source; /* of what is being added */
    const char *name;    /* that was given, and leads to what is being added */
};

/*
 * Adds the files of a source (empty: there is one), in the order of the names, and reads those that can be
 * read only once. False if there is no memory; the caller releases the inputs in any case.
 */
bool check_inputs_gather(
    struct check_inputs *inputs, const struct names *names, struct slice source, bool is_recursive);

/*
 * Leaves out the patches of kustomizations, and finds what is applied together. After all are gathered, as a
 * kustomization may name patches anywhere. False if there is no memory.
 */
bool check_inputs_ask_kustomizations(struct check_inputs *inputs);

void check_inputs_release(struct check_inputs *inputs);

#endif
