#include "cli/framework/output.h"

#include "base/terminal_output.h"
#include "cli/framework/command.h"
#include "cli/framework/message.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

/*
 * If the caller has closed standard files, a file that a command opens must not become its input or output.
 */
static void occupy_standard_files(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF)
            open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
}

void output_begin(void)
{
    occupy_standard_files();
    /* Then a write fails, and the exit status stays the command's own. */
    signal(SIGPIPE, SIG_IGN);
}

/* Ask the pipe or socket itself: errno is that of the last call, which is seldom the failed write. */
static bool reader_went_away(void)
{
    struct pollfd output = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&output, 1, 0) == 1 && output.revents & (POLLERR | POLLHUP);
}

/* Flushes the output. Returns false if output was lost, except after a closed pipe. */
static bool flush_output(void)
{
    bool is_whole = fflush(stdout) == 0 && !ferror(stdout);
    if (!is_whole && reader_went_away()) {
        clearerr(stdout);
        is_whole = true;
    }
    return is_whole;
}

int output_end(int status)
{
    terminal_end_pager();
    if (flush_output())
        return status;
    message_say("applyguard: the output could not be written");
    return EXIT_UNREADABLE;
}

bool output_write(FILE *out, struct slice text)
{
    if (text.length)
        fwrite(text.bytes, 1, text.length, out);
    return text.bytes;
}
