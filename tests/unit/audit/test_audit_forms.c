/* Audit logs as cloud providers hand them out: each form shows the same requests. */
#include "audit/decode.h"
#include "base/json.h"
#include "tests/unit/audit/audit_told.h"
#include "tests/unit/log_file.h"
#include "tests/unit/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#ifdef APPLYGUARD_ZSTD
#include <zstd.h>
#endif

#define HEAD                                                                                                 \
    "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"level\":\"RequestResponse\",\"stage\":"        \
    "\"ResponseComplete\","

/* The rest of an event of a second, of a user. */
#define REST(second, user)                                                                                   \
    "\"auditID\":\"" second "\",\"verb\":\"patch\",\"user\":{\"username\":\"" user                           \
    "\"},\"responseStatus\":{\"code\":200},\"stageTimestamp\":\"2026-11-23T10:00:" second ".000000Z\"}"

/* The same as text within JSON. */
#define QUOTED(second, user)                                                                                 \
    "\"{\\\"kind\\\":\\\"Event\\\",\\\"apiVersion\\\":\\\"audit.k8s.io/v1\\\",\\\"auditID\\\":\\\"" second   \
    "\\\",\\\"stage\\\":\\\"ResponseComplete\\\",\\\"user\\\":{\\\"username\\\":\\\"" user                   \
    "\\\"},\\\"stageTimestamp\\\":\\\"2026-11-23T10:00:" second ".000000Z\\\"}\\n\""

/* An entry of Cloud Logging. */
#define ENTRY(second, user)                                                                                  \
    "{\"insertId\":\"" second "\",\"protoPayload\":{\"@type\":\"type.googleapis.com/"                        \
    "google.cloud.audit.AuditLog\",\"authenticationInfo\":{\"principalEmail\":\"" user                       \
    "\"},\"methodName\":\"io.k8s.core.v1.configmaps.patch\",\"resourceName\":\"core/v1/namespaces/n/"        \
    "configmaps/c\",\"serviceName\":\"k8s.io\",\"status\":{\"code\":0}},\"receiveTimestamp\":"               \
    "\"2026-11-23T10:00:" second ".000000482Z\",\"timestamp\":\"2026-11-23T10:00:" second "Z\"}"

static void assert_told(const char *text, const char *expected)
{
    for (int is_packed = 0; is_packed < 2; is_packed++) {
        struct log_file file = log_file_of(slice_of(text), is_packed);
        const char *path = file.path;
        char told[4096];
        audit_tell(&path, 1, told, sizeof(told));
        assert_string_equal(told, expected);
        log_file_close(&file);
    }
}

static void lists_of_the_webhook_backend(void **state)
{
    (void)state;
    assert_told(
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"metadata\":{},\"items\":[{\"stage\":"
        "\"ResponseComplete\"," REST("01", "a") ",{\"stage\":\"ResponseStarted\"},{\"stage\":"
                                                "\"ResponseComplete\"," REST("02", "b") "]}\n" HEAD REST(
                                                    "03", "c") "\n",
        " a b c");
    assert_told(
        "{\n  \"kind\": \"EventList\",\n  \"apiVersion\": \"audit.k8s.io/v1\",\n  \"items\": [\n    "
        "{\"stage\":\"ResponseComplete\"," REST("01", "a") ",\n    5\n  ]\n}\n",
        " a 6:it is not an Event of audit.k8s.io/v1");
}

static void cloudwatch(void **state)
{
    (void)state;
    assert_told(
        "{\"messageType\":\"DATA_MESSAGE\",\"owner\":\"1\",\"logGroup\":\"g\",\"logStream\":\"s\","
        "\"subscriptionFilters\":[\"audit\"],\"logEvents\":[{\"id\":\"1\",\"timestamp\":1795738334827,"
        "\"message\":" QUOTED(
            "01",
            "a") "},{\"id\":\"2\",\"timestamp\":1,\"message\":\"I1126 klog\"}]}"
                 "{\"messageType\":\"DATA_MESSAGE\",\"logEvents\":[{\"timestamp\":1,\"message\":" QUOTED(
                     "02", "b") "}]}\n",
        " a b");
    assert_told(
        "{\n    \"events\": [\n        {\n            \"timestamp\": 1,\n            \"message\": " QUOTED(
            "01", "a") "\n        },\n        {\n            \"timestamp\": 2,\n            "
                       "\"message\": " QUOTED("02", "b") "\n        }\n    ],\n    \"searchedLogStreams\": "
                                                         "[]\n}\n",
        " a b");
}

static void azure(void **state)
{
    (void)state;
    assert_told(
        "{\"records\": [{\"category\": \"kube-audit\", \"time\": \"2026-11-23T10:00:01.1Z\", \"properties\": "
        "{\"log\": " QUOTED(
            "01",
            "a") "}}, {\"category\": \"kube-apiserver\", \"properties\": {\"log\": "
                 "\"{klog\"}}]}\n{\"category\": \"kube-audit-admin\", \"time\": \"2026-11-23T10:00:02Z\", "
                 "\"properties\": {\"log\": " QUOTED("02", "b") "}}\n",
        " a b");
}

static void cloud_logging(void **state)
{
    (void)state;
    assert_told(ENTRY("01", "a") "\n" ENTRY("02", "b") "\n", " a b");
    assert_told("[" ENTRY("01", "a") "," ENTRY("02", "b") "]", " a b");
    assert_told(
        "[\n  " ENTRY("03", "c") ",\n  " ENTRY("03", "b") ",\n  " ENTRY("01", "a") "\n]\n" ENTRY("04", "d"),
        " a b c d");
    assert_told("[]\n[]\n[\n]\n" ENTRY("01", "a"), " a");
    assert_told(
        "[" ENTRY("02", "b") ",7," ENTRY("01", "a") "]", " a 1:it is not an Event of audit.k8s.io/v1 b");
    /* Other services of the project. */
    assert_told("{\"protoPayload\":{\"@type\":\"type.googleapis.com/other\"}}\n" ENTRY("01", "a"), " a");
}

static void containers_that_break_off(void **state)
{
    (void)state;
    assert_told("[\n" ENTRY("01", "a") ",\n", " a 3:the log ends within this line");
    assert_told(
        "[" ENTRY("02", "b") "," ENTRY("01", "a") ",{\"insertId", " a b 1:the log ends within this line");
    assert_told(
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"items\":[{\"stage\":\"Resp\n" HEAD REST(
            "01", "a") "\n",
        " 1:it is not JSON a");
    assert_told("{\"events\": {}}\n" HEAD REST("01", "a") "\n", " 1:it is not an Event of audit.k8s.io/v1 a");
}

static void an_element_without_end(void **state)
{
    size_t length = ((size_t)16 << 20) + 1;
    char *text = malloc(length + 2048);
    (void)state;
    assert_non_null(text);
    strcpy(text, "[{\"a\":\"");
    size_t head = strlen(text);
    memset(text + head, 'x', length);
    strcpy(text + head + length, "\"}," ENTRY("01", "a") "]\n");
    assert_told(text, " a 1:it is longer than 16 MiB");
    free(text);
}

#ifdef APPLYGUARD_ZSTD

/* Two packed parts, with plain text behind them; and one whose end is missing. */
static void zstd(void **state)
{
    static const char first[] = HEAD REST("01", "a") "\n", last[] = HEAD REST("02", "b") "\n";
    char packed[4096], cut[4096];
    size_t length = 0;
    (void)state;
    for (int i = 0; i < 2; i++) {
        const char *part = i ? last : first;
        length += ZSTD_compress(packed + length, sizeof(packed) - length, part, strlen(part), 1);
    }
    memcpy(cut, packed, length);
    memcpy(packed + length, HEAD REST("03", "c"), sizeof(HEAD REST("03", "c")) - 1);
    const struct slice texts[] = {{packed, length + sizeof(HEAD REST("03", "c")) - 1}, {cut, length - 5}};
    const char *const expected[] = {" a b c", " a 1:it is packed with zstd, and its end is missing"};
    for (size_t i = 0; i < 2; i++) {
        struct log_file file = log_file_of(texts[i], false);
        const char *path = file.path;
        char told[4096];
        audit_tell(&path, 1, told, sizeof(told));
        assert_string_equal(told, expected[i]);
        log_file_close(&file);
    }
}

#endif

/* One event, whose members are there for who replays it. */
static struct audit_event read_event(const char *text, struct arena *arena)
{
    struct audit_event event = {0};
    struct error error = {0};
    yyjson_doc *document = json_read(slice_of(text), 0, arena, NULL);
    assert_non_null(document);
    assert_int_equal(
        audit_decode(yyjson_doc_get_root(document), false, arena, &event, &error), AUDIT_DECODED);
    return event;
}

/* The members before the end are there, and the time is that of the wrapping. */
static void an_event_that_is_cut(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct audit_event event = read_event(
        "{\"timestamp\":1795738334827,\"message\":\"{\\\"kind\\\":\\\"Event\\\",\\\"apiVersion\\\":"
        "\\\"audit.k8s.io/v1\\\",\\\"auditID\\\":\\\"i\\\",\\\"stage\\\":\\\"ResponseComplete\\\","
        "\\\"requestURI\\\":\\\"/x?fieldManager=m\\\",\\\"verb\\\":\\\"patch\\\",\\\"responseStatus\\\":"
        "{\\\"code\\\":201},\\\"requestObject\\\":{\\\"a\\\":{}},\\\"responseObject\\\":{\\\"kind\\\":"
        "\\\"Conf[Truncated...]\"}",
        arena);
    assert_text(event.id, "i");
    assert_text(event.manager, "m");
    assert_int_equal(event.code, 201);
    assert_true(event.request && !event.response && event.is_truncated);
    assert_text(event.ended, "2026-11-27T00:12:14.827000Z");
    assert_text(event.started, "2026-11-27T00:12:14.827000Z");
    event = read_event(
        "{\"category\":\"kube-audit\",\"time\":\"2026-11-27T00:12:14.8279050Z\",\"properties\":{\"log\":"
        "\"{\\\"kind\\\":\\\"Event\\\",\\\"apiVersion\\\":\\\"audit.k8s.io/v1\\\",\\\"stage\\\":"
        "\\\"ResponseComplete\\\",\\\"responseObject\\\":{},\\\"stageTimes\"}}",
        arena);
    assert_true(event.response && !event.is_truncated);
    assert_text(event.ended, "2026-11-27T00:12:14.827905Z");
    event = read_event(
        HEAD "\"responseObject\":\"skipped-too-big-size-object\",\"annotations\":{\"audit.k8s.io/truncated\":"
             "\"false\"}}",
        arena);
    assert_true(!event.response && event.is_truncated);
    event = read_event(HEAD "\"annotations\":{\"audit.k8s.io/truncated\":\"true\"}}", arena);
    assert_true(event.is_truncated);
    arena_destroy(arena);
}

static void all_of_an_entry(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct audit_event event = read_event(
        "{\"insertId\":\"i\",\"labels\":{\"command.gke.io/dryRun\":\"true\"},\"protoPayload\":{\"@type\":"
        "\"type.googleapis.com/google.cloud.audit.AuditLog\",\"authenticationInfo\":{\"principalEmail\":"
        "\"jane\"},\"methodName\":\"io.k8s.apps.v1.deployments.scale.update\",\"request\":{\"@type\":"
        "\"autoscaling.k8s.io/v1.Scale\",\"kind\":\"Scale\"},\"requestMetadata\":{"
        "\"callerSuppliedUserAgent\":\"kubectl/v1\"},\"resourceName\":\"apps/v1/namespaces/n/deployments/web/"
        "scale\",\"response\":{\"@type\":\"x\",\"kind\":\"Status\",\"code\":409},\"serviceName\":\"k8s.io\","
        "\"status\":{\"code\":10}},\"receiveTimestamp\":\"2026-11-27T00:12:14.827905482Z\",\"timestamp\":"
        "\"2026-11-27T00:12:14Z\"}",
        arena);
    assert_text(event.id, "i");
    assert_text(event.verb, "update");
    assert_text(event.user, "jane");
    assert_text(event.manager, "kubectl");
    assert_text(event.object.group, "apps");
    assert_text(event.object.version, "v1");
    assert_text(event.object.namespace, "n");
    assert_text(event.object.resource, "deployments");
    assert_text(event.object.name, "web");
    assert_text(event.object.subresource, "scale");
    assert_int_equal(event.code, 409);
    assert_true(event.is_dry_run && event.lacks_options && event.status == event.response);
    assert_int_equal(yyjson_obj_size(event.request), 1);
    assert_text(event.started, "2026-11-27T00:12:14.000000Z");
    assert_text(event.ended, "2026-11-27T00:12:14.827905Z");
    arena_destroy(arena);
}

/* The texts of the responses in a log, each behind a space; "-": the log does not have it as a part. */
static void assert_response_texts(const char *text, const char *expected)
{
    struct log_file file = log_file_of(slice_of(text), false);
    const char *path = file.path;
    struct audit_logs *logs = audit_logs_open(&path, 1);
    struct audit_entry entry;
    struct error error = {0};
    char told[4096] = "";
    while (audit_logs_next(logs, &entry, &error) == AUDIT_EVENT) {
        struct slice response = entry.event.response_text;
        size_t length = strlen(told);
        if (!response.length)
            response = SLICE("-");
        snprintf(told + length, sizeof(told) - length, " %.*s", (int)response.length, response.bytes);
    }
    assert_string_equal(told, expected);
    audit_logs_close(logs);
    log_file_close(&file);
}

#define RESPONSE(number, response) HEAD "\"auditID\":\"" number "\",\"responseObject\":" response
#define TIMES                                                                                                \
    "\"requestReceivedTimestamp\":\"2026-11-23T10:00:00Z\",\"stageTimestamp\":\"2026-11-23T10:00:01Z\"}"

/* A wrong part would be kept as the object before the next write. */
static void the_text_of_a_response(void **state)
{
    (void)state;
    assert_response_texts(
        RESPONSE("1", "{\"a\":\"\\u003c}\\\",\",\"b\":[1]},") TIMES, " {\"a\":\"\\u003c}\\\",\",\"b\":[1]}");
    assert_response_texts(RESPONSE("1", "{},") TIMES RESPONSE("2", "{\"a\":{}},") TIMES, " {} {\"a\":{}}");
    assert_response_texts("[" RESPONSE("1", "{\"a\":{}},") TIMES "]", " {\"a\":{}}");
    assert_response_texts(
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"items\":[" RESPONSE("1", "{\"a\":1},")
            TIMES "," RESPONSE("2", "{\"a\":2},") TIMES "]}",
        " {\"a\":1} {\"a\":2}");
    /* Nothing, a text, blanks, another member between or in front, an escaped name, no time. */
    assert_response_texts(HEAD "\"auditID\":\"1\"," TIMES, " -");
    assert_response_texts(RESPONSE("1", "\"cut\",") TIMES, " -");
    assert_response_texts(RESPONSE("1", "{\"a\":1} ,") TIMES, " -");
    assert_response_texts(RESPONSE("1", " {\"a\":1},") TIMES, " -");
    assert_response_texts(RESPONSE("1", "{\"a\":1},\"x\":{},") TIMES, " -");
    assert_response_texts(RESPONSE("1", "{\"a\":1},\"x\":{\"requestReceivedTimestamp\":\"\"},") TIMES, " -");
    assert_response_texts(HEAD "\"response\\u004fbject\":{\"a\":1}," TIMES, " -");
    assert_response_texts(
        HEAD "\"requestReceivedTimestamp\":\"2026-11-23T10:00:00Z\",\"responseObject\":{\"a\":1}}", " -");
    assert_response_texts(RESPONSE("1", "{\"a\":1}}"), " -");
    /* An event inside a string lies elsewhere. */
    assert_response_texts(
        "[\"{\\\"kind\\\":\\\"Event\\\",\\\"apiVersion\\\":\\\"audit.k8s.io/v1\\\",\\\"stage\\\":"
        "\\\"ResponseComplete\\\",\\\"responseObject\\\":{\\\"a\\\":1},\\\"requestReceivedTimestamp\\\":"
        "\\\"2026-11-23T10:00:00Z\\\"}\"]",
        " -");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_the_webhook_backend),
        cmocka_unit_test(cloudwatch),
        cmocka_unit_test(azure),
        cmocka_unit_test(cloud_logging),
        cmocka_unit_test(containers_that_break_off),
        cmocka_unit_test(an_element_without_end),
#ifdef APPLYGUARD_ZSTD
        cmocka_unit_test(zstd),
#endif
        cmocka_unit_test(an_event_that_is_cut),
        cmocka_unit_test(the_text_of_a_response),
        cmocka_unit_test(all_of_an_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
