/*
 * write_yaml.h: scalars and keys as YAML that kubectl reads back as the same values.
 *
 * A string has no quotes only if every reader of YAML, 1.1 or 1.2, reads it as a string. Characters that must
 * not be printed (text_append_printable) are escaped, and no line is a command to a CI system, so the output
 * is safe for a terminal and a log.
 */
#ifndef APPLYGUARD_MANIFEST_WRITE_YAML_H
#define APPLYGUARD_MANIFEST_WRITE_YAML_H

#include "base/text.h"

#include <stdbool.h>
#include <yyjson.h>

/* libyaml and go-yaml accept longer keys only behind "? ". */
#define YAML_SIMPLE_KEY_BYTES_MAX 1000

/* Appends a string on one line, with quotes if it needs them. */
void yaml_append_string(struct text *text, struct slice string);

/* Appends any scalar. The value must not be a list or map with content; an empty one is {} or []. */
void yaml_append_scalar(struct text *text, yyjson_val *value);

/* Whether a string of several lines can, and may, be written as a literal block, with its lines unchanged. */
bool yaml_is_block(struct slice string);

/* The header of such a block: |, |- or |+. Lines follow, each indented by at least one space. */
const char *yaml_block_header(struct slice string);

/*
 * Removes the first line of the block from the front of `rest`, and returns it. Returns false after the last
 * line.
 */
bool yaml_block_line(struct slice *rest, struct slice *line);

#endif
