#include "system/log.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Trouble that lasts is reported at most this often. */
#define REPORT_INTERVAL_MS 60000u

/*
 * A pipe or terminal is opened once more for ourselves, so that it can be made non-blocking without doing so
 * to everybody who shares it. Where that is not allowed (another user's pipe), poll() is asked before each
 * write.
 */
void log_open(struct log *log, int fd, enum log_format format)
{
    struct stat status;
    *log = (struct log){.format = format, .fd = fd};
    if (fstat(fd, &status) != 0 || S_ISREG(status.st_mode))
        return;
    if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode)) {
        char path[32];
        snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
        int own = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
        if (own >= 0) {
            log->fd = own;
            log->is_own = true;
            return;
        }
    }
    log->may_block = true;
}

void log_close(struct log *log)
{
    if (log->is_own)
        close(log->fd);
    log->fd = -1;
}

static const char *level_name(enum log_level level)
{
    return level == LOG_INFO ? "info" : level == LOG_WARNING ? "warning" : "error";
}

static void append_time(struct text *text)
{
    struct timespec now;
    struct tm parts;
    char digits[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    size_t length = strftime(digits, sizeof(digits), "%Y-%m-%dT%H:%M:%S", &parts);
    snprintf(digits + length, sizeof(digits) - length, ".%03ldZ", now.tv_nsec / 1000000);
    text_append_string(text, digits);
}

struct log_line log_start(struct log *log, struct arena *arena, enum log_level level, const char *message)
{
    struct log_line line = {.log = log, .text = text_start(arena, 1024)};
    struct text *text = &line.text;
    bool json = log->format == LOG_JSON;
    text_append_string(text, json ? "{\"time\":\"" : "");
    append_time(text);
    text_append_all(text, json ? "\",\"level\":\"" : " ", level_name(level), json ? "\",\"message\":" : " ");
    if (json)
        text_append_json(text, slice_of(message));
    else
        text_append_printable(text, slice_of(message));
    return line;
}

static void append_key(struct log_line *line, const char *key)
{
    bool json = line->log->format == LOG_JSON;
    text_append_all(&line->text, json ? ",\"" : " ", key, json ? "\":" : "=");
}

/* How much of a printable text a line has room for: quotes and backslashes are escaped in it. */
static size_t length_that_fits(struct slice text)
{
    size_t length = 0;
    for (size_t room = LOG_VALUE_BYTES_MAX; length < text.length; length++) {
        size_t bytes = text.bytes[length] == '"' || text.bytes[length] == '\\' ? 2 : 1;
        if (bytes > room)
            break;
        room -= bytes;
    }
    return length;
}

/* `value` made printable and no longer than a line has room for. */
static struct slice printable(struct arena *arena, struct slice value)
{
    struct slice whole = text_join(arena, as_printable(text_cut(value, LOG_VALUE_BYTES_MAX)));
    size_t length = length_that_fits(whole);
    if (length == whole.length && value.length <= LOG_VALUE_BYTES_MAX)
        return whole;
    return text_join(arena, text_cut(whole, length > 3 ? length - 3 : 0), "...");
}

void log_add(struct log_line *line, const char *key, struct slice value)
{
    append_key(line, key);
    if (line->log->format == LOG_JSON) {
        text_append_json(&line->text, printable(line->text.arena, value));
        return;
    }
    text_append(&line->text, SLICE("\""));
    text_append_quotable(&line->text, printable(line->text.arena, value));
    text_append(&line->text, SLICE("\""));
}

void log_add_string(struct log_line *line, const char *key, const char *value)
{
    log_add(line, key, slice_of(value));
}

void log_add_number(struct log_line *line, const char *key, uint64_t value)
{
    append_key(line, key);
    text_append_number(&line->text, value);
}

void log_add_true(struct log_line *line, const char *key)
{
    append_key(line, key);
    text_append_string(&line->text, "true");
}

void log_add_list(struct log_line *line, const char *key, const char *const *items, size_t count)
{
    bool json = line->log->format == LOG_JSON;
    append_key(line, key);
    text_append_string(&line->text, json ? "[" : "");
    for (size_t i = 0; i < count; i++) {
        text_append_string(&line->text, i ? "," : "");
        if (json)
            text_append_json(&line->text, slice_of(items[i]));
        else
            text_append_string(&line->text, items[i]);
    }
    text_append_string(&line->text, json ? "]" : "");
}

static bool has_room(const struct log *log)
{
    struct pollfd file = {.fd = log->fd, .events = POLLOUT};
    return !log->may_block || (poll(&file, 1, 0) == 1 && (file.revents & POLLOUT));
}

/* If a line was written only in part, the rest is not sent later: another thread may have written a line in
 * between. */
static bool write_line(struct log *log, struct slice text)
{
    if (atomic_load_explicit(&log->is_torn, memory_order_relaxed) &&
        atomic_exchange_explicit(&log->is_torn, false, memory_order_relaxed) &&
        write(log->fd, "\n", 1) != 1) {
        atomic_store_explicit(&log->is_torn, true, memory_order_relaxed);
        return false;
    }
    ssize_t written = write(log->fd, text.bytes, text.length);
    if (written > 0 && written < (ssize_t)text.length)
        atomic_store_explicit(&log->is_torn, true, memory_order_relaxed);
    return written == (ssize_t)text.length;
}

void log_end(struct log_line *line)
{
    struct log *log = line->log;
    uint_fast64_t dropped = atomic_exchange_explicit(&log->dropped, 0, memory_order_relaxed);
    if (dropped)
        log_add_number(line, "linesDropped", dropped);
    text_append_string(&line->text, log->format == LOG_JSON ? "}\n" : "\n");
    struct slice text = text_slice(&line->text);
    if (text.bytes && has_room(log) && write_line(log, text))
        return;
    atomic_fetch_add_explicit(&log->dropped, dropped + 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&log->dropped_ever, 1, memory_order_relaxed);
}

bool log_is_due(uint64_t *reported_at, uint64_t now)
{
    if (*reported_at && now - *reported_at < REPORT_INTERVAL_MS)
        return false;
    *reported_at = now;
    return true;
}
