/*
 * rule_page.h: where a rule's page is.
 */
#ifndef APPLYGUARD_REPORT_RULE_PAGE_H
#define APPLYGUARD_REPORT_RULE_PAGE_H

#include "base/text.h"
#include "policy/rules.h"

/* docs/rules on the web. Formats of other tools need a whole URL. */
#define RULE_PAGES "https://applyguard.io/docs/rules/"

static inline void rule_page_append(struct text *text, enum rule_id rule)
{
    text_append_string(text, RULE_PAGES);
    text_append_string(text, rules[rule].name);
}

#endif
