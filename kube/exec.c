#include "kube/exec.h"

#include "kube/clock.h"
#include "kube/printable.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXEC_INFO "KUBERNETES_EXEC_INFO"

/* Far more than a token and a certificate have. */
#define OUTPUT_BYTES_MAX ((size_t)1024 * 1024)

/* How soon a stop is seen. */
#define LOOK_MS 50

struct run {
    const struct kube_config *config;
    const atomic_bool *is_stopped;
    uint64_t deadline;
    struct error *error;
};

/*
 * The environment: ours, with what the kubeconfig and the protocol add in place of what has the same name.
 */

static bool has_name_of(const char *variable, const char *other)
{
    size_t length = strcspn(other, "=");
    return strncmp(variable, other, length) == 0 && variable[length] == '=';
}

/* By one of those that are added from `first` on, or by the protocol's. */
static bool is_replaced(const char *variable, const struct kube_strings *added, size_t first)
{
    for (size_t i = first; i < added->count; i++)
        if (has_name_of(variable, added->items[i]))
            return true;
    return has_name_of(variable, EXEC_INFO);
}

/* The array is the caller's to free; what is in it is not. */
static char **make_environment(const struct kube_strings *added, char *info)
{
    size_t ours = 0, count = 0;
    while (environ[ours])
        ours++;
    char **environment = (char **)calloc(ours + added->count + 2, sizeof(*environment));
    if (!environment)
        return NULL;
    for (size_t i = 0; i < ours; i++)
        if (!is_replaced(environ[i], added, 0))
            environment[count++] = environ[i];
    for (size_t i = 0; i < added->count; i++)
        if (!is_replaced(added->items[i], added, i + 1))
            environment[count++] = added->items[i];
    environment[count] = info;
    return environment;
}

static char **make_arguments(const struct kube_exec *exec)
{
    char **arguments = (char **)calloc(exec->arguments.count + 2, sizeof(*arguments));
    if (!arguments)
        return NULL;
    arguments[0] = exec->command;
    for (size_t i = 0; i < exec->arguments.count; i++)
        arguments[i + 1] = exec->arguments.items[i];
    return arguments;
}

/*
 * Starting it
 */

/*
 * We ignore SIGPIPE, and a call under way has it blocked, neither of which the program must inherit; nor must
 * it what libcurl opens without FD_CLOEXEC: the connections to the API server.
 */
static int start(
    const struct kube_exec *exec, char **arguments, char **environment, int output, bool is_interactive,
    pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, pipe;
    sigemptyset(&none);
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    if (posix_spawn_file_actions_init(&actions) != 0)
        return ENOMEM;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return ENOMEM;
    }
    int reason = posix_spawnattr_setsigmask(&attributes, &none);
    if (reason == 0)
        reason = posix_spawnattr_setsigdefault(&attributes, &pipe);
    if (reason == 0)
        reason = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (reason == 0)
        reason = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (reason == 0 && !is_interactive)
        reason = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (reason == 0)
        reason = posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    if (reason == 0)
        reason = posix_spawnp(process, exec->command, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return reason;
}

static int not_run(const struct kube_exec *exec, const char *reason, bool is_missing, struct error *error)
{
    struct kube_printable hint = kube_printable(slice_of(exec->install_hint ? exec->install_hint : ""));
    return error_set(
        error, "cannot run it: %s%s%s", reason, is_missing && *hint.text ? "; " : "",
        is_missing ? hint.text : "");
}

/*
 * Waiting for it
 */

static bool is_over(const struct run *run)
{
    return atomic_load(run->is_stopped) || kube_milliseconds_until(run->deadline) == 0;
}

/* False with the error set. */
static bool read_output(const struct run *run, int pipe, struct secret *output)
{
    size_t length = 0;
    for (;;) {
        struct pollfd poll_for = {.fd = pipe, .events = POLLIN};
        if (is_over(run)) {
            error_set(run->error, "it did not end in time");
            return false;
        }
        if (poll(&poll_for, 1, LOOK_MS) <= 0)
            continue;
        ssize_t got = read(pipe, output->bytes + length, output->length - length);
        if (got == 0)
            break;
        length += got > 0 ? (size_t)got : 0;
        if (length == output->length) {
            error_set(run->error, "it printed more than %zu bytes", OUTPUT_BYTES_MAX);
            return false;
        }
    }
    output->length = length;
    return true;
}

static void sleep_a_little(void)
{
    struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    nanosleep(&pause, NULL);
}

/* It may close its output and go on. */
static int await_end(const struct run *run, pid_t process)
{
    int status;
    pid_t ended;
    while ((ended = waitpid(process, &status, WNOHANG)) == 0 && !is_over(run))
        sleep_a_little();
    if (ended == 0) {
        kill(process, SIGKILL);
        waitpid(process, &status, 0);
        return error_set(run->error, "it did not end in time");
    }
    if (ended < 0 || !WIFEXITED(status))
        return error_set(run->error, "it was ended by a signal");
    /* As a shell says it, and posix_spawnp where the system has no vfork. */
    if (WEXITSTATUS(status) == 127)
        return not_run(&run->config->exec, "exit status 127, as if a program were missing", true, run->error);
    if (WEXITSTATUS(status) != 0)
        return error_set(run->error, "it failed with exit status %d", WEXITSTATUS(status));
    return 0;
}

static int collect(const struct run *run, pid_t process, int pipe, struct kube_exec_credential *credential)
{
    struct secret output = secret_allocate(OUTPUT_BYTES_MAX + 1);
    bool was_read = output.bytes && read_output(run, pipe, &output);
    if (!output.bytes)
        error_set(run->error, "out of memory");
    if (!was_read)
        kill(process, SIGKILL);
    struct error ignored = {0};
    struct run ending = *run;
    ending.error = was_read ? run->error : &ignored;
    int result = await_end(&ending, process);
    if (result == 0 && was_read)
        result = kube_exec_credential_parse(
            secret_slice(&output), run->config->exec.api_version, credential, run->error);
    secret_free(&output);
    return was_read ? result : -1;
}

static int run_with(
    const struct run *run, char *info, bool is_interactive, struct kube_exec_credential *credential)
{
    const struct kube_exec *exec = &run->config->exec;
    int ends[2], reason = ENOMEM;
    pid_t process = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return not_run(exec, strerror(errno), false, run->error);
    char **arguments = make_arguments(exec);
    char **environment = make_environment(&exec->environment, info);
    if (arguments && environment)
        reason = start(exec, arguments, environment, ends[1], is_interactive, &process);
    free((void *)arguments);
    free((void *)environment);
    close(ends[1]);
    int result = reason == 0 ? collect(run, process, ends[0], credential)
                             : not_run(exec, strerror(reason), reason == ENOENT, run->error);
    close(ends[0]);
    return result;
}

static int run_program(
    const struct run *run, const struct secret *authority, struct kube_exec_credential *credential)
{
    const struct kube_exec *exec = &run->config->exec;
    bool has_terminal = isatty(STDIN_FILENO);
    bool is_interactive = exec->interaction != KUBE_INTERACTIVE_NEVER && has_terminal;
    if (exec->interaction == KUBE_INTERACTIVE_ALWAYS && !has_terminal)
        return error_set(run->error, "it asks questions, and there is no terminal");
    char *json = kube_exec_info(run->config, authority, is_interactive);
    char *info = NULL;
    if (!json || asprintf(&info, EXEC_INFO "=%s", json) < 0) {
        free(json);
        return error_set(run->error, "out of memory");
    }
    free(json);
    int result = run_with(run, info, is_interactive, credential);
    free(info);
    return result;
}

int kube_exec_run(
    const struct kube_config *config, const struct secret *authority, const atomic_bool *is_stopped,
    struct kube_exec_credential *credential, struct error *error)
{
    struct error problem = {0};
    struct run run = {
        .config = config,
        .is_stopped = is_stopped,
        .deadline = kube_milliseconds() + (uint64_t)KUBE_EXEC_SECONDS_MAX * 1000,
        .error = &problem,
    };
    *credential = (struct kube_exec_credential){0};
    if (run_program(&run, authority, credential) == 0)
        return 0;
    struct kube_printable command = kube_printable(slice_of(config->exec.command));
    return error_set(error, "the exec plugin %s: %s", command.text, problem.message);
}
