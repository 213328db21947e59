/*
 * applyguard: apply hygiene for Kubernetes, as a webhook and on the command line.
 */
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/program.h"

#include <stdio.h>

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
    program_set(argv[0]);
    return finish(command_run(&commands, argc, argv));
}
