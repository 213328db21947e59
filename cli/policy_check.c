#include "cli/policy_check.h"

#include "cli/file.h"
#include "cli/framework/message.h"
#include "policy/judge.h"

#include <stdlib.h>

/* The first errors of a file are enough to start with. */
#define PROBLEMS_MAX 100

static size_t count_errors(const struct policy_problems *problems)
{
    size_t errors = problems->more;
    for (size_t i = 0; i < problems->count; i++)
        errors += problems->items[i].kind != POLICY_NOTE;
    return errors;
}

static void print_problems(const char *path, const struct policy_problems *problems, FILE *out)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct policy_problem *problem = &problems->items[i];
        message_print_problem(
            out, path, problem->kind == POLICY_NOTE ? TERMINAL_NOTE : TERMINAL_ERROR, &problem->error);
    }
}

static void print_errors(
    const char *path, const struct policy_problems *problems, const struct policy *policy)
{
    print_problems(path, problems, stderr);
    if (problems->more)
        message_say("%s: %zu more error%s", path, problems->more, problems->more == 1 ? "" : "s");
    if (policy)
        message_say("%s: a server still loads this policy, and logs the parts without effect", path);
}

static struct policy *check_text(const char *path, struct slice text)
{
    struct policy_problem items[PROBLEMS_MAX];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_MAX};
    struct policy *policy = policy_check(text, &problems);
    if (count_errors(&problems) == 0) {
        print_problems(path, &problems, stdout);
        return policy;
    }
    print_errors(path, &problems, policy);
    policy_free(policy);
    return NULL;
}

struct policy *policy_check_file(const char *path)
{
    struct file_content text;
    struct error error = {0};
    if (file_read(path, POLICY_FILE_BYTES_MAX, &text, &error) != 0) {
        file_complain(path, &error);
        return NULL;
    }
    struct policy *policy = check_text(path, file_slice(&text));
    free(text.bytes);
    return policy;
}
