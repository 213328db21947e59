#include "cli/pager.h"

#include "base/process.h"
#include "base/tty.h"
#include "cli/framework/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

size_t terminal_columns(void)
{
    struct winsize size;
    if (!isatty(STDOUT_FILENO))
        return 0;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

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

void pager_begin(struct pager *pager)
{
    int ends[2];
    const char *command = isatty(STDOUT_FILENO) ? command_of_pager() : NULL;
    if (pager->process || !command || process_pipe(ends) != 0)
        return;
    /* Quit if all fits on the screen, keep colours, and leave the text on it. */
    setenv("LESS", "FRX", 0);
    if (start(command, ends[0], &pager->process) == 0) {
        fflush(stdout);
        dup2(ends[1], STDOUT_FILENO);
        /* Signals from the terminal are for the pager, which is in the foreground. */
        signal(SIGINT, SIG_IGN);
    }
    close(ends[0]);
    close(ends[1]);
}

void pager_end(struct pager *pager)
{
    if (!pager->process)
        return;
    output_flush();
    /* The pager waits for the end of its input. */
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
    }
    while (waitpid(pager->process, NULL, 0) < 0 && errno == EINTR)
        ;
    pager->process = 0;
}
