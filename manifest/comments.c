#include "manifest/comments.h"

#include "base/ascii.h"
#include "base/find.h"
#include "base/search.h"
#include "manifest/limits.h"
#include "manifest/marks.h"

#define WAIVE SLICE("applyguard:waive")

/* Returns the first offset of the word, from `offset` on; the text's length if it does not occur. */
static size_t find_word(struct slice text, size_t offset, struct slice word)
{
    return offset + slice_find_text(slice_from(text, offset), word);
}

bool comments_has_waivers(struct slice text)
{
    return find_word(text, 0, WAIVE) < text.length;
}

bool comments_add_scalar(
    struct scalar_spans *spans, struct slice text, size_t start, size_t end, bool is_block,
    struct arena *arena)
{
    struct slice source = slice_from(slice_until(text, end), start);
    /* The first line of a block scalar may contain a comment behind an anchor, a tag and | or >. */
    if (is_block)
        start += slice_find(source, '\n');
    source = slice_from(slice_until(text, end), start);
    if (!slice_contains(source, '#'))
        return true;
    struct scalar_span *items =
        arena_grow(arena, spans->items, spans->count, &spans->capacity, sizeof(*items));
    if (!items)
        return false;
    spans->items = items;
    spans->items[spans->count++] = (struct scalar_span){start, end};
    return true;
}

static bool ends_before(const void *span, const void *offset)
{
    return ((const struct scalar_span *)span)->end <= *(const size_t *)offset;
}

static bool is_in_scalar(const struct scalar_spans *spans, size_t offset)
{
    size_t place = search_first(spans->items, spans->count, sizeof(*spans->items), ends_before, &offset);
    return place < spans->count && spans->items[place].start <= offset;
}

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t';
}

/* Finds the # of the comment that begins with the word; returns false if no comment begins with it. */
static bool find_hash(struct slice text, const struct scalar_spans *spans, size_t word, size_t *hash)
{
    while (word && is_blank(text.bytes[word - 1]))
        word--;
    if (!word || text.bytes[word - 1] != '#')
        return false;
    *hash = word - 1;
    char before = *hash ? text.bytes[*hash - 1] : '\n';
    return (is_blank(before) || before == '\n') && !is_in_scalar(spans, *hash);
}

static struct slice line_from(struct slice text, size_t offset)
{
    struct slice rest = slice_from(text, offset);
    return slice_until(rest, slice_find(rest, '\n'));
}

/* Whether the comment's line has content before it. */
static bool is_behind_content(struct slice text, size_t hash)
{
    while (hash && is_blank(text.bytes[hash - 1]))
        hash--;
    return hash && text.bytes[hash - 1] != '\n';
}

/* The next line with content: it is the target of the comments before it. */
struct content {
    size_t offset;
    unsigned line; /* 0: none */
};

/* Finds it from the comment on, which begins in this line. */
static struct content find_content(struct slice text, size_t hash, unsigned line)
{
    for (size_t at = hash; at < text.length; line++) {
        struct slice whole = line_from(text, at), content = slice_trim(whole);
        if (content.length && content.bytes[0] != '#')
            return (struct content){at, line};
        at += whole.length + 1;
    }
    return (struct content){text.length, 0};
}

/*
 * `position` is the place of the comment's #. The comment contains the word and ends at `comment_end`,
 * without trailing blanks.
 */
static struct manifest_waiver waiver_at(
    const struct marks *position, size_t word, size_t comment_end, struct content *next)
{
    struct slice text = position->text;
    struct slice rest = slice_trim(slice_from(slice_until(text, comment_end), word + WAIVE.length));
    size_t rule_length = 0;
    while (rule_length < rest.length && !is_blank(rest.bytes[rule_length]))
        rule_length++;
    bool is_own_line = !is_behind_content(text, position->offset);
    if (is_own_line && position->offset >= next->offset)
        *next = find_content(text, position->offset, position->line);
    return (struct manifest_waiver){
        .line = position->line,
        .column = position->column,
        .for_line = is_own_line && next->line ? next->line : position->line,
        .rule = slice_until(rest, rule_length),
        .reason = slice_trim(slice_from(rest, rule_length)),
    };
}

/* In "waive: RULE", the colon counts as the rule, so that the user gets a message about it. */
static bool ends_word(struct slice text, size_t offset)
{
    return offset == text.length || !(ascii_is_alphanumeric(text.bytes[offset]) || text.bytes[offset] == '-');
}

bool comments_find_waivers(
    struct manifest_document *document, const struct scalar_spans *spans, struct arena *arena)
{
    struct slice text = document->text;
    struct manifest_waiver *waivers = NULL;
    size_t count = 0, capacity = 0, hash, comment_end = 0;
    struct marks position = marks_start(text, document->first_line);
    struct content next = {0, 0};
    for (size_t word = 0; (word = find_word(text, word, WAIVE)) < text.length; word++) {
        if (!find_hash(text, spans, word, &hash) || !ends_word(text, word + WAIVE.length))
            continue;
        if (count == MANIFEST_WAIVERS_MAX)
            break;
        waivers = arena_grow(arena, waivers, count, &capacity, sizeof(*waivers));
        if (!waivers)
            return false;
        marks_move_to_offset(&position, hash);
        /* One comment may contain many waivers, with many blanks behind them. */
        if (word >= comment_end)
            comment_end = word + slice_trim(line_from(text, word)).length;
        waivers[count++] = waiver_at(&position, word, comment_end, &next);
    }
    document->waivers = waivers;
    document->waiver_count = count;
    return true;
}

void comments_find_source(const struct manifest_document *document, struct manifest_origin *origin)
{
    const struct slice prefix = SLICE("# Source: ");
    unsigned line = document->first_line;
    for (size_t at = 0; at < document->text.length; line++) {
        struct slice text = line_from(document->text, at);
        if (slice_starts_with(text, prefix)) {
            origin->path = slice_trim(slice_from(text, prefix.length));
            origin->line = line;
            return;
        }
        if (slice_trim(text).length && text.bytes[0] != '#' && !slice_starts_with(text, SLICE("---")))
            return;
        at += text.length + 1;
    }
}
