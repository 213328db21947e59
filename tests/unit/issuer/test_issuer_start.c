/* Replicas that start at the same moment come to one authority, in any order of their calls. */
#include "base/array_size.h"
#include "tests/unit/issuer/issuer_cluster.h"

#define SECRET(rest)                                                                                         \
    "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"guard-authority\","                 \
    "\"namespace\":\"prod\"}," rest "}"

static const char *const beginnings[] = {
    NULL,
    SECRET("\"type\":\"Opaque\""),
    SECRET("\"type\":\"Opaque\",\"data\":{}"),
    SECRET("\"type\":\"Opaque\",\"data\":null"),
    SECRET("\"type\":\"kubernetes.io/tls\",\"data\":{\"tls.crt\":\"\",\"tls.key\":\"\"}"),
};

static struct cluster *begin(size_t beginning)
{
    struct cluster *cluster = cluster_create();
    if (beginnings[beginning])
        api_put_secret(&cluster->api, beginnings[beginning]);
    return cluster;
}

/* One replica made it, no replica made another, and all sign with it. */
static void expect_begun(struct cluster *cluster)
{
    assert_int_equal(cluster->steps[ROTATION_CREATE], 1);
    assert_int_equal(cluster->restored, 0);
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    assert_int_equal(certificates_in(cluster, "/data/ca.crt"), 1);
    expect_one_authority(cluster);
    for (size_t i = 0; i < REPLICAS; i++) {
        assert_true(cluster->replicas[i].last.is_trusted);
        assert_string_equal(cluster->replicas[i].last.problem.message, "");
        assert_string_equal(cluster->replicas[i].last.unusable.message, "");
    }
}

/* Nobody says to be trusted before the bundle was found in every configuration. */
static void trust_is_seen_not_assumed(void **state)
{
    (void)state;
    struct cluster *cluster = begin(0);
    struct replica *replica = &cluster->replicas[0];
    replica_take_turn(replica);
    assert_int_equal(replica->last.step, ROTATION_CREATE);
    assert_true(replica->last.has_pair);
    assert_int_equal(replica->last.published, 2);
    assert_false(replica->last.is_trusted);
    replica_take_turn(replica);
    assert_false(replica->last.has_pair);
    assert_int_equal(replica->last.published, 0);
    assert_true(replica->last.is_trusted);
    cluster_free(cluster);
}

/* A pair that could not be served, for want of memory, is made again in the next turn and not when it
 * expires. */
static void a_pair_that_is_not_served_is_made_again(void **state)
{
    (void)state;
    struct cluster *cluster = begin(0);
    struct replica *replica = &cluster->replicas[0];
    struct error error = {.message = "out of memory"};
    struct issuer_turn turn;
    cluster_settle(cluster);
    replica_restart(replica);
    for (size_t i = 0; i < 2; i++) {
        issuer_take_turn(replica->issuer, cluster->api.milliseconds / 1000, &turn);
        assert_true(turn.has_pair);
        pair_release(&turn.pair);
        issuer_pair_not_served(replica->issuer, &turn, &error);
        assert_false(turn.has_pair);
        assert_false(turn.is_trusted);
        assert_string_equal(turn.problem.message, "out of memory");
    }
    replica_take_turn(replica);
    assert_true(replica->last.has_pair);
    assert_true(replica->last.is_trusted);
    replica_take_turn(replica);
    assert_false(replica->last.has_pair);
    cluster_free(cluster);
}

/* The first writer wins, where a replica's whole turn comes between another's look and its write. */
static void a_whole_turn_between_look_and_write(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++) {
        struct cluster *cluster = begin(i);
        cluster->before_write = &cluster->replicas[1];
        replica_take_turn(&cluster->replicas[0]);
        assert_int_equal(cluster->api.counts.conflicts, 1);
        assert_int_equal(cluster->replicas[0].last.step, ROTATION_NONE);
        assert_false(cluster->replicas[0].last.has_pair);
        assert_int_equal(cluster->replicas[1].last.step, ROTATION_CREATE);
        for (size_t j = 0; j < 2 * REPLICAS; j++)
            replica_take_turn(&cluster->replicas[j % REPLICAS]);
        expect_begun(cluster);
        cluster_free(cluster);
    }
}

/* In thirty orders of their calls, some of which collide, there is one authority in the end. */
static void any_order_of_calls(void **state)
{
    (void)state;
    unsigned conflicts = 0;
    for (uint32_t seed = 0; seed < 30; seed++) {
        struct cluster *cluster = begin(seed % ARRAY_SIZE(beginnings));
        cluster->dice = seed * 7919;
        cluster->one_in = 1 + seed % 3;
        for (size_t turns = 0; turns < 6; turns++)
            replica_take_turn(&cluster->replicas[cluster_roll(cluster, REPLICAS)]);
        cluster->one_in = 0;
        for (size_t i = 0; i < 2 * REPLICAS; i++)
            replica_take_turn(&cluster->replicas[i % REPLICAS]);
        expect_begun(cluster);
        conflicts += cluster->api.counts.conflicts;
        cluster_free(cluster);
    }
    assert_true(conflicts >= 3);
}

/* A Secret that a user made with another type keeps it: the API server would refuse to change it. */
static void the_secrets_type_stays(void **state)
{
    (void)state;
    struct cluster *cluster = begin(1);
    cluster_settle(cluster);
    assert_string_equal(api_text(cluster->api.secret, "/type"), "Opaque");
    expect_begun(cluster);
    cluster_free(cluster);
}

/* Other tools know the Secret for what it is, and people see whose it is. */
static void a_new_secret_is_one_for_tls(void **state)
{
    (void)state;
    struct cluster *cluster = begin(0);
    cluster_settle(cluster);
    assert_string_equal(api_text(cluster->api.secret, "/type"), "kubernetes.io/tls");
    assert_string_equal(
        api_text(cluster->api.secret, "/metadata/labels/app.kubernetes.io~1managed-by"), "applyguard");
    cluster_free(cluster);
}

/* A later replica signs with the existing authority, and writes nothing. */
static void a_latecomer_joins(void **state)
{
    (void)state;
    struct cluster *cluster = begin(0);
    cluster_settle(cluster);
    replica_restart(&cluster->replicas[1]);
    replica_take_turn(&cluster->replicas[1]);
    assert_true(cluster->replicas[1].last.has_pair);
    assert_true(cluster->replicas[1].last.is_trusted);
    clients_call(cluster);
    expect_begun(cluster);
    cluster_free(cluster);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trust_is_seen_not_assumed),
        cmocka_unit_test(a_pair_that_is_not_served_is_made_again),
        cmocka_unit_test(a_whole_turn_between_look_and_write),
        cmocka_unit_test(any_order_of_calls),
        cmocka_unit_test(the_secrets_type_stays),
        cmocka_unit_test(a_new_secret_is_one_for_tls),
        cmocka_unit_test(a_latecomer_joins),
    };
    return cmocka_run_group_tests_name("issuer start", tests, NULL, NULL);
}
