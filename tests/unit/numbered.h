/*
 * numbered.h: pieces of stories with very many fields.
 */
#ifndef APPLYGUARD_TESTS_NUMBERED_H
#define APPLYGUARD_TESTS_NUMBERED_H

#include <stdio.h>

static inline void put_numbered(FILE *out, const char *format, int count)
{
    for (int i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        for (const char *at = format; *at; at++) {
            if (*at == '#')
                fprintf(out, "%03d", i);
            else
                fputc(*at, out);
        }
    }
}

/* `format` again and again with 000, 001, ... for #, with commas between; the caller frees the text. */
static inline char *numbered(const char *start, const char *format, int count, const char *end)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    fputs(start, out);
    put_numbered(out, format, count);
    fputs(end, out);
    fclose(out);
    return text;
}

#endif
