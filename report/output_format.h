/*
 * output_format.h: the formats of output, which all commands share.
 */
#ifndef APPLYGUARD_REPORT_OUTPUT_FORMAT_H
#define APPLYGUARD_REPORT_OUTPUT_FORMAT_H

#include "base/slice.h"

#include <stdbool.h>

/* The default of a command is the first one that it has. */
enum output_format {
#define OUTPUT_FORMAT(constant, name) OUTPUT_##constant,
#include "report/output_format.def"
#undef OUTPUT_FORMAT
    OUTPUT_FORMAT_COUNT
};

/* Parses a name. If it returns false, `format` is unchanged. */
bool output_format_parse(struct slice name, enum output_format *format);

#endif
