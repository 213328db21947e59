/*
 * check_definitions.h: former CustomResourceDefinitions, with which check compares the ones in its inputs:
 * --crd.
 */
#ifndef APPLYGUARD_CLI_CHECK_DEFINITIONS_H
#define APPLYGUARD_CLI_CHECK_DEFINITIONS_H

#include "base/names.h"
#include "cli/cluster.h"
#include "commands/check/inputs.h"

/* As a flag's setter: adds OLD or OLD=NEW. */
const char *check_definitions_flag(const char *value, void *field);

/* Adds each NEW to the files. Returns false, after printing the error, if memory runs out. */
bool check_definitions_add_new(const struct names *definitions, struct names *files);

/*
 * Adds each OLD to the inputs: a file or a directory, or the definitions of the cluster. Returns false, after
 * printing the error, if the cluster cannot be read or memory runs out.
 */
bool check_definitions_gather(
    struct check_inputs *inputs, const struct names *definitions, const struct cluster_options *options,
    bool is_recursive);

#endif
