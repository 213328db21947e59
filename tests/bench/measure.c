#include "measure.h"
#include "policy/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(2);
}

struct slice read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        give_up("%s cannot be read", path);
    size_t size = (size_t)ftell(file);
    char *bytes = malloc(size + 1);
    rewind(file);
    if (!bytes || fread(bytes, 1, size, file) != size)
        give_up("%s cannot be read", path);
    fclose(file);
    return (struct slice){bytes, size};
}

const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

struct policy *load_policy(struct slice text)
{
    struct error error = {0};
    struct policy *policy = policy_load(text, &error);
    if (!policy)
        give_up("policy, line %u: %s", error.line, error.message);
    return policy;
}

double cpu_nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}
