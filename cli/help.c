#include "cli/commands.h"

#include <string.h>

int command_help(int argc, char **argv)
{
    static char help_flag[] = "--help";
    if (argc < 2 || is_help_flag(argv[1]) || strcmp(argv[1], "help") == 0) {
        commands_print(stdout);
        return 0;
    }
    char *arguments[] = {argv[1], help_flag, NULL};
    return command_run(2, arguments);
}
