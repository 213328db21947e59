/*
 * Whatever the last-applied annotation holds, before the request, after it or both: the review is answered as
 * answer.h has it.
 */
#include "base/text.h"
#include "fuzz.h"
#include "policy/managers.h"
#include "tests/fuzz/answer.h"

#define OBJECT_START                                                                                         \
    "{\"apiVersion\":\"apps/"                                                                                \
    "v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"namespace\":\"default\","                 \
    "\"labels\":{\"app\":\"web\"},\"managedFields\":[{\"manager\":\"kubectl-client-side-apply\","            \
    "\"operation\":\"Update\",\"apiVersion\":\"apps/v1\",\"time\":\"2026-01-01T00:00:00Z\","                 \
    "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{\"f:annotations\":{\".\":{},"                 \
    "\"f:" LAST_APPLIED_ANNOTATION                                                                           \
    "\":{}},\"f:labels\":{\".\":{},\"f:app\":{}}},\"f:spec\":{\"f:replicas\":{},"                            \
    "\"f:template\":{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"nginx\\\"}\":{\".\":{},\"f:args\":" \
    "{},"                                                                                                    \
    "\"f:image\":{},\"f:name\":{},\"f:ports\":{\".\":{},"                                                    \
    "\"k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}\":{\".\":{},\"f:containerPort\":{}}}}}}}}}" \
    "}"

static const char object_start[] = OBJECT_START;

static const char writer_entry[] =
    ",{\"manager\":\"kubectl-edit\",\"operation\":\"Update\",\"apiVersion\":\"apps/v1\","
    "\"time\":\"2026-01-01T00:00:09Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{"
    "}}}}";

static const char old_spec[] =
    "},\"spec\":{\"replicas\":1,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"strategy\":{\"type\":"
    "\"Recreate\"},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{"
    "\"name\":"
    "\"nginx\",\"image\":\"nginx:1\",\"args\":[\"a\"],\"ports\":[{\"containerPort\":80,\"protocol\":\"TCP\"}]"
    ","
    "\"resources\":{\"limits\":{\"cpu\":\"1\"}}}]}}}}";

static const char new_spec[] =
    "},\"spec\":{\"replicas\":2,\"selector\":{\"matchLabels\":{\"app\":\"web\"}},\"strategy\":{\"type\":"
    "\"RollingUpdate\"},\"template\":{\"metadata\":{\"labels\":{\"app\":\"web\"}},\"spec\":{\"containers\":[{"
    "\"name\":"
    "\"nginx\",\"image\":\"nginx:2\",\"args\":[\"b\"],\"ports\":[{\"containerPort\":81,\"protocol\":\"TCP\"}]"
    ","
    "\"resources\":{\"limits\":{\"cpu\":\"2\"}}}]}}}}";

/* `annotation`: with its quotes; empty: none. */
static void append_object(struct text *body, const char *entry, struct slice annotation, const char *spec)
{
    text_append_string(body, object_start);
    text_append_string(body, "}");
    text_append_string(body, entry);
    text_append_string(body, "]");
    if (annotation.length) {
        text_append_string(body, ",\"annotations\":{\"" LAST_APPLIED_ANNOTATION "\":");
        text_append(body, annotation);
        text_append_string(body, "}");
    }
    text_append_string(body, spec);
}

static void check_placed(
    struct arena *arena, const char *manager, struct slice old_annotation, struct slice annotation)
{
    struct text body = text_start(arena, 8192);
    text_append_string(
        &body,
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"u\","
        "\"operation\":\"UPDATE\",\"kind\":{\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},"
        "\"namespace\":\"default\",\"name\":\"web\",\"options\":{\"fieldManager\":\"");
    text_append_string(&body, manager);
    text_append_string(&body, "\"},\"oldObject\":");
    append_object(&body, "", old_annotation, old_spec);
    text_append_string(&body, ",\"object\":");
    append_object(&body, writer_entry, annotation, new_spec);
    text_append_string(&body, "}}");
    promise(text_slice(&body).bytes != NULL, "there is memory");
    check_answers(text_slice(&body));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct slice none = {NULL, 0};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    struct text quoted = text_start(arena, size * 2);
    text_append_json(&quoted, (struct slice){(const char *)data, size});
    struct slice annotation = text_slice(&quoted);
    check_placed(arena, "kubectl-edit", annotation, annotation);
    check_placed(arena, "kubectl-edit", annotation, none);
    check_placed(arena, "kubectl-client-side-apply", none, annotation);
    arena_destroy(arena);
    return 0;
}
