#include "report/output_format.h"

#include "base/words.h"

static const char *const names[] = {
#define OUTPUT_FORMAT(constant, name) name,
#include "report/output_format.def"
#undef OUTPUT_FORMAT
};

bool output_format_parse(struct slice name, enum output_format *format)
{
    size_t index;
    bool is_known = word_find(name, names, OUTPUT_FORMAT_COUNT, &index);
    if (is_known)
        *format = (enum output_format)index;
    return is_known;
}
