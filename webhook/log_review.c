#include "policy/review.h"
#include "webhook/log.h"

/* Whoever wrote: as the request says, else as the findings show. */
static struct slice manager_of(const struct verdict *verdict)
{
    if (verdict->review->field_manager.length)
        return verdict->review->field_manager;
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].has_taker && verdict->findings[i].taker.name.length)
            return verdict->findings[i].taker.name;
    return (struct slice){NULL, 0};
}

/* The rules that found something, each once, in the order of the findings. */
static size_t rules_of(const struct verdict *verdict, const char *names[RULE_COUNT])
{
    bool named[RULE_COUNT] = {false};
    size_t count = 0;
    for (size_t i = 0; i < verdict->finding_count; i++) {
        enum rule_id rule = verdict->findings[i].rule;
        if (named[rule])
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

void log_review(struct log *log, const struct verdict *verdict, uint64_t microseconds)
{
    const struct review *review = verdict->review;
    const char *names[RULE_COUNT];
    size_t count = rules_of(verdict, names);
    struct log_line line = log_start(log, verdict->arena, LOG_INFO, "review");
    log_add(&line, "uid", review->uid);
    log_add_string(&line, "operation", operation_name(review->operation));
    log_add(&line, "kind", review->group_kind);
    add_if_given(&line, "subresource", review->subresource);
    add_if_given(&line, "namespace", review->namespace);
    add_if_given(&line, "name", review->name);
    log_add(&line, "user", review->username);
    add_if_given(&line, "manager", manager_of(verdict));
    if (review->dry_run)
        log_add_true(&line, "dryRun");
    log_add_list(&line, "rules", names, count);
    /* The findings stand in order, the worst first. */
    log_add_string(&line, "action", action_name(verdict->findings[0].action));
    log_add_number(&line, "microseconds", microseconds);
    log_end(&line);
}
