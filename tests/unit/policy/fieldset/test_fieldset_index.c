/*
 * fieldset_index.h against a search through all children. An API server writes both sets in one order, which
 * the cursor is made for; others may write any, with keys of list items spelled as they like. How a child is
 * found must not change which one is.
 */
#include "policy/fieldset/fieldset_index.h"
#include "tests/unit/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 3000
#define KEYS 40

static uint32_t state_of_random = 11;

/* One of the ways to write key `identity`: the first are names, the others keys of list items and values. */
static void spell(char *text, size_t size, unsigned identity, unsigned spelling)
{
    static const char *const ways[] = {
        "k:{\"a\":%u,\"b\":\"x\"}", "k:{\"b\":\"x\",\"a\":%u}", "k:{ \"a\": %u.0, \"b\": \"\\u0078\" }"};
    static const char *const values[] = {"v:-%u", "v:-%u.0", "v: -%u"};
    if (identity < 20)
        snprintf(text, size, "f:n%02u", identity);
    else if (identity < 32)
        snprintf(text, size, ways[spelling], identity);
    else
        snprintf(text, size, values[spelling], identity);
}

struct order {
    unsigned identities[KEYS];
    size_t count;
};

/* Some of `first` to `end`, as they come, or shuffled. */
static struct order some(unsigned first, unsigned end, unsigned out_of, bool shuffled)
{
    struct order order = {.count = 0};
    for (unsigned i = first; i < end; i++) {
        if (random_below(&state_of_random, 4) < out_of)
            order.identities[order.count++] = i;
    }
    for (size_t i = order.count; shuffled && i > 1; i--) {
        size_t other = random_below(&state_of_random, (unsigned)i);
        unsigned moved = order.identities[i - 1];
        order.identities[i - 1] = order.identities[other];
        order.identities[other] = moved;
    }
    return order;
}

/* The value of each child says which it is. */
static yyjson_val *build(struct arena *arena, const struct order *order, bool with_membership)
{
    static char json[KEYS * 64];
    char key[64];
    size_t length = (size_t)sprintf(json, "{%s", with_membership ? "\".\":{}" : "");
    for (size_t i = 0; i < order->count; i++) {
        spell(key, sizeof(key), order->identities[i], random_below(&state_of_random, 3));
        length += (size_t)sprintf(json + length, "%s\"", i || with_membership ? "," : "");
        for (const char *at = key; *at; at++)
            length += (size_t)sprintf(json + length, *at == '"' || *at == '\\' ? "\\%c" : "%c", *at);
        length += (size_t)sprintf(json + length, "\":%u", order->identities[i]);
    }
    sprintf(json + length, "}");
    return parse_json(arena, slice_of(json));
}

static bool holds(const struct order *order, unsigned identity)
{
    for (size_t i = 0; i < order->count; i++) {
        if (order->identities[i] == identity)
            return true;
    }
    return false;
}

/* With many names in order, the cursor does not remember which ones it skipped: there a second answer is the
 * first.
 */
static void expect_found(
    struct fieldset_index *finder, const struct order *held, unsigned identity, bool *taken, bool may_repeat)
{
    char text[64];
    spell(text, sizeof(text), identity, random_below(&state_of_random, 3));
    struct fields_key key = {.text = slice_of(text)};
    yyjson_val *found = NULL;
    enum fields_result result = fieldset_index_find(finder, &key, &found);
    bool is_held = holds(held, identity);
    if (is_held && *taken && result == FIELDS_MALFORMED)
        return;
    if (result != FIELDS_OK || (is_held && *taken && !may_repeat) || !found != !is_held ||
        (found && yyjson_get_uint(found) != identity))
        fail_msg(
            "%s is %sthere, and taken %d: %s, %d", text, is_held ? "" : "not ", *taken,
            fields_result_text(result), found ? (int)yyjson_get_uint(found) : -1);
    *taken = is_held;
}

static void compare(unsigned first, unsigned end, bool are_names)
{
    struct arena *arena = arena_create();
    for (int round = 0; round < ROUNDS; round++) {
        arena_reset(arena);
        struct order held =
            some(first, end, 1 + random_below(&state_of_random, 4), random_below(&state_of_random, 2));
        struct order asked =
            some(first, end, 1 + random_below(&state_of_random, 4), random_below(&state_of_random, 2));
        struct fieldset_index finder;
        bool taken[KEYS] = {false};
        fieldset_index_start(
            &finder, build(arena, &held, random_below(&state_of_random, 2)), lookup_create(arena), KEYS);
        for (size_t i = 0; i < asked.count; i++) {
            unsigned identity = asked.identities[i];
            expect_found(&finder, &held, identity, &taken[identity], are_names);
            if (random_below(&state_of_random, 16) == 0)
                expect_found(&finder, &held, identity, &taken[identity], are_names);
        }
    }
    arena_destroy(arena);
}

static void few_are_found_in_any_order(void **state)
{
    (void)state;
    compare(14, 26, false);
    compare(0, 12, false);
}

static void many_names_are_found_in_any_order(void **state)
{
    (void)state;
    compare(0, 20, true);
}

static void many_are_found_however_spelled(void **state)
{
    (void)state;
    compare(20, KEYS, false);
    compare(6, KEYS, true);
}

/* A node that is not an object has no children. */
static void nothing_is_found_in_no_object(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct fields_key key = {.text = SLICE("f:a")};
    yyjson_val *const nodes[] = {NULL, parse_json(arena, SLICE("[]")), parse_json(arena, SLICE("{}"))};
    for (size_t i = 0; i < ARRAY_SIZE(nodes); i++) {
        struct fieldset_index finder;
        yyjson_val *found = nodes[1];
        fieldset_index_start(&finder, nodes[i], lookup_create(arena), KEYS);
        assert_int_equal(fieldset_index_find(&finder, &key, &found), FIELDS_OK);
        assert_null(found);
    }
    arena_destroy(arena);
}

/* An unreadable key never equals another; if it is asked for and no key has its spelling, it is reported. */
static void malformed_keys_are_told(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct fieldset_index finder;
    yyjson_val *found = NULL;
    fieldset_index_start(
        &finder, parse_json(arena, SLICE("{\"k:{\":1,\"k:{}\":2,\"f:a\":3}")), lookup_create(arena), KEYS);
    struct fields_key malformed = {.text = SLICE("k:[")}, empty = {.text = SLICE("k:{ }")};
    assert_int_equal(fieldset_index_find(&finder, &malformed, &found), FIELDS_MALFORMED);
    assert_null(found);
    assert_int_equal(fieldset_index_find(&finder, &empty, &found), FIELDS_OK);
    assert_int_equal(yyjson_get_uint(found), 2);
    arena_destroy(arena);
}

/* 1 and 1.0 are one number to an API server, 0 and -0 too, and from 2^63 on what one double holds; 1.5 is
 * another, and so is "1". */
static void numbers_are_found_by_their_value(void **state)
{
    (void)state;
    static const struct {
        const char *held, *asked;
        bool same;
    } cases[] = {
        {"v:1", "v:1.0", true},
        {"v:0", "v:0.0", true},
        {"v:0", "v:-0.0", true},
        {"v:-7", "v:-7.0", true},
        {"v:1e3", "v:1000", true},
        {"v:-1e3", "v:-1000", true},
        {"v:1.5", "v:1.50", true},
        {"v:1", "v:1.5", false},
        {"v:1", "v:\"1\"", false},
        {"v:1", "v:-1", false},
        {"v:true", "v: true", true},
        {"v:true", "v:false", false},
        {"v:null", "v: null", true},
        {"v:1e300", "v:1.0e300", true},
        {"v:-1e300", "v:-1.0e300", true},
        {"v:1e14", "v:100000000000000", true},
        {"v:1e18", "v:1000000000000000000", true},
        {"v:-1e18", "v:-1000000000000000000", true},
        {"v:9007199254740993", "v:9007199254740992.0", false},
        {"v:-9223372036854775808", "v: -9223372036854775808", true},
        {"v:-9223372036854775808", "v:-9.223372036854775808e18", true},
        {"v:9223372036854775807", "v:9223372036854775808", false},
        {"v:9223372036854775808", "v:9223372036854775809", true},
        {"v:14203825188101364847", "v:14203825188101364848", true},
        {"v:14203825188101364847", "v:14203825188101376000", false},
        {"v:1e19", "v:10000000000000000000", true},
        {"v:100000000000000000000", "v:1e20", true},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
        char json[256];
        size_t length = (size_t)sprintf(json, "{\"");
        for (const char *at = cases[i].held; *at; at++)
            length += (size_t)sprintf(json + length, *at == '"' ? "\\%c" : "%c", *at);
        sprintf(json + length, "\":1}");
        arena_reset(arena);
        struct fieldset_index finder;
        fieldset_index_start(&finder, parse_json(arena, slice_of(json)), lookup_create(arena), KEYS);
        struct fields_key key = {.text = slice_of(cases[i].asked)};
        yyjson_val *found = NULL;
        assert_int_equal(fieldset_index_find(&finder, &key, &found), FIELDS_OK);
        if (!found == cases[i].same)
            fail_msg("%s and %s", cases[i].held, cases[i].asked);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_are_found_in_any_order),     cmocka_unit_test(many_names_are_found_in_any_order),
        cmocka_unit_test(many_are_found_however_spelled), cmocka_unit_test(nothing_is_found_in_no_object),
        cmocka_unit_test(malformed_keys_are_told),        cmocka_unit_test(numbers_are_found_by_their_value),
    };
    return cmocka_run_group_tests_name("fieldset_index", tests, NULL, NULL);
}
