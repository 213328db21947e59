/*
 * certs_fixture.h: an authority and leaves for a test, and openssl(1) as a second opinion on them.
 */
#ifndef APPLYGUARD_TESTS_CERTS_FIXTURE_H
#define APPLYGUARD_TESTS_CERTS_FIXTURE_H

#include "certs/bundle.h"
#include "certs/certificate.h"
#include "certs/key.h"
#include "certs/names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY ((int64_t)86400)
#define MIDSUMMER_2026 ((int64_t)1782043200)

static inline struct authority make_authority(enum key_kind kind, int64_t now, int64_t lifetime)
{
    struct error error = {0};
    struct authority authority = {.key = key_generate(kind, &error)};
    assert_non_null(authority.key);
    authority.certificate = authority_issue(authority.key, "applyguard", now, lifetime, &error);
    assert_non_null(authority.certificate);
    return authority;
}

/* A leaf for the Service guard.prod, whose key goes to `*key`. */
static inline X509 *make_leaf(
    const struct authority *authority, enum key_kind kind, int64_t now, int64_t lifetime, EVP_PKEY **key)
{
    struct error error = {0};
    GENERAL_NAMES *names = names_create(&error);
    *key = key_generate(kind, &error);
    assert_non_null(*key);
    assert_int_equal(names_add_service(names, "guard", "prod", &error), 0);
    X509 *leaf = leaf_issue(authority, *key, names, now, lifetime, &error);
    GENERAL_NAMES_free(names);
    assert_non_null(leaf);
    return leaf;
}

/* Another certificate of the authority, signed, whose end is not a valid time. OpenSSL reads it without
 * complaint. */
static inline X509 *make_timeless(const struct authority *authority)
{
    X509 *timeless = X509_dup(authority->certificate);
    assert_non_null(timeless);
    assert_int_equal(ASN1_STRING_set(X509_getm_notAfter(timeless), "never", -1), 1);
    assert_true(X509_sign(timeless, authority->key, EVP_sha256()) > 0);
    return timeless;
}

/* The caller frees the bytes. */
static inline struct pem_text pem_of(X509 *certificate)
{
    struct error error = {0};
    struct pem_text pem;
    STACK_OF(X509) *one = sk_X509_new_null();
    sk_X509_push(one, certificate);
    assert_int_equal(bundle_print(one, &pem, &error), 0);
    sk_X509_free(one);
    return pem;
}

static inline void write_certificate(const char *path, X509 *certificate)
{
    struct pem_text pem = pem_of(certificate);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(pem.bytes, 1, pem.length, file), pem.length);
    assert_int_equal(fclose(file), 0);
    free(pem.bytes);
}

/* Runs a command; what it printed is in `output`. Returns its exit status. */
static inline int run_command(const char *command, char *output, size_t capacity)
{
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(output, 1, capacity - 1, pipe);
    output[length] = '\0';
    return pclose(pipe);
}

/* A directory of the test's own, which becomes the current one. */
static inline int enter_directory(void **state)
{
    char *path = strdup("/tmp/applyguard-certs-XXXXXX");
    *state = path;
    return path && mkdtemp(path) && chdir(path) == 0 ? 0 : -1;
}

static inline int leave_directory(void **state)
{
    char command[64];
    snprintf(command, sizeof(command), "rm -r %s", (char *)*state);
    int status = chdir("/") || system(command);
    free(*state);
    return status;
}

#endif
