/* Authorities and leafs change for years, and at every moment every client can check every replica. */
#include "tests/unit/issuer/issuer_cluster.h"

#define BUSY_MS (15 * MINUTE_MS)

/*
 * Turns every sixteen hours, and every twenty seconds after something was written. `restarts`: the replica
 * that wrote is restarted right after.
 */
static void live_for(struct cluster *cluster, int64_t milliseconds, bool restarts)
{
    int64_t *now = &cluster->api.milliseconds, end = *now + milliseconds, busy_until = 0;
    for (size_t turns = 0; *now < end; turns++) {
        struct replica *replica = &cluster->replicas[turns % REPLICAS];
        unsigned before = writes_of(cluster);
        *now += *now < busy_until ? MINUTE_MS / REPLICAS : 2 * DAY_MS / REPLICAS;
        clients_call(cluster);
        replica_take_turn(replica);
        clients_call(cluster);
        if (writes_of(cluster) == before)
            continue;
        busy_until = *now + BUSY_MS;
        if (restarts)
            replica_restart(replica);
    }
}

/*
 * Twenty-one months with the lifetimes that are the default: an authority signs for eight months, each is
 * staged, promoted and dropped once, and no replica is ever without trust.
 */
static void years_go_by(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    live_for(cluster, 2 * YEAR_MS - YEAR_MS / 4, false);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_int_equal(cluster->steps[ROTATION_STAGE], 2);
    assert_int_equal(cluster->steps[ROTATION_PROMOTE], cluster->steps[ROTATION_STAGE]);
    assert_int_equal(cluster->steps[ROTATION_DROP], cluster->steps[ROTATION_STAGE]);
    assert_int_equal(cluster->steps[ROTATION_UNSTAGE], 0);
    assert_int_equal(cluster->restored, 0);
    expect_never_distrusted(cluster);
    expect_no_problem(cluster);
    expect_one_authority(cluster);
    cluster_free(cluster);
}

/* A replica that is restarted in any phase of a rotation, before it saw the result of its step, goes on. */
static void restarts_in_each_phase(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    live_for(cluster, YEAR_MS * 3 / 4, true);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_int_equal(cluster->steps[ROTATION_STAGE], 1);
    assert_int_equal(cluster->steps[ROTATION_PROMOTE], 1);
    assert_int_equal(cluster->steps[ROTATION_DROP], 1);
    assert_int_equal(cluster->restored, 0);
    expect_no_problem(cluster);
    cluster_free(cluster);
}

/* All replicas are restarted while a next authority waits: each replica has to see the soak for itself. */
static void a_new_rollout_waits_its_own_soak(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 6 * DAY, DAY, ISSUER_SOAK_SECONDS);
    cluster_settle(cluster);
    cluster_live_until(cluster, ROTATION_STAGE, DAY_MS / 4, 30);
    cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000 - 2 * MINUTE_MS, MINUTE_MS);
    for (size_t i = 0; i < REPLICAS; i++)
        replica_restart(&cluster->replicas[i]);
    cluster_live(cluster, ISSUER_SOAK_SECONDS * 1000 - MINUTE_MS, MINUTE_MS);
    assert_int_equal(cluster->steps[ROTATION_PROMOTE], 0);
    cluster_live(cluster, 3 * MINUTE_MS, MINUTE_MS);
    assert_int_equal(cluster->steps[ROTATION_PROMOTE], 1);
    cluster_free(cluster);
}

/* The lives of a test cluster: a leaf of three seconds, an authority of ten, clients that know within one. */
static void seconds_go_by(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 10, 3, 1);
    cluster->lag_ms = 800;
    cluster_settle(cluster);
    cluster_live(cluster, MINUTE_MS / 2, 300);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_in_range(cluster->steps[ROTATION_PROMOTE], 3, 6);
    assert_int_equal(cluster->restored, 0);
    expect_never_distrusted(cluster);
    expect_no_problem(cluster);
    cluster_free(cluster);
}

/* In the same short lives, calls collide all the time, and no step is taken twice. */
static void seconds_go_by_with_collisions(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 10, 3, 1);
    cluster->lag_ms = 800;
    cluster_settle(cluster);
    cluster->one_in = 5;
    cluster_live(cluster, 15 * 1000, 300);
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_in_range(cluster->steps[ROTATION_PROMOTE], 1, 3);
    assert_in_range(
        cluster->steps[ROTATION_STAGE], cluster->steps[ROTATION_PROMOTE],
        cluster->steps[ROTATION_PROMOTE] + 1);
    cluster_free(cluster);
}

/* RSA on request: the same from the Secret and back, through a rotation. */
static void with_rsa_keys(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    cluster_set_lifetimes(cluster, 6 * DAY, 3 * DAY, ISSUER_SOAK_SECONDS);
    for (size_t i = 0; i < REPLICAS; i++)
        cluster->replicas[i].settings.key_kind = KEY_RSA_2048;
    cluster_settle(cluster);
    cluster_live_until(cluster, ROTATION_STAGE, DAY_MS, 8);
    cluster_live_until(cluster, ROTATION_PROMOTE, 5 * MINUTE_MS, 5);
    cluster_round(cluster, MINUTE_MS);
    expect_one_authority(cluster);
    assert_int_equal(EVP_PKEY_get_base_id(cluster->replicas[0].served.key), EVP_PKEY_RSA);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(years_go_by),
        cmocka_unit_test(restarts_in_each_phase),
        cmocka_unit_test(a_new_rollout_waits_its_own_soak),
        cmocka_unit_test(seconds_go_by),
        cmocka_unit_test(seconds_go_by_with_collisions),
        cmocka_unit_test(with_rsa_keys),
    };
    return cmocka_run_group_tests_name("issuer years", tests, NULL, NULL);
}
