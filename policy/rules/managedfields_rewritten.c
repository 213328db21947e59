#include "policy/analysis/adoption.h"
#include "policy/analysis/ownership_gains.h"
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

/* If a request names no manager, the writer may be an entry that the request itself added. */
static struct manager writer_of(const struct review *review)
{
    return review->field_manager.length ? review->ownership.writer.manager : (struct manager){0};
}

/* A value that the writer removes, and a webhook puts back, leaves fields without an owner. */
static const char *what_is_done(const struct rewrites *rewrites)
{
    if (rewrites->kind == REWRITES_LOSS && rewrites->wiped)
        return " erases managedFields, so ";
    return rewrites->kind == REWRITES_LOSS && !rewrites->are_owned ? " sends old managedFields, so "
                                                                   : " rewrites managedFields, so ";
}

static struct text_listed fields_of(const struct rewrites *rewrites)
{
    return rewrites->at_least ? message_fields_at_least(rewrites->fields, rewrites->field_total)
                              : message_fields(rewrites->fields, rewrites->field_total);
}

static struct text_listed managers_of(const struct rewrites *rewrites)
{
    return message_managers(rewrites->managers, rewrites->manager_count, rewrites->manager_total);
}

static void append_loss(struct text *text, const struct rewrites *rewrites)
{
    text_append_all(
        text, what_is_done(rewrites), managers_of(rewrites),
        message_for(rewrites->manager_total, " no longer owns ", " no longer own "));
    if (rewrites->wiped)
        text_append_string(text, "any field");
    else
        text_append_all(text, fields_of(rewrites));
}

/* A file that kubectl get printed, and that is sent back later. */
static bool is_replaced(const struct review *review)
{
    return slice_equal(review->field_manager, SLICE("kubectl-replace"));
}

/* applyguard migrate moves owners in this way, on purpose. */
static void append_advice(struct text *text, const struct review *review, const struct rewrites *rewrites)
{
    if (is_replaced(review))
        text_append_string(text, "; delete them from the file");
    else if (rewrites->kind == REWRITES_LOSS)
        text_append_string(text, "; send none, or allow it in the policy");
    else
        text_append_string(text, "; send none");
}

static void append_gain(struct text *text, const struct rewrites *rewrites)
{
    text_append_all(
        text, what_is_done(rewrites), managers_of(rewrites),
        message_for(rewrites->manager_total, " owns ", " own "), fields_of(rewrites), ", too");
}

static void append_version(struct text *text, const struct rewrites *rewrites)
{
    text_append_all(
        text, what_is_done(rewrites), "what ", managers_of(rewrites),
        message_for(
            rewrites->manager_total, " owns is of another apiVersion", " own is of another apiVersion"));
}

/* By force, of a manifest that leaves out defaults: the values that are stored stay. */
static void append_takeover(struct text *text, const struct rewrites *rewrites)
{
    bool is_one = rewrites->field_total == 1 && !rewrites->at_least;
    text_append_all(
        text, " takes over ", fields_of(rewrites), " from ", managers_of(rewrites),
        " by force, because the manifest writes ", is_one ? "it" : "them", " in another form; ",
        message_keep_one(
            is_one ? 1 : 2, managers_have_operator(rewrites->managers, rewrites->manager_count)));
}

/* Names both causes, because the review does not distinguish them. */
static void append_doubt(struct text *text, const struct rewrites *rewrites)
{
    if (rewrites->applied) {
        append_takeover(text, rewrites);
        return;
    }
    text_append_all(text, " now owns ", fields_of(rewrites));
    if (rewrites->manager_total)
        text_append_all(text, " in place of ", managers_of(rewrites));
    text_append_all(
        text, ", unchanged: it rewrites managedFields, or a mutating webhook put the old ",
        rewrites->field_total > 1 || rewrites->at_least ? "values back" : "value back");
}

static struct slice describe(const struct review *review, const struct rewrites *rewrites)
{
    static void (*const append[])(struct text *, const struct rewrites *) = {
        [REWRITES_DOUBT] = append_doubt,
        [REWRITES_VERSION] = append_version,
        [REWRITES_GAIN] = append_gain,
        [REWRITES_LOSS] = append_loss,
    };
    struct manager writer = writer_of(review);
    struct text text = text_start(review->arena, 256);
    text_append_all(&text, message_manager(&writer));
    append[rewrites->kind](&text, rewrites);
    if (rewrites->kind != REWRITES_DOUBT)
        append_advice(&text, review, rewrites);
    return text_slice(&text);
}

/* An apply takes by force what is stored in another form than it is declared in: 1000m for 1. */
static bool is_adoption(const struct review *review, const struct rewrites *rewrites)
{
    if (review->ownership.writer.manager.operation != MANAGER_APPLY || !rewrites->manager_total)
        return false;
    for (size_t i = 0; i < rewrites->manager_count; i++) {
        if (adoption_from_tool(&review->ownership, manager_tool(rewrites->managers[i].name)) == ADOPTION_NONE)
            return false;
    }
    return true;
}

/*
 * A doubt does not justify a denial, nor does an object that is created with managedFields of another
 * cluster: no owner loses by it.
 */
static enum action action_for(const struct review *review, const struct rewrites *rewrites)
{
    if (rewrites->kind == REWRITES_DOUBT)
        return is_adoption(review, rewrites) ? ACTION_AUDIT : ACTION_WARN;
    return review->old_object ? ACTION_DENY : ACTION_WARN;
}

static void report(const struct review *review, struct verdict *verdict, const struct rewrites *rewrites)
{
    /* Where all is lost, the fields are the whole object. */
    bool listed = rewrites->kind != REWRITES_LOSS || !rewrites->wiped;
    bool lost = rewrites->kind == REWRITES_LOSS || rewrites->kind == REWRITES_DOUBT;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_managedfields_rewritten,
            .action = action_for(review, rewrites),
            .message = describe(review, rewrites),
            .fields = rewrites->fields,
            .field_count = listed ? rewrites->field_count : 0,
            .field_total = listed ? rewrites->field_total : 0,
            .has_writer = review->field_manager.length > 0,
            .writer = writer_of(review),
            .previous_owners = lost ? rewrites->managers : NULL,
            .previous_owner_count = lost ? rewrites->manager_count : 0,
            .previous_owner_total = lost ? rewrites->manager_total : 0,
        });
}

static void judge(const struct review *review, struct verdict *verdict)
{
    if (!review->ownership.others_changed && !ownership_gains_may_be(review))
        return;
    struct rewrites rewrites = ownership_rewrites_find(review, verdict->policy);
    if (rewrites.unread)
        verdict_add_unread_fields(verdict, rewrites.unread);
    if (rewrites.kind != REWRITES_NOTHING && ownership_rewrites_cause(review) == REWRITES_OF_REQUEST)
        report(review, verdict, &rewrites);
}

const struct rule_definition rule_managedfields_rewritten = {
    .judge = judge,
    RULE_SETTINGS(settings, defaults),
};
