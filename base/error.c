#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

static void fill(struct error *error, unsigned line, unsigned column, const char *format, va_list arguments)
{
    if (!error)
        return;
    error->line = line;
    error->column = column;
    vsnprintf(error->message, sizeof(error->message), format, arguments);
}

int error_set(struct error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, 0, 0, format, arguments);
    va_end(arguments);
    return -1;
}

int error_set_at(struct error *error, unsigned line, unsigned column, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fill(error, line, column, format, arguments);
    va_end(arguments);
    return -1;
}
