/* xml_text.h: writes XML. A library would be larger: elements are literals, and everything else is text. */
#ifndef APPLYGUARD_REPORT_XML_TEXT_H
#define APPLYGUARD_REPORT_XML_TEXT_H

#include "base/slice.h"
#include "base/text.h"

/*
 * Escapes characters that have a meaning between tags and between quotes. Control characters, which XML does
 * not allow in any form, are escaped for a terminal first.
 */
void xml_text_append(struct text *text, struct slice value);

/* NAME="VALUE" with a space before it. The name is a literal. */
void xml_text_append_attribute(struct text *text, const char *name, struct slice value);
void xml_text_append_number(struct text *text, const char *name, uint64_t number);

#endif
