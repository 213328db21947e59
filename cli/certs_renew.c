#include "certs/bundle.h"
#include "certs/rotation.h"
#include "cli/certs.h"
#include "cli/file.h"

#include <openssl/err.h>
#include <stdio.h>
#include <time.h>

/* The user injects ca.crt after each run, and runs this again a day later. */
#define SOAK_SECONDS 3600

/* The content of the directory. */
struct holdings {
    struct directory directory;
    struct authority current;
    struct authority next;
    X509 *previous;
    X509 *leaf;
    bool leaf_has_key; /* tls.key is the key of the leaf */
};

static void holdings_release(struct holdings *holdings)
{
    authority_release(&holdings->current);
    authority_release(&holdings->next);
    X509_free(holdings->previous);
    X509_free(holdings->leaf);
    directory_close(&holdings->directory);
}

/*
 * Each certificate of ca.crt belongs to the key of the current authority, to the key of the next one, or to
 * neither.
 */
static void sort_authorities(struct holdings *holdings, STACK_OF(X509) * bundle)
{
    X509 *certificate;
    while ((certificate = sk_X509_shift(bundle))) {
        X509 **slot = &holdings->previous;
        if (X509_check_private_key(certificate, holdings->current.key) == 1)
            slot = &holdings->current.certificate;
        else if (holdings->next.key && X509_check_private_key(certificate, holdings->next.key) == 1)
            slot = &holdings->next.certificate;
        X509_free(*slot);
        *slot = certificate;
    }
}

static int read_authorities(struct holdings *holdings, struct error *error)
{
    const struct directory *directory = &holdings->directory;
    holdings->current.key = certs_read_key(directory, CERTS_CA_KEY, error);
    if (!holdings->current.key)
        return -1;
    if (directory_has(directory, CERTS_CA_NEXT_KEY) &&
        !(holdings->next.key = certs_read_key(directory, CERTS_CA_NEXT_KEY, error)))
        return -1;
    STACK_OF(X509) *bundle = certs_read_bundle(directory, CERTS_CA, error);
    if (!bundle)
        return -1;
    sort_authorities(holdings, bundle);
    bundle_free(bundle);
    if (holdings->current.certificate)
        return 0;
    return error_set(error, "%s is the key of no certificate in %s", CERTS_CA_KEY, CERTS_CA);
}

/* A missing or wrong key, as after a crash between the two files, is created again. */
static int read_leaf(struct holdings *holdings, struct error *error)
{
    STACK_OF(X509) *bundle = certs_read_bundle(&holdings->directory, CERTS_TLS, error);
    if (!bundle)
        return -1;
    holdings->leaf = sk_X509_shift(bundle);
    bundle_free(bundle);
    EVP_PKEY *key = certs_read_key(&holdings->directory, CERTS_TLS_KEY, NULL);
    holdings->leaf_has_key = key && X509_check_private_key(holdings->leaf, key) == 1;
    EVP_PKEY_free(key);
    return 0;
}

static struct validity validity_or_none(const X509 *certificate)
{
    struct validity validity = {0, 0};
    if (certificate)
        validity_of(certificate, &validity);
    return validity;
}

/*
 * The time at which the current authority began to sign is unknown, so the previous one stays until it
 * expires.
 */
static struct rotation_state state_of(const struct holdings *holdings)
{
    struct validity next = validity_or_none(holdings->next.certificate);
    return (struct rotation_state){
        .current = validity_or_none(holdings->current.certificate),
        .next = next,
        .previous = validity_or_none(holdings->previous),
        .staged_at = next.not_before + BACKDATE_SECONDS,
        .promoted_at = INT64_MAX / 2,
    };
}

static int write_bundle(const struct holdings *holdings, struct error *error)
{
    X509 *const authorities[] = {
        holdings->current.certificate, holdings->next.certificate, holdings->previous};
    return issue_write_bundle(&holdings->directory, authorities, 3, error);
}

/*
 * Writes the key first: a key without its certificate has no effect, but a certificate without its key could
 * not sign.
 */
static int stage(
    struct holdings *holdings, const struct certs_options *options, int64_t now, struct error *error)
{
    authority_release(&holdings->next);
    if (issue_authority(&options->issue, "applyguard", now, &holdings->next, error) != 0 ||
        issue_write_key(&holdings->directory, CERTS_CA_NEXT_KEY, holdings->next.key, error) != 0 ||
        write_bundle(holdings, error) != 0)
        return -1;
    return 0;
}

static int promote(struct holdings *holdings, struct error *error)
{
    if (directory_rename(&holdings->directory, CERTS_CA_NEXT_KEY, CERTS_CA_KEY, error) != 0)
        return -1;
    X509_free(holdings->previous);
    holdings->previous = holdings->current.certificate;
    EVP_PKEY_free(holdings->current.key);
    holdings->current = holdings->next;
    holdings->next = (struct authority){0};
    return write_bundle(holdings, error);
}

static int replace(
    struct holdings *holdings, const struct certs_options *options, int64_t now, struct error *error)
{
    if (stage(holdings, options, now, error) != 0 || promote(holdings, error) != 0)
        return -1;
    puts("ca.crt: the authority was not valid any more; inject the new one now, calls fail until then");
    return 0;
}

static int drop(struct holdings *holdings, X509 **certificate, struct error *error)
{
    X509_free(*certificate);
    *certificate = NULL;
    puts("ca.crt: an authority that is over left it");
    return write_bundle(holdings, error);
}

static int take_step(
    struct holdings *holdings, enum rotation_step step, const struct certs_options *options, int64_t now,
    struct error *error)
{
    switch (step) {
    case ROTATION_NONE:
        break;
    case ROTATION_CREATE:
        return replace(holdings, options, now, error);
    case ROTATION_STAGE:
        if (stage(holdings, options, now, error) != 0)
            return -1;
        puts("ca.crt: the next authority is in it; inject it, and run this again tomorrow");
        return 0;
    case ROTATION_PROMOTE:
        if (promote(holdings, error) != 0)
            return -1;
        puts("ca.key: the next authority signs from now on; the previous one stays in ca.crt to its end");
        return 0;
    case ROTATION_DROP:
        return drop(holdings, &holdings->previous, error);
    case ROTATION_UNSTAGE:
        return drop(holdings, &holdings->next.certificate, error);
    }
    return 0;
}

static int renew_authority(
    struct holdings *holdings, const struct certs_options *options, int64_t now, struct error *error)
{
    const struct rotation_plan plan = {.soak_seconds = SOAK_SECONDS};
    for (;;) {
        struct rotation_state state = state_of(holdings);
        enum rotation_step step = rotation_decide(&state, &plan, now, 0).step;
        if (step == ROTATION_NONE)
            return 0;
        if (take_step(holdings, step, options, now, error) != 0)
            return -1;
    }
}

static bool is_signed_by_current(const struct holdings *holdings)
{
    EVP_PKEY *key = X509_get0_pubkey(holdings->current.certificate);
    bool is_signed = key && X509_verify(holdings->leaf, key) == 1;
    ERR_clear_error();
    return is_signed;
}

static bool leaf_is_due(const struct holdings *holdings, int64_t now)
{
    return !holdings->leaf_has_key || !is_signed_by_current(holdings) ||
        validity_is_due(validity_or_none(holdings->leaf), 0, now);
}

static int renew_leaf(
    struct holdings *holdings, const struct certs_options *options, int64_t now, struct error *error)
{
    if (!options->is_forced && !leaf_is_due(holdings, now)) {
        puts("tls.crt: not due yet");
        return 0;
    }
    GENERAL_NAMES *names = names_of(holdings->leaf);
    if (!names)
        return error_set(error, "%s is for no name; make another with create", CERTS_TLS);
    int result = certs_issue_leaf(options, &holdings->directory, &holdings->current, names, now, error);
    GENERAL_NAMES_free(names);
    if (result == 0)
        puts("tls.crt, tls.key: new");
    return result;
}

static int renew(struct holdings *holdings, const struct certs_options *options, struct error *error)
{
    struct certs_options same_kind = *options;
    int64_t now = time(NULL);
    if (directory_open(&holdings->directory, options->out, false, error) != 0 ||
        read_authorities(holdings, error) != 0 || read_leaf(holdings, error) != 0)
        return -1;
    same_kind.issue.key_kind =
        EVP_PKEY_is_a(X509_get0_pubkey(holdings->leaf), "RSA") ? KEY_RSA_2048 : KEY_EC_P256;
    if (renew_authority(holdings, &same_kind, now, error) != 0)
        return -1;
    return renew_leaf(holdings, &same_kind, now, error);
}

int certs_renew(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct certs_options *options = parsed;
    struct error error;
    struct holdings holdings = {.directory.file = -1};
    (void)operands;
    if (!options->out)
        return command_misused(command, "--out", "is missing: which directory?");
    int result = renew(&holdings, options, &error);
    holdings_release(&holdings);
    if (result == 0)
        return 0;
    file_complain(options->out, &error);
    return EXIT_UNREADABLE;
}
