/* An API server that is away or refuses, and clocks that are wrong, cost no certificate. */
#include "tests/unit/issuer/issuer_cluster.h"

static void expect_problem(const struct cluster *cluster, const char *problem)
{
    for (size_t i = 0; i < REPLICAS; i++)
        assert_string_equal(cluster->replicas[i].last.problem.message, problem);
}

static void expect_well(struct cluster *cluster)
{
    cluster_round(cluster, 15 * 1000);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    expect_never_distrusted(cluster);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_int_equal(cluster->restored, 0);
}

static void live_away(struct cluster *cluster, int64_t milliseconds, int64_t round)
{
    unsigned before = writes_of(cluster);
    cluster->api.failures.unreachable = true;
    cluster_live(cluster, milliseconds, round);
    expect_problem(cluster, "cannot read ValidatingWebhookConfiguration guard: cannot reach the API server");
    assert_int_equal(writes_of(cluster), before);
    cluster->api.failures.unreachable = false;
}

/* For an hour nothing changes. */
static void away_for_an_hour(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    live_away(cluster, HOUR_MS, 5 * MINUTE_MS);
    expect_well(cluster);
    assert_int_equal(writes_of(cluster), 3);
    cluster_free(cluster);
}

/* For longer than a leaf lives: leafs are signed with the authority that is known. */
static void away_for_longer_than_a_leaf_lives(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    struct validity before = cluster->replicas[0].served.validity;
    live_away(cluster, 2 * LEAF_SECONDS * 1000, DAY_MS);
    assert_true(cluster->replicas[0].served.validity.not_before > before.not_after);
    expect_well(cluster);
    cluster_free(cluster);
}

/* From the start: there is nothing to serve, and it says why. */
static void away_from_the_start(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster->api.failures.unreachable = true;
    for (size_t i = 0; i < REPLICAS; i++) {
        replica_take_turn(&cluster->replicas[i]);
        assert_false(cluster->replicas[i].last.has_pair);
        assert_false(cluster->replicas[i].last.is_trusted);
    }
    expect_problem(cluster, "cannot read ValidatingWebhookConfiguration guard: cannot reach the API server");
    cluster->api.failures.unreachable = false;
    cluster_settle(cluster);
    expect_well(cluster);
    cluster_free(cluster);
}

/* The Secret may not be read any more: leafs go on, and a wiped caBundle is put back. */
static void secret_not_to_be_read(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    cluster->api.failures.secret_read = 403;
    cluster_live(cluster, 2 * LEAF_SECONDS * 1000, DAY_MS);
    expect_problem(
        cluster,
        "cannot read Secret prod/guard-authority: 403 Forbidden: secrets \"guard-authority\" is refused");
    expect_never_distrusted(cluster);
    api_set_text(cluster->api.configurations[1], "/webhooks/0/clientConfig/caBundle", NULL);
    replica_take_turn(&cluster->replicas[2]);
    assert_int_equal(cluster->replicas[2].last.published, 1);
    clients_forget(cluster);
    clients_call(cluster);
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    cluster->replicas[2].distrusted = 0;
    cluster->api.failures.secret_read = 0;
    expect_well(cluster);
    cluster_free(cluster);
}

/* Answers without a body say nothing of the Secret: neither who knows its authority nor who starts replaces
 * it. */
static void secret_that_is_answered_with_nothing(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    cluster->api.failures.secret_read = 200;
    replica_restart(&cluster->replicas[1]);
    cluster_live(cluster, HOUR_MS, 5 * MINUTE_MS);
    expect_problem(cluster, "cannot read Secret prod/guard-authority: the API server's answer is empty");
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    cluster->api.failures.secret_read = 0;
    expect_well(cluster);
    cluster_free(cluster);
}

/* The Secret may not be made: an authority that no other replica knows is neither served nor published. */
static void secret_not_to_be_written(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster->api.failures.secret_write = 403;
    for (size_t i = 0; i < 2 * REPLICAS; i++) {
        struct replica *replica = &cluster->replicas[i % REPLICAS];
        replica_take_turn(replica);
        assert_int_equal(replica->last.step, ROTATION_NONE);
        assert_false(replica->last.has_pair);
        assert_false(replica->last.is_trusted);
    }
    assert_int_equal(writes_of(cluster), 0);
    expect_problem(
        cluster,
        "cannot write Secret prod/guard-authority: 403 Forbidden: secrets \"guard-authority\" is refused");
    cluster->api.failures.secret_write = 0;
    cluster_settle(cluster);
    expect_well(cluster);
    cluster_free(cluster);
}

/* An authority that is due cannot be stored: the one that signs goes on, for as long as it lives. */
static void secret_not_to_be_changed(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 12 * DAY, 2 * DAY, ISSUER_SOAK_SECONDS);
    cluster_settle(cluster);
    cluster->api.failures.secret_write = 500;
    cluster_live(cluster, 10 * DAY_MS, DAY_MS / 2);
    expect_problem(
        cluster,
        "cannot write Secret prod/guard-authority: 500 InternalError: secrets \"guard-authority\" is "
        "refused");
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    assert_int_equal(cluster->steps[ROTATION_STAGE], 0);
    cluster->api.failures.secret_write = 0;
    cluster_live_until(cluster, ROTATION_STAGE, MINUTE_MS, 1);
    cluster_live_until(cluster, ROTATION_PROMOTE, 5 * MINUTE_MS, 5);
    cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000, 5 * MINUTE_MS); /* each sees the soak for itself */
    expect_well(cluster);
    cluster_free(cluster);
}

/* A configuration may not be read any more, or the API server is ill: who was trusted goes on being so. */
static void configuration_not_to_be_read(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    cluster->api.failures.configuration_read = 403;
    cluster_live(cluster, LEAF_SECONDS * 1000, DAY_MS);
    expect_problem(
        cluster,
        "cannot read ValidatingWebhookConfiguration guard: 403 Forbidden: the configuration is refused");
    cluster->api.failures.configuration_read = 500;
    cluster_live(cluster, LEAF_SECONDS * 1000, DAY_MS);
    expect_problem(
        cluster,
        "cannot read ValidatingWebhookConfiguration guard: 500 InternalError: the configuration is refused");
    expect_never_distrusted(cluster);
    replica_restart(&cluster->replicas[0]);
    replica_take_turn(&cluster->replicas[0]);
    assert_true(cluster->replicas[0].last.has_pair);
    assert_false(cluster->replicas[0].last.is_trusted); /* no replica ever saw that it is */
    cluster->api.failures.configuration_read = 0;
    expect_well(cluster);
    cluster_free(cluster);
}

/* A configuration may not be written: it says so, serves, and does not claim to be trusted. */
static void configuration_not_to_be_written(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster->api.failures.configuration_write = 403;
    for (size_t i = 0; i < 2 * REPLICAS; i++) {
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
        assert_false(cluster->replicas[i % REPLICAS].last.is_trusted);
        assert_int_equal(cluster->replicas[i % REPLICAS].last.published, 0);
    }
    expect_problem(
        cluster,
        "cannot write the caBundle of ValidatingWebhookConfiguration guard: 403 Forbidden: the configuration "
        "is refused");
    cluster->api.failures.configuration_write = 0;
    cluster_settle(cluster);
    expect_well(cluster);
    cluster_free(cluster);
}

/* A next authority that cannot be published never signs. */
static void nothing_signs_unpublished(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 12 * DAY, 2 * DAY, ISSUER_SOAK_SECONDS);
    cluster_settle(cluster);
    cluster->api.failures.configuration_write = 403;
    cluster_live(cluster, 11 * DAY_MS, DAY_MS / 2);
    assert_int_equal(cluster->steps[ROTATION_STAGE], 1);
    assert_int_equal(cluster->steps[ROTATION_PROMOTE], 0);
    expect_never_distrusted(cluster);
    cluster->api.failures.configuration_write = 0;
    cluster_live_until(cluster, ROTATION_PROMOTE, 5 * MINUTE_MS, 5);
    cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000, 5 * MINUTE_MS); /* each sees the soak for itself */
    expect_well(cluster);
    cluster_free(cluster);
}

/*
 * Clocks
 */

static void expect_wrong_clocks_do_no_harm(int64_t skew)
{
    struct cluster *cluster = cluster_create();
    cluster->replicas[0].skew = skew;
    cluster->replicas[1].skew = -skew;
    cluster_settle(cluster);
    for (size_t i = 0; i < REPLICAS; i++)
        assert_true(cluster->replicas[i].last.clock_ahead == cluster->replicas[i].skew);
    cluster_live(cluster, 2 * LEAF_SECONDS * 1000, DAY_MS);
    live_away(cluster, 2 * LEAF_SECONDS * 1000, DAY_MS);
    expect_well(cluster);
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    cluster_free(cluster);
}

/* The API server checks certificates by its own clock: that one counts, also while it is away. */
static void clocks_that_are_wrong(void **state)
{
    (void)state;
    expect_wrong_clocks_do_no_harm(365 * DAY);
    expect_wrong_clocks_do_no_harm(30 * DAY);
    expect_wrong_clocks_do_no_harm(120);
}

/* A clock as wrong as clocks are is taken as it is, and nothing is said. */
static void clocks_that_are_a_little_wrong(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster->replicas[0].skew = 60;
    cluster->replicas[1].skew = -60;
    cluster_settle(cluster);
    for (size_t i = 0; i < REPLICAS; i++)
        assert_true(cluster->replicas[i].last.clock_ahead == 0);
    expect_well(cluster);
    cluster_free(cluster);
}

/* A clock that was wrong and is set right again is not taken for wrong by what was known of it. */
static void a_clock_that_is_set_right(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster->replicas[0].skew = 365 * DAY;
    cluster_settle(cluster);
    cluster->replicas[0].skew = 0;
    cluster_round(cluster, MINUTE_MS);
    assert_true(cluster->replicas[0].last.clock_ahead == 0);
    live_away(cluster, 2 * LEAF_SECONDS * 1000, DAY_MS);
    expect_well(cluster);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(away_for_an_hour),
        cmocka_unit_test(away_for_longer_than_a_leaf_lives),
        cmocka_unit_test(away_from_the_start),
        cmocka_unit_test(secret_not_to_be_read),
        cmocka_unit_test(secret_that_is_answered_with_nothing),
        cmocka_unit_test(secret_not_to_be_written),
        cmocka_unit_test(secret_not_to_be_changed),
        cmocka_unit_test(configuration_not_to_be_read),
        cmocka_unit_test(configuration_not_to_be_written),
        cmocka_unit_test(nothing_signs_unpublished),
        cmocka_unit_test(clocks_that_are_wrong),
        cmocka_unit_test(clocks_that_are_a_little_wrong),
        cmocka_unit_test(a_clock_that_is_set_right),
    };
    return cmocka_run_group_tests_name("issuer failures", tests, NULL, NULL);
}
