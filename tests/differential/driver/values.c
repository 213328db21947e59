/*
 * JSON, quantities, label keys and ApplySets: what applyguard reads in them.
 */
#include "base/json.h"
#include "base/quantity.h"
#include "policy/analysis/apply_sets.h"
#include "policy/judge.h"
#include "policy/review/last_applied_text.h"
#include "tests/differential/driver/driver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void answer_bool(struct question *question, bool answer)
{
    text_append_string(&question->answer, answer ? "yes" : "no");
}

static void append_text(struct text *text, struct slice bytes)
{
    text_append_string(text, "s");
    text_append_number(text, bytes.length);
    text_append_string(text, ":");
    text_append(text, bytes);
}

/* A whole number if it is one, else the bits; what no 64 bits with a sign hold is compared as a double. */
static void append_number(struct text *text, yyjson_val *value)
{
    char number[40];
    double real = yyjson_get_num(value);
    bool is_signed = yyjson_is_sint(value) || (yyjson_is_uint(value) && yyjson_get_uint(value) <= INT64_MAX);
    bool is_whole = real >= -0x1p63 && real < 0x1p63 && real == (double)(int64_t)real;
    uint64_t bits;
    memcpy(&bits, &real, sizeof(bits));
    if (is_signed)
        snprintf(number, sizeof(number), "i%" PRId64 ";", yyjson_get_sint(value));
    else if (is_whole)
        snprintf(number, sizeof(number), "i%" PRId64 ";", (int64_t)real);
    else
        snprintf(number, sizeof(number), "r%016" PRIx64 ";", bits);
    text_append_string(text, number);
}

static void append_value(struct text *text, yyjson_val *value);

static void append_object(struct text *text, yyjson_val *object)
{
    size_t count = yyjson_obj_size(object), i = 0;
    yyjson_val **keys = arena_allocate_array(text->arena, count + 1, sizeof(*keys));
    if (!keys)
        return;
    yyjson_obj_iter members = yyjson_obj_iter_with(object);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        keys[i++] = key;
    qsort(keys, count, sizeof(*keys), json_compare_keys);
    text_append_string(text, "{");
    for (i = 0; i < count; i++) {
        append_text(text, json_text(keys[i]));
        append_value(text, yyjson_obj_iter_get_val(keys[i]));
    }
    text_append_string(text, "}");
}

static void append_array(struct text *text, yyjson_val *array)
{
    text_append_string(text, "[");
    yyjson_arr_iter items = yyjson_arr_iter_with(array);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&items));)
        append_value(text, item);
    text_append_string(text, "]");
}

/* The value in a form that differs for any two different values, except in the order of members. */
static void append_value(struct text *text, yyjson_val *value)
{
    if (yyjson_is_obj(value))
        append_object(text, value);
    else if (yyjson_is_arr(value))
        append_array(text, value);
    else if (yyjson_is_str(value))
        append_text(text, json_text(value));
    else if (yyjson_is_num(value))
        append_number(text, value);
    else
        text_append_string(text, yyjson_is_null(value) ? "n" : yyjson_is_true(value) ? "t" : "f");
}

static yyjson_val *read_json(struct question *question, size_t part)
{
    return yyjson_doc_get_root(json_read(question->parts[part], YYJSON_READ_NOFLAG, question->arena, NULL));
}

void answer_last_applied(struct question *question)
{
    yyjson_val *annotation = json_member(read_json(question, 0), SLICE("annotation"));
    if (!annotation) {
        text_append_string(&question->answer, "unreadable");
        return;
    }
    yyjson_val *declared = last_applied_parse(json_text(annotation), question->arena);
    if (declared)
        append_value(&question->answer, declared);
    else
        text_append_string(&question->answer, "no object");
}

void answer_equal(struct question *question)
{
    yyjson_val *a = read_json(question, 0), *b = read_json(question, 1);
    if (a && b)
        answer_bool(question, json_equal(a, b, question->arena));
    else
        text_append_string(&question->answer, "unreadable");
}

void answer_quantities(struct question *question)
{
    answer_bool(question, quantities_equal(question->parts[0], question->parts[1]));
}

void answer_policy(struct question *question)
{
    struct error error = {0};
    struct policy *policy = policy_load(question->parts[0], &error);
    answer_bool(question, policy != NULL);
    policy_free(policy);
}

void answer_apply_set(struct question *question)
{
    const struct apply_set_parent parent = {
        .name = question->parts[0],
        .namespace = question->parts[1],
        .kind = question->parts[2],
        .group = question->parts[3],
    };
    text_append(&question->answer, apply_set_id(&parent, question->arena));
}

void answer_apply_set_id(struct question *question)
{
    answer_bool(question, apply_set_id_valid(question->parts[0]));
}
