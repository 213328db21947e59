/*
 * command.h: the only description of a command and its flags.
 *
 * Parsing, --help, the manual page and the shells' completions all use it, so they agree. A command is a
 * constant in its own file; a row in commands.c registers it.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_COMMAND_H
#define APPLYGUARD_CLI_FRAMEWORK_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#define EXIT_DENIED 1
#define EXIT_UNREADABLE 2

/*
 * The value of a flag, and the operand of a command, is a word in capitals. FILE, DIR, RULE and COMMAND are
 * completed with files, directories, rules and commands; other words are not completed. Words in lower case
 * between bars are the choices: "text|json".
 */
struct flag {
    const char *name;   /* without dashes */
    const char *former; /* an earlier name, which is accepted but not shown; or NULL */
    char letter;        /* 0: no short form */
    const char *value;  /* NULL: no value */
    bool is_open;       /* the setter takes other values than the choices, too */
    const char
        *text; /* what the flag does, without a full stop; ends with "(default ...)" if it has a default */

    /*
     * Sets the field at `offset` of the command's options. Returns NULL, or a text about the invalid value
     * ("is ..."). `value` lives as long as the arguments; it is one of the choices if there are any and the
     * flag is not open, and NULL for a flag without a value. If the setter is NULL, the field is an enum with
     * a value for each choice, in their order.
     */
    const char *(*set)(const char *value, void *field);
    size_t offset;
    bool is_list; /* the field is a struct names, which is released after the run */
};

/* Sets the last two members of a flag: SETS(flag_set_string, struct options, policy_path). */
#define SETS(setter, type, member) .set = (setter), .offset = offsetof(type, member)

/* The same for a struct names. */
#define LISTS(setter, type, member) SETS(setter, type, member), .is_list = true

/* For a flag whose choices are the values of an enum, in their order: CHOOSES(struct options, format). */
#define CHOOSES(type, member) .set = NULL, .offset = offsetof(type, member)

const char *flag_set_string(const char *value, void *field); /* const char *; the last one counts */
const char *flag_set_if_any(
    const char *value, void *field); /* const char *; an empty value counts as not given */
const char *flag_set_file(const char *value, void *field); /* const char *; an input that may be given once */
const char *flag_set_true(const char *value, void *field); /* bool */

/* The arguments without the flags. */
struct operands {
    char **items;
    int count;
};

struct command {
    const char *name;        /* for a subcommand, with the name of its command: "certs create" */
    const char *summary;     /* one line, without a full stop */
    const char *synopsis;    /* the words behind the name; one line for each form */
    const char *description; /* paragraphs with an empty line between them; may be NULL */
    const char *exit_status; /* may be NULL */
    const char *operand; /* the arguments that are not flags, like the value of a flag; NULL: no arguments */
    const struct flag *flags;
    size_t flag_count;
    const struct command *const *commands; /* for a command that only has subcommands */
    size_t command_count;
    bool is_hidden; /* called by scripts, not by people; its arguments are all operands */

    size_t options_size;  /* of the struct that the flags fill */
    const void *defaults; /* such a struct; NULL: all zero */
    /* Prepares the options before the flags are read. On failure prints why and returns false. May be NULL.
     */
    bool (*begin)(void *options);
    /* Returns the exit status. NULL if the command has subcommands. */
    int (*run)(const struct command *command, void *options, const struct operands *operands);
    /* Releases what the options hold, except lists; also after `begin` failed. May be NULL. */
    void (*end)(void *options);
};

/* Sets the size and the defaults of the options: DEFAULTS(struct options, .fail_on = ACTION_DENY). */
#define DEFAULTS(type, ...)                                                                                  \
    .options_size = sizeof(type), .defaults = &(const type)                                                  \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

/*
 * The flags of a command one after another: its own flags, then the flags of all commands, --color and
 * --help. NULL after the last.
 */
const struct flag *command_flag(const struct command *command, size_t number);

/* Whether the flag is --help. */
bool command_flag_is_help(const struct flag *flag);

/* "create" for "certs create". */
const char *command_last_word(const char *name);

/* The subcommand whose name ends with this word; returns NULL if none does. */
const struct command *command_subcommand(const struct command *command, const char *word);

/*
 * The command or subcommand that the first arguments name, and the number of these arguments. `command`
 * itself if they name none of its subcommands.
 */
const struct command *command_find(const struct command *command, int argc, char *const *argv, int *taken);

#endif
