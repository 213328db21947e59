/*
 * Inputs that are made to cost much: each is an error with its place, or read within the limits, and what
 * comes after it is read. With APPLYGUARD_TORTURE=all they are as large as their names say.
 */
#include "tests/unit/manifest/manifest_fixture.h"

#include <errno.h>

#define HEAD "apiVersion: v1\nkind: A\n"
#define SAID "{\"apiVersion\":\"v1\",\"kind\":\"A\"}\n"

static bool is_full(void)
{
    const char *wanted = getenv("APPLYGUARD_TORTURE");
    return wanted && strcmp(wanted, "all") == 0;
}

/* An input that is made while it is read: a head, a text many times, a tail. */
struct endless {
    struct slice head;
    struct slice repeated;
    size_t times;
    struct slice tail;
    struct slice rest; /* of what is being read of `repeated` */
};

static ptrdiff_t generate(void *context, void *bytes, size_t size)
{
    struct endless *input = context;
    if (input->head.length)
        return manifest_read_slice(&input->head, bytes, size);
    size_t filled = 0;
    while (filled < size && (input->rest.length || input->times)) {
        if (!input->rest.length) {
            input->rest = input->repeated;
            input->times--;
        }
        filled += (size_t)manifest_read_slice(&input->rest, (char *)bytes + filled, size - filled);
    }
    return filled ? (ptrdiff_t)filled : manifest_read_slice(&input->tail, bytes, size);
}

struct count {
    size_t objects;
    size_t errors;
    struct error first;
};

static struct count read_endless(struct endless input, const struct manifest_limits *limits)
{
    struct manifest_reader *reader = manifest_open(generate, &input, limits);
    struct count count = {0};
    struct manifest_object object;
    struct error error;
    enum manifest_result result;
    assert_non_null(reader);
    while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        count.objects += result == MANIFEST_OBJECT;
        if (result == MANIFEST_ERROR && count.errors++ == 0)
            count.first = error;
    }
    manifest_close(reader);
    return count;
}

static void assert_one_error(const struct count *count, unsigned line, const char *because)
{
    assert_int_equal(count->errors, 1);
    assert_int_equal(count->objects, 1);
    assert_int_equal(count->first.line, line);
    if (!strstr(count->first.message, because))
        fail_msg("%s", count->first.message);
}

static void a_million_documents(void **state)
{
    (void)state;
    size_t times = is_full() ? 1000000 : 20000;
    struct count count = read_endless(
        (struct endless){.repeated = SLICE(HEAD "x: &a [1, 2]\ny: *a\n---\n"), .times = times}, NULL);
    assert_int_equal(count.objects, times);
    assert_int_equal(count.errors, 0);
    count = read_endless(
        (struct endless){.repeated = SLICE("{\"kind\":\"A\",\"apiVersion\":\"v1\"} "), .times = times}, NULL);
    assert_int_equal(count.objects, times);
    count = read_endless((struct endless){.repeated = SLICE("---\n"), .times = times}, NULL);
    assert_int_equal(count.objects + count.errors, 0);
}

static void a_gigabyte_of_one_scalar(void **state)
{
    (void)state;
    size_t times = (is_full() ? (size_t)1024 : 8) * 1024 * 1024 / 8;
    const struct manifest_limits limits = {1024 * 1024, MANIFEST_NODES_MAX, MANIFEST_TEXT_BYTES_MAX};
    const struct slice tail = SLICE("\n---\n" HEAD);
    struct count count = read_endless(
        (struct endless){.head = SLICE(HEAD "x: "), .repeated = SLICE("abcdefgh"), times, .tail = tail},
        &limits);
    assert_one_error(&count, 1, "larger than 1048576 bytes");
    count = read_endless(
        (struct endless){.head = SLICE(HEAD "x: |\n"), .repeated = SLICE("  abcde\n"), times, .tail = tail},
        &limits);
    assert_one_error(&count, 1, "larger than 1048576 bytes");
    count = read_endless(
        (struct endless){
            .head = SLICE("{\"x\":\""),
            .repeated = SLICE("abcdefgh"),
            times,
            .tail = SLICE("\"} {\"kind\":\"A\",\"apiVersion\":\"v1\"}")},
        &limits);
    assert_one_error(&count, 1, "larger than 1048576 bytes");
}

static void ten_thousand_levels(void **state)
{
    (void)state;
    const struct slice tail = SLICE("\n---\n" HEAD);
    static const char *const openings[] = {"[", "{a: ", "- ", "? ", "{? ", "[[{a: "};
    for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
        struct count count = read_endless(
            (struct endless){
                .head = SLICE(HEAD "x:\n "), .repeated = slice_of(openings[i]), 10000, .tail = tail},
            NULL);
        assert_one_error(&count, 4, "");
    }
    struct count count = read_endless(
        (struct endless){.head = SLICE("{\"a\":"), .repeated = SLICE("[{\"a\":"), 10000, .tail = tail}, NULL);
    assert_int_equal(count.errors, 1);
}

static void alias_bombs(void **state)
{
    (void)state;
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof(text), HEAD "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++)
        length += (size_t)snprintf(
            text + length, sizeof(text) - length,
            "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1, i - 1, i - 1, i - 1,
            i - 1, i - 1, i - 1, i - 1);
    snprintf(text + length, sizeof(text) - length, "---\n" HEAD);
    char *said = read_all(slice_of(text), NULL);
    assert_non_null(strstr(said, "kubectl refuses this: most of the document comes from aliases"));
    assert_non_null(strstr(said, SAID));
    free(said);
    assert_reads(HEAD "x: &a [*a]\n", "3:8: this alias is inside the value that it refers to\n");
    assert_reads(HEAD "x: &a {<<: *a}\n", "3:12: this alias is inside the value that it refers to\n");
}

static void many_of_everything(void **state)
{
    (void)state;
    const struct manifest_limits limits = {4 * 1024 * 1024, 100000, 1024 * 1024};
    const struct slice tail = SLICE("\n---\n" HEAD);
    const size_t times = 110000; /* more than the nodes that are allowed */
    static const char *const repeated[] = {"- a\n", "? a\n",   "- &a b\n",   "- *a\n",
                                           "-\n",   "- [a]\n", "- !!str a\n"};
    for (size_t i = 0; i < sizeof(repeated) / sizeof(repeated[0]); i++) {
        struct count count = read_endless(
            (struct endless){
                .head = SLICE(HEAD "x:\n"), .repeated = slice_of(repeated[i]), times, .tail = tail},
            &limits);
        assert_int_equal(count.objects + count.errors, 2);
    }
    struct count count = read_endless(
        (struct endless){
            .head = SLICE("# c\n"), .repeated = SLICE("%TAG !a! tag:x,2000:\n"), times, .tail = tail},
        &limits);
    assert_one_error(&count, 2, "directives");
    count = read_endless(
        (struct endless){
            .head = SLICE(HEAD),
            .repeated = SLICE("# applyguard:waive a b\n"),
            times,
            .tail = SLICE("x: 1\n")},
        &limits);
    assert_int_equal(count.objects, 1);
}

/* Each line begins a value that does not end, so that each could be searched for its end up to the last. */
static void values_that_do_not_end(void **state)
{
    (void)state;
    static const char *const openings[] = {"{\n", "{\"\n", "{x\n"};
    for (size_t i = 0; i < sizeof(openings) / sizeof(openings[0]); i++) {
        struct count count = read_endless(
            (struct endless){
                .head =
                    SLICE("{\"kind\":\"A\",\"apiVersion\":\"v1\"} {\"kind\":\"A\",\"apiVersion\":\"v1\"}\n"),
                .repeated = slice_of(openings[i]),
                .times = 1000000},
            NULL);
        assert_int_equal(count.objects, 2);
        assert_int_equal(count.errors, 1);
    }
}

/* Each item of a List asks where it comes from. */
static void comments_before_many_items(void **state)
{
    (void)state;
    char *head = malloc(8 * 1024 * 1024), *end = head;
    assert_non_null(head);
    for (int i = 0; i < 1000000; i++)
        end = stpcpy(end, "# c\n");
    stpcpy(end, "apiVersion: v1\nkind: List\nitems:\n");
    struct count count = read_endless(
        (struct endless){
            .head = slice_of(head), .repeated = SLICE("- {apiVersion: v1, kind: A}\n"), .times = 50000},
        NULL);
    assert_int_equal(count.objects, 50000);
    free(head);
}

/* Each waiver is for the line behind all the comments. */
static void comments_after_many_waivers(void **state)
{
    (void)state;
    char *tail = malloc(32 * 1024 * 1024), *end = tail;
    assert_non_null(tail);
    for (int i = 0; i < 5000000; i++)
        end = stpcpy(end, "# c\n");
    stpcpy(end, HEAD);
    struct count count = read_endless(
        (struct endless){
            .repeated = SLICE("# applyguard:waive a b\n"),
            .times = MANIFEST_WAIVERS_MAX,
            .tail = slice_of(tail)},
        NULL);
    assert_int_equal(count.objects, 1);
    free(tail);
}

/* Each waiver's reason ends before them. */
static void blanks_after_many_waivers(void **state)
{
    (void)state;
    char *head = malloc(64 * 1024), *end = head;
    assert_non_null(head);
    for (int i = 0; i < MANIFEST_WAIVERS_MAX; i++)
        end = stpcpy(end, "# applyguard:waive a b ");
    struct count count = read_endless(
        (struct endless){
            .head = slice_of(head), .repeated = SLICE(" "), .times = 16000000, .tail = SLICE("\n" HEAD)},
        NULL);
    assert_int_equal(count.objects, 1);
    free(head);
}

static ptrdiff_t fail_after_text(void *context, void *bytes, size_t size)
{
    ptrdiff_t count = manifest_read_slice(context, bytes, size);
    errno = 5;
    return count ? count : -1;
}

static void an_input_that_breaks_off(void **state)
{
    (void)state;
    struct slice text = SLICE(HEAD);
    struct manifest_reader *reader = manifest_open(fail_after_text, &text, NULL);
    struct manifest_object object;
    struct error error;
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_OBJECT);
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_ERROR);
    assert_non_null(strstr(error.message, "cannot be read from here on"));
    assert_int_equal(manifest_next(reader, &object, &error), MANIFEST_END);
    manifest_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_million_documents),        cmocka_unit_test(a_gigabyte_of_one_scalar),
        cmocka_unit_test(ten_thousand_levels),        cmocka_unit_test(alias_bombs),
        cmocka_unit_test(many_of_everything),         cmocka_unit_test(values_that_do_not_end),
        cmocka_unit_test(comments_before_many_items), cmocka_unit_test(comments_after_many_waivers),
        cmocka_unit_test(blanks_after_many_waivers),  cmocka_unit_test(an_input_that_breaks_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
