/*
 * write_yaml.h: scalars and keys as YAML that kubectl reads back as the same values.
 *
 * A text is left without quotes only where every reader of YAML, 1.1 or 1.2, takes it for a text. What must
 * not be printed (text_append_printable) is escaped, and no line is a command to a CI system, so the output
 * is safe for a terminal and a log.
 */
#ifndef APPLYGUARD_MANIFEST_WRITE_YAML_H
#define APPLYGUARD_MANIFEST_WRITE_YAML_H

#include "base/text.h"

#include <stdbool.h>
#include <yyjson.h>

/* libyaml and go-yaml take longer keys only behind "? ". */
#define YAML_SIMPLE_KEY_BYTES_MAX 1000

/* Appends a text on one line, with quotes where it needs them. */
void yaml_append_string(struct text *text, struct slice string);

/* The same for any scalar. The value is not a list or map with anything in it; an empty one is {} or []. */
void yaml_append_scalar(struct text *text, yyjson_val *value);

/* Whether a text of several lines can, and may, be written as a literal block, line by line as it is. */
bool yaml_is_block(struct slice string);

/* The header of such a block: |, |- or |+. Lines follow, each indented by at least one space. */
const char *yaml_block_header(struct slice string);

/* Removes the first line of the block from the front of `rest`, and returns it. False behind the last. */
bool yaml_block_line(struct slice *rest, struct slice *line);

#endif
