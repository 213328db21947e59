/*
 * Where memory runs out while the parts of a server are made, the start says so; where it runs out while
 * certificates change, those of before are served on.
 */
#include "certs/memory.h"
#include "failing_calls.h"
#include "kube_fixture.h"
#include "webhook/api/events.h"
#include "webhook/api/lookups.h"
#include "webhook/telemetry/label_sets.h"
#include "webhook/tls/tls.h"

static const struct siphash_seed seed = {{3, 5}};

/*
 * TLS
 */

/* Nothing is blamed on the files, which are in order. */
static bool blame(const struct error *error)
{
    if (!strstr(error->message, "memory") && !strstr(error->message, "OpenSSL"))
        fail_msg("memory runs out, and it says: %s", error->message);
    return false;
}

static bool start_tls(void *data, struct error *error)
{
    struct tls *tls = tls_create(data, error);
    if (tls)
        assert_true(tls_validity(tls).not_after > 0);
    tls_free(tls);
    return tls || blame(error);
}

static void tls_starts(void **state)
{
    (void)state;
    struct tls_settings settings = {
        .cert_path = "server.crt", .key_path = "server.key", .client_ca_path = "ca.crt"};
    assert_true(fail_at_each_place(start_tls, &settings) > 10);
}

static bool reload(void *data, struct error *error)
{
    struct tls *tls = data;
    int64_t before = tls_validity(tls).not_after;
    enum credentials_result result = tls_reload(tls, true, error);
    assert_true(tls_validity(tls).not_after == before);
    return result != CREDENTIALS_FAILED;
}

static void certificates_are_loaded_again(void **state)
{
    (void)state;
    struct error error = {0};
    const struct tls_settings settings = {
        .cert_path = "server.crt", .key_path = "server.key", .client_ca_path = "ca.crt"};
    struct tls *tls = tls_create(&settings, &error);
    assert_non_null(tls);
    assert_true(fail_at_each_place(reload, tls) > 10);
    tls_free(tls);
}

/* The server issues its own certificates, and the CAs of its clients change. */
struct own {
    struct tls *tls;
    struct pair pair;
};

static bool change_clients(void *data, struct error *error)
{
    struct own *own = data;
    struct pair pair;
    if (pair_share(&pair, &own->pair, error) != 0 || tls_take_pair(own->tls, &pair, error) != 0)
        return false;
    enum credentials_result result = tls_reload(own->tls, true, error);
    assert_true(tls_validity(own->tls).not_after == own->pair.validity.not_after);
    return result != CREDENTIALS_FAILED;
}

static void the_pair_stays_when_clients_change(void **state)
{
    (void)state;
    struct error error = {0};
    const struct tls_settings settings = {.client_ca_path = "ca.crt"};
    struct own own = {.tls = tls_create(&settings, &error)};
    assert_non_null(own.tls);
    struct authority authority = make_authority(KEY_EC_P256, time(NULL), DAY);
    own.pair.leaf = make_leaf(&authority, KEY_EC_P256, time(NULL), DAY, &own.pair.key);
    assert_true(validity_of(own.pair.leaf, &own.pair.validity));
    assert_true(fail_at_each_place(change_clients, &own) > 5);
    authority_release(&authority);
    pair_release(&own.pair);
    tls_free(own.tls);
}

/*
 * The other parts
 */

static bool start_parts(void *data, struct error *error)
{
    calls.is_paused = true;
    struct kube_client *client = kube_fixture_client(data);
    calls.is_paused = false;
    struct api_worker *worker = api_worker_create(client, error); /* which has the client, in any case */
    struct lookups *lookups = worker ? lookups_create(worker, error) : NULL;
    struct events *events = lookups ? events_create(worker, seed, NULL, error) : NULL;
    struct label_sets *sets = label_sets_create((struct label_names){true, true}, 10, seed);
    if (!sets)
        error_set(error, "out of memory");
    label_sets_destroy(sets);
    events_free(events);
    lookups_free(lookups);
    api_worker_free(worker);
    return sets && (events || blame(error));
}

static void parts_start(void **state)
{
    assert_true(fail_at_each_place(start_parts, *state) > 8);
}

int main(void)
{
    struct error error = {0};
    if (!memory_protect() || kube_library_init(&error) != 0)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tls_starts),
        cmocka_unit_test(certificates_are_loaded_again),
        cmocka_unit_test(the_pair_stays_when_clients_change),
        cmocka_unit_test(parts_start),
    };
    return cmocka_run_group_tests_name(
        "webhook out of memory", tests, kube_fixture_setup, kube_fixture_teardown);
}
