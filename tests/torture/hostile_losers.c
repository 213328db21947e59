#include "tests/torture/hostile_losers.h"

/* An entry that begins, up to the content of its fields. */
static void entry(
    struct buffer *entries, const char *manager, size_t number, const char *operation, bool later)
{
    buffer_string(entries, entries->length ? ",{\"manager\":\"" : "{\"manager\":\"");
    buffer_number(entries, manager, number);
    buffer_string(entries, "\",\"operation\":\"");
    buffer_string(entries, operation);
    buffer_string(entries, "\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\",\"time\":\"");
    buffer_string(entries, later ? "2026-02-01T00:00:00Z" : "2026-01-01T00:00:00Z");
    buffer_string(entries, "\",\"fieldsV1\":{");
}

static void fields(
    struct buffer *buffer, const char *before, const char *format, size_t count, const char *after)
{
    buffer_string(buffer, before);
    buffer_repeat(buffer, format, count);
    buffer_string(buffer, after);
}

/* Each of very many entries loses its only element to the writer's own, which has all. */
static void moved_to_one_entry(
    struct hostile_review *review, size_t count, const char *above, const char *element)
{
    for (size_t i = 0; i < count; i++) {
        entry(&review->old.entries, "m%zu", i, "Apply", false);
        buffer_string(&review->old.entries, above);
        buffer_number(&review->old.entries, element, i);
        buffer_string(&review->old.entries, "}}}");
    }
    entry(&review->new.entries, "kubectl-edit", 0, "Update", true);
    fields(&review->new.entries, above, element, count, "}}}");
}

static void unchanged(
    struct hostile_review *review, const char *before, const char *format, size_t count, const char *after)
{
    for (int side = 0; side < 2; side++)
        fields(side ? &review->new.body : &review->old.body, before, format, count, after);
}

void elements_moved_to_one_entry(struct hostile_review *review, size_t size)
{
    moved_to_one_entry(review, size / 190, "\"f:l\":{", "\"v:\\\"x.io/%08zu\\\"\":{}");
    unchanged(review, "\"l\":[", "\"x.io/%08zu\"", size / 190, "]");
}

void names_moved_to_one_entry(struct hostile_review *review, size_t size)
{
    moved_to_one_entry(review, size / 190, "\"f:l\":{", "\"f:a%08zu\":{}");
    unchanged(review, "\"l\":{", "\"a%08zu\":1", size / 190, "}");
}

void items_moved_to_one_entry(struct hostile_review *review, size_t size)
{
    moved_to_one_entry(review, size / 220, "\"f:l\":{", "\"k:{\\\"n\\\":%zu.50}\":{\"f:v\":{}}");
    unchanged(review, "\"l\":[", "{\"n\":%zu.5,\"v\":1}", size / 220, "]");
}

/* A tool takes from very many entries of managers that it may adopt from. */
void entries_of_tools_taken(struct hostile_review *review, size_t size)
{
    size_t count = size / 230;
    review->field_manager = "argocd-controller";
    for (size_t i = 0; i < count; i++) {
        entry(&review->old.entries, i % 2 ? "terraform-provider-helm-%zu" : "helm", i, "Update", false);
        buffer_number(&review->old.entries, "\"f:s\":{\"f:a%zu\":{}}}}", i);
    }
    entry(&review->new.entries, "argocd-controller", 0, "Apply", true);
    fields(&review->new.entries, "\"f:s\":{", "\"f:a%zu\":{}", count, "}}}");
    fields(&review->old.body, "\"s\":{", "\"a%zu\":1", count, "}");
    fields(&review->new.body, "\"s\":{", "\"a%zu\":2", count, "}");
}

static void orphaned_data(struct hostile_review *review, size_t count, size_t appliers, size_t plain)
{
    review->is_secret = true;
    review->field_manager = "m0";
    for (int side = 0; side < 2; side++) {
        struct hostile_side *filled = side ? &review->new : &review->old;
        for (size_t i = 0; i < appliers; i++) {
            entry(&filled->entries, "m%zu", i, "Apply", side);
            fields(
                &filled->entries, "\"f:stringData\":{", "\"f:j%zu\":{}", plain,
                side ? "},\"f:type\":{}}}" : "}}}");
        }
        entry(&filled->entries, "kubectl-edit", 0, "Update", true);
        fields(&filled->entries, "\"f:data\":{", "\"f:k%zu\":{}", count, "}}}");
        fields(&filled->body, "\"data\":{", "\"k%zu\":\"eA==\"", count, "}");
    }
}

/* Very many keys of a Secret that no manager applies, and as many keys of stringData. */
void plain_keys_orphaned(struct hostile_review *review, size_t size)
{
    orphaned_data(review, size / 90, 1, size / 90);
}

void plain_keys_of_many(struct hostile_review *review, size_t size)
{
    orphaned_data(review, size / 90, 60, size / 90 / 60);
}

/* Keys that are read only with effort, lost to who spells them in another order. */
static void keys_taken(
    struct hostile_review *review, size_t count, const char *key, const char *old, const char *new)
{
    entry(&review->old.entries, "kustomize-controller", 0, "Apply", false);
    fields(&review->old.entries, "\"f:l\":{", key, count, "}}}");
    entry(&review->new.entries, "kubectl-edit", 0, "Update", true);
    buffer_string(&review->new.entries, "\"f:l\":{");
    buffer_repeat_down(&review->new.entries, key, count);
    buffer_string(&review->new.entries, "}}}");
    fields(&review->old.body, "\"l\":[", old, count, "]");
    fields(&review->new.body, "\"l\":[", new, count, "]");
}

void fractions_taken(struct hostile_review *review, size_t size)
{
    keys_taken(
        review, size / 110, "\"k:{\\\"n\\\":%zu.5}\":{\"f:v\":{}}", "{\"n\":%zu.5,\"v\":1}",
        "{\"n\":%zu.5,\"v\":2}");
}

void escaped_keys_taken(struct hostile_review *review, size_t size)
{
    keys_taken(
        review, size / 130, "\"k:{\\\"n\\\":\\\"\\\\n%zu\\\"}\":{\"f:v\":{}}", "{\"n\":\"\\n%zu\",\"v\":1}",
        "{\"n\":\"\\n%zu\",\"v\":2}");
}

void wide_keys_taken(struct hostile_review *review, size_t size)
{
#define WIDE                                                                                                 \
    "\\\"a\\\":1,\\\"b\\\":1,\\\"c\\\":1,\\\"d\\\":1,\\\"e\\\":1,\\\"f\\\":1,\\\"g\\\":1,\\\"h\\\":1,"       \
    "\\\"i\\\":1,\\\"j\\\":1"
#define WIDE_ITEM                                                                                            \
    "{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"n\":%zu,\"v\":"
    keys_taken(
        review, size / 430, "\"k:{" WIDE ",\\\"n\\\":%zu}\":{\"f:v\":{}}", WIDE_ITEM "1}", WIDE_ITEM "2}");
}

/* Very many fields of one item, whose key has as many. */
void fields_of_a_wide_item(struct hostile_review *review, size_t size)
{
    size_t count = size / 150;
    review->field_manager = "m0";
    for (size_t owner = 0; owner < 2; owner++) {
        for (int side = 0; side <= (int)owner; side++) {
            struct hostile_side *filled = side ? &review->old : &review->new;
            entry(&filled->entries, "m%zu", owner, "Apply", !side);
            fields(&filled->entries, "\"f:l\":{\"k:{", "\\\"n%zu\\\":1", count, "}\":{");
            fields(&filled->entries, "", "\"f:v%zu\":{}", count, "}}}}");
        }
    }
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        fields(body, "\"l\":[{", "\"n%zu\":1", count, ",");
        fields(body, "", side ? "\"v%zu\":2" : "\"v%zu\":1", count, "}]");
    }
}

/* Items of managedFields that are no entries and take two bytes each. */
void entries_that_are_none(struct hostile_review *review, size_t size)
{
    buffer_times(&review->old.entries, "1,", size / 4);
    buffer_string(&review->old.entries, "1");
    buffer_times(&review->new.entries, "{},", size / 6);
    buffer_string(&review->new.entries, "{}");
}
