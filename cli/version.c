#include "cli/commands.h"

#include <string.h>

int command_version(int argc, char **argv)
{
    if (argc > 1 && is_help_flag(argv[1])) {
        puts("Usage: applyguard version\n\nPrints the version.");
        return 0;
    }
    if (argc > 1) {
        fprintf(stderr, "applyguard version: it takes no \"%s\"; see applyguard version --help\n", argv[1]);
        return EXIT_UNREADABLE;
    }
    puts("applyguard " APPLYGUARD_VERSION);
    return 0;
}
