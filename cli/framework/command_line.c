#include "cli/framework/command_line.h"

#include "base/ascii.h"
#include "base/error.h"
#include "base/names.h"
#include "base/terminal_output.h"
#include "base/words.h"
#include "cli/framework/help_text.h"
#include "cli/framework/message.h"
#include "cli/framework/program.h"

#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* More than any command has; tests would not cover flags beyond this number. */
#define FLAGS_MAX 64

/* The limit of a flag or an argument's name in a message. */
#define READER_BYTES_MAX 40

/* The limit of the list of all commands. */
#define COMMANDS_BYTES_MAX 400

/* getopt's values for long flags: they follow all characters, and contain the row. */
#define LONG_FLAG 256

int command_misused(const struct command *command, const char *subject, const char *problem)
{
    const char *space = *command->name ? " " : "";
    message_say(
        "applyguard%s%s: %s %s; see %s%s%s --help", space, command->name, subject, problem, program_name(),
        space, command->name);
    return EXIT_UNREADABLE;
}

/* "a, b and c" */
static void list_commands(const struct command *command, char *list, size_t size)
{
    size_t shown = 0, count = 0, length = 0;
    for (size_t i = 0; i < command->command_count; i++)
        count += !command->commands[i]->is_hidden;
    for (size_t i = 0; i < command->command_count && length < size; i++) {
        if (command->commands[i]->is_hidden)
            continue;
        const char *separator = shown + 1 < count ? ", " : " and ";
        length += (size_t)snprintf(
            list + length, size - length, "%s%s", shown ? separator : "",
            command_last_word(command->commands[i]->name));
        shown++;
    }
}

/* More commands or choices than there are. */
#define WORDS_MAX 64

static const char *nearest_command(const struct command *command, const char *name)
{
    const char *words[WORDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < command->command_count && count < WORDS_MAX; i++) {
        if (!command->commands[i]->is_hidden)
            words[count++] = command_last_word(command->commands[i]->name);
    }
    return word_nearest(slice_of(name), words, count);
}

int command_unknown(const struct command *command, const char *name)
{
    char list[COMMANDS_BYTES_MAX];
    const char *space = *command->name ? " " : "", *meant = nearest_command(command, name);
    list_commands(command, list, sizeof(list));
    if (meant)
        message_say(
            "applyguard%s%s: there is no command \"%s\"; did you mean %s? There are %s", space, command->name,
            name, meant, list);
    else
        message_say(
            "applyguard%s%s: there is no command \"%s\"; there are %s", space, command->name, name, list);
    return EXIT_UNREADABLE;
}

/* The flag that a word beginning with -- was meant to be, without its dashes and its value; NULL: none is
 * near. */
static const char *nearest_flag(const struct command *command, const char *word)
{
    const char *names[WORDS_MAX];
    size_t count = 0;
    const struct flag *flag;
    while (count < WORDS_MAX && (flag = command_flag(command, count)))
        names[count++] = flag->name;
    struct slice name = {word + 2, strcspn(word + 2, "=")};
    return word_nearest(name, names, count);
}

struct getopt_tables {
    struct option flags[2 * FLAGS_MAX + 1]; /* each may have a former name */
    char letters[2 * FLAGS_MAX + 2];
};

static void fill_tables(const struct command *command, struct getopt_tables *tables)
{
    char *letter = tables->letters;
    struct option *option = tables->flags;
    const struct flag *flag;
    *letter++ = ':';
    for (size_t i = 0; i < FLAGS_MAX && (flag = command_flag(command, i)); i++) {
        const int takes = flag->value ? required_argument : no_argument;
        *option++ = (struct option){flag->name, takes, NULL, LONG_FLAG + (int)i};
        if (flag->former)
            *option++ = (struct option){flag->former, takes, NULL, LONG_FLAG + (int)i};
        if (flag->letter)
            *letter++ = flag->letter;
        if (flag->letter && flag->value)
            *letter++ = ':';
    }
    *letter = '\0';
    *option = (struct option){NULL, 0, NULL, 0};
}

/* The flag that getopt found, which is one of the table. */
static const struct flag *flag_of(const struct command *command, int found)
{
    const struct flag *flag;
    for (size_t i = 0; (flag = command_flag(command, i)); i++)
        if (found == LONG_FLAG + (int)i || (found < LONG_FLAG && found == flag->letter))
            break;
    return flag;
}

static bool takes_files(const struct command *command)
{
    const struct flag *flag;
    for (size_t i = 0; (flag = command_flag(command, i)); i++)
        if (strcmp(flag->name, "filename") == 0)
            return true;
    return false;
}

/*
 * After an error, optopt is the flag: 0 for an unknown long flag. `before` is the short flag before it: for
 * -R=false, getopt complains about the sign.
 */
static int bad_flag(
    const struct command *command, int problem, const char *argument, const struct flag *before)
{
    char sentence[160];
    char letter[] = {'-', (char)(unsigned char)optopt, '\0'};
    bool is_short = optopt > 0 && optopt < LONG_FLAG;
    if (problem == '?' && optopt == '=' && before && !before->value) {
        letter[1] = before->letter;
        snprintf(sentence, sizeof(sentence), "takes no value");
    } else if (problem == ':')
        snprintf(sentence, sizeof(sentence), "lacks its value");
    else if (optopt >= LONG_FLAG)
        snprintf(sentence, sizeof(sentence), "takes no value");
    else if (optopt == 'k' && takes_files(command))
        snprintf(
            sentence, sizeof(sentence),
            "is a flag of kubectl alone: pipe what kubectl kustomize prints into -f -");
    else {
        const char *meant = is_short ? NULL : nearest_flag(command, argument);
        snprintf(
            sentence, sizeof(sentence), "is not a flag%s%s%s%s%s", *command->name ? " of " : "",
            command->name, meant ? "; did you mean --" : "", meant ? meant : "", meant ? "?" : "");
    }
    return command_misused(command, is_short ? letter : argument, sentence);
}

/* The choice that a value was meant to be; empty: none is near. */
static struct slice nearest_choice(const struct flag *flag, const char *value)
{
    struct slice nearest = {NULL, 0};
    unsigned least = UINT_MAX;
    size_t length;
    for (const char *choice = flag->value; value; choice += length + 1) {
        length = strcspn(choice, "|");
        struct slice word = {choice, length};
        unsigned distance = word_distance(slice_of(value), word);
        if (distance < least && distance <= (length + 2) / 3) {
            least = distance;
            nearest = word;
        }
        if (!choice[length])
            break;
    }
    return nearest;
}

/* In place of a setter's answer; the message lists the choices: "is not one of text, json". */
static const char no_choice[] = "";

static int bad_value(
    const struct command *command, const struct flag *flag, const char *value, const char *wrong)
{
    char subject[300], choices[200];
    snprintf(
        subject, sizeof(subject), "--%s%s%s", flag->name, value && *value ? " " : "", value ? value : "");
    if (wrong != no_choice)
        return command_misused(command, subject, wrong);
    size_t length = (size_t)snprintf(choices, sizeof(choices), "is not one of ");
    for (const char *next = flag->value; *next && length + 3 < sizeof(choices); next++) {
        bool is_bar = *next == '|';
        memcpy(choices + length, is_bar ? ", " : next, is_bar ? 2 : 1);
        length += is_bar ? 2 : 1;
    }
    choices[length] = '\0';
    struct slice meant = nearest_choice(flag, value);
    if (meant.length)
        snprintf(
            choices + length, sizeof(choices) - length, "; did you mean %.*s?", (int)meant.length,
            meant.bytes);
    return command_misused(command, subject, choices);
}

/* The value of -o=json is that of -o json, as in kubectl. `word` is the argument that ends with the value. */
static const char *value_of(int found, const char *word)
{
    bool has_sign = found < LONG_FLAG && optarg && optarg != word && *optarg == '=';
    return has_sign ? optarg + 1 : optarg;
}

/* The flag or argument that reads standard input; empty: none. */
struct input {
    char reader[READER_BYTES_MAX];
};

int command_reads_input_twice(const struct command *command, const char *first, const char *second)
{
    char subject[2 * READER_BYTES_MAX];
    snprintf(subject, sizeof(subject), "%s and %s", first, second);
    return command_misused(command, subject, "both read standard input; name a file for one of them");
}

/* Returns 0, or the exit status if another one reads it already: the second one would get an empty file. */
static int claim_input(const struct command *command, struct input *input, const char *reader)
{
    char subject[READER_BYTES_MAX + 2];
    if (!*input->reader) {
        snprintf(input->reader, sizeof(input->reader), "%s", reader);
        return 0;
    }
    if (strcmp(input->reader, reader) != 0)
        return command_reads_input_twice(command, input->reader, reader);
    snprintf(subject, sizeof(subject), "%s%s", *reader == '-' ? reader : "", *reader == '-' ? " -" : "-");
    return command_misused(command, subject, "is given twice, and standard input is read once");
}

static bool is_input(const char *takes, const char *value)
{
    return takes && strcmp(takes, "FILE") == 0 && strcmp(value, "-") == 0;
}

static int claim_for_flag(
    const struct command *command, struct input *input, const struct flag *flag, const char *value)
{
    char reader[READER_BYTES_MAX];
    char letter[] = {flag->letter, '\0'};
    if (!is_input(flag->value, value))
        return 0;
    snprintf(reader, sizeof(reader), "%s%s", flag->letter ? "-" : "--", flag->letter ? letter : flag->name);
    return claim_input(command, input, reader);
}

static int claim_for_operands(
    const struct command *command, struct input *input, const struct operands *operands)
{
    int status = 0;
    for (int i = 0; i < operands->count && !status; i++)
        if (is_input(command->operand, operands->items[i]))
            status = claim_input(command, input, "the argument \"-\"");
    return status;
}

static bool find_choice(const struct flag *flag, const char *value, unsigned *index)
{
    size_t length;
    *index = 0;
    for (const char *choice = flag->value;; choice += length + 1, ++*index) {
        length = strcspn(choice, "|");
        if (length == strlen(value) && memcmp(choice, value, length) == 0)
            return true;
        if (!choice[length])
            return false;
    }
}

/* Returns NULL, or what is wrong with the value. */
static const char *set_value(const struct flag *flag, const char *value, void *field)
{
    unsigned index = 0;
    bool is_chosen = value && ascii_is_lower(*flag->value) && !flag->is_open;
    if (is_chosen && !find_choice(flag, value, &index))
        return no_choice;
    if (flag->set)
        return flag->set(value, field);
    *(unsigned *)field = index;
    return NULL;
}

/* Names the command that reads standard input in place of an address. */
static void note_address(const struct command *command, const char *argument, const char *reader)
{
    static char words[100];
    if (!error_is_address(argument))
        return;
    snprintf(words, sizeof(words), "%s %s %s", program_name(), command->name, reader);
    error_set_pipe(words);
}

/* A command line while it is read. */
struct reading {
    const struct command *command;
    void *options;
    struct operands operands;
    struct input input;
    const struct flag *before; /* the short flag before this one; NULL: none */
    int status;                /* the exit status, if the command does not run */
};

/* Returns 0, or the exit status for an invalid value. */
static int set_flag(struct reading *reading, const struct flag *flag, const char *value)
{
    void *field = (char *)reading->options + flag->offset;
    if (flag->letter == 'f' && value)
        note_address(reading->command, value, "-f -");
    const char *wrong = set_value(flag, value, field);
    return wrong ? bad_value(reading->command, flag, value, wrong)
                 : claim_for_flag(reading->command, &reading->input, flag, value);
}

/* "KIND/NAME" for each of these arguments after the first, KIND; returns NULL if memory runs out. */
static char **join_kind(char *const *words, int count)
{
    size_t bytes = 0;
    for (int i = 1; i < count; i++)
        bytes += strlen(words[0]) + 1 + strlen(words[i]) + 1;
    char **joined = malloc((size_t)count * sizeof(*joined) + bytes);
    char *next = joined ? (char *)(joined + count) : NULL;
    for (int i = 1; joined && i < count; i++) {
        joined[i - 1] = next;
        next += sprintf(next, "%s/%s", words[0], words[i]) + 1;
    }
    return joined;
}

/* kubectl takes `deployment web` for deployment/web. The joined words live as long as the arguments. */
static bool accept_kind_and_name(const struct command *command, struct operands *operands)
{
    static char **joined;
    bool is_of_kinds = command->operand && strcmp(command->operand, "KIND/NAME") == 0;
    for (int i = 0; i < operands->count && is_of_kinds; i++)
        is_of_kinds = !strchr(operands->items[i], '/') && access(operands->items[i], F_OK) != 0;
    if (!is_of_kinds || operands->count < 2)
        return true;
    free(joined);
    joined = join_kind(operands->items, operands->count);
    *operands = (struct operands){.items = joined, .count = operands->count - 1};
    return joined;
}

/* Whether a long flag is written in full: getopt accepts its beginning as well, which kubectl does not. */
static bool is_in_full(const struct flag *flag, const char *word)
{
    struct slice name = {word + 2, strcspn(word + 2, "=")};
    return !flag || slice_equal(name, slice_of(flag->name)) ||
        (flag->former && slice_equal(name, slice_of(flag->former)));
}

/* The command does not run. */
static bool stop(struct reading *reading, int status)
{
    reading->status = status;
    return false;
}

/* Reads what getopt_long() found. */
static bool read_flag(struct reading *reading, char **argv, int found)
{
    const struct command *command = reading->command;
    if (found == '?' || found == ':')
        return stop(reading, bad_flag(command, found, argv[optind - 1], reading->before));
    const struct flag *flag = flag_of(command, found);
    const char *word = argv[optind - (optarg && optarg == argv[optind - 1] ? 2 : 1)];
    if (found >= LONG_FLAG && !is_in_full(flag, word)) {
        optopt = 0;
        return stop(reading, bad_flag(command, '?', word, reading->before));
    }
    if (!flag || command_flag_is_help(flag)) {
        terminal_begin_pager();
        help_print(command, stdout);
        return stop(reading, 0);
    }
    reading->before = found < LONG_FLAG ? flag : NULL;
    const int wrong = set_flag(reading, flag, value_of(found, argv[optind - 1]));
    return !wrong || stop(reading, wrong);
}

static bool read_operands(struct reading *reading)
{
    const struct command *command = reading->command;
    struct operands *operands = &reading->operands;
    if (!accept_kind_and_name(command, operands))
        return stop(reading, message_say_out_of_memory(command->name));
    for (int i = 0; i < operands->count; i++)
        note_address(command, operands->items[i], "-");
    const int wrong = command->run && !command->operand && operands->count
        ? command_misused(command, command->name, "takes no arguments")
        : claim_for_operands(command, &reading->input, operands);
    return !wrong || stop(reading, wrong);
}

/*
 * Reads the flags, and -h and --help, and then the operands. Returns false if the command does not run: help,
 * or an error on stderr, is printed.
 */
static bool read_line(struct reading *reading, int argc, char **argv)
{
    struct getopt_tables tables = {0};
    int found;
    fill_tables(reading->command, &tables);
    opterr = 0;
    optind = 1;
    while ((found = getopt_long(argc, argv, tables.letters, tables.flags, NULL)) != -1)
        if (!read_flag(reading, argv, found))
            return false;
    reading->operands = (struct operands){.items = argv + optind, .count = argc - optind};
    return read_operands(reading);
}

static void release_lists(const struct command *command, void *options)
{
    for (size_t i = 0; i < command->flag_count; i++)
        if (command->flags[i].is_list)
            names_release((struct names *)((char *)options + command->flags[i].offset));
}

static int run(const struct command *command, int argc, char **argv)
{
    struct reading reading = {
        .command = command,
        .options = calloc(1, command->options_size + 1),
        .operands = {argv + 1, argc > 1 ? argc - 1 : 0},
        .status = EXIT_UNREADABLE,
    };
    void *options = reading.options;
    if (!options)
        return message_say_out_of_memory(command->name);
    if (command->defaults)
        memcpy(options, command->defaults, command->options_size);
    if ((!command->begin || command->begin(options)) &&
        (command->is_hidden || read_line(&reading, argc, argv)))
        reading.status = command->run(command, options, &reading.operands);
    if (command->end)
        command->end(options);
    release_lists(command, options);
    free(options);
    return reading.status;
}

/* A word behind "--" is a command as well. */
static int run_operands(const struct command *command, const struct operands *operands)
{
    const struct command *subcommand = command_subcommand(command, operands->items[0]);
    return subcommand ? command_run(subcommand, operands->count, operands->items)
                      : command_unknown(command, operands->items[0]);
}

int command_run(const struct command *command, int argc, char **argv)
{
    if (command->run)
        return run(command, argc, argv);
    if (argc < 2) {
        help_print(command, stderr);
        return EXIT_UNREADABLE;
    }
    const struct command *subcommand = command_subcommand(command, argv[1]);
    if (subcommand)
        return command_run(subcommand, argc - 1, argv + 1);
    if (argv[1][0] != '-' || !argv[1][1])
        return command_unknown(command, argv[1]);
    /* Only the program itself has this flag, not other commands with subcommands. */
    bool wants_version = false;
    struct reading reading = {.command = command, .options = &wants_version};
    if (!read_line(&reading, argc, argv))
        return reading.status;
    if (wants_version)
        return command_run(command_subcommand(command, "version"), 1, argv);
    if (reading.operands.count)
        return run_operands(command, &reading.operands);
    help_print(command, stderr);
    return EXIT_UNREADABLE;
}
