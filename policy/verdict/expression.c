#include "policy/verdict/expression.h"

#include "base/glob.h"
#include "base/text.h"

static bool is_operator(char byte)
{
    return byte != '\0' && strchr("^$.*+?()[]{}|\\", byte);
}

/* A letter, a class of letters or a group behind a backslash would mean something else than themselves; a
 * glob has no word for an asterisk and a question mark. */
static bool is_escapable(char byte)
{
    return byte != '\0' && strchr("^$.+()[]{}|\\/-_:@", byte);
}

/* Takes one atom of the expression, which is not empty, and appends what the glob has for it. */
static bool take_atom(struct slice *rest, struct text *glob)
{
    char byte = rest->bytes[0];
    *rest = slice_from(*rest, 1);
    if (byte == '.') {
        bool starred = slice_starts_with(*rest, SLICE("*")), repeated = slice_starts_with(*rest, SLICE("+"));
        text_append_string(glob, starred ? "*" : repeated ? "?*" : "?");
        *rest = slice_from(*rest, starred || repeated);
        return true;
    }
    if (byte == '\\') {
        if (!rest->length || !is_escapable(rest->bytes[0]))
            return false;
        byte = rest->bytes[0];
        *rest = slice_from(*rest, 1);
    } else if (is_operator(byte)) {
        return false;
    }
    text_append(glob, (struct slice){&byte, 1});
    return true;
}

/* The glob of one alternative; bytes NULL if it is not understood. */
static struct slice glob_of(struct slice alternative, struct arena *arena)
{
    struct text glob = text_start(arena, alternative.length + 2);
    bool from_start = slice_starts_with(alternative, SLICE("^"));
    alternative = slice_from(alternative, from_start);
    bool to_end = alternative.length && alternative.bytes[alternative.length - 1] == '$' &&
        (alternative.length == 1 || alternative.bytes[alternative.length - 2] != '\\');
    alternative.length -= to_end;
    text_append_string(&glob, from_start ? "" : "*");
    while (alternative.length) {
        if (!take_atom(&alternative, &glob))
            return (struct slice){NULL, 0};
    }
    text_append_string(&glob, to_end ? "" : "*");
    return text_slice(&glob);
}

/* Takes the expression up to the next |. */
static struct slice take_alternative(struct slice *rest)
{
    size_t length = 0;
    while (length < rest->length && rest->bytes[length] != '|')
        length += rest->bytes[length] == '\\' && length + 1 < rest->length ? 2 : 1;
    struct slice alternative = {rest->bytes, length};
    *rest = slice_from(*rest, length < rest->length ? length + 1 : length);
    return alternative;
}

bool expression_is_understood(struct slice expression, struct arena *arena)
{
    if (expression.length == 0 || expression.length > EXPRESSION_BYTES_MAX)
        return false;
    while (expression.length) {
        if (!glob_of(take_alternative(&expression), arena).bytes)
            return false;
    }
    return true;
}

bool expression_matches(struct slice expression, struct slice text, struct arena *arena)
{
    if (!expression_is_understood(expression, arena))
        return false;
    while (expression.length) {
        if (glob_match(glob_of(take_alternative(&expression), arena), text))
            return true;
    }
    return false;
}
