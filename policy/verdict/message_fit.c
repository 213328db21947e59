#include "policy/verdict/message_fit.h"

#include "base/array_size.h"
#include "base/find.h"
#include "policy/fieldset/path.h"
#include "policy/verdict/message_name.h"

#include <string.h>

static const char marks[] = {[MESSAGE_NAME] = '\xf8', [MESSAGE_PATH] = '\xf9', [MESSAGE_END] = '\xfa'};

void message_mark(struct text *text, enum message_mark mark)
{
    text_append(text, (struct slice){&marks[mark], 1});
}

/* The longest part of a name that may be printed: even the longest limit below is shorter. */
#define MARKED_BYTES_MAX 256

void message_append_marked(struct text *text, struct slice name)
{
    message_mark(text, MESSAGE_NAME);
    text_append_printable(text, text_cut(name, MARKED_BYTES_MAX));
    message_mark(text, MESSAGE_END);
}

/* How much of a message is said. */
struct measure {
    size_t object, name, path; /* the limits of the object's names, of other names, and of paths */
    bool has_advice, has_command;
};

/* The first that fits is taken. A command names the object in full, so that the sentence need not. */
static const struct measure measures[] = {
    {MESSAGE_NAME_BYTES, MESSAGE_NAME_BYTES, MESSAGE_PATH_BYTES, true, true},
    {MESSAGE_NAME_BYTES, 32, 40, true, true},
    {24, 24, 32, true, true},
    {16, 20, 24, true, true},
    {MESSAGE_NAME_BYTES, MESSAGE_NAME_BYTES, MESSAGE_PATH_BYTES, true, false},
    {MESSAGE_NAME_BYTES, 32, 40, true, false},
    {32, 24, 32, true, false},
    {24, 20, 24, true, false},
    {32, 32, 40, false, false},
    {24, 20, 24, false, false},
    {12, 12, 16, false, false},
};

/* Longer names cannot be created. */
static const struct measure whole = {MARKED_BYTES_MAX, MARKED_BYTES_MAX, MARKED_BYTES_MAX, true, true};

static size_t find_mark(struct slice text, size_t from, enum message_mark mark)
{
    const char *found = memchr(text.bytes + from, (unsigned char)marks[mark], text.length - from);
    return found ? (size_t)(found - text.bytes) : text.length;
}

static void append_path(struct text *text, struct slice path, size_t limit)
{
    struct text shortened = text_start(text->arena, path.length);
    path_append_short(&shortened, path, limit);
    message_append_cut(text, text_slice(&shortened), limit + MESSAGE_ELLIPSIS.length);
}

static bool is_mark(char byte)
{
    return (unsigned char)byte >= 0xf8;
}

/*
 * Appends the text without its marks, its names within `name` and its paths within `path` bytes. Names
 * between marks are printable, so that a short one stays as it is.
 */
static void append(struct text *text, struct slice marked, size_t name, size_t path, bool has_advice)
{
    for (size_t i = 0, end; i < marked.length; i = end) {
        char byte = marked.bytes[i];
        end = i + 1;
        if (byte == marks[MESSAGE_NAME] || byte == marks[MESSAGE_PATH]) {
            end = find_mark(marked, i, MESSAGE_END);
            struct slice part = slice_from(slice_until(marked, end), i + 1);
            if (byte == marks[MESSAGE_PATH])
                append_path(text, part, path);
            else if (part.length <= name)
                text_append(text, part);
            else
                message_append_cut(text, part, name);
        } else if (!is_mark(byte)) {
            while (end < marked.length && !is_mark(marked.bytes[end]))
                end++;
            struct slice words = slice_from(slice_until(marked, end), i);
            size_t advice = has_advice ? words.length : slice_find_text(words, SLICE("; "));
            text_append(text, slice_until(words, advice));
            if (advice < words.length)
                return;
        }
    }
}

/* "applyguard migrate": the words before the object, which has a slash. */
static struct slice verb_of(struct slice command)
{
    size_t end = slice_find(command, '/');
    while (end > 0 && command.bytes[end - 1] != ' ')
        end--;
    return slice_trim(slice_until(command, end));
}

static struct text measured(
    const struct message_parts *parts, const struct measure *measure, struct arena *arena)
{
    struct text text = text_start(arena, 256);
    append(&text, parts->object, measure->object, measure->object, true);
    text_append_string(&text, text.length ? ": " : "");
    append(&text, parts->sentence, measure->name, measure->path, measure->has_advice);
    if (measure->has_command && parts->command.length)
        text_append_all(&text, ": ", parts->command);
    else if (measure->has_advice && parts->command.length)
        text_append_all(&text, " (", verb_of(parts->command), ")");
    return text;
}

/* The longest word that is left out rather than cut. */
#define WORD_BYTES_MAX 32

/* At a blank if one is near: half a word would be another one. */
static void cut(struct text *text, size_t room)
{
    struct slice kept = text_cut(text_slice(text), room - MESSAGE_ELLIPSIS.length);
    size_t end = kept.length;
    while (end > 0 && kept.bytes[end - 1] != ' ' && kept.length - end < WORD_BYTES_MAX)
        end--;
    text->length = end > 0 && kept.bytes[end - 1] == ' ' ? end - 1 : kept.length;
    text_append(text, MESSAGE_ELLIPSIS);
}

struct slice message_fit(const struct message_parts *parts, size_t room, struct arena *arena)
{
    struct text text = {.arena = arena};
    if (parts->is_whole) {
        text = measured(parts, &whole, arena);
        return text_slice(&text);
    }
    for (size_t i = 0; i < ARRAY_SIZE(measures); i++) {
        text = measured(parts, &measures[i], arena);
        if (text.length <= room)
            return text_slice(&text);
    }
    cut(&text, room);
    return text_slice(&text);
}
