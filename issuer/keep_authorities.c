#include "certs/secret_base64.h"
#include "issuer/authority_secret.h"
#include "issuer/issuer_state.h"
#include "issuer/publication.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The known authorities */

static bool bundle_of(const struct authorities *authorities, struct secret *bundle)
{
    struct pem_text pem;
    if (authorities_bundle(authorities, &pem, NULL) != 0)
        return false;
    bool done = secret_base64_encode((struct slice){pem.bytes, pem.length}, bundle);
    free(pem.bytes);
    return done;
}

static bool same_text(const struct secret *a, const struct secret *b)
{
    return a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

/* Takes the authorities over: these are what is stored. False if memory runs out. */
static bool learn(struct issuer *issuer, struct authorities *stored, struct issuer_turn *turn)
{
    struct secret bundle = {0};
    secret_free(&issuer->read);
    if (!bundle_of(stored, &bundle)) {
        turn_note(turn, "out of memory");
        authorities_release(stored);
        return false;
    }
    if (!issuer->bundle.bytes || !same_text(&issuer->bundle, &bundle))
        issuer->trusted_since = 0;
    secret_free(&issuer->bundle);
    issuer->bundle = bundle;
    authorities_release(&issuer->known);
    issuer->known = *stored;
    *stored = (struct authorities){0};
    return true;
}

static bool is_valid(const X509 *certificate, int64_t now)
{
    struct validity validity;
    return certificate && validity_of(certificate, &validity) && validity_covers(validity, now);
}

/* The authorities that the callers trust now, if the configurations show it: others may still serve leafs of
 * it. */
static X509 *trusted_until_now(const struct issuer *issuer, const struct look *look, int64_t now)
{
    X509 *trusted = NULL;
    for (size_t i = 0; !trusted && i < issuer->settings->configuration_count; i++) {
        const struct kube_response *response = &look->configurations[i];
        if (response->status == 200)
            trusted = publication_newest(secret_slice(&response->body), now);
    }
    return trusted;
}

/*
 * Steps
 */

static bool make_authority(
    const struct issuer *issuer, int64_t now, struct authority *made, struct issuer_turn *turn)
{
    const struct issuer_settings *settings = issuer->settings;
    struct error error = {0};
    made->key = key_generate(settings->key_kind, &error);
    if (made->key)
        made->certificate =
            authority_issue(made->key, settings->authority_name, now, settings->authority_seconds, &error);
    if (made->certificate)
        return true;
    authority_release(made);
    turn_note(turn, "%s", error.message);
    return false;
}

/* An expired authority need not be trusted: the one before it then keeps its place. */
static void promote(struct authorities *authorities, int64_t now)
{
    if (is_valid(authorities->current.certificate, now)) {
        X509_free(authorities->previous);
        authorities->previous = authorities->current.certificate;
        authorities->current.certificate = NULL;
    }
    authority_release(&authorities->current);
    authorities->current = authorities->next;
    authorities->next = (struct authority){0};
    authorities->promoted_at = now;
}

/* False if it changes nothing, or if memory runs out. */
static bool take_step(
    const struct issuer *issuer, const struct look *look, enum rotation_step step, int64_t now,
    struct authorities *authorities, struct issuer_turn *turn)
{
    switch (step) {
    case ROTATION_NONE:
        return false;
    case ROTATION_CREATE:
        authority_release(&authorities->current);
        authority_release(&authorities->next);
        authorities->promoted_at = now;
        if (!is_valid(authorities->previous, now)) {
            X509_free(authorities->previous);
            authorities->previous = trusted_until_now(issuer, look, now);
        }
        return make_authority(issuer, now, &authorities->current, turn);
    case ROTATION_STAGE:
        return make_authority(issuer, now, &authorities->next, turn);
    case ROTATION_PROMOTE:
        promote(authorities, now);
        break;
    case ROTATION_DROP:
        X509_free(authorities->previous);
        authorities->previous = NULL;
        break;
    case ROTATION_UNSTAGE:
        authority_release(&authorities->next);
        break;
    }
    return true;
}

/*
 * An authority signs only once its callers had time to learn of it: not by the Secret's own word, but as this
 * replica saw it in the configurations. Without a valid one there is nothing to wait for.
 */
static enum rotation_step due_step(const struct issuer *issuer, int64_t now)
{
    const struct issuer_settings *settings = issuer->settings;
    const struct rotation_plan plan = {settings->soak_seconds, settings->leaf_seconds};
    const struct rotation_state state = authorities_state(&issuer->known);
    enum rotation_step step = rotation_decide(&state, &plan, now, settings->random).step;
    bool must_wait = step == ROTATION_PROMOTE && is_valid(issuer->known.current.certificate, now) &&
        !issuer_is_trusted_for(issuer, settings->soak_seconds, now);
    return must_wait ? ROTATION_NONE : step;
}

/*
 * The Secret was deleted or is unusable, and this replica knows what was in it. That goes on to sign, so that
 * nothing breaks; but its deletion may have been meant to bring a new authority, so the next one is staged at
 * once. One that was staged already stays: another replica may have seen it promoted, and sign with it.
 */
static bool restore(
    const struct issuer *issuer, int64_t now, struct authorities *authorities, struct issuer_turn *turn)
{
    *authorities = authorities_share(&issuer->known);
    if (is_valid(authorities->next.certificate, now))
        return true;
    authority_release(&authorities->next);
    return make_authority(issuer, now, &authorities->next, turn);
}

static bool is_newer(const X509 *a, const X509 *b)
{
    struct validity first, second;
    return validity_of(a, &first) && validity_of(b, &second) && first.not_before > second.not_before;
}

/* If two authorities compete for the place of the previous one, the newer one gets it, because replicas leave
 * the older for the newer; so all agree which. */
static bool must_adopt(const struct authorities *stored, const X509 *served, int64_t now)
{
    return is_valid(served, now) && !authorities_trust(stored, served) &&
        (!is_valid(stored->previous, now) || is_newer(served, stored->previous));
}

static bool is_known_to_callers(const struct issuer *issuer, const struct look *look, const X509 *authority)
{
    bool is_known = false;
    for (size_t i = 0; !is_known && i < issuer->settings->configuration_count; i++) {
        const struct kube_response *response = &look->configurations[i];
        is_known = response->status == 200 && publication_trusts(secret_slice(&response->body), authority);
    }
    return is_known;
}

/*
 * Somebody put another authority into the Secret while leafs are served of the one before: that is what a
 * previous one is. This replica serves one; or it has just started and knows of none, but callers who have
 * not heard of the one in the Secret trust another. Once it has published, other authorities in the
 * configurations were written by others, and are removed.
 */
X509 *issuer_left_out(
    const struct issuer *issuer, const struct look *look, const struct authorities *stored, int64_t now)
{
    if (issuer->signer && validity_covers(issuer->served, now) && must_adopt(stored, issuer->signer, now)) {
        X509_up_ref(issuer->signer);
        return issuer->signer;
    }
    if (issuer->has_published || !is_valid(stored->current.certificate, now) ||
        is_known_to_callers(issuer, look, stored->current.certificate))
        return NULL;
    X509 *trusted = trusted_until_now(issuer, look, now);
    if (trusted && must_adopt(stored, trusted, now))
        return trusted;
    X509_free(trusted);
    return NULL;
}

/* Takes the served one over. */
static void adopt(struct authorities *stored, X509 *served, int64_t now)
{
    X509_free(stored->previous);
    stored->previous = served;
    stored->promoted_at = now;
}

/*
 * Storing
 */

/* If another replica wrote in between, its version counts: then the next turn sees what. */
static void store(
    struct issuer *issuer, const struct look *look, struct authorities *wanted, struct issuer_turn *turn)
{
    const struct issuer_settings *settings = issuer->settings;
    bool exists = look->secret.status == 200;
    struct slice stored = {look->secret.body.bytes, exists ? look->secret.body.length : 0};
    struct secret json;
    struct error error = {0};
    char path[ISSUER_PATH_BYTES], what[ISSUER_PATH_BYTES];
    if (issuer_lacks_memory(issuer, turn) ||
        authority_secret_write(wanted, stored, settings->namespace, settings->secret, &json, &error) != 0) {
        turn_note(turn, "%s", error.message);
        turn->step = ROTATION_NONE;
        turn->was_restored = false;
        return;
    }
    snprintf(
        path, sizeof(path), "/api/v1/namespaces/%s/secrets%s%s?fieldManager=" ISSUER_FIELD_MANAGER,
        settings->namespace, exists ? "/" : "", exists ? settings->secret : "");
    snprintf(what, sizeof(what), "cannot write Secret %s/%s", settings->namespace, settings->secret);
    const struct kube_request request = {
        .method = exists ? "PUT" : "POST", .path = path, .body = {json.bytes, json.length}};
    struct kube_response response;
    if (issuer_call(issuer, &request, 409, what, &response, turn) && response.status != 409)
        learn(issuer, wanted, turn);
    else
        turn->step = ROTATION_NONE, turn->was_restored = false;
    kube_response_release(&response);
    secret_free(&json);
}

/* The Secret holds nothing to go by. */
static bool replace_lost(
    const struct issuer *issuer, const struct look *look, int64_t now, struct authorities *wanted,
    struct issuer_turn *turn)
{
    turn->was_restored = is_valid(issuer->known.current.certificate, now);
    if (turn->was_restored)
        return restore(issuer, now, wanted, turn);
    turn->step = ROTATION_CREATE;
    return take_step(issuer, look, ROTATION_CREATE, now, wanted, turn);
}

/* The data to store in place of the data that was found; false: nothing. */
static bool replace_found(
    const struct issuer *issuer, const struct look *look, int64_t now, struct authorities *wanted,
    struct issuer_turn *turn)
{
    *wanted = authorities_share(&issuer->known);
    X509 *served = issuer_left_out(issuer, look, wanted, now);
    if (served) {
        adopt(wanted, served, now);
        turn->was_restored = true;
        return true;
    }
    turn->step = due_step(issuer, now);
    return take_step(issuer, look, turn->step, now, wanted, turn);
}

/* An authority that cannot sign must not replace one that can. */
static int read_found(
    const struct issuer *issuer, const struct look *look, int64_t now, struct authorities *found,
    struct error *error)
{
    struct slice json = secret_slice(&look->secret.body);
    if (authority_secret_read(json, found, error) != 0)
        return -1;
    if (is_valid(found->current.certificate, now) || !is_valid(issuer->known.current.certificate, now))
        return 0;
    authorities_release(found);
    return error_set(error, "it holds an authority that is not valid now");
}

enum found {
    FOUND_USABLE,
    FOUND_UNUSABLE,
    FOUND_UNREAD, /* memory runs out for it: it may be usable, and stays as it is */
};

/* Almost every turn finds what the one before found: keys and certificates are not parsed again for that. */
static enum found learn_found(
    struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn)
{
    const struct secret *body = &look->secret.body;
    struct authorities found = {0};
    if (issuer->read.bytes && same_text(&issuer->read, body))
        return FOUND_USABLE;
    struct error unusable = {0};
    int result = read_found(issuer, look, now, &found, &unusable);
    if (issuer_lacks_memory(issuer, turn)) {
        authorities_release(&found);
        return FOUND_UNREAD;
    }
    turn->unusable = unusable;
    if (result != 0)
        return FOUND_UNUSABLE;
    if (!learn(issuer, &found, turn))
        return FOUND_UNREAD;
    issuer->read = secret_copy(body);
    return FOUND_USABLE;
}

void issuer_keep_authorities(
    struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn)
{
    struct authorities wanted = {0};
    if (look->secret.status != 200 && look->secret.status != 404)
        return;
    enum found found = look->secret.status == 200 ? learn_found(issuer, look, now, turn) : FOUND_UNUSABLE;
    if (found == FOUND_UNREAD)
        return;
    if (found == FOUND_USABLE ? replace_found(issuer, look, now, &wanted, turn)
                              : replace_lost(issuer, look, now, &wanted, turn))
        store(issuer, look, &wanted, turn);
    authorities_release(&wanted);
}
