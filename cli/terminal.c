#include "cli/terminal.h"

#include <stdlib.h>
#include <unistd.h>

bool terminal_has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !(no_colour && no_colour[0]);
}
