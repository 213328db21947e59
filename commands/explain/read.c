#include "commands/explain/read.h"

#include "base/ascii.h"
#include "base/find.h"
#include "commands/explain/subject.h"
#include "commands/explain/unbox.h"
#include "commands/explain/unquote.h"
#include "commands/explain/unwrap.h"

#include <stdint.h>
#include <string.h>

/* JSON within Python's bytes within the JSON of Ansible within a log line of JSON, and one more. */
#define QUOTES_MAX 5

/*
 * The number of the last reports that are compared with a new one: tools repeat a report soon, or not at all.
 */
#define REPEATS_WITHIN 16

/*
 * The size of a holder's text, which is printed with each of its fields: several times the size that the API
 * server accepts.
 */
#define HOLDER_BYTES_MAX 1024

/* The size of the text before a line in a log: a time, the names of a pod and of its container. */
#define LINE_PREFIX_BYTES_MAX 512

static const struct slice marker = SLICE_LITERAL("Apply failed with ");

/*
 * Words
 */

static struct slice skip_space(struct slice text)
{
    size_t length = 0;
    while (length < text.length && ascii_is_space(text.bytes[length]))
        length++;
    return slice_from(text, length);
}

/*
 * Takes the words if the text begins with them. A space matches any white space: YAML folds lines. Otherwise
 * returns false, and leaves the text unchanged.
 */
static bool take(struct slice *text, const char *words)
{
    struct slice rest = *text;
    for (; *words; words++) {
        if (!rest.length || (*words == ' ' ? !ascii_is_space(rest.bytes[0]) : *words != rest.bytes[0]))
            return false;
        rest = *words == ' ' ? skip_space(rest) : slice_from(rest, 1);
    }
    *text = rest;
    return true;
}

static bool take_count(struct slice *text, size_t *count)
{
    size_t digits = 0;
    *count = 0;
    while (digits < text->length && digits < 9 && ascii_is_digit(text->bytes[digits]))
        *count = *count * 10 + (size_t)(text->bytes[digits++] - '0');
    *text = slice_from(*text, digits);
    return digits > 0;
}

static bool take_quoted(struct slice *text, struct arena *arena, struct slice *value)
{
    size_t taken;
    if (!text->length || text->bytes[0] != '"')
        return false;
    *text = slice_from(*text, 1);
    *value = unquote(*text, '"', arena, &taken);
    bool is_closed = taken < text->length;
    *text = slice_from(*text, taken + 1);
    return value->bytes && is_closed;
}

/* The text up to white space; or up to a colon at its end: times in RFC 3339 contain colons. */
static struct slice take_word(struct slice *text)
{
    size_t length = 0;
    while (length < text->length && !ascii_is_space(text->bytes[length]))
        length++;
    if (length && text->bytes[length - 1] == ':')
        length--;
    struct slice word = slice_until(*text, length);
    *text = slice_from(*text, length);
    return word;
}

/* "kubectl" with subresource "scale" using apps/v1 at 2026-01-01T00:00:00Z: */
static bool take_holder(struct slice *text, struct arena *arena, struct conflict *conflict)
{
    *conflict = (struct conflict){.manager.operation = MANAGER_APPLY};
    if (!take_quoted(text, arena, &conflict->manager.name))
        return false;
    if (take(text, " with subresource ") && !take_quoted(text, arena, &conflict->manager.subresource))
        return false;
    if (take(text, " using ")) {
        conflict->manager.operation = MANAGER_UPDATE;
        conflict->api_version = take_word(text);
        if (take(text, " at "))
            conflict->time = take_word(text);
    }
    size_t length = conflict->manager.name.length + conflict->manager.subresource.length +
        conflict->api_version.length + conflict->time.length;
    return length <= HOLDER_BYTES_MAX && take(text, ":");
}

/* The length of a path: white space ends it, except in the keys of its list items. */
static size_t path_length(struct slice text)
{
    bool is_quoted = false;
    size_t length = 0;
    for (; length < text.length && text.bytes[length] != '\n'; length++) {
        char byte = text.bytes[length];
        if (byte == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && byte == '\\' && length + 1 < text.length)
            length++;
        else if (!is_quoted && ascii_is_space(byte))
            break;
    }
    return length < text.length ? length : text.length;
}

static bool ends_sentence(char byte)
{
    return byte && strchr(".,;:'\"`\r", byte);
}

/* A sentence may continue after a path: ", retrying in 5s". Paths do not end in these characters. */
static bool take_path(struct slice *text, struct slice *path)
{
    struct slice rest = skip_space(*text);
    if (!rest.length || (rest.bytes[0] != '.' && rest.bytes[0] != '['))
        return false;
    *path = slice_until(rest, path_length(rest));
    *text = slice_from(rest, path->length);
    while (path->length > 1 && ends_sentence(path->bytes[path->length - 1]))
        path->length--;
    return true;
}

/*
 * One report
 */

static bool add_conflict(
    struct conflict_report *report, size_t *capacity, const struct conflict *conflict, struct arena *arena)
{
    struct conflict *items = arena_grow(arena, report->items, report->count, capacity, sizeof(*items));
    if (!items)
        return false;
    report->items = items;
    report->items[report->count++] = *conflict;
    return true;
}

/*
 * The beginning of the next line, if only white space precedes it: a limit of searched bytes keeps long lines
 * cheap.
 */
static struct slice next_line(struct slice text)
{
    size_t end = 0;
    while (end < text.length && ascii_is_space(text.bytes[end]) && text.bytes[end] != '\n')
        end++;
    if (end == text.length || text.bytes[end] != '\n')
        return (struct slice){NULL, 0};
    struct slice line = slice_until(slice_from(text, end + 1), LINE_PREFIX_BYTES_MAX);
    return slice_until(line, slice_find(line, '\n'));
}

/* Whether the text begins with these words and one of `followers`. */
static bool begins_with(struct slice text, const char *words, const char *followers)
{
    return take(&text, words) && text.length && text.bytes[0] && strchr(followers, text.bytes[0]);
}

/*
 * Takes the words on the next line, behind a prefix: programs that collect logs begin each line with the
 * time, or with its source.
 */
static bool take_behind_prefix(struct slice *text, const char *words, const char *followers)
{
    struct slice line = next_line(*text);
    for (size_t i = 0; i < line.length; i++) {
        if ((i && !ascii_is_space(line.bytes[i - 1])) || !begins_with(slice_from(line, i), words, followers))
            continue;
        *text = slice_from(*text, (size_t)(line.bytes - text->bytes) + i);
        return take(text, words);
    }
    return false;
}

/* Takes the text up to the holder. Prefixes of lines are skipped only while conflicts are missing. */
static bool take_conflict(struct slice *text, bool is_missing)
{
    struct slice rest = skip_space(*text);
    bool is_there = take(&rest, "conflict with ") || take(&rest, "conflicts with ");
    if (is_there)
        *text = rest;
    return is_there ||
        (is_missing &&
         (take_behind_prefix(text, "conflict with ", "\"") ||
          take_behind_prefix(text, "conflicts with ", "\"")));
}

static bool take_item(struct slice *text, bool is_missing)
{
    return take(text, " - ") || (is_missing && take_behind_prefix(text, "- ", ".["));
}

/* Reads at most `most` conflicts after "Apply failed with ". */
static void read_conflicts(
    struct slice text, size_t most, struct arena *arena, struct conflict_report *report)
{
    size_t expected;
    size_t capacity = 0;
    struct conflict conflict;
    if (!take_count(&text, &expected) || !(take(&text, " conflict: ") || take(&text, " conflicts: ")))
        return;
    while (take_conflict(&text, report->count < expected)) {
        if (!take_holder(&text, arena, &conflict))
            break;
        const bool is_list = take_item(&text, report->count < expected);
        do {
            if (!take_path(&text, &conflict.path))
                break;
            if (report->count < most && !add_conflict(report, &capacity, &conflict, arena))
                return;
        } while (is_list && take_item(&text, report->count < expected));
    }
    report->missing = expected > report->count ? expected - report->count : 0;
}

static size_t count_backslashes_before(struct slice text, size_t at)
{
    size_t count = 0;
    while (count < at && text.bytes[at - count - 1] == '\\')
        count++;
    return count;
}

/*
 * The backslashes before the first quotation mark show how the text was quoted. JSON and Go escape the mark
 * itself, so their number is odd. Python, as in Ansible's b'…', puts JSON between apostrophes and doubles
 * its backslashes only.
 */
static struct slice undo_quotes(struct slice text, struct arena *arena)
{
    for (int i = 0; i < QUOTES_MAX; i++) {
        size_t quote = slice_find(text, '"');
        size_t backslashes = quote < text.length ? count_backslashes_before(text, quote) : 0;
        size_t taken;
        if (!backslashes)
            return text;
        text = unquote(text, backslashes % 2 ? '"' : '\'', arena, &taken);
    }
    return text;
}

/*
 * All reports
 */

static bool has_same_object(const struct conflict_object *a, const struct conflict_object *b)
{
    return !a->name.length || !b->name.length ||
        (slice_equal(a->name, b->name) && slice_equal(a->namespace, b->namespace) &&
         slice_equal(a->kind, b->kind));
}

static bool is_same_conflict(const struct conflict *a, const struct conflict *b)
{
    return slice_equal(a->path, b->path) && manager_equal(&a->manager, &b->manager);
}

static bool is_same_report(const struct conflict_report *a, const struct conflict_report *b)
{
    if (a->count != b->count || !has_same_object(&a->object, &b->object))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!is_same_conflict(&a->items[i], &b->items[i]))
            return false;
    return true;
}

/* Whether the report is a copy of an earlier one. Keeps the copy with more facts about the object. */
static bool is_repeated(const struct conflict_reports *reports, const struct conflict_report *report)
{
    for (size_t i = reports->count; i > 0 && i + REPEATS_WITHIN > reports->count; i--) {
        struct conflict_report *former = &reports->items[i - 1];
        if (!is_same_report(former, report))
            continue;
        if (!former->object.name.length) {
            former->object = report->object;
            former->tool = report->tool;
        }
        return true;
    }
    return false;
}

static void add_report(
    struct conflict_reports *reports, const struct conflict_report *report, struct arena *arena)
{
    struct conflict_report *items =
        arena_grow(arena, reports->items, reports->count, &reports->capacity, sizeof(*items));
    if (!items)
        return;
    reports->items = items;
    reports->items[reports->count++] = *report;
}

/* No name of a manager has a newline. */
static bool is_broken(const struct conflict *conflict)
{
    return slice_contains(conflict->manager.name, '\n') ||
        slice_contains(conflict->manager.subresource, '\n');
}

/* The reports of a text. `doubts` counts the places where its lines look cut or broken. */
struct reading {
    struct conflict_reports reports;
    size_t doubts;
};

static void add_doubts(struct reading *reading, const struct conflict_report *report)
{
    reading->doubts += report->missing;
    for (size_t i = 0; i < report->count; i++)
        reading->doubts += is_broken(&report->items[i]);
}

static struct reading read_all(struct slice text, struct arena *arena)
{
    struct reading reading = {.doubts = 0};
    struct conflict_reports *reports = &reading.reports;
    size_t at = slice_find_text(text, marker);
    struct slice before = slice_until(text, at);
    struct slice rest = slice_from(text, at + marker.length);
    while (at < text.length && rest.length) {
        size_t end = slice_find_text(rest, marker);
        struct conflict_report report = {0};
        read_conflicts(
            undo_quotes(slice_until(rest, end), arena), CONFLICTS_MAX - reports->conflict_count, arena,
            &report);
        reports->conflict_count += report.count;
        add_doubts(&reading, &report);
        if (report.count) {
            subject_read(before, &report.object, &report.tool);
            if (!is_repeated(reports, &report))
                add_report(reports, &report, arena);
        }
        before = slice_until(rest, end);
        rest = slice_from(rest, end + marker.length);
    }
    return reading;
}

/* Undoes the line breaks of a terminal only if the text makes more sense without them. */
static struct reading read_lines(struct slice text, struct arena *arena)
{
    struct reading reading = read_all(unwrap(text, UNWRAP_WORDS, arena), arena);
    if (!reading.doubts && reading.reports.count)
        return reading;
    struct reading other = read_all(unwrap(text, UNWRAP_ALL, arena), arena);
    bool is_better = other.reports.conflict_count >= reading.reports.conflict_count && other.reports.count &&
        (!reading.reports.count || other.doubts < reading.doubts);
    return is_better ? other : reading;
}

/* The other 409 of the API server: optimistic locking, not ownership. */
static bool has_changed_meanwhile(struct slice text)
{
    return slice_contains_text(text, SLICE("the object has been modified"));
}

int conflict_read(
    struct slice text, struct arena *arena, struct conflict_reports *reports, struct error *error)
{
    const struct reading reading = read_lines(unbox(text, arena), arena);
    *reports = reading.reports;
    if (arena_has_failed(arena))
        return error_set_out_of_memory(error);
    if (!reports->count && reading.doubts)
        return error_set(
            error,
            "it counts conflicts and names no field: it was cut, as in a table of kubectl get; "
            "-o yaml has all of it");
    if (!reports->count && has_changed_meanwhile(text))
        return error_set(
            error,
            "no field conflicts: the object changed after the tool had read it, and before it wrote; run the "
            "tool again");
    if (!reports->count)
        return error_set(
            error, "no warning of applyguard and no conflict in it; paste the whole line, with its [rule]");
    return 0;
}
