/*
 * print.h: an object with the owners of its fields, for people and programs.
 */
#ifndef APPLYGUARD_COMMANDS_BLAME_PRINT_H
#define APPLYGUARD_COMMANDS_BLAME_PRINT_H

#include "base/text.h"
#include "owners/blame.h"

#include <stdint.h>

struct blame_print {
    size_t columns; /* of the terminal; 0: no limit */
    bool colour;
    int64_t now;          /* seconds since 1970 UTC */
    struct slice manager; /* only the fields of this manager; bytes NULL: all */
    size_t number;        /* of the object on the page of HTML */
};

/* For people: YAML with the owners on its left, and notes below it. */
void blame_append_text(struct text *text, const struct blame *blame, const struct blame_print *print);

/* One line of JSON. */
void blame_append_json(struct text *text, const struct blame *blame, const struct blame_print *print);

/* YAML with the owners as comments; for one manager, its manifest. */
void blame_append_yaml(struct text *text, const struct blame *blame, const struct blame_print *print);

/* A page of HTML: its beginning, then a part for each object, then its end. */
void blame_append_html_begin(struct text *text);
void blame_append_html(struct text *text, const struct blame *blame, const struct blame_print *print);
void blame_append_html_end(struct text *text);

#endif
