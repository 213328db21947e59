#include "base/process.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool process_is_in_path(const char *program)
{
    char path[4096];
    const char *folder = getenv("PATH");
    while (folder && *folder) {
        size_t length = strcspn(folder, ":");
        int written = snprintf(path, sizeof(path), "%.*s/%s", (int)length, folder, program);
        if (written > 0 && (size_t)written < sizeof(path) && access(path, X_OK) == 0)
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

int process_pipe(int ends[2])
{
    if (pipe(ends) < 0)
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 0;
}
