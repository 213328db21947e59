#include "cli/commands.h"

#include "base/array_size.h"

/* In the order of the help. The static program lacks the commands that need a server. */
static const struct command *const all[] = {
#ifndef APPLYGUARD_STATIC
    &command_serve,
#endif
    &command_review,  &command_check,      &command_policy,
#ifndef APPLYGUARD_STATIC
    &command_certs,
#endif
    &command_explain, &command_blame,      &command_migrate, &command_replay, &command_scan,
    &command_preview, &command_completion, &command_version, &command_help,   &command_complete,
};

static const struct flag flags[] = {
    {.name = "version", .text = "print the version", .set = flag_set_true},
};

const struct command commands = {
    .name = "",
    .summary = "Apply hygiene for Kubernetes objects",
    .synopsis = "COMMAND [FLAG...]",
    .description = "Enforces apply hygiene on Kubernetes objects: it knows who owns each field and what was "
                   "declared, and warns of or denies a request that breaks either.",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .commands = all,
    .command_count = ARRAY_SIZE(all),
};
