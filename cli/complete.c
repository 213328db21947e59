/*
 * applyguard __complete WORD...: prints completions of the last word. Shells call it (cli/completion/), and
 * kubectl for its plugins.
 *
 * The output has the form of Cobra's programs: a line "WORD<tab>DESCRIPTION" for each, then ":0" to offer
 * files too, ":16" for directories, ":4" for neither. For --flag=value, the words are values.
 */
#include "base/ascii.h"
#include "cli/commands.h"
#include "cli/framework/command.h"
#include "policy/rules.h"

#include <stdio.h>
#include <string.h>

enum directive { FILES = 0, NO_FILES = 4, DIRECTORIES = 16 };

/* The words so far, without the program. */
struct typed {
    char **words;
    int count; /* before the last word */
    const char *last;
};

static void offer(const char *typed, const char *prefix, const char *word, const char *description)
{
    char whole[100];
    snprintf(whole, sizeof(whole), "%s%s", prefix, word);
    if (strncmp(whole, typed, strlen(typed)) == 0)
        printf("%s%s%s\n", whole, description ? "\t" : "", description ? description : "");
}

static void offer_commands(const struct command *command, const char *typed)
{
    for (size_t i = 0; i < command->command_count; i++)
        if (!command->commands[i]->is_hidden)
            offer(typed, "", command_last_word(command->commands[i]->name), command->commands[i]->summary);
}

static void offer_choices(const char *choices, const char *typed)
{
    for (const char *end; choices; choices = *end ? end + 1 : NULL) {
        char choice[100];
        end = choices + strcspn(choices, "|");
        snprintf(choice, sizeof(choice), "%.*s", (int)(end - choices), choices);
        offer(typed, "", choice, NULL);
    }
}

/* Offers the values of a flag or an operand (cli/framework/command.h). */
static enum directive offer_values(const char *value, const char *typed)
{
    if (!value)
        return NO_FILES;
    if (strcmp(value, "FILE") == 0)
        return FILES;
    if (strcmp(value, "DIR") == 0)
        return DIRECTORIES;
    if (strcmp(value, "RULE") == 0)
        for (size_t i = 0; i < RULE_COUNT; i++)
            offer(typed, "", rules[i].name, rules[i].summary);
    else if (ascii_is_lower(value[0]))
        offer_choices(value, typed);
    return NO_FILES;
}

static void offer_flags(const struct command *command, const char *typed)
{
    const struct flag *flag;
    for (size_t i = 0; (flag = command_flag(command, i)); i++)
        offer(typed, "--", flag->name, flag->text);
}

/* The flag of the word: --name, --name=value, -x or -x=value. NULL: the word is not a flag with a value. */
static const struct flag *find_flag(const struct command *command, const char *word)
{
    size_t length = strcspn(word, "=");
    const struct flag *flag;
    for (size_t i = 0; (flag = command_flag(command, i)); i++) {
        bool is_letter = word[0] == '-' && flag->letter && word[1] == flag->letter && length == 2;
        bool is_name = strncmp(word, "--", 2) == 0 && length == strlen(flag->name) + 2 &&
            strncmp(word + 2, flag->name, length - 2) == 0;
        if (flag->value && (is_letter || is_name))
            return flag;
    }
    return NULL;
}

static enum directive complete_operand(const struct command *command, const struct typed *typed)
{
    int taken;
    if (command->operand && strcmp(command->operand, "COMMAND") == 0) {
        offer_commands(command_find(&commands, typed->count - 1, typed->words + 1, &taken), typed->last);
        return NO_FILES;
    }
    offer_commands(command, typed->last);
    return offer_values(command->operand, typed->last);
}

static enum directive complete(const struct typed *typed)
{
    int taken;
    const struct command *command = command_find(&commands, typed->count, typed->words, &taken);
    for (int i = taken; i < typed->count; i++) {
        if (strcmp(typed->words[i], "--") == 0)
            return complete_operand(command, typed);
        const struct flag *flag = strchr(typed->words[i], '=') ? NULL : find_flag(command, typed->words[i]);
        if (flag && ++i == typed->count)
            return offer_values(flag->value, typed->last);
    }
    const char *value = strchr(typed->last, '=');
    if (typed->last[0] != '-')
        return complete_operand(command, typed);
    if (!value) {
        offer_flags(command, typed->last);
        return NO_FILES;
    }
    const struct flag *flag = find_flag(command, typed->last);
    return offer_values(flag ? flag->value : NULL, value + 1);
}

static int run_complete(const struct command *command, void *options, const struct operands *words)
{
    (void)command, (void)options;
    const int before = words->count ? words->count - 1 : 0;
    const struct typed typed = {
        .words = words->items, .count = before, .last = words->count ? words->items[before] : ""};
    printf(":%d\n", (int)complete(&typed));
    return 0;
}

const struct command command_complete = {
    .name = "__complete",
    .summary = "Say what a word may become",
    .synopsis = "WORD...",
    .is_hidden = true,
    .run = run_complete,
};
