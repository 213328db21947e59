#include "base/json_append.h"
#include "base/text.h"
#include "policy/review/review.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/encode_finding.h"
#include "policy/verdict/message.h"

/* "message [rule]", which fits (message_compose), and the link to the rule's page if that fits as well. */
static struct slice line_of(
    const struct verdict *verdict, const struct finding *finding, const char *start, struct arena *arena)
{
    struct slice link = verdict_link(verdict, finding->rule);
    struct text text = text_start(arena, MESSAGE_LINE_BYTES_MAX);
    text_append_all(&text, start, finding->message, " [", rules[finding->rule].name, "]");
    if (link.length && text.length + 1 + link.length <= MESSAGE_LINE_BYTES_MAX)
        text_append_all(&text, " ", link);
    return text_slice(&text);
}

_Static_assert(WARNINGS_MAX *MESSAGE_LINE_BYTES_MAX <= WARNINGS_BYTES_MAX, "the API server drops warnings");

/* How many of the findings have a line of their own: all, or as many as leave one for the rest. */
static size_t most_lines(size_t total)
{
    return total <= WARNINGS_MAX ? total : WARNINGS_MAX - 1;
}

static void append_warnings(struct text *text, const struct verdict *verdict)
{
    size_t total = verdict_count(verdict, ACTION_WARN) + verdict->dropped[ACTION_WARN], shown = 0;
    if (!total)
        return;
    json_append_open(text, "warnings", "[");
    for (size_t i = 0; i < verdict->finding_count && shown < most_lines(total); i++) {
        const struct finding *finding = &verdict->findings[i];
        if (finding->action != ACTION_WARN)
            continue;
        json_append_comma(text);
        text_append_json(text, line_of(verdict, finding, MESSAGE_LINE_START, text->arena));
        shown++;
    }
    if (shown < total) {
        json_append_comma(text);
        text_append_all(text, "\"applyguard: ", as_count(total - shown, "more warning\"", "more warnings\""));
    }
    text_append_string(text, "]");
}

/* One line a finding. */
static void append_status(struct text *text, const struct verdict *verdict)
{
    struct text message = text_start(text->arena, 256);
    for (size_t i = 0; i < verdict->finding_count && verdict->findings[i].action == ACTION_DENY; i++)
        text_append_all(&message, i ? "\n" : "", line_of(verdict, &verdict->findings[i], "", text->arena));
    if (verdict->dropped[ACTION_DENY])
        text_append_all(&message, "\n", verdict->dropped[ACTION_DENY], " more");
    text_append_string(text, ",\"status\":{\"metadata\":{},\"status\":\"Failure\"");
    json_append_exact(text, "message", text_slice(&message));
    text_append_string(text, ",\"reason\":\"Forbidden\",\"code\":403}");
}

static struct slice rules_list(const struct verdict *verdict, struct arena *arena)
{
    struct text list = text_start(arena, 128);
    for (int rule = 0; rule < RULE_COUNT; rule++) {
        for (size_t i = 0; i < verdict->finding_count; i++) {
            if ((int)verdict->findings[i].rule != rule)
                continue;
            text_append_all(&list, list.length ? "," : "", rules[rule].name);
            break;
        }
    }
    return text_slice(&list);
}

/* Room kept for the number of the findings that do not fit. */
#define MORE_FINDINGS_BYTES 32

/* Leaves out a part of a finding's lists, the least useful first; false once nothing is left to leave out. */
static bool shorten(struct finding *finding)
{
    if (finding->field_count > 1)
        finding->field_count /= 2;
    else if (finding->previous_owner_count > 1)
        finding->previous_owner_count /= 2;
    else if (finding->field_count)
        finding->field_count = 0;
    else if (finding->previous_owner_count)
        finding->previous_owner_count = 0;
    else if (finding->has_writer)
        finding->has_writer = false;
    else
        return false;
    return true;
}

/* Appends the finding if it fits; the first one in any case, with as much of its lists as fits. */
static bool append_fitting(struct text *list, struct finding finding, bool is_first)
{
    size_t before = list->length;
    do {
        list->length = before;
        json_append_comma(list);
        encode_finding(list, &finding, false);
        if (list->length + MORE_FINDINGS_BYTES <= AUDIT_FINDINGS_BYTES_MAX || list->failed)
            return true;
    } while (is_first && shorten(&finding));
    list->length = before;
    return false;
}

/* As many findings as fit, the worst first, and the number of the others. */
static struct slice findings_list(const struct verdict *verdict, struct arena *arena)
{
    struct text list = text_start(arena, 512);
    size_t shown = 0, more = 0;
    text_append_string(&list, "[");
    while (shown < verdict->finding_count && append_fitting(&list, verdict->findings[shown], shown == 0))
        shown++;
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++)
        more += verdict->dropped[action];
    more += verdict->finding_count - shown;
    if (more) {
        json_append_comma(&list);
        text_append_all(&list, "{\"more\":", more, "}");
    }
    text_append_string(&list, "]");
    return text_slice(&list);
}

static void append_audit_annotations(struct text *text, const struct verdict *verdict)
{
    struct slice names = rules_list(verdict, text->arena), findings = findings_list(verdict, text->arena);
    json_append_open(text, "auditAnnotations", "{");
    json_append_exact(text, "findings", findings);
    json_append_exact(text, "mode", slice_of(mode_name(verdict->mode)));
    json_append_exact(text, "rules", names);
    text_append_string(text, "}");
}

struct slice encode_response(const struct verdict *verdict, struct arena *arena)
{
    struct text text = text_start(arena, 512);
    text_append_string(&text, "{\"kind\":\"AdmissionReview\"");
    json_append_exact(&text, "apiVersion", verdict->review->api_version);
    json_append_open(&text, "response", "{");
    json_append_exact(&text, "uid", verdict->review->uid);
    json_append_bool(&text, "allowed", verdict->allowed);
    if (!verdict->allowed)
        append_status(&text, verdict);
    if (verdict->finding_count)
        append_audit_annotations(&text, verdict);
    append_warnings(&text, verdict);
    text_append_string(&text, "}}\n");
    return text_slice(&text);
}
