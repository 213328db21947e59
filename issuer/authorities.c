#include "issuer/authorities.h"

#include <stdlib.h>

#define AUTHORITIES_MAX 3

void authorities_release(struct authorities *authorities)
{
    authority_release(&authorities->current);
    authority_release(&authorities->next);
    X509_free(authorities->previous);
    *authorities = (struct authorities){0};
}

static struct authority share(struct authority authority)
{
    if (authority.certificate)
        X509_up_ref(authority.certificate);
    if (authority.key)
        EVP_PKEY_up_ref(authority.key);
    return authority;
}

struct authorities authorities_share(const struct authorities *authorities)
{
    struct authorities shared = {
        .current = share(authorities->current),
        .next = share(authorities->next),
        .previous = authorities->previous,
        .promoted_at = authorities->promoted_at,
    };
    if (shared.previous)
        X509_up_ref(shared.previous);
    return shared;
}

static struct validity validity_if_any(const X509 *certificate)
{
    struct validity validity = {0};
    if (certificate && !validity_of(certificate, &validity))
        validity = (struct validity){0};
    return validity;
}

/* The next authority is made in the moment in which it is staged. */
struct rotation_state authorities_state(const struct authorities *authorities)
{
    struct rotation_state state = {
        .current = validity_if_any(authorities->current.certificate),
        .next = validity_if_any(authorities->next.certificate),
        .previous = validity_if_any(authorities->previous),
        .promoted_at = authorities->promoted_at,
    };
    state.staged_at = state.next.not_before + BACKDATE_SECONDS;
    return state;
}

static size_t list(const struct authorities *authorities, X509 *listed[AUTHORITIES_MAX])
{
    X509 *const all[] = {
        authorities->previous, authorities->current.certificate, authorities->next.certificate};
    size_t count = 0;
    for (size_t i = 0; i < AUTHORITIES_MAX; i++)
        if (all[i])
            listed[count++] = all[i];
    return count;
}

bool authorities_trust(const struct authorities *authorities, const X509 *certificate)
{
    X509 *listed[AUTHORITIES_MAX];
    size_t count = list(authorities, listed);
    for (size_t i = 0; i < count; i++)
        if (X509_cmp(listed[i], certificate) == 0)
            return true;
    return false;
}

static int compare_ages(const X509 *const *a, const X509 *const *b)
{
    int64_t first = validity_if_any(*a).not_before, second = validity_if_any(*b).not_before;
    if (first != second)
        return first < second ? -1 : 1;
    return X509_cmp(*a, *b);
}

int authorities_bundle(const struct authorities *authorities, struct pem_text *pem, struct error *error)
{
    X509 *listed[AUTHORITIES_MAX];
    size_t count = list(authorities, listed);
    STACK_OF(X509) *sorted = sk_X509_new(compare_ages);
    bool is_whole = sorted != NULL;
    for (size_t i = 0; is_whole && i < count; i++)
        is_whole = sk_X509_push(sorted, listed[i]) > 0;
    if (is_whole)
        sk_X509_sort(sorted);
    int result = is_whole ? bundle_print(sorted, pem, error) : error_set_out_of_memory(error);
    sk_X509_free(sorted);
    return result;
}
