/*
 * Whatever the API server answers as the webhook configuration: what is applied to it is JSON that, taken as
 * the configuration, has the bundle in each webhook, and names no webhook that was not there.
 */
#include "base/slice.h"
#include "fuzz.h"
#include "issuer/publication.h"

#include <openssl/err.h>
#include <yyjson.h>

#define BUNDLE "LS0tLS1CRUdJTi=="

static size_t webhooks_in(struct slice json)
{
    yyjson_doc *document = yyjson_read(json.bytes, json.length, YYJSON_READ_NOFLAG);
    size_t count = yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(document), "webhooks"));
    yyjson_doc_free(document);
    return count;
}

static void check_apply(struct slice json, enum publication publication)
{
    struct secret apply;
    struct error error = {0};
    if (publication_write(json, SLICE(BUNDLE), &apply, &error) != 0) {
        promise(publication == PUBLICATION_WRONG, "a configuration can be written");
        promise(error.message[0] != '\0' && !apply.bytes, "a refusal says why");
        return;
    }
    struct slice written = secret_slice(&apply);
    promise(webhooks_in(written) == webhooks_in(json), "no webhook is made or lost");
    if (publication != PUBLICATION_WRONG)
        promise(
            publication_check(written, SLICE(BUNDLE)) == PUBLICATION_DONE, "what is applied is the bundle");
    secret_free(&apply);
}

static void check_newest(struct slice json)
{
    X509 *newest = publication_newest(json, 1800000000);
    if (newest)
        publication_trusts(json, newest);
    X509_free(newest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice json = {(const char *)data, size};
    enum publication publication = publication_check(json, SLICE(BUNDLE));
    promise(
        publication != PUBLICATION_WRONG || webhooks_in(json) == 0, "what has webhooks is a configuration");
    check_apply(json, publication);
    check_newest(json);
    promise(ERR_peek_error() == 0, "OpenSSL's queue of errors is empty afterwards");
    return 0;
}
