#include "base/glob.h"
#include "policy/config/config.h"
#include "policy/review/review.h"
#include "policy/review/user_match.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

struct manager_identity_settings {
    struct manager_bindings bindings;
};

static const struct manager_identity_settings defaults = {{NULL, 0}};

static const struct setting settings[] = {
    {"bindings", SETTING_BINDINGS, offsetof(struct manager_identity_settings, bindings),
     "names of field managers, and who may use them: users, groups and serviceAccounts"},
};

static bool lets(const struct manager_binding *binding, const struct review *review)
{
    return user_matches(&binding->users, review) || group_matches(&binding->groups, review) ||
        service_account_matches(&binding->service_accounts, review);
}

/* If a name has several bindings, any of them may allow the user. A name that is not bound is free to all. */
static bool is_free_to_use(
    const struct manager_bindings *bindings, struct slice manager, const struct review *review)
{
    bool bound = false;
    for (size_t i = 0; i < bindings->count; i++) {
        const struct manager_binding *binding = &bindings->items[i];
        if (!glob_match(binding->manager, manager))
            continue;
        if (lets(binding, review))
            return true;
        bound = true;
    }
    return !bound;
}

static void judge(const struct review *review, struct verdict *verdict)
{
    const struct manager_identity_settings *set = verdict->policy->settings[RULE_manager_identity];
    const struct writer *writer = &review->ownership.writer;
    if (!writer->known || is_free_to_use(&set->bindings, writer->manager.name, review))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_manager_identity,
            .action = ACTION_DENY,
            .message = text_join(
                review->arena, message_marked(review->username), " uses the field manager name ",
                message_marked(writer->manager.name),
                ", which the policy reserves for others; use another name"),
            .has_writer = true,
            .writer = writer->manager,
        });
}

const struct rule_definition rule_manager_identity = {
    .judge = judge,
    RULE_SETTINGS(settings, defaults),
};
