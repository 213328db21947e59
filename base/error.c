#include "base/error.h"

#include "base/text.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Fills the message; one that does not fit is cut between two characters. */
static void fill(char *message, size_t capacity, const char *format, va_list arguments)
{
    int length = vsnprintf(message, capacity, format, arguments);
    if (length < 0 || (size_t)length < capacity)
        return;
    struct slice kept = text_cut((struct slice){message, capacity - 1}, capacity - sizeof(TEXT_ELLIPSIS));
    memcpy(message + kept.length, TEXT_ELLIPSIS, sizeof(TEXT_ELLIPSIS));
}

int error_set_list(struct error *error, unsigned line, unsigned column, const char *format, va_list arguments)
{
    if (!error)
        return -1;
    error->line = line;
    error->column = column;
    error->is_out_of_memory = false;
    fill(error->message, sizeof(error->message), format, arguments);
    return -1;
}

int error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(error, 0, 0, format, arguments);
    va_end(arguments);
    return -1;
}

bool error_is_address(const char *path)
{
    return strncmp(path, "https://", strlen("https://")) == 0 ||
        strncmp(path, "http://", strlen("http://")) == 0;
}

static const char *pipe_command;

void error_set_pipe(const char *command)
{
    pipe_command = command;
}

int error_set_file(struct error *error, const char *path, int code)
{
    if (error_is_address(path) && pipe_command)
        return error_set(
            error,
            "this is an address, and only files are read; download it, or pipe it in: curl -fsSL %s | %s",
            path, pipe_command);
    if (error_is_address(path))
        return error_set(error, "this is an address, and only files are read; download it");
    return error_set(error, "%s", strerror(code));
}

int error_set_at(struct error *error, unsigned line, unsigned column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    error_set_list(error, line, column, format, arguments);
    va_end(arguments);
    return -1;
}

int error_set_out_of_memory(struct error *error)
{
    error_set(error, "out of memory");
    if (error)
        error->is_out_of_memory = true;
    return -1;
}

int error_set_out_of_memory_at(struct error *error, unsigned line)
{
    error_set_out_of_memory(error);
    if (error) {
        error->line = line;
        error->column = 1;
    }
    return -1;
}
