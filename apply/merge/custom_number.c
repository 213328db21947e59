#include "apply/merge/custom_number.h"

#include "apply/merge/custom_schema.h"

#include <math.h>
#include <stdint.h>

/* Beyond this, a double does not have every whole number. */
#define EXACT_MAX 9007199254740991.0

/* The first number that becomes infinite as a float. */
#define FLOAT_END 0x1.ffffffp127

struct number {
    yyjson_val *schema;
    bool is_whole;
    int64_t whole;
    double real;
    bool is_integer; /* its type */
    bool is_int32;   /* its format */
};

static bool is_within(double number, double least, double end)
{
    return number >= least && number < end;
}

/* go-openapi's IsFloat64AJSONInteger */
static bool is_nearly_whole(double number)
{
    if (!(fabs(number) <= EXACT_MAX))
        return false;
    double whole = (double)(int64_t)(number + (number < 0 ? -0.5 : 0.5));
    return number == whole || (whole != 0 && fabs(number - whole) < 1e-9 * fabs(whole));
}

bool custom_number_is_whole(yyjson_val *number)
{
    int64_t whole;
    return json_is_whole(number, &whole) || is_nearly_whole(yyjson_get_num(number));
}

bool custom_number_is_choice(yyjson_val *choice, yyjson_val *number)
{
    int64_t whole;
    double real = yyjson_get_real(number);
    return yyjson_is_real(number) && json_is_whole(choice, &whole) && is_within(real, -0x1p63, 0x1p63) &&
        (int64_t)real == whole;
}

/* Any value of an integer is refused if a limit is not of its type. */
static bool is_of_type(const struct number *number, double limit)
{
    double end = number->is_int32 ? 0x1p31 : 0x1p63;
    return !number->is_integer || (is_within(limit, -end, end) && limit == (double)(int64_t)limit);
}

static bool is_beyond(const struct number *number, double limit, bool is_least, bool is_exclusive)
{
    if (!number->is_whole) {
        double beyond = is_least ? limit - number->real : number->real - limit;
        return is_exclusive ? beyond >= 0 : beyond > 0;
    }
    int64_t bound = (int64_t)limit;
    if (number->whole == bound)
        return is_exclusive;
    return is_least ? number->whole < bound : number->whole > bound;
}

/* Go's conversion of a limit beyond 64 bits depends on the processor. */
static enum search_answer is_within_limit(
    const struct number *number, const char *name, const char *exclusive, bool is_least)
{
    yyjson_val *limit = json_member(number->schema, slice_of(name));
    double bound = yyjson_get_num(limit);
    if (!yyjson_is_num(limit))
        return ANSWER_YES;
    if (!is_of_type(number, bound))
        return ANSWER_NO;
    if (number->is_whole && !is_within(bound, -0x1p63, 0x1p63))
        return ANSWER_UNKNOWN;
    return is_beyond(number, bound, is_least, custom_is_set(number->schema, exclusive)) ? ANSWER_NO
                                                                                        : ANSWER_YES;
}

static enum search_answer is_multiple(const struct number *number)
{
    yyjson_val *of = json_member(number->schema, SLICE("multipleOf"));
    double factor = yyjson_get_num(of);
    if (!yyjson_is_num(of))
        return ANSWER_YES;
    if (!is_of_type(number, factor) || factor <= 0 || (number->is_whole && factor < 1))
        return ANSWER_NO;
    if (number->is_whole && factor >= 0x1p63)
        return ANSWER_UNKNOWN;
    bool is_multiple = number->is_whole
        ? number->whole % (int64_t)factor == 0
        : is_nearly_whole(factor < 1 ? 1 / factor * number->real : number->real / factor);
    return is_multiple ? ANSWER_YES : ANSWER_NO;
}

static bool has_format(yyjson_val *schema, struct slice format)
{
    return slice_equal(json_text(json_member(schema, SLICE("format"))), format);
}

static bool is_in_range(const struct number *number)
{
    bool is_float = slice_equal(custom_type_of(number->schema), SLICE("number")) &&
        has_format(number->schema, SLICE("float"));
    if (number->is_int32)
        return number->whole >= INT32_MIN && number->whole <= INT32_MAX;
    return !is_float || number->is_whole || fabs(number->real) < FLOAT_END;
}

enum search_answer custom_number_fits(yyjson_val *openapi, yyjson_val *number, const char **problem)
{
    struct number held = {.schema = openapi, .real = yyjson_get_num(number)};
    held.is_whole = json_is_whole(number, &held.whole);
    held.is_integer = slice_equal(custom_type_of(openapi), SLICE("integer"));
    held.is_int32 = held.is_integer && has_format(openapi, SLICE("int32"));
    *problem = "is not a whole number";
    if (held.is_integer && !held.is_whole)
        return ANSWER_NO;
    *problem = "is too large for its format";
    if (!is_in_range(&held))
        return ANSWER_NO;
    *problem = "is less than the schema allows";
    enum search_answer answer = is_within_limit(&held, "minimum", "exclusiveMinimum", true);
    if (answer != ANSWER_YES)
        return answer;
    *problem = "is more than the schema allows";
    answer = is_within_limit(&held, "maximum", "exclusiveMaximum", false);
    if (answer != ANSWER_YES)
        return answer;
    *problem = "is not a multiple that the schema allows";
    return is_multiple(&held);
}
