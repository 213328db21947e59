/* Authorities change for years, and at every moment every leaf that is served is one that clients can check.
 */
#include "certs/rotation.h"

#include "tests/unit/certs/certs_fixture.h"

#define MINUTE ((int64_t)60)
#define YEAR (365 * DAY)
#define NOBODY 0

static const struct rotation_plan plan = {.soak_seconds = 10 * MINUTE, .leaf_seconds = LEAF_SECONDS};

static struct validity made_at(int64_t now, int64_t lifetime)
{
    return (struct validity){now - BACKDATE_SECONDS, now + lifetime};
}

static bool exists(struct validity authority)
{
    return authority.not_after != 0;
}

/* The state after a step, which may create an authority. */
static struct rotation_state take(
    const struct rotation_state *state, enum rotation_step step, struct validity made, int64_t now)
{
    struct rotation_state after = *state;
    switch (step) {
    case ROTATION_NONE:
        break;
    case ROTATION_CREATE:
        after = (struct rotation_state){.current = made, .promoted_at = now};
        break;
    case ROTATION_STAGE:
        after.next = made;
        after.staged_at = now;
        break;
    case ROTATION_PROMOTE:
        after.previous = state->current;
        after.current = state->next;
        after.next = (struct validity){0};
        after.promoted_at = now;
        break;
    case ROTATION_DROP:
        after.previous = (struct validity){0};
        break;
    case ROTATION_UNSTAGE:
        after.next = (struct validity){0};
        break;
    }
    return after;
}

/*
 * A simulated cluster: one state that replicas change by compare and swap, replicas that look at it now and
 * then and sign their leafs with the authority they saw last, and clients that go by a bundle as it was some
 * minutes ago. Authorities are distinguished by their times.
 */
enum { REPLICAS = 3, LOOK_SECONDS = 60, LAG_SECONDS = 240, BUNDLES = 16 };

struct leaf {
    struct validity validity;
    struct validity signer;
};

struct bundle {
    int64_t since;
    struct validity authorities[3];
};

struct cluster {
    struct rotation_state state;
    struct bundle bundles[BUNDLES]; /* the newest last */
    struct leaf leafs[REPLICAS];
    unsigned steps[ROTATION_UNSTAGE + 1];
    int64_t authority_seconds;
};

static bool same(struct validity a, struct validity b)
{
    return a.not_before == b.not_before && a.not_after == b.not_after;
}

static void publish(struct cluster *cluster, int64_t now)
{
    struct bundle *newest = &cluster->bundles[BUNDLES - 1];
    struct bundle bundle = {now, {cluster->state.current, cluster->state.next, cluster->state.previous}};
    if (memcmp(bundle.authorities, newest->authorities, sizeof(bundle.authorities)) == 0)
        return;
    memmove(cluster->bundles, cluster->bundles + 1, sizeof(*newest) * (BUNDLES - 1));
    *newest = bundle;
}

/* Clients may go by the newest bundle, or by any that was newest within the lag. */
static void expect_checkable(const struct cluster *cluster, const struct leaf *leaf, int64_t now)
{
    if (now < leaf->validity.not_before || now > leaf->validity.not_after)
        fail_msg("a leaf is served outside its time, at %lld", (long long)now);
    for (size_t i = BUNDLES; i-- > 0;) {
        const struct bundle *bundle = &cluster->bundles[i];
        bool known = false;
        for (size_t j = 0; j < 3; j++)
            known = known ||
                (exists(bundle->authorities[j]) && same(bundle->authorities[j], leaf->signer) &&
                 validity_covers(bundle->authorities[j], now));
        if (!known)
            fail_msg("at %lld a leaf is not in a bundle of %lld", (long long)now, (long long)bundle->since);
        if (now - bundle->since >= LAG_SECONDS)
            return;
    }
}

/* One replica's look: the step that is due, and a leaf of its own. */
static void look(struct cluster *cluster, size_t replica, int64_t now)
{
    uint32_t random = (uint32_t)(replica * 2654435761u);
    struct rotation_decision decision = rotation_decide(&cluster->state, &plan, now, random);
    if (decision.step != ROTATION_NONE) {
        cluster->steps[decision.step]++;
        struct validity made = made_at(now, cluster->authority_seconds);
        cluster->state = take(&cluster->state, decision.step, made, now);
        publish(cluster, now);
    } else {
        assert_true(decision.again_at > now);
    }
    struct leaf *leaf = &cluster->leafs[replica];
    if (!same(leaf->signer, cluster->state.current) || validity_is_due(leaf->validity, random, now)) {
        leaf->signer = cluster->state.current;
        leaf->validity = made_at(now, LEAF_SECONDS);
        if (leaf->validity.not_after > leaf->signer.not_after)
            leaf->validity.not_after = leaf->signer.not_after;
    }
}

static void start(struct cluster *cluster, int64_t now, int64_t authority_seconds)
{
    *cluster = (struct cluster){.authority_seconds = authority_seconds};
    for (size_t i = 0; i < REPLICAS; i++)
        look(cluster, i, now);
    for (size_t i = 0; i < BUNDLES; i++)
        cluster->bundles[i] = cluster->bundles[BUNDLES - 1];
}

/* Replicas look a minute apart, each at its own second; between looks the clients check all leafs. */
static void live(struct cluster *cluster, int64_t from, int64_t to, int64_t stride)
{
    for (int64_t now = from; now < to; now += stride)
        for (size_t i = 0; i < REPLICAS; i++) {
            look(cluster, i, now + (int64_t)i * LOOK_SECONDS / REPLICAS);
            for (size_t j = 0; j < REPLICAS; j++)
                expect_checkable(cluster, &cluster->leafs[j], now + (int64_t)i * LOOK_SECONDS / REPLICAS);
        }
}

/* Three years with the usual lifetimes: four authorities, each staged, promoted and dropped once. */
static void years_go_by(void **state)
{
    (void)state;
    struct cluster cluster;
    start(&cluster, MIDSUMMER_2026, AUTHORITY_SECONDS);
    live(&cluster, MIDSUMMER_2026, MIDSUMMER_2026 + 3 * YEAR, LOOK_SECONDS);
    assert_int_equal(cluster.steps[ROTATION_CREATE], 1);
    assert_in_range(cluster.steps[ROTATION_STAGE], 4, 5);
    assert_int_equal(cluster.steps[ROTATION_PROMOTE], cluster.steps[ROTATION_STAGE]);
    assert_in_range(cluster.steps[ROTATION_DROP], cluster.steps[ROTATION_STAGE] - 1, 5);
    assert_int_equal(cluster.steps[ROTATION_UNSTAGE], 0);
}

/* Authorities so short that the next is due before the previous is over still leave no leaf behind. */
static void rotations_in_quick_succession(void **state)
{
    (void)state;
    struct cluster cluster;
    start(&cluster, MIDSUMMER_2026, 12 * DAY);
    live(&cluster, MIDSUMMER_2026, MIDSUMMER_2026 + 120 * DAY, LOOK_SECONDS);
    assert_int_equal(cluster.steps[ROTATION_CREATE], 1);
    assert_true(cluster.steps[ROTATION_PROMOTE] >= 10);
}

/* An authority ends while no replica runs, as in a cluster that was off: the first look makes another. */
static void a_long_sleep(void **state)
{
    (void)state;
    struct rotation_state old = {.current = made_at(0, YEAR), .promoted_at = 0};
    struct rotation_decision decision = rotation_decide(&old, &plan, 2 * YEAR, NOBODY);
    assert_int_equal(decision.step, ROTATION_CREATE);
    struct rotation_state fresh = take(&old, decision.step, made_at(2 * YEAR, YEAR), 2 * YEAR);
    assert_false(exists(fresh.previous));
    assert_int_equal(rotation_decide(&fresh, &plan, 2 * YEAR, NOBODY).step, ROTATION_NONE);
    old.next = made_at(2 * YEAR - DAY, YEAR);
    assert_int_equal(rotation_decide(&old, &plan, 2 * YEAR, NOBODY).step, ROTATION_PROMOTE);
}

/* Clocks that were wrong and are right again: what they wrote is not taken for the truth, and heals. */
static void clocks_that_were_ahead(void **state)
{
    (void)state;
    int64_t now = MIDSUMMER_2026;
    struct rotation_state made_ahead = {.current = made_at(now + YEAR, YEAR), .promoted_at = now + YEAR};
    assert_int_equal(rotation_decide(&made_ahead, &plan, now, NOBODY).step, ROTATION_CREATE);
    struct rotation_state staged_ahead = {
        .current = made_at(now, YEAR), .next = made_at(now + YEAR, YEAR), .staged_at = now + YEAR};
    assert_int_equal(rotation_decide(&staged_ahead, &plan, now, NOBODY).step, ROTATION_UNSTAGE);
    struct rotation_state a_little = {
        .current = made_at(now, YEAR), .next = made_at(now + MINUTE, YEAR), .staged_at = now + MINUTE};
    assert_int_equal(rotation_decide(&a_little, &plan, now, NOBODY).step, ROTATION_NONE);
    assert_int_equal(
        rotation_decide(&a_little, &plan, now + MINUTE + plan.soak_seconds, NOBODY).step, ROTATION_PROMOTE);
    struct rotation_state promoted_ahead = {
        .current = made_at(now, YEAR), .previous = made_at(now - YEAR / 2, YEAR), .promoted_at = now + YEAR};
    assert_int_equal(rotation_decide(&promoted_ahead, &plan, now, NOBODY).step, ROTATION_NONE);
    assert_int_equal(rotation_decide(&promoted_ahead, &plan, now + YEAR / 2 + 1, NOBODY).step, ROTATION_DROP);
}

/* A next authority signs only after the soak, and the previous leaves only after the last leaf of it. */
static void every_step_waits_for_its_time(void **state)
{
    (void)state;
    int64_t now = MIDSUMMER_2026;
    struct rotation_state authorities =
        take(&(struct rotation_state){0}, ROTATION_CREATE, made_at(now, YEAR), now);
    struct rotation_decision decision = rotation_decide(&authorities, &plan, now, NOBODY);
    assert_int_equal(decision.step, ROTATION_NONE);
    now = decision.again_at;
    assert_int_equal(rotation_decide(&authorities, &plan, now - 1, NOBODY).step, ROTATION_NONE);
    assert_int_equal(rotation_decide(&authorities, &plan, now, NOBODY).step, ROTATION_STAGE);
    authorities = take(&authorities, ROTATION_STAGE, made_at(now, YEAR), now);
    decision = rotation_decide(&authorities, &plan, now, NOBODY);
    assert_true(decision.again_at == now + plan.soak_seconds);
    now = decision.again_at;
    assert_int_equal(rotation_decide(&authorities, &plan, now - 1, NOBODY).step, ROTATION_NONE);
    assert_int_equal(rotation_decide(&authorities, &plan, now, NOBODY).step, ROTATION_PROMOTE);
    authorities = take(&authorities, ROTATION_PROMOTE, (struct validity){0}, now);
    assert_true(exists(authorities.previous) && !exists(authorities.next));
    decision = rotation_decide(&authorities, &plan, now, NOBODY);
    assert_true(decision.again_at == now + LEAF_SECONDS + plan.soak_seconds);
    assert_int_equal(rotation_decide(&authorities, &plan, decision.again_at - 1, NOBODY).step, ROTATION_NONE);
    assert_int_equal(rotation_decide(&authorities, &plan, decision.again_at, NOBODY).step, ROTATION_DROP);
    authorities = take(&authorities, ROTATION_DROP, (struct validity){0}, decision.again_at);
    assert_false(exists(authorities.previous));
}

/* An authority that is over cannot sign, though it was to be the next. */
static void new_after_all_are_over(void **state)
{
    (void)state;
    struct rotation_state over = {.current = made_at(0, DAY), .next = made_at(DAY, DAY)};
    assert_int_equal(rotation_decide(&over, &plan, MIDSUMMER_2026, NOBODY).step, ROTATION_CREATE);
}

/* The same with real certificates: two years, and OpenSSL checks each leaf against the bundle of its day. */
static bool is_trusted(X509 *leaf, X509 *const authorities[3], int64_t now)
{
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    for (size_t i = 0; i < 3; i++)
        if (authorities[i])
            X509_STORE_add_cert(store, authorities[i]);
    X509_STORE_CTX_init(context, store, leaf, NULL);
    X509_STORE_CTX_set_time(context, 0, (time_t)now);
    bool trusted = X509_verify_cert(context) == 1;
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    return trusted;
}

struct real {
    struct rotation_state state;
    struct authority current, next, previous;
};

static struct validity times_of(const struct authority *authority)
{
    struct validity validity;
    assert_true(validity_of(authority->certificate, &validity));
    return validity;
}

static void real_step(struct real *real, enum rotation_step step, int64_t now)
{
    struct validity made = {0};
    if (step == ROTATION_CREATE || step == ROTATION_STAGE) {
        struct authority authority = make_authority(KEY_EC_P256, now, AUTHORITY_SECONDS);
        made = times_of(&authority);
        *(step == ROTATION_CREATE ? &real->current : &real->next) = authority;
    } else if (step == ROTATION_PROMOTE) {
        authority_release(&real->previous);
        real->previous = real->current;
        real->current = real->next;
        real->next = (struct authority){0};
    } else if (step == ROTATION_DROP) {
        authority_release(&real->previous);
    }
    real->state = take(&real->state, step, made, now);
}

static void openssl_checks_every_leaf(void **state)
{
    (void)state;
    struct real real = {0};
    X509 *leaf = NULL;
    EVP_PKEY *key = NULL;
    struct validity validity = {0};
    unsigned promotions = 0, leafs = 0;
    for (int64_t now = MIDSUMMER_2026; now < MIDSUMMER_2026 + 2 * YEAR; now += DAY / 4) {
        struct rotation_decision decision = rotation_decide(&real.state, &plan, now, NOBODY);
        if (decision.step != ROTATION_NONE)
            real_step(&real, decision.step, now);
        promotions += decision.step == ROTATION_PROMOTE;
        /* Not renewed when the signer changes: the worst case, which the previous authority is kept for. */
        if (validity_is_due(validity, NOBODY, now)) {
            X509_free(leaf);
            EVP_PKEY_free(key);
            leaf = make_leaf(&real.current, KEY_EC_P256, now, LEAF_SECONDS, &key);
            assert_true(validity_of(leaf, &validity));
            leafs++;
        }
        X509 *const bundle[3] = {real.current.certificate, real.next.certificate, real.previous.certificate};
        if (!is_trusted(leaf, bundle, now))
            fail_msg("a leaf is not trusted %lld days on", (long long)((now - MIDSUMMER_2026) / DAY));
    }
    assert_in_range(promotions, 2, 3);
    assert_true(leafs > 100);
    X509_free(leaf);
    EVP_PKEY_free(key);
    authority_release(&real.current);
    authority_release(&real.next);
    authority_release(&real.previous);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(years_go_by),
        cmocka_unit_test(rotations_in_quick_succession),
        cmocka_unit_test(a_long_sleep),
        cmocka_unit_test(clocks_that_were_ahead),
        cmocka_unit_test(every_step_waits_for_its_time),
        cmocka_unit_test(new_after_all_are_over),
        cmocka_unit_test(openssl_checks_every_leaf),
    };
    return cmocka_run_group_tests_name("certs rotation", tests, NULL, NULL);
}
