/* Flags are written by people: what they mean is read exactly, and what is not understood is refused. */
#include "base/array_size.h"
#include "base/durations.h"
#include "base/values.h"
#include "tests/unit/files.h"
#include "webhook/server/address.h"
#include "webhook/server/cgroup.h"
#include "webhook/server/cores.h"
#include "webhook/server/memory_limit.h"
#include "webhook/server/settings.h"

#include <arpa/inet.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const struct {
    const char *text;
    uint32_t milliseconds;
} durations[] = {
    {"0", 0},          {"0s", 0},         {"10s", 10000}, {"500ms", 500}, {"2m", 120000},
    {"1h", 3600000},   {"1m30s", 90000},  {"1.5s", 1500}, {".5s", 500},   {"1h2m3s4ms", 3723004},
    {"24h", 86400000}, {"1.0019s", 1002},
};

/* A drain delay is written as everywhere in Kubernetes, and none of its units is taken for another. */
static void durations_are_read_as_go_writes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(durations); i++) {
        uint32_t milliseconds = 1;
        const char *wrong = duration_parse(durations[i].text, &milliseconds);
        if (wrong || milliseconds != durations[i].milliseconds)
            fail_msg(
                "\"%s\" is read as %u ms (%s)", durations[i].text, milliseconds, wrong ? wrong : "accepted");
    }
}

/* A bare number could mean anything: a user who meant 10 s does not get 10 ms. */
static void unclear_durations_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",      "10", "s",   "-1s",  "+1s",
                                        "1 s",   "1S", "1d",  "1s ",  "1s2",
                                        "1..5s", ".s", "25h", "1e3s", "99999999999999999999h"};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        uint32_t milliseconds = 12345;
        if (!duration_parse(texts[i], &milliseconds) || milliseconds != 12345)
            fail_msg("\"%s\" is read as %u ms", texts[i], milliseconds);
    }
}

/* Numbers outside their bounds, with signs, or past 64 bits are refused and leave the setting alone. */
static void numbers_keep_their_bounds(void **state)
{
    (void)state;
    uint64_t number = 7;
    static const char *const texts[] = {"",    "0",  "17", "-1", "+1",
                                        "0x1", "1k", " 1", "1 ", "18446744073709551617"};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        if (!number_parse(texts[i], 1, 16, &number) || number != 7)
            fail_msg("\"%s\" is read as %llu", texts[i], (unsigned long long)number);
    }
    assert_null(number_parse("1", 1, 16, &number));
    assert_int_equal(number, 1);
    assert_null(number_parse("16", 1, 16, &number));
    assert_int_equal(number, 16);
    assert_null(number_parse("18446744073709551615", 0, UINT64_MAX, &number));
    assert_true(number == UINT64_MAX);
}

static const struct {
    const char *text;
    uint64_t bytes; /* 0: refused */
} sizes[] = {
    {"1048576", 1 << 20},
    {"256Mi", 256 << 20},
    {"1Gi", 1 << 30},
    {"2048Ki", 2 << 20},
    {"5M", 5000000},
    {"2000k", 2000000},
    {"1G", 1000000000},
    {"", 0},
    {"Mi", 0},
    {"256MiB", 0},
    {"256m", 0},
    {"256 Mi", 0},
    {"-1Mi", 0},
    {"1.5Gi", 0},
    {"0", 0},
    {"1048575", 0},
    {"2Gi", 0},
    {"99999999999Gi", 0},
    {"18446744073709551617", 0},
    {"111111111111111111111111111111", 0},
};

/* Bytes are written as in a pod's resources, and an unknown unit is not ignored. */
static void bytes_are_read_as_kubernetes_writes_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
        uint64_t bytes = 0;
        const char *wrong = bytes_parse(sizes[i].text, 1 << 20, 1 << 30, &bytes);
        if (!wrong != (sizes[i].bytes != 0) || bytes != sizes[i].bytes)
            fail_msg("\"%s\" is read as %llu", sizes[i].text, (unsigned long long)bytes);
    }
}

static const struct {
    const char *text;
    size_t bytes;
} containers[] = {
    {"268435456\n", 268435456},   {"268435456", 268435456}, {"max\n", 0}, {"", 0}, {"\n", 0}, {"-1\n", 0},
    {"9223372036854771712\n", 0},
};

/* A container without a memory limit, or with an absurd one, gives none. */
static void memory_of_containers_is_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(containers); i++)
        assert_int_equal(memory_limit_of_text(containers[i].text), containers[i].bytes);
}

static const struct {
    const char *text;
    const char *host; /* NULL: refused */
    const char *port;
} addresses[] = {
    {"0.0.0.0:8443", "0.0.0.0", "8443"},
    {"127.0.0.1:0", "127.0.0.1", "0"},
    {":8443", "", "8443"},
    {"localhost:1", "localhost", "1"},
    {"[::]:8443", "::", "8443"},
    {"[::1]:65535", "::1", "65535"},
    {"8443", NULL, NULL},
    {"", NULL, NULL},
    {"::1:8443", NULL, NULL},
    {"[::1:8443", NULL, NULL},
    {"host:", NULL, NULL},
    {"host:65536", NULL, NULL},
    {"host:-1", NULL, NULL},
    {"host:http", NULL, NULL},
    {"host:000080", NULL, NULL},
    {"[:80", NULL, NULL},
};

/* An IPv6 address is never split at the wrong colon. */
static void addresses_split_into_host_and_port(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(addresses); i++) {
        char host[256] = "", port[6] = "";
        bool refused = address_split(addresses[i].text, host, port) != NULL;
        if (refused != !addresses[i].host)
            fail_msg("\"%s\" is %s", addresses[i].text, refused ? "refused" : "accepted");
        if (refused)
            continue;
        assert_string_equal(host, addresses[i].host);
        assert_string_equal(port, addresses[i].port);
    }
}

/* A name longer than a host name may be never passes the end of the buffer. */
static void overlong_hosts_are_refused(void **state)
{
    (void)state;
    char text[400], host[256], port[6];
    memset(text, 'a', sizeof(text));
    strcpy(text + sizeof(text) - 4, ":80");
    assert_non_null(address_split(text, host, port));
    strcpy(text + 256, ":80");
    assert_non_null(address_split(text, host, port));
    text[256] = 'a';
    strcpy(text + 255, ":80");
    assert_null(address_split(text, host, port));
    assert_int_equal(strlen(host), 255);
}

/* Port 0 is how tests and side-cars get a free port: the address printed is the one that can be connected to.
 */
static void a_socket_on_port_zero_prints_its_real_port(void **state)
{
    (void)state;
    struct error error = {0};
    char text[ADDRESS_TEXT_BYTES], host[256], port[6];
    int fd = address_listen("--listen", "127.0.0.1:0", &error);
    assert_true(fd >= 0);
    address_print(fd, text);
    assert_null(address_split(text, host, port));
    assert_string_equal(host, "127.0.0.1");
    assert_string_not_equal(port, "0");
    close(fd);
}

/* An address that is taken is an error that says which flag to change. */
static void a_taken_address_names_its_flag(void **state)
{
    (void)state;
    struct error error = {0};
    char text[ADDRESS_TEXT_BYTES];
    int first = address_listen("--listen", "127.0.0.1:0", &error);
    assert_true(first >= 0);
    address_print(first, text);
    assert_int_equal(address_listen("--metrics-listen", text, &error), -1);
    assert_non_null(strstr(error.message, "--metrics-listen"));
    assert_non_null(strstr(error.message, text));
    close(first);
}

/* A container with a CPU limit gets no more loops than it can run; half a processor still is one loop. */
static void quotas_round_up_to_whole_cores(void **state)
{
    (void)state;
    assert_int_equal(cores_of_quota("100000 100000\n"), 1);
    assert_int_equal(cores_of_quota("150000 100000\n"), 2);
    assert_int_equal(cores_of_quota("10000 100000\n"), 1);
    assert_int_equal(cores_of_quota("400000 100000"), 4);
    assert_int_equal(cores_of_quota("max 100000\n"), 0);
    assert_int_equal(cores_of_quota(""), 0);
    assert_int_equal(cores_of_quota("100000"), 0);
    assert_int_equal(cores_of_quota("100000 0"), 0);
    assert_int_equal(cores_of_quota("9999999999999999999 1"), UINT_MAX);
    assert_int_equal(cores_of_quota("-1 100000"), 0);
    assert_true(cores_usable() >= 1);
}

static const struct {
    const char *names[3], *contents[3];
    size_t bytes; /* 0: no limit */
    unsigned cores;
    bool is_unknown;
} cgroups[] = {
    {{"memory.max", "cpu.max"}, {"268435456\n", "150000 100000\n"}, 234881024, 2, false},
    {{"memory.max", "cpu.max"}, {"max\n", "max 100000\n"}, 0, 0, false},
    {{"memory/memory.limit_in_bytes", "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"},
     {"268435456\n", "150000\n", "100000\n"},
     234881024,
     2,
     false},
    {{"memory/memory.limit_in_bytes", "cpu/cpu.cfs_quota_us", "cpu/cpu.cfs_period_us"},
     {"9223372036854771712\n", "-1\n", "100000\n"},
     0,
     0,
     false},
    {{"cpu/cpu.cfs_quota_us"}, {"150000\n"}, 0, 0, true},
    {{"memory.max"}, {""}, 0, 0, true},
    {{NULL}, {NULL}, 0, 0, true},
};

/* Limits are found with cgroup v2, where a file has them, and with v1, where each controller has a folder. */
static void limits_of_containers_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(cgroups); i++) {
        char root[] = "/tmp/applyguard-cgroup-XXXXXX", command[64];
        size_t bytes = 1;
        assert_non_null(mkdtemp(root));
        assert_int_equal(chdir(root), 0);
        assert_int_equal(mkdir("memory", 0700) | mkdir("cpu", 0700), 0);
        for (size_t j = 0; j < ARRAY_SIZE(cgroups[i].names) && cgroups[i].names[j]; j++)
            write_text(cgroups[i].names[j], cgroups[i].contents[j]);
        if (memory_limit_of_container(root, &bytes) == cgroups[i].is_unknown || bytes != cgroups[i].bytes)
            fail_msg("container %zu has %zu bytes", i, bytes);
        assert_int_equal(cores_of_container(root), cgroups[i].cores);
        assert_true(cgroup_is_mounted(root));
        assert_int_equal(chdir("/"), 0);
        snprintf(command, sizeof(command), "rm -r %s", root);
        assert_int_equal(system(command), 0);
        assert_false(cgroup_is_mounted(root));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(durations_are_read_as_go_writes_them),
        cmocka_unit_test(unclear_durations_are_refused),
        cmocka_unit_test(numbers_keep_their_bounds),
        cmocka_unit_test(bytes_are_read_as_kubernetes_writes_them),
        cmocka_unit_test(memory_of_containers_is_read),
        cmocka_unit_test(addresses_split_into_host_and_port),
        cmocka_unit_test(overlong_hosts_are_refused),
        cmocka_unit_test(a_socket_on_port_zero_prints_its_real_port),
        cmocka_unit_test(a_taken_address_names_its_flag),
        cmocka_unit_test(quotas_round_up_to_whole_cores),
        cmocka_unit_test(limits_of_containers_are_found),
    };
    return cmocka_run_group_tests_name("webhook settings", tests, NULL, NULL);
}
