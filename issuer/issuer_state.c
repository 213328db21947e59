#include "issuer/issuer_state.h"

#include "certs/memory.h"

#include <string.h>

#define CALL_TIMEOUT_MS 10000u

void turn_note(struct issuer_turn *turn, const char *format, ...)
{
    if (turn->problem.message[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    error_set_list(&turn->problem, 0, 0, format, arguments);
    va_end(arguments);
}

/* It says nothing of the object: taken for a Secret without an authority, it would be replaced unseen. */
static bool is_empty(const struct kube_request *request, const struct kube_response *response)
{
    return strcmp(request->method, "GET") == 0 && response->status == 200 && !response->body.length;
}

bool issuer_call(
    struct issuer *issuer, const struct kube_request *request, long expected, const char *what,
    struct kube_response *response, struct issuer_turn *turn)
{
    struct error error = {0};
    struct kube_request timed = *request;
    timed.timeout_ms = CALL_TIMEOUT_MS;
    *response = (struct kube_response){0};
    bool is_answered = issuer->api.call(issuer->api.client, &timed, response, &error) == 0;
    if (is_answered && is_empty(request, response)) {
        kube_response_release(response);
        is_answered = false;
        error_set(&error, KUBE_EMPTY_ANSWER);
    }
    if (is_answered && (response->status / 100 == 2 || (expected && response->status == expected)))
        return true;
    if (is_answered)
        kube_refused(response, &error);
    turn_note(turn, "%s: %s", what, error.message);
    return false;
}

bool issuer_lacks_memory(const struct issuer *issuer, struct issuer_turn *turn)
{
    if (memory_failures() == issuer->memory_failures)
        return false;
    turn_note(turn, "out of memory");
    return true;
}

bool issuer_is_trusted_for(const struct issuer *issuer, int64_t seconds, int64_t now)
{
    return issuer->trusted_since && now - issuer->trusted_since >= seconds;
}
