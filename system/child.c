#include "system/child.h"

#include "base/process.h"
#include "system/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* How long standard error is held back, so that the caller can word a failure. */
#define PATIENCE_MS 1000

/* How often we look whether a child that has closed its standard output has ended. */
#define LOOK_MS 2

/* The descriptor of CHILD_FILE_PATH. */
#define FILE_DESCRIPTOR 3

/* The size of a pipe's buffer. */
#define READ_BYTES ((size_t)64 * 1024)

struct run {
    const struct child *child;
    struct child_result *result;
    size_t capacity; /* of the output */
    pid_t process;
    int output; /* the read ends of its pipes; -1: closed */
    int errors;
    uint64_t begin;
    struct error *error;
};

/* Whether standard error still waits for the end, and then is the caller's. */
static bool is_patient(const struct run *run)
{
    return !run->child->say || monotonic_milliseconds_until(run->begin + PATIENCE_MS) > 0;
}

/*
 * Starting it
 */

static int add_files(posix_spawn_file_actions_t *actions, FILE *file, int output, int errors)
{
    int reason = 0;
    if (!isatty(STDIN_FILENO))
        reason = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
    if (reason == 0)
        reason = posix_spawn_file_actions_adddup2(actions, errors, STDERR_FILENO);
    if (reason == 0 && file)
        reason = posix_spawn_file_actions_adddup2(actions, fileno(file), FILE_DESCRIPTOR);
    return reason;
}

/* We ignore SIGPIPE, which the child must not inherit: a program that writes to a closed pipe would go on. */
static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, ignored;
    sigemptyset(&none);
    sigemptyset(&ignored);
    sigaddset(&ignored, SIGPIPE);
    int reason = posix_spawnattr_setsigmask(attributes, &none);
    if (reason == 0)
        reason = posix_spawnattr_setsigdefault(attributes, &ignored);
    return reason ? reason
                  : posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

/* 0, or what is wrong, as errno has it. */
static int spawn(struct run *run, int output, int errors)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    char *const *arguments = run->child->arguments;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    int reason = posix_spawnattr_init(&attributes);
    if (reason == 0) {
        reason = add_files(&actions, run->child->file, output, errors);
        if (reason == 0)
            reason = set_signals(&attributes);
        if (reason == 0)
            reason = posix_spawnp(&run->process, arguments[0], &actions, &attributes, arguments, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static int start(struct run *run)
{
    int output[2], errors[2];
    if (process_pipe(output) != 0)
        return errno;
    if (process_pipe(errors) != 0) {
        int reason = errno;
        close(output[0]);
        close(output[1]);
        return reason;
    }
    int reason = spawn(run, output[1], errors[1]);
    close(output[1]);
    close(errors[1]);
    run->output = output[0];
    run->errors = errors[0];
    return reason;
}

static void close_pipe(int *pipe)
{
    if (*pipe >= 0)
        close(*pipe);
    *pipe = -1;
}

/*
 * Its standard error
 */

/* Hands over all whole lines, or forgets them; without a line break, or if it is a prompt, all of it. */
static void say_errors(struct run *run, bool with_rest)
{
    struct child_result *result = run->result;
    size_t length = result->error_length;
    while (length && !with_rest && result->errors[length - 1] != '\n')
        length--;
    if (!length)
        length = result->error_length;
    if (!length)
        return;
    if (run->child->say)
        run->child->say(run->child->context, (struct slice){result->errors, length});
    result->error_length -= length;
    memmove(result->errors, result->errors + length, result->error_length);
}

static void read_errors(struct run *run)
{
    struct child_result *result = run->result;
    if (result->error_length == sizeof(result->errors))
        say_errors(run, false);
    ssize_t got = read(
        run->errors, result->errors + result->error_length, sizeof(result->errors) - result->error_length);
    if (got > 0)
        result->error_length += (size_t)got;
    else if (got == 0 || errno != EINTR)
        close_pipe(&run->errors);
}

/*
 * Its standard output
 */

static int make_room(struct run *run)
{
    struct file_content *output = &run->result->output;
    if (run->capacity - output->length > READ_BYTES)
        return 0;
    size_t capacity = run->capacity ? run->capacity * 2 : READ_BYTES * 2;
    char *bytes = realloc(output->bytes, capacity);
    if (!bytes)
        return error_set_out_of_memory(run->error);
    output->bytes = bytes;
    run->capacity = capacity;
    return 0;
}

static int read_output(struct run *run)
{
    struct file_content *output = &run->result->output;
    if (make_room(run) < 0)
        return -1;
    ssize_t got = read(run->output, output->bytes + output->length, READ_BYTES);
    if (got == 0 || (got < 0 && errno != EINTR))
        close_pipe(&run->output);
    output->length += got > 0 ? (size_t)got : 0;
    if (output->length > run->child->output_max)
        return error_set(run->error, "it printed more than %zu MiB", run->child->output_max >> 20);
    output->bytes[output->length] = '\0';
    return 0;
}

/*
 * Its end
 */

static int wait_ms(const struct run *run)
{
    if (run->output < 0)
        return LOOK_MS;
    return run->result->error_length && is_patient(run) ? PATIENCE_MS / 10 : -1;
}

/* Reads what there is to read. */
static int read_more(struct run *run)
{
    struct pollfd pipes[] = {{run->output, POLLIN, 0}, {run->errors, POLLIN, 0}};
    if (poll(pipes, 2, wait_ms(run)) < 0)
        return errno == EINTR ? 0 : error_set(run->error, "%s", strerror(errno));
    if (pipes[1].revents)
        read_errors(run);
    if (pipes[0].revents && read_output(run) < 0)
        return -1;
    if (run->result->error_length && !is_patient(run))
        say_errors(run, true);
    return 0;
}

/* Reads what a child that has ended left in the pipe, and not more: another process may still write to it. */
static void drain_errors(struct run *run)
{
    struct pollfd pipe = {run->errors, POLLIN, 0};
    for (size_t i = 0; i < 2 * READ_BYTES / CHILD_ERRORS_MAX && run->errors >= 0; i++) {
        if (poll(&pipe, 1, 0) <= 0)
            return;
        read_errors(run);
    }
}

static bool has_ended(pid_t process, int *status, int options)
{
    pid_t ended;
    while ((ended = waitpid(process, status, options)) < 0 && errno == EINTR)
        ;
    return ended != 0;
}

/*
 * A process that the child left behind may keep standard error open, so the end of the child counts, and not
 * that of the pipe.
 */
static int collect(struct run *run, int *status)
{
    while (run->output >= 0 || run->errors >= 0) {
        if (read_more(run) < 0)
            return -1;
        if (run->output < 0 && run->errors >= 0 && has_ended(run->process, status, WNOHANG)) {
            drain_errors(run);
            return 0;
        }
    }
    has_ended(run->process, status, 0);
    return 0;
}

static enum child_outcome run_started(struct run *run)
{
    int status = -1;
    int result = collect(run, &status);
    if (result < 0) {
        kill(run->process, SIGKILL);
        has_ended(run->process, &status, 0);
        free(run->result->output.bytes);
        run->result->output = (struct file_content){0};
        return CHILD_FAILED;
    }
    run->result->exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return CHILD_ENDED;
}

enum child_outcome child_run(const struct child *child, struct child_result *result, struct error *error)
{
    struct run run = {
        .child = child,
        .result = result,
        .output = -1,
        .errors = -1,
        .begin = monotonic_milliseconds(),
        .error = error};
    result->output = (struct file_content){0};
    result->error_length = 0;
    int reason = start(&run);
    enum child_outcome outcome = CHILD_IS_MISSING;
    if (reason == 0)
        outcome = run_started(&run);
    else if (reason != ENOENT)
        outcome = (enum child_outcome)error_set(error, "cannot run it: %s", strerror(reason));
    close_pipe(&run.output);
    close_pipe(&run.errors);
    return outcome;
}
