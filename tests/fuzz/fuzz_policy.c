/*
 * Whatever is written in a policy file: it is refused with a reason, or what it comes to prints as a policy
 * file that loads and prints the same again.
 */
#include "fuzz.h"
#include "policy/config.h"

static struct slice print(const struct policy *policy)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    promise(out != NULL, "there is memory");
    int printed = policy_print(policy, out);
    promise(fclose(out) == 0 && printed == 0, "a policy prints");
    return (struct slice){bytes, length};
}

static void print_twice(const struct policy *policy)
{
    struct error error = {0};
    struct slice once = print(policy);
    struct policy *again = policy_load(once, &error);
    promise(again != NULL, "what a policy prints loads");
    struct slice twice = print(again);
    promise(slice_equal(once, twice), "what a policy prints is the same policy");
    policy_free(again);
    free((void *)(uintptr_t)once.bytes);
    free((void *)(uintptr_t)twice.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct policy *policy = policy_load((struct slice){(const char *)data, size}, &error);
    if (policy)
        print_twice(policy);
    else
        promise(error.message[0] != '\0', "a refusal says why");
    policy_free(policy);
    return 0;
}
