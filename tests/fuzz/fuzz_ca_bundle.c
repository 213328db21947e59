/*
 * Whatever manifest `certs inject` is given: it is refused with a reason and nothing printed, or what is
 * printed is given back as it is when the same bundle is set again.
 */
#include "fuzz.h"
#include "issuer/ca_bundle.h"
#include "tests/fuzz/printable.h"

#define BUNDLE "LS0tLS1CRUdJTi=="

/* The caller frees the bytes. */
static int set(struct slice manifest, struct slice *printed, struct error *error)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    promise(out != NULL, "there is memory");
    int result = ca_bundle_set(manifest, BUNDLE, out, error);
    promise(fclose(out) == 0, "there is memory");
    *printed = (struct slice){bytes, length};
    return result;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice once, twice = {0};
    struct error error = {0};
    if (set((struct slice){(const char *)data, size}, &once, &error) == 0) {
        promise(set(once, &twice, &error) == 0, "what is printed is a manifest");
        promise(slice_equal(once, twice), "the bundle that is there is not set again");
    } else {
        promise(once.length == 0, "of what is refused nothing is printed");
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
    }
    free((void *)(uintptr_t)once.bytes);
    free((void *)(uintptr_t)twice.bytes);
    return 0;
}
