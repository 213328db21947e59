/*
 * declared_lists_story.h: objects with lists, applied client-side, for the rules that look at list keys.
 */
#ifndef APPLYGUARD_TESTS_UNIT_DECLARED_LISTS_STORY_H
#define APPLYGUARD_TESTS_UNIT_DECLARED_LISTS_STORY_H

#include "tests/unit/review_builder.h"

#define ANNOTATION ".metadata.annotations.{" LAST_APPLIED_ANNOTATION "}"
#define CLIENT_SIDE "kubectl-client-side-apply"

/* A configuration around a pod's or a container's members. */
#define POD(members) "{'spec':{'template':{'spec':{" members "}}}}"
#define CONTAINER(members) POD("'containers':[{'name':'c'," members "}]")

#define SAME_ENV "'env':[{'name':'A','value':'1'},{'name':'A','value':'2'}]"
#define TWO_PROTOCOLS "'ports':[{'containerPort':53},{'containerPort':53,'protocol':'UDP'}]"

/* The path of the pod's spec. */
#define POD_PATH ".spec.template.spec"

/* kubectl apply creates the Deployment default/web with this configuration. */
static inline struct story applied(const char *configuration)
{
    return (struct story){
        .manager = CLIENT_SIDE,
        .new =
            {.body = "",
             .last_applied = configuration,
             .entries = {UPDATES(CLIENT_SIDE, ANNOTATION, .time = NOW)}},
    };
}

/* A list of `count` items; `item_format` takes its number. The caller frees it. */
static inline char *long_list(const char *start, size_t count, const char *item_format, const char *end)
{
    char *bytes = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&bytes, &length);
    assert_non_null(out);
    fputs(start, out);
    for (size_t i = 0; i < count; i++) {
        fputs(i ? "," : "", out);
        fprintf(out, item_format, i);
    }
    fputs(end, out);
    fclose(out);
    return bytes;
}

#endif
