#include "base/array_size.h"
#include "base/terminal_output.h"
#include "cli/commands.h"
#include "cli/framework/command_line.h"
#include "cli/framework/help_text.h"
#include "cli/man.h"

#include <stdio.h>

struct options {
    bool is_man;
};

/* If a word is not a command, the command before it lists its subcommands. */
static int run_help(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    int taken;
    if (options->is_man) {
        man_print(&commands, stdout);
        return 0;
    }
    const struct command *explained = command_find(&commands, operands->count, operands->items, &taken);
    if (taken < operands->count && explained->command_count)
        return command_unknown(explained, operands->items[taken]);
    if (taken < operands->count)
        return command_misused(command, operands->items[taken], "is not a command");
    terminal_begin_pager();
    help_print(explained, stdout);
    return 0;
}

static const struct flag flags[] = {
    {.name = "man",
     .text = "print the manual page of all commands, in mdoc",
     SETS(flag_set_true, struct options, is_man)},
};

const struct command command_help = {
    .name = "help",
    .summary = "Explain a command",
    .synopsis = "[COMMAND...]\n--man",
    .operand = "COMMAND",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .run = run_help,
};
