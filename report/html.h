/*
 * html.h: pages of HTML, all in one style.
 *
 * A page is one file that loads nothing; its content security policy forbids that. It is light or dark as the
 * reader's system is, and can be printed. Without its script, if it has one, nothing is missing.
 */
#ifndef APPLYGUARD_REPORT_HTML_H
#define APPLYGUARD_REPORT_HTML_H

#include "base/text.h"

struct html_page {
    const char *title;
    const char *style;  /* CSS in addition to that of all pages */
    const char *script; /* NULL: the page has none, and its policy forbids any */
};

/* From the doctype to the start of the main part. */
void html_append_begin(struct text *text, const struct html_page *page);

/* From the end of the main part. */
void html_append_end(struct text *text, const struct html_page *page);

/* Text that others chose: without characters that must not be printed, and escaped for HTML. */
void html_append_escaped(struct text *text, struct slice raw);

/* The same as a part of text_append_all. */
static inline struct text_escaped as_html(struct slice raw)
{
    return as_escaped(html_append_escaped, raw);
}

/* The same for text of several lines, which stay lines. */
void html_append_lines(struct text *text, struct slice lines);

#endif
