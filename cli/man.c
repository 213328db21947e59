#include "cli/man.h"

#include "base/terminal_wrap.h"

#include <string.h>

/* The width of the lines of its source. */
#define SOURCE_COLUMNS 80

/*
 * Masks words that mdoc would read as requests or escapes. Returns the number of columns that the word takes.
 */
static size_t print_word(const char *word, size_t length, FILE *out)
{
    size_t columns = length;
    if (*word == '.' || *word == '\'') {
        fputs("\\&", out);
        columns += 2;
    }
    for (size_t i = 0; i < length; i++) {
        bool is_masked = word[i] == '\\' || word[i] == '-';
        fputs(word[i] == '\\' ? "\\e" : word[i] == '-' ? "\\-" : (char[]){word[i], '\0'}, out);
        columns += is_masked;
    }
    return columns;
}

/* Each sentence begins a line, as mdoc requires. An empty line begins a paragraph. */
static void print_text(const char *text, FILE *out)
{
    size_t column = 0;
    for (const char *word = text + strspn(text, " "); *word;) {
        size_t length = strcspn(word, " \n");
        if (column && column + 1 + 2 * length > SOURCE_COLUMNS) {
            fputc('\n', out);
            column = 0;
        }
        if (column)
            fputc(' ', out);
        column += print_word(word, length, out) + 1;
        if (strchr(".?!", word[length - 1]) || word[length] == '\n') {
            fputs(word[length] == '\n' ? "\n.Pp\n" : "\n", out);
            column = 0;
        }
        word += length + strspn(word + length, " \n");
    }
    if (column)
        fputc('\n', out);
}

static void print_flag(const struct flag *flag, FILE *out)
{
    fputs(".It ", out);
    if (flag->letter)
        fprintf(out, "Fl %c , ", flag->letter);
    fprintf(out, "Fl Fl %s", flag->name);
    if (flag->value)
        fprintf(out, " Ar %s", flag->value);
    fputc('\n', out);
    print_text(flag->text, out);
}

static void print_flags(const struct command *command, FILE *out)
{
    const struct flag *flag;
    fputs(".Bl -tag -width Ds\n", out);
    for (size_t i = 0; (flag = command_flag(command, i)); i++)
        print_flag(flag, out);
    fputs(".El\n", out);
}

static void print_synopsis(const struct command *command, FILE *out)
{
    fputs(".Bd -unfilled -offset indent\n", out);
    for (const char *line = command->synopsis, *end; line; line = *end ? end + 1 : NULL) {
        int length = fprintf(out, "applyguard %s", command->name);
        end = line + strcspn(line, "\n");
        if (line < end)
            length += fprintf(out, " ");
        terminal_wrap((struct slice){line, (size_t)(end - line)}, 4, (size_t)length, out);
    }
    fputs(".Ed\n", out);
}

static void print_description(const struct command *command, FILE *out)
{
    if (command->description)
        print_text(command->description, out);
    else
        fprintf(out, "%s.\n", command->summary);
}

static void print_command(const struct command *command, FILE *out)
{
    if (command->is_hidden)
        return;
    fprintf(out, ".Ss %s\n", command->name);
    if (command->command_count) {
        print_description(command, out);
        for (size_t i = 0; i < command->command_count; i++)
            print_command(command->commands[i], out);
        return;
    }
    print_synopsis(command, out);
    fputs(".Pp\n", out);
    print_description(command, out);
    print_flags(command, out);
    if (command->exit_status) {
        fputs(".Pp\nExit status:\n", out);
        print_text(command->exit_status, out);
    }
}

void man_print(const struct command *program, FILE *out)
{
    fputs(
        ".\\\" Written by \"applyguard help --man\".\n.Dd " APPLYGUARD_DATE
        "\n.Dt APPLYGUARD 1\n.Os\n.Sh NAME\n.Nm applyguard\n"
        ".Nd apply hygiene for Kubernetes objects\n.Sh SYNOPSIS\n.Nm\n.Ar command\n.Op Ar flag ...\n"
        ".Sh DESCRIPTION\n",
        out);
    print_text(program->description, out);
    print_flags(program, out);
    fputs(".Sh COMMANDS\n", out);
    for (size_t i = 0; i < program->command_count; i++)
        print_command(program->commands[i], out);
}
