/*
 * A replica whose memory runs out in the middle of a turn says so and writes nothing by half: what signs goes
 * on to sign, and every client can check what is served.
 */
#include "certs/memory.h"
#include "issuer/authorities.h"
#include "issuer/publication.h"
#include "tests/unit/failing_calls.h"
#include "tests/unit/issuer/issuer_cluster.h"

/* The cluster's memory is not the replica's. */
static int call(
    void *client, const struct kube_request *request, struct kube_response *response, struct error *error)
{
    calls.is_paused = true;
    int result = replica_call(client, request, response, error);
    calls.is_paused = false;
    return result;
}

static bool start(struct replica *replica, struct error *error)
{
    const struct issuer_api api = {.client = replica, .call = call};
    replica_stop(replica);
    replica->issuer = issuer_create(&replica->settings, &api, error);
    return replica->issuer;
}

/* Clients of a first start may not know the authority yet: no client was served before. */
static bool is_first_start;

/* False with what the turn says is wrong. */
static bool turn(struct replica *replica, struct error *error)
{
    struct cluster *cluster = replica->cluster;
    struct issuer_turn *last = &replica->last;
    issuer_take_turn(replica->issuer, cluster->api.milliseconds / 1000, last);
    calls.is_paused = true;
    if (last->has_pair)
        replica_serve(replica, last->pair);
    last->pair = (struct pair){0};
    expect_no_key(last->problem.message);
    assert_string_equal(last->unusable.message, "");
    replica->was_trusted |= last->is_trusted;
    if (is_first_start && last->is_trusted) {
        clients_forget(cluster);
        is_first_start = false;
    }
    clients_call(cluster);
    calls.is_paused = false;
    *error = last->problem;
    return !error->message[0];
}

static bool turns(struct replica *replica, unsigned count, int64_t pause, struct error *error)
{
    for (unsigned i = 0; i < count; i++) {
        replica->cluster->api.milliseconds += pause;
        if (!turn(replica, error))
            return false;
    }
    return true;
}

static int set_up(void **state)
{
    struct cluster *cluster = cluster_create();
    *state = cluster;
    return 0;
}

static int tear_down(void **state)
{
    cluster_free(*state);
    return 0;
}

/* Nothing is there: the authority is made, stored, published, and signs. */
static bool begin(void *data, struct error *error)
{
    struct cluster *cluster = data;
    struct replica *replica = &cluster->replicas[0];
    calls.is_paused = true;
    api_delete_secret(&cluster->api);
    cluster_install(cluster);
    is_first_start = true;
    calls.is_paused = false;
    return start(replica, error) && turns(replica, 3, 1000, error) && replica->last.is_trusted;
}

static void a_first_start(void **state)
{
    assert_true(fail_at_each_place(begin, *state) > 60);
}

/* The stored authorities are taken over as they are: no replica makes another authority because this one
 * could not be read.
 */
static bool take_over(void *data, struct error *error)
{
    struct cluster *cluster = data;
    struct replica *replica = &cluster->replicas[0];
    calls.is_paused = true;
    char *before = copy_of_text(cluster, "/data/tls.crt");
    calls.is_paused = false;
    bool done = start(replica, error) && turns(replica, 2, 0, error);
    calls.is_paused = true;
    if (done)
        assert_true(replica->last.is_trusted);
    assert_string_equal(api_text(cluster->api.secret, "/data/tls.crt"), before);
    assert_int_equal(certificates_in(cluster, "/data/next.crt"), 1);
    free(before);
    calls.is_paused = false;
    return done;
}

static void stage_the_next(struct cluster *cluster)
{
    struct error error = {0};
    struct replica *replica = &cluster->replicas[0];
    assert_true(begin(cluster, &error));
    api_delete_secret(&cluster->api);
    assert_true(turns(replica, 2, 1000, &error));
    assert_true(replica->last.is_trusted);
    assert_int_equal(certificates_in(cluster, "/data/next.crt"), 1);
}

static void a_restart(void **state)
{
    stage_the_next(*state);
    assert_true(fail_at_each_place(take_over, *state) > 60);
}

/* The Secret is lost: it comes back with what signs now. */
static bool lose(void *data, struct error *error)
{
    struct cluster *cluster = data;
    struct replica *replica = &cluster->replicas[0];
    calls.is_paused = true;
    char *before = cluster->api.secret ? copy_of_text(cluster, "/data/tls.crt") : NULL;
    api_delete_secret(&cluster->api);
    calls.is_paused = false;
    bool done = turns(replica, 2, 1000, error);
    calls.is_paused = true;
    if (cluster->api.secret && before)
        assert_string_equal(api_text(cluster->api.secret, "/data/tls.crt"), before);
    free(before);
    calls.is_paused = false;
    return done;
}

static void a_lost_secret(void **state)
{
    stage_the_next(*state);
    assert_true(fail_at_each_place(lose, *state) > 20);
}

int main(void)
{
    if (!memory_protect())
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_first_start, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_restart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lost_secret, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("issuer out of memory", tests, NULL, NULL);
}
