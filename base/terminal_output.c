#include "base/terminal_output.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The width of a terminal whose user has not made it wider. */
#define USUAL_COLUMNS 80

/* Narrower lines are hard to read; the terminal breaks them. */
#define LEAST_COLUMNS 40

extern char **environ;

static enum terminal_color color_mode;

/* Shows standard output, if it runs. */
static struct {
    pid_t process;  /* 0: it does not run */
    size_t columns; /* of its terminal */
} pager;

bool terminal_is_dumb(void)
{
    const char *name = getenv("TERM");
    return name && strcmp(name, "dumb") == 0;
}

/* 0 if the file is not a terminal. */
static size_t columns_of_file(int file)
{
    struct winsize size;
    if (!isatty(file))
        return 0;
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : USUAL_COLUMNS;
}

size_t terminal_columns(void)
{
    return pager.process ? pager.columns : columns_of_file(STDOUT_FILENO);
}

size_t terminal_columns_to_wrap(FILE *out)
{
    size_t columns = out == stdout ? terminal_columns() : columns_of_file(fileno(out));
    return !columns ? USUAL_COLUMNS : columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
}

void terminal_set_color(enum terminal_color color)
{
    color_mode = color;
}

bool terminal_has_colour(void)
{
    const char *no_colour = getenv("NO_COLOR");
    if (color_mode != TERMINAL_COLOR_AUTO)
        return color_mode == TERMINAL_COLOR_ALWAYS;
    return terminal_columns() && !terminal_is_dumb() && !(no_colour && no_colour[0]);
}

/*
 * The pager
 */

/* NULL: none. */
static const char *command_of_pager(void)
{
    const char *command = getenv("PAGER");
    if (command)
        return *command && strcmp(command, "cat") != 0 ? command : NULL;
    return !terminal_is_dumb() && process_is_in_path("less") ? "less" : NULL;
}

/*
 * If the pager cannot be run, the shell reports that, and the pager's input is shown without it. An interrupt
 * is for the pager: the shell survives it.
 */
static const char script[] = "trap : INT; eval \"$1\"; status=$?; "
                             "case $status in 126|127) exec cat;; esac; exit $status";

static int start(const char *command, int input, pid_t *process)
{
    char shell[] = "sh", option[] = "-c", text[sizeof(script)];
    char *copy = strdup(command);
    char *arguments[] = {shell, option, text, shell, copy, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    if (!copy)
        return -1;
    memcpy(text, script, sizeof(script));
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int result = posix_spawn(process, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    free(copy);
    return result == 0 ? 0 : -1;
}

void terminal_begin_pager(void)
{
    int ends[2];
    const char *command = isatty(STDOUT_FILENO) ? command_of_pager() : NULL;
    size_t columns = terminal_columns();
    if (pager.process || !command || process_pipe(ends) != 0)
        return;
    /* Quit if all fits on the screen, keep colours, and leave the text on it. */
    setenv("LESS", "FRX", 0);
    if (start(command, ends[0], &pager.process) == 0) {
        pager.columns = columns;
        fflush(stdout);
        dup2(ends[1], STDOUT_FILENO);
        /* Signals from the terminal are for the pager, which is in the foreground. */
        signal(SIGINT, SIG_IGN);
    }
    close(ends[0]);
    close(ends[1]);
}

void terminal_end_pager(void)
{
    if (!pager.process)
        return;
    /* A person who has seen enough leaves the pager before its input ends: this is not an error. */
    fflush(stdout);
    clearerr(stdout);
    /* The pager waits for the end of its input. */
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    while (waitpid(pager.process, NULL, 0) < 0 && errno == EINTR)
        ;
    pager.process = 0;
}
