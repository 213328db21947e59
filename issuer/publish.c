#include "issuer/issuer_state.h"
#include "issuer/publication.h"

#include <stdio.h>

static void apply(struct issuer *issuer, const char *name, struct slice json, struct issuer_turn *turn)
{
    char path[ISSUER_PATH_BYTES], what[ISSUER_PATH_BYTES];
    struct secret body;
    struct kube_response response;
    struct slice bundle = secret_slice(&issuer->bundle);
    struct error error = {0};
    if (issuer_lacks_memory(issuer, turn))
        return;
    if (publication_write(json, bundle, &body, &error) != 0) {
        turn_note(turn, "%s", error.message);
        return;
    }
    snprintf(
        path, sizeof(path), ISSUER_CONFIGURATION_PATH "?fieldManager=" ISSUER_FIELD_MANAGER "&force=true",
        name);
    snprintf(what, sizeof(what), "cannot write the caBundle of ValidatingWebhookConfiguration %s", name);
    const struct kube_request request = {
        .method = "PATCH",
        .path = path,
        .content_type = "application/apply-patch+yaml",
        .body = {body.bytes, body.length},
    };
    if (issuer_call(issuer, &request, 0, what, &response, turn))
        turn->published++;
    kube_response_release(&response);
    secret_free(&body);
}

/* Only the answers "found" and "not found" show what the configuration holds. */
static bool is_known(const struct kube_response *response)
{
    return response->status == 200 || response->status == 404;
}

void issuer_publish(struct issuer *issuer, const struct look *look, int64_t now, struct issuer_turn *turn)
{
    const struct issuer_settings *settings = issuer->settings;
    size_t done = 0, unknown = 0;
    if (!issuer->bundle.bytes || !look->secret.status)
        return;
    /* It would leave out whose leafs are served: another replica stored first, or nothing can be stored. */
    X509 *left_out = issuer_left_out(issuer, look, &issuer->known, now);
    bool is_short = left_out != NULL;
    X509_free(left_out);
    for (size_t i = 0; i < settings->configuration_count; i++) {
        const struct kube_response *response = &look->configurations[i];
        struct slice json = secret_slice(&response->body);
        struct slice bundle = secret_slice(&issuer->bundle);
        enum publication state =
            response->status == 200 ? publication_check(json, bundle) : PUBLICATION_WRONG;
        unknown += !is_known(response);
        done += state == PUBLICATION_DONE;
        if (state == PUBLICATION_DUE && !is_short)
            apply(issuer, settings->configurations[i], json, turn);
        else if (state == PUBLICATION_WRONG && response->status == 200)
            turn_note(
                turn, "ValidatingWebhookConfiguration %s has no webhooks; nothing calls applyguard",
                settings->configurations[i]);
    }
    issuer->has_published |= done || turn->published;
    if (done + unknown < settings->configuration_count)
        issuer->trusted_since = 0;
    else if (!unknown && !issuer->trusted_since)
        issuer->trusted_since = now;
}

/* A bundle that is being replaced by the next still trusts the signer, so this asks for no bundle in
 * particular. */
void issuer_find_trust(struct issuer *issuer, const struct look *look, struct issuer_turn *turn)
{
    bool all_known = true, all_trust = issuer->signer != NULL;
    for (size_t i = 0; all_trust && i < issuer->settings->configuration_count; i++) {
        const struct kube_response *response = &look->configurations[i];
        struct slice json = secret_slice(&response->body);
        if (!is_known(response))
            all_known = false;
        else
            all_trust = response->status == 200 && publication_trusts(json, issuer->signer);
    }
    if (!issuer_lacks_memory(issuer, turn))
        issuer->is_trusted = all_trust && (all_known || issuer->is_trusted);
}
