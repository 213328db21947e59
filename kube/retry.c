#include "kube/retry.h"

#include "kube/repeatable.h"

#include <openssl/rand.h>

#define FIRST_WAIT_MS 100
#define LONGEST_WAIT_MS 5000

/* 429 and 503 mean that the request had no effect. */
bool kube_is_worth_another_try(
    const struct kube_request *request, const struct transfer *transfer, long status)
{
    switch (transfer->result) {
    case TRANSFER_ANSWERED:
        return status == 429 || status == 503 || (status >= 500 && kube_is_repeatable(request));
    case TRANSFER_NOT_SENT:
        return true;
    case TRANSFER_BROKEN:
    case TRANSFER_OUT_OF_TIME:
        return kube_is_repeatable(request);
    case TRANSFER_HOPELESS:
    case TRANSFER_STOPPED:
        return false;
    }
    return false;
}

/* Between half and all of a wait that doubles, so that many clients do not return at once. */
uint64_t kube_wait_before_next_try(unsigned tries, const struct transfer *transfer)
{
    uint32_t random = 0;
    uint64_t longest = (uint64_t)FIRST_WAIT_MS << (tries - 1);
    if (longest > LONGEST_WAIT_MS)
        longest = LONGEST_WAIT_MS;
    if (RAND_bytes((unsigned char *)&random, sizeof(random)) != 1)
        random = 0;
    uint64_t wait = longest / 2 + random % (longest / 2 + 1);
    if (transfer->retry_after_ms == 0)
        return wait;
    return transfer->retry_after_ms < UINT64_MAX - wait ? transfer->retry_after_ms + wait : UINT64_MAX;
}
