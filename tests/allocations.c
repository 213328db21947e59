/*
 * allocations.c: preloaded to a program, makes one allocation of its first thread fail: the one whose number
 * is in the file that the environment variable FAIL names, counted from when that file appears. The file is
 * removed when that has happened.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

/* 0: no file says so. */
static long number_in_file(const char *path)
{
    char digits[16] = "";
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return 0;
    ssize_t length = read(file, digits, sizeof(digits) - 1);
    close(file);
    return length > 0 ? strtol(digits, NULL, 10) : 0;
}

static bool fails(void)
{
    static long left;
    const char *path = environ ? getenv("FAIL") : NULL;
    if (!path || gettid() != getpid())
        return false;
    if (!left)
        left = number_in_file(path);
    if (!left || --left)
        return false;
    unlink(path);
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails() ? NULL : __libc_realloc(block, size);
}
