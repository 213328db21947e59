#include "base/json.h"

#include <stdlib.h>

/* 2 to the power of 63: the first number above INT64_MAX. */
#define TWO_TO_63 9223372036854775808.0

static yyjson_doc *read_in_place(
    char *bytes, size_t length, yyjson_read_flag flags, const yyjson_alc *allocator, yyjson_read_err *problem)
{
    /* yyjson takes it for granted that zeros end the text, and reads on where something else stands. */
    char behind[YYJSON_PADDING_SIZE];
    memcpy(behind, bytes + length, sizeof(behind));
    memset(bytes + length, 0, sizeof(behind));
    yyjson_doc *document = yyjson_read_opts(bytes, length, flags, allocator, problem);
    memcpy(bytes + length, behind, sizeof(behind));
    return document;
}

yyjson_doc *json_read(
    struct slice text, yyjson_read_flag flags, struct arena *arena, yyjson_read_err *problem)
{
    /* yyjson writes to its input only where it is asked to parse in place. */
    char *bytes = (char *)(uintptr_t)text.bytes;
    yyjson_alc allocator = arena_yyjson(arena);
    yyjson_doc *document = flags & YYJSON_READ_INSITU
        ? read_in_place(bytes, text.length, flags, &allocator, problem)
        : yyjson_read_opts(bytes, text.length, flags, &allocator, problem);
    /* The values are allocated last, and far more of them than most texts have. */
    if (document)
        arena_shorten(arena, yyjson_doc_get_root(document) + yyjson_doc_get_val_count(document));
    return document;
}

yyjson_val *json_parse(struct slice text, struct arena *arena)
{
    return yyjson_doc_get_root(json_read(text, YYJSON_READ_NOFLAG, arena, NULL));
}

struct slice json_write(const yyjson_val *value, struct arena *arena)
{
    yyjson_alc allocator = arena_yyjson(arena);
    size_t length = 0;
    const char *json = yyjson_val_write_opts(value, YYJSON_WRITE_NOFLAG, &allocator, &length, NULL);
    return (struct slice){json, json ? length : 0};
}

/* The members of an object, one after another: yyjson's iterators check at each step what is known here. */
struct members {
    yyjson_val *key;
    size_t left;
};

static struct members members_of(yyjson_val *object)
{
    if (!object || !unsafe_yyjson_is_obj(object))
        return (struct members){NULL, 0};
    return (struct members){unsafe_yyjson_get_first(object), unsafe_yyjson_get_len(object)};
}

static void go_on(struct members *members)
{
    members->key = unsafe_yyjson_get_next(members->key + 1);
    members->left--;
}

/*
 * Most names have 4 to 16 bytes: their first and their last bytes, which may overlap, are all of them. The
 * compiler compares a constant number of bytes without a call.
 */
static bool are_same_bytes(const char *a, const char *b, size_t length)
{
    if (length < 4 || length > 16)
        return memcmp(a, b, length) == 0;
    if (length < 8)
        return memcmp(a, b, 4) == 0 && memcmp(a + length - 4, b + length - 4, 4) == 0;
    return memcmp(a, b, 8) == 0 && memcmp(a + length - 8, b + length - 8, 8) == 0;
}

static bool is_named(const yyjson_val *key, struct slice name)
{
    return key->tag >> YYJSON_TAG_BIT == name.length && name.bytes &&
        are_same_bytes(key->uni.str, name.bytes, name.length);
}

yyjson_val *json_member(yyjson_val *object, struct slice name)
{
    for (struct members members = members_of(object); members.left; go_on(&members)) {
        if (is_named(members.key, name))
            return members.key + 1;
    }
    return NULL;
}

/* yyjson keeps a value behind its key, and what is in it behind the value: one piece of memory. */
yyjson_val *json_only_member(yyjson_val *object, struct slice name, struct arena *arena)
{
    yyjson_val *value = json_member(object, name);
    size_t size = value ? 1 + json_parts(value) : 0;
    yyjson_val *copy = arena_allocate_array(arena, 1 + size, sizeof(*copy));
    if (!copy)
        return NULL;
    copy->tag = (uint64_t)YYJSON_TYPE_OBJ | (uint64_t)(value != NULL) << YYJSON_TAG_BIT;
    copy->uni.ofs = (1 + size) * sizeof(*copy);
    if (value)
        memcpy(copy + 1, value - 1, size * sizeof(*copy));
    return copy;
}

yyjson_val *json_without(yyjson_val *object, const yyjson_val *key, struct arena *arena)
{
    const size_t before = (size_t)(key - object), removed = 1 + json_parts(key + 1);
    const size_t behind = json_parts(object) - before - removed;
    yyjson_val *copy = arena_allocate_array(arena, before + behind, sizeof(*copy)), *holder = copy;
    if (!copy)
        return NULL;
    memcpy(copy, object, before * sizeof(*copy));
    memcpy(copy + before, key + removed, behind * sizeof(*copy));
    /* From the outermost container around the member to the innermost, and past what is in no such one. */
    for (size_t at = 0; at < before;) {
        const size_t end = at + json_parts(&object[at]);
        if (end <= before) {
            at = end;
            continue;
        }
        holder = &copy[at++];
        holder->uni.ofs -= removed * sizeof(*copy);
    }
    holder->tag -= (uint64_t)1 << YYJSON_TAG_BIT;
    return copy;
}

/* The members that are wanted, in a circle that begins with the one that is expected next. */
struct wanted_circle {
    const struct json_wanted *first, *end;
    const struct json_wanted *expected;
};

static const struct json_wanted *next_wanted(
    const struct wanted_circle *circle, const struct json_wanted *member)
{
    return member + 1 < circle->end ? member + 1 : circle->first;
}

/* NULL: the member of this key is not wanted. */
static const struct json_wanted *find_wanted(const struct wanted_circle *circle, const yyjson_val *key)
{
    const struct json_wanted *member = circle->expected;
    while (!is_named(key, member->name)) {
        member = next_wanted(circle, member);
        if (member == circle->expected)
            return NULL;
    }
    return member;
}

const struct json_wanted *json_members(
    yyjson_val *object, const struct json_wanted *wanted, size_t count, void *values)
{
    const struct json_wanted *twice = NULL;
    struct wanted_circle circle = {wanted, wanted + count, wanted};
    for (struct members members = members_of(object); members.left; go_on(&members)) {
        const struct json_wanted *member = find_wanted(&circle, members.key);
        if (!member)
            continue;
        circle.expected = next_wanted(&circle, member);
        yyjson_val **value = (yyjson_val **)(void *)((char *)values + member->offset);
        if (*value)
            twice = member;
        else
            *value = members.key + 1;
    }
    return twice;
}

size_t json_parts(const yyjson_val *value)
{
    return (size_t)(unsafe_yyjson_get_next((yyjson_val *)(uintptr_t)value) - value);
}

static yyjson_type type_of(const yyjson_val *value)
{
    return (yyjson_type)(value->tag & YYJSON_TYPE_MASK);
}

/* Type and length; not whether the text that was parsed spelled a character as an escape. */
static uint64_t meaning_of(uint64_t tag)
{
    return unsafe_yyjson_is_str(&(yyjson_val){.tag = tag}) ? tag & ~(uint64_t)YYJSON_SUBTYPE_NOESC : tag;
}

/* The first string before `end` that is another in `b`, where all have the same length; `end` if none is. */
static const yyjson_val *other_string(const yyjson_val *a, const yyjson_val *end, const yyjson_val *b)
{
    while (a < end &&
           (type_of(a) != YYJSON_TYPE_STR || memcmp(a->uni.str, b->uni.str, json_text(a).length) == 0)) {
        a++;
        b++;
    }
    return a;
}

/*
 * A document's values lie one after another in the order of the text, containers before their content; its
 * strings lie in the text itself. So equal texts have their strings at equal distances, and are compared as
 * they stand, with all that is between the strings.
 */
static inline bool identical(const yyjson_val *a, const yyjson_val *b, const yyjson_val **difference)
{
    size_t count = json_parts(a);
    if (count != json_parts(b))
        return false;
    const yyjson_val *end = a + count;
    const yyjson_val *first = NULL, *last = NULL;
    size_t distance = 0;
    bool same_distances = true;
    for (size_t i = 0; i < count; i++) {
        if (a[i].tag != b[i].tag && meaning_of(a[i].tag) != meaning_of(b[i].tag)) {
            if (difference)
                *difference = other_string(a, a + i, b);
            return false;
        }
        size_t apart = (size_t)b[i].uni.u64 - (size_t)a[i].uni.u64;
        if (type_of(&a[i]) == YYJSON_TYPE_STR) {
            if (!first) {
                first = &a[i];
                distance = apart;
            }
            last = &a[i];
            same_distances &= apart == distance;
        } else if (type_of(&a[i]) == YYJSON_TYPE_NUM && apart) {
            if (difference)
                *difference = other_string(a, a + i, b);
            return false;
        }
    }
    if (!first)
        return true;
    size_t length = (size_t)(last->uni.str - first->uni.str) + json_text(last).length;
    if (same_distances && memcmp(first->uni.str, b[first - a].uni.str, length) == 0)
        return true;
    const yyjson_val *other = other_string(a, end, b);
    if (difference && other < end)
        *difference = other;
    return other == end;
}

bool json_identical(const yyjson_val *a, const yyjson_val *b)
{
    return a && b ? identical(a, b, NULL) : a == b;
}

bool json_identical_up_to(const yyjson_val *a, const yyjson_val *b, const yyjson_val **difference)
{
    *difference = NULL;
    return a && b ? identical(a, b, difference) : a == b;
}

static int type_rank(yyjson_val *value)
{
    switch (yyjson_get_type(value)) {
    case YYJSON_TYPE_NONE:
        return -1;
    case YYJSON_TYPE_BOOL:
        return 1;
    case YYJSON_TYPE_NUM:
        return 2;
    case YYJSON_TYPE_STR:
        return 3;
    case YYJSON_TYPE_ARR:
    case YYJSON_TYPE_OBJ:
        return 4;
    default:
        return 0;
    }
}

/*
 * Integers of 64 bits with a sign, which not every double holds. Larger ones are doubles to Kubernetes
 * (apimachinery, util/json): 18446744073709551615 comes back as 18446744073709552000.
 */
static bool is_integer(yyjson_val *value)
{
    return yyjson_is_int(value) && !(yyjson_is_uint(value) && yyjson_get_uint(value) > INT64_MAX);
}

bool json_is_whole(yyjson_val *value, int64_t *whole)
{
    *whole = yyjson_get_sint(value);
    if (!yyjson_is_real(value))
        return is_integer(value);
    double number = yyjson_get_real(value);
    if (!(number >= -TWO_TO_63 && number < TWO_TO_63))
        return false;
    *whole = (int64_t)number;
    return number == (double)*whole;
}

static int compare_with_double(int64_t integer, double number)
{
    if (number >= TWO_TO_63)
        return -1;
    if (number < -TWO_TO_63)
        return 1;
    int64_t whole = (int64_t)number;
    double rest = number - (double)whole;
    return integer == whole ? (rest < 0) - (rest > 0) : (integer > whole) - (integer < whole);
}

static int compare_numbers(yyjson_val *a, yyjson_val *b)
{
    if (is_integer(a) && is_integer(b))
        return (yyjson_get_sint(a) > yyjson_get_sint(b)) - (yyjson_get_sint(a) < yyjson_get_sint(b));
    if (is_integer(a))
        return compare_with_double(yyjson_get_sint(a), yyjson_get_num(b));
    if (is_integer(b))
        return -compare_with_double(yyjson_get_sint(b), yyjson_get_num(a));
    double x = yyjson_get_num(a), y = yyjson_get_num(b);
    return (x > y) - (x < y);
}

int json_compare_scalars(yyjson_val *a, yyjson_val *b)
{
    int rank = type_rank(a), b_rank = type_rank(b);
    if (rank != b_rank)
        return rank < b_rank ? -1 : 1;
    if (rank == 1)
        return (int)yyjson_get_bool(a) - (int)yyjson_get_bool(b);
    if (rank == 2)
        return compare_numbers(a, b);
    return rank == 3 ? slice_compare(json_text(a), json_text(b)) : 0;
}

static bool equal_within(yyjson_val *a, yyjson_val *b, unsigned depth, struct arena *arena);

static bool arrays_equal(yyjson_val *a, yyjson_val *b, unsigned depth, struct arena *arena)
{
    yyjson_arr_iter a_items, b_items;
    yyjson_arr_iter_init(a, &a_items);
    yyjson_arr_iter_init(b, &b_items);
    for (yyjson_val *item; (item = yyjson_arr_iter_next(&a_items));) {
        if (!equal_within(item, yyjson_arr_iter_next(&b_items), depth, arena))
            return false;
    }
    return true;
}

int json_compare_keys(const void *a, const void *b)
{
    return slice_compare(json_text(*(yyjson_val *const *)a), json_text(*(yyjson_val *const *)b));
}

/* Members in another order: both sides sorted by key, then pair by pair. They count as different if memory
 * runs out. */
static bool reordered_objects_equal(yyjson_val *a, yyjson_val *b, unsigned depth, struct arena *arena)
{
    size_t count = yyjson_obj_size(a), i = 0;
    yyjson_val **keys = arena_allocate_array(arena, count, 2 * sizeof(*keys));
    if (!keys)
        return false;
    yyjson_obj_iter members;
    yyjson_obj_iter_init(a, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        keys[i++] = key;
    yyjson_obj_iter_init(b, &members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&members));)
        keys[i++] = key;
    qsort(keys, count, sizeof(*keys), json_compare_keys);
    qsort(keys + count, count, sizeof(*keys), json_compare_keys);
    bool equal = true;
    for (i = 0; i < count && equal; i++)
        equal = json_compare_keys(&keys[i], &keys[count + i]) == 0 &&
            equal_within(
                    yyjson_obj_iter_get_val(keys[i]), yyjson_obj_iter_get_val(keys[count + i]), depth, arena);
    return equal;
}

static bool keys_in_same_order(yyjson_val *a, yyjson_val *b)
{
    yyjson_obj_iter a_members, b_members;
    yyjson_obj_iter_init(a, &a_members);
    yyjson_obj_iter_init(b, &b_members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&a_members));) {
        if (!slice_equal(json_text(key), json_text(yyjson_obj_iter_next(&b_members))))
            return false;
    }
    return true;
}

/* Each value is compared once: the order of the keys is settled before. */
static bool objects_equal(yyjson_val *a, yyjson_val *b, unsigned depth, struct arena *arena)
{
    if (!keys_in_same_order(a, b))
        return reordered_objects_equal(a, b, depth, arena);
    yyjson_obj_iter a_members, b_members;
    yyjson_obj_iter_init(a, &a_members);
    yyjson_obj_iter_init(b, &b_members);
    for (yyjson_val *key; (key = yyjson_obj_iter_next(&a_members));) {
        yyjson_val *b_key = yyjson_obj_iter_next(&b_members);
        if (!equal_within(yyjson_obj_iter_get_val(key), yyjson_obj_iter_get_val(b_key), depth, arena))
            return false;
    }
    return true;
}

static bool equal_within(yyjson_val *a, yyjson_val *b, unsigned depth, struct arena *arena)
{
    if (!yyjson_is_ctn(a) || !yyjson_is_ctn(b))
        return json_compare_scalars(a, b) == 0 && yyjson_is_ctn(a) == yyjson_is_ctn(b);
    if (yyjson_get_type(a) != yyjson_get_type(b) || unsafe_yyjson_get_len(a) != unsafe_yyjson_get_len(b))
        return false;
    if (depth == 0)
        return json_identical(a, b);
    return yyjson_is_arr(a) ? arrays_equal(a, b, depth - 1, arena) : objects_equal(a, b, depth - 1, arena);
}

bool json_equal(yyjson_val *a, yyjson_val *b, struct arena *arena)
{
    return json_identical(a, b) || (a && b && equal_within(a, b, JSON_DEPTH_MAX, arena));
}

static size_t digits_of(yyjson_val *number)
{
    if (yyjson_is_real(number))
        return 4;
    bool negative = yyjson_is_sint(number) && number->uni.i64 < 0;
    size_t count = negative ? 2 : 1;
    for (uint64_t rest = negative ? 0 - number->uni.u64 : number->uni.u64; rest >= 10; rest /= 10)
        count++;
    return count;
}

/* The comma or the colon that goes with it is left out. The first value in a container goes without one. */
static size_t own_bytes(yyjson_val *value)
{
    yyjson_type type = type_of(value);
    size_t length = unsafe_yyjson_get_len(value);
    if (type == YYJSON_TYPE_STR)
        return length + 2;
    if (type == YYJSON_TYPE_OBJ || type == YYJSON_TYPE_ARR)
        return length ? 1 : 2;
    if (type == YYJSON_TYPE_NUM)
        return digits_of(value);
    return type == YYJSON_TYPE_BOOL && yyjson_is_false(value) ? 5 : 4;
}

/* Each with the comma or colon that goes with it. */
static size_t bytes_up_to(yyjson_val *value, const yyjson_val *end)
{
    size_t bytes = 0;
    for (; value < end; value++)
        bytes += own_bytes(value) + 1;
    return bytes;
}

size_t json_bytes(yyjson_val *value)
{
    return value ? bytes_up_to(value, unsafe_yyjson_get_next(value)) - 1 : 0;
}

size_t json_bytes_around(yyjson_val *value, yyjson_val *part, size_t part_bytes)
{
    if (!value || !part)
        return json_bytes(value);
    return bytes_up_to(value, part) + part_bytes +
        bytes_up_to(unsafe_yyjson_get_next(part), unsafe_yyjson_get_next(value));
}

bool json_is_zero(yyjson_val *value)
{
    return (yyjson_is_str(value) && yyjson_get_len(value) == 0) || yyjson_is_false(value) ||
        (yyjson_is_num(value) && !(yyjson_get_num(value) < 0 || yyjson_get_num(value) > 0));
}
