/*
 * applyguard: apply hygiene for Kubernetes, as a webhook and on the command line.
 */
#include "cli/commands.h"
#include "cli/framework/command_line.h"
#include "cli/framework/output.h"
#include "cli/framework/program.h"

#include <signal.h>

int main(int argc, char **argv)
{
    output_begin();
    /* Our parent may ignore SIGCHLD; waitpid() could then not report the exit status of kubectl. */
    signal(SIGCHLD, SIG_DFL);
    program_set(argv[0]);
    return output_end(command_run(&commands, argc, argv));
}
