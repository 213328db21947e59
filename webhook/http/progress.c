#include "webhook/http/progress.h"

#include "webhook/http/limits.h"

struct progress progress_start(uint64_t now)
{
    return (struct progress){.phase = PHASE_HANDSHAKE, .since = now};
}

static enum phase phase_of(const struct observation *seen, bool was_http)
{
    if (seen->is_refused)
        return PHASE_CLOSING;
    if (!seen->is_http)
        return was_http ? PHASE_CLOSING : PHASE_HANDSHAKE;
    if (seen->is_writing)
        return PHASE_ANSWER;
    if (seen->headers_complete)
        return PHASE_BODY;
    return seen->received ? PHASE_HEADERS : PHASE_IDLE;
}

void progress_observe(struct progress *progress, const struct observation *seen, uint64_t now)
{
    enum phase phase = phase_of(seen, progress->was_http);
    progress->was_http |= seen->is_http;
    if (phase == progress->phase && seen->written == progress->written)
        return;
    progress->phase = phase;
    progress->since = now;
    progress->answer_bytes = seen->written - progress->written;
    progress->written = seen->written;
}

void progress_excuse(struct progress *progress, uint64_t lost, uint64_t now)
{
    uint64_t age = now - progress->since;
    progress->since += lost < age ? lost : age;
}

static uint64_t limit(const struct progress *progress, size_t received)
{
    switch (progress->phase) {
    case PHASE_HANDSHAKE:
        return HANDSHAKE_LIMIT_MS;
    case PHASE_IDLE:
        return IDLE_LIMIT_MS;
    case PHASE_HEADERS:
        return HEADERS_LIMIT_MS;
    case PHASE_BODY:
        return TRANSFER_LIMIT_MS + received / TRANSFER_BYTES_PER_MS;
    case PHASE_ANSWER:
        return TRANSFER_LIMIT_MS + progress->answer_bytes / TRANSFER_BYTES_PER_MS;
    case PHASE_CLOSING:
        return CLOSING_LIMIT_MS;
    }
    return 0;
}

bool progress_is_over_limit(const struct progress *progress, size_t received, uint64_t now)
{
    return now - progress->since > limit(progress, received);
}

const char *phase_name(enum phase phase)
{
    static const char *const names[PHASE_COUNT] = {"handshake", "idle",   "headers",
                                                   "body",      "answer", "closing"};
    return names[phase];
}
