/* Log lines are whole, parseable and printable with any text in them, and no thread waits for their reader.
 */
#include "base/array_size.h"
#include "policy/rules.h"
#include "system/log.h"

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>
#include <yyjson.h>

#include <cmocka.h>

struct fixture {
    int ends[2]; /* of a pipe: where to read, where the log writes */
    struct arena *arena;
    struct log log;
    char text[65536];
};

static int setup_format(void **state, enum log_format format)
{
    static struct fixture fixture;
    assert_int_equal(pipe2(fixture.ends, O_CLOEXEC), 0);
    assert_int_equal(fcntl(fixture.ends[0], F_SETFL, O_NONBLOCK), 0);
    fixture.arena = arena_create();
    assert_non_null(fixture.arena);
    log_open(&fixture.log, fixture.ends[1], format);
    *state = &fixture;
    return 0;
}

static int setup_json(void **state)
{
    return setup_format(state, LOG_JSON);
}

static int setup_text(void **state)
{
    return setup_format(state, LOG_TEXT);
}

static int teardown(void **state)
{
    struct fixture *fixture = *state;
    log_close(&fixture->log);
    arena_destroy(fixture->arena);
    return close(fixture->ends[0]) | close(fixture->ends[1]);
}

static size_t read_log(struct fixture *fixture)
{
    ssize_t length = read(fixture->ends[0], fixture->text, sizeof(fixture->text) - 1);
    assert_true(length > 0);
    fixture->text[length] = '\0';
    return (size_t)length;
}

/* A name with a newline, quotes, controls, broken UTF-8 and a reversed direction forges no line and hides
 * nothing. */
static const char hostile[] = "a\"b\\c\n{\"level\":\"error\"}\r\t\x1b[31m\xff\xe2\x80\xae"
                              "end";

static void hostile_text_stays_one_json_line(void **state)
{
    struct fixture *fixture = *state;
    struct log_line line = log_start(&fixture->log, fixture->arena, LOG_INFO, "review");
    log_add(&line, "user", (struct slice){hostile, sizeof(hostile) - 1});
    log_add_number(&line, "microseconds", 42);
    log_add_list(&line, "rules", (const char *const[]){"a", "b"}, 2);
    log_add_true(&line, "dryRun");
    log_end(&line);
    size_t length = read_log(fixture);
    for (size_t i = 0; i + 1 < length; i++)
        assert_true(fixture->text[i] >= 0x20 && fixture->text[i] < 0x7f);
    assert_int_equal(fixture->text[length - 1], '\n');
    yyjson_doc *document = yyjson_read(fixture->text, length, 0);
    assert_non_null(document);
    yyjson_val *root = yyjson_doc_get_root(document);
    assert_string_equal(yyjson_get_str(yyjson_obj_get(root, "level")), "info");
    assert_string_equal(
        yyjson_get_str(yyjson_obj_get(root, "user")),
        "a\"b\\c\\n{\"level\":\"error\"}\\r\\t\\x1b[31m\\xff\\u202eend");
    assert_int_equal(yyjson_get_uint(yyjson_obj_get(root, "microseconds")), 42);
    assert_int_equal(yyjson_arr_size(yyjson_obj_get(root, "rules")), 2);
    assert_true(yyjson_get_bool(yyjson_obj_get(root, "dryRun")));
    yyjson_doc_free(document);
}

static void hostile_text_stays_one_text_line(void **state)
{
    struct fixture *fixture = *state;
    struct log_line line = log_start(&fixture->log, fixture->arena, LOG_ERROR, "review");
    log_add(&line, "user", (struct slice){hostile, sizeof(hostile) - 1});
    log_end(&line);
    size_t length = read_log(fixture);
    for (size_t i = 0; i + 1 < length; i++)
        assert_true(fixture->text[i] >= 0x20 && fixture->text[i] < 0x7f);
    assert_non_null(strstr(fixture->text, "Z error review user=\"a\\\"b"));
}

/* The longest values that a client can send fit into a line that a pipe takes in one piece, with all other
 * values in the line of a review. */
static void lines_are_never_torn(void **state)
{
    struct fixture *fixture = *state;
    static const char *const keys[] = {"uid", "kind", "subresource", "namespace", "name", "user", "manager"};
    static const char bytes[] = "\x1b\"\\a\xff";
    static char longest[100000];
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    for (size_t i = 0; i < sizeof(bytes) - 1; i++) {
        memset(longest, bytes[i], sizeof(longest));
        struct log_line line = log_start(&fixture->log, fixture->arena, LOG_WARNING, "review");
        for (size_t key = 0; key < ARRAY_SIZE(keys); key++)
            log_add(&line, keys[key], (struct slice){longest, sizeof(longest)});
        log_add_list(&line, "rules", names, RULE_COUNT);
        log_add_list(&line, "denyRules", names, RULE_COUNT);
        for (size_t number = 0; number < 4; number++)
            log_add_number(&line, "microseconds", UINT64_MAX);
        log_end(&line);
        size_t length = read_log(fixture);
        assert_true(length < PIPE_BUF);
        assert_non_null(strstr(fixture->text, "...\""));
        arena_reset(fixture->arena);
    }
}

/* Without a reader, lines are dropped and counted; the next one that gets through says how many. */
static void a_reader_that_hangs_holds_nobody_up(void **state)
{
    struct fixture *fixture = *state;
    enum { LINES = 5000 };
    for (size_t i = 0; i < LINES; i++) {
        struct log_line line = log_start(&fixture->log, fixture->arena, LOG_INFO, "a line of some length");
        log_end(&line);
        arena_reset(fixture->arena);
    }
    size_t whole = 0;
    for (size_t length; (length = read_log(fixture)) > 0;) {
        for (size_t i = 0; i < length; i++)
            whole += fixture->text[i] == '\n';
        if (length < sizeof(fixture->text) - 1)
            break;
    }
    assert_true(whole > 0 && whole < LINES);
    struct log_line line = log_start(&fixture->log, fixture->arena, LOG_INFO, "later");
    log_end(&line);
    size_t length = read_log(fixture);
    char *last = strstr(fixture->text, "{\"time\"");
    assert_non_null(last);
    yyjson_doc *document = yyjson_read(last, length - (size_t)(last - fixture->text), 0);
    assert_non_null(document);
    yyjson_val *dropped = yyjson_obj_get(yyjson_doc_get_root(document), "linesDropped");
    assert_int_equal(yyjson_get_uint(dropped), LINES - whole);
    yyjson_doc_free(document);
}

/* A log leaves alone what it was given, and closes what it opened itself. */
static void the_file_stays_the_callers(void **state)
{
    struct log log;
    int ends[2];
    (void)state;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    log_open(&log, ends[1], LOG_JSON);
    assert_int_equal(log.fd, ends[1]);
    log_close(&log);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    log_open(&log, ends[1], LOG_JSON);
    int own = log.fd;
    assert_int_not_equal(own, ends[1]);
    log_close(&log);
    assert_int_equal(close(own), -1);
    assert_int_equal(close(ends[0]) | close(ends[1]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hostile_text_stays_one_json_line, setup_json, teardown),
        cmocka_unit_test_setup_teardown(hostile_text_stays_one_text_line, setup_text, teardown),
        cmocka_unit_test_setup_teardown(lines_are_never_torn, setup_json, teardown),
        cmocka_unit_test_setup_teardown(lines_are_never_torn, setup_text, teardown),
        cmocka_unit_test_setup_teardown(a_reader_that_hangs_holds_nobody_up, setup_json, teardown),
        cmocka_unit_test(the_file_stays_the_callers),
    };
    return cmocka_run_group_tests_name("webhook log", tests, NULL, NULL);
}
