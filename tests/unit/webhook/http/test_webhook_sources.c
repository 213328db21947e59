/* Where connections come from: each address by itself, over IPv4 and IPv6, and which has more than its share.
 */
#include "webhook/http/sources.h"

#include <arpa/inet.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#define CONNECTIONS 40u

/* The address that a server sees of a client that connects from `text`; both sockets are closed again. */
static struct source_address seen(int family, const char *text)
{
    struct sockaddr_storage storage = {.ss_family = (sa_family_t)family};
    struct sockaddr *address = (struct sockaddr *)&storage;
    void *bytes = family == AF_INET6 ? (void *)&((struct sockaddr_in6 *)address)->sin6_addr
                                     : (void *)&((struct sockaddr_in *)address)->sin_addr;
    socklen_t length = family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
    int listener = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int client = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(inet_pton(family, text, bytes), 1);
    if (bind(listener, address, length) != 0 || bind(client, address, length) != 0) {
        close(listener);
        close(client);
        skip(); /* there is no IPv6 here */
    }
    assert_int_equal(listen(listener, 1), 0);
    assert_int_equal(getsockname(listener, address, &length), 0);
    assert_int_equal(connect(client, address, length), 0);
    int accepted = accept(listener, NULL, NULL);
    struct source_address result = source_address_of(accepted);
    close(accepted);
    close(client);
    close(listener);
    return result;
}

static bool same(struct source_address a, struct source_address b)
{
    return memcmp(&a, &b, sizeof(a)) == 0;
}

static void addresses_of_ipv4_are_told_apart(void **state)
{
    (void)state;
    assert_true(same(seen(AF_INET, "127.0.0.1"), seen(AF_INET, "127.0.0.1")));
    assert_false(same(seen(AF_INET, "127.0.0.1"), seen(AF_INET, "127.0.0.2")));
}

/* A socket that takes both sees IPv4 in the form of IPv6. */
static void ipv4_in_the_form_of_ipv6_is_ipv4(void **state)
{
    (void)state;
    assert_true(same(seen(AF_INET6, "::ffff:127.0.0.1"), seen(AF_INET, "127.0.0.1")));
    assert_false(same(seen(AF_INET6, "::ffff:127.0.0.2"), seen(AF_INET, "127.0.0.1")));
}

static void ipv6_is_none_of_ipv4(void **state)
{
    (void)state;
    assert_false(same(seen(AF_INET6, "::1"), seen(AF_INET, "127.0.0.1")));
}

static struct source_address numbered(uint64_t number)
{
    return (struct source_address){{number, 0}};
}

/* One is large with the first connection beyond a quarter, and no longer when that has gone. */
static void a_share_is_a_quarter(void **state)
{
    (void)state;
    struct sources sources;
    struct source *source = NULL;
    assert_true(sources_open(&sources, CONNECTIONS));
    for (unsigned i = 0; i < CONNECTIONS / 4; i++)
        source = source_enter(&sources, numbered(7));
    assert_false(source_is_large(source));
    assert_true(h2o_linklist_is_empty(&sources.large));
    assert_ptr_equal(source_enter(&sources, numbered(7)), source);
    assert_true(source_is_large(source));
    source_leave(&sources, source);
    assert_false(source_is_large(source));
    assert_true(h2o_linklist_is_empty(&sources.large));
    while (source->count > 1)
        source_leave(&sources, source);
    source_leave(&sources, source);
    sources_close(&sources);
}

/* More addresses than buckets, coming and going in different orders; none is left. */
static void each_is_forgotten_with_its_last_connection(void **state)
{
    (void)state;
    struct sources sources;
    struct source *held[3 * CONNECTIONS];
    assert_true(sources_open(&sources, CONNECTIONS));
    for (size_t i = 0; i < 3 * CONNECTIONS; i++)
        held[i] = source_enter(&sources, numbered(i));
    for (size_t i = 0; i < 3 * CONNECTIONS; i++)
        assert_ptr_equal(source_enter(&sources, numbered(i)), held[i]);
    for (size_t i = 0; i < 6 * CONNECTIONS; i++)
        source_leave(&sources, held[i * 7 % (3 * CONNECTIONS)]);
    for (size_t i = 0; i <= sources.mask; i++)
        assert_null(sources.buckets[i]);
    source_leave(&sources, NULL);
    sources_close(&sources);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_of_ipv4_are_told_apart),
        cmocka_unit_test(ipv4_in_the_form_of_ipv6_is_ipv4),
        cmocka_unit_test(ipv6_is_none_of_ipv4),
        cmocka_unit_test(a_share_is_a_quarter),
        cmocka_unit_test(each_is_forgotten_with_its_last_connection),
    };
    return cmocka_run_group_tests_name("webhook sources", tests, NULL, NULL);
}
