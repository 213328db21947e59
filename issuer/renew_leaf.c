#include "issuer/issuer_state.h"

/*
 * A new authority's leaf is served once the callers had time to learn of the authority; until then the old
 * leaf is, as long as it lives.
 */
static bool is_due(const struct issuer *issuer, int64_t now)
{
    const struct issuer_settings *settings = issuer->settings;
    if (!issuer->signer || !validity_covers(issuer->served, now))
        return true;
    if (X509_cmp(issuer->signer, issuer->known.current.certificate) != 0)
        return issuer_is_trusted_for(issuer, settings->soak_seconds, now);
    return validity_is_due(issuer->served, settings->random, now);
}

static int make_pair(const struct issuer *issuer, int64_t now, struct pair *pair, struct error *error)
{
    const struct issuer_settings *settings = issuer->settings;
    *pair = (struct pair){.chain = sk_X509_new_null(), .key = key_generate(settings->key_kind, error)};
    if (pair->chain && pair->key)
        pair->leaf = leaf_issue(
            &issuer->known.current, pair->key, settings->names, now, settings->leaf_seconds, error);
    if (pair->leaf && validity_of(pair->leaf, &pair->validity))
        return 0;
    pair_release(pair);
    return -1;
}

void issuer_renew_leaf(struct issuer *issuer, int64_t now, struct issuer_turn *turn)
{
    struct error error = {0};
    X509 *signer = issuer->known.current.certificate;
    if (!signer || !is_due(issuer, now))
        return;
    if (make_pair(issuer, now, &turn->pair, &error) != 0) {
        turn_note(turn, "cannot make a certificate to serve: %s", error.message);
        return;
    }
    turn->has_pair = true;
    issuer->served = turn->pair.validity;
    if (!issuer->signer || X509_cmp(issuer->signer, signer) != 0)
        issuer->is_trusted = issuer->trusted_since != 0;
    X509_up_ref(signer);
    X509_free(issuer->signer);
    issuer->signer = signer;
}
