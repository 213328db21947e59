#include "cli/commands.h"

int command_version(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        puts("Usage: applyguard version\n\nPrints the version.");
        return 0;
    }
    puts("applyguard " APPLYGUARD_VERSION);
    return 0;
}
