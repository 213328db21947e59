#include "commands/explain/unanswered.h"

#include "base/array_size.h"
#include "base/find.h"
#include "base/json_append.h"
#include "base/terminal.h"

#include <string.h>

/* The size of the name of a webhook, and of the reason behind it, that are searched. */
#define NAME_BYTES_MAX 256
#define REASON_BYTES_MAX 1024

#define WHAT "no applyguard answered the API server; this says nothing about your change"
#define NEXT "the same write goes through once an applyguard answers"
#define ADVICE "try again in a minute, then look at the pods, or ask the people who run applyguard"

static const struct {
    const char *way, *label, *command;
} commands[] = {
    {"pods", "pods", "kubectl get pods -A -l app.kubernetes.io/name=applyguard"},
    {"mode", "mode now", "kubectl get namespace NAMESPACE -L applyguard.io/mode"},
    {"warn", "let pass",
     "kubectl label namespace NAMESPACE applyguard.io/mode=warn --overwrite  # needs no answer; restore the "
     "mode later"},
};

/* Words of the API server, with the cause. */
static const char *find_cause(struct slice reason)
{
    static const struct {
        const char *words, *cause;
    } causes[] = {
        {"x509", "the API server does not trust the certificate of the webhook"},
        {"no endpoints available", "no pod of applyguard is ready"},
        {"connection refused", "no pod of applyguard is ready"},
        {"not found", "the Service of applyguard is missing"},
        {"deadline exceeded", "the pods are too slow, or the network drops the connection"},
        {"imeout", "the pods are too slow, or the network drops the connection"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
        if (slice_contains_text(reason, slice_of(causes[i].words)))
            return causes[i].cause;
    return NULL;
}

bool unanswered_read(struct slice text, struct unanswered *unanswered)
{
    static const struct slice failed = SLICE_LITERAL("failed calling webhook ");
    for (size_t at; (at = slice_find_text(text, failed)) < text.length;) {
        text = slice_from(text, at + failed.length);
        /* In JSON, the quotes are escaped. */
        size_t quote = slice_find(slice_until(text, 2), '"');
        struct slice name = slice_until(slice_from(text, quote + 1), NAME_BYTES_MAX);
        size_t end = slice_find(name, '"');
        name = slice_until(name, end - (end > 0 && name.bytes[end - 1] == '\\'));
        if (!slice_contains_text(name, SLICE(".applyguard.io")))
            continue;
        *unanswered = (struct unanswered){
            .webhook = name,
            .cause = find_cause(slice_until(text, slice_find(slice_until(text, REASON_BYTES_MAX), '\n'))),
        };
        return true;
    }
    return false;
}

static void append_line(struct text *text, const char *label, const char *content)
{
    text_append_all(text, "  ", label);
    text_append_spaces(text, 10 - strlen(label));
    text_append_all(text, content, "\n");
}

void unanswered_append_text(struct text *text, const struct unanswered *unanswered)
{
    text_append_all(text, "failed calling webhook ", as_terminal(unanswered->webhook), "\n");
    append_line(text, "result", "refused: nothing was written");
    append_line(text, "what", WHAT);
    if (unanswered->cause)
        append_line(text, "cause", unanswered->cause);
    append_line(text, "next", NEXT);
    append_line(text, "do", ADVICE);
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
        append_line(text, commands[i].label, commands[i].command);
}

void unanswered_append_json(struct text *text, const struct unanswered *unanswered)
{
    text_append_string(text, "{\"object\":null");
    json_append_member(text, "webhook", unanswered->webhook);
    json_append_bool(text, "refused", true);
    json_append_member(text, "what", SLICE(WHAT));
    json_append_member(text, "cause", slice_of(unanswered->cause ? unanswered->cause : ""));
    json_append_member(text, "next", SLICE(NEXT));
    json_append_member(text, "advice", SLICE(ADVICE));
    json_append_open(text, "ways", "[");
    for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
        json_append_open(text, NULL, "{");
        json_append_member(text, "way", slice_of(commands[i].way));
        json_append_member(text, "command", slice_of(commands[i].command));
        text_append_string(text, "}");
    }
    text_append_string(text, "]}\n");
}
