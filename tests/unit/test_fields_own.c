/* fields_own: whether one FieldsV1 set owns one field, at a bounded cost. */
#include "policy/fields_own.h"

#include "parse.h"

static const char set[] = "{\"f:metadata\":{\"f:labels\":{\".\":{},\"f:a\":{}}},"
                          "\"f:spec\":{\"f:selector\":{},\"f:replicas\":{},"
                          "\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\".\":{},\"f:image\":{}}},"
                          "\"f:set\":{\"v:\\\"x\\\"\":{}}}}";

struct question {
    const char *fields; /* a set of one leaf, whose path is asked for */
    bool owned;
};

struct asked {
    yyjson_val *set;
    size_t budget;
    bool owned;
};

static bool ask(void *context, const struct path *path)
{
    struct asked *asked = context;
    asked->owned = fields_own(asked->set, path, &asked->budget);
    return false;
}

static bool is_owned(struct arena *arena, const char *fields, size_t *budget)
{
    struct asked asked = {.set = parse_json(arena, slice_of(set)), .budget = *budget};
    fields_difference(parse_json(arena, slice_of(fields)), NULL, arena, ask, &asked);
    *budget = asked.budget;
    return asked.owned;
}

/* The field itself, what has something owned below it, and what lies in an atomic value; nothing else. */
static void owns_what_it_holds(void **state)
{
    (void)state;
    static const struct question questions[] = {
        {"{\"f:spec\":{\"f:replicas\":{}}}", true},
        {"{\"f:spec\":{}}", true},
        {"{\"f:spec\":{\"f:selector\":{\"f:matchLabels\":{\"f:app\":{}}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\"f:image\":{}}}}}", true},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"m\\\"}\":{\"f:image\":{}}}}}", false},
        {"{\"f:spec\":{\"f:containers\":{\"k:{\\\"name\\\":\\\"n\\\"}\":{\"f:tty\":{}}}}}", false},
        {"{\"f:spec\":{\"f:set\":{\"v:\\\"x\\\"\":{}}}}", true},
        {"{\"f:spec\":{\"f:set\":{\"v:\\\"y\\\"\":{}}}}", false},
        {"{\"f:spec\":{\"f:set\":{\"i:0\":{}}}}", false},
        {"{\"f:metadata\":{\"f:labels\":{\"f:a\":{}}}}", true},
        {"{\"f:metadata\":{\"f:labels\":{\"f:b\":{}}}}", false},
        {"{\"f:status\":{}}", false},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(questions); i++) {
        size_t budget = 1000;
        if (is_owned(arena, questions[i].fields, &budget) != questions[i].owned)
            fail_msg("%s", questions[i].fields);
        assert_in_range(budget, 900, 999);
    }
    arena_destroy(arena);
}

/* Hostile sets cannot make it look at more than the budget, and a used-up budget shows. */
static void budget_bounds_the_search(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    size_t budget = 2;
    assert_false(is_owned(arena, "{\"f:spec\":{\"f:replicas\":{}}}", &budget));
    assert_int_equal(budget, 0);
    struct path path = {.depth = 1, .kind = PATH_FIELD, .text = SLICE("a")};
    assert_false(fields_own(NULL, &path, &budget));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owns_what_it_holds),
        cmocka_unit_test(budget_bounds_the_search),
    };
    return cmocka_run_group_tests_name("fields-own", tests, NULL, NULL);
}
