#include "policy/analysis/combinations_forms.h"

#include "base/digits.h"
#include "base/json.h"
#include "base/quantity.h"
#include "manifest/variable.h"

/* So many capitals in a row are no mistake in a name, but a word that something replaces. */
#define PLACEHOLDER_CAPITALS 6
#define PLACEHOLDER_CAPITALS_WITH_UNDERSCORE 4

/* The longest run of capitals and underscores. */
static size_t count_capitals(struct slice text)
{
    size_t capitals = 0, most = 0;
    for (size_t i = 0; i < text.length; i++) {
        char letter = text.bytes[i];
        bool is_capital = (letter >= 'A' && letter <= 'Z') || letter == '_';
        capitals = is_capital ? capitals + 1 : 0;
        most = capitals > most ? capitals : most;
    }
    return most;
}

bool combination_is_marked(struct slice text)
{
    static const char marks[] = "<$[";
    struct slice behind = slice_from(text, slice_find(text, '@') + 1);
    for (const char *mark = marks; *mark; mark++)
        if (slice_contains(text, *mark))
            return true;
    return variable_or_template_is_in(text) || slice_contains(behind, '@') ||
        (slice_contains(text, '_') && count_capitals(text) >= PLACEHOLDER_CAPITALS_WITH_UNDERSCORE);
}

bool combination_is_placeholder(struct slice text)
{
    return slice_contains(text, '{') || combination_is_marked(text) ||
        count_capitals(text) >= PLACEHOLDER_CAPITALS;
}

const char *combination_form_problem(const struct combination_form *form, yyjson_val *value)
{
    bool is_replaced = yyjson_is_str(value) &&
        (form && form->has_capitals ? variable_or_template_is_in(json_text(value))
                                    : combination_is_marked(json_text(value)));
    if (!form || !value || is_replaced)
        return NULL;
    return form->takes(value, form) ? NULL : form->sentence;
}

bool combination_takes_text(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    return !yyjson_is_str(value) || (form->may_be_empty && !text.length) || form->is(text) ||
        (!form->is_exact && combination_is_placeholder(text));
}

/*
 * Numbers
 */

static bool takes_number(yyjson_val *value, const struct combination_form *form)
{
    if (yyjson_is_uint(value))
        return yyjson_get_uint(value) <= (uint64_t)form->most &&
            yyjson_get_uint(value) >= (uint64_t)form->least;
    return !yyjson_is_sint(value) || yyjson_get_sint(value) >= form->least;
}

#define NUMBER(name, lowest, highest, words)                                                                 \
    const struct combination_form form_##name = {                                                            \
        .takes = takes_number, .least = lowest, .most = highest, .sentence = words}

NUMBER(port, 1, UINT16_MAX, "a port is from 1 to 65535");
NUMBER(port_or_zero, 0, UINT16_MAX, "a port is from 1 to 65535");
NUMBER(count, 0, INT32_MAX, "it must be from 0 to 2147483647");
NUMBER(seconds, 0, INT64_MAX, "it may not be negative");
NUMBER(positive, 1, INT32_MAX, "it must be from 1 to 2147483647");
NUMBER(positive_seconds, 1, INT64_MAX, "it must be 1 or more");
NUMBER(weight, 1, 100, "a weight is from 1 to 100");
NUMBER(mode, 0, 0777, "a mode is at most 0777 in octal; write 0644 with the 0 in front, or 420");
NUMBER(byte, 0, UINT8_MAX, "it must be from 0 to 255");
NUMBER(once, 0, 1, "it must be 1 in this probe");
NUMBER(window, 0, 3600, "it must be from 0 to 3600");
NUMBER(period, 1, 1800, "it must be from 1 to 1800");
NUMBER(timeout, 1, 30, "it must be from 1 to 30");
NUMBER(token_seconds, 600, (int64_t)1 << 32, "it must be 600, ten minutes, or more");
NUMBER(group_priority, 1, 20000, "it must be from 1 to 20000");
NUMBER(version_priority, 1, 1000, "it must be from 1 to 1000");
NUMBER(precedence, 0, 10000, "it must be from 1 to 10000");

/*
 * Numbers, or texts
 */

static bool takes_port_or_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    if (!yyjson_is_str(value))
        return takes_number(value, form);
    return (form->least == 0 && !text.length) || combination_is_port_name(text) ||
        combination_is_placeholder(text);
}

#define PORT_OR_NAME "it must be a number from 1 to 65535 without quotes, or a name such as http"

const struct combination_form form_port_or_name = {
    .takes = takes_port_or_name, .least = 1, .most = UINT16_MAX, .sentence = PORT_OR_NAME};
const struct combination_form form_target_port = {
    .takes = takes_port_or_name, .most = UINT16_MAX, .sentence = PORT_OR_NAME};

/* Digits that are followed by %. */
static bool takes_percentage(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    size_t percent;
    if (!yyjson_is_str(value))
        return !yyjson_is_sint(value) || yyjson_get_sint(value) >= 0;
    return slice_ends_with(text, SLICE("%")) && digits_parse(slice_until(text, text.length - 1), &percent) &&
        percent <= (uint64_t)form->most;
}

const struct combination_form form_percentage = {
    .takes = takes_percentage,
    .most = INT32_MAX,
    .sentence = "it must be a number without quotes, or a percentage such as 25%"};
const struct combination_form form_share = {
    .takes = takes_percentage,
    .most = 100,
    .sentence = "it must be a number without quotes, or a percentage from 0% to 100%"};

/*
 * Others
 */

static bool takes_quantity(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    (void)form;
    return !yyjson_is_str(value) || quantity_is_valid(text) || combination_is_placeholder(text);
}

static bool takes_amount(yyjson_val *value, const struct combination_form *form)
{
    bool is_negative =
        yyjson_is_num(value) ? yyjson_get_num(value) < 0 : slice_starts_with(json_text(value), SLICE("-"));
    return !is_negative && takes_quantity(value, form);
}

static bool takes_positive_amount(yyjson_val *value, const struct combination_form *form)
{
    char canonical[QUANTITY_TEXT_BYTES];
    size_t length = yyjson_is_str(value) ? quantity_canonical(json_text(value), canonical) : 0;
    bool is_zero = yyjson_is_num(value) ? yyjson_get_num(value) == 0
                                        : slice_equal((struct slice){canonical, length}, SLICE("0"));
    return !is_zero && takes_amount(value, form);
}

static bool takes_nothing(yyjson_val *value, const struct combination_form *form)
{
    (void)form;
    return !value;
}

static bool takes_false(yyjson_val *value, const struct combination_form *form)
{
    (void)form;
    return !yyjson_is_true(value);
}

#define OTHER(name, takes_value, words)                                                                      \
    const struct combination_form form_##name = {.takes = takes_value, .sentence = words}

OTHER(quantity, takes_quantity, "it must be an amount, such as 500m, 2 or 1Gi");
OTHER(amount, takes_amount, "it must be an amount that is not negative, such as 500m, 2 or 1Gi");
OTHER(positive_amount, takes_positive_amount, "it must be an amount above 0, such as 500m, 2 or 1Gi");
OTHER(absent, takes_nothing, "this probe may not have it");
OTHER(false, takes_false, "it may not be true");
