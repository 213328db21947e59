/* json_text.h: writes JSON that contains untrusted text. */
#ifndef APPLYGUARD_REPORT_JSON_TEXT_H
#define APPLYGUARD_REPORT_JSON_TEXT_H

#include "base/slice.h"
#include "base/text.h"

#include <stdint.h>

/* A JSON string. Readers of JSON print its strings, so the text is escaped for a terminal first. */
void json_text_append(struct text *text, struct slice value);

/* The key of a member, which is a literal, with its colon, and a comma before it unless it is the first. */
void json_text_append_key(struct text *text, const char *key);

/* A member. Omits the member if the text is empty or the number is 0. */
void json_text_append_member(struct text *text, const char *key, struct slice value);
void json_text_append_number(struct text *text, const char *key, uint64_t number);

/* An array of strings. */
void json_text_append_list(struct text *text, const char *key, const struct slice *values, size_t count);

#endif
