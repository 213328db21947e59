#include "manifest/document.h"

struct slice manifest_source_line(const struct manifest_document *document, unsigned line)
{
    struct slice rest = document->text;
    if (line < document->first_line)
        return (struct slice){NULL, 0};
    if (document->line_starts) {
        size_t index = line - document->first_line;
        rest = slice_from(rest, index < document->line_count ? document->line_starts[index] : rest.length);
        return slice_until(rest, slice_find(rest, '\n'));
    }
    for (unsigned number = document->first_line; rest.length; number++) {
        struct slice text = slice_until(rest, slice_find(rest, '\n'));
        if (number == line)
            return text;
        rest = slice_from(rest, text.length + 1);
    }
    return (struct slice){NULL, 0};
}

const struct manifest_waiver *manifest_find_waiver(
    const struct manifest_document *document, struct slice rule, unsigned line)
{
    for (size_t i = 0; i < document->waiver_count; i++) {
        const struct manifest_waiver *waiver = &document->waivers[i];
        if ((waiver->line == line || waiver->for_line == line) && slice_equal(waiver->rule, rule))
            return waiver;
    }
    return NULL;
}
