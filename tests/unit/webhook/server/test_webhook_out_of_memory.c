/*
 * Where memory runs out while the parts of a server are made, the start says so; if it runs out while
 * certificates change, the old ones are still served.
 */
#include "certs/memory.h"
#include "tests/unit/failing_calls.h"
#include "tests/unit/kube/kube_fixture.h"
#include "webhook/api/events.h"
#include "webhook/api/lookups.h"
#include "webhook/server/reload.h"
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
 * New contents of files that are watched: a file for which memory ran out is loaded when memory is there
 * again, although it does not change any more. OpenSSL and libyaml may well call what they have no memory for
 * malformed.
 */

/*
 * As the server looks at its files, second after second: memory runs out for some of them, and the failure is
 * reported.
 */
static bool looks_until_taken(struct tls *tls, struct error *error)
{
    for (size_t i = 0; i < 3; i++) {
        calls.calls = 0;
        if (tls_reload(tls, false, error) == CREDENTIALS_NEW)
            return true;
    }
    calls.is_paused = true;
    struct error ignored = {0};
    if (tls_reload(tls, false, &ignored) != CREDENTIALS_NEW)
        fail_msg("memory ran out for a while, and new credentials are never served");
    return error_set(error, "it took another look");
}

struct files {
    struct tls *tls;
    struct authority authority;
    int64_t seconds; /* that the certificate lives: another each time */
};

static bool look_at_a_new_certificate(void *data, struct error *error)
{
    struct files *files = data;
    EVP_PKEY *key;
    bool was_paused = calls.is_paused;
    calls.is_paused = true;
    X509 *leaf = make_leaf(&files->authority, KEY_EC_P256, time(NULL), DAY + ++files->seconds, &key);
    write_certificate("new.crt", leaf);
    write_key("new.key", key);
    age("new.crt");
    age("new.key");
    calls.is_paused = was_paused;
    bool done = looks_until_taken(files->tls, error);
    struct validity validity = tls_validity(files->tls);
    assert_true(validity.not_after - validity.not_before >= DAY + files->seconds);
    X509_free(leaf);
    EVP_PKEY_free(key);
    return done;
}

static void a_new_certificate_is_taken_after_all(void **state)
{
    (void)state;
    struct error error = {0};
    struct files files = {.authority = make_authority(KEY_EC_P256, time(NULL), DAY * 9)};
    write_pair(&files.authority, "new");
    age("ca.crt");
    const struct tls_settings settings = {
        .cert_path = "new.crt", .key_path = "new.key", .client_ca_path = "ca.crt"};
    files.tls = tls_create(&settings, &error);
    assert_non_null(files.tls);
    assert_true(fail_at_each_place(look_at_a_new_certificate, &files) > 10);
    tls_free(files.tls);
    authority_release(&files.authority);
}

/* Only the CAs of clients, with a pair that the server made itself. */
static bool look_at_new_clients(void *data, struct error *error)
{
    bool was_paused = calls.is_paused;
    calls.is_paused = true;
    struct authority authority = make_authority(KEY_EC_P256, time(NULL), DAY);
    write_certificate("clients.crt", authority.certificate);
    age("clients.crt");
    authority_release(&authority);
    calls.is_paused = was_paused;
    return looks_until_taken(data, error);
}

static void new_clients_are_taken_after_all(void **state)
{
    (void)state;
    struct error error = {0};
    struct pair pair = {0};
    struct authority authority = make_authority(KEY_EC_P256, time(NULL), DAY);
    write_certificate("clients.crt", authority.certificate);
    const struct tls_settings settings = {.client_ca_path = "clients.crt"};
    struct tls *tls = tls_create(&settings, &error);
    assert_non_null(tls);
    pair.leaf = make_leaf(&authority, KEY_EC_P256, time(NULL), DAY, &pair.key);
    pair.chain = sk_X509_new_null();
    assert_true(validity_of(pair.leaf, &pair.validity));
    assert_int_equal(tls_take_pair(tls, &pair, &error), 0);
    assert_true(fail_at_each_place(look_at_new_clients, tls) > 5);
    tls_free(tls);
    authority_release(&authority);
}

struct policies {
    struct policy_file file;
    unsigned count;
};

static enum reload_result look_at_policy(struct policies *policies, struct error *error)
{
    struct policy *policy = NULL;
    enum reload_result result = policy_file_reload(&policies->file, false, &policy, error);
    policy_free(policy);
    return result;
}

static bool look_at_a_new_policy(void *data, struct error *error)
{
    struct policies *policies = data;
    char text[128];
    bool was_paused = calls.is_paused;
    calls.is_paused = true;
    snprintf(
        text, sizeof(text), "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n# %u\n",
        ++policies->count);
    write_text("policy.yaml", text);
    age("policy.yaml");
    calls.is_paused = was_paused;
    if (look_at_policy(policies, error) == RELOAD_NEW)
        return true;
    calls.is_paused = true;
    struct error ignored = {0};
    if (look_at_policy(policies, &ignored) != RELOAD_NEW)
        fail_msg("memory ran out once, and a new policy is never loaded");
    return false;
}

static void a_new_policy_is_taken_after_all(void **state)
{
    (void)state;
    struct policies policies = {0};
    policy_file_init(&policies.file, "policy.yaml", "--policy");
    assert_true(fail_at_each_place(look_at_a_new_policy, &policies) > 2);
    policy_file_release(&policies.file);
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
        cmocka_unit_test(a_new_certificate_is_taken_after_all),
        cmocka_unit_test(new_clients_are_taken_after_all),
        cmocka_unit_test(a_new_policy_is_taken_after_all),
        cmocka_unit_test(parts_start),
    };
    return cmocka_run_group_tests_name(
        "webhook out of memory", tests, kube_fixture_setup, kube_fixture_teardown);
}
