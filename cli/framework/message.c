#include "cli/framework/message.h"

#include "base/terminal.h"
#include "base/text.h"

#include <stdarg.h>
#include <string.h>

/* Longer than the longest path with the longest sentence about it. */
#define MESSAGE_BYTES_MAX 8192

/* The longest escape of a byte, \xff. */
#define ESCAPE_BYTES 4

/* Allocates nothing: the message may be about running out of memory. */
__attribute__((format(printf, 2, 0))) static void print(FILE *out, const char *format, va_list arguments)
{
    char message[MESSAGE_BYTES_MAX], escaped[(size_t)ESCAPE_BYTES * MESSAGE_BYTES_MAX + sizeof("./\n")];
    struct text text = {.bytes = escaped, .capacity = sizeof(escaped)};
    int length = vsnprintf(message, sizeof(message), format, arguments);
    if (length < 0)
        return;
    text_append_string(&text, terminal_guard(slice_of(message)));
    terminal_append(&text, text_cut(slice_of(message), sizeof(message) - sizeof(TEXT_ELLIPSIS)));
    text_append_string(&text, (size_t)length < sizeof(message) ? "\n" : TEXT_ELLIPSIS "\n");
    fwrite(text.bytes, 1, text.length, out);
}

void message_say(const char *format, ...)
{
    va_list arguments;
    fflush(stdout);
    va_start(arguments, format);
    print(stderr, format, arguments);
    va_end(arguments);
}

void message_print(FILE *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print(out, format, arguments);
    va_end(arguments);
}

void message_print_place(FILE *out, const char *path, const char *label, const struct error *error)
{
    char line[16] = "", column[16] = "";
    if (error->line)
        snprintf(line, sizeof(line), ":%u", error->line);
    if (error->line && error->column)
        snprintf(column, sizeof(column), ":%u", error->column);
    message_print(
        out, "%s%s%s:%s%s %s", *path ? path : "''", line, column, *label ? " " : "", label, error->message);
}
