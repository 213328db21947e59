/* applyguard completion: prints scripts that let shells call `applyguard __complete`. */
#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/framework/command_line.h"

#include <stdio.h>

static int run_completion(const struct command *command, void *options, const struct operands *shells)
{
    (void)options;
    if (shells->count != 1)
        return command_misused(command, "one SHELL", "is needed: bash, zsh or fish");
    char name[40];
    snprintf(name, sizeof(name), "applyguard.%s", shells->items[0]);
    struct slice script = embedded_find(name);
    if (!script.bytes)
        return command_misused(command, shells->items[0], "is not one of bash, zsh, fish");
    fwrite(script.bytes, 1, script.length, stdout);
    return 0;
}

const struct command command_completion = {
    .name = "completion",
    .summary = "Print the completion of a shell",
    .synopsis = "bash|zsh|fish",
    .description =
        "Prints a script for the shell that completes commands, flags, their values and the names of "
        "rules.\n\n"
        "bash: source <(applyguard completion bash)\n\n"
        "zsh: source <(applyguard completion zsh)\n\n"
        "fish: applyguard completion fish | source",
    .operand = "bash|zsh|fish",
    .run = run_completion,
};
