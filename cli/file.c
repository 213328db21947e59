#include "cli/file.h"

#include "cli/framework/message.h"
#include "policy/judge.h"

#include <stdio.h>
#include <stdlib.h>

void file_complain(const char *path, const struct error *error)
{
    fflush(stdout);
    message_print_place(stderr, path, "", error);
}

struct policy *file_load_policy(const char *path)
{
    struct error error = {0};
    struct file_content text = {NULL, 0};
    struct policy *policy = NULL;
    if (!path) {
        policy = policy_default();
        error_set(&error, "there is no memory for the policy");
    } else if (file_read(path, POLICY_FILE_BYTES_MAX, &text, &error) == 0) {
        policy = policy_load((struct slice){text.bytes, text.length}, &error);
        free(text.bytes);
    }
    if (policy)
        return policy;
    file_complain(path ? path : "applyguard", &error);
    return NULL;
}
