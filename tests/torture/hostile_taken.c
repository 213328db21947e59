#include "tests/torture/hostile_taken.h"

/* The beginning of an entry up to the content of its fields. */
#define ENTRY_START(manager, operation)                                                                      \
    "{\"manager\":\"" manager "\",\"operation\":\"" operation                                                \
    "\",\"apiVersion\":\"apps/v1\",\"time\":\"2026-01-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\","           \
    "\"fieldsV1\":{"

/* That of who writes now. */
#define EDIT_START                                                                                           \
    "{\"manager\":\"kubectl-edit\",\"operation\":\"Update\",\"apiVersion\":\"apps/v1\","                     \
    "\"time\":\"2026-02-01T00:00:00Z\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{"

#define ANNOTATION                                                                                           \
    "\"f:metadata\":{\"f:annotations\":{\".\":{},\"f:kubectl.kubernetes.io/"                                 \
    "last-applied-configuration\":{}}}"

static void members(
    struct buffer *buffer, const char *before, const char *format, size_t count, const char *after)
{
    buffer_string(buffer, before);
    buffer_repeat(buffer, format, count);
    buffer_string(buffer, after);
}

/* The members below `depth` names of `length` bytes each, which begin with the prefix. */
static void nested(
    struct buffer *buffer, const char *prefix, size_t depth, size_t length, const char *format, size_t count)
{
    for (size_t level = 0; level < depth; level++) {
        buffer_string(buffer, "\"");
        buffer_string(buffer, prefix);
        buffer_times(buffer, "n", length);
        buffer_string(buffer, "\":{");
    }
    buffer_repeat(buffer, format, count);
    buffer_times(buffer, "}", depth);
}

/* Fields whose paths are as long as any that is printed, and hardly take a byte of the review: printing all
 * of them takes more memory than anything else does. */
void long_paths_taken(struct hostile_review *review, size_t size)
{
    const size_t depth = 7, length = 250, count = size / 45;
    buffer_string(&review->old.entries, ENTRY_START("argocd-controller", "Apply"));
    nested(&review->old.entries, "f:", depth, length, "\"f:k%zu\":{}", count);
    buffer_string(&review->old.entries, "}}");
    buffer_string(&review->new.entries, EDIT_START);
    nested(&review->new.entries, "f:", depth, length, "\"f:k%zu\":{}", count);
    buffer_string(&review->new.entries, "}}");
    nested(&review->old.body, "", depth, length, "\"k%zu\":1", count);
    nested(&review->new.body, "", depth, length, "\"k%zu\":2", count);
}

/* Very many fields that the annotation declares, all taken by a person. */
void declared_taken(struct hostile_review *review, size_t size)
{
    const size_t count = size / 100;
    review->enters_applier = true;
    members(&review->last_applied, "{\"data\":{", "\"k%05zu\":\"\"", count, "}}");
    members(
        &review->old.entries, ENTRY_START("kubectl-client-side-apply", "Update") "\"f:data\":{",
        "\"f:k%05zu\":{}", count, "}," ANNOTATION "}}");
    members(
        &review->new.entries,
        ENTRY_START("kubectl-client-side-apply", "Update") ANNOTATION "}}," EDIT_START "\"f:data\":{",
        "\"f:k%05zu\":{}", count, "}}}");
    members(&review->old.body, "\"data\":{", "\"k%05zu\":\"1\"", count, "}");
    members(&review->new.body, "\"data\":{", "\"k%05zu\":\"2\"", count, "}");
}

/* The same with list items that keys distinguish. */
void declared_items_taken(struct hostile_review *review, size_t size)
{
    const size_t count = size / 230;
    review->enters_applier = true;
    members(
        &review->last_applied, "{\"spec\":{\"template\":{\"spec\":{\"volumes\":[", "{\"name\":\"%05zx\"}",
        count, "]}}}}");
#define VOLUMES "\"f:spec\":{\"f:template\":{\"f:spec\":{\"f:volumes\":{"
#define VOLUME "\"k:{\\\"name\\\":\\\"%05zx\\\"}\":"
    members(
        &review->old.entries, ENTRY_START("kubectl-client-side-apply", "Update") VOLUMES,
        VOLUME "{\".\":{},\"f:name\":{},\"f:x\":{}}", count, "}}}}," ANNOTATION "}}");
    members(
        &review->new.entries, ENTRY_START("kubectl-client-side-apply", "Update") VOLUMES,
        VOLUME "{\".\":{},\"f:name\":{}}", count, "}}}}," ANNOTATION "}},");
    members(&review->new.entries, EDIT_START VOLUMES, VOLUME "{\"f:x\":{}}", count, "}}}}}}");
    for (int side = 0; side < 2; side++)
        members(
            side ? &review->new.body : &review->old.body, "\"spec\":{\"template\":{\"spec\":{\"volumes\":[",
            side ? "{\"name\":\"%05zx\",\"x\":2}" : "{\"name\":\"%05zx\",\"x\":1}", count, "]}}}");
}

/* A manager now applies, unchanged, the fields that it owned by Update: it gains nothing. */
void updated_then_applied(struct hostile_review *review, size_t size)
{
    const size_t count = size / 80;
    review->field_manager = "tool";
    for (int side = 0; side < 2; side++) {
        struct buffer *entries = side ? &review->new.entries : &review->old.entries;
        if (side)
            members(entries, ENTRY_START("tool", "Apply") "\"f:data\":{", "\"f:k%05zu\":{}", count, "}}},");
        members(
            entries, ENTRY_START("tool", "Update") "\"f:data\":{\".\":{},", "\"f:k%05zu\":{}", count, "}}}");
        members(side ? &review->new.body : &review->old.body, "\"data\":{", "\"k%05zu\":\"v\"", count, "}");
    }
}
