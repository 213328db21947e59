#include "tests/torture/hostile_products.h"

static void entry(
    struct buffer *entries, const char *manager, size_t number, const char *operation, const char *fields)
{
    buffer_string(entries, entries->length ? ",{\"manager\":\"" : "{\"manager\":\"");
    buffer_number(entries, manager, number);
    buffer_string(entries, "\",\"operation\":\"");
    buffer_string(entries, operation);
    buffer_string(entries, "\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{");
    buffer_string(entries, fields);
}

static void numbered(
    struct buffer *buffer, const char *before, const char *format, size_t count, const char *after)
{
    buffer_string(buffer, before);
    buffer_repeat(buffer, format, count);
    buffer_string(buffer, after);
}

/* As many managers as each has fields lose them all, and as many others own them, with no value changing. */
void owners_who_lose_the_same(struct hostile_review *review, size_t size)
{
    size_t each = 100, owners = size / each / 20;
    for (size_t owner = 0; owner < owners; owner++) {
        entry(&review->old.entries, "m%zu", owner, "Update", "\"f:s\":{");
        numbered(&review->old.entries, "", "\"f:a%zu\":{}", each, "}}}");
        entry(&review->new.entries, "n%zu", owner, "Apply", "\"f:s\":{\"f:x\":{}}}}");
    }
    for (int side = 0; side < 2; side++)
        numbered(side ? &review->new.body : &review->old.body, "\"s\":{", "\"a%zu\":1", each, "}");
}

static void previous_owners_of_one_field(struct hostile_review *review, size_t count, const char *annotations)
{
    for (size_t owner = 0; owner < count; owner++) {
        entry(&review->old.entries, "m%zu", owner, "Apply", "\"f:s\":{");
        buffer_number(&review->old.entries, "\"f:a%zu\":{}}}}", owner);
    }
    numbered(&review->old.body, "\"s\":{", "\"a%zu\":1", count, "}");
    numbered(&review->new.body, "\"s\":{", "\"a%zu\":2", count, "}");
    entry(&review->new.entries, "kluctl", 0, "Apply", "\"f:metadata\":{\"f:annotations\":{");
    buffer_string(&review->new.entries, annotations);
    buffer_string(&review->new.entries, "}}}}");
    review->field_manager = "kluctl";
}

/* For each of many findings, all annotations could be asked whether they allow it. */
void findings_beside_annotations(struct hostile_review *review, size_t size)
{
    previous_owners_of_one_field(review, size / 360, "");
    for (int side = 0; side < 2; side++)
        numbered(
            side ? &review->new.metadata : &review->old.metadata, "\"annotations\":{", "\"a%zu\":\"\"",
            size / 60, "}");
}

/* The same for findings that the object's own annotation waives. */
void findings_beside_a_waiver(struct hostile_review *review, size_t size)
{
    previous_owners_of_one_field(review, size / 360, "");
    for (int side = 0; side < 2; side++) {
        struct buffer *metadata = side ? &review->new.metadata : &review->old.metadata;
        buffer_string(metadata, "\"annotations\":{\"applyguard.io/waive\":\"");
        buffer_times(metadata, "explicit-labels,", size / 64);
        buffer_string(metadata, "\"}");
    }
}

/* Fields of many items, each of which an annotation could mean: the items are identified by their printed
 * form.
 */
void tool_annotations_of_items(struct hostile_review *review, size_t size)
{
    size_t count = size / 260;
    for (size_t owner = 0; owner < count; owner++) {
        entry(&review->old.entries, "m%zu", owner, "Apply", "\"f:l\":{");
        buffer_number(&review->old.entries, "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}}}}", owner);
    }
    entry(
        &review->new.entries, "kluctl", 0, "Apply",
        "\"f:metadata\":{\"f:annotations\":{\"f:kluctl.io/force-apply-field\":{}}}}}");
    review->field_manager = "kluctl";
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        numbered(body, "\"l\":[", side ? "{\"n\":%zu,\"v\":2}" : "{\"n\":%zu,\"v\":1}", count, "]");
        buffer_string(
            side ? &review->new.metadata : &review->old.metadata,
            "\"annotations\":{\"kluctl.io/force-apply-field\":\"l[*].w\"}");
    }
}

/* Items declare one key field of two, and are looked for by both. */
void declared_items_without_key_fields(struct hostile_review *review, size_t size)
{
    size_t count = size / 140;
    entry(&review->old.entries, "kubectl-client-side-apply", 0, "Update", "\"f:l\":{");
    numbered(
        &review->old.entries, "", "\"k:{\\\"n\\\":%zu,\\\"p\\\":\\\"T\\\"}\":{\"f:v\":{}}", count, "}}}");
    numbered(&review->last_applied, "{\"l\":[", "{\"n\":%zu,\"v\":0}", count, "]}");
    numbered(&review->old.body, "\"l\":[", "{\"n\":%zu,\"p\":\"T\",\"v\":1}", count, "]");
    numbered(&review->new.body, "\"l\":[", "{\"n\":%zu,\"p\":\"T\",\"v\":2}", count, "]");
}

/* The declaration is there twice, in opposite orders and at many levels. */
void declared_repeated_in_disorder(struct hostile_review *review, size_t size)
{
    size_t levels = 1000, each = size / levels / 40;
    for (size_t level = 0; level < levels; level++) {
        buffer_string(&review->last_applied, "{");
        buffer_repeat_down(&review->last_applied, "\"a%zu\":1", each);
        buffer_string(&review->last_applied, each ? "," : "");
        buffer_repeat(&review->last_applied, "\"a%zu\":2", each);
        buffer_string(&review->last_applied, each ? ",\"b\":" : "\"b\":");
    }
    buffer_string(&review->last_applied, "1");
    buffer_times(&review->last_applied, "}", levels);
    buffer_string(&review->old.body, "\"a0\":1");
    buffer_string(&review->new.body, "\"a0\":3");
}

/* For each entry that is gone, all present ones could be searched for a server-side applier. */
void client_side_appliers_gone(struct hostile_review *review, size_t size)
{
    for (size_t owner = 0; owner < size / 260; owner++) {
        entry(&review->old.entries, "pulumi-kubernetes-%zu", owner, "Update", "\"f:s\":{\"f:a\":{}}}}");
        entry(&review->new.entries, "c%zu", owner, "Update", "\"f:s\":{\"f:b\":{}}}}");
    }
    for (int side = 0; side < 2; side++)
        buffer_string(side ? &review->new.body : &review->old.body, "\"s\":{\"a\":1,\"b\":1}");
}

/* Short lists of items of many members, asked again and again for one that is not there. */
void short_lists_asked_often(struct hostile_review *review, size_t size)
{
    entry(&review->old.entries, "m", 0, "Apply", "\"f:l\":{");
    numbered(&review->old.entries, "", "\"k:{\\\"n\\\":%zu}\":{}", size / 24, "}}}");
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        buffer_string(body, "\"l\":[");
        for (size_t item = 0; item < 16; item++) {
            numbered(body, item ? ",{" : "{", "\"m%zu\":1", 31, "");
            buffer_number(body, side ? ",\"n\":-2%zu}" : ",\"n\":-1%zu}", item);
        }
        buffer_string(body, "]");
    }
}
