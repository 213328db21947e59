#include "commands/replay/conflict.h"

#include "base/find.h"
#include "base/json.h"

/* The end of a quoted text, whose quotation marks it has. 0: it does not end. */
static size_t quoted_length(struct slice text)
{
    for (size_t i = 1; i < text.length; i++) {
        if (text.bytes[i] == '\\')
            i++;
        else if (text.bytes[i] == '"')
            return i + 1;
    }
    return 0;
}

/* Go's %q is JSON but for escapes that names do not have: such a name stays as it is written. */
static struct slice unquote(struct slice quoted, struct arena *arena)
{
    struct slice inner = {quoted.bytes + 1, quoted.length - 2};
    if (!slice_contains(inner, '\\'))
        return inner;
    yyjson_val *document = json_parse(quoted, arena);
    return document ? json_text(document) : inner;
}

/* conflict with "MANAGER" with subresource "SUBRESOURCE" using VERSION at TIME; an Apply entry has no version
 * (structured-merge-diff, managedfields/internal/conflict.go: printManager). */
struct replay_conflict replay_conflict_of(yyjson_val *cause, struct arena *arena)
{
    struct slice message = json_text(json_member(cause, SLICE("message")));
    struct slice quoted = slice_from(message, slice_find(message, '"'));
    struct replay_conflict conflict = {.path = json_text(json_member(cause, SLICE("field")))};
    size_t length = quoted.length ? quoted_length(quoted) : 0;
    if (length < 2)
        return conflict;
    struct slice rest = slice_from(quoted, length);
    conflict.manager = unquote(slice_until(quoted, length), arena);
    conflict.operation = slice_contains_text(rest, SLICE(" using ")) ? MANAGER_UPDATE : MANAGER_APPLY;
    return conflict;
}
