/* The API server's audit logs: what is read of them, and in which order. */
#include "audit/decode.h"
#include "audit/logs.h"
#include "audit/request_uri.h"
#include "audit/seen_events.h"
#include "tests/unit/audit/audit_told.h"
#include "tests/unit/log_file.h"
#include "tests/unit/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"stage\":\"ResponseComplete\","

/* An event of a second, of a user. */
#define EVENT(second, user)                                                                                  \
    HEAD "\"auditID\":\"" second "\",\"verb\":\"patch\",\"user\":{\"username\":\"" user                      \
         "\"},\"stageTimestamp\":\"2026-11-23T10:00:" second ".000000Z\"}\n"

#define FILES_MAX 4

/* The users of the events, and the errors with their lines, each behind a space. */
static void assert_told(const char *const *texts, size_t count, bool is_packed, const char *expected)
{
    struct log_file files[FILES_MAX];
    const char *paths[FILES_MAX] = {NULL};
    char told[4096];
    for (size_t i = 0; i < count; i++) {
        files[i] = log_file_of(slice_of(texts[i]), is_packed);
        paths[i] = files[i].path;
    }
    audit_tell(paths, count, told, sizeof(told));
    assert_string_equal(told, expected);
    for (size_t i = 0; i < count; i++)
        log_file_close(&files[i]);
}

static void assert_one(const char *text, const char *expected)
{
    assert_told(&text, 1, false, expected);
    assert_told(&text, 1, true, expected);
}

/* Logs of two API servers of the same time, and a rotated one, in any order. */
static void logs_are_merged_by_time(void **state)
{
    const char *const texts[] = {
        EVENT("05", "e") EVENT("07", "g"), EVENT("01", "a") EVENT("04", "d") EVENT("06", "f"),
        EVENT("02", "b") EVENT("03", "c"), ""};
    (void)state;
    assert_told(texts, 4, false, " a b c d e f g");
    assert_told(texts, 4, true, " a b c d e f g");
}

/* The API server writes requests that end at nearly the same time in any order. */
static void a_log_is_put_in_order(void **state)
{
    (void)state;
    assert_one(EVENT("02", "b") EVENT("01", "a") EVENT("04", "d") EVENT("03", "c"), " a b c d");
    assert_one(EVENT("02", "b") "{\n" EVENT("01", "a"), " a b 2:it is not JSON");
}

static void a_request_is_told_once(void **state)
{
    const char *const twice[] = {EVENT("01", "a") EVENT("02", "b"), EVENT("01", "a") EVENT("02", "b")};
    (void)state;
    assert_told(twice, 2, false, " a b");
    /* Byte order marks, of two files that were joined. */
    assert_one("\xef\xbb\xbf" EVENT("01", "a") "\xef\xbb\xbf" EVENT("02", "b"), " a b");
    assert_one(EVENT("01", "a") EVENT("01", "a"), " a");
}

/* However many others lie between: the same logs give the same requests each time. */
static void as_many_as_promised_are_remembered(void **state)
{
    (void)state;
    struct seen_events *seen = calloc(1, sizeof(*seen));
    assert_non_null(seen);
    for (size_t first = 0; first < 5 * SEEN_EVENTS_MIN; first += SEEN_EVENTS_MIN) {
        for (int round = 0; round < 3; round++) {
            for (size_t number = first; number < first + SEEN_EVENTS_MIN; number++) {
                char id[32];
                int length = snprintf(id, sizeof(id), "%zu", number);
                const struct audit_event event = {.id = {id, (size_t)length}};
                assert_int_equal(seen_events_add(seen, &event), round > 0);
            }
        }
    }
    free(seen);
}

/* A request with the audit ID of another one is still shown. */
static void audit_ids_are_chosen_by_clients(void **state)
{
    (void)state;
    assert_one(
        HEAD "\"auditID\":\"x\",\"user\":{\"username\":\"a\"},\"stageTimestamp\":\"1\"}\n" HEAD
             "\"auditID\":\"x\",\"user\":{\"username\":\"b\"},\"stageTimestamp\":\"2\"}\n",
        " a b");
    assert_one(
        HEAD "\"auditID\":\"x\",\"user\":{\"username\":\"a\"},\"objectRef\":{\"namespace\":\"one\"}}\n" HEAD
             "\"auditID\":\"x\",\"user\":{\"username\":\"a\"},\"objectRef\":{\"namespace\":\"two\"}}\n",
        " a a");
}

/* Clients choose the URI, and memory must not grow with what they write there. */
static void many_options_of_a_request(void **state)
{
    static const char options[] = "?a&b=&fieldManager=jane+%26+joe&force=false&dryRun=All&";
    const size_t many = (size_t)1 << 20, length = sizeof(options) - 1;
    struct arena *arena = arena_create();
    char *uri = malloc(many);
    (void)state;
    assert_non_null(arena);
    assert_non_null(uri);
    memset(uri, '&', many);
    memcpy(uri, options, length);
    struct request_options read = request_options_read((struct slice){uri, many}, arena);
    assert_true(slice_equal(read.manager, SLICE("jane & joe")));
    assert_true(read.is_dry_run && !read.is_forced);
    assert_true(arena_taken(arena) < many);
    free(uri);
    arena_destroy(arena);
}

static void only_what_has_ended_counts(void **state)
{
    static const char *const stages[] = {"RequestReceived", "ResponseStarted", "", "responsecomplete"};
    (void)state;
    for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        char text[512];
        snprintf(
            text, sizeof(text),
            "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",\"stage\":\"%s\"}\n%s", stages[i],
            EVENT("01", "a"));
        assert_one(text, " a");
    }
}

static void lists(void **state)
{
    (void)state;
    assert_one(
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"items\":[{\"stage\":"
        "\"ResponseComplete\",\"user\":{\"username\":\"a\"},\"stageTimestamp\":\"1\"},3,{\"stage\":"
        "\"ResponseStarted\"}"
        ","
        "{\"stage\":\"ResponseComplete\",\"user\":{\"username\":\"b\"},\"stageTimestamp\":\"2\"}]}\n" EVENT(
            "03", "c"),
        " a 1:it is not an Event of audit.k8s.io/v1 b c");
    assert_one(
        "{\"kind\":\"EventList\",\"apiVersion\":\"audit.k8s.io/v1\",\"items\":[]}\n" EVENT("01", "a"), " a");
    assert_one(
        "{\"kind\":\"EventList\",\"apiVersion\":\"v1\",\"items\":[]}\n",
        " 1:it is not an Event of audit.k8s.io/v1");
}

static void broken_lines(void **state)
{
    (void)state;
    assert_one(EVENT("01", "a") "{\n\n" EVENT("02", "b"), " a 2:it is not JSON b");
    assert_one(EVENT("01", "a") "{\"kind\":\"Ev", " a 2:the log ends within this line");
    assert_one("", "");
    assert_one("\n\r\n \t\n", "");
}

static void a_line_without_end(void **state)
{
    size_t length = ((size_t)16 << 20) + 1;
    char *text = malloc(length + sizeof(EVENT("01", "a")) + 1);
    (void)state;
    assert_non_null(text);
    memset(text, ' ', length);
    strcpy(text + length, "\n" EVENT("01", "a"));
    assert_one(text, " 1:it is longer than 16 MiB a");
    text[length] = ' ';
    text[length + 1] = '\0';
    assert_one(text, " 1:it is longer than 16 MiB");
    text[length - 1] = '\0';
    assert_one(text, "");
    free(text);
}

static void what_is_no_log_is_refused_in_few_lines(void **state)
{
    (void)state;
    assert_one(
        "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
        " 1:it is not an Event of audit.k8s.io/v1 2:it is not an Event of audit.k8s.io/v1 3:it is "
        "not an Event of audit.k8s.io/v1 4:it is not an Event of audit.k8s.io/v1 5:it is not an "
        "Event of audit.k8s.io/v1 6:it is not an Event of audit.k8s.io/v1 7:it is not an Event "
        "of audit.k8s.io/v1 8:it is not an Event of audit.k8s.io/v1 9:it is not an Event of "
        "audit.k8s.io/v1 10:it is not an Event of audit.k8s.io/v1 0:2 more lines are not readable "
        "events");
}

/* One event, whose members are there for who replays it. */
static struct audit_event read_event(const char *text, struct arena *arena)
{
    struct audit_event event = {0};
    struct error error = {0};
    yyjson_alc allocator = arena_yyjson(arena);
    char *copy = strcpy(arena_allocate(arena, strlen(text) + 1), text);
    yyjson_doc *document = yyjson_read_opts(copy, strlen(copy), 0, &allocator, NULL);
    assert_int_equal(
        audit_decode(yyjson_doc_get_root(document), false, arena, &event, &error), AUDIT_DECODED);
    return event;
}

static void all_of_an_event(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct audit_event event = read_event(
        HEAD
        "\"level\":\"RequestResponse\",\"auditID\":\"i\",\"requestURI\":\"/apis/apps/v1/namespaces/n/"
        "deployments/web/scale?fieldManager=a%20b&force=true&dryRun=All&fieldValidation=Strict\","
        "\"verb\":\"patch\",\"user\":{\"username\":\"jane\"},\"impersonatedUser\":{\"username\":\"joe\"},"
        "\"userAgent\":\"kubectl/v1\",\"objectRef\":{\"resource\":\"deployments\",\"namespace\":\"n\","
        "\"name\":\"web\",\"uid\":\"u\",\"apiGroup\":\"apps\",\"apiVersion\":\"v1\",\"subresource\":"
        "\"scale\"},\"responseStatus\":{\"code\":200},\"requestObject\":{},\"responseObject\":{},"
        "\"requestReceivedTimestamp\":\"s\",\"stageTimestamp\":\"e\"}",
        arena);
    assert_int_equal(event.level, AUDIT_REQUEST_RESPONSE);
    assert_text(event.id, "i");
    assert_text(event.user, "joe");
    assert_text(event.impersonator, "jane");
    assert_text(event.manager, "a b");
    assert_text(event.object.resource, "deployments");
    assert_text(event.object.namespace, "n");
    assert_text(event.object.name, "web");
    assert_text(event.object.uid, "u");
    assert_text(event.object.group, "apps");
    assert_text(event.object.version, "v1");
    assert_text(event.object.subresource, "scale");
    assert_text(event.started, "s");
    assert_text(event.ended, "e");
    assert_true(event.is_forced && event.is_dry_run && event.request && event.response && event.status);
    assert_true(audit_is_write(&event) && !audit_is_done(&event));
    arena_destroy(arena);
}

static void nothing_of_an_event(void **state)
{
    struct arena *arena = arena_create();
    (void)state;
    struct audit_event event = read_event(
        HEAD "\"verb\":3,\"user\":[],\"userAgent\":{},\"objectRef\":\"\",\"responseStatus\":{\"code\":99999},"
             "\"requestURI\":null}",
        arena);
    assert_true(!event.code && !event.is_forced && !event.is_dry_run && !event.request);
    assert_true(!event.manager.length && !event.user.length && !event.object.name.length);
    assert_false(audit_is_write(&event));
    assert_false(audit_is_done(&event));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_merged_by_time),
        cmocka_unit_test(a_log_is_put_in_order),
        cmocka_unit_test(a_request_is_told_once),
        cmocka_unit_test(as_many_as_promised_are_remembered),
        cmocka_unit_test(audit_ids_are_chosen_by_clients),
        cmocka_unit_test(many_options_of_a_request),
        cmocka_unit_test(only_what_has_ended_counts),
        cmocka_unit_test(lists),
        cmocka_unit_test(broken_lines),
        cmocka_unit_test(a_line_without_end),
        cmocka_unit_test(what_is_no_log_is_refused_in_few_lines),
        cmocka_unit_test(all_of_an_event),
        cmocka_unit_test(nothing_of_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
