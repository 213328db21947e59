/* yaml_lines.h: a value as lines of YAML, as kubectl prints objects. Private to this component. */
#ifndef APPLYGUARD_COMMANDS_PREVIEW_YAML_LINES_H
#define APPLYGUARD_COMMANDS_PREVIEW_YAML_LINES_H

#include "apply/merge/value.h"

/* Printable lines without their ends. The value is a map or list; NULL: no lines. */
struct slice_list yaml_lines_of(const struct value *value, struct arena *arena);

#endif
