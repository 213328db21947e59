/*
 * requester.h: the user who would apply, according to the flags: overrides of a policy may match users and
 * groups.
 */
#ifndef APPLYGUARD_CLI_REQUESTER_H
#define APPLYGUARD_CLI_REQUESTER_H

#include "base/arena.h"
#include "base/names.h"
#include "base/slice.h"
#include "policy/config/config.h"

struct requester {
    const char *user; /* NULL: unknown */
    struct names groups;
};

/* Rows for a command whose options have a member `requester`. */
#define REQUESTER_FLAGS(type)                                                                                \
    {.name = "user",                                                                                         \
     .value = "NAME",                                                                                        \
     .text = "who would apply, for overrides of the policy",                                                 \
     SETS(flag_set_string, type, requester.user)},                                                           \
    {                                                                                                        \
        .name = "group", .value = "NAME", .text = "a group of the user; may be given several times",         \
        LISTS(names_flag, type, requester.groups)                                                            \
    }

/* Prints on stderr how many overrides cannot match, because the flags lack the user or the groups. */
void warn_unmatchable_overrides(
    const struct requester *requester, const struct policy *policy, const char *command);

#endif
