#include "tests/fuzz/variants.h"

#include "base/array_size.h"
#include "fuzz.h"
#include "policy/verdict/encode.h"

#include <stdlib.h>

/* Our own recursion. No review that people send comes near it. */
#define DEPTH_MAX 200

/* Longer objects are left as they are: looking for repeated keys takes a step for each pair. */
#define MEMBERS_MAX 256

struct variant {
    yyjson_mut_doc *document;
    uint64_t random;
};

/* FNV-1a. */
static uint64_t hash_of(struct slice text)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < text.length; i++)
        hash = (hash ^ (unsigned char)text.bytes[i]) * 1099511628211u;
    return hash;
}

/* A step of Knuth's generator (MMIX). */
static size_t random_below(struct variant *variant, size_t bound)
{
    variant->random = variant->random * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(variant->random >> 33) % bound;
}

static bool is_deeper(yyjson_val *value, unsigned depth)
{
    size_t index, count;
    yyjson_val *key, *item;
    if (!yyjson_is_ctn(value))
        return false;
    if (depth == 0)
        return true;
    if (yyjson_is_arr(value)) {
        yyjson_arr_foreach(value, index, count, item) if (is_deeper(item, depth - 1)) return true;
        return false;
    }
    yyjson_obj_foreach(value, index, count, key, item) if (is_deeper(item, depth - 1)) return true;
    return false;
}

/*
 * Another order
 */

struct member {
    yyjson_mut_val *key, *value;
};

/* The first of two members with one name counts, so their order matters. */
static bool has_twins(const struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (yyjson_mut_equals(members[i].key, members[j].key))
                return true;
    return false;
}

static void shuffle_members(struct variant *variant, yyjson_mut_val *object)
{
    struct member members[MEMBERS_MAX];
    size_t index, count;
    yyjson_mut_val *key, *value;
    if (yyjson_mut_obj_size(object) > MEMBERS_MAX)
        return;
    yyjson_mut_obj_foreach(object, index, count, key, value) members[index] = (struct member){key, value};
    if (has_twins(members, count))
        return;
    yyjson_mut_obj_clear(object);
    for (; count; count--) {
        size_t taken = random_below(variant, count);
        yyjson_mut_obj_add(object, members[taken].key, members[taken].value);
        members[taken] = members[count - 1];
    }
}

static void shuffle(struct variant *variant, yyjson_mut_val *value);

/*
 * The same of the JSON in a string, which stays as long as it is. The order depends only on the string, so
 * that equal ones stay equal.
 */
static void shuffle_within(struct variant *variant, yyjson_mut_val *string)
{
    struct slice text = {yyjson_mut_get_str(string), yyjson_mut_get_len(string)};
    size_t length = 0;
    yyjson_doc *read = yyjson_read(text.bytes, text.length, YYJSON_READ_NUMBER_AS_RAW);
    bool is_taken = read && !is_deeper(yyjson_doc_get_root(read), DEPTH_MAX);
    struct variant within = {is_taken ? yyjson_doc_mut_copy(read, NULL) : NULL, hash_of(text)};
    yyjson_doc_free(read);
    if (!within.document)
        return;
    shuffle(&within, yyjson_mut_doc_get_root(within.document));
    char *shuffled = yyjson_mut_write(within.document, YYJSON_WRITE_NEWLINE_AT_END, &length);
    size_t without_newline = length - 1;
    if (shuffled && (length == text.length || without_newline == text.length))
        yyjson_mut_set_strn(
            string, unsafe_yyjson_mut_strncpy(variant->document, shuffled, text.length), text.length);
    free(shuffled);
    yyjson_mut_doc_free(within.document);
}

static void shuffle(struct variant *variant, yyjson_mut_val *value)
{
    size_t index, count;
    yyjson_mut_val *key, *item;
    if (yyjson_mut_is_arr(value)) {
        yyjson_mut_arr_foreach(value, index, count, item) shuffle(variant, item);
        return;
    }
    if (yyjson_mut_is_str(value) && yyjson_mut_get_len(value) && yyjson_mut_get_str(value)[0] == '{')
        shuffle_within(variant, value);
    if (!yyjson_mut_is_obj(value))
        return;
    yyjson_mut_obj_foreach(value, index, count, key, item) shuffle(variant, item);
    shuffle_members(variant, value);
}

/*
 * More of it
 */

/* Before and behind what is there. */
static void add_unknown(struct variant *variant, yyjson_mut_val *object)
{
    yyjson_mut_doc *document = variant->document;
    if (!yyjson_mut_is_obj(object))
        return;
    yyjson_mut_val *nested = yyjson_mut_obj(document);
    yyjson_mut_obj_add_bool(document, nested, "allowed", true);
    yyjson_mut_obj_insert(object, yyjson_mut_str(document, "x-unknown-before"), nested, 0);
    yyjson_mut_obj_add_str(document, object, "x-unknown-behind", "\\\"}");
}

static void add_unknown_everywhere(struct variant *variant)
{
    static const char *const parts[] = {"kind",     "resource", "requestKind", "requestResource",
                                        "userInfo", "options"};
    yyjson_mut_val *root = yyjson_mut_doc_get_root(variant->document);
    yyjson_mut_val *request = yyjson_mut_obj_get(root, "request");
    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        add_unknown(variant, yyjson_mut_obj_get(request, parts[i]));
    add_unknown(variant, request);
    add_unknown(variant, root);
}

/*
 * Parts that must be equal
 */

/* The list of unjudged parts depends on how far a bounded search came, which depends on the order. */
static bool is_complete(const struct verdict *verdict)
{
    for (size_t i = 0; i < verdict->finding_count; i++)
        if (verdict->findings[i].rule == RULE_unjudged)
            return false;
    return true;
}

struct tally {
    size_t findings[RULE_COUNT][ACTION_COUNT];
    size_t fields[RULE_COUNT];
    size_t previous_owners[RULE_COUNT];
};

static struct tally tally_of(const struct verdict *verdict)
{
    struct tally tally = {0};
    for (size_t i = 0; i < verdict->finding_count; i++) {
        const struct finding *finding = &verdict->findings[i];
        tally.findings[finding->rule][finding->action]++;
        tally.fields[finding->rule] += finding->field_total;
        tally.previous_owners[finding->rule] += finding->previous_owner_total;
    }
    return tally;
}

static void print_report(const struct verdict *verdict, struct arena *arena)
{
    struct slice report = encode_verdict(verdict, SLICE("-"), arena);
    fprintf(stderr, "%.*s", (int)report.length, report.bytes ? report.bytes : "");
}

static void check_same(const struct verdict *expected, const struct verdict *verdict, struct arena *arena)
{
    struct tally before = tally_of(expected), after = tally_of(verdict);
    bool is_same = memcmp(&before, &after, sizeof(before)) == 0;
    if (!is_same || expected->allowed != verdict->allowed) {
        print_report(expected, arena);
        print_report(verdict, arena);
    }
    promise(expected->allowed == verdict->allowed, "a review that is written otherwise has the same answer");
    promise(is_same, "a review that is written otherwise has the same findings");
}

static bool rewrite(struct variant *variant, bool in_order)
{
    if (in_order)
        add_unknown_everywhere(variant);
    else
        shuffle(variant, yyjson_mut_doc_get_root(variant->document));
    return in_order;
}

/* Numbers stay as they are written. The caller frees the text; NULL: the review is left alone. */
static char *variant_of(struct slice body, size_t *length)
{
    yyjson_doc *read = yyjson_read(body.bytes, body.length, YYJSON_READ_NUMBER_AS_RAW);
    bool is_taken = read && !is_deeper(yyjson_doc_get_root(read), DEPTH_MAX);
    struct variant variant = {is_taken ? yyjson_doc_mut_copy(read, NULL) : NULL, hash_of(body)};
    yyjson_doc_free(read);
    if (!variant.document)
        return NULL;
    bool is_pretty = rewrite(&variant, random_below(&variant, 2));
    char *text =
        yyjson_mut_write(variant.document, is_pretty ? YYJSON_WRITE_PRETTY : YYJSON_WRITE_NOFLAG, length);
    yyjson_mut_doc_free(variant.document);
    return text;
}

void check_variant(const struct question *question, const struct verdict *verdict, struct arena *arena)
{
    size_t length;
    char *text = is_complete(verdict) ? variant_of(question->body, &length) : NULL;
    if (!text)
        return;
    struct question otherwise = *question;
    otherwise.body = (struct slice){text, length};
    struct reply reply = ask(&otherwise, arena);
    promise(reply.verdict != NULL, "a review that is written otherwise is read");
    if (is_complete(reply.verdict))
        check_same(verdict, reply.verdict, arena);
    free(text);
}
