/*
 * Whatever --baseline reads: it is refused with the line and the reason, or each finding in it makes one
 * known, and twice the text twice as many.
 */
#include "base/text.h"
#include "fuzz.h"
#include "report/baseline.h"
#include "tests/fuzz/printable.h"

static const struct slice field = SLICE_LITERAL(".spec.strategy.type");

/* A text that all seeds contain. */
static size_t count_known(struct baseline *baseline)
{
    const struct report_finding finding = {
        .rule = RULE_explicit_strategy, .action = ACTION_WARN, .fields = &field, .field_count = 1};
    const struct report_item item = {
        .file = SLICE("web.yaml"),
        .kind = SLICE("Deployment.apps"),
        .namespace = SLICE("default"),
        .name = SLICE("web"),
    };
    size_t count = 0;
    while (baseline_take(baseline, &item, &finding))
        count++;
    return count;
}

static size_t count_lines(struct slice text)
{
    size_t count = 1;
    for (size_t i = 0; i < text.length; i++)
        count += text.bytes[i] == '\n';
    return count;
}

static void check_refused(struct slice text, const struct error *error)
{
    promise(error->message[0] != '\0', "a refusal says why");
    check_printable(slice_of(error->message), 0);
    promise(error->line > 0 && error->line <= count_lines(text), "a refusal has its line");
}

static void check_twice(struct slice text, size_t known)
{
    struct arena *arena = arena_create();
    struct text twice = text_start(arena, 2 * text.length + 1);
    text_append(&twice, text);
    text_append_string(&twice, "\n");
    text_append(&twice, text);
    struct baseline *baseline = baseline_read(text_slice(&twice), NULL);
    promise(baseline != NULL, "what is read once is read twice");
    promise(count_known(baseline) == 2 * known, "each finding makes one known");
    baseline_destroy(baseline);
    arena_destroy(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = {(const char *)data, size};
    struct error error = {0};
    struct baseline *baseline = baseline_read(text, &error);
    if (baseline)
        check_twice(text, count_known(baseline));
    else
        check_refused(text, &error);
    baseline_destroy(baseline);
    return 0;
}
