/* Whatever happens to the Secret, replicas that remember go on without a moment in which a client cannot
 * check them, and the authority is changed in steps. */
#include "base/count.h"
#include "certs/base64.h"

#include "issuer_cluster.h"

#define STRANGE_SECONDS (6 * DAY)

enum phase { STEADY, STAGED, PROMOTED };

static struct cluster *begin(enum phase phase)
{
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 6 * DAY, 2 * DAY, ISSUER_SOAK_SECONDS);
    cluster_settle(cluster);
    if (phase >= STAGED)
        cluster_live_until(cluster, ROTATION_STAGE, DAY_MS / 2, 12);
    if (phase == STAGED)
        cluster_round(cluster, MINUTE_MS);
    if (phase < PROMOTED)
        return cluster;
    cluster_live_until(cluster, ROTATION_PROMOTE, 3 * MINUTE_MS, 6);
    cluster_round(cluster, MINUTE_MS);
    return cluster;
}

/*
 * What people and tools do to it
 */

static void set_entry(struct cluster *cluster, const char *name, struct slice content)
{
    struct secret text;
    char pointer[64];
    snprintf(pointer, sizeof(pointer), "/data/%s", name);
    assert_true(base64_encode(content, &text));
    api_set_text(cluster->api.secret, pointer, text.bytes);
    secret_free(&text);
}

static void set_certificate(struct cluster *cluster, const char *name, X509 *certificate)
{
    struct error error = {0};
    struct pem_text pem;
    STACK_OF(X509) *one = sk_X509_new_null();
    sk_X509_push(one, certificate);
    assert_int_equal(bundle_print(one, &pem, &error), 0);
    sk_X509_free(one);
    set_entry(cluster, name, (struct slice){pem.bytes, pem.length});
    free(pem.bytes);
}

static void set_key(struct cluster *cluster, const char *name, const EVP_PKEY *key)
{
    struct error error = {0};
    struct secret pem;
    assert_int_equal(key_print(key, &pem, &error), 0);
    set_entry(cluster, name, (struct slice){pem.bytes, pem.length});
    secret_free(&pem);
}

static void put_authority(struct cluster *cluster, int64_t made_after, int64_t lifetime)
{
    int64_t now = cluster->api.milliseconds / 1000;
    struct authority authority = make_authority(KEY_EC_P256, now + made_after, lifetime);
    set_certificate(cluster, "tls.crt", authority.certificate);
    set_key(cluster, "tls.key", authority.key);
    authority_release(&authority);
}

static void delete_it(struct cluster *cluster)
{
    api_delete_secret(&cluster->api);
}

static void wipe(struct cluster *cluster)
{
    yyjson_mut_doc_ptr_remove(cluster->api.secret, "/data");
}

static void wipe_key(struct cluster *cluster)
{
    api_set_text(cluster->api.secret, "/data/tls.key", "");
}

static void put_no_base64(struct cluster *cluster)
{
    api_set_text(cluster->api.secret, "/data/tls.crt", "-- not base64 --");
}

static void put_no_pem(struct cluster *cluster)
{
    set_entry(cluster, "tls.crt", SLICE("not a certificate"));
}

static void put_key_of_another(struct cluster *cluster)
{
    struct error error = {0};
    EVP_PKEY *key = key_generate(KEY_EC_P256, &error);
    set_key(cluster, "tls.key", key);
    EVP_PKEY_free(key);
}

static void put_leaf(struct cluster *cluster)
{
    int64_t now = cluster->api.milliseconds / 1000;
    struct authority authority = make_authority(KEY_EC_P256, now, AUTHORITY_SECONDS);
    EVP_PKEY *key;
    X509 *leaf = make_leaf(&authority, KEY_EC_P256, now, LEAF_SECONDS, &key);
    set_certificate(cluster, "tls.crt", leaf);
    set_key(cluster, "tls.key", key);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&authority);
}

static void put_expired(struct cluster *cluster)
{
    put_authority(cluster, -30 * DAY, DAY);
}

static void put_one_of_tomorrow(struct cluster *cluster)
{
    put_authority(cluster, DAY, STRANGE_SECONDS);
}

static void put_one_that_ends_in_a_minute(struct cluster *cluster)
{
    put_authority(cluster, 0, 60);
}

static void put_another(struct cluster *cluster)
{
    put_authority(cluster, 0, STRANGE_SECONDS);
}

/* As somebody who applies a whole Secret of their own does. */
static void put_another_alone(struct cluster *cluster)
{
    wipe(cluster);
    put_another(cluster);
}

struct damage {
    void (*happens)(struct cluster *cluster);
    const char *unusable; /* what is said of what was found; empty: it is used */
    bool is_plain;        /* no other than the others of its sentence: tried between rotations alone */
};

static const struct damage damages[] = {
    {delete_it, "", false},
    {wipe, "it holds no certificate", false},
    {wipe_key, "it holds no private key", true},
    {put_no_base64, "it holds no certificate", true},
    {put_no_pem, "it holds no certificate", true},
    {put_key_of_another, "it holds a key that is not the certificate's", true},
    {put_leaf, "it holds a certificate that is no authority's", true},
    {put_expired, "it holds an authority that is not valid now", false},
    {put_one_of_tomorrow, "it holds an authority that is not valid now", true},
    {put_one_that_ends_in_a_minute, "", false},
    {put_another, "", false},
    {put_another_alone, "", false},
};

static const struct damage *const damages_end = damages + COUNT(damages);

static void happen(struct cluster *cluster, const struct damage *damage)
{
    damage->happens(cluster);
    if (cluster->api.secret)
        api_change(&cluster->api, cluster->api.secret);
}

/* Turns close together right after, then until all that follows is over. */
static void live_through(struct cluster *cluster)
{
    cluster_live(cluster, 45 * 1000, 15 * 1000);
    cluster_live(cluster, 2 * MINUTE_MS, 30 * 1000);
    cluster_live(cluster, 2 * ISSUER_SOAK_SECONDS * 1000, 4 * MINUTE_MS);
    cluster_live(cluster, 3 * DAY_MS, DAY_MS / 2);
}

static void expect_survived(enum phase phase, const struct damage *damage)
{
    struct cluster *cluster = begin(phase);
    char *old = copy_of_text(cluster, "/data/tls.crt");
    happen(cluster, damage);
    clients_look(cluster);
    replica_take_turn(&cluster->replicas[0]);
    clients_call(cluster);
    assert_string_equal(cluster->replicas[0].last.unusable.message, damage->unusable);
    assert_string_equal(cluster->replicas[0].last.problem.message, "");
    assert_true(cluster->replicas[0].last.was_restored);
    live_through(cluster);
    expect_never_distrusted(cluster);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    assert_string_not_equal(api_text(cluster->api.secret, "/data/tls.crt"), old);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    free(old);
    cluster_free(cluster);
}

/* In the long time between two rotations. */
static void while_one_authority_signs(void **state)
{
    (void)state;
    for (const struct damage *damage = damages; damage < damages_end; damage++)
        expect_survived(STEADY, damage);
}

/* A next authority is known to clients, and signs nothing yet. */
static void while_the_next_waits(void **state)
{
    (void)state;
    for (const struct damage *damage = damages; damage < damages_end; damage++)
        if (!damage->is_plain)
            expect_survived(STAGED, damage);
}

/* The place of the previous authority is taken. */
static void while_the_previous_is_kept(void **state)
{
    (void)state;
    for (const struct damage *damage = damages; damage < damages_end; damage++)
        if (!damage->is_plain)
            expect_survived(PROMOTED, damage);
}

/* Deleting the Secret is how a person asks for a new authority: it is staged at once, and signs after a soak.
 */
static void a_deletion_rotates(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    char *old = copy_of_text(cluster, "/data/tls.crt");
    delete_it(cluster);
    replica_take_turn(&cluster->replicas[1]);
    assert_string_equal(api_text(cluster->api.secret, "/data/tls.crt"), old);
    assert_non_null(api_text(cluster->api.secret, "/data/next.crt"));
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 2);
    char *next = copy_of_text(cluster, "/data/next.crt");
    cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000 + 2 * MINUTE_MS, MINUTE_MS);
    assert_string_equal(api_text(cluster->api.secret, "/data/tls.crt"), next);
    assert_string_equal(api_text(cluster->api.secret, "/data/previous.crt"), old);
    assert_null(api_text(cluster->api.secret, "/data/next.crt"));
    expect_one_authority(cluster);
    free(next);
    free(old);
    cluster_free(cluster);
}

/* A next authority that is over by then is not restored with the rest: another takes its place. */
static void a_next_that_is_over_is_not_restored(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    struct authority next = make_authority(KEY_EC_P256, cluster->api.milliseconds / 1000, 60);
    set_certificate(cluster, "next.crt", next.certificate);
    set_key(cluster, "next.key", next.key);
    authority_release(&next);
    char *old = copy_of_text(cluster, "/data/next.crt");
    api_change(&cluster->api, cluster->api.secret);
    replica_take_turn(&cluster->replicas[0]);
    cluster->api.milliseconds += 2 * MINUTE_MS;
    delete_it(cluster);
    replica_take_turn(&cluster->replicas[0]);
    assert_true(cluster->replicas[0].last.was_restored);
    assert_string_not_equal(api_text(cluster->api.secret, "/data/next.crt"), old);
    live_through(cluster);
    expect_one_authority(cluster);
    free(old);
    cluster_free(cluster);
}

/* Two who remember restore it at the same moment: one next authority, not two. */
static void two_restore_at_once(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    delete_it(cluster);
    cluster->before_write = &cluster->replicas[2];
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->api.counts.conflicts, 1);
    assert_int_equal(cluster->restored, 1);
    assert_false(cluster->replicas[0].last.was_restored);
    live_through(cluster);
    assert_int_equal(cluster->restored, 1);
    cluster_free(cluster);
}

/* Two who remember keep their own authority trusted at the same moment: who comes second publishes nothing
 * that leaves it out. */
static void two_adopt_at_once(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    put_another_alone(cluster);
    api_change(&cluster->api, cluster->api.secret);
    cluster->before_write = &cluster->replicas[2];
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->api.counts.conflicts, 1);
    clients_look(cluster);
    clients_call(cluster);
    live_through(cluster);
    expect_never_distrusted(cluster);
    cluster_free(cluster);
}

static void all_start_anew(struct cluster *cluster)
{
    for (size_t i = 0; i < REPLICAS; i++)
        replica_restart(&cluster->replicas[i]);
    for (size_t i = 0; i < 3 * REPLICAS; i++)
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
    expect_one_authority(cluster);
}

/* Nobody remembers, as after an installation was off: what is unusable is replaced by a new authority. */
static void nobody_remembers(void **state)
{
    (void)state;
    for (const struct damage *damage = damages; damage < damages_end; damage++) {
        bool is_used = !damage->unusable[0] && damage->happens != delete_it;
        bool is_over = damage->happens == put_expired || damage->happens == put_one_of_tomorrow;
        struct cluster *cluster = begin(STEADY);
        happen(cluster, damage);
        replica_restart(&cluster->replicas[0]);
        replica_take_turn(&cluster->replicas[0]);
        assert_string_equal(cluster->replicas[0].last.unusable.message, is_over ? "" : damage->unusable);
        all_start_anew(cluster);
        assert_int_equal(cluster->steps[ROTATION_CREATE], is_used ? 1 : 2);
        assert_int_equal(cluster->restored, 0);
        cluster->api.milliseconds += damage->happens == put_one_that_ends_in_a_minute ? 2 * MINUTE_MS : 0;
        for (size_t i = 0; i < 3 * REPLICAS; i++)
            replica_take_turn(&cluster->replicas[i % REPLICAS]);
        clients_forget(cluster);
        cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000, 4 * MINUTE_MS);
        expect_no_problem(cluster);
        expect_one_authority(cluster);
        cluster_free(cluster);
    }
}

/*
 * Who starts anew may look first, and makes an authority; but what the callers trust it leaves in the bundle,
 * as those who remember go on serving it.
 */
static void who_does_not_remember_comes_first(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    delete_it(cluster);
    replica_restart(&cluster->replicas[0]);
    for (size_t i = 0; i < 2 * REPLICAS; i++)
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 2);
    assert_int_equal(cluster->restored, 0);
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 2);
    clients_look(cluster);
    for (size_t i = 1; i < REPLICAS; i++)
        for (size_t j = VIEWS; j-- > 0 && cluster->views[j].text;)
            assert_true(view_trusts(
                &cluster->views[j], &cluster->replicas[i].served, cluster->api.milliseconds / 1000));
    clients_forget(cluster);
    live_through(cluster);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_one_authority_signs),
        cmocka_unit_test(while_the_next_waits),
        cmocka_unit_test(while_the_previous_is_kept),
        cmocka_unit_test(a_deletion_rotates),
        cmocka_unit_test(a_next_that_is_over_is_not_restored),
        cmocka_unit_test(two_restore_at_once),
        cmocka_unit_test(two_adopt_at_once),
        cmocka_unit_test(nobody_remembers),
        cmocka_unit_test(who_does_not_remember_comes_first),
    };
    return cmocka_run_group_tests_name("issuer lost", tests, NULL, NULL);
}
