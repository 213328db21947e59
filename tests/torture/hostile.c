#include "tests/torture/hostile.h"
#include "base/array_size.h"
#include "tests/torture/hostile_losers.h"
#include "tests/torture/hostile_owners.h"
#include "tests/torture/hostile_products.h"
#include "tests/torture/hostile_taken.h"

#include "policy/managers.h"

/* Levels of objects that are walked; see JSON_DEPTH_MAX. */
#define DEPTH 120

/* One entry of managedFields; the field is any piece of FieldsV1, with the entry's number up to three times.
 */
#define ENTRY(fields)                                                                                        \
    "{\"manager\":\"m%zu\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","  \
    "\"fieldsV1\":{" fields "}}"
#define ENTRY_START                                                                                          \
    "{\"manager\":\"m\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\",\"fieldsType\":\"FieldsV1\","     \
    "\"fieldsV1\":{"

/* Without it, no manager would apply the declared fields again. */
#define CLIENT_SIDE_ENTRY                                                                                    \
    "{\"manager\":\"kubectl-client-side-apply\",\"operation\":\"Update\",\"apiVersion\":\"apps/v1\","        \
    "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{}}"

static void wrapped(
    struct buffer *buffer, const char *before, const char *format, size_t count, const char *after)
{
    buffer_string(buffer, before);
    buffer_repeat(buffer, format, count);
    buffer_string(buffer, after);
}

/* Every entry has a manager of its own, who loses a field of its own. */
static void many_entries(struct hostile_review *review, size_t size)
{
    size_t count = size / 145;
    buffer_repeat(&review->old.entries, ENTRY("\"f:s\":{\"f:a%zu\":{}}"), count);
    wrapped(&review->old.body, "\"s\":{", "\"a%zu\":1", count, "}");
    wrapped(&review->new.body, "\"s\":{", "\"a%zu\":2", count, "}");
}

/* Both sides have all entries, in opposite order, so each has to be looked for. */
static void entries_reversed(struct hostile_review *review, size_t size)
{
    size_t count = size / 240;
    buffer_repeat(&review->old.entries, ENTRY("\"f:a%zu\":{}"), count);
    buffer_repeat_down(&review->new.entries, ENTRY("\"f:a%zu\":{}"), count);
}

/* All entries say that they are the same one. */
static void entries_of_one_name(struct hostile_review *review, size_t size)
{
    size_t count = size / 240;
    buffer_repeat(&review->old.entries, ENTRY_START "\"f:a%zu\":{}}}", count);
    buffer_repeat_down(&review->new.entries, ENTRY_START "\"f:a%zu\":{}}}", count);
}

/* One manager loses a field of each item of one long list, whose items come in the opposite order. */
static void keyed_items_reversed(struct hostile_review *review, size_t size)
{
    size_t count = size / 95;
    wrapped(
        &review->old.entries, ENTRY_START "\"f:l\":{", "\"k:{\\\"n\\\":%zu}\":{\"f:v\":{}}", count, "}}}");
    wrapped(&review->old.body, "\"l\":[", "{\"n\":%zu,\"v\":1}", count, "]");
    buffer_string(&review->new.body, "\"l\":[");
    buffer_repeat_down(&review->new.body, "{\"n\":%zu,\"v\":2}", count);
    buffer_string(&review->new.body, "]");
}

/* The items of a long list are gone, and so is what was known of them. */
static void keyed_items_removed(struct hostile_review *review, size_t size)
{
    size_t count = size / 70;
    wrapped(
        &review->old.entries, ENTRY_START "\"f:l\":{", "\"k:{\\\"n\\\":%zu}\":{\".\":{},\"f:v\":{}}", count,
        "}}}");
    wrapped(&review->old.body, "\"l\":[", "{\"n\":%zu,\"v\":1}", count, "]");
    buffer_string(&review->new.body, "\"l\":[]");
}

/* The same items owned on both sides, in opposite order of all they consist of. */
static void keyed_items_kept_in_reverse(struct hostile_review *review, size_t size)
{
    size_t count = size / 130;
    wrapped(
        &review->old.entries, ENTRY_START "\"f:l\":{", "\"k:{\\\"n\\\":%zu,\\\"m\\\":1}\":{\"f:v\":{}}",
        count, "}}}");
    buffer_string(&review->new.entries, ENTRY_START "\"f:l\":{");
    buffer_repeat_down(&review->new.entries, "\"k:{\\\"m\\\":1,\\\"n\\\":%zu}\":{\"f:v\":{}}", count);
    buffer_string(&review->new.entries, "}}}");
    wrapped(&review->old.body, "\"l\":[", "{\"n\":%zu,\"m\":1,\"v\":1}", count, "]");
    wrapped(&review->new.body, "\"l\":[", "{\"n\":%zu,\"m\":1,\"v\":2}", count, "]");
}

/* A thousand managers own some of very many labels, all of which are removed. */
static void labels_removed(struct hostile_review *review, size_t size)
{
    size_t owners = 1000, each = size / owners / 28;
    wrapped(&review->old.metadata, "\"labels\":{", "\"l%zu\":\"x\"", owners * each, "}");
    for (size_t owner = 0; owner < owners; owner++) {
        buffer_string(&review->old.entries, owner ? "," : "");
        buffer_number(
            &review->old.entries,
            "{\"manager\":\"m%zu\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\","
            "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:metadata\":{\"f:labels\":{\".\":{}",
            owner);
        for (size_t label = owner * each; label < (owner + 1) * each; label++)
            buffer_number(&review->old.entries, ",\"f:l%zu\":{}", label);
        buffer_string(&review->old.entries, "}}}}");
    }
}

/* Very many fields at the bottom of a deep object, which is gone from its top on. */
static void deep_fields_removed(struct hostile_review *review, size_t size)
{
    size_t count = size / 14;
    buffer_string(&review->old.entries, ENTRY_START);
    buffer_times(&review->old.entries, "\"f:a\":{", DEPTH);
    buffer_repeat(&review->old.entries, "\"f:b%zu\":{}", count);
    buffer_times(&review->old.entries, "}", DEPTH);
    buffer_string(&review->old.entries, "}}");
    buffer_times(&review->old.body, "\"a\":{", DEPTH);
    buffer_string(&review->old.body, "\"b\":1");
    buffer_times(&review->old.body, "}", DEPTH);
}

static void deep_entry(struct buffer *entries, size_t count, const char *last)
{
    buffer_string(entries, ENTRY_START);
    buffer_times(entries, "\"f:a\":{", DEPTH);
    buffer_repeat(entries, "\"f:b%zu\":{}", count);
    buffer_string(entries, last);
    buffer_times(entries, "}", DEPTH);
    buffer_string(entries, "}}");
}

/* Two sets that differ in their last leaf alone, below many levels each of which is compared as a whole. */
static void deep_sets_almost_the_same(struct hostile_review *review, size_t size)
{
    deep_entry(&review->old.entries, size / 28, ",\"f:x\":{}");
    deep_entry(&review->new.entries, size / 28, ",\"f:y\":{}");
}

/* Each item of a list is known by other key fields than the next. */
static void different_key_names(struct hostile_review *review, size_t size)
{
    size_t count = size / 66;
    wrapped(
        &review->old.entries, ENTRY_START "\"f:l\":{", "\"k:{\\\"n%zu\\\":1}\":{\"f:v\":{}}", count, "}}}");
    wrapped(&review->old.body, "\"l\":[", "{\"n%zu\":1,\"v\":1}", count, "]");
    wrapped(&review->new.body, "\"l\":[", "{\"n%zu\":1,\"v\":2}", count, "]");
}

/* Lists that are too short for an index, of items whose many key fields are alike up to the last. */
static void short_list_of_long_keys(struct hostile_review *review, size_t size)
{
    buffer_string(&review->old.entries, ENTRY_START "\"f:l\":{");
    for (size_t key = 0; key < size / 180; key++) {
        buffer_string(&review->old.entries, key ? ",\"k:{" : "\"k:{");
        buffer_repeat(&review->old.entries, "\\\"%zu\\\":1", 15);
        buffer_number(&review->old.entries, ",\\\"z\\\":%zu}\":{\"f:v\":{}}", key);
    }
    buffer_string(&review->old.entries, "}}}");
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        buffer_string(body, "\"l\":[");
        for (size_t item = 0; item < 32; item++) {
            wrapped(body, item ? ",{" : "{", "\"p%zu\":1", 14, ",");
            wrapped(body, "", "\"%zu\":1", 15, "");
            buffer_number(body, ",\"z\":%zu}", item);
        }
        buffer_string(body, "]");
    }
}

/* The same path of names that are all as long as a quarter of the body. */
static void huge_names(struct hostile_review *review, size_t size)
{
    for (int part = 0; part < 3; part++) {
        struct buffer *buffer = part == 0 ? &review->old.entries
            : part == 1                   ? &review->old.body
                                          : &review->new.body;
        buffer_string(buffer, part == 0 ? ENTRY_START "\"f:" : "\"");
        buffer_times(buffer, "n", size / 4);
        buffer_string(buffer, part == 0 ? "\":{}}}" : part == 1 ? "\":1" : "\":2");
    }
}

/* Long paths, all of them lost. */
static void long_paths(struct hostile_review *review, size_t size)
{
    char name[250];
    memset(name, 'n', sizeof(name));
    const struct slice long_name = {name, sizeof(name)};
    buffer_string(&review->old.entries, ENTRY_START);
    for (size_t level = 0; level < 20; level++) {
        buffer_string(&review->old.entries, "\"f:");
        buffer_append(&review->old.entries, long_name);
        buffer_string(&review->old.entries, "\":{");
    }
    buffer_repeat(&review->old.entries, "\"f:%zu\":{}", size / 14);
    buffer_times(&review->old.entries, "}", 20);
    buffer_string(&review->old.entries, "}}");
}

/* The declaration is nested as deep as the bytes allow. */
static void nested_annotation(struct hostile_review *review, size_t size)
{
    size_t depth = size / 30;
    buffer_times(&review->last_applied, "{\"a\":", depth);
    buffer_string(&review->last_applied, "1");
    buffer_times(&review->last_applied, "}", depth);
    buffer_times(&review->old.body, "\"a\":{", DEPTH);
    buffer_times(&review->old.body, "}", DEPTH);
    buffer_times(&review->new.body, "\"a\":{", DEPTH - 1);
    buffer_string(&review->new.body, "\"a\":1");
    buffer_times(&review->new.body, "}", DEPTH - 1);
}

/* Declared, old and new members in two orders, each of which has another value than before. */
static void members_reversed(struct hostile_review *review, size_t size)
{
    size_t count = size / 55;
    wrapped(&review->last_applied, "{\"s\":{", "\"a%zu\":1", count, "}}");
    wrapped(&review->old.body, "\"s\":{", "\"a%zu\":2", count, "}");
    buffer_string(&review->new.body, "\"s\":{");
    buffer_repeat_down(&review->new.body, "\"a%zu\":3", count);
    buffer_string(&review->new.body, "}");
}

/* The object itself has very many members, and all are declared. */
static void members_of_the_object(struct hostile_review *review, size_t size)
{
    size_t count = size / 55;
    wrapped(&review->last_applied, "{", "\"a%zu\":1", count, "}");
    buffer_repeat(&review->old.body, "\"a%zu\":2", count);
    buffer_repeat(&review->new.body, "\"a%zu\":3", count);
}

/* All of them own one large list, of which the last item changes. */
static void large_list_of_many_owners(struct hostile_review *review, size_t size)
{
    buffer_repeat(&review->old.entries, ENTRY("\"f:l\":{}"), size / 220);
    buffer_string(&review->old.body, "\"l\":[");
    buffer_times(&review->old.body, "1,", size / 8);
    buffer_string(&review->old.body, "1]");
    buffer_string(&review->new.body, "\"l\":[");
    buffer_times(&review->new.body, "1,", size / 8);
    buffer_string(&review->new.body, "2]");
}

/* Maps in maps, each of which a manager owns whole, so that it has to be compared with all that is in it. */
static void maps_in_maps(struct hostile_review *review, size_t size)
{
    const size_t depth = 100;
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        buffer_times(body, "\"m\":{", depth);
        buffer_string(body, "\"l\":[");
        buffer_times(body, "1,", size / 4);
        buffer_string(body, side ? "2]" : "1]");
        buffer_times(body, "}", depth);
    }
    for (size_t level = 1; level <= depth; level++) {
        buffer_string(&review->old.entries, level > 1 ? "," : "");
        buffer_number(
            &review->old.entries,
            "{\"manager\":\"m%zu\",\"operation\":\"Apply\",\"apiVersion\":\"apps/v1\","
            "\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{",
            level);
        buffer_times(&review->old.entries, "\"f:m\":{", level);
        buffer_times(&review->old.entries, "}", level);
        buffer_string(&review->old.entries, "}}");
    }
}

/* The same, of an object whose members have changed places: telling takes sorting. */
static void large_map_of_many_owners(struct hostile_review *review, size_t size)
{
    size_t count = size / 36;
    buffer_repeat(&review->old.entries, ENTRY("\"f:l\":{}"), size / 220);
    wrapped(&review->old.body, "\"l\":{", "\"a%zu\":1", count, "}");
    buffer_string(&review->new.body, "\"l\":{");
    buffer_repeat_down(&review->new.body, "\"a%zu\":1", count);
    buffer_string(&review->new.body, "}");
}

/* One entry that says the same field again and again. */
static void one_field_repeated(struct hostile_review *review, size_t size)
{
    buffer_string(&review->old.entries, ENTRY_START);
    buffer_times(&review->old.entries, "\"f:l\":{},", size / 20);
    buffer_string(&review->old.entries, "\"f:l\":{}}}");
    wrapped(&review->old.body, "\"l\":[", "1", size / 8, ",1]");
    wrapped(&review->new.body, "\"l\":[", "1", size / 8, ",2]");
}

/* Containers that hold others' fields are lost one by one; whether they do is asked of all managers. */
static void bare_memberships(struct hostile_review *review, size_t size)
{
    size_t managers = 1000, each = size / managers / 14;
    wrapped(&review->old.entries, ENTRY_START, "\"f:c%zu\":{}", 64, "}},");
    for (size_t manager = 0; manager < managers; manager++) {
        buffer_number(&review->old.entries, manager ? "," : "", 0);
        wrapped(&review->old.entries, ENTRY_START, "\"f:x%zu\":{}", each, "}}");
    }
    buffer_repeat(&review->old.body, "\"c%zu\":{\"a\":1}", 64);
    buffer_repeat(&review->new.body, "\"c%zu\":{\"a\":2}", 64);
}

/* The same below an item of a list, which has to be found among all items of all managers. */
static void bare_memberships_in_items(struct hostile_review *review, size_t size)
{
    size_t managers = 1000, each = size / managers / 30;
    wrapped(&review->old.entries, ENTRY_START "\"f:l\":{\"k:{\\\"n\\\":0}\":{", "\"f:c%zu\":{}", 64, "}}}},");
    for (size_t manager = 0; manager < managers; manager++) {
        buffer_number(&review->old.entries, manager ? "," : "", 0);
        buffer_string(&review->old.entries, ENTRY_START "\"f:l\":{");
        buffer_repeat_down(&review->old.entries, "\"k:{\\\"n\\\":%zu}\":{}", each);
        buffer_string(&review->old.entries, "}}}");
    }
    for (int side = 0; side < 2; side++) {
        struct buffer *body = side ? &review->new.body : &review->old.body;
        wrapped(body, "\"l\":[{\"n\":0,", side ? "\"c%zu\":{\"a\":2}" : "\"c%zu\":{\"a\":1}", 64, "}]");
    }
}

/* Very many declared lists have changed; for each, all entries could show its type. */
static void lists_of_unknown_type(struct hostile_review *review, size_t size)
{
    size_t count = size / 80;
    buffer_repeat(&review->old.entries, ENTRY("\"f:l\":{}"), size / 240);
    wrapped(&review->last_applied, "{\"s\":{", "\"a%zu\":[1]", count, "}}");
    wrapped(&review->old.body, "\"s\":{", "\"a%zu\":[2]", count, "}");
    wrapped(&review->new.body, "\"s\":{", "\"a%zu\":[3]", count, "}");
}

/* A list of very many items, each distinguished from the others by very many key fields. */
static void keys_of_many_names(struct hostile_review *review, size_t size)
{
    wrapped(
        &review->old.entries, ENTRY_START "\"f:s\":{\"f:l\":{\"k:{", "\\\"n%zu\\\":1", size / 28,
        "}\":{}}}}}");
    wrapped(&review->last_applied, "{\"s\":{\"l\":[", "{}", size / 6, "]}}");
    buffer_string(&review->old.body, "\"s\":{\"l\":[1]}");
    buffer_string(&review->new.body, "\"s\":{\"l\":[2]}");
}

/* A declared member that is repeated again and again, with a large value on both sides. */
static void declared_again_and_again(struct hostile_review *review, size_t size)
{
    buffer_string(&review->last_applied, "{\"s\":{");
    buffer_times(&review->last_applied, "\"l\":1,", size / 36);
    buffer_string(&review->last_applied, "\"l\":1}}");
    wrapped(&review->old.body, "\"s\":{\"l\":[", "1", size / 8, ",1]}");
    wrapped(&review->new.body, "\"s\":{\"l\":[", "1", size / 8, ",2]}");
}

/* The same with a member of the object itself. */
static void object_declared_again_and_again(struct hostile_review *review, size_t size)
{
    buffer_string(&review->last_applied, "{");
    buffer_times(&review->last_applied, "\"l\":1,", size / 36);
    buffer_string(&review->last_applied, "\"l\":1}");
    wrapped(&review->old.body, "\"l\":[", "1", size / 8, ",1]");
    wrapped(&review->new.body, "\"l\":[", "1", size / 8, ",2]");
}

/* Changed fields that ownership-conflict has reported already: those are never counted. */
static void drift_that_is_reported(struct hostile_review *review, size_t size)
{
    size_t count = size / 55;
    buffer_repeat(&review->old.entries, ENTRY("\"f:r%zu\":{}"), 62);
    buffer_string(&review->old.entries, "," ENTRY_START "\"f:s\":{}}}");
    wrapped(&review->last_applied, "{\"s\":{", "\"a%zu\":1", count, "}}");
    buffer_repeat(&review->old.body, "\"r%zu\":1", 62);
    wrapped(&review->old.body, ",\"s\":{", "\"a%zu\":2", count, "}");
    buffer_repeat(&review->new.body, "\"r%zu\":2", 62);
    wrapped(&review->new.body, ",\"s\":{", "\"a%zu\":3", count, "}");
}

/* Many fields below an item whose key is as long as half the body: a pattern is compared with that key. */
static void long_key_against_patterns(struct hostile_review *review, size_t size)
{
    wrapped(
        &review->old.entries, ENTRY_START "\"f:spec\":{\"f:containers\":{\"k:{", "\\\"n%zu\\\":1", size / 28,
        "}\":{");
    buffer_repeat(&review->old.entries, "\"f:%zu\":{}", size / 26);
    buffer_string(&review->old.entries, "}}}}}");
}

/* Everything that is copied into an answer or a report is as long as it can be. */
static void huge_texts(struct hostile_review *review, size_t size)
{
    static const char *const members[] = {"\"name\":\"", "\"namespace\":\"", "\"subResource\":\""};
    for (size_t i = 0; i < 2; i++) {
        buffer_string(&review->request, ",");
        buffer_string(&review->request, members[i]);
        buffer_times(&review->request, "\\u0001", size / 2 / 6);
        buffer_string(&review->request, "\"");
    }
}

/* The user is in very many groups. */
static void many_groups(struct hostile_review *review, size_t size)
{
    wrapped(&review->request, ",\"userInfo\":{\"groups\":[", "\"g%zu\"", size / 9, "]}");
}

/* The object waives everything but what there is. */
static void many_waivers(struct hostile_review *review, size_t size)
{
    buffer_string(&review->new.metadata, "\"annotations\":{\"applyguard.io/waive\":\"");
    buffer_times(&review->new.metadata, ",a", size / 2);
    buffer_string(&review->new.metadata, "\"}");
}

/* Kluctl takes a field of each of many managers, and asks for fields by more annotations than there are
 * fields. */
static void many_tool_annotations(struct hostile_review *review, size_t size)
{
    size_t previous_owners = size / 600, tool_annotations = size / 330;
    review->field_manager = "kluctl";
    buffer_repeat(&review->old.entries, ENTRY("\"f:s\":{\"f:a.%zu\":{}}"), previous_owners);
    wrapped(&review->old.body, "\"s\":{", "\"a.%zu\":1", previous_owners, "}");
    wrapped(&review->new.body, "\"s\":{", "\"a.%zu\":2", previous_owners, "}");
    wrapped(
        &review->old.metadata, "\"annotations\":{", "\"kluctl.io/force-apply-field-%zu\":\"s..a.b..c\"",
        tool_annotations, "}");
    wrapped(
        &review->new.metadata, "\"annotations\":{", "\"kluctl.io/force-apply-field-%zu\":\"s..a..b..c\"",
        tool_annotations, "}");
    wrapped(
        &review->new.entries,
        "{\"manager\":\"kluctl\",\"operation\":\"Apply\",\"apiVersion\":\"apps/"
        "v1\",\"fieldsType\":\"FieldsV1\","
        "\"fieldsV1\":{\"f:metadata\":{\"f:annotations\":{",
        "\"f:kluctl.io/force-apply-field-%zu\":{}", tool_annotations, "}}}}");
}

/* Nothing but brackets. */
static void nested_lists(struct hostile_review *review, size_t size)
{
    buffer_string(&review->old.body, "\"l\":");
    buffer_times(&review->old.body, "[", size / 4);
    buffer_times(&review->old.body, "]", size / 4);
    buffer_string(&review->new.body, "\"l\":");
    buffer_times(&review->new.body, "[", size / 4 - 1);
    buffer_string(&review->new.body, "1");
    buffer_times(&review->new.body, "]", size / 4 - 1);
    buffer_string(&review->old.entries, ENTRY_START "\"f:l\":{}}}");
}

/* The writer has to be found among all who may have written, by what each gained. */
static void unnamed_writer(struct hostile_review *review, size_t size)
{
    keyed_items_kept_in_reverse(review, size / 2);
    buffer_string(&review->old.entries, ",");
    buffer_string(&review->new.entries, ",");
    buffer_repeat(&review->old.entries, ENTRY("\"f:a%zu\":{}"), size / 500);
    buffer_repeat_down(&review->new.entries, ENTRY("\"f:a%zu\":{}"), size / 500);
    review->is_unnamed = true;
}

/* The declared metadata is repeated again and again, and the metadata has very many members. */
static void metadata_declared_again_and_again(struct hostile_review *review, size_t size)
{
    buffer_string(&review->last_applied, "{");
    buffer_times(&review->last_applied, "\"metadata\":{},", size / 64);
    buffer_string(&review->last_applied, "\"kind\":1}");
    buffer_repeat(&review->old.metadata, "\"a%zu\":1", size / 48);
    buffer_repeat(&review->new.metadata, "\"a%zu\":2", size / 48);
}

/* As many groups of previous owners as are distinguished, each with a manager whose class takes long to find.
 */
static void groups_of_a_large_owner(struct hostile_review *review, size_t size)
{
    const size_t groups = 500;
    wrapped(&review->old.entries, ENTRY_START, "\"f:r%zu\":{}", groups, ",");
    wrapped(&review->old.entries, "\"f:metadata\":{\"f:annotations\":{", "\"f:%zu\":{}", size / 16, "}}}},");
    buffer_repeat(&review->old.entries, ENTRY("\"f:r%zu\":{}"), groups);
    buffer_repeat(&review->old.body, "\"r%zu\":1", groups);
    buffer_repeat(&review->new.body, "\"r%zu\":2", groups);
}

/* Numbers that lie next to the middle between two that a double can hold: only all digits show which it is.
 */
static void hard_numbers(struct hostile_review *review, size_t size)
{
    buffer_string(&review->old.body, "\"l\":[0");
    for (size_t i = 0; i < size / 770; i++) {
        buffer_string(&review->old.body, ",9007199254740993.");
        buffer_times(&review->old.body, "0", 740);
        buffer_string(&review->old.body, "1e-300");
    }
    buffer_string(&review->old.body, "]");
}

#define CASE(function)                                                                                       \
    {                                                                                                        \
#function, function                                                                                  \
    }

const struct hostile_case hostile_cases[] = {
    CASE(many_entries),
    CASE(entries_reversed),
    CASE(entries_of_one_name),
    CASE(keyed_items_reversed),
    CASE(keyed_items_removed),
    CASE(keyed_items_kept_in_reverse),
    CASE(labels_removed),
    CASE(deep_fields_removed),
    CASE(deep_sets_almost_the_same),
    CASE(different_key_names),
    CASE(short_list_of_long_keys),
    CASE(huge_names),
    CASE(long_paths),
    CASE(nested_annotation),
    CASE(members_reversed),
    CASE(members_of_the_object),
    CASE(large_list_of_many_owners),
    CASE(maps_in_maps),
    CASE(large_map_of_many_owners),
    CASE(one_field_repeated),
    CASE(bare_memberships),
    CASE(bare_memberships_in_items),
    CASE(lists_of_unknown_type),
    CASE(keys_of_many_names),
    CASE(declared_again_and_again),
    CASE(object_declared_again_and_again),
    CASE(drift_that_is_reported),
    CASE(long_key_against_patterns),
    CASE(huge_texts),
    CASE(many_groups),
    CASE(many_waivers),
    CASE(many_tool_annotations),
    CASE(nested_lists),
    CASE(unnamed_writer),
    CASE(metadata_declared_again_and_again),
    CASE(groups_of_a_large_owner),
    CASE(hard_numbers),
    CASE(shared_by_all),
    CASE(shared_by_too_many),
    CASE(shared_items_in_any_order),
    CASE(large_applier_beside_small_ones),
    CASE(shared_containers),
    CASE(shared_with_a_client_side_applier),
    CASE(orphans_of_many),
    CASE(orphans_beside_a_large_annotation),
    CASE(moved_to_the_last_of_many),
    CASE(long_paths_taken),
    CASE(declared_taken),
    CASE(declared_items_taken),
    CASE(updated_then_applied),
    CASE(owners_who_lose_the_same),
    CASE(findings_beside_annotations),
    CASE(findings_beside_a_waiver),
    CASE(tool_annotations_of_items),
    CASE(declared_items_without_key_fields),
    CASE(declared_repeated_in_disorder),
    CASE(client_side_appliers_gone),
    CASE(short_lists_asked_often),
    CASE(elements_moved_to_one_entry),
    CASE(names_moved_to_one_entry),
    CASE(items_moved_to_one_entry),
    CASE(entries_of_tools_taken),
    CASE(plain_keys_orphaned),
    CASE(plain_keys_of_many),
    CASE(fractions_taken),
    CASE(escaped_keys_taken),
    CASE(wide_keys_taken),
    CASE(fields_of_a_wide_item),
    CASE(entries_that_are_none),
};

const size_t hostile_case_count = ARRAY_SIZE(hostile_cases);

const char hostile_policy[] =
    "apiVersion: applyguard.io/v1\n"
    "kind: Policy\n"
    "profile: strict\n"
    "rules:\n"
    "  ownership-conflict: {ignoreFields: ['.spec.containers[name=\"nginx\"].image', '.spec.a[*].b']}\n"
    "  manager-scope: {action: deny, scopes: [{manager: '*', deny: [.metadata.labels]}]}\n"
    "  explicit-fields: {action: warn, fields: {Deployment.apps: ['.spec.containers[*].image']}}\n"
    "overrides:\n"
    "- {match: {groups: ['*x*y*z', none]}, mode: audit}\n"
    "- {match: {names: ['*x*y*z'], labels: {'a': '*x*y*z'}}, mode: audit}\n"
    "waivers:\n"
    "  rules: [explicit-strategy, explicit-fields, oversized-annotations, explicit-selector]\n"
    "  honor: [kluctl, flux, argocd]\n"
    "  scoped: [{rules: [ownership-conflict], names: ['*x*y*z']}]\n";

static void append_escaped(struct buffer *body, struct slice json)
{
    for (size_t i = 0; i < json.length; i++) {
        if (json.bytes[i] == '"')
            buffer_string(body, "\\");
        buffer_append(body, (struct slice){json.bytes + i, 1});
    }
}

static void append_object(
    struct buffer *body, const char *name, const struct hostile_review *review,
    const struct hostile_side *side)
{
    const struct slice last_applied = buffer_slice(&review->last_applied);
    buffer_string(body, ",\"");
    buffer_string(body, name);
    buffer_string(body, "\":{\"apiVersion\":\"apps/v1\",\"kind\":\"");
    buffer_string(body, review->is_secret ? "Secret" : "Deployment");
    buffer_string(body, "\",\"metadata\":{\"managedFields\":[");
    buffer_append(body, buffer_slice(&side->entries));
    if (last_applied.length && !review->enters_applier)
        buffer_string(body, side->entries.length ? "," CLIENT_SIDE_ENTRY : CLIENT_SIDE_ENTRY);
    buffer_string(body, "]");
    if (last_applied.length) {
        buffer_string(body, ",\"annotations\":{\"" LAST_APPLIED_ANNOTATION "\":\"");
        append_escaped(body, last_applied);
        buffer_string(body, "\"}");
    }
    buffer_string(body, side->metadata.length ? "," : "");
    buffer_append(body, buffer_slice(&side->metadata));
    buffer_string(body, side->body.length ? "}," : "}");
    buffer_append(body, buffer_slice(&side->body));
    buffer_string(body, "}");
}

static void side_free(struct hostile_side *side)
{
    buffer_free(&side->metadata);
    buffer_free(&side->entries);
    buffer_free(&side->body);
}

struct buffer hostile_body(const struct hostile_case *hostile, size_t size)
{
    struct hostile_review review = {0};
    hostile->fill(&review, size);
    return hostile_assemble(&review);
}

struct buffer hostile_assemble(struct hostile_review *filled)
{
    struct hostile_review review = *filled;
    struct buffer body = {0};
    *filled = (struct hostile_review){0};
    buffer_string(
        &body,
        "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"1\","
        "\"operation\":\"UPDATE\",\"kind\":{");
    buffer_string(
        &body,
        review.is_secret ? "\"group\":\"\",\"version\":\"v1\",\"kind\":\"Secret\"},\"options\":{"
                         : "\"group\":\"apps\",\"version\":\"v1\",\"kind\":\"Deployment\"},\"options\":{");
    buffer_string(&body, review.is_unnamed ? "" : "\"fieldManager\":\"");
    if (!review.is_unnamed) {
        buffer_string(&body, review.field_manager ? review.field_manager : "kubectl-edit");
        buffer_string(&body, "\"");
    }
    buffer_string(&body, "}");
    buffer_append(&body, buffer_slice(&review.request));
    append_object(&body, "oldObject", &review, &review.old);
    append_object(&body, "object", &review, &review.new);
    buffer_string(&body, "}}\n");
    side_free(&review.old);
    side_free(&review.new);
    buffer_free(&review.last_applied);
    buffer_free(&review.request);
    return body;
}
