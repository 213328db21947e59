#include "cli/command_line.h"
#include "cli/commands.h"

#include <stdio.h>

static int run_version(const struct command *command, int argc, char **argv)
{
    struct operands operands;
    int status;
    if (!command_parse(command, argc, argv, NULL, &operands, &status))
        return status;
    if (operands.count)
        return command_misused(command, operands.items[0], "is not a flag of version");
    puts("applyguard " APPLYGUARD_VERSION);
    return 0;
}

const struct command command_version = {
    .name = "version",
    .summary = "Print the version",
    .synopsis = "",
    .run = run_version,
};
