#include "audit/wrapping.h"

#include "base/array_size.h"
#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"

/* The names of a record's members in CloudWatch Logs Insights. */
#define INSIGHTS_MESSAGE "@message"
#define INSIGHTS_TIME "@timestamp"

/* The length of a time to the microsecond, without the Z at its end. */
#define TIME_LENGTH (sizeof("2026-01-31T08:00:00.000000") - 1)

/* CloudWatch Logs has milliseconds since 1970. */
static struct slice time_of_milliseconds(yyjson_val *value, struct arena *arena)
{
    struct text text = text_start(arena, 32);
    uint64_t milliseconds = yyjson_get_uint(value);
    if (!yyjson_is_uint(value) || milliseconds / 1000 > INT64_MAX / 2)
        return (struct slice){NULL, 0};
    text_append_time(&text, (int64_t)(milliseconds / 1000));
    struct slice seconds = text_slice(&text);
    struct text whole = text_start(arena, 32);
    text_append(&whole, slice_until(seconds, seconds.length ? seconds.length - 1 : 0));
    const char fraction[] = {
        '.', (char)('0' + milliseconds / 100 % 10), (char)('0' + milliseconds / 10 % 10),
        (char)('0' + milliseconds % 10)};
    text_append_all(&whole, ((struct slice){fraction, sizeof(fraction)}), "000Z");
    return text_slice(&whole);
}

struct slice audit_time_to_microseconds(struct slice time, struct arena *arena)
{
    struct slice digits = slice_until(time, time.length ? time.length - 1 : 0);
    struct text text = text_start(arena, 32);
    if (time.length < 20 || time.bytes[time.length - 1] != 'Z' || time.length == TIME_LENGTH + 1)
        return time;
    text_append(&text, slice_until(digits, TIME_LENGTH));
    if (!slice_contains(digits, '.'))
        text_append_string(&text, ".");
    size_t missing = text.length < TIME_LENGTH ? TIME_LENGTH - text.length : 0;
    text_append_all(&text, slice_until(SLICE("000000"), missing), "Z");
    return text_slice(&text);
}

/* The end of the last complete member; 0 if no member is complete. */
static size_t end_of_members(struct slice text)
{
    size_t depth = 0, end = 0;
    bool is_in_string = false;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '\\' && is_in_string)
            i++;
        else if (byte == '"')
            is_in_string = !is_in_string;
        else if (is_in_string)
            continue;
        else if (byte == '{' || byte == '[')
            depth++;
        else if (byte == '}' || byte == ']')
            depth--;
        else if (byte == ',' && depth == 1)
            end = i;
    }
    return end;
}

/* The complete members of a text that breaks off. */
static yyjson_val *read_cut(struct slice text, struct arena *arena)
{
    struct text whole = text_start(arena, text.length + 1);
    size_t end = end_of_members(text);
    if (!end)
        return NULL;
    text_append_all(&whole, slice_until(text, end), "}");
    return json_parse(text_slice(&whole), arena);
}

static void read_text(struct wrapped_event *event, struct slice text, struct arena *arena)
{
    static const char mark[] = "[Truncated...]";
    if (!text.length || text.bytes[0] != '{')
        return;
    event->json = json_parse(text, arena);
    if (event->json)
        return;
    size_t mark_length = sizeof(mark) - 1;
    if (text.length > mark_length && memcmp(text.bytes + text.length - mark_length, mark, mark_length) == 0)
        text.length -= mark_length;
    event->is_cut = true;
    event->json = read_cut(text, arena);
}

/* Some programs store the event as JSON in place of its text. */
static void read_value(struct wrapped_event *event, yyjson_val *value, struct arena *arena)
{
    if (yyjson_is_obj(value))
        event->json = value;
    else
        read_text(event, json_text(value), arena);
}

static bool is_of_audit(yyjson_val *category)
{
    return !category || slice_starts_with(json_text(category), SLICE("kube-audit"));
}

struct record {
    yyjson_val *message, *timestamp, *category, *time, *properties, *payload;
    yyjson_val *output;                                 /* of a container, as Docker keeps it */
    yyjson_val *column, *column_category, *column_time; /* of the table AzureDiagnostics */
    yyjson_val *result, *result_time;                   /* of CloudWatch Logs Insights */
};

/* The record with the names of other records. */
static void read_columns(struct record *record)
{
    record->category = record->category ? record->category : record->column_category;
    record->time = record->time ? record->time : record->column_time;
}

/* A row of the results of CloudWatch Logs Insights: [{"field":"@message","value":"…"}, …] */
static void read_row(yyjson_val *row, struct record *record)
{
    json_each_item(cell, row) {
        struct slice field = json_text(json_member(cell, SLICE("field")));
        yyjson_val *value = json_member(cell, SLICE("value"));
        if (slice_equal(field, SLICE(INSIGHTS_MESSAGE)))
            record->result = value;
        else if (slice_equal(field, SLICE(INSIGHTS_TIME)))
            record->result_time = value;
    }
}

/* "2026-01-31 08:00:00.000", in UTC */
static struct slice time_of_insights(struct slice time, struct arena *arena)
{
    size_t date = slice_find(time, ' ');
    if (date == time.length)
        return audit_time_to_microseconds(time, arena);
    struct slice whole = text_join(arena, slice_until(time, date), "T", slice_from(time, date + 1), "Z");
    return audit_time_to_microseconds(whole, arena);
}

enum wrapping wrapping_read(yyjson_val *json, struct arena *arena, struct wrapped_event *event)
{
    static const struct json_wanted wanted[] = {
        JSON_WANTED("category", struct record, category),
        JSON_WANTED("time", struct record, time),
        JSON_WANTED("properties", struct record, properties),
        JSON_WANTED("timestamp", struct record, timestamp),
        JSON_WANTED("message", struct record, message),
        JSON_WANTED("protoPayload", struct record, payload),
        JSON_WANTED("log", struct record, output),
        JSON_WANTED("log_s", struct record, column),
        JSON_WANTED("Category", struct record, column_category),
        JSON_WANTED("TimeGenerated", struct record, column_time),
        JSON_WANTED(INSIGHTS_MESSAGE, struct record, result),
        JSON_WANTED(INSIGHTS_TIME, struct record, result_time)};
    struct record record = {0};
    *event = (struct wrapped_event){0};
    json_members(json, wanted, ARRAY_SIZE(wanted), &record);
    read_row(json, &record);
    if (record.payload)
        return WRAPPING_ENTRY;
    yyjson_val *log = record.column ? record.column
        : record.output             ? record.output
                                    : json_member(record.properties, SLICE("log"));
    if (log) {
        read_columns(&record);
        event->time = audit_time_to_microseconds(json_text(record.time), arena);
        if (is_of_audit(record.category))
            read_value(event, log, arena);
        return WRAPPING_EVENT;
    }
    yyjson_val *message = record.result ? record.result : record.message;
    bool is_message = yyjson_is_str(message) || yyjson_is_obj(message);
    if (!is_message || !(record.timestamp || record.result_time))
        return WRAPPING_NONE;
    event->time = record.timestamp ? time_of_milliseconds(record.timestamp, arena)
                                   : time_of_insights(json_text(record.result_time), arena);
    read_value(event, message, arena);
    return WRAPPING_EVENT;
}

/*
 * Text outside of records
 */

/* Whether it begins with a time: 2026-01-31T08:00:00. */
static bool begins_with_time(struct slice line)
{
    static const char form[] = "0000-00-00T00:00:00";
    const size_t length = sizeof(form) - 1;
    for (size_t i = 0; i < length && line.length > length; i++) {
        if (form[i] == '0' ? !ascii_is_digit(line.bytes[i]) : line.bytes[i] != form[i])
            return false;
    }
    return line.length > length;
}

static struct slice record_of(struct slice time, struct slice message, struct arena *arena)
{
    struct text text = text_start(arena, message.length + message.length / 8 + 64);
    text_append_all(&text, "{\"time\":", as_json(time), ",\"properties\":{\"log\":", as_json(message), "}}");
    return text_slice(&text);
}

struct slice wrapping_of_line(struct slice line, struct arena *arena)
{
    if (!begins_with_time(line))
        return (struct slice){NULL, 0};
    struct slice time = slice_until(line, slice_find(line, ' '));
    return record_of(time, slice_from(line, slice_find(line, '{')), arena);
}

struct slice wrapping_of_text(struct slice text, struct arena *arena)
{
    return record_of(SLICE(""), text, arena);
}
