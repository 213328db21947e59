/* Whatever happens to the Secret, replicas that remember go on without a moment in which a client cannot
 * check them, and the authority is changed in steps. */
#include "base/array_size.h"
#include "certs/secret_base64.h"

#include "tests/unit/issuer/issuer_cluster.h"

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
 * Changes of people and tools to it
 */

static void set_entry(struct cluster *cluster, const char *name, struct slice content)
{
    struct secret text;
    char pointer[64];
    snprintf(pointer, sizeof(pointer), "/data/%s", name);
    assert_true(secret_base64_encode(content, &text));
    api_set_text(cluster->api.secret, pointer, text.bytes);
    secret_free(&text);
}

static void set_certificate(struct cluster *cluster, const char *name, X509 *certificate)
{
    struct pem_text pem = pem_of(certificate);
    set_entry(cluster, name, (struct slice){pem.bytes, pem.length});
    free(pem.bytes);
}

/* In each webhook of each configuration. */
static void set_bundle(struct cluster *cluster, X509 *certificate)
{
    struct secret text;
    struct pem_text pem = pem_of(certificate);
    assert_true(secret_base64_encode((struct slice){pem.bytes, pem.length}, &text));
    for (size_t i = 0; i < API_CONFIGURATIONS; i++) {
        for (size_t j = 0; j < webhooks_of(cluster, i); j++) {
            char pointer[64];
            snprintf(pointer, sizeof(pointer), "/webhooks/%zu/clientConfig/caBundle", j);
            api_set_text(cluster->api.configurations[i], pointer, text.bytes);
        }
        api_change(&cluster->api, cluster->api.configurations[i]);
    }
    secret_free(&text);
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

static void put_timeless(struct cluster *cluster)
{
    struct authority authority =
        make_authority(KEY_EC_P256, cluster->api.milliseconds / 1000, AUTHORITY_SECONDS);
    X509 *timeless = make_timeless(&authority);
    set_certificate(cluster, "tls.crt", timeless);
    set_key(cluster, "tls.key", authority.key);
    X509_free(timeless);
    authority_release(&authority);
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

/* As a user does who applies a whole Secret. */
static void put_another_alone(struct cluster *cluster)
{
    wipe(cluster);
    put_another(cluster);
}

struct damage {
    void (*happens)(struct cluster *cluster);
    const char *unusable; /* the log message about the Secret; empty: it is used */
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
    {put_timeless, "it holds a certificate without proper times", true},
    {put_expired, "it holds an authority that is not valid now", false},
    {put_one_of_tomorrow, "it holds an authority that is not valid now", true},
    {put_one_that_ends_in_a_minute, "", false},
    {put_another, "", false},
    {put_another_alone, "", false},
};

static const struct damage *const damages_end = damages + ARRAY_SIZE(damages);

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

static void stage_for_a_minute(struct cluster *cluster)
{
    struct authority next = make_authority(KEY_EC_P256, cluster->api.milliseconds / 1000, 60);
    set_certificate(cluster, "next.crt", next.certificate);
    set_key(cluster, "next.key", next.key);
    authority_release(&next);
}

/* A next authority that is over by then is not restored with the rest: another takes its place. */
static void a_next_that_is_over_is_not_restored(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    stage_for_a_minute(cluster);
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

/* A next authority that is over before it could sign leaves the Secret and the bundles. */
static void a_next_that_is_over_is_dropped(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    stage_for_a_minute(cluster);
    api_change(&cluster->api, cluster->api.secret);
    replica_take_turn(&cluster->replicas[0]);
    cluster->api.milliseconds += 2 * MINUTE_MS;
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->steps[ROTATION_UNSTAGE], 1);
    assert_null(api_text(cluster->api.secret, "/data/next.crt"));
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 1);
    live_through(cluster);
    expect_one_authority(cluster);
    expect_no_problem(cluster);
    expect_never_distrusted(cluster);
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
        assert_int_equal(cluster->restored, is_used); /* what the callers trusted is kept for a while */
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

/* Those who remember, by all callers, however late: a replica that starts again may be called too early. */
static void expect_others_trusted(struct cluster *cluster)
{
    clients_look(cluster);
    for (size_t i = 1; i < REPLICAS; i++)
        for (size_t j = VIEWS; j-- > 0 && cluster->views[j].text;)
            assert_true(view_trusts(
                &cluster->views[j], &cluster->replicas[i].served, cluster->api.milliseconds / 1000));
}

/*
 * A replica that starts again may look first, and makes an authority; but it leaves the trusted authorities
 * in the bundle, because other replicas go on serving them.
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
    expect_others_trusted(cluster);
    clients_forget(cluster);
    live_through(cluster);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    cluster_free(cluster);
}

/* Replicas that remember serve leafs of another authority than the Secret's, and the first starts again. */
static struct cluster *begin_between_authorities(void (*damage)(struct cluster *cluster))
{
    struct cluster *cluster = begin(STEADY);
    damage(cluster);
    api_change(&cluster->api, cluster->api.secret);
    replica_restart(&cluster->replicas[0]);
    return cluster;
}

/*
 * A user put another authority into the Secret, and a replica that starts again looks first: what the callers
 * trust it keeps, as those would who serve it, and it goes when the last leaf of it is over.
 */
static void who_starts_anew_keeps_what_others_serve(void **state)
{
    (void)state;
    struct cluster *cluster = begin_between_authorities(put_another_alone);
    replica_take_turn(&cluster->replicas[0]);
    assert_true(cluster->replicas[0].last.was_restored);
    assert_int_equal(cluster->replicas[0].last.published, API_CONFIGURATIONS);
    expect_others_trusted(cluster);
    for (size_t i = 0; i < 3 * REPLICAS; i++)
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
    assert_int_equal(cluster->restored, 1);
    expect_others_trusted(cluster);
    clients_forget(cluster);
    live_through(cluster);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    assert_null(api_text(cluster->api.secret, "/data/previous.crt"));
    cluster_free(cluster);
}

/* The same where the Secret's authority is over, so that a third is made. */
static void who_replaces_another_keeps_what_others_serve(void **state)
{
    (void)state;
    struct cluster *cluster = begin_between_authorities(put_expired);
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->replicas[0].last.step, ROTATION_CREATE);
    assert_int_equal(cluster->replicas[0].last.published, API_CONFIGURATIONS);
    expect_others_trusted(cluster);
    cluster_free(cluster);
}

/* An authority that cannot be kept is not left out either: nothing is published until it can. */
static void who_starts_anew_publishes_nothing_that_is_short(void **state)
{
    (void)state;
    struct cluster *cluster = begin_between_authorities(put_another_alone);
    cluster->api.failures.secret_write = 500;
    for (size_t i = 0; i < 3; i++)
        replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->replicas[0].last.published, 0);
    cluster->api.failures.secret_write = 0;
    cluster->before_write = &cluster->replicas[1];
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->api.counts.conflicts, 1);
    expect_others_trusted(cluster);
    for (size_t i = 0; i < 2 * REPLICAS; i++)
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
    assert_int_equal(cluster->restored, 1);
    expect_others_trusted(cluster);
    expect_no_problem(cluster);
    cluster_free(cluster);
}

static void put_an_older(struct cluster *cluster)
{
    put_authority(cluster, -DAY, STRANGE_SECONDS);
}

/* A previous authority that is over stays so, though the callers still trust it, and it is the newer: they
 * know the current one. */
static void who_starts_anew_brings_nothing_back(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    put_an_older(cluster);
    api_change(&cluster->api, cluster->api.secret);
    cluster_live(cluster, 2 * ISSUER_SOAK_SECONDS * 1000, 4 * MINUTE_MS);
    cluster_live(cluster, DAY_MS + DAY_MS / 2, 3 * HOUR_MS);
    cluster->api.failures.configuration_write = 500;
    cluster_live_until(cluster, ROTATION_DROP, HOUR_MS, 24);
    unsigned restored = cluster->restored;
    replica_restart(&cluster->replicas[0]);
    for (size_t i = 0; i < 2; i++)
        replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->restored, restored);
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 1);
    cluster->api.failures.configuration_write = 0;
    cluster_live(cluster, HOUR_MS, 4 * MINUTE_MS);
    assert_int_equal(cluster->restored, restored);
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 1);
    expect_no_problem(cluster);
    cluster_free(cluster);
}

/* A foreign certificate in the configurations does not become an authority: who has published puts it right.
 */
static void who_has_published_takes_nothing_up(void **state)
{
    (void)state;
    struct cluster *cluster = begin(STEADY);
    char *stored = copy_of_text(cluster, "/data/ca.crt");
    struct authority other = make_authority(KEY_EC_P256, cluster->api.milliseconds / 1000, STRANGE_SECONDS);
    set_bundle(cluster, other.certificate);
    authority_release(&other);
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->replicas[0].last.published, API_CONFIGURATIONS);
    assert_int_equal(cluster->restored, 0);
    assert_string_equal(api_text(cluster->api.secret, "/data/ca.crt"), stored);
    free(stored);
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
        cmocka_unit_test(a_next_that_is_over_is_dropped),
        cmocka_unit_test(two_restore_at_once),
        cmocka_unit_test(two_adopt_at_once),
        cmocka_unit_test(nobody_remembers),
        cmocka_unit_test(who_does_not_remember_comes_first),
        cmocka_unit_test(who_starts_anew_keeps_what_others_serve),
        cmocka_unit_test(who_replaces_another_keeps_what_others_serve),
        cmocka_unit_test(who_starts_anew_publishes_nothing_that_is_short),
        cmocka_unit_test(who_starts_anew_brings_nothing_back),
        cmocka_unit_test(who_has_published_takes_nothing_up),
    };
    return cmocka_run_group_tests_name("issuer lost", tests, NULL, NULL);
}
