/*
 * applyguard: apply hygiene for Kubernetes, as a webhook and on the command line.
 */
#include "base/count.h"
#include "cli/commands.h"

#include <string.h>

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} commands[] = {
#define COMMAND(name, function, summary) {name, function, summary},
    COMMANDS(COMMAND)
#undef COMMAND
};

#define COMMAND_COUNT COUNT(commands)

void commands_print(FILE *out)
{
    fputs(
        "applyguard enforces apply hygiene on Kubernetes objects: it knows who owns each field and what was\n"
        "declared, and warns of or denies a request that breaks either.\n\nUsage: applyguard COMMAND "
        "[FLAGS]\n\nCommands:\n",
        out);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-9s %s\n", commands[i].name, commands[i].summary);
    fputs(
        "\n\"applyguard help COMMAND\" or \"applyguard COMMAND --help\" lists the flags of a command.\n",
        out);
}

int command_run(int argc, char **argv)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        if (strcmp(argv[0], commands[i].name) == 0)
            return commands[i].run(argc, argv);
    }
    fprintf(stderr, "applyguard: there is no command \"%s\"; there are", argv[0]);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        fprintf(stderr, "%s %s", i == 0 ? "" : i + 1 < COMMAND_COUNT ? "," : " and", commands[i].name);
    fputs("\n", stderr);
    return EXIT_UNREADABLE;
}

/* A full disk or a closed pipe must not look like a verdict. */
static int finish(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fputs("applyguard: the output could not be written\n", stderr);
    return EXIT_UNREADABLE;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        commands_print(stderr);
        return EXIT_UNREADABLE;
    }
    if (is_help_flag(argv[1])) {
        commands_print(stdout);
        return finish(0);
    }
    if (strcmp(argv[1], "--version") == 0)
        argv[1] = "version";
    return finish(command_run(argc - 1, argv + 1));
}
