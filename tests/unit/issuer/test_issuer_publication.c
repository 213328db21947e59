/* The caBundle is put back wherever it was removed, and the rest of a configuration stays as it is. */
#include "base/array_size.h"
#include "certs/secret_base64.h"
#include "issuer/publication.h"

#include "tests/unit/issuer/issuer_cluster.h"

#define WITHOUT_WEBHOOKS CONFIGURATION("")

/* A configuration's text without what applying a bundle changes. The caller frees it. */
static char *rest_of(yyjson_mut_doc *configuration)
{
    yyjson_mut_doc *copy = yyjson_mut_doc_mut_copy(configuration, NULL);
    yyjson_mut_val *webhook;
    size_t i, count;
    yyjson_mut_arr_foreach(api_at(copy, "/webhooks"), i, count, webhook)
    {
        yyjson_mut_obj_remove_key(yyjson_mut_obj_get(webhook, "clientConfig"), "caBundle");
    }
    api_set_text(copy, "/metadata/resourceVersion", NULL);
    char *text = yyjson_mut_write(copy, 0, NULL);
    yyjson_mut_doc_free(copy);
    return text;
}

static void set_bundle(struct cluster *cluster, size_t configuration, size_t webhook, const char *bundle)
{
    char pointer[64];
    snprintf(pointer, sizeof(pointer), "/webhooks/%zu/clientConfig/caBundle", webhook);
    api_set_text(cluster->api.configurations[configuration], pointer, bundle);
    api_change(&cluster->api, cluster->api.configurations[configuration]);
}

/* In one turn; in the one after, it is seen. */
static void expect_put_back(struct cluster *cluster, size_t replica, size_t configurations)
{
    struct replica *who = &cluster->replicas[replica];
    replica_take_turn(who);
    assert_int_equal(who->last.published, configurations);
    assert_string_equal(who->last.problem.message, "");
    assert_false(who->last.is_trusted);
    assert_true(who->last.again_in_ms <= 1000);
    clients_forget(cluster);
    clients_call(cluster);
    replica_take_turn(who);
    assert_int_equal(who->last.published, 0);
    assert_true(who->last.is_trusted);
}

/* The turn after the next one comes when it says; `leaf` and `soak` in seconds. */
static void expect_pause(struct replica *replica, int64_t leaf, int64_t soak, uint64_t milliseconds)
{
    replica->settings.leaf_seconds = leaf;
    replica->settings.soak_seconds = soak;
    replica_take_turn(replica);
    replica->settings.leaf_seconds = LEAF_SECONDS;
    replica->settings.soak_seconds = ISSUER_SOAK_SECONDS;
    assert_int_equal(replica->last.again_in_ms, milliseconds);
}

/* Short lives are watched closely, and what was just changed is looked at soon; neither makes a flood of
 * calls. */
static void turns_keep_the_pace(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_create();
    struct replica *replica = &cluster->replicas[0];
    expect_pause(replica, LEAF_SECONDS, ISSUER_SOAK_SECONDS, 500);
    assert_int_equal(replica->last.step, ROTATION_CREATE);
    expect_pause(replica, LEAF_SECONDS, ISSUER_SOAK_SECONDS, 5000);
    expect_pause(replica, 20, ISSUER_SOAK_SECONDS, 2000);
    expect_pause(replica, LEAF_SECONDS, 11, 2200);
    set_bundle(cluster, 0, 0, "");
    expect_pause(replica, LEAF_SECONDS, 11, 220);
    assert_int_equal(replica->last.published, 1);
    assert_int_equal(replica->last.step, ROTATION_NONE);
    set_bundle(cluster, 0, 0, "");
    expect_pause(replica, LEAF_SECONDS, 1, 100);
    cluster_free(cluster);
}

/* As `kubectl replace` and GitOps tools do it, of one webhook of several or of all; every other field stays.
 */
static void wiped_and_put_back(void **state)
{
    (void)state;
    static const char *const bundles[] = {NULL, "", "Cg==", "no base64 at all"};
    struct cluster *cluster = cluster_begin();
    char *before = rest_of(cluster->api.configurations[0]);
    for (size_t i = 0; i < ARRAY_SIZE(bundles); i++) {
        set_bundle(cluster, 0, 1, bundles[i]);
        expect_put_back(cluster, i % REPLICAS, 1);
        set_bundle(cluster, 0, 0, bundles[i]);
        set_bundle(cluster, 0, 1, bundles[i]);
        set_bundle(cluster, 1, 0, bundles[i]);
        expect_put_back(cluster, i % REPLICAS, 2);
    }
    char *after = rest_of(cluster->api.configurations[0]);
    assert_string_equal(after, before);
    assert_int_equal(cluster->api.counts.secret_writes, 1);
    free(after);
    free(before);
    cluster_free(cluster);
}

/* An authority that is not ours does not stay in the bundle: it could pass for the webhook. */
static void a_foreign_authority_goes(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    struct error error = {0};
    struct authority foreign = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    STACK_OF(X509) *both = certificates_of(bundle_at(cluster, 0, 0));
    char *bundle = strdup(bundle_at(cluster, 0, 0));
    struct pem_text pem;
    struct secret text;
    sk_X509_push(both, foreign.certificate);
    assert_int_equal(bundle_print(both, &pem, &error), 0);
    assert_true(secret_base64_encode((struct slice){pem.bytes, pem.length}, &text));
    set_bundle(cluster, 0, 0, text.bytes);
    replica_take_turn(&cluster->replicas[0]);
    assert_int_equal(cluster->replicas[0].last.published, 1);
    assert_true(cluster->replicas[0]
                    .last.is_trusted); /* by the bundle that it found, in addition to the foreign one */
    assert_string_equal(bundle_at(cluster, 0, 0), bundle);
    sk_X509_pop(both);
    authority_release(&foreign);
    secret_free(&text);
    free(pem.bytes);
    free(bundle);
    bundle_free(both);
    cluster_free(cluster);
}

/* A chart that was uninstalled and installed again brings configurations without a caBundle. */
static void made_again(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    api_delete_configuration(&cluster->api, 0);
    replica_take_turn(&cluster->replicas[0]);
    assert_false(cluster->replicas[0].last.is_trusted);
    assert_int_equal(cluster->replicas[0].last.published, 0);
    assert_string_equal(
        cluster->replicas[0].last.problem.message,
        "cannot read ValidatingWebhookConfiguration guard: 404 NotFound: the configuration was not found");
    cluster_install(cluster);
    expect_put_back(cluster, 0, 2);
    cluster_free(cluster);
}

static void delete_configuration(struct cluster *cluster)
{
    api_delete_configuration(&cluster->api, 0);
}

/* A configuration that is deleted between the look and the apply is not brought back as a stump. */
static void deleted_before_the_apply(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    set_bundle(cluster, 0, 0, NULL);
    cluster->mishap = delete_configuration;
    replica_take_turn(&cluster->replicas[0]);
    assert_null(cluster->api.configurations[0]);
    assert_int_equal(cluster->replicas[0].last.published, 0);
    assert_string_equal(
        cluster->replicas[0].last.problem.message,
        "cannot write the caBundle of ValidatingWebhookConfiguration guard: 409 Conflict: uid mismatch");
    cluster_free(cluster);
}

/* An empty list is reported, and the other configuration is still kept up to date. */
static void without_webhooks(void **state)
{
    (void)state;
    struct cluster *cluster = cluster_begin();
    api_create_configuration(&cluster->api, 0, WITHOUT_WEBHOOKS);
    set_bundle(cluster, 1, 0, NULL);
    replica_take_turn(&cluster->replicas[0]);
    assert_string_equal(
        cluster->replicas[0].last.problem.message,
        "ValidatingWebhookConfiguration guard has no webhooks; nothing calls applyguard");
    assert_int_equal(cluster->replicas[0].last.published, 1);
    assert_non_null(bundle_at(cluster, 1, 0));
    cluster_free(cluster);
}

/* An object that is not a configuration is neither published to nor trusted, and does no harm. */
static void hostile_configurations(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "null", "[]", "{", "\"text\"", "{\"webhooks\":null}", "{\"webhooks\":{}}", "{\"webhooks\":[]}",
    };
    static const char *const strange[] = {
        "{\"webhooks\":[null]}",
        "{\"webhooks\":[[],7]}",
        "{\"webhooks\":[{\"clientConfig\":\"text\"}]}",
        "{\"webhooks\":[{\"clientConfig\":{\"caBundle\":[1]}}]}",
        "{\"metadata\":[],\"webhooks\":[{\"name\":{},\"clientConfig\":{\"caBundle\":7}}]}",
    };
    struct error error = {0};
    struct authority authority = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        assert_int_equal(publication_check(slice_of(texts[i]), SLICE("Cg==")), PUBLICATION_WRONG);
        assert_false(publication_trusts(slice_of(texts[i]), authority.certificate));
    }
    for (size_t i = 0; i < ARRAY_SIZE(strange); i++) {
        struct secret apply;
        assert_int_equal(publication_check(slice_of(strange[i]), SLICE("Cg==")), PUBLICATION_DUE);
        assert_false(publication_trusts(slice_of(strange[i]), authority.certificate));
        assert_int_equal(publication_write(slice_of(strange[i]), SLICE("Cg=="), &apply, &error), 0);
        yyjson_mut_doc_free(api_parse((struct slice){apply.bytes, apply.length}));
        secret_free(&apply);
    }
    authority_release(&authority);
}

static char *append_pem(char *all, X509 *certificate)
{
    struct pem_text pem = pem_of(certificate);
    char *longer = NULL;
    assert_true(asprintf(&longer, "%s%.*s", all, (int)pem.length, pem.bytes) > 0);
    free(pem.bytes);
    free(all);
    return longer;
}

/* In any order: others may still serve leafs of the newest that is valid now. */
static void newest_of_a_bundle(void **state)
{
    (void)state;
    const struct authority old = make_authority(KEY_EC_P256, MIDSUMMER_2026 - 9 * DAY, AUTHORITY_SECONDS),
                           new = make_authority(KEY_EC_P256, MIDSUMMER_2026 - DAY, AUTHORITY_SECONDS),
                           expired = make_authority(KEY_EC_P256, MIDSUMMER_2026 - DAY / 2, DAY / 4),
                           of_tomorrow = make_authority(KEY_EC_P256, MIDSUMMER_2026 + DAY, AUTHORITY_SECONDS);
    X509 *timeless = make_timeless(&new);
    X509 *const orders[][5] = {
        {timeless, old.certificate, new.certificate, expired.certificate, of_tomorrow.certificate},
        {of_tomorrow.certificate, expired.certificate, new.certificate, old.certificate, timeless},
    };
    for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
        char *pem = strdup(""), *json;
        struct secret text;
        for (size_t j = 0; j < ARRAY_SIZE(orders[i]); j++)
            pem = append_pem(pem, orders[i][j]);
        assert_true(secret_base64_encode(slice_of(pem), &text));
        assert_true(
            asprintf(&json, "{\"webhooks\":[{\"clientConfig\":{\"caBundle\":\"%s\"}}]}", text.bytes) > 0);
        X509 *newest = publication_newest(slice_of(json), MIDSUMMER_2026);
        assert_non_null(newest);
        assert_int_equal(X509_cmp(newest, new.certificate), 0);
        X509_free(newest);
        secret_free(&text);
        free(json);
        free(pem);
    }
    X509_free(timeless);
    struct authority all[] = {old, new, expired, of_tomorrow};
    for (size_t i = 0; i < ARRAY_SIZE(all); i++)
        authority_release(&all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turns_keep_the_pace), cmocka_unit_test(newest_of_a_bundle),
        cmocka_unit_test(wiped_and_put_back),  cmocka_unit_test(a_foreign_authority_goes),
        cmocka_unit_test(made_again),          cmocka_unit_test(deleted_before_the_apply),
        cmocka_unit_test(without_webhooks),    cmocka_unit_test(hostile_configurations),
    };
    return cmocka_run_group_tests_name("issuer publication", tests, NULL, NULL);
}
