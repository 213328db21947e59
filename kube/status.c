#include "kube/client.h"

#include "base/json.h"
#include "base/text.h"

#include <stdio.h>

/* A Status is never larger; a larger body is something else. */
#define STATUS_BYTES_MAX ((size_t)1024 * 1024)

/* Appends reason and message of a Status; returns false for other bodies. */
static bool append_status(struct text *text, const struct kube_response *response, struct arena *arena)
{
    struct slice body = secret_slice(&response->body);
    if (body.length == 0 || body.length > STATUS_BYTES_MAX)
        return false;
    yyjson_val *root = json_parse(body, arena);
    if (!slice_equal(json_text(json_member(root, SLICE("kind"))), SLICE("Status")))
        return false;
    struct slice reason = json_text(json_member(root, SLICE("reason")));
    struct slice message = json_text(json_member(root, SLICE("message")));
    if (reason.length)
        text_append_all(text, " ", as_printable(reason));
    if (message.length)
        text_append_all(text, ": ", as_printable(message));
    return reason.length || message.length;
}

void kube_status_message(const struct kube_response *response, char *line, size_t capacity)
{
    snprintf(line, capacity, "%ld", response->status);
    struct arena *arena = arena_create();
    if (!arena)
        return;
    struct text text = text_start(arena, capacity);
    text_append_string(&text, line);
    if (!append_status(&text, response, arena))
        text_append_string(&text, " without a reason");
    struct slice whole = text_slice(&text);
    if (whole.bytes && whole.length < capacity)
        snprintf(line, capacity, "%.*s", (int)whole.length, whole.bytes);
    else if (whole.bytes && capacity > sizeof(TEXT_ELLIPSIS)) {
        struct slice cut = text_cut(whole, capacity - sizeof(TEXT_ELLIPSIS));
        snprintf(line, capacity, "%.*s" TEXT_ELLIPSIS, (int)cut.length, cut.bytes);
    }
    arena_destroy(arena);
}

int kube_refused(const struct kube_response *response, struct error *error)
{
    char line[sizeof(error->message)];
    kube_status_message(response, line, sizeof(line));
    return error_set(error, "%s", line);
}
