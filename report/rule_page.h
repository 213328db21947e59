/* rule_page.h: links to the pages of rules. */
#ifndef APPLYGUARD_REPORT_RULE_PAGE_H
#define APPLYGUARD_REPORT_RULE_PAGE_H

#include "base/text.h"
#include "policy/rules.h"

/* `pages` is the URL of docs/rules, with a slash at its end: formats of other tools need a whole URL. */
static inline void rule_page_append(struct text *text, const char *pages, enum rule_id rule)
{
    text_append_string(text, pages);
    text_append_string(text, rules[rule].name);
    text_append_string(text, ".md");
}

#endif
