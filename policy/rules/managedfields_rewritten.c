#include "base/count.h"
#include "policy/analysis/ownership_rewrites.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

static const struct ownership_rewrites_settings defaults = {{NULL, 0}};

static const struct setting settings[] = {
    {"moves", SETTING_MOVES, offsetof(struct ownership_rewrites_settings, moves),
     "ownership that may move beside what tools are known to move: from and to, and users who may do it"},
};

/* Of a request that names no manager, the taker may be an entry that it wrote in by hand. */
static struct manager writer_of(const struct review *review)
{
    return review->field_manager.length ? review->ownership.taker.manager : (struct manager){0};
}

/* A value that the writer removes, and a webhook puts back, leaves the trace of fields that nobody owns. */
static const char *what_is_done(const struct rewrites *rewrites)
{
    if (rewrites->wiped)
        return " erases managedFields, so ";
    return rewrites->are_owned ? " rewrites managedFields, so "
                               : " rewrites managedFields, or removes what a mutating webhook puts back, so ";
}

static struct slice describe(const struct review *review, const struct rewrites *rewrites)
{
    struct manager writer = writer_of(review);
    struct text text = text_start(review->arena, 256);
    message_append_manager(&text, &writer);
    text_append_string(&text, what_is_done(rewrites));
    message_append_managers(&text, rewrites->losers, rewrites->loser_count, rewrites->loser_total);
    message_append_for(&text, rewrites->loser_total, " no longer owns ", " no longer own ");
    if (rewrites->wiped)
        text_append_string(&text, "any field");
    else if (rewrites->at_least)
        message_append_fields_at_least(&text, rewrites->fields, rewrites->field_total);
    else
        message_append_fields(&text, rewrites->fields, rewrites->field_total);
    text_append_string(&text, "; send no managedFields");
    return text_slice(&text);
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->ownership.others_changed)
        return;
    struct rewrites rewrites = ownership_rewrites_find(review, verdict->policy);
    verdict->out_of_memory |= rewrites.out_of_memory;
    if (rewrites.unread)
        verdict_add_unread_fields(verdict, rewrites.unread);
    if (!rewrites.field_total || ownership_rewrites_cause(review) != REWRITES_OF_REQUEST)
        return;
    /* Where all is lost, the fields are the whole object. */
    bool listed = !rewrites.wiped;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_managedfields_rewritten,
            .action = ACTION_DENY,
            .message = describe(review, &rewrites),
            .fields = rewrites.fields,
            .field_count = listed ? rewrites.field_count : 0,
            .field_total = listed ? rewrites.field_total : 0,
            .has_taker = review->field_manager.length > 0,
            .taker = writer_of(review),
            .losers = rewrites.losers,
            .loser_count = rewrites.loser_count,
            .loser_total = rewrites.loser_total,
        });
}

const struct rule_definition rule_managedfields_rewritten = {
    .judge = judge,
    .settings = settings,
    .setting_count = COUNT(settings),
    .settings_size = sizeof(defaults),
    .defaults = {&defaults, &defaults, &defaults},
};
