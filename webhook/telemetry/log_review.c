#include "webhook/telemetry/log_review.h"

#include "policy/review/review.h"

/* The manager that wrote: the one of the request, or else the one of a finding. */
static struct slice manager_of(const struct verdict *verdict)
{
    if (verdict->review->field_manager.length)
        return verdict->review->field_manager;
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].has_writer && verdict->findings[i].writer.name.length)
            return verdict->findings[i].writer.name;
    return (struct slice){NULL, 0};
}

/* The rules of the findings whose policy's action is at least this, each once, in the order of the findings.
 */
static size_t rules_of(const struct verdict *verdict, enum action least, const char *names[RULE_COUNT])
{
    bool named[RULE_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        enum rule_id rule = verdict->findings[i].rule;
        if (named[rule] || verdict->findings[i].policy_action < least)
            continue;
        named[rule] = true;
        names[count++] = rules[rule].name;
    }
    return count;
}

static void add_if_given(struct log_line *line, const char *key, struct slice value)
{
    if (value.length)
        log_add(line, key, value);
}

static void add_rules(
    struct log_line *line, const char *key, const struct verdict *verdict, enum action least)
{
    const char *names[RULE_COUNT];
    size_t count = rules_of(verdict, least, names);
    if (count)
        log_add_list(line, key, names, count);
}

/* Logs the request: the user, the operation and the object. */
static void add_request(struct log_line *line, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    log_add(line, "uid", review->uid);
    log_add_string(line, "operation", operation_name(review->operation));
    log_add(line, "kind", review->group_kind);
    add_if_given(line, "subresource", review->subresource);
    add_if_given(line, "namespace", review->namespace);
    add_if_given(line, "name", review->name);
    log_add(line, "user", review->username);
    add_if_given(line, "manager", manager_of(verdict));
    if (review->dry_run)
        log_add_true(line, "dryRun");
    if (verdict->unattended)
        log_add_true(line, "unattended");
}

void log_review(struct log *log, const struct verdict *verdict, uint64_t microseconds)
{
    struct log_line line = log_start(log, verdict->arena, LOG_INFO, "review");
    add_request(&line, verdict);
    add_rules(&line, "rules", verdict, ACTION_AUDIT);
    add_rules(&line, "denyRules", verdict, ACTION_DENY);
    /* The findings are sorted, the worst first. */
    log_add_string(&line, "action", action_name(verdict->findings[0].action));
    log_add_string(&line, "policyAction", action_name(verdict->findings[0].policy_action));
    log_add_number(&line, "microseconds", microseconds);
    log_end(&line);
}

void log_shadow(
    struct log *log, const struct verdict *verdict, const struct verdict *shadow,
    enum verdict_difference difference)
{
    struct log_line line = log_start(log, shadow->arena, LOG_INFO, "the shadow policy decides otherwise");
    add_request(&line, shadow);
    log_add_string(&line, "difference", verdict_difference_name(difference));
    add_rules(&line, "rules", verdict, ACTION_AUDIT);
    add_rules(&line, "shadowRules", shadow, ACTION_AUDIT);
    log_add_string(&line, "policyAction", action_name(verdict_strongest(verdict)));
    log_add_string(&line, "shadowAction", action_name(verdict_strongest(shadow)));
    log_end(&line);
}
