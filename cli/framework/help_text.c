#include "cli/framework/help_text.h"

#include "base/terminal_wrap.h"
#include "cli/framework/program.h"

#include <string.h>

/*
 * The texts of flags and subcommands begin at this column at most; after a longer name, the text is on the
 * next line.
 */
#define COLUMN_MAX 28

static void print_synopsis(const struct command *command, bool *is_first, FILE *out)
{
    const char *line = command->synopsis;
    for (const char *end; line; line = *end ? end + 1 : NULL) {
        char start[100];
        end = line + strcspn(line, "\n");
        int length = snprintf(
            start, sizeof(start), "%s %s%s%s", *is_first ? "Usage:" : "      ", program_name(),
            *command->name ? " " : "", command->name);
        fputs(start, out);
        if (line < end)
            fputc(' ', out);
        terminal_wrap((struct slice){line, (size_t)(end - line)}, 11, (size_t)length + 1, out);
        *is_first = false;
    }
    for (size_t i = 0; !command->synopsis && i < command->command_count; i++)
        print_synopsis(command->commands[i], is_first, out);
}

static void print_paragraphs(const char *text, FILE *out)
{
    for (const char *end; text; text = end ? end + 2 : NULL) {
        end = strstr(text, "\n\n");
        fputc('\n', out);
        terminal_wrap((struct slice){text, end ? (size_t)(end - text) : strlen(text)}, 0, 0, out);
    }
}

/* " -o, --output text|json", padded to the width of `name`. */
static size_t format_flag(const struct flag *flag, char *name, size_t size)
{
    char letter[] = {'-', flag->letter, ',', ' ', '\0'};
    return (size_t)snprintf(
        name, size, "  %s--%s%s%s", flag->letter ? letter : "", flag->name, flag->value ? " " : "",
        flag->value ? flag->value : "");
}

/* A name and its text in two columns. */
static void print_row(const char *name, const char *text, size_t column, FILE *out)
{
    size_t length = strlen(name);
    fputs(name, out);
    if (length + 2 > column) {
        fputc('\n', out);
        length = 0;
    }
    terminal_wrap(slice_of(text), column, length, out);
}

static size_t column_of_flags(const struct command *command)
{
    char name[200];
    size_t column = 0;
    const struct flag *flag;
    for (size_t i = 0; (flag = command_flag(command, i)); i++) {
        size_t length = format_flag(flag, name, sizeof(name)) + 2;
        if (length > column && length <= COLUMN_MAX)
            column = length;
    }
    return column;
}

static void print_flags(const struct command *command, FILE *out)
{
    char name[200];
    size_t column = column_of_flags(command);
    const struct flag *flag;
    fputs("\nFlags:\n", out);
    for (size_t i = 0; (flag = command_flag(command, i)); i++) {
        format_flag(flag, name, sizeof(name));
        print_row(name, flag->text, column, out);
    }
}

static void print_commands(const struct command *command, FILE *out)
{
    char name[40];
    size_t prefix = *command->name ? strlen(command->name) + 1 : 0, column = 0;
    for (size_t i = 0; i < command->command_count; i++) {
        size_t length = strlen(command->commands[i]->name + prefix) + 4;
        column = length > column ? length : column;
    }
    fputs("\nCommands:\n", out);
    for (size_t i = 0; i < command->command_count; i++) {
        if (command->commands[i]->is_hidden)
            continue;
        snprintf(name, sizeof(name), "  %s", command->commands[i]->name + prefix);
        print_row(name, command->commands[i]->summary, column, out);
    }
}

void help_print(const struct command *command, FILE *out)
{
    bool is_first = true;
    print_synopsis(command, &is_first, out);
    if (command->description)
        print_paragraphs(command->description, out);
    else
        fprintf(out, "\n%s.\n", command->summary);
    if (command->command_count)
        print_commands(command, out);
    print_flags(command, out);
    if (command->exit_status) {
        fputs("\nExit status: ", out);
        terminal_wrap(slice_of(command->exit_status), 0, strlen("Exit status: "), out);
    }
    if (command->command_count)
        fprintf(
            out, "\n\"%s %s%sCOMMAND --help\" lists the flags of a command.\n", program_name(), command->name,
            *command->name ? " " : "");
}
