#include "base/tty.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_is_dumb(void)
{
    const char *name = getenv("TERM");
    return name && strcmp(name, "dumb") == 0;
}

bool terminal_has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) && !terminal_is_dumb() && !(no_colour && no_colour[0]);
}
