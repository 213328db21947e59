#include "report/fingerprint.h"

#include "base/siphash.h"
#include "base/text.h"
#include "report/file_name.h"

/* Printable text has no NUL, so parts cannot run into each other. */
static void append_part(struct text *text, struct slice part)
{
    text_append_all(text, as_printable(part), SLICE("\0"));
}

uint64_t fingerprint(const struct fingerprint_parts *parts, struct arena *arena)
{
    static const struct siphash_seed seed = {{0x6170706c79677561, 0x72642d7265706f72}};
    struct text text = text_start(arena, 256);
    append_part(&text, parts->rule);
    append_part(&text, file_name_plain(parts->file));
    append_part(&text, parts->kind);
    append_part(&text, parts->namespace);
    append_part(&text, parts->name);
    for (size_t i = 0; i < parts->field_count; i++)
        append_part(&text, parts->fields[i]);
    struct slice whole = text_slice(&text);
    return whole.bytes ? siphash(whole, seed) : 0;
}
