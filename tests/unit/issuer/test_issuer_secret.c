/* The authorities go into a Secret and come back whole; what others keep there stays, and what is hostile
 * there does no harm. */
#include "base/array_size.h"
#include "tests/unit/certs/certs_fixture.h"

#include "certs/secret_base64.h"
#include "issuer/authority_secret.h"

#include <string.h>
#include <time.h>
#include <yyjson.h>

#define NEST 100000
#define HUGE_BYTES ((size_t)4 * 1024 * 1024)

static const char *const own_entries[] = {
    "/data/tls.crt",  "/data/tls.key",      "/data/next.crt",
    "/data/next.key", "/data/previous.crt", "/data/ca.crt",
};

static struct authorities three_authorities(void)
{
    struct authority previous = make_authority(KEY_EC_P256, MIDSUMMER_2026 - DAY, AUTHORITY_SECONDS);
    struct authorities authorities = {
        .current = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS),
        .next = make_authority(KEY_RSA_2048, MIDSUMMER_2026 + DAY, AUTHORITY_SECONDS),
        .previous = previous.certificate,
        .promoted_at = MIDSUMMER_2026 + 7,
    };
    EVP_PKEY_free(previous.key);
    return authorities;
}

static struct secret write_into(const struct authorities *authorities, struct slice stored)
{
    struct error error = {0};
    struct secret json;
    assert_int_equal(
        authority_secret_write(authorities, stored, "prod", "guard-authority", &json, &error), 0);
    return json;
}

static yyjson_doc *parse(const struct secret *json)
{
    yyjson_doc *document = yyjson_read(json->bytes, json->length, 0);
    assert_non_null(document);
    return document;
}

static void assert_text(yyjson_doc *document, const char *pointer, const char *expected)
{
    const char *text = yyjson_get_str(yyjson_doc_ptr_get(document, pointer));
    assert_non_null(text);
    assert_string_equal(text, expected);
}

static struct authorities read_whole(struct slice json)
{
    struct error error = {0};
    struct authorities authorities;
    assert_int_equal(authority_secret_read(json, &authorities, &error), 0);
    assert_string_equal(error.message, "");
    return authorities;
}

static void assert_same(const struct authorities *a, const struct authorities *b)
{
    assert_int_equal(X509_cmp(a->current.certificate, b->current.certificate), 0);
    assert_int_equal(EVP_PKEY_eq(a->current.key, b->current.key), 1);
    assert_int_equal(X509_cmp(a->next.certificate, b->next.certificate), 0);
    assert_int_equal(EVP_PKEY_eq(a->next.key, b->next.key), 1);
    assert_int_equal(X509_cmp(a->previous, b->previous), 0);
    assert_true(a->promoted_at == b->promoted_at);
}

/* Certificates, keys of both kinds and the time of the promotion, through a new Secret. */
static void a_round_trip(void **state)
{
    (void)state;
    struct authorities written = three_authorities();
    struct secret json = write_into(&written, (struct slice){0});
    struct authorities found = read_whole(secret_slice(&json));
    assert_same(&found, &written);
    yyjson_doc *document = parse(&json);
    assert_text(document, "/kind", "Secret");
    assert_text(document, "/apiVersion", "v1");
    assert_text(document, "/type", "kubernetes.io/tls");
    assert_text(document, "/metadata/name", "guard-authority");
    assert_text(document, "/metadata/namespace", "prod");
    assert_text(document, "/metadata/annotations/applyguard.io~1promoted-at", "2026-06-21T12:00:07Z");
    assert_null(yyjson_doc_ptr_get(document, "/metadata/resourceVersion"));
    yyjson_doc_free(document);
    authorities_release(&found);
    authorities_release(&written);
    secret_free(&json);
}

/* A Secret's ca.crt holds every authority, and no key. */
static void all_authorities_for_other_tools(void **state)
{
    (void)state;
    struct authorities written = three_authorities();
    struct secret json = write_into(&written, (struct slice){0}), text;
    struct pem_text pem;
    struct error error = {0};
    yyjson_doc *document = parse(&json);
    assert_int_equal(authorities_bundle(&written, &pem, &error), 0);
    assert_true(secret_base64_encode((struct slice){pem.bytes, pem.length}, &text));
    assert_text(document, "/data/ca.crt", text.bytes);
    STACK_OF(X509) *bundle = bundle_parse((struct slice){pem.bytes, pem.length}, &error);
    assert_int_equal(sk_X509_num(bundle), 3);
    assert_int_equal(X509_cmp(sk_X509_value(bundle, 0), written.previous), 0); /* the oldest first */
    assert_int_equal(X509_cmp(sk_X509_value(bundle, 2), written.next.certificate), 0);
    bundle_free(bundle);
    free(pem.bytes);
    secret_free(&text);
    yyjson_doc_free(document);
    authorities_release(&written);
    secret_free(&json);
}

static const char foreign[] =
    "{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"immutable\":false,\"type\":\"Opaque\","
    "\"metadata\":{\"name\":\"guard-authority\",\"namespace\":\"prod\",\"uid\":\"5ec2e7\","
    "\"resourceVersion\":\"4711\",\"labels\":{\"team\":\"platform\"},"
    "\"annotations\":{\"note\":\"ours\",\"applyguard.io/promoted-at\":\"2001-01-01T00:00:00Z\"},"
    "\"finalizers\":[\"example.org/keep\"],\"managedFields\":[{\"manager\":\"kubectl\"}],"
    "\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"name\":\"o\",\"uid\":\"u\"}]},"
    "\"data\":{\"theirs\":\"dGhlaXJz\",\"tls.crt\":\"\",\"previous.crt\":\"Z29uZQ==\"}}";

/* Labels, owners, a type, entries of others: all that is not ours stays, and the version to compare with. */
static void what_others_put_there_stays(void **state)
{
    (void)state;
    struct authorities written = three_authorities();
    X509_free(written.previous);
    written.previous = NULL;
    struct secret json = write_into(&written, slice_of(foreign));
    yyjson_doc *document = parse(&json);
    assert_text(document, "/type", "Opaque");
    assert_text(document, "/metadata/uid", "5ec2e7");
    assert_text(document, "/metadata/resourceVersion", "4711");
    assert_text(document, "/metadata/labels/team", "platform");
    assert_text(document, "/metadata/annotations/note", "ours");
    assert_text(document, "/metadata/annotations/applyguard.io~1promoted-at", "2026-06-21T12:00:07Z");
    assert_text(document, "/metadata/finalizers/0", "example.org/keep");
    assert_text(document, "/metadata/ownerReferences/0/kind", "ConfigMap");
    assert_true(yyjson_is_false(yyjson_doc_ptr_get(document, "/immutable")));
    assert_text(document, "/data/theirs", "dGhlaXJz");
    assert_null(yyjson_doc_ptr_get(document, "/data/previous.crt"));
    assert_null(yyjson_doc_ptr_get(document, "/metadata/managedFields"));
    yyjson_doc_free(document);
    secret_free(&json);
    authorities_release(&written);
}

/* Each step writes all of it again: nothing is left twice, and an authority that left is gone. */
static void written_again_and_again(void **state)
{
    (void)state;
    struct authorities written = three_authorities();
    struct secret json = write_into(&written, (struct slice){0});
    for (size_t i = 0; i < 3; i++) {
        struct secret again = write_into(&written, secret_slice(&json));
        assert_int_equal(again.length, json.length);
        secret_free(&json);
        json = again;
    }
    authority_release(&written.next);
    struct secret without = write_into(&written, secret_slice(&json));
    yyjson_doc *document = parse(&without);
    assert_int_equal(yyjson_obj_size(yyjson_doc_ptr_get(document, "/data")), 4);
    assert_null(yyjson_doc_ptr_get(document, "/data/next.key"));
    yyjson_doc_free(document);
    secret_free(&without);
    secret_free(&json);
    authorities_release(&written);
}

/*
 * Hostile
 */

static void expect_unusable(struct slice json, const char *problem)
{
    struct error error = {0};
    struct authorities found;
    assert_int_equal(authority_secret_read(json, &found, &error), -1);
    assert_string_equal(error.message, problem);
    assert_null(found.current.certificate);
    assert_null(found.current.key);
    assert_null(found.next.certificate);
    assert_null(found.previous);
}

/* Any other data in the Secret is refused with an error that repeats none of it. */
static void wrong_types_are_refused(void **state)
{
    (void)state;
    static const char *const not_json[] = {"", "{", "null", "[]", "7", "\"data\"", "{\"data\":{}} trailing"};
    static const char *const no_certificate[] = {
        "{}",
        "{\"data\":null}",
        "{\"data\":[]}",
        "{\"data\":\"tls.crt\"}",
        "{\"data\":{\"tls.crt\":7,\"tls.key\":[]}}",
        "{\"data\":{\"tls.crt\":{\"tls.crt\":\"\"}}}",
        "{\"data\":{\"tls.crt\":\"Cg==\",\"tls.key\":\"Cg==\"}}",
        "{\"data\":{\"tls.crt\":\"====\"}}",
        "{\"metadata\":7,\"data\":{\"tls.crt\":\"LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==\"}}",
    };
    for (size_t i = 0; i < ARRAY_SIZE(not_json); i++)
        expect_unusable(slice_of(not_json[i]), "it holds no JSON");
    for (size_t i = 0; i < ARRAY_SIZE(no_certificate); i++)
        expect_unusable(slice_of(no_certificate[i]), "it holds no certificate");
}

/* Deep and large ones neither exhaust the stack nor are taken for anything. */
static void deep_and_huge_are_refused(void **state)
{
    (void)state;
    char *deep = malloc(NEST * 2 + 16), *huge = malloc(HUGE_BYTES + 64);
    int length = sprintf(deep, "{\"data\":");
    memset(deep + length, '[', NEST);
    memset(deep + length + NEST, ']', NEST);
    strcpy(deep + length + 2 * NEST, "}");
    expect_unusable(slice_of(deep), "it holds no certificate");
    length = sprintf(huge, "{\"data\":{\"tls.crt\":\"");
    memset(huge + length, 'A', HUGE_BYTES);
    strcpy(huge + length + HUGE_BYTES, "\"}}");
    expect_unusable(slice_of(huge), "it holds no certificate");
    free(huge);
    free(deep);
}

static void replace(yyjson_mut_doc *document, const char *pointer, yyjson_mut_val *value)
{
    yyjson_mut_doc_ptr_remove(document, pointer);
    assert_true(yyjson_mut_doc_ptr_set(document, pointer, value));
}

static yyjson_mut_doc *changeable(const struct secret *json)
{
    yyjson_doc *document = parse(json);
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(document, NULL);
    yyjson_doc_free(document);
    return copy;
}

static struct authorities read_changed(yyjson_mut_doc *document)
{
    size_t length;
    char *text = yyjson_mut_write(document, 0, &length);
    struct authorities found = read_whole((struct slice){text, length});
    free(text);
    return found;
}

/* A next or previous authority that cannot be read is left out, and the current one still signs. */
static void the_rest_may_be_broken(void **state)
{
    (void)state;
    struct authorities written = three_authorities();
    struct secret json = write_into(&written, (struct slice){0});
    for (size_t i = 2; i < 5; i++) {
        yyjson_mut_doc *document = changeable(&json);
        replace(document, own_entries[i], yyjson_mut_str(document, "Z2FyYmFnZQ=="));
        struct authorities found = read_changed(document);
        assert_int_equal(X509_cmp(found.current.certificate, written.current.certificate), 0);
        assert_int_equal(found.next.certificate == NULL, i < 4);
        assert_int_equal(found.next.key == NULL, i < 4);
        assert_int_equal(found.previous == NULL, i == 4);
        authorities_release(&found);
        yyjson_mut_doc_free(document);
    }
    secret_free(&json);
    authorities_release(&written);
}

/* An invalid time counts as missing, and a missing one as far away. */
static void strange_promotion_times(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "yesterday",
        "2026-06-21",
        "2026-06-21T12:00:07",
        "2026-06-21T12:00:07Z ",
        "99999-01-01T00:00:00Z",
        "2026-13-41T25:61:61Z",
    };
    struct authorities written = three_authorities();
    struct secret json = write_into(&written, (struct slice){0});
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        yyjson_mut_doc *document = changeable(&json);
        replace(
            document, "/metadata/annotations/applyguard.io~1promoted-at", yyjson_mut_str(document, texts[i]));
        struct authorities found = read_changed(document);
        assert_true(found.promoted_at == PROMOTED_AT_UNKNOWN);
        struct secret again = write_into(&found, (struct slice){0});
        yyjson_doc *rewritten = parse(&again);
        assert_null(yyjson_doc_ptr_get(rewritten, "/metadata/annotations/applyguard.io~1promoted-at"));
        yyjson_doc_free(rewritten);
        secret_free(&again);
        authorities_release(&found);
        yyjson_mut_doc_free(document);
    }
    secret_free(&json);
    authorities_release(&written);
}

/* Members that are not what Kubernetes has there give way; a value that is not an object is not written into.
 * */
static void written_into_the_strange(void **state)
{
    (void)state;
    static const char *const strange[] = {
        "{}",
        "{\"data\":[1,2]}",
        "{\"metadata\":\"text\",\"data\":\"text\"}",
        "{\"metadata\":{\"annotations\":[]},\"data\":{\"tls.crt\":{},\"tls.crt\":7}}",
    };
    static const char *const nothing[] = {"null", "[]", "{", "7"};
    struct authorities written = three_authorities();
    for (size_t i = 0; i < ARRAY_SIZE(strange); i++) {
        struct secret json = write_into(&written, slice_of(strange[i]));
        struct authorities found = read_whole(secret_slice(&json));
        assert_same(&found, &written);
        authorities_release(&found);
        secret_free(&json);
    }
    for (size_t i = 0; i < ARRAY_SIZE(nothing); i++) {
        struct error error = {0};
        struct secret json;
        assert_int_equal(
            authority_secret_write(&written, slice_of(nothing[i]), "prod", "guard", &json, &error), -1);
        assert_string_equal(error.message, "cannot write the certificate authority down");
        assert_null(json.bytes);
    }
    authorities_release(&written);
}

static struct pem_text bundle_with(const struct authority *current, X509 *previous)
{
    struct error error = {0};
    struct pem_text pem;
    const struct authorities authorities = {.current = *current, .previous = previous};
    assert_int_equal(authorities_bundle(&authorities, &pem, &error), 0);
    return pem;
}

/* Replicas that know the same authorities publish the same bundle, or they would overwrite each other's for
 * ever: in every role, and even if two were made in the same second. */
static void one_order_for_all(void **state)
{
    (void)state;
    for (int64_t apart = 0; apart < 2; apart++) {
        struct authority a = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS),
                         b = make_authority(KEY_EC_P256, MIDSUMMER_2026 + apart, AUTHORITY_SECONDS);
        struct pem_text one = bundle_with(&a, b.certificate), other = bundle_with(&b, a.certificate);
        assert_true(
            slice_equal((struct slice){one.bytes, one.length}, (struct slice){other.bytes, other.length}));
        free(one.bytes);
        free(other.bytes);
        authority_release(&a);
        authority_release(&b);
    }
}

/* A previous authority with an invalid end is not kept. */
static void a_previous_one_without_times(void **state)
{
    (void)state;
    struct authority current = make_authority(KEY_EC_P256, MIDSUMMER_2026, AUTHORITY_SECONDS);
    X509 *timeless = make_timeless(&current);
    const struct authorities authorities = {.current = current, .previous = timeless};
    struct rotation_state known = authorities_state(&authorities);
    assert_true(known.current.not_after > MIDSUMMER_2026);
    assert_true(known.previous.not_before == 0 && known.previous.not_after == 0);
    X509_free(timeless);
    authority_release(&current);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_order_for_all),
        cmocka_unit_test(a_previous_one_without_times),
        cmocka_unit_test(a_round_trip),
        cmocka_unit_test(all_authorities_for_other_tools),
        cmocka_unit_test(what_others_put_there_stays),
        cmocka_unit_test(written_again_and_again),
        cmocka_unit_test(wrong_types_are_refused),
        cmocka_unit_test(deep_and_huge_are_refused),
        cmocka_unit_test(the_rest_may_be_broken),
        cmocka_unit_test(strange_promotion_times),
        cmocka_unit_test(written_into_the_strange),
    };
    return cmocka_run_group_tests_name("issuer secret", tests, NULL, NULL);
}
