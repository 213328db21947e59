#include "cli/embedded.h"

struct slice embedded_find(const char *name)
{
    for (const struct embedded_file *file = embedded_files; file->name; file++)
        if (strcmp(file->name, name) == 0)
            return (struct slice){(const char *)file->bytes, file->length};
    return (struct slice){NULL, 0};
}
