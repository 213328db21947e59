#include "issuer/authority_secret.h"

#include "base/array_size.h"
#include "certs/secret_base64.h"
#include "kube/cleansing.h"

#include <openssl/err.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROMOTED_AT "applyguard.io/promoted-at"
#define TIME_FORMAT "%Y-%m-%dT%H:%M:%SZ"
#define TIME_BYTES sizeof("9999-12-31T23:59:59Z")

/*
 * From JSON
 */

/* One entry of the Secret's data, decoded; empty where it is missing or no base64. */
static struct secret data_of(yyjson_val *root, const char *name)
{
    yyjson_val *value = yyjson_obj_get(yyjson_obj_get(root, "data"), name);
    struct secret content = {0};
    if (yyjson_is_str(value))
        secret_base64_decode((struct slice){yyjson_get_str(value), yyjson_get_len(value)}, &content);
    return content;
}

/* The first certificate of an entry; NULL if it is absent. */
static X509 *read_certificate(yyjson_val *root, const char *name)
{
    struct secret pem = data_of(root, name);
    STACK_OF(X509) *certificates = pem.length ? bundle_parse(secret_slice(&pem), NULL) : NULL;
    X509 *first = certificates ? sk_X509_shift(certificates) : NULL;
    bundle_free(certificates);
    secret_free(&pem);
    return first;
}

static EVP_PKEY *read_key(yyjson_val *root, const char *name)
{
    struct secret pem = data_of(root, name);
    EVP_PKEY *key = pem.length ? key_parse(secret_slice(&pem), NULL) : NULL;
    secret_free(&pem);
    return key;
}

/* NULL if it can sign, else what it lacks. */
static const char *lack_of(const struct authority *authority)
{
    struct validity validity;
    if (!authority->certificate)
        return "no certificate";
    if (!authority->key)
        return "no private key";
    bool matches = X509_check_private_key(authority->certificate, authority->key) == 1;
    ERR_clear_error();
    if (!matches)
        return "a key that is not the certificate's";
    if (X509_check_ca(authority->certificate) == 0)
        return "a certificate that is no authority's";
    return validity_of(authority->certificate, &validity) ? NULL : "a certificate without proper times";
}

static const char *read_authority(
    yyjson_val *root, const char *certificate, const char *key, struct authority *authority)
{
    *authority = (struct authority){read_certificate(root, certificate), read_key(root, key)};
    const char *lack = lack_of(authority);
    if (lack)
        authority_release(authority);
    return lack;
}

static int64_t read_promoted_at(yyjson_val *root)
{
    yyjson_val *annotations = yyjson_obj_get(yyjson_obj_get(root, "metadata"), "annotations");
    const char *text = yyjson_get_str(yyjson_obj_get(annotations, PROMOTED_AT));
    struct tm parts = {0};
    const char *end = text ? strptime(text, TIME_FORMAT, &parts) : NULL;
    return end && !*end ? timegm(&parts) : PROMOTED_AT_UNKNOWN;
}

int authority_secret_read(struct slice json, struct authorities *authorities, struct error *error)
{
    *authorities = (struct authorities){0};
    yyjson_doc *document =
        yyjson_read_opts((char *)(uintptr_t)json.bytes, json.length, 0, &cleansing_allocator, NULL);
    yyjson_val *root = yyjson_doc_get_root(document);
    const char *lack = "no JSON";
    if (yyjson_is_obj(root))
        lack = read_authority(root, "tls.crt", "tls.key", &authorities->current);
    if (!lack) {
        read_authority(root, "next.crt", "next.key", &authorities->next);
        authorities->previous = read_certificate(root, "previous.crt");
        authorities->promoted_at = read_promoted_at(root);
    }
    yyjson_doc_free(document);
    return lack ? error_set(error, "it holds %s", lack) : 0;
}

/*
 * To JSON
 */

struct writing {
    yyjson_mut_doc *document;
    yyjson_mut_val *data;
    bool failed;
};

static yyjson_mut_val *object_member(struct writing *writing, yyjson_mut_val *parent, const char *name)
{
    yyjson_mut_val *member = yyjson_mut_obj_get(parent, name);
    if (yyjson_mut_is_obj(member))
        return member;
    yyjson_mut_obj_remove_key(parent, name);
    member = yyjson_mut_obj_add_obj(writing->document, parent, name);
    writing->failed |= !member;
    return member;
}

static void write_entry(struct writing *writing, const char *name, struct slice content)
{
    struct secret text;
    bool done = secret_base64_encode(content, &text) &&
        yyjson_mut_obj_add_strncpy(writing->document, writing->data, name, text.bytes, text.length);
    writing->failed |= !done;
    secret_free(&text);
}

static void write_certificate(struct writing *writing, const char *name, X509 *certificate)
{
    struct pem_text pem = {0};
    STACK_OF(X509) *one = sk_X509_new_null();
    bool done = one && sk_X509_push(one, certificate) > 0 && bundle_print(one, &pem, NULL) == 0;
    sk_X509_free(one);
    writing->failed |= !done;
    if (done)
        write_entry(writing, name, (struct slice){pem.bytes, pem.length});
    free(pem.bytes);
}

static void write_authority(
    struct writing *writing, const char *certificate, const char *key, const struct authority *authority)
{
    struct secret pem;
    write_certificate(writing, certificate, authority->certificate);
    if (key_print(authority->key, &pem, NULL) != 0) {
        writing->failed = true;
        return;
    }
    write_entry(writing, key, secret_slice(&pem));
    secret_free(&pem);
}

static void write_bundle(struct writing *writing, const struct authorities *authorities)
{
    struct pem_text pem = {0};
    if (authorities_bundle(authorities, &pem, NULL) == 0)
        write_entry(writing, "ca.crt", (struct slice){pem.bytes, pem.length});
    else
        writing->failed = true;
    free(pem.bytes);
}

static void write_promoted_at(struct writing *writing, yyjson_mut_val *metadata, int64_t promoted_at)
{
    char text[TIME_BYTES];
    struct tm parts;
    time_t seconds = (time_t)promoted_at;
    yyjson_mut_val *annotations = object_member(writing, metadata, "annotations");
    yyjson_mut_obj_remove_key(annotations, PROMOTED_AT);
    if (promoted_at == PROMOTED_AT_UNKNOWN || !gmtime_r(&seconds, &parts) ||
        !strftime(text, sizeof(text), TIME_FORMAT, &parts))
        return;
    writing->failed |= !yyjson_mut_obj_add_strcpy(writing->document, annotations, PROMOTED_AT, text);
}

static void remove_entries(yyjson_mut_val *data)
{
    static const char *const names[] = {"tls.crt",  "tls.key",  "ca.crt",
                                        "next.crt", "next.key", "previous.crt"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        yyjson_mut_obj_remove_key(data, names[i]);
}

static void write_authorities(
    struct writing *writing, yyjson_mut_val *root, const struct authorities *authorities)
{
    yyjson_mut_val *metadata = object_member(writing, root, "metadata");
    yyjson_mut_obj_remove_key(metadata, "managedFields");
    write_promoted_at(writing, metadata, authorities->promoted_at);
    writing->data = object_member(writing, root, "data");
    remove_entries(writing->data);
    write_authority(writing, "tls.crt", "tls.key", &authorities->current);
    if (authorities->next.certificate)
        write_authority(writing, "next.crt", "next.key", &authorities->next);
    if (authorities->previous)
        write_certificate(writing, "previous.crt", authorities->previous);
    write_bundle(writing, authorities);
}

static yyjson_mut_val *new_secret(yyjson_mut_doc *document, const char *namespace, const char *name)
{
    yyjson_mut_val *root = yyjson_mut_obj(document);
    yyjson_mut_val *metadata = yyjson_mut_obj_add_obj(document, root, "metadata");
    yyjson_mut_val *labels = yyjson_mut_obj_add_obj(document, metadata, "labels");
    bool done = yyjson_mut_obj_add_str(document, root, "apiVersion", "v1") &&
        yyjson_mut_obj_add_str(document, root, "kind", "Secret") &&
        yyjson_mut_obj_add_str(document, root, "type", "kubernetes.io/tls") &&
        yyjson_mut_obj_add_str(document, metadata, "name", name) &&
        yyjson_mut_obj_add_str(document, metadata, "namespace", namespace) &&
        yyjson_mut_obj_add_str(document, labels, "app.kubernetes.io/managed-by", "applyguard");
    return done ? root : NULL;
}

static yyjson_mut_val *stored_secret(yyjson_mut_doc *document, struct slice stored)
{
    yyjson_doc *read =
        yyjson_read_opts((char *)(uintptr_t)stored.bytes, stored.length, 0, &cleansing_allocator, NULL);
    yyjson_mut_val *root = yyjson_val_mut_copy(document, yyjson_doc_get_root(read));
    yyjson_doc_free(read);
    return yyjson_mut_is_obj(root) ? root : NULL;
}

static bool print(yyjson_mut_doc *document, struct secret *json)
{
    size_t length;
    char *text = yyjson_mut_write_opts(document, 0, &cleansing_allocator, &length, NULL);
    if (!text)
        return false;
    *json = secret_allocate(length);
    if (json->bytes)
        memcpy(json->bytes, text, length);
    cleansing_allocator.free(NULL, text);
    return json->bytes != NULL;
}

int authority_secret_write(
    const struct authorities *authorities, struct slice stored, const char *namespace, const char *name,
    struct secret *json, struct error *error)
{
    *json = (struct secret){0};
    yyjson_mut_doc *document = yyjson_mut_doc_new(&cleansing_allocator);
    yyjson_mut_val *root = !document ? NULL
        : stored.length              ? stored_secret(document, stored)
                                     : new_secret(document, namespace, name);
    struct writing writing = {.document = document, .failed = !root};
    if (root) {
        yyjson_mut_doc_set_root(document, root);
        write_authorities(&writing, root, authorities);
    }
    bool done = !writing.failed && print(document, json);
    yyjson_mut_doc_free(document);
    return done ? 0 : error_set(error, "cannot write the certificate authority down");
}
