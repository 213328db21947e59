#include "cli/framework/program.h"

#include <stdbool.h>
#include <string.h>

static bool is_plugin;

/* As a plugin, the program is kubectl-applyguard. */
void program_set(const char *path)
{
    static const char prefix[] = "kubectl-";
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    is_plugin = name && strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

const char *program_name(void)
{
    return is_plugin ? "kubectl applyguard" : "applyguard";
}
