#include "report/occurrences.h"

#include "report/fingerprint.h"

uint64_t finding_fingerprint(
    const struct report_item *item, const struct report_finding *finding, struct arena *scratch)
{
    const struct fingerprint_parts parts = {
        .rule = slice_of(rules[finding->rule].name),
        .file = item->file,
        .kind = item->kind,
        .namespace = item->namespace,
        .name = item->name,
        .fields = finding->fields,
        .field_count = finding->field_count,
    };
    return fingerprint(&parts, scratch);
}

struct occurrence occurrences_add(
    struct occurrences *occurrences, const struct report_item *item, const struct report_finding *finding,
    struct text *text)
{
    const struct fingerprint_parts file = {.file = item->file};
    uint64_t hash = fingerprint(&file, text->arena);
    if (hash != occurrences->file) {
        arena_reset(occurrences->arena);
        occurrences->tally.root = NULL;
        occurrences->file = hash;
    }
    struct occurrence occurrence = {.fingerprint = finding_fingerprint(item, finding, text->arena)};
    occurrence.number = tally_add(&occurrences->tally, occurrence.fingerprint, occurrences->arena);
    text->failed |= !occurrence.number;
    return occurrence;
}
