/*
 * A finding as an Event: about the right object, readable with any names in it, and no Event without an
 * object or a write.
 */
#include "base/array_size.h"
#include "tests/unit/review_builder.h"
#include "webhook/api/event.h"

#define UID "'uid':'123e4567-e89b'"

/* A person sets another value on a field of an applier. */
static struct story edit(void)
{
    return (struct story){
        .manager = "kubectl-edit",
        .old = {.body = "'spec':{'a':1}", .metadata = UID, .entries = {APPLIES("flux", ".spec.a")}},
        .new = {.body = "'spec':{'a':2}", .metadata = UID, .entries = {UPDATES("kubectl-edit", ".spec.a")}},
    };
}

/* An object that declares no strategy is made. */
static struct story create(void)
{
    return (struct story){
        .manager = "flux",
        .new = {.body = "'spec':{'a':2}", .metadata = UID, .entries = {APPLIES("flux", ".spec.a")}},
    };
}

static bool is_described(void **state, const char *policy, const struct story *story)
{
    struct event event = {0};
    const struct verdict *verdict = judge_story(*state, policy, story);
    assert_true(verdict->finding_count > 0);
    return event_describe(&event, verdict);
}

static struct event event_under(void **state, const char *policy, const struct story *story)
{
    struct event event = {0};
    struct court *court = *state;
    court->now = 1767225600;
    const struct verdict *verdict = judge_story(court, policy, story);
    assert_true(verdict->finding_count > 0);
    assert_true(event_describe(&event, verdict));
    event_say(&event, verdict, &verdict->findings[0]);
    return event;
}

static yyjson_val *member(yyjson_val *value, const char *path)
{
    yyjson_val *found = yyjson_ptr_get(value, path);
    if (!found)
        fail_msg("there is no %s", path);
    return found;
}

static void expect_member(yyjson_val *root, const char *path, const char *text)
{
    assert_string_equal(yyjson_get_str(member(root, path)), text);
}

static void expect_labels(
    yyjson_val *root, const char *action, const char *policy_action, const char *unattended)
{
    yyjson_val *labels = member(root, "/metadata/labels");
    assert_string_equal(yyjson_get_str(yyjson_obj_get(labels, "applyguard.io/action")), action);
    assert_string_equal(yyjson_get_str(yyjson_obj_get(labels, "applyguard.io/policy-action")), policy_action);
    assert_string_equal(yyjson_get_str(yyjson_obj_get(labels, "applyguard.io/unattended")), unattended);
}

/* Protects `kubectl describe`, which finds Events by their object, and who reads them. */
static void an_event_says_what_was_found_of_which_object(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    struct event event = event_under(state, BASELINE, &story);
    const struct event_record record = {.id = 0xabc, .first = 1767225590, .count = 3};
    struct slice json = event_encode(&event, &record, "pod-1", court->arena);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    yyjson_val *root = yyjson_doc_get_root(document);
    expect_member(root, "/apiVersion", "v1");
    expect_member(root, "/kind", "Event");
    expect_member(root, "/type", "Warning");
    expect_member(root, "/metadata/name", "web.0000000000000abc");
    expect_member(root, "/metadata/namespace", "default");
    expect_labels(root, "warn", "warn", "false");
    expect_member(root, "/involvedObject/apiVersion", "apps/v1");
    expect_member(root, "/involvedObject/kind", "Deployment");
    expect_member(root, "/involvedObject/namespace", "default");
    expect_member(root, "/involvedObject/name", "web");
    expect_member(root, "/involvedObject/uid", "123e4567-e89b");
    expect_member(root, "/reason", "OwnershipConflict");
    expect_member(
        root, "/message",
        "Deployment default/web: kubectl edit changes a, but Flux undoes this at its next reconcile; change "
        "it in Git, or suspend the Kustomization");
    expect_member(root, "/source/component", "applyguard.io");
    expect_member(root, "/reportingComponent", "applyguard.io");
    expect_member(root, "/reportingInstance", "pod-1");
    expect_member(root, "/firstTimestamp", "2025-12-31T23:59:50Z");
    expect_member(root, "/lastTimestamp", "2026-01-01T00:00:00Z");
    assert_int_equal(yyjson_get_uint(member(root, "/count")), 3);
    assert_null(yyjson_ptr_get(root, "/involvedObject/resourceVersion"));
    yyjson_doc_free(document);
}

/* Protects what an Event was first from its repetitions: they change these members alone. */
static void a_repetition_changes_message_count_and_time(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    struct event event = event_under(state, BASELINE, &story);
    const struct event_record record = {.count = 7};
    struct slice json = event_encode_again(&event, &record, court->arena);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    yyjson_val *root = yyjson_doc_get_root(document);
    assert_int_equal(yyjson_obj_size(root), 4);
    assert_int_equal(yyjson_obj_size(member(root, "/metadata")), 1);
    expect_labels(root, "warn", "warn", "false");
    expect_member(root, "/message", event.message);
    expect_member(root, "/lastTimestamp", "2026-01-01T00:00:00Z");
    assert_int_equal(yyjson_get_uint(member(root, "/count")), 7);
    yyjson_doc_free(document);
}

/* Protects who looks for a rule's Events: reasons are the rules' names, each once, in Kubernetes' form. */
static void every_rule_has_a_reason(void **state)
{
    (void)state;
    char reason[EVENT_REASON_BYTES], expected[EVENT_REASON_BYTES];
    for (enum rule_id rule = 0; rule < RULE_COUNT; rule++) {
        event_reason(rule, reason);
        assert_int_equal(
            strspn(reason, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"), strlen(reason));
        size_t length = 0;
        for (const char *at = reason; *at; at++) {
            bool is_capital = *at >= 'A' && *at <= 'Z';
            if (is_capital && length)
                expected[length++] = '-';
            expected[length++] = is_capital ? (char)(*at - 'A' + 'a') : *at;
        }
        expected[length] = '\0';
        assert_string_equal(expected, rules[rule].name);
    }
}

/* Protects from Events of objects that do not exist: nothing was written, or nothing came to be. */
static void there_are_none_where_nothing_was_written(void **state)
{
    struct story dry = edit(), created = create(), nameless = edit(), eventful = edit();
    assert_true(is_described(state, BASELINE, &created));
    assert_false(is_described(state, STRICT "rules: {explicit-strategy: {action: deny}}\n", &created));
    dry.dry_run = true;
    assert_false(is_described(state, BASELINE, &dry));
    nameless.name = "";
    assert_false(is_described(state, BASELINE, &nameless));
    nameless = edit();
    nameless.new.metadata = NULL;
    assert_false(is_described(state, BASELINE, &nameless));
    eventful.kind = "Event";
    eventful.group = "";
    assert_false(is_described(state, BASELINE, &eventful));
    eventful.group = "events.k8s.io";
    assert_false(is_described(state, BASELINE, &eventful));
    eventful.group = "example.com";
    assert_true(is_described(state, BASELINE, &eventful));
}

/* Protects who reads one from believing that it came about. */
static void what_was_refused_says_so(void **state)
{
    struct story story = edit();
    struct event event = event_under(state, STRICT, &story);
    const char *beginning = "refused: Deployment default/web: kubectl edit changes ";
    assert_memory_equal(event.message, beginning, strlen(beginning));
}

/* Protects who asks what enforcing would break: under each other mode it is sent, and the labels say so. */
static void what_would_be_refused_says_so(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    court->ceiling = MODE_AUDIT;
    struct event event = event_under(state, STRICT, &story);
    assert_memory_equal(event.message, "would be refused if enforced: ", 30);
    struct slice json = event_encode_again(&event, &(struct event_record){.count = 2}, court->arena);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    expect_labels(yyjson_doc_get_root(document), "audit", "deny", "false");
    yyjson_doc_free(document);
}

/* Protects admins from warnings that only a controller is given: there is an Event, and a label finds it. */
static void what_a_controller_is_warned_of_is_reported(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    story.user = "system:serviceaccount:keda:keda-operator";
    story.manager = "keda";
    story.new.entries[0] = (struct entry)UPDATES("keda", ".spec.a");
    struct event event = event_under(state, STRICT, &story);
    struct slice json = event_encode(&event, &(struct event_record){.count = 1}, "pod", court->arena);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    expect_labels(yyjson_doc_get_root(document), "warn", "warn", "true");
    yyjson_doc_free(document);
}

/* Protects Events of objects without a namespace: the API server takes them in `default` alone. */
static void without_a_namespace_it_is_kept_in_default(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    story.kind = "Namespace";
    story.group = "";
    story.namespace = story.name = "shop";
    struct event event = event_under(state, BASELINE, &story);
    assert_string_equal(event.namespace, "");
    assert_string_equal(event.api_version, "v1");
    assert_string_equal(event_namespace(&event), "default");
    struct slice json = event_encode(&event, &(struct event_record){.count = 1}, "pod", court->arena);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    assert_null(yyjson_ptr_get(yyjson_doc_get_root(document), "/involvedObject/namespace"));
    yyjson_doc_free(document);
}

/* Protects paths and terminals from names that no API server sends. */
static void what_is_no_name_has_no_event(void **state)
{
    static const char *const namespaces[] = {
        "../kube-system",
        "a/b",
        "a%2fb",
        "a?b",
        "A",
        "a.b",
        "-a",
        "a-",
        "a b",
        "0123456789012345678901234567890123456789012345678901234567890123"};
    for (size_t i = 0; i < ARRAY_SIZE(namespaces); i++) {
        struct story story = edit();
        story.namespace = namespaces[i];
        assert_false(is_described(state, BASELINE, &story));
    }
    static const char *const names[] = {"a\x1b[2Jb", "a\nb", "x\xe2\x80\xaex"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        struct story story = edit();
        story.name = names[i];
        assert_false(is_described(state, BASELINE, &story));
        story = edit();
        story.kind = names[i];
        assert_false(is_described(state, BASELINE, &story));
    }
}

/* Protects objects whose names are more than an Event's may be: it is named otherwise, and is about them. */
static void names_of_events_are_always_valid(void **state)
{
    (void)state;
    char name[EVENT_NAME_BYTES], longest[EVENT_NAME_BYTES] = {0};
    memset(longest, 'a', EVENT_NAME_BYTES - 1);
    const char *const unfit[] = {"system:node", "Web", "a..b", "a.",  ".a",
                                 "a-",          "-a",  "a.-b", "a_b", longest};
    struct event event = {0};
    for (size_t i = 0; i < ARRAY_SIZE(unfit); i++) {
        snprintf(event.name, sizeof(event.name), "%s", unfit[i]);
        event_name(&event, 1, name);
        assert_string_equal(name, "applyguard.0000000000000001");
    }
    longest[EVENT_NAME_BYTES - 1 - 17] = '\0';
    const char *const fit[] = {"a", "a.b", "a-b.c--d", "0", longest};
    for (size_t i = 0; i < ARRAY_SIZE(fit); i++) {
        snprintf(event.name, sizeof(event.name), "%s", fit[i]);
        event_name(&event, UINT64_MAX, name);
        assert_memory_equal(name, fit[i], strlen(fit[i]));
        assert_string_equal(name + strlen(fit[i]), ".ffffffffffffffff");
    }
}

/* Protects terminals and etcd from managers' names: printable, and no longer than Kubernetes allows. */
static void messages_are_printable_and_short(void **state)
{
    struct story story = edit();
    story.new.entries[0].manager = story.manager = "a\x1b[2J\"b";
    struct event event = event_under(state, BASELINE, &story);
    assert_non_null(strstr(event.message, "a\\x1b[2J"));
    char long_text[3000];
    memset(long_text, 'x', sizeof(long_text));
    struct court *court = *state;
    story = edit();
    const struct verdict *verdict = judge_story(court, BASELINE, &story);
    struct finding finding = verdict->findings[0];
    finding.message = (struct slice){long_text, sizeof(long_text)};
    event_say(&event, verdict, &finding);
    assert_int_equal(strlen(event.message), EVENT_MESSAGE_BYTES - 1);
    assert_string_equal(event.message + EVENT_MESSAGE_BYTES - 1 - 3, "…");
}

/* Protects from a line for each field: one rule's findings are one Event, which says how many more. */
static void more_findings_of_a_rule_are_counted(void **state)
{
    struct story story = edit();
    story.old.body = "'spec':{'a':1,'b':1}";
    story.new.body = "'spec':{'a':2,'b':2}";
    story.old.entries[1] = (struct entry)APPLIES("argo", ".spec.b");
    struct event event = event_under(state, BASELINE, &story);
    assert_non_null(strstr(event.message, "; and 1 more of this kind"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(an_event_says_what_was_found_of_which_object),
        IN_COURT(a_repetition_changes_message_count_and_time),
        cmocka_unit_test(every_rule_has_a_reason),
        IN_COURT(there_are_none_where_nothing_was_written),
        IN_COURT(what_was_refused_says_so),
        IN_COURT(what_would_be_refused_says_so),
        IN_COURT(what_a_controller_is_warned_of_is_reported),
        IN_COURT(without_a_namespace_it_is_kept_in_default),
        IN_COURT(what_is_no_name_has_no_event),
        cmocka_unit_test(names_of_events_are_always_valid),
        IN_COURT(messages_are_printable_and_short),
        IN_COURT(more_findings_of_a_rule_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
