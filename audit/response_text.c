#include "audit/response_text.h"

#include "base/json.h"

#include <stdint.h>

#define NOWHERE SIZE_MAX

/* The offset in the text of a place in its copy; NOWHERE: the place is not in the copy. */
static size_t position_of(const struct parsed_text *parsed, const char *place)
{
    size_t distance = (size_t)((uintptr_t)place - (uintptr_t)parsed->copy);
    return distance < parsed->text.length ? distance : NOWHERE;
}

struct slice response_text_find(const struct parsed_text *parsed, const struct audit_event *event)
{
    /* The API server writes this time behind the response. */
    const struct slice before = SLICE("responseObject\":{"),
                       behind = SLICE("},\"requestReceivedTimestamp\":\"");
    const struct slice text = parsed->text, nothing = {NULL, 0};
    yyjson_val *response = event->response;
    size_t name = response ? position_of(parsed, json_text(response - 1).bytes) : NOWHERE;
    size_t time = position_of(parsed, event->started.bytes);
    if (name == NOWHERE || time == NOWHERE || time < name + before.length + behind.length ||
        !slice_starts_with(slice_from(text, name), before) ||
        !slice_ends_with(slice_until(text, time), behind))
        return nothing;
    size_t begin = name + before.length - 1, end = time - behind.length + 1;
    /* The time follows in the text, so a value follows in the document. */
    const yyjson_val *next = response + json_parts(response);
    bool is_next = position_of(parsed, json_text(next).bytes) == end + sizeof(",\"") - 1;
    return is_next ? slice_from(slice_until(text, end), begin) : nothing;
}
