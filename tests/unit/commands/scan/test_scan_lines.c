/* lines.h: an object has one line, with its late findings. */
#include "commands/scan/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool append(void *context, struct slice line)
{
    strncat(context, line.bytes, line.length);
    return true;
}

static bool stop(void *context, struct slice line)
{
    (void)line;
    ++*(int *)context;
    return false;
}

static void late_findings_join_the_line(void **state)
{
    (void)state;
    struct scan_lines lines;
    char all[512] = "";
    int visited = 0;
    assert_true(scan_lines_start(&lines));
    assert_true(scan_lines_add(&lines, 1, SLICE("{\"name\":\"a\",\"findings\":[{\"rule\":\"x\"}]}\n")));
    assert_true(scan_lines_add(&lines, 2, SLICE("{\"name\":\"b\",\"findings\":[{\"rule\":\"x\"}]}\n")));
    assert_true(scan_lines_add(&lines, 1, SLICE("{\"name\":\"a\",\"findings\":[{\"rule\":\"z\"}]}\n")));
    assert_true(scan_lines_add_late(&lines, 9, SLICE("{\"name\":\"c\",\"findings\":[{\"rule\":\"y\"}]}\n")));
    assert_true(scan_lines_add_late(&lines, 1, SLICE("{\"name\":\"a\",\"findings\":[{\"rule\":\"y\"}]}\n")));
    assert_true(scan_lines_read(&lines, append, all));
    assert_string_equal(
        all,
        "{\"name\":\"a\",\"findings\":[{\"rule\":\"x\"},{\"rule\":\"y\"}]}\n"
        "{\"name\":\"b\",\"findings\":[{\"rule\":\"x\"}]}\n"
        "{\"name\":\"a\",\"findings\":[{\"rule\":\"z\"}]}\n"
        "{\"name\":\"c\",\"findings\":[{\"rule\":\"y\"}]}\n");
    assert_true(scan_lines_read(&lines, stop, &visited));
    scan_lines_release(&lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_findings_join_the_line),
    };
    return cmocka_run_group_tests_name("lines of a scan", tests, NULL, NULL);
}
