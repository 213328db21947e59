#include "tests/fuzz/answer.h"

#include "fuzz.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/message.h"
#include "tests/fuzz/printable.h"
#include "tests/fuzz/variants.h"

#include <stdlib.h>
#include <time.h>

static const char full_policy[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "managers:\n"
    "- {name: 'ci-*', operation: Update, class: applier}\n"
    "rules:\n"
    "  oversized-annotations: {warnBytes: 200, denyBytes: 900}\n"
    "  ownership-conflict:\n"
    "    ignoreFields: ['.metadata.annotations[*]', "
    "'.spec.template.spec.containers[name=\"nginx\"].env[*]']\n"
    "    takeover: {adhoc-from-adhoc: deny}\n"
    "  explicit-fields:\n"
    "    action: deny\n"
    "    fields: {'*': [.spec.replicas, '.spec.template.spec.containers[*].image']}\n"
    "  managedfields-health: {sharePercent: 0, minBytes: 0}\n"
    "  manager-identity: {action: deny, bindings: [{manager: '*', users: [a*], groups: [b], serviceAccounts: "
    "['*/*']}]}\n"
    "  manager-scope:\n"
    "    action: deny\n"
    "    scopes: [{manager: '*', allow: ['.spec.template.spec.containers[*].image'], deny: [.metadata]}]\n"
    "  generic-manager: {names: ['*']}\n"
    "  contested-field: {changes: 1, slowChanges: 2}\n"
    "  dedicated-selector: {action: deny, labelKey: app}\n"
    "  managedfields-rewritten: {moves: [{from: 'k*', to: 'k*', users: [a*]}]}\n"
    "overrides:\n"
    "- match: {namespaces: ['kube-*'], groups: ['system:*'], users: ['*'], managers: ['*']}\n"
    "  rules: {ownership-conflict: {action: warn}}\n"
    "- match: {names: ['w*'], labels: {app: 'w*'}}\n"
    "  rules: {ownership-conflict: {action: audit}}\n"
    "waivers:\n"
    "  rules: [explicit-strategy, explicit-selector]\n"
    "  honor: [kluctl, flux, argocd]\n"
    "  scoped: [{rules: [last-applied-drift], namespaces: ['*'], kinds: ['*'], names: ['w*']}]\n";

/* Enough to read most reviews, and not to judge the expensive ones. */
#define LITTLE_BYTES_PER_BYTE 16

/* The longest denial is 64 lines of 512 bytes and a last one. */
#define DENIAL_BYTES_MAX ((size_t)64 * 513 + 32)

static yyjson_val *member(yyjson_val *object, const char *name)
{
    return yyjson_obj_get(object, name);
}

static struct slice text_of(yyjson_val *value)
{
    promise(yyjson_is_str(value), "it is a text");
    return (struct slice){yyjson_get_str(value), yyjson_get_len(value)};
}

static size_t check_warnings(yyjson_val *warnings)
{
    size_t total = 0, count = 0;
    yyjson_arr_iter iterator = yyjson_arr_iter_with(warnings);
    for (yyjson_val *warning; (warning = yyjson_arr_iter_next(&iterator)); count++) {
        struct slice text = text_of(warning);
        promise(text.length > 0 && text.length <= MESSAGE_LINE_BYTES_MAX, "a warning has at most 256 bytes");
        check_printable(text, 0);
        total += text.length;
    }
    promise(total <= WARNINGS_BYTES_MAX, "all warnings have at most 4,096 bytes");
    return count;
}

static void check_status(yyjson_val *status, bool allowed)
{
    promise((status == NULL) == allowed, "a denial, and nothing else, has a status");
    if (allowed)
        return;
    struct slice message = text_of(member(status, "message"));
    promise(yyjson_get_int(member(status, "code")) == 403, "a denial is a 403");
    promise(message.length > 0 && message.length <= DENIAL_BYTES_MAX, "a denial says why, within bounds");
    check_printable(message, '\n');
}

static void check_json(struct slice text, const char *what)
{
    yyjson_doc *document = yyjson_read(text.bytes, text.length, YYJSON_READ_NOFLAG);
    promise(document != NULL, what);
    yyjson_doc_free(document);
}

static void check_audit_annotations(yyjson_val *annotations)
{
    if (!annotations)
        return;
    struct slice findings = text_of(member(annotations, "findings"));
    promise(yyjson_obj_size(annotations) == 3, "the audit annotations are those that are documented");
    promise(findings.length <= AUDIT_FINDINGS_BYTES_MAX, "what goes into the audit log is bounded");
    check_printable(findings, 0);
    check_json(findings, "the findings in the audit log are JSON");
    promise(text_of(member(annotations, "rules")).length > 0, "findings are of rules");
    promise(text_of(member(annotations, "mode")).length > 0, "the mode is told");
}

static void check_same_text(yyjson_val *asked, yyjson_val *answered, const char *what)
{
    promise(slice_equal(text_of(asked), text_of(answered)), what);
}

static void check_response(const struct question *question, struct slice response, bool allowed)
{
    yyjson_doc *document = yyjson_read(response.bytes, response.length, YYJSON_READ_NOFLAG);
    yyjson_doc *asked = yyjson_read(question->body.bytes, question->body.length, YYJSON_READ_NOFLAG);
    promise(document && asked, "the review and the response are JSON");
    yyjson_val *root = yyjson_doc_get_root(document), *review = yyjson_doc_get_root(asked);
    yyjson_val *answer = member(root, "response");
    check_same_text(member(review, "apiVersion"), member(root, "apiVersion"), "the version is kept");
    check_same_text(member(review, "kind"), member(root, "kind"), "the kind is kept");
    check_same_text(member(member(review, "request"), "uid"), member(answer, "uid"), "the uid is kept");
    promise(yyjson_is_bool(member(answer, "allowed")), "the response says whether it is allowed");
    promise(yyjson_get_bool(member(answer, "allowed")) == allowed, "the response is the verdict's");
    check_status(member(answer, "status"), allowed);
    check_audit_annotations(member(answer, "auditAnnotations"));
    size_t warnings = check_warnings(member(answer, "warnings"));
    promise(allowed || question->options.ceiling == MODE_ENFORCE, "only enforce denies");
    promise(!warnings || question->options.ceiling != MODE_AUDIT, "audit is silent");
    yyjson_doc_free(document);
    yyjson_doc_free(asked);
}

static void check_report(struct slice report)
{
    promise(report.length > 0 && report.bytes[report.length - 1] == '\n', "a report is a line");
    check_printable((struct slice){report.bytes, report.length - 1}, 0);
    check_json(report, "a report is JSON");
}

static struct reply ask_about(
    const struct question *question, struct slice body, bool in_place, struct arena *arena)
{
    struct judge_options options = question->options;
    const struct verdict *verdict = NULL;
    struct error error = {0};
    options.in_place = in_place;
    enum judge_result result = judge(question->policy, body, &options, arena, &verdict, &error);
    promise(result == JUDGE_OK || result == JUDGE_UNREADABLE, "there is memory");
    if (result != JUDGE_OK) {
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
        return (struct reply){0};
    }
    struct slice response = encode_response(verdict, arena);
    struct slice report = encode_verdict(verdict, SLICE("review.json"), arena);
    promise(response.bytes && report.bytes, "a verdict becomes a response and a report");
    check_response(question, response, verdict->allowed);
    check_report(report);
    return (struct reply){verdict, response};
}

/*
 * With so little memory in addition to the answer's that some reviews are given up: then what is said is said
 * in the same form, and only what cannot even be read may end without an answer.
 */
static void ask_with_little_memory(const struct question *question, struct arena *arena)
{
    const struct verdict *verdict = NULL;
    struct error error = {0};
    arena_limit(arena, JUDGE_ANSWER_BYTES + LITTLE_BYTES_PER_BYTE * question->body.length);
    enum judge_result result =
        judge(question->policy, question->body, &question->options, arena, &verdict, &error);
    if (result == JUDGE_OK) {
        struct slice response = encode_response(verdict, arena);
        promise(response.bytes != NULL, "there is always memory for the answer");
        check_response(question, response, verdict->allowed);
    }
    arena_limit(arena, SIZE_MAX);
    arena_reset(arena);
}

struct reply ask(const struct question *question, struct arena *arena)
{
    return ask_about(question, question->body, false, arena);
}

/* Behind the body stands what could end it. */
static struct slice ask_in_place(const struct question *question, struct arena *arena)
{
    size_t length = question->body.length;
    char *copy = malloc(length + YYJSON_PADDING_SIZE);
    promise(copy != NULL, "there is memory");
    memset(copy + length, '}', YYJSON_PADDING_SIZE);
    if (length)
        memcpy(copy, question->body.bytes, length);
    struct slice response = ask_about(question, (struct slice){copy, length}, true, arena).response;
    free(copy);
    return response;
}

/*
 * The limits of a review: 60 ms of CPU time for a MiB, ten times as long here, where every access is checked,
 * and something for any. Only where the runner asks for it: processors are not all alike.
 */
#define MICROSECONDS_OF_ANY 20000
#define MICROSECONDS_OF_MEBIBYTE 600000
#define MEASUREMENTS 3

static uint64_t cpu_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

static uint64_t time_to_judge(const struct question *question, struct arena *arena)
{
    const struct verdict *verdict = NULL;
    struct error error = {0};
    uint64_t before = cpu_microseconds();
    judge(question->policy, question->body, &question->options, arena, &verdict, &error);
    uint64_t after = cpu_microseconds();
    arena_reset(arena);
    return after - before;
}

/* The quickest of some: caches may be cold, and interrupts come. */
static void check_time(const struct question *question, struct arena *arena)
{
    uint64_t allowed = MICROSECONDS_OF_ANY + question->body.length * MICROSECONDS_OF_MEBIBYTE / (1 << 20);
    uint64_t taken = UINT64_MAX;
    for (unsigned i = 0; i < MEASUREMENTS && taken > allowed; i++)
        taken = time_to_judge(question, arena);
    promise(taken <= allowed, "judging takes no longer than its bytes allow");
}

/* In each way that it may be asked. */
static void ask_again(const struct question *question)
{
    struct arena *first = arena_create(), *second = arena_create();
    promise(first && second, "there is memory");
    struct reply reply = ask(question, first);
    promise(
        slice_equal(reply.response, ask_in_place(question, second)),
        "the same review has the same answer, wherever it is parsed");
    arena_reset(second);
    if (reply.verdict)
        check_variant(question, reply.verdict, second);
    arena_reset(second);
    ask_with_little_memory(question, second);
    if (getenv("APPLYGUARD_FUZZ_TIMES"))
        check_time(question, second);
    arena_destroy(first);
    arena_destroy(second);
}

const struct policy *policy_of_everything(void)
{
    /* Loaded once: fuzzing is a matter of speed. */
    static struct policy *policy;
    struct error error = {0};
    if (!policy)
        policy = policy_load(slice_of(full_policy), &error);
    promise(policy != NULL, "the policy loads");
    return policy;
}

static const struct policy *embedded_policy(void)
{
    static struct policy *policy;
    if (!policy)
        policy = policy_default();
    promise(policy != NULL, "the embedded policy loads");
    return policy;
}

static void ask_under(const struct policy *policy, enum mode ceiling, struct slice body, struct arena *arena)
{
    ask(&(struct question){policy, {.ceiling = ceiling, .now = FUZZ_NOW}, body}, arena);
    arena_reset(arena);
}

void check_answers(struct slice body)
{
    ask_again(&(struct question){policy_of_everything(), {.ceiling = MODE_ENFORCE, .now = FUZZ_NOW}, body});
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    ask_under(embedded_policy(), MODE_ENFORCE, body, arena);
    ask_under(policy_of_everything(), MODE_WARN, body, arena);
    ask_under(policy_of_everything(), MODE_AUDIT, body, arena);
    arena_destroy(arena);
}
