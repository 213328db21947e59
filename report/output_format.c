#include "report/output_format.h"

static const char *const names[] = {
#define OUTPUT_FORMAT(constant, name) name,
#include "report/output_format.def"
#undef OUTPUT_FORMAT
};

bool output_format_parse(struct slice name, enum output_format *format)
{
    for (int i = 0; i < OUTPUT_FORMAT_COUNT; i++) {
        if (slice_equal(name, slice_of(names[i]))) {
            *format = (enum output_format)i;
            return true;
        }
    }
    return false;
}
