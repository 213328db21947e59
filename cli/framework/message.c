#include "cli/framework/message.h"

#include "base/text.h"
#include "cli/framework/command.h"

#include <stdarg.h>
#include <string.h>

/* Longer than the longest path with the longest sentence about it. */
#define MESSAGE_BYTES_MAX 8192

/* A longer argument is not a path, but its beginning shows which argument is meant. */
#define PATH_BYTES_MAX 4096

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
    text_append_all(
        &text, terminal_guard(slice_of(message)),
        as_terminal(text_cut(slice_of(message), sizeof(message) - sizeof(TEXT_ELLIPSIS))),
        (size_t)length < sizeof(message) ? "\n" : TEXT_ELLIPSIS "\n");
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

int message_say_out_of_memory(const char *command)
{
    message_say("applyguard %s: out of memory", command);
    return EXIT_UNREADABLE;
}

void message_print_problem(FILE *out, const char *path, enum terminal_label label, const struct error *error)
{
    char bytes[(size_t)ESCAPE_BYTES * MESSAGE_BYTES_MAX];
    struct text text = {.bytes = bytes, .capacity = sizeof(bytes)};
    const struct slice file = text_cut(slice_of(*path ? path : "''"), PATH_BYTES_MAX);
    terminal_append_problem(&text, file, error->line, error->column, label, slice_of(error->message), false);
    fwrite(text.bytes, 1, text.length, out);
}
