#include "tests/torture/hostile_owners.h"

/* As many as are compared, the one that applies included. */
#define OWNERS 64

static void entry_start(struct buffer *entries, const char *operation, size_t number)
{
    buffer_string(entries, entries->length ? ",{\"operation\":\"" : "{\"operation\":\"");
    buffer_string(entries, operation);
    buffer_number(
        entries,
        "\",\"manager\":\"m%zu\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","
        "\"time\":\"2026-01-01T00:00:00Z\",\"fieldsV1\":{\"f:s\":{",
        number);
}

static void leaves(struct buffer *entries, const char *format, size_t count)
{
    buffer_repeat(entries, format, count);
    buffer_string(entries, "}}}");
}

static void body(struct hostile_review *review, const char *format, size_t count)
{
    for (int side = 0; side < 2; side++) {
        struct buffer *buffer = side ? &review->new.body : &review->old.body;
        buffer_string(buffer, "\"s\":{");
        buffer_repeat(buffer, format, count);
        buffer_string(buffer, "}");
    }
}

static void shared_by(struct hostile_review *review, size_t owners, size_t each)
{
    review->field_manager = "m0";
    for (size_t owner = 0; owner < owners; owner++) {
        entry_start(&review->new.entries, "Apply", owner);
        leaves(&review->new.entries, "\"f:a%zu\":{}", each);
    }
    body(review, "\"a%zu\":1", each);
}

/* Everybody owns everything. */
void shared_by_all(struct hostile_review *review, size_t size)
{
    shared_by(review, OWNERS, size / OWNERS / 13);
}

void shared_by_too_many(struct hostile_review *review, size_t size)
{
    shared_by(review, 1000, size / 1000 / 13);
}

/* The same with items of a list, whose keys have to be parsed, since each has them in another order. */
void shared_items_in_any_order(struct hostile_review *review, size_t size)
{
    size_t each = size / OWNERS / 42;
    review->field_manager = "m0";
    for (size_t owner = 0; owner < OWNERS; owner++) {
        entry_start(&review->new.entries, "Apply", owner);
        buffer_string(&review->new.entries, "\"f:l\":{");
        if (owner % 2)
            buffer_repeat(&review->new.entries, "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}", each);
        else
            buffer_repeat_down(&review->new.entries, "\"k:{\\\"n\\\": %zu}\":{\"f:v\":{}}", each);
        buffer_string(&review->new.entries, "}}}}");
    }
    for (int side = 0; side < 2; side++) {
        struct buffer *buffer = side ? &review->new.body : &review->old.body;
        buffer_string(buffer, "\"s\":{\"l\":[");
        buffer_repeat(buffer, "{\"n\":%zu,\"v\":1}", each);
        buffer_string(buffer, "]}");
    }
}

/* For each of very many fields, all others are asked, who own next to nothing. */
void large_applier_beside_small_ones(struct hostile_review *review, size_t size)
{
    size_t count = size / 40;
    review->field_manager = "m0";
    entry_start(&review->new.entries, "Apply", 0);
    leaves(&review->new.entries, "\"f:a%zu\":{}", count);
    for (size_t owner = 1; owner < OWNERS; owner++) {
        entry_start(&review->new.entries, "Apply", owner);
        leaves(&review->new.entries, "\"f:b%zu\":{}", 2);
    }
    body(review, "\"a%zu\":1", count);
}

/* All own the same containers, each of which may hold fields of others. */
void shared_containers(struct hostile_review *review, size_t size)
{
    size_t each = size / OWNERS / 14;
    review->field_manager = "m0";
    for (size_t owner = 0; owner < OWNERS; owner++) {
        entry_start(&review->new.entries, "Apply", owner);
        leaves(&review->new.entries, "\"f:a%zu\":{}", each);
    }
    body(review, "\"a%zu\":{\"x\":1}", each);
}

/* Shared fields are looked up in an annotation that declares very many other items. */
void shared_with_a_client_side_applier(struct hostile_review *review, size_t size)
{
    size_t count = size / 110;
    review->field_manager = "m0";
    for (int side = 0; side < 2; side++) {
        struct buffer *entries = side ? &review->new.entries : &review->old.entries;
        entry_start(entries, "Apply", 0);
        buffer_string(entries, "\"f:l\":{");
        buffer_repeat(entries, "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}", count);
        buffer_string(entries, "}}}},{\"operation\":\"Update\",\"manager\":\"kubectl-client-side-apply\",");
        buffer_string(entries, "\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{");
        buffer_string(entries, "\"f:s\":{\"f:l\":{");
        buffer_repeat(entries, "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}", count);
        buffer_string(entries, "}}}}");
        struct buffer *buffer = side ? &review->new.body : &review->old.body;
        buffer_string(buffer, "\"s\":{\"l\":[");
        buffer_repeat(buffer, "{\"n\":%zu,\"v\":1}", count);
        buffer_string(buffer, "]}");
    }
    buffer_string(&review->last_applied, "{\"s\":{\"l\":[");
    buffer_repeat(&review->last_applied, "{\"n\":%zu}", count);
    buffer_string(&review->last_applied, "]}}");
}

/* Very many managers that are not appliers own fields that no other manager owns. */
void orphans_of_many(struct hostile_review *review, size_t size)
{
    size_t each = size / OWNERS / 40;
    review->field_manager = "m0";
    entry_start(&review->new.entries, "Apply", 0);
    leaves(&review->new.entries, "\"f:a%zu\":{}", 1);
    for (size_t owner = 1; owner < OWNERS; owner++) {
        buffer_string(&review->new.entries, ",{\"operation\":\"Update\",\"manager\":\"kubectl-edit\",");
        buffer_string(
            &review->new.entries,
            "\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:s\":{");
        for (size_t i = 0; i < each; i++) {
            buffer_string(&review->new.entries, i ? "," : "");
            buffer_number(&review->new.entries, "\"f:b%zu\":{}", owner * each + i);
        }
        buffer_string(&review->new.entries, "}}}");
    }
    body(review, "\"b%zu\":1", OWNERS * each);
}

/* Fields without an owner are looked up in an annotation that declares very many other fields. */
void orphans_beside_a_large_annotation(struct hostile_review *review, size_t size)
{
    size_t count = size / 80;
    review->field_manager = "m0";
    entry_start(&review->new.entries, "Apply", 0);
    leaves(&review->new.entries, "\"f:a%zu\":{}", 1);
    buffer_string(&review->new.entries, ",{\"operation\":\"Update\",\"manager\":\"kubectl-edit\",");
    buffer_string(
        &review->new.entries,
        "\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:s\":{\"f:l\":{");
    buffer_repeat(&review->new.entries, "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}", count);
    buffer_string(&review->new.entries, "}}}}");
    buffer_string(&review->last_applied, "{\"s\":{\"l\":[");
    buffer_repeat(&review->last_applied, "{\"n\":-%zu}", count);
    buffer_string(&review->last_applied, "]}}");
    for (int side = 0; side < 2; side++) {
        struct buffer *buffer = side ? &review->new.body : &review->old.body;
        buffer_string(buffer, "\"s\":{\"l\":[");
        buffer_repeat(buffer, "{\"n\":%zu,\"v\":1}", count);
        buffer_string(buffer, "]}");
    }
}

/* An entry of many fields is gone, and of very many new ones only the last owns them. */
void moved_to_the_last_of_many(struct hostile_review *review, size_t size)
{
    size_t fields = size / 40, owners = size / 400;
    review->field_manager = "tool";
    buffer_string(&review->old.entries, "{\"operation\":\"Update\",\"manager\":\"kubectl-edit\",");
    buffer_string(
        &review->old.entries,
        "\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:s\":{");
    leaves(&review->old.entries, "\"f:a%zu\":{}", fields);
    for (size_t owner = 0; owner <= owners; owner++) {
        entry_start(&review->new.entries, "Apply", owner);
        leaves(&review->new.entries, "\"f:a%zu\":{}", owner == owners ? fields : 0);
    }
    body(review, "\"a%zu\":1", fields);
}
