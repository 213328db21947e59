#include "cli/file.h"

#include "cli/framework/message.h"
#include "cli/framework/program.h"
#include "policy/judge.h"

#include <stdio.h>
#include <stdlib.h>

void file_complain(const char *path, const struct error *error)
{
    fflush(stdout);
    message_print_problem(stderr, path, TERMINAL_ERROR, error);
}

/* As many as a screen holds. */
#define PROBLEMS_SHOWN 20

static void complain_of_policy(const char *path, const struct policy_problems *problems)
{
    for (size_t i = 0; i < problems->count; i++)
        file_complain(path, &problems->items[i].error);
    if (problems->more)
        message_say(
            "%s: there are %zu more errors; see %s policy check", path, problems->more, program_name());
}

/* NULL, with all errors on stderr, if the file has one. */
static struct policy *load_policy(const char *path, struct slice text)
{
    struct policy_problem items[PROBLEMS_SHOWN];
    struct policy_problems problems = {.items = items, .capacity = PROBLEMS_SHOWN, .least = POLICY_BROKEN};
    struct policy *policy = policy_check(text, &problems);
    if (!policy)
        complain_of_policy(path, &problems);
    return policy;
}

struct policy *file_load_policy(const char *path)
{
    struct error error = {0};
    struct file_content text = {NULL, 0};
    struct policy *policy = NULL;
    if (!path) {
        policy = policy_default();
        error_set_out_of_memory(&error);
    } else if (file_read(path, POLICY_FILE_BYTES_MAX, &text, &error) == 0) {
        policy = load_policy(path, file_slice(&text));
        free(text.bytes);
        return policy;
    }
    if (policy)
        return policy;
    file_complain(path ? path : "applyguard", &error);
    return NULL;
}
