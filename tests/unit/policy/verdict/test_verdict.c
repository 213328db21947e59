/*
 * The verdict that findings lead to: ceilings lower them, overrides change them in order, the worst stands
 * first, and a denial is never lost.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"

static enum action action_under(void **state, const char *policy)
{
    struct story story = plain_edit();
    const struct verdict *verdict = judge_story(*state, policy, &story);
    if (!count_findings(verdict, RULE_ownership_conflict))
        return ACTION_OFF;
    enum action action = finding_of(verdict, RULE_ownership_conflict)->action;
    assert_int_equal(verdict->allowed, action != ACTION_DENY);
    return action;
}

static void expect_action(void **state, const char *policy, enum action action)
{
    if (action_under(state, policy) != action)
        fail_msg(
            "%s, not %s, under:\n%s", action_name(action_under(state, policy)), action_name(action), policy);
}

static enum action lowest(enum action action, enum mode a, enum mode b, enum mode c)
{
    return action_min(action, action_ceiling(mode_min(mode_min(a, b), c)));
}

/* The policy's mode, an override's and the path's are ceilings: the lowest of them counts. */
static void lowest_ceiling_counts(void **state)
{
    struct court *court = *state;
    for (int cell = 0; cell < MODE_COUNT * MODE_COUNT * MODE_COUNT; cell++) {
        enum mode of_policy = (enum mode)(cell % MODE_COUNT),
                  path = (enum mode)(cell / MODE_COUNT % MODE_COUNT),
                  override = (enum mode)(cell / MODE_COUNT / MODE_COUNT);
        char policy[200];
        snprintf(
            policy, sizeof(policy), STRICT "mode: %s\noverrides: [{match: {}, mode: %s}]\n",
            mode_name(of_policy), mode_name(override));
        court->ceiling = path;
        expect_action(state, policy, lowest(ACTION_DENY, of_policy, path, override));
        assert_int_equal(
            judge_story(court, policy, &(struct story){.new.body = ""})->mode,
            mode_min(mode_min(of_policy, path), override));
    }
}

/* A ceiling lowers, and raises nothing. */
static void ceilings_raise_nothing(void **state)
{
    expect_action(state, BASELINE "mode: enforce\n", ACTION_WARN);
    expect_action(
        state, "profile: audit\nmode: enforce\noverrides: [{match: {}, mode: enforce}]\n", ACTION_AUDIT);
    expect_action(
        state, STRICT "rules: {ownership-conflict: {action: \"off\"}}\nmode: enforce\n", ACTION_OFF);
}

/* Profile, then rules, then overrides: each later word wins. */
static void later_words_win(void **state)
{
    expect_action(state, STRICT "rules: {ownership-conflict: {action: warn}}\n", ACTION_WARN);
    expect_action(
        state,
        STRICT "rules: {ownership-conflict: {action: warn}}\n"
               "overrides: [{match: {}, rules: {ownership-conflict: {action: deny}}}]\n",
        ACTION_DENY);
    expect_action(
        state,
        STRICT "overrides:\n"
               "- {match: {}, rules: {ownership-conflict: {action: audit}}}\n"
               "- {match: {}, rules: {ownership-conflict: {action: warn}}}\n",
        ACTION_WARN);
    expect_action(
        state,
        STRICT "overrides:\n"
               "- {match: {}, rules: {ownership-conflict: {action: warn}}}\n"
               "- {match: {}, rules: {ownership-conflict: {action: audit}}}\n",
        ACTION_AUDIT);
}

/* An override that does not match, or sets something else, leaves the words before it standing. */
static void overrides_change_only_what_they_set(void **state)
{
    expect_action(
        state,
        STRICT "overrides:\n"
               "- {match: {}, rules: {ownership-conflict: {action: warn}}}\n"
               "- {match: {users: [bob]}, rules: {ownership-conflict: {action: deny}}}\n"
               "- {match: {}, rules: {explicit-strategy: {action: deny}}}\n",
        ACTION_WARN);
    expect_action(
        state,
        STRICT "overrides:\n"
               "- {match: {}, mode: audit}\n"
               "- {match: {}, mode: enforce}\n",
        ACTION_DENY);
    expect_action(
        state,
        STRICT "overrides:\n"
               "- {match: {}, mode: audit}\n"
               "- {match: {}, rules: {ownership-conflict: {action: deny}}}\n",
        ACTION_AUDIT);
}

/* An override cannot lift the policy's own mode. */
static void override_stays_below_the_policy(void **state)
{
    expect_action(
        state,
        STRICT
        "mode: warn\noverrides: [{match: {}, mode: enforce, rules: {ownership-conflict: {action: deny}}}]\n",
        ACTION_WARN);
}

/* A rule that an override turns on is judged, although the policy had it off. */
static void override_may_turn_a_rule_on(void **state)
{
    expect_action(
        state,
        STRICT "rules: {ownership-conflict: {action: \"off\"}}\n"
               "overrides: [{match: {}, rules: {ownership-conflict: {action: warn}}}]\n",
        ACTION_WARN);
}

/* A waiver lowers to audit, never to nothing, and never raises. */
static void waiver_lowers_to_audit(void **state)
{
    struct story story = plain_edit();
    story.old.annotations = story.new.annotations = "'applyguard.io/waive':'ownership-conflict'";
    const struct verdict *verdict =
        judge_story(*state, STRICT "waivers: {rules: [ownership-conflict]}\n", &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
    assert_true(verdict->allowed);
    verdict = judge_story(
        *state,
        STRICT "waivers: {rules: [ownership-conflict]}\nrules: {ownership-conflict: {action: \"off\"}}\n",
        &story);
    expect_silence(verdict, RULE_ownership_conflict);
}

/* An override that denies does not undo a waiver: the policy that honours waivers said so. */
static void waiver_stands_against_overrides(void **state)
{
    struct story story = plain_edit();
    story.old.annotations = story.new.annotations = "'applyguard.io/waive':'ownership-conflict'";
    const struct verdict *verdict = judge_story(
        *state,
        STRICT "waivers: {rules: [ownership-conflict]}\n"
               "overrides: [{match: {}, rules: {ownership-conflict: {action: deny}}}]\n",
        &story);
    expect_finding(verdict, RULE_ownership_conflict, ACTION_AUDIT, ".spec.a");
}

/* The worst first; of the same action in the order of the rules. */
static void worst_finding_stands_first(void **state)
{
    const struct verdict *verdict = judge_story(
        *state,
        STRICT
        "rules: {oversized-annotations: {warnBytes: 1, action: audit}, ownership-conflict: {action: warn}}\n",
        &(struct story){
            .manager = "kubectl-client-side-apply",
            .old = {.body = "'spec':{'a':1}", .entries = {APPLIES("flux", ".spec.a")}},
            .new =
                {.body = "'spec':{'a':2}",
                 .last_applied = "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'web'},"
                                 "'spec':{'selector':{'a':'b'},'template':{'spec':{'containers':[]}}}}",
                 .entries = {UPDATES(
                     "kubectl-client-side-apply", ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}")}},
        });
    static const enum rule_id order[] = {
        RULE_explicit_selector, RULE_ownership_conflict, RULE_explicit_strategy, RULE_oversized_annotations};
    assert_int_equal(verdict->finding_count, 4);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(verdict->findings[i].rule, order[i]);
    assert_int_equal(verdict_count(verdict, ACTION_DENY), 1);
    assert_int_equal(verdict_count(verdict, ACTION_WARN), 2);
    assert_int_equal(verdict_count(verdict, ACTION_AUDIT), 1);
    assert_int_equal(verdict_count(verdict, ACTION_OFF), 0);
    assert_false(verdict->allowed);
}

/* Each of `count` managers loses a field of its own: a finding each. */
static const struct verdict *many_previous_owners(void **state, int count, const char *operation)
{
    char names[ENTRIES_MAX][32], fields[ENTRIES_MAX][32];
    char before[4096] = "'spec':{'x':1", after[4096] = "'spec':{'x':2";
    struct story story = {.manager = "kubectl-replace"};
    assert_true(count <= ENTRIES_MAX);
    for (int i = 0; i < count; i++) {
        char member[32];
        snprintf(names[i], sizeof(names[i]), "kubectl-m%d", i);
        snprintf(fields[i], sizeof(fields[i]), ".spec.f%d", i);
        snprintf(member, sizeof(member), ",'f%d':1", i);
        strcat(before, member);
        story.old.entries[i] = (struct entry){
            .manager = names[i],
            .operation = operation,
            .fields = fields[i],
        };
    }
    strcat(before, "}");
    strcat(after, "}");
    story.old.body = before;
    story.new = (struct object_story){.body = after, .entries = {UPDATES("kubectl-replace", ".spec.x")}};
    return judge_story(*state, STRICT, &story);
}

static size_t all_dropped(const struct verdict *verdict)
{
    size_t count = 0;
    for (int action = 0; action < ACTION_COUNT; action++)
        count += verdict->dropped[action];
    return count;
}

/* As many as fit are listed, the rest counted. */
static void findings_beyond_the_list_are_counted(void **state)
{
    const struct verdict *verdict = many_previous_owners(state, VERDICT_FINDINGS_MAX, "Apply");
    assert_int_equal(verdict->finding_count, VERDICT_FINDINGS_MAX);
    assert_int_equal(all_dropped(verdict), 0);
    verdict = many_previous_owners(state, VERDICT_FINDINGS_MAX + 1, "Apply");
    assert_int_equal(verdict->finding_count, VERDICT_FINDINGS_MAX);
    assert_int_equal(all_dropped(verdict), 1);
    verdict = many_previous_owners(state, ENTRIES_MAX, "Update");
    assert_int_equal(verdict->finding_count, VERDICT_FINDINGS_MAX);
    assert_int_equal(all_dropped(verdict), ENTRIES_MAX - VERDICT_FINDINGS_MAX);
    assert_true(verdict->allowed);
}

static struct finding made_up(enum rule_id rule, enum action action, const char *message)
{
    return (struct finding){.rule = rule, .action = action, .message = slice_of(message)};
}

/* The object comes first, in every rule's message. */
static void expect_message(const struct finding *finding, const char *sentence)
{
    char message[128];
    snprintf(message, sizeof(message), "Deployment default/web: %s", sentence);
    expect_text(finding->message, message);
}

/* A verdict on nothing in particular, under strict in this mode, to add findings to. */
static struct verdict *empty_verdict_in(void **state, enum mode mode)
{
    struct court *court = *state;
    court_load(court, STRICT);
    struct review *review = decode_story(court, &(struct story){.new.body = ""});
    struct verdict *verdict = verdict_start(court->policy, review, mode, 0, court->arena);
    assert_non_null(verdict);
    return verdict;
}

static struct verdict *empty_verdict(void **state)
{
    return empty_verdict_in(state, MODE_ENFORCE);
}

/* Rules that go by what another found see each of its findings, also where two stand side by side. */
static void findings_of_a_rule_are_all_passed(void **state)
{
    struct verdict *verdict = empty_verdict(state);
    static const enum rule_id added[] = {
        RULE_ownership_conflict, RULE_ownership_conflict, RULE_unjudged, RULE_ownership_conflict};
    for (size_t i = 0; i < ARRAY_SIZE(added); i++) {
        struct finding finding = made_up(added[i], i == 1 ? ACTION_DENY : ACTION_AUDIT, "found");
        verdict_add(verdict, &finding);
    }
    const struct finding *first = verdict_next(verdict, RULE_ownership_conflict, ACTION_AUDIT, NULL);
    const struct finding *second = verdict_next(verdict, RULE_ownership_conflict, ACTION_AUDIT, first);
    const struct finding *third = verdict_next(verdict, RULE_ownership_conflict, ACTION_AUDIT, second);
    assert_ptr_equal(first, &verdict->findings[0]);
    assert_ptr_equal(second, &verdict->findings[1]);
    assert_ptr_equal(third, &verdict->findings[3]);
    assert_null(verdict_next(verdict, RULE_ownership_conflict, ACTION_AUDIT, third));
    assert_ptr_equal(verdict_next(verdict, RULE_ownership_conflict, ACTION_WARN, NULL), second);
}

/* However full of lesser news, the list makes room for a denial, and then for a warning before an audit. */
static void stronger_findings_push_out_weaker_ones(void **state)
{
    struct verdict *verdict = empty_verdict(state);
    for (int i = 0; i < VERDICT_FINDINGS_MAX; i++) {
        struct finding weak = made_up(RULE_unjudged, ACTION_AUDIT, "weak");
        verdict_add(verdict, &weak);
    }
    for (int i = 0; i < 3; i++) {
        struct finding warning = made_up(RULE_explicit_strategy, ACTION_WARN, "warning");
        struct finding denial = made_up(RULE_last_applied_drift, ACTION_DENY, "denial");
        verdict_add(verdict, &warning);
        verdict_add(verdict, &denial);
    }
    verdict_finish(verdict);
    assert_int_equal(verdict->finding_count, VERDICT_FINDINGS_MAX);
    assert_int_equal(verdict->dropped[ACTION_AUDIT], 6);
    assert_int_equal(all_dropped(verdict), 6);
    assert_int_equal(verdict_count(verdict, ACTION_DENY), 3);
    assert_int_equal(verdict_count(verdict, ACTION_WARN), 3);
    assert_false(verdict->allowed);
}

/* Where nothing is denied yet, what enforcing would deny is not lost either, and stands first. */
static void would_be_denials_push_out_weaker_findings(void **state)
{
    for (enum mode mode = MODE_AUDIT; mode < MODE_ENFORCE; mode++) {
        struct verdict *verdict = empty_verdict_in(state, mode);
        for (int i = 0; i < VERDICT_FINDINGS_MAX; i++) {
            struct finding weak = made_up(RULE_ownership_conflict, ACTION_AUDIT, "weak");
            verdict_add(verdict, &weak);
        }
        struct finding denial = made_up(RULE_last_applied_drift, ACTION_DENY, "denial");
        verdict_add(verdict, &denial);
        verdict_finish(verdict);
        assert_true(verdict->allowed);
        assert_int_equal(verdict->findings[0].rule, RULE_last_applied_drift);
        assert_int_equal(verdict->findings[0].policy_action, ACTION_DENY);
        assert_int_equal(verdict->findings[0].action, action_ceiling(mode));
        assert_int_equal(verdict->dropped[ACTION_AUDIT], 1);
    }
}

static bool is_unattended(void **state, const char *user, struct entry writer)
{
    struct story story = plain_edit();
    story.user = user;
    story.manager = writer.manager;
    story.new.entries[0] = writer;
    return judge_story(*state, STRICT, &story)->unattended;
}

/* The user shows whether a writer is automated; if the review does not show the user, the writer's class
 * does.
 */
static void controllers_are_unattended(void **state)
{
    assert_true(is_unattended(state, "system:serviceaccount:a:b", (struct entry)UPDATES("keda", ".spec.a")));
    assert_false(is_unattended(state, "alice", (struct entry)UPDATES("kubectl-edit", ".spec.a")));
    assert_true(is_unattended(state, "system:serviceaccount:a:b", (struct entry)APPLIES("flux", ".spec.a")));
    assert_false(is_unattended(
        state, "system:serviceaccount:a:b", (struct entry)APPLIES("kustomize-controller", ".spec.a")));
}

/* Each pair of actions has a place of its own in the table. */
static void action_pairs_have_places_of_their_own(void **state)
{
    (void)state;
    for (size_t i = 0; i < ACTION_PAIR_COUNT; i++) {
        assert_true(action_pairs[i].action <= action_pairs[i].policy_action);
        assert_int_equal(action_pair_index(action_pairs[i].action, action_pairs[i].policy_action), i);
    }
}

/* A denial after a full list of denials still denies, and is counted. */
static void list_full_of_denials_stays_denied(void **state)
{
    struct verdict *verdict = empty_verdict(state);
    for (int i = 0; i < VERDICT_FINDINGS_MAX + 5; i++) {
        struct finding denial = made_up(RULE_last_applied_drift, ACTION_DENY, "denial");
        verdict_add(verdict, &denial);
    }
    verdict_finish(verdict);
    assert_int_equal(verdict_count(verdict, ACTION_DENY), VERDICT_FINDINGS_MAX);
    assert_int_equal(verdict->dropped[ACTION_DENY], 5);
    assert_false(verdict->allowed);
}

/* Findings of one rule and action keep the order in which they were found. */
static void equal_findings_keep_their_order(void **state)
{
    static const char *const messages[] = {"a", "b", "c", "d"};
    struct verdict *verdict = empty_verdict(state);
    for (size_t i = 0; i < 4; i++) {
        struct finding finding = made_up(RULE_last_applied_drift, ACTION_WARN, messages[i]);
        verdict_add(verdict, &finding);
    }
    verdict_finish(verdict);
    for (size_t i = 0; i < 4; i++)
        expect_message(&verdict->findings[i], messages[i]);
}

/* Several rules may meet what cannot be judged; each reason appears once. */
static void one_reason_not_to_judge_is_reported_once(void **state)
{
    struct verdict *verdict = empty_verdict(state);
    verdict_add_unjudged(verdict, SLICE("it is too deep"));
    verdict_add_unjudged(verdict, SLICE("it is too wide"));
    verdict_add_unjudged(verdict, SLICE("it is too deep"));
    assert_int_equal(verdict->finding_count, 2);
    expect_message(&verdict->findings[0], "not fully checked: it is too deep");
    expect_message(&verdict->findings[1], "not fully checked: it is too wide");
}

/* A finding without a message is one that memory did not suffice for: the verdict must not be used. */
static void message_that_failed_fails_the_verdict(void **state)
{
    struct verdict *verdict = empty_verdict(state);
    verdict_add(verdict, &(struct finding){.rule = RULE_last_applied_drift, .action = ACTION_DENY});
    assert_true(verdict->out_of_memory);
    assert_int_equal(verdict->finding_count, 0);
}

/* Under deletion, nothing is above audit, even if an override asks for more. */
static void deletion_lowers_every_rule(void **state)
{
    struct story story = plain_edit();
    story.old.metadata = "'deletionTimestamp':'2026-01-01T00:00:00Z'";
    const struct verdict *verdict = judge_story(
        *state, STRICT "overrides: [{match: {}, rules: {ownership-conflict: {action: deny}}}]\n", &story);
    for (int rule = 0; rule < RULE_COUNT; rule++)
        assert_true(verdict->policy_actions[rule] <= ACTION_AUDIT);
    assert_true(verdict->allowed);
}

/* The last one of equally weak findings gives way, and the others keep their order. */
static void last_of_the_weakest_gives_way(void **state)
{
    static char messages[VERDICT_FINDINGS_MAX][24];
    struct verdict *verdict = empty_verdict(state);
    for (int i = 0; i < VERDICT_FINDINGS_MAX; i++) {
        snprintf(messages[i], sizeof(messages[i]), "%d", i);
        struct finding weak = made_up(RULE_unjudged, ACTION_AUDIT, messages[i]);
        verdict_add(verdict, &weak);
    }
    struct finding denial = made_up(RULE_last_applied_drift, ACTION_DENY, "denial");
    verdict_add(verdict, &denial);
    verdict_finish(verdict);
    expect_message(&verdict->findings[0], "denial");
    for (int i = 1; i < VERDICT_FINDINGS_MAX; i++)
        expect_message(&verdict->findings[i], messages[i - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(lowest_ceiling_counts),
        IN_COURT(ceilings_raise_nothing),
        IN_COURT(later_words_win),
        IN_COURT(overrides_change_only_what_they_set),
        IN_COURT(override_stays_below_the_policy),
        IN_COURT(override_may_turn_a_rule_on),
        IN_COURT(waiver_lowers_to_audit),
        IN_COURT(waiver_stands_against_overrides),
        IN_COURT(worst_finding_stands_first),
        IN_COURT(findings_beyond_the_list_are_counted),
        IN_COURT(findings_of_a_rule_are_all_passed),
        IN_COURT(stronger_findings_push_out_weaker_ones),
        IN_COURT(would_be_denials_push_out_weaker_findings),
        IN_COURT(controllers_are_unattended),
        cmocka_unit_test(action_pairs_have_places_of_their_own),
        IN_COURT(list_full_of_denials_stays_denied),
        IN_COURT(last_of_the_weakest_gives_way),
        IN_COURT(equal_findings_keep_their_order),
        IN_COURT(one_reason_not_to_judge_is_reported_once),
        IN_COURT(message_that_failed_fails_the_verdict),
        IN_COURT(deletion_lowers_every_rule),
    };
    return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
