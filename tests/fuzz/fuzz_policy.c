/*
 * Whatever is written in a policy file: it is refused with a reason, or what it comes to prints as a policy
 * file that loads and prints the same again.
 */
#include "fuzz.h"
#include "policy/config/config.h"
#include "policy/judge.h"

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

/* Few places, so that problems are dropped, too. */
static void check(struct slice text, bool loads)
{
    struct policy_problem items[8];
    struct policy_problems problems = {.items = items, .capacity = 8};
    struct policy *policy = policy_check(text, &problems);
    promise((policy != NULL) == loads, "a policy loads however much is told of it");
    promise(policy || problems.count, "a refusal says why");
    for (size_t i = 1; i < problems.count; i++) {
        const struct error *before = &items[i - 1].error, *after = &items[i].error;
        promise(
            before->line < after->line || (before->line == after->line && before->column < after->column),
            "problems are told in the file's order");
    }
    policy_free(policy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct policy *policy = policy_load((struct slice){(const char *)data, size}, &error);
    if (policy)
        print_twice(policy);
    else
        promise(error.message[0] != '\0', "a refusal says why");
    check((struct slice){(const char *)data, size}, policy != NULL);
    policy_free(policy);
    return 0;
}
