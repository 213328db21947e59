/*
 * issuer_cluster.h: replicas that issue certificates side by side, and clients that check what they serve.
 *
 * The clients play API servers: each goes by the configurations as they are now, or as they were at any time
 * within the lag.
 */
#ifndef APPLYGUARD_TESTS_ISSUER_CLUSTER_H
#define APPLYGUARD_TESTS_ISSUER_CLUSTER_H

#include "certs/bundle.h"
#include "certs/secret_base64.h"
#include "issuer/issuer.h"

#include "tests/unit/certs/certs_fixture.h"
#include "tests/unit/issuer/issuer_api.h"

#define MINUTE_MS ((int64_t)60 * 1000)
#define HOUR_MS (60 * MINUTE_MS)
#define DAY_MS (24 * HOUR_MS)
#define YEAR_MS (365 * DAY_MS)

enum { REPLICAS = 3, VIEWS = 64, VIEW_HOOKS = 4 };

struct cluster;

struct replica {
    struct cluster *cluster;
    struct issuer *issuer;
    struct issuer_settings settings;
    struct pair served;
    int64_t skew;            /* of its clock, in seconds */
    bool is_in_turn;         /* the hook may not start a second one */
    bool was_trusted;        /* since it started: from then on clients call it */
    unsigned distrusted;     /* turns after which it was not trusted any more */
    struct issuer_turn last; /* without the pair */
};

/* The authorities that the configurations trusted from a time on: a store each bundle, NULL for a webhook
 * that has none. */
struct view {
    int64_t since;
    char *text;
    X509_STORE *stores[VIEW_HOOKS];
    size_t count;
};

struct cluster {
    struct api api;
    struct replica replicas[REPLICAS];
    struct view views[VIEWS]; /* the newest last */
    int64_t lag_ms;
    unsigned steps[ROTATION_UNSTAGE + 1];
    unsigned restored;
    uint32_t dice;
    unsigned one_in;              /* between how many calls another replica's turn comes; 0: never */
    struct replica *before_write; /* whose whole turn comes just before the next write; then NULL */
    void (*mishap)(struct cluster *cluster); /* happens just before the next write; then NULL */
};

/*
 * Clients
 */

static inline void view_release(struct view *view)
{
    for (size_t i = 0; i < view->count; i++)
        X509_STORE_free(view->stores[i]);
    free(view->text);
    *view = (struct view){0};
}

static inline STACK_OF(X509) * certificates_of(const char *base64)
{
    struct secret pem = {0};
    if (!base64 || !secret_base64_decode(slice_of(base64), &pem))
        return NULL;
    STACK_OF(X509) *certificates = bundle_parse((struct slice){pem.bytes, pem.length}, NULL);
    secret_free(&pem);
    return certificates;
}

static inline X509_STORE *store_of(const char *bundle)
{
    STACK_OF(X509) *certificates = certificates_of(bundle);
    X509_STORE *store = certificates ? X509_STORE_new() : NULL;
    for (int i = 0; store && i < sk_X509_num(certificates); i++)
        assert_int_equal(X509_STORE_add_cert(store, sk_X509_value(certificates, i)), 1);
    bundle_free(certificates);
    return store;
}

static inline const char *bundle_at(struct cluster *cluster, size_t configuration, size_t webhook)
{
    char pointer[64];
    snprintf(pointer, sizeof(pointer), "/webhooks/%zu/clientConfig/caBundle", webhook);
    return api_text(cluster->api.configurations[configuration], pointer);
}

static inline size_t webhooks_of(struct cluster *cluster, size_t configuration)
{
    return yyjson_mut_arr_size(api_at(cluster->api.configurations[configuration], "/webhooks"));
}

static inline char *text_of_bundles(struct cluster *cluster)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    for (size_t i = 0; i < API_CONFIGURATIONS; i++)
        for (size_t j = 0; j < webhooks_of(cluster, i); j++)
            fprintf(stream, "%s|", bundle_at(cluster, i, j) ? bundle_at(cluster, i, j) : "");
    fclose(stream);
    return text;
}

/* Webhooks in a row that have the very same bundle trust the same. */
static inline void view_fill(struct cluster *cluster, struct view *view)
{
    const char *last = NULL;
    for (size_t i = 0; i < API_CONFIGURATIONS; i++)
        for (size_t j = 0; j < webhooks_of(cluster, i); j++) {
            const char *bundle = bundle_at(cluster, i, j);
            if (!bundle || !last || strcmp(bundle, last) != 0)
                view->stores[view->count++] = store_of(bundle);
            last = bundle;
        }
}

/* After everything that may have changed a configuration. */
static inline void clients_look(struct cluster *cluster)
{
    struct view *newest = &cluster->views[VIEWS - 1];
    char *text = text_of_bundles(cluster);
    if (newest->text && strcmp(newest->text, text) == 0) {
        free(text);
        return;
    }
    view_release(&cluster->views[0]);
    memmove(cluster->views, cluster->views + 1, sizeof(*newest) * (VIEWS - 1));
    *newest = (struct view){.since = cluster->api.milliseconds, .text = text};
    view_fill(cluster, newest);
}

/* For failures that cannot be avoided: a bundle that was wiped. */
static inline void clients_forget(struct cluster *cluster)
{
    for (size_t i = 0; i < VIEWS; i++)
        view_release(&cluster->views[i]);
    clients_look(cluster);
}

static inline bool is_trusted_by(X509_STORE *store, const struct pair *served, int64_t now)
{
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    assert_int_equal(X509_STORE_CTX_init(context, store, served->leaf, served->chain), 1);
    assert_int_equal(X509_STORE_CTX_set_default(context, "ssl_server"), 1);
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)now);
    assert_int_equal(X509_VERIFY_PARAM_set1_host(parameters, "guard.prod.svc", 0), 1);
    bool is_trusted = X509_verify_cert(context) == 1;
    X509_STORE_CTX_free(context);
    return is_trusted;
}

static inline bool view_trusts(const struct view *view, const struct pair *served, int64_t now)
{
    for (size_t i = 0; i < view->count; i++)
        if (!view->stores[i] || !is_trusted_by(view->stores[i], served, now))
            return false;
    return view->count > 0;
}

/* Every client can check what every replica serves. */
static inline void clients_call(struct cluster *cluster)
{
    int64_t now = cluster->api.milliseconds;
    for (size_t i = 0; i < REPLICAS; i++) {
        const struct replica *replica = &cluster->replicas[i];
        for (size_t j = VIEWS; replica->was_trusted && j-- > 0 && cluster->views[j].text;) {
            const struct view *view = &cluster->views[j];
            if (!view_trusts(view, &replica->served, now / 1000))
                fail_msg(
                    "at %lld ms a client that goes by the bundle of %lld ms cannot check replica %zu",
                    (long long)now, (long long)view->since, i);
            if (now - view->since >= cluster->lag_ms)
                break;
        }
    }
}

/*
 * Replicas
 */

static inline uint32_t cluster_roll(struct cluster *cluster, uint32_t sides)
{
    cluster->dice = cluster->dice * 1664525u + 1013904223u;
    return (cluster->dice >> 8) % sides;
}

/* Keys are in no message, in any form. */
static inline void expect_no_key(const char *message)
{
    assert_null(strstr(message, "PRIVATE"));
    assert_null(strstr(message, "LS0t"));
    assert_null(strstr(message, "MIG"));
    assert_null(strstr(message, "MII"));
}

static inline void replica_serve(struct replica *replica, struct pair pair)
{
    assert_int_equal(X509_check_private_key(pair.leaf, pair.key), 1);
    pair_release(&replica->served);
    replica->served = pair;
}

static inline void replica_take_turn(struct replica *replica)
{
    struct cluster *cluster = replica->cluster;
    struct issuer_turn *turn = &replica->last;
    replica->is_in_turn = true;
    issuer_take_turn(replica->issuer, cluster->api.milliseconds / 1000 + replica->skew, turn);
    replica->is_in_turn = false;
    if (turn->has_pair)
        replica_serve(replica, turn->pair);
    turn->pair = (struct pair){0};
    expect_no_key(turn->problem.message);
    expect_no_key(turn->unusable.message);
    assert_in_range(turn->again_in_ms, 100, 5000);
    if (turn->step != ROTATION_NONE || turn->was_restored || turn->published) /* is looked at soon */
        assert_true(turn->again_in_ms <= 500);
    cluster->steps[turn->step]++;
    cluster->restored += turn->was_restored;
    if (turn->is_trusted) /* by what it looked at: others may have gone on since */
        assert_non_null(replica->served.leaf);
    if (turn->is_trusted && cluster->one_in == 0)
        assert_true(
            view_trusts(&cluster->views[VIEWS - 1], &replica->served, cluster->api.milliseconds / 1000));
    replica->distrusted += replica->was_trusted && !turn->is_trusted;
    replica->was_trusted |= turn->is_trusted;
}

static inline void break_in_before_write(struct cluster *cluster, const struct kube_request *request)
{
    struct replica *other = cluster->before_write;
    void (*mishap)(struct cluster *) = cluster->mishap;
    if (strcmp(request->method, "GET") == 0)
        return;
    cluster->before_write = NULL;
    cluster->mishap = NULL;
    if (other)
        replica_take_turn(other);
    if (mishap)
        mishap(cluster);
}

/* Another replica's whole turn, which may itself be broken into by the third. */
static inline void others_break_in(struct cluster *cluster)
{
    struct replica *other = &cluster->replicas[cluster_roll(cluster, REPLICAS)];
    if (cluster->one_in && cluster_roll(cluster, cluster->one_in) == 0 && !other->is_in_turn)
        replica_take_turn(other);
}

static inline int replica_call(
    void *client, const struct kube_request *request, struct kube_response *response, struct error *error)
{
    struct replica *replica = client;
    struct cluster *cluster = replica->cluster;
    others_break_in(cluster);
    break_in_before_write(cluster, request);
    int result = api_call(&cluster->api, request, response, error);
    clients_look(cluster);
    others_break_in(cluster);
    return result;
}

static inline void replica_start(struct replica *replica)
{
    struct error error = {0};
    const struct issuer_api api = {.client = replica, .call = replica_call};
    replica->issuer = issuer_create(&replica->settings, &api, &error);
    assert_non_null(replica->issuer);
}

static inline void replica_stop(struct replica *replica)
{
    issuer_free(replica->issuer);
    pair_release(&replica->served);
    replica->issuer = NULL;
    replica->was_trusted = false;
    replica->last = (struct issuer_turn){0};
}

static inline void replica_restart(struct replica *replica)
{
    replica_stop(replica);
    replica_start(replica);
}

/*
 * The cluster
 */

#define HOOK(name)                                                                                           \
    "{\"name\":\"" name "\",\"sideEffects\":\"None\",\"admissionReviewVersions\":[\"v1\"],"                  \
    "\"failurePolicy\":\"Fail\",\"timeoutSeconds\":5,\"matchPolicy\":\"Equivalent\","                        \
    "\"clientConfig\":{\"service\":{\"name\":\"guard\",\"namespace\":\"prod\",\"path\":\"/validate\","       \
    "\"port\":443}}}"

#define CONFIGURATION(hooks)                                                                                 \
    "{\"kind\":\"ValidatingWebhookConfiguration\",\"apiVersion\":\"admissionregistration.k8s.io/v1\","       \
    "\"metadata\":{\"generation\":1,\"labels\":{\"team\":\"platform\"}},\"webhooks\":[" hooks "]}"

static inline void cluster_install(struct cluster *cluster)
{
    api_create_configuration(
        &cluster->api, 0, CONFIGURATION(HOOK("apply.guard.io") "," HOOK("scale.guard.io")));
    api_create_configuration(&cluster->api, 1, CONFIGURATION(HOOK("late.guard.io")));
}

static inline GENERAL_NAMES *cluster_names(void)
{
    struct error error = {0};
    GENERAL_NAMES *names = names_create(&error);
    assert_int_equal(names_add_service(names, "guard", "prod", &error), 0);
    return names;
}

/* Three replicas that have not taken a turn; lifetimes as they are by default. */
static inline struct cluster *cluster_create(void)
{
    struct cluster *cluster = calloc(1, sizeof(*cluster));
    assert_non_null(cluster);
    cluster->api.milliseconds = MIDSUMMER_2026 * 1000;
    cluster->lag_ms = 4 * MINUTE_MS;
    cluster_install(cluster);
    for (size_t i = 0; i < REPLICAS; i++) {
        cluster->replicas[i].cluster = cluster;
        cluster->replicas[i].settings = (struct issuer_settings){
            .namespace = "prod",
            .secret = "guard-authority",
            .configurations = {"guard", "guard-late"},
            .configuration_count = 2,
            .authority_name = "applyguard",
            .names = cluster_names(),
            .key_kind = KEY_EC_P256,
            .authority_seconds = AUTHORITY_SECONDS,
            .leaf_seconds = LEAF_SECONDS,
            .soak_seconds = ISSUER_SOAK_SECONDS,
            .random = (uint32_t)i * 2654435761u,
        };
        replica_start(&cluster->replicas[i]);
    }
    return cluster;
}

static inline void cluster_free(struct cluster *cluster)
{
    for (size_t i = 0; i < REPLICAS; i++) {
        replica_stop(&cluster->replicas[i]);
        GENERAL_NAMES_free(cluster->replicas[i].settings.names);
    }
    for (size_t i = 0; i < VIEWS; i++)
        view_release(&cluster->views[i]);
    api_release(&cluster->api);
    free(cluster);
}

/* A turn of each within the time, and after each of them every client calls every replica. */
static inline void cluster_round(struct cluster *cluster, int64_t milliseconds)
{
    for (size_t i = 0; i < REPLICAS; i++) {
        cluster->api.milliseconds += milliseconds / REPLICAS;
        clients_look(cluster);
        replica_take_turn(&cluster->replicas[i]);
        clients_call(cluster);
    }
}

static inline void cluster_live(struct cluster *cluster, int64_t milliseconds, int64_t round)
{
    for (int64_t end = cluster->api.milliseconds + milliseconds; cluster->api.milliseconds < end;)
        cluster_round(cluster, round);
}

static inline void expect_no_problem(const struct cluster *cluster)
{
    for (size_t i = 0; i < REPLICAS; i++) {
        assert_string_equal(cluster->replicas[i].last.problem.message, "");
        assert_string_equal(cluster->replicas[i].last.unusable.message, "");
    }
}

static inline void expect_never_distrusted(const struct cluster *cluster)
{
    for (size_t i = 0; i < REPLICAS; i++)
        assert_int_equal(cluster->replicas[i].distrusted, 0);
}

/*
 * From the first turn to where all replicas are trusted by every client, however late. A new replica may be
 * called before clients know its authority: no replica served before.
 */
static inline void cluster_settle(struct cluster *cluster)
{
    int64_t soak = cluster->replicas[0].settings.soak_seconds * 1000;
    for (size_t i = 0; i < 3 * REPLICAS; i++)
        replica_take_turn(&cluster->replicas[i % REPLICAS]);
    for (size_t i = 0; i < REPLICAS; i++)
        assert_true(cluster->replicas[i].was_trusted);
    clients_forget(cluster);
    cluster_live(cluster, soak, soak * 3 / 10);
    expect_no_problem(cluster);
    expect_never_distrusted(cluster);
}

static inline struct cluster *cluster_begin(void)
{
    struct cluster *cluster = cluster_create();
    cluster_settle(cluster);
    return cluster;
}

static inline unsigned writes_of(const struct cluster *cluster)
{
    return cluster->api.counts.secret_writes + cluster->api.counts.applies;
}

static inline void cluster_set_lifetimes(
    struct cluster *cluster, int64_t authority_seconds, int64_t leaf_seconds, int64_t soak_seconds)
{
    for (size_t i = 0; i < REPLICAS; i++) {
        cluster->replicas[i].settings.authority_seconds = authority_seconds;
        cluster->replicas[i].settings.leaf_seconds = leaf_seconds;
        cluster->replicas[i].settings.soak_seconds = soak_seconds;
    }
}

/* Until a replica takes the step, which has to be within `rounds`. */
static inline void cluster_live_until(
    struct cluster *cluster, enum rotation_step step, int64_t round, unsigned rounds)
{
    for (unsigned before = cluster->steps[step]; cluster->steps[step] == before; rounds--) {
        assert_true(rounds > 0);
        cluster_round(cluster, round);
    }
}

/* All leafs are of the authority that signs, which the Secret holds. */
static inline void expect_one_authority(struct cluster *cluster)
{
    STACK_OF(X509) *current = certificates_of(api_text(cluster->api.secret, "/data/tls.crt"));
    assert_int_equal(sk_X509_num(current), 1);
    EVP_PKEY *key = X509_get0_pubkey(sk_X509_value(current, 0));
    for (size_t i = 0; i < REPLICAS; i++)
        assert_int_equal(X509_verify(cluster->replicas[i].served.leaf, key), 1);
    bundle_free(current);
}

static inline int certificates_in(struct cluster *cluster, const char *pointer)
{
    STACK_OF(X509) *certificates = certificates_of(api_text(cluster->api.secret, pointer));
    int count = certificates ? sk_X509_num(certificates) : 0;
    bundle_free(certificates);
    return count;
}

/* A copy, to compare with later. The caller frees it. */
static inline char *copy_of_text(struct cluster *cluster, const char *pointer)
{
    const char *text = api_text(cluster->api.secret, pointer);
    assert_non_null(text);
    return strdup(text);
}

#endif
