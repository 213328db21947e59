#include "audit/container.h"

#include "base/array_size.h"

static bool is_blank(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static struct slice without_blanks(struct slice text)
{
    size_t blanks = 0;
    while (blanks < text.length && is_blank(text.bytes[blanks]))
        blanks++;
    return slice_from(text, blanks);
}

static size_t scan_string(struct container_scan *scan, struct slice text)
{
    size_t i = 0;
    for (; i < text.length && scan->is_in_string && !scan->is_broken; i++) {
        char byte = text.bytes[i];
        if (byte == '\n')
            scan->is_broken = true;
        else if (scan->is_escaped)
            scan->is_escaped = false;
        else if (byte == '\\')
            scan->is_escaped = true;
        else if (byte == '"')
            scan->is_in_string = false;
    }
    scan->has_ended = !scan->is_in_string && scan->depth == 0;
    /* The end of the line stays, so that reading continues with the next line. */
    return scan->is_broken ? i - 1 : i;
}

/* Scans a byte outside of strings. Returns false if it belongs to the text behind the value. */
static bool scan_byte(struct container_scan *scan, char byte)
{
    bool ends_scalar = is_blank(byte) || byte == ',' || byte == ']' || byte == '}';
    if (scan->is_scalar && ends_scalar) {
        scan->has_ended = true;
        return false;
    }
    scan->lines += byte == '\n';
    if (byte == '"') {
        scan->is_in_string = true;
    } else if (byte == '{' || byte == '[') {
        scan->depth++;
    } else if (byte == '}' || byte == ']') {
        scan->depth -= scan->depth > 0;
        scan->has_ended = scan->depth == 0;
    } else if (scan->depth == 0) {
        scan->is_scalar = true;
    }
    return true;
}

size_t container_scan(struct container_scan *scan, struct slice text)
{
    size_t used = 0;
    while (used < text.length && !scan->has_ended && !scan->is_broken) {
        if (scan->is_in_string)
            used += scan_string(scan, slice_from(text, used));
        else if (scan_byte(scan, text.bytes[used]))
            used++;
    }
    return used;
}

/* Takes a complete value off the text. Returns false if it is incomplete. */
static bool take_value(struct slice *text, struct slice *value)
{
    struct container_scan scan = {0};
    size_t used = container_scan(&scan, *text);
    *value = slice_until(*text, used);
    *text = without_blanks(slice_from(*text, used));
    return scan.has_ended;
}

/* Takes a byte, and blanks around it. */
static bool take(struct slice *text, char byte)
{
    *text = without_blanks(*text);
    if (!text->length || text->bytes[0] != byte)
        return false;
    *text = without_blanks(slice_from(*text, 1));
    return true;
}

struct head {
    bool is_event_list; /* its kind is EventList, or it names no kind */
    bool is_of_audit;
};

/* Reads a member before the array. Returns false if no container has such a member. */
static bool read_member(struct head *head, struct slice name, struct slice value)
{
    static const char *const others[] = {
        "\"metadata\"",         "\"messageType\"",        "\"owner\"",
        "\"logGroup\"",         "\"logStream\"",          "\"subscriptionFilters\"",
        "\"nextToken\"",        "\"searchedLogStreams\"", "\"policyLevel\"",
        "\"ResponseMetadata\"", "\"nextForwardToken\"",   "\"nextBackwardToken\"",
        "\"queryLanguage\"",    "\"statistics\"",         "\"status\""};
    if (slice_equal(name, SLICE("\"kind\"")))
        return head->is_event_list = slice_equal(value, SLICE("\"EventList\""));
    if (slice_equal(name, SLICE("\"apiVersion\"")))
        return head->is_of_audit = slice_equal(value, SLICE("\"audit.k8s.io/v1\""));
    return slice_is_one_of(name, others, ARRAY_SIZE(others));
}

static enum container container_of(const struct head *head, struct slice name)
{
    static const char *const records[] = {"\"events\"", "\"logEvents\"", "\"records\""};
    if (slice_is_one_of(name, records, ARRAY_SIZE(records)))
        return CONTAINER_RECORDS;
    if (slice_equal(name, SLICE("\"results\"")))
        return CONTAINER_RESULTS;
    bool is_list = head->is_event_list && head->is_of_audit && slice_equal(name, SLICE("\"items\""));
    return is_list ? CONTAINER_EVENTS : CONTAINER_NONE;
}

static enum container open_object(struct slice *text)
{
    struct head head = {.is_event_list = true};
    struct slice name, value;
    do {
        if (!text->length || text->bytes[0] != '"' || !take_value(text, &name) || !take(text, ':'))
            return CONTAINER_NONE;
        enum container container = container_of(&head, name);
        if (container != CONTAINER_NONE)
            return take(text, '[') ? container : CONTAINER_NONE;
        if (!take_value(text, &value) || !read_member(&head, name, value))
            return CONTAINER_NONE;
    } while (take(text, ','));
    return CONTAINER_NONE;
}

/* Events are objects, or text with an object. */
static bool begins_element(struct slice text)
{
    char first = text.length ? text.bytes[0] : 0;
    return first == '{' || first == '"' || first == ']';
}

enum container container_open(struct slice text, size_t *length)
{
    struct slice rest = slice_without_mark(slice_until(text, CONTAINER_HEAD_BYTES));
    enum container container = CONTAINER_NONE;
    if (take(&rest, '['))
        container = begins_element(rest) ? CONTAINER_ARRAY : CONTAINER_NONE;
    else if (take(&rest, '{'))
        container = open_object(&rest);
    *length = container == CONTAINER_NONE ? 0 : (size_t)(rest.bytes - text.bytes);
    return container;
}
