#include "base/json_same_text.h"

#include "base/json.h"

static bool is_string(const yyjson_val *value)
{
    return (value->tag & YYJSON_TYPE_MASK) == YYJSON_TYPE_STR;
}

static const yyjson_val *find_string(const yyjson_val *value, const yyjson_val *end)
{
    while (value < end && !is_string(value))
        value++;
    return value;
}

/* Strings of a document lie in its text, between quotes; strings of json_build lie one after another. */
static bool are_in_text(const yyjson_val *string, const yyjson_val *next)
{
    return next->uni.str > string->uni.str + json_text(string).length + 1;
}

/*
 * In an array, the values behind its last string may belong to this array, or to one around it. A key has
 * only its own value behind it. A string with escapes is shorter than its text, so its colon cannot be found.
 */
static bool is_end_clear(const yyjson_val *last, const yyjson_val *end)
{
    bool is_plain = (last->tag & YYJSON_SUBTYPE_MASK) == YYJSON_SUBTYPE_NOESC;
    bool is_key = is_plain && last->uni.str[json_text(last).length + 1] == ':';
    return end - last == 1 || (end - last == 2 && is_key);
}

/* The type and the length of each value, and what is not a string. */
static bool are_alike(const yyjson_val *a, const yyjson_val *end, const yyjson_val *b)
{
    for (; a < end; a++, b++) {
        bool is_number = (a->tag & YYJSON_TYPE_MASK) == YYJSON_TYPE_NUM;
        if (a->tag != b->tag || (is_number && a->uni.u64 != b->uni.u64))
            return false;
    }
    return true;
}

/*
 * The text from the first string to the last one determines all values between them, so only the values
 * around them are compared one by one.
 */
bool json_same_text(const yyjson_val *a, const yyjson_val *b)
{
    const yyjson_val *end = a + json_parts(a), *first = find_string(a, end), *last = end - 1;
    const yyjson_val *second = first < end ? find_string(first + 1, end) : end;
    if (second == end || json_parts(a) != json_parts(b) || !are_alike(a, second + 1, b))
        return false;
    while (!is_string(last))
        last--;
    const yyjson_val *b_first = b + (first - a), *b_second = b + (second - a), *b_last = b + (last - a);
    if (!are_in_text(first, second) || !are_in_text(b_first, b_second) || !is_end_clear(last, end) ||
        !are_alike(last, end, b_last) || last->uni.str - first->uni.str != b_last->uni.str - b_first->uni.str)
        return false;
    /* With the quote behind the last string, and the colon if it is a key. */
    size_t length = (size_t)(last->uni.str - first->uni.str) + json_text(last).length + 2;
    return memcmp(first->uni.str, b_first->uni.str, length) == 0;
}
