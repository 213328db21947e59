#include "kube/repeatable.h"

#include "base/array_size.h"

#include <string.h>

/* Applying or merging twice has the same result as once. */
bool kube_is_repeatable(const struct kube_request *request)
{
    static const char *const types[] = {"application/apply-patch+yaml", "application/merge-patch+json"};
    if (request->is_repeatable)
        return true;
    if (strcmp(request->method, "PATCH") != 0)
        return strcmp(request->method, "POST") != 0;
    for (size_t i = 0; request->content_type && i < ARRAY_SIZE(types); i++)
        if (strcmp(request->content_type, types[i]) == 0)
            return true;
    return false;
}
