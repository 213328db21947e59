/*
 * command.h: a command with its flags, as the only description of it there is.
 *
 * From this parsing, --help, the manual page and the completions of the shells grow, so none of them differs
 * from another. A command is a constant in the command's own file; a row in commands.c makes it known.
 */
#ifndef APPLYGUARD_CLI_FRAMEWORK_COMMAND_H
#define APPLYGUARD_CLI_FRAMEWORK_COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#define EXIT_DENIED 1
#define EXIT_UNREADABLE 2

/*
 * What a flag takes, and what a command does without a flag, is a word in capitals. FILE, DIR, RULE and
 * COMMAND complete as what they say, others do not complete. Words in lower case between bars are the
 * choices: "text|json".
 */
struct flag {
    const char *name;  /* without the dashes */
    char letter;       /* 0: it has no short form */
    const char *value; /* NULL: it takes none */
    const char *text;  /* what it does, without a full stop; ends with "(default ...)" if there is one */

    /*
     * Sets the field at `offset` of the command's options. Returns NULL, what is wrong with the value ("is
     * ..."), or flag_no_choice. `value` is NULL if the flag takes none; it lives as long as the arguments.
     * NULL: the field is an enum that has a value for each choice, in their order.
     */
    const char *(*set)(const char *value, void *field);
    size_t offset;
};

/* The last two of a flag: SETS(flag_set_string, struct options, policy_path). */
#define SETS(setter, type, member) .set = (setter), .offset = offsetof(type, member)

/* Of a flag whose choices are, in their order, the values of an enum: CHOOSES(struct options, format). */
#define CHOOSES(type, member) .set = NULL, .offset = offsetof(type, member)

/* A setter's answer that the parser completes with the choices: "is none of text, json". */
extern const char flag_no_choice[];

const char *flag_set_string(const char *value, void *field); /* const char *; the last one counts */
const char *flag_set_if_any(
    const char *value, void *field); /* const char *; an empty one is as if it were not given */
const char *flag_set_file(
    const char *value, void *field); /* const char *; an input, which may be given once */
const char *flag_set_true(const char *value, void *field); /* bool */
const char *flag_set_json(const char *value, void *field); /* bool, of "text|json" */

struct command {
    const char *name;        /* of a subcommand with that of its command: "certs create" */
    const char *summary;     /* one line, without a full stop */
    const char *synopsis;    /* what follows the name; one line for each form */
    const char *description; /* paragraphs with an empty line between them; may be NULL */
    const char *exit_status; /* may be NULL */
    const char
        *operand; /* what the arguments are besides flags, as the value of a flag; NULL: it takes none */
    const struct flag *flags;
    size_t flag_count;
    const struct command *const *commands; /* of a command that only has subcommands */
    size_t command_count;
    bool is_hidden; /* called by scripts, not by people */

    /* Gets the last word of its name as argv[0]. Returns the exit status. NULL if it has subcommands. */
    int (*run)(const struct command *command, int argc, char **argv);
};

/* "create" of "certs create". */
const char *command_last_word(const char *name);

/* The subcommand whose name ends with this word; NULL if there is none. */
const struct command *command_subcommand(const struct command *command, const char *word);

/*
 * The command or subcommand that the first arguments name, and how many arguments that took. `command` itself
 * if they name none of its subcommands.
 */
const struct command *command_find(const struct command *command, int argc, char *const *argv, int *taken);

#endif
