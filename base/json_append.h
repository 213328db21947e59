/*
 * json_append.h: appends JSON to a text, member by member.
 *
 * Brackets are literals of the caller. The comma before a member or an item is appended unless it is the
 * first one. Readers of JSON print its strings, so strings are escaped for a terminal first
 * (text_append_printable), except exact ones and those in values.
 */
#ifndef APPLYGUARD_BASE_JSON_APPEND_H
#define APPLYGUARD_BASE_JSON_APPEND_H

#include "base/slice.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

/* The comma before an item. */
void json_append_comma(struct text *text);

/* The key of a member, which needs no escape, with the comma before it and the colon behind it. */
void json_append_key(struct text *text, const char *key);

/* The bracket that begins a member, or with NULL as the key, an item of a list. */
void json_append_open(struct text *text, const char *key, const char *bracket);

/* A string, or a value of any type, without a comma. */
void json_append_string(struct text *text, struct slice value);
void json_append_value(struct text *text, const yyjson_val *value);

/* Members. The names end in _if_any if an empty string, or the number 0, appends nothing. */
void json_append_member(struct text *text, const char *key, struct slice value);
void json_append_member_if_any(struct text *text, const char *key, struct slice value);
void json_append_exact(struct text *text, const char *key, struct slice value);
void json_append_number(struct text *text, const char *key, uint64_t number);
void json_append_number_if_any(struct text *text, const char *key, uint64_t number);
void json_append_bool(struct text *text, const char *key, bool value);

/* A member that is a list of strings. */
void json_append_list(struct text *text, const char *key, struct slice_list list);

#endif
