/*
 * shared_flags.h: rows for the tables of flags that several commands share.
 *
 * Each is for a command whose options have the member that it sets.
 */
#ifndef APPLYGUARD_CLI_SHARED_FLAGS_H
#define APPLYGUARD_CLI_SHARED_FLAGS_H

#include "base/names.h"
#include "base/shard.h"
#include "cli/framework/command.h"
#include "report/output_format.h"

/* struct names files */
#define FILES_FLAG(type)                                                                                     \
    {                                                                                                        \
        .name = "filename", .letter = 'f', .value = "FILE",                                                  \
        .text =                                                                                              \
            "a file, a directory, or \"-\" for standard input, as for kubectl; may be given several times",  \
        LISTS(names_flag, type, files)                                                                       \
    }

/* bool `member` */
#define RECURSIVE_FLAG(type, member)                                                                         \
    {                                                                                                        \
        .name = "recursive", .letter = 'R', .text = "read the directories within directories, too",          \
        SETS(flag_set_true, type, member)                                                                    \
    }

/* const char *policy_path */
#define POLICY_FLAG(type)                                                                                    \
    {                                                                                                        \
        .name = "policy", .value = "FILE",                                                                   \
        .text = "the policy file; without it the built-in policy (profile baseline)",                        \
        SETS(flag_set_string, type, policy_path)                                                             \
    }

/* enum output_format format; the choices are names of report/output_format.def */
#define OUTPUT_FLAG(type, choices, explanation)                                                              \
    {                                                                                                        \
        .name = "output", .letter = 'o', .value = (choices), .text = (explanation),                          \
        SETS(flag_set_output, type, format)                                                                  \
    }

/* enum action fail_on */
#define FAIL_ON_FLAG(type)                                                                                   \
    {                                                                                                        \
        .name = "fail-on", .value = "deny|warn|audit",                                                       \
        .text = "the weakest action that makes the exit status 1 (default deny)",                            \
        SETS(flag_set_fail_on, type, fail_on)                                                                \
    }

/* struct shard shard */
#define SHARD_FLAG(type)                                                                                     \
    {                                                                                                        \
        .name = "shard", .value = "I/N",                                                                     \
        .text = "judge only a share of the objects, the first of four with 1/4; --merge puts the results "   \
                "together",                                                                                  \
        SETS(flag_set_shard, type, shard)                                                                    \
    }

const char *flag_set_output(const char *value, void *field);
const char *flag_set_fail_on(const char *value, void *field);
const char *flag_set_shard(const char *value, void *field);

#endif
