/*
 * applyguard: apply hygiene for Kubernetes, as a webhook and on the command line.
 */
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/program.h"

int main(int argc, char **argv)
{
    output_begin();
    program_set(argv[0]);
    return output_end(command_run(&commands, argc, argv));
}
