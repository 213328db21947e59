/*
 * time_flag.h: a flag that takes a moment: a time, a date, or how long ago it was.
 */
#ifndef APPLYGUARD_CLI_TIME_FLAG_H
#define APPLYGUARD_CLI_TIME_FLAG_H

#include "base/slice.h"

/*
 * The moment in RFC 3339, in UTC and without the Z: then it compares with longer times by its digits. Empty
 * if the flag was not given.
 */
struct moment {
    char bytes[sizeof("2026-01-31T08:00:00.000000000")];
    size_t length;
};

static inline struct slice moment_text(const struct moment *moment)
{
    return (struct slice){moment->bytes, moment->length};
}

/* For a row of a command's flags: `field` is a struct moment. Returns NULL, or why the value is wrong. */
const char *time_flag(const char *value, void *field);

#endif
