/*
 * The bytes that leave applyguard: the AdmissionReview that answers, and the verdict as the command line
 * prints it. The API server drops warnings with control characters, cuts long ones, and believes a uid only
 * if it is its own.
 */
#include "base/array_size.h"
#include "policy/verdict/encode.h"
#include "policy/verdict/message.h"
#include "tests/unit/review_builder.h"

static struct slice respond(void **state, const char *policy, const struct story *story)
{
    struct court *court = *state;
    const struct verdict *verdict = judge_story(court, policy, story);
    struct slice response = encode_response(verdict, court->arena);
    assert_non_null(response.bytes);
    return response;
}

static struct slice report(void **state, const char *policy, const struct story *story)
{
    struct court *court = *state;
    const struct verdict *verdict = judge_story(court, policy, story);
    struct slice line = encode_verdict(verdict, SLICE("edit.json"), court->arena);
    assert_non_null(line.bytes);
    return line;
}

/* Parsed; lives as long as the arena. Fails on anything that is not one line of JSON. */
static yyjson_val *parse(void **state, struct slice line)
{
    struct court *court = *state;
    yyjson_alc allocator = arena_yyjson(court->arena);
    assert_true(line.length > 0);
    assert_int_equal(line.bytes[line.length - 1], '\n');
    assert_null(memchr(line.bytes, '\n', line.length - 1));
    yyjson_doc *document = yyjson_read_opts((char *)(uintptr_t)line.bytes, line.length, 0, &allocator, NULL);
    if (!document)
        fail_msg("not JSON: %.*s", (int)line.length, line.bytes);
    return yyjson_doc_get_root(document);
}

static yyjson_val *response_member(void **state, struct slice response, const char *name)
{
    return yyjson_obj_get(yyjson_obj_get(parse(state, response), "response"), name);
}

/* A person takes and removes fields of two appliers. */
static struct story edit(void)
{
    return (struct story){
        .manager = "kubectl-edit",
        .old =
            {.body = "'spec':{'replicas':3,'paused':true}",
             .entries = {APPLIES("flux", ".spec.replicas"), UPDATES("helm", ".spec.paused")}},
        .new = {.body = "'spec':{'replicas':5}", .entries = {UPDATES("kubectl-edit", ".spec.replicas")}},
    };
}

static const struct story nothing_wrong = {.new = {.body = "'spec':{}"}};

#define FLUX_MESSAGE                                                                                         \
    "Deployment default/web: kubectl edit changes replicas, but Flux undoes this at its next reconcile; "    \
    "change it in Git"
#define OR_SUSPEND ", or suspend the Kustomization"
#define HELM_MESSAGE                                                                                         \
    "Deployment default/web: kubectl edit removes paused, but the next helm upgrade undoes this; change "    \
    "the chart or its values"

/* Most answers say nothing but yes. */
static void answer_without_findings_is_bare(void **state)
{
    expect_text(
        respond(state, STRICT, &nothing_wrong),
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\","
        "\"response\":{\"uid\":\"uid-1\",\"allowed\":true}}\n");
}

/* An old API server is answered in its own version. */
static void answer_has_the_version_of_the_request(void **state)
{
    struct story story = nothing_wrong;
    story.envelope = "admission.k8s.io/v1beta1";
    expect_text(
        respond(state, STRICT, &story),
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1beta1\","
        "\"response\":{\"uid\":\"uid-1\",\"allowed\":true}}\n");
}

/* The uid goes back as it came, with any characters. */
static void uid_is_echoed_exactly(void **state)
{
    static const char *const uids[] = {
        "2b69fa72-3cce-4775-863d-74a11812b1d1",
        "\\\"",
        "\\\\",
        "\\\"},\\\"allowed\\\":true,{\\\"",
        "\\u0000a\\u0001\\n\\t\\u007f",
        "\xc3\xa9\xe2\x80\xae\xf0\x9f\x98\x80",
        "\\ud83d\\ude00",
        "/<>&'",
        "\xc2\x85\xef\xbb\xbf\xe2\x80\xa8"};
    struct court *court = *state;
    court_load(court, STRICT);
    for (size_t i = 0; i < ARRAY_SIZE(uids); i++) {
        char body[512];
        snprintf(
            body, sizeof(body),
            "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/"
            "v1\",\"request\":{\"uid\":\"%s\","
            "\"kind\":{\"version\":\"v1\",\"kind\":\"ConfigMap\"},\"operation\":\"DELETE\"}}\n",
            uids[i]);
        const struct verdict *verdict = judge_body(court, slice_of(body));
        yyjson_val *sent = yyjson_obj_get(yyjson_obj_get(parse(state, slice_of(body)), "request"), "uid");
        yyjson_val *echoed = response_member(state, encode_response(verdict, court->arena), "uid");
        if (!slice_equal(json_text(sent), json_text(echoed)))
            fail_msg("the uid %s comes back as another", uids[i]);
    }
}

/* A refusal: 403 Forbidden, one line a finding, and the audit annotations in one order. */
static void denial_has_a_status_and_a_line_for_each_finding(void **state)
{
    struct story story = edit();
    expect_text(
        respond(state, STRICT, &story),
        "{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/"
        "v1\",\"response\":{\"uid\":\"uid-1\","
        "\"allowed\":false,\"status\":{\"metadata\":{},\"status\":\"Failure\",\"message\":\"" FLUX_MESSAGE
        " [ownership-conflict]\\n" HELM_MESSAGE
        " [ownership-conflict]\",\"reason\":\"Forbidden\",\"code\":403},\"auditAnnotations\":{\"findings\":\""
        "[{\\\"rule\\\":\\\"ownership-conflict\\\",\\\"action\\\":\\\"deny\\\",\\\"policyAction\\\":"
        "\\\"deny\\\",\\\"fields\\\":[\\\".spec."
        "replicas\\\"],\\\"taker\\\":{\\\"manager\\\":\\\"kubectl-edit\\\",\\\"operation\\\":\\\"Update\\\"},"
        "\\\"losers\\\":[{\\\"manager\\\":\\\"flux\\\",\\\"operation\\\":\\\"Apply\\\"}]},"
        "{\\\"rule\\\":\\\"ownership-conflict\\\",\\\"action\\\":\\\"deny\\\",\\\"policyAction\\\":"
        "\\\"deny\\\",\\\"fields\\\":[\\\".spec."
        "paused\\\"],\\\"taker\\\":{\\\"manager\\\":\\\"kubectl-edit\\\",\\\"operation\\\":\\\"Update\\\"},"
        "\\\"losers\\\":[{\\\"manager\\\":\\\"helm\\\",\\\"operation\\\":\\\"Update\\\"}]}]\","
        "\"mode\":\"enforce\",\"rules\":\"ownership-conflict\"}}}\n");
}

/* Warned of is allowed: no status, a line for each finding. */
static void warning_is_a_line_for_each_finding(void **state)
{
    struct story story = edit();
    struct slice response = respond(state, BASELINE, &story);
    assert_true(yyjson_get_bool(response_member(state, response, "allowed")));
    assert_null(response_member(state, response, "status"));
    yyjson_val *warnings = response_member(state, response, "warnings");
    assert_int_equal(yyjson_arr_size(warnings), 2);
    expect_text(
        json_text(yyjson_arr_get(warnings, 0)),
        "applyguard: " FLUX_MESSAGE OR_SUSPEND " [ownership-conflict]");
    expect_text(json_text(yyjson_arr_get(warnings, 1)), "applyguard: " HELM_MESSAGE " [ownership-conflict]");
}

/* The client never sees findings that are only audited; the audit log does. */
static void audit_is_seen_in_annotations_alone(void **state)
{
    struct story story = edit();
    struct slice response = respond(state, "profile: audit\n", &story);
    assert_null(response_member(state, response, "warnings"));
    assert_null(response_member(state, response, "status"));
    yyjson_val *annotations = response_member(state, response, "auditAnnotations");
    assert_int_equal(yyjson_obj_size(annotations), 3);
    expect_text(json_text(yyjson_obj_get(annotations, "rules")), "ownership-conflict");
    expect_text(json_text(yyjson_obj_get(annotations, "mode")), "enforce");
}

/* A refused request gets its warnings as well. */
static void denial_keeps_its_warnings(void **state)
{
    struct story story = edit();
    story.new.entries[0] = (struct entry)APPLIES("kubectl-edit", ".spec.replicas .spec.selector");
    struct slice response = respond(state, STRICT, &story);
    assert_false(yyjson_get_bool(response_member(state, response, "allowed")));
    yyjson_val *warnings = response_member(state, response, "warnings");
    assert_int_equal(yyjson_arr_size(warnings), 1);
    expect_part(json_text(yyjson_arr_get(warnings, 0)), "[explicit-strategy]");
    expect_text(
        json_text(yyjson_obj_get(response_member(state, response, "auditAnnotations"), "rules")),
        "ownership-conflict,explicit-strategy");
}

/* The line of -o json, key by key in the documented order. */
static void report_has_its_keys_in_order(void **state)
{
    struct story story = edit();
    story.old.entries[1].manager = NULL;
    story.old.entries[0].subresource = "scale";
    expect_text(
        report(state, BASELINE, &story),
        "{\"file\":\"edit.json\",\"uid\":\"uid-1\",\"operation\":\"UPDATE\",\"kind\":\"Deployment.apps\","
        "\"namespace\":\"default\",\"name\":\"web\",\"allowed\":true,\"mode\":\"enforce\",\"findings\":["
        "{\"rule\":\"ownership-conflict\",\"action\":\"warn\",\"policyAction\":\"warn\",\"message\":"
        "\"Deployment default/web: kubectl edit changes replicas, which flux (scale) manages: the next apply "
        "fails or undoes this; change the manifest\","
        "\"fields\":[\".spec.replicas\"],"
        "\"taker\":{\"manager\":\"kubectl-edit\",\"operation\":\"Update\"},"
        "\"losers\":[{\"manager\":\"flux\",\"operation\":\"Apply\",\"subresource\":\"scale\"}]}]}\n");
}

/* Under a mode that lowers it, a finding still says what the policy alone would do. */
static void report_says_what_enforcing_would_do(void **state)
{
    struct court *court = *state;
    struct story story = edit();
    court->ceiling = MODE_AUDIT;
    struct slice text = report(state, STRICT, &story);
    expect_part(text, "\"allowed\":true,\"mode\":\"audit\"");
    expect_part(text, "\"action\":\"audit\",\"policyAction\":\"deny\"");
    text = report(state, STRICT "mode: warn\n", &story);
    expect_part(text, "\"action\":\"audit\",\"policyAction\":\"deny\"");
    text = report(state, STRICT "overrides: [{match: {}, mode: warn}]\n", &story);
    expect_part(text, "\"action\":\"audit\",\"policyAction\":\"warn\"");
}

/* Members that do not apply are left out: no namespace, no name, no file, no fields. */
static void report_leaves_out_what_does_not_apply(void **state)
{
    struct court *court = *state;
    court_load(court, STRICT);
    const struct verdict *verdict = judge_body(
        court,
        SLICE("{\"kind\":\"AdmissionReview\",\"apiVersion\":\"admission.k8s.io/v1\",\"request\":"
              "{\"uid\":\"u\",\"kind\":{\"version\":\"v1\",\"kind\":\"Namespace\"},"
              "\"operation\":\"CREATE\",\"object\":{}}}"));
    expect_text(
        encode_verdict(verdict, SLICE(""), court->arena),
        "{\"uid\":\"u\",\"operation\":\"CREATE\",\"kind\":\"Namespace\",\"allowed\":true,\"mode\":"
        "\"enforce\","
        "\"findings\":[{\"rule\":\"unjudged\",\"action\":\"audit\",\"policyAction\":\"audit\",\"message\":"
        "\"Namespace: not fully checked: the object's metadata is not an object\"}]}\n");
}

/* Lists that are cut say how long they were. */
static void cut_lists_give_their_counts(void **state)
{
    enum { PREVIOUS_OWNERS = FINDING_PREVIOUS_OWNERS_MAX + 4 };
    char names[PREVIOUS_OWNERS][32], text[4096] = "{'f:spec':{'f:x':{}";
    char before[2048] = "'spec':{'x':1", after[2048] = "'spec':{'x':1";
    for (int i = 0; i <= FINDING_FIELDS_MAX; i++) {
        char piece[64];
        snprintf(piece, sizeof(piece), ",'f:f%d':{}", i);
        strcat(text, piece);
        snprintf(piece, sizeof(piece), ",'f%d':1", i);
        strcat(before, piece);
    }
    strcat(text, "}}");
    strcat(before, "}");
    strcat(after, "}");
    struct story story = {
        .manager = "kubectl-edit",
        .old.body = before,
        .new = {.body = after, .entries = {UPDATES("kubectl-edit", ".spec.x")}},
    };
    for (int i = 0; i < PREVIOUS_OWNERS; i++) {
        snprintf(names[i], sizeof(names[i]), "tool-%d", i);
        story.old.entries[i] = (struct entry)APPLIES(names[i], text);
    }
    yyjson_val *finding =
        yyjson_arr_get(yyjson_obj_get(parse(state, report(state, BASELINE, &story)), "findings"), 0);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(finding, "fields")), FINDING_FIELDS_MAX);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(finding, "fieldCount")), FINDING_FIELDS_MAX + 1);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(finding, "losers")), FINDING_PREVIOUS_OWNERS_MAX);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(finding, "loserCount")), PREVIOUS_OWNERS);
}

/* Findings that found no room are counted: no report may look complete that is not. */
static void findings_without_room_are_counted(void **state)
{
    struct court *court = *state;
    struct story story = {
        .manager = "kubectl-edit",
        .old = {.body = "'spec':{'x':1}"},
        .new = {.body = "'spec':{'x':1}", .entries = {UPDATES("kubectl-edit", ".spec.x")}},
    };
    struct verdict verdict = *judge_story(court, BASELINE, &story);
    verdict.dropped[ACTION_DENY] = 3;
    verdict.dropped[ACTION_AUDIT] = 1;
    yyjson_val *dropped =
        yyjson_obj_get(parse(state, encode_verdict(&verdict, SLICE(""), court->arena)), "dropped");
    assert_int_equal(yyjson_obj_size(dropped), 2);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(dropped, "deny")), 3);
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(dropped, "audit")), 1);
}

/* As many previous owners as `count`, each of a field of its own with a name of `length` bytes: a finding
 * each. */
static struct slice respond_to_many(void **state, const char *policy, int count, size_t length)
{
    char *names = calloc((size_t)count, length + 32), *fields = calloc((size_t)count, length + 32);
    char *before = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&before, &size);
    struct story story = {.manager = "kubectl-replace"};
    fputs("'spec':{'x':1", out);
    for (int i = 0; i < count; i++) {
        char *name = names + (size_t)i * (length + 32), *field = fields + (size_t)i * (length + 32);
        int start = sprintf(name, "%03d-", i);
        memset(name + start, 'n', length);
        snprintf(field, length + 32, ".spec.%s", name);
        fprintf(out, ",'%s':1", name);
        story.old.entries[i] = (struct entry)APPLIES(name, field);
    }
    fputs("}", out);
    fclose(out);
    story.old.body = before;
    story.new =
        (struct object_story){.body = "'spec':{'x':2}", .entries = {UPDATES("kubectl-replace", ".spec.x")}};
    struct slice response = respond(state, policy, &story);
    free(before);
    free(names);
    free(fields);
    return response;
}

/* Adds up the bytes of the warnings, and the findings that they represent. */
static size_t count_warned(void **state, struct slice response, size_t *bytes)
{
    yyjson_val *warnings = response_member(state, response, "warnings");
    size_t size = yyjson_arr_size(warnings), warned = 0;
    assert_true(size <= WARNINGS_MAX);
    *bytes = 0;
    for (size_t i = 0; i < size; i++) {
        struct slice line = json_text(yyjson_arr_get(warnings, i));
        unsigned more;
        assert_true(line.length <= MESSAGE_LINE_BYTES_MAX);
        *bytes += line.length;
        bool is_last = i + 1 == size && contains(line, " more warnings");
        expect_part(line, is_last ? "applyguard: " : "applyguard: Deployment default/");
        assert_true(!is_last || sscanf(line.bytes, "applyguard: %u more warnings", &more) == 1);
        warned += is_last ? more : 1;
    }
    return warned;
}

/* However many and however long: each within its bound, all within theirs, and none passed over unsaid. */
static void warnings_stay_within_their_bounds(void **state)
{
    static const int counts[] = {1, 2, 4, 5, 6, 7, 40, VERDICT_FINDINGS_MAX, ENTRIES_MAX};
    static const size_t lengths[] = {1, 30, 60, 200, 800};
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(lengths); j++) {
            size_t bytes;
            size_t warned =
                count_warned(state, respond_to_many(state, BASELINE, counts[i], lengths[j]), &bytes);
            assert_int_equal(warned, counts[i]);
            assert_true(bytes <= WARNINGS_BYTES_MAX);
        }
    }
}

/* Audit annotations can always be parsed, and say how many findings did not fit. */
static void audit_annotation_is_bounded_json(void **state)
{
    struct court *court = *state;
    static const int counts[] = {1, 10, 30, VERDICT_FINDINGS_MAX, ENTRIES_MAX};
    static const size_t lengths[] = {1, 60, 300, 800};
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(lengths); j++) {
            struct slice response = respond_to_many(state, STRICT, counts[i], lengths[j]);
            yyjson_val *annotations = response_member(state, response, "auditAnnotations");
            struct slice findings = json_text(yyjson_obj_get(annotations, "findings"));
            assert_true(findings.length <= AUDIT_FINDINGS_BYTES_MAX);
            yyjson_alc allocator = arena_yyjson(court->arena);
            yyjson_doc *document =
                yyjson_read_opts((char *)(uintptr_t)findings.bytes, findings.length, 0, &allocator, NULL);
            yyjson_val *list = yyjson_doc_get_root(document);
            assert_true(yyjson_is_arr(list));
            size_t listed = yyjson_arr_size(list);
            yyjson_val *more = yyjson_obj_get(yyjson_arr_get_last(list), "more");
            size_t told = more ? listed - 1 + yyjson_get_uint(more) : listed;
            assert_int_equal(told, counts[i]);
        }
    }
}

/* A refusal of many findings is bounded in each line, and has a line for each. */
static void denial_lines_are_bounded(void **state)
{
    struct slice response = respond_to_many(state, STRICT, VERDICT_FINDINGS_MAX, 800);
    struct slice message = json_text(yyjson_obj_get(response_member(state, response, "status"), "message"));
    size_t lines = 0;
    for (struct slice rest = message; rest.length; lines++) {
        const char *end = memchr(rest.bytes, '\n', rest.length);
        size_t length = end ? (size_t)(end - rest.bytes) : rest.length;
        assert_true(length <= 512);
        assert_int_equal(
            memcmp(rest.bytes + length - strlen(" [ownership-conflict]"), " [ownership-conflict]", 21), 0);
        rest = slice_from(rest, end ? length + 1 : length);
    }
    assert_int_equal(lines, VERDICT_FINDINGS_MAX);
}

/* Findings without a line of their own are counted in the last line. */
static void denials_without_a_line_are_counted(void **state)
{
    struct slice response = respond_to_many(state, STRICT, VERDICT_FINDINGS_MAX + 10, 20);
    struct slice message = json_text(yyjson_obj_get(response_member(state, response, "status"), "message"));
    struct slice end = SLICE("[ownership-conflict]\n10 more");
    assert_true(message.length > end.length);
    assert_true(slice_equal(slice_from(message, message.length - end.length), end));
}

/* One character as UTF-8. */
static void put_character(char *text, unsigned character)
{
    if (character < 0x80)
        sprintf(text, "%c", (int)character);
    else if (character < 0x800)
        sprintf(text, "%c%c", (int)(0xc0 | character >> 6), (int)(0x80 | (character & 0x3f)));
    else
        sprintf(
            text, "%c%c%c", (int)(0xe0 | character >> 12), (int)(0x80 | (character >> 6 & 0x3f)),
            (int)(0x80 | (character & 0x3f)));
}

/* Controls of ISO 6429, and Unicode's line separators and directional formatting (UAX 9). */
static bool must_not_be_printed(unsigned character)
{
    return character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x61c ||
        character == 0x200e || character == 0x200f || (character >= 0x2028 && character <= 0x202e) ||
        (character >= 0x2066 && character <= 0x2069);
}

/* The text of well-formed JSON is well-formed UTF-8. */
static unsigned take_character(struct slice *text)
{
    const unsigned char *bytes = (const unsigned char *)text->bytes;
    size_t length = bytes[0] < 0x80 ? 1 : bytes[0] < 0xe0 ? 2 : bytes[0] < 0xf0 ? 3 : 4;
    unsigned character = length == 1 ? bytes[0] : bytes[0] & (0x7fU >> length);
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (bytes[i] & 0x3f);
    *text = slice_from(*text, length);
    return character;
}

/* Walks all strings below `value`, keys too; only between the lines of a refusal may a newline stand. */
static void expect_printable(yyjson_val *value, bool lines)
{
    for (struct slice rest = json_text(value); rest.length;) {
        unsigned character = take_character(&rest);
        if (must_not_be_printed(character) && !(lines && character == '\n'))
            fail_msg("U+%04X in %s", character, yyjson_get_str(value));
    }
    yyjson_obj_iter members;
    yyjson_obj_iter_init(value, &members);
    for (yyjson_val *key; yyjson_is_obj(value) && (key = yyjson_obj_iter_next(&members));) {
        expect_printable(key, false);
        expect_printable(yyjson_obj_iter_get_val(key), yyjson_equals_str(key, "message"));
    }
    yyjson_arr_iter items;
    yyjson_arr_iter_init(value, &items);
    for (yyjson_val *item; yyjson_is_arr(value) && (item = yyjson_arr_iter_next(&items));)
        expect_printable(item, false);
}

/* Names with one hostile character wherever a stranger may choose one, in a story that prints them all. */
static void judge_hostile(void **state, const char *policy, unsigned character)
{
    char raw[16], escaped[16], twice[24], manager[32], previous_owner[32], subresource[32], kind[32];
    put_character(raw, character ? character : 1);
    snprintf(escaped, sizeof(escaped), "\\u%04x", character);
    snprintf(twice, sizeof(twice), "\\\\u%04x", character);
    snprintf(manager, sizeof(manager), "taker%s!", raw);
    snprintf(previous_owner, sizeof(previous_owner), "loser%s!", raw);
    snprintf(subresource, sizeof(subresource), "sub%s!", raw);
    snprintf(kind, sizeof(kind), "Kind%s!", raw);
    char fields[512], before[512], labels[128], annotation[256];
    snprintf(
        fields, sizeof(fields),
        "{'f:metadata':{'f:labels':{'f:label%s!':{}}},'f:spec':{'f:list':{'k:{\\\"name\\\":\\\"item%s!\\\"}':"
        "{'f:value':{}}},'f:set':{'v:\\\"value%s!\\\"':{}}}}",
        escaped, twice, twice);
    snprintf(
        before, sizeof(before), "'spec':{'list':[{'name':'item%s!','value':1}],'set':['value%s!']}", escaped,
        escaped);
    snprintf(labels, sizeof(labels), "'labels':{'label%s!':'1'}", escaped);
    snprintf(
        annotation, sizeof(annotation),
        "{'kind':'other%s!','metadata':{'name':'name%s!','namespace':'space%s!'}}", escaped, escaped,
        escaped);
    struct story story = {
        .manager = manager,
        .kind = kind,
        .group = subresource,
        .name = manager,
        .namespace = previous_owner,
        .old =
            {.body = before,
             .metadata = labels,
             .entries =
                 {APPLIES(previous_owner, fields),
                  APPLIES(previous_owner, fields, .subresource = subresource)}},
        .new =
            {.body = "'spec':{}",
             .last_applied = annotation,
             .entries = {APPLIES(manager, ".spec.x", .time = NOW)}},
    };
    struct slice response = respond(state, policy, &story);
    expect_part(response, "ownership-conflict");
    expect_part(response, "last-applied-invalid");
    expect_printable(parse(state, response), false);
    expect_printable(parse(state, report(state, policy, &story)), false);
}

/* No character that a terminal or a header would obey gets out, in any name. */
static void hostile_names_are_printable_everywhere(void **state)
{
    static const char *const policies[] = {BASELINE, STRICT, "profile: audit\n"};
    for (size_t i = 0; i < ARRAY_SIZE(policies); i++) {
        for (unsigned character = 0; character < 0x100; character++)
            judge_hostile(state, policies[i], character);
        for (unsigned character = 0x2000; character < 0x2070; character++)
            judge_hostile(state, policies[i], character);
        judge_hostile(state, policies[i], 0x61c);
        judge_hostile(state, policies[i], 0xfeff);
    }
}

/* A message is cut between characters, so that what is left is UTF-8 still. */
static void cut_never_splits_a_character(void **state)
{
    for (size_t pad = 0; pad < 8; pad++) {
        char name[400] = "";
        memset(name, 'x', pad);
        for (int i = 0; i < 60; i++)
            strcat(name, i % 2 ? "\xe2\x82\xac" : "\xf0\x9f\x98\x80");
        struct story story = edit();
        story.manager = story.new.entries[0].manager = name;
        story.old.entries[0].manager = name + pad;
        char fields[512];
        snprintf(fields, sizeof(fields), "{'f:spec':{'f:%s':{}}}", name);
        char before[512];
        snprintf(before, sizeof(before), "'spec':{'%s':1}", name);
        story.old.body = before;
        story.old.entries[0].fields = fields;
        expect_printable(parse(state, respond(state, BASELINE, &story)), false);
        expect_printable(parse(state, report(state, BASELINE, &story)), false);
    }
}

/* A finding that is too large for the annotation has fewer fields there, and is not left out: it may be the
 * denial. */
static void largest_finding_is_still_audited(void **state)
{
    char *fields = NULL, *annotations = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&fields, &length);
    FILE *other = open_memstream(&annotations, &length);
    for (int i = 0; i < FINDING_FIELDS_MAX; i++) {
        fprintf(out, "%s.metadata.annotations.{%0150d}", i ? " " : "", i);
        fprintf(other, "%s'%0150d':'1'", i ? "," : "", i);
    }
    fclose(out);
    fclose(other);
    struct story story = {
        .manager = "kubectl-replace",
        .old = {.body = "", .annotations = annotations, .entries = {APPLIES("flux", fields)}},
        .new = {.body = "", .annotations = "'y':'1'", .entries = {UPDATES("kubectl-replace", ".spec.x")}},
    };
    struct slice response = respond(state, STRICT, &story);
    free(fields);
    free(annotations);
    struct slice findings =
        json_text(yyjson_obj_get(response_member(state, response, "auditAnnotations"), "findings"));
    assert_true(findings.length <= AUDIT_FINDINGS_BYTES_MAX);
    expect_part(findings, "\"action\":\"deny\"");
    expect_part(findings, "\"fields\":[\".metadata.annotations.000");
    expect_part(findings, "\"fieldCount\":32");
    expect_part(findings, "\"losers\":[{\"manager\":\"flux\"");
}

static struct slice audited(void **state, const struct story *story)
{
    struct slice response = respond(state, STRICT, story);
    struct slice findings =
        json_text(yyjson_obj_get(response_member(state, response, "auditAnnotations"), "findings"));
    assert_true(findings.length <= AUDIT_FINDINGS_BYTES_MAX);
    expect_part(findings, "\"action\":\"deny\"");
    return findings;
}

/* The field that was lost comes before its previous owners. */
static void the_last_field_outlasts_other_previous_owners(void **state)
{
    char names[FINDING_PREVIOUS_OWNERS_MAX][400];
    struct story story = edit();
    story.old.entries[1] = (struct entry){0};
    for (int i = 0; i < FINDING_PREVIOUS_OWNERS_MAX; i++) {
        snprintf(names[i], sizeof(names[i]), "flux-%0380d", i);
        story.old.entries[i] = (struct entry)APPLIES(names[i], ".spec.replicas");
    }
    struct slice findings = audited(state, &story);
    expect_part(findings, "\"fields\":[\".spec.replicas\"]");
    expect_part(findings, "\"losers\":[{\"manager\":\"flux-000");
}

/* A name that no API server would let through is left out, if it takes all the room. */
static void an_endless_writer_is_left_out(void **state)
{
    char name[8192];
    memset(name, 'm', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    struct story story = edit();
    story.manager = name;
    story.new.entries[0] = (struct entry)APPLIES(name, ".spec.replicas");
    struct slice findings = audited(state, &story);
    assert_false(contains(findings, "\"taker\""));
}

/* A writer that the review does not show is left out. */
static void unknown_writer_is_left_out(void **state)
{
    struct story story = edit();
    story.manager = NULL;
    story.new.entries[0] = (struct entry)UPDATES("helm", ".spec.other");
    story.old.entries[1].fields = ".spec.paused .spec.other";
    struct slice line = report(state, BASELINE, &story);
    expect_part(line, "\"message\":\"Deployment default/web: this request ");
    assert_false(contains(line, "\"taker\""));
}

/* The link to the rule's page ends a line if it fits, and never pushes anything out of it. */
static void links_are_added_where_they_fit(void **state)
{
    static const struct {
        const char *url, *link;
    } cases[] = {
        {"ruleUrl: https://example.com/rules/\n", " https://example.com/rules/ownership-conflict\""},
        {"ruleUrl: https://example.com/rules\n", " https://example.com/rules/ownership-conflict\""},
        {"ruleUrl: 'https://example.com/{rule}.md'\n", " https://example.com/ownership-conflict.md\""},
        {"ruleUrl: ''\n", " [ownership-conflict]\""},
        {"ruleUrl: "
         "https://example.com/a-place-that-is-much-too-long-to-fit-beside-a-warning/of-this-length/\n",
         " [ownership-conflict]\""},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char policy[256];
        snprintf(policy, sizeof(policy), "%s%s", BASELINE, cases[i].url);
        struct story story = edit();
        struct slice answer = respond(state, policy, &story);
        assert_non_null(memmem(answer.bytes, answer.length, cases[i].link, strlen(cases[i].link)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_COURT(answer_without_findings_is_bare),
        IN_COURT(answer_has_the_version_of_the_request),
        IN_COURT(uid_is_echoed_exactly),
        IN_COURT(denial_has_a_status_and_a_line_for_each_finding),
        IN_COURT(warning_is_a_line_for_each_finding),
        IN_COURT(links_are_added_where_they_fit),
        IN_COURT(audit_is_seen_in_annotations_alone),
        IN_COURT(denial_keeps_its_warnings),
        IN_COURT(report_has_its_keys_in_order),
        IN_COURT(report_says_what_enforcing_would_do),
        IN_COURT(report_leaves_out_what_does_not_apply),
        IN_COURT(cut_lists_give_their_counts),
        IN_COURT(findings_without_room_are_counted),
        IN_COURT(warnings_stay_within_their_bounds),
        IN_COURT(audit_annotation_is_bounded_json),
        IN_COURT(largest_finding_is_still_audited),
        IN_COURT(the_last_field_outlasts_other_previous_owners),
        IN_COURT(an_endless_writer_is_left_out),
        IN_COURT(unknown_writer_is_left_out),
        IN_COURT(denial_lines_are_bounded),
        IN_COURT(denials_without_a_line_are_counted),
        IN_COURT(hostile_names_are_printable_everywhere),
        IN_COURT(cut_never_splits_a_character),
    };
    return cmocka_run_group_tests_name("encode", tests, NULL, NULL);
}
