#include "cli/framework/command.h"

#include "base/array_size.h"
#include "base/terminal_output.h"

#include <string.h>

const char *flag_set_string(const char *value, void *field)
{
    *(const char **)field = value;
    return NULL;
}

const char *flag_set_if_any(const char *value, void *field)
{
    return flag_set_string(*value ? value : NULL, field);
}

const char *flag_set_file(const char *value, void *field)
{
    return *(const char **)field ? "is one FILE too many" : flag_set_string(value, field);
}

const char *flag_set_true(const char *value, void *field)
{
    (void)value;
    *(bool *)field = true;
    return NULL;
}

static const char *set_color(const char *value, void *field)
{
    (void)field;
    bool is_auto = strcmp(value, "auto") == 0, is_always = strcmp(value, "always") == 0;
    terminal_set_color(
        is_auto         ? TERMINAL_COLOR_AUTO
            : is_always ? TERMINAL_COLOR_ALWAYS
                        : TERMINAL_COLOR_NEVER);
    return NULL;
}

static const struct flag common_flags[] = {
    {.name = "color",
     .value = "auto|always|never",
     .text = "colours in text for people; auto: on a terminal, unless NO_COLOR is set (default auto)",
     .set = set_color},
    {.name = "help", .letter = 'h', .text = "print the help"},
};

const struct flag *command_flag(const struct command *command, size_t number)
{
    if (number < command->flag_count)
        return &command->flags[number];
    number -= command->flag_count;
    return number < ARRAY_SIZE(common_flags) ? &common_flags[number] : NULL;
}

bool command_flag_is_help(const struct flag *flag)
{
    return flag == &common_flags[ARRAY_SIZE(common_flags) - 1];
}

const char *command_last_word(const char *name)
{
    const char *space = strrchr(name, ' ');
    return space ? space + 1 : name;
}

const struct command *command_subcommand(const struct command *command, const char *name)
{
    for (size_t i = 0; i < command->command_count; i++)
        if (strcmp(command_last_word(command->commands[i]->name), name) == 0)
            return command->commands[i];
    return NULL;
}

const struct command *command_find(const struct command *command, int argc, char *const *argv, int *taken)
{
    const struct command *next;
    *taken = 0;
    while (*taken < argc && (next = command_subcommand(command, argv[*taken]))) {
        command = next;
        (*taken)++;
    }
    return command;
}
