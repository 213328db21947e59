#include "manifest/document.h"

#include "base/split.h"

/* Needs no search: a List that a program writes is one line, and each finding asks for its line. */
static struct slice indexed_line(const struct manifest_document *document, size_t index)
{
    if (index >= document->line_count)
        return (struct slice){NULL, 0};
    size_t start = document->line_starts[index];
    bool is_last = index + 1 == document->line_count;
    size_t end = is_last ? document->text.length : document->line_starts[index + 1];
    if (end > start && document->text.bytes[end - 1] == '\n')
        end--;
    return (struct slice){document->text.bytes + start, end - start};
}

struct slice manifest_source_line(const struct manifest_document *document, unsigned line)
{
    struct slice rest = document->text;
    if (line < document->first_line)
        return (struct slice){NULL, 0};
    if (document->line_starts)
        return indexed_line(document, line - document->first_line);
    for (unsigned number = document->first_line; rest.length; number++) {
        struct slice text = split_next(&rest, '\n');
        if (number == line)
            return text;
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
