/*
 * error.h: what went wrong, as a value.
 *
 * A function that takes a struct error fails exactly if it has filled it: it returns a negative number, NULL
 * or false then, and leaves the struct alone if it succeeds. The caller owns the struct. It holds no
 * pointers, so it needs no release and cannot go stale. The message is one sentence for the person who can
 * act on it; where the input is a file, `line` and `column` say where.
 */
#ifndef APPLYGUARD_BASE_ERROR_H
#define APPLYGUARD_BASE_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

struct error {
    unsigned line;         /* 1-based; 0: the input has no lines */
    unsigned column;       /* 1-based; 0: unknown */
    bool is_out_of_memory; /* an allocation failed */
    char message[300];     /* of a longer one the beginning, with an ellipsis */
};

/*
 * Fills `error` (which may be NULL) without a position. Returns -1, so that callers can `return
 * error_set(...)`.
 */
int error_set(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same if an allocation failed: the one wording of it. */
int error_set_out_of_memory(struct error *error);

/* The same with the line of the input, at its first column. */
int error_set_out_of_memory_at(struct error *error, unsigned line);

/* The same for a file that cannot be opened or read: `code` is an errno. An address is refused as such. */
int error_set_file(struct error *error, const char *path, int code);

/* Whether the path is an address, which is not read. */
bool error_is_address(const char *path);

/*
 * The command that reads from standard input what it would read from an address, such as "applyguard check
 * -", for the errors of this process. It must outlive them; NULL: none.
 */
void error_set_pipe(const char *command);

/* The same with a position in the input. */
int error_set_at(struct error *error, unsigned line, unsigned column, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The same with the arguments of a function that takes a format itself. */
int error_set_list(struct error *error, unsigned line, unsigned column, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

#endif
