/* Text for people and programs: nothing foreign in it can steer a terminal, forge a line, or break JSON. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"

#include <string.h>

typedef void append(struct text *text, struct slice bytes);

static struct slice appended(struct arena *arena, append *append, struct slice bytes)
{
    struct text text = text_start(arena, 0);
    append(&text, bytes);
    assert_false(text.failed);
    return text_slice(&text);
}

static struct slice encode(char *bytes, uint32_t character)
{
    if (character < 0x80) {
        bytes[0] = (char)character;
        return (struct slice){bytes, 1};
    }
    size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; character >>= 6)
        bytes[i] = (char)(0x80 | (character & 0x3f));
    bytes[0] = (char)((0xf00u >> length & 0xff) | character);
    return (struct slice){bytes, length};
}

static bool is_surrogate(uint32_t character)
{
    return character >= 0xd800 && character <= 0xdfff;
}

/* Characters that mislead a terminal or a reader (Unicode: Cc, Bidi_Control, Default_Ignorable and
 * separators). */
static bool is_misleading(uint32_t character)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x00, 0x1f},     {0x7f, 0x9f},       {0xad, 0xad},       {0x61c, 0x61c},     {0x180e, 0x180e},
        {0x200b, 0x200f}, {0x2028, 0x202e},   {0x2060, 0x206f},   {0xfeff, 0xfeff},   {0xfff9, 0xfffb},
        {0xfffe, 0xffff}, {0xe0001, 0xe0001}, {0xe0020, 0xe007f}, {0x34f, 0x34f},     {0x115f, 0x1160},
        {0x17b4, 0x17b5}, {0x3164, 0x3164},   {0xffa0, 0xffa0},   {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
    };
    for (size_t i = 0; i < ARRAY_SIZE(ranges); i++) {
        if (character >= ranges[i].first && character <= ranges[i].last)
            return true;
    }
    return false;
}

static bool is_plain_ascii(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.bytes[i] < 0x20 || text.bytes[i] > 0x7e)
            return false;
    }
    return true;
}

/* Every character of Unicode: the misleading ones come out as plain ASCII, and none comes out as another. */
static void misleading_characters_are_escaped(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (uint32_t character = 0; character <= 0x10ffff; character++) {
        if (is_surrogate(character))
            continue;
        char bytes[4];
        struct slice raw = encode(bytes, character);
        struct slice printable = appended(arena, text_append_printable, raw);
        struct slice quotable = appended(arena, text_append_quotable, raw);
        bool escaped = printable.length > 1 && is_plain_ascii(printable) && printable.bytes[0] == '\\';
        if (is_misleading(character) != escaped && (character & 0xfffe) != 0xfffe && character < 0xe0000)
            fail_msg("U+%04X is printed as %.*s", character, (int)printable.length, printable.bytes);
        if (is_misleading(character) && !escaped)
            fail_msg("U+%04X is printed raw", character);
        if (!escaped)
            assert_true(slice_equal(printable, raw));
        if (character == '"' || character == '\\')
            assert_true(quotable.length == 2 && quotable.bytes[0] == '\\' && quotable.bytes[1] == bytes[0]);
        else
            assert_true(slice_equal(quotable, printable));
        if (character % 1024 == 0)
            arena_reset(arena);
    }
    arena_destroy(arena);
}

struct text_case {
    struct slice raw;
    const char *quotable;
};

#define RAW(literal)                                                                                         \
    {                                                                                                        \
        literal, sizeof(literal) - 1                                                                         \
    }

/* As Go's strconv.Quote (%q) prints them, the quotes aside; the right side is what Go 1.26 printed. */
static void escapes_are_those_of_go(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {RAW(""), ""},
        {RAW("kubectl"), "kubectl"},
        {RAW("größe 😀"), "größe 😀"},
        {RAW("q\"b\\n\n"), "q\\\"b\\\\n\\n"},
        {RAW("tab\t\a\0\x1b\x7f"), "tab\\t\\a\\x00\\x1b\\x7f"},
        {RAW("\b\v\f\r"), "\\b\\v\\f\\r"},
        {RAW("a\0b"), "a\\x00b"},
        {RAW("\xc2\x85\xc2\x9b"), "\\u0085\\u009b"},
        {RAW("\xe2\x80\xae\u200b\ufeff"), "\\u202e\\u200b\\ufeff"},
        {RAW("\u2028\u00ad"), "\\u2028\\u00ad"},
        {RAW("\U000e0001"), "\\U000e0001"},
        {RAW("\ufffd"), "\ufffd"},
        {RAW("\xff"), "\\xff"},
        {RAW("\xc3"), "\\xc3"},
        {RAW("\xc3("), "\\xc3("},
        {RAW("\xe2\x82"), "\\xe2\\x82"},
        {RAW("\xed\xa0\x80"), "\\xed\\xa0\\x80"},
        {RAW("\xc0\xaf"), "\\xc0\\xaf"},
        {RAW("\xe0\x80\xaf"), "\\xe0\\x80\\xaf"},
        {RAW("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"},
        {RAW("\xf0\x9f\x98"), "\\xf0\\x9f\\x98"},
        {RAW("\x80\xbf"), "\\x80\\xbf"},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_text(appended(arena, text_append_quotable, cases[i].raw), cases[i].quotable);
    arena_destroy(arena);
}

/* Quotes and backslashes are left as they are where nothing is quoted. */
static void printable_leaves_quotes_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_text(appended(arena, text_append_printable, SLICE("a\"b\\c\n")), "a\"b\\c\\n");
    arena_destroy(arena);
}

/* The JSON string read back with yyjson, which refuses anything but UTF-8 and raw controls. */
static struct slice read_back(struct arena *arena, struct slice json)
{
    yyjson_val *value = parse_json(arena, json);
    assert_true(yyjson_is_str(value));
    return json_text(value);
}

static void check_no_raw_controls(struct slice text)
{
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)text.bytes[i] < 0x20 || text.bytes[i] == 0x7f)
            fail_msg("byte %02x is raw", (unsigned char)text.bytes[i]);
    }
}

/* Every character of Unicode, each among others, comes back from JSON as it went in. */
static void json_reads_back_the_same(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (uint32_t block = 0; block <= 0x10ffff; block += 64) {
        char characters[64 * 4];
        size_t length = 0;
        for (uint32_t character = block; character < block + 64; character++) {
            if (!is_surrogate(character))
                length += encode(characters + length, character).length;
        }
        struct slice raw = {characters, length}, json = appended(arena, text_append_json, raw);
        check_no_raw_controls(json);
        assert_true(slice_equal(read_back(arena, json), raw));
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* Misleading characters are escaped within JSON that is written already, beyond U+FFFF as two units. */
static void written_json_is_made_printable(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_text(
        text_printable_json(arena, SLICE("{\"a\\n\":\"\u202e\U000e0001ö\ufeff\U000e0ffe\"}")),
        "{\"a\\n\":\"\\u202e\\udb40\\udc01ö\\ufeff\\udb43\\udffe\"}");
    arena_destroy(arena);
}

/* Bytes that are no UTF-8 are replaced one by one; those around them stay. */
static void json_replaces_what_is_no_utf8(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {RAW("\xff"), "\"\ufffd\""},
        {RAW("a\xc3"), "\"a\ufffd\""},
        {RAW("\xc3z"), "\"\ufffdz\""},
        {RAW("\xe2\x82z"), "\"\ufffd\ufffdz\""},
        {RAW("\xed\xa0\x80"), "\"\ufffd\ufffd\ufffd\""},
        {RAW("\xc0\x80"), "\"\ufffd\ufffd\""},
        {RAW("\xf0\x9f\x98\x80\x80"), "\"😀\ufffd\""},
        {RAW("\xf4\x90\x80\x80"), "\"\ufffd\ufffd\ufffd\ufffd\""},
        {RAW("\x22\xc3\x22"), "\"\\\"\ufffd\\\"\""},
    };
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        assert_text(appended(arena, text_append_json, cases[i].raw), cases[i].quotable);
    arena_destroy(arena);
}

/* A character whose rest is cut off is invalid, with any bytes behind it in memory. */
static void cut_characters_are_replaced(void **state)
{
    (void)state;
    static const char *const characters[] = {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    struct arena *arena = arena_create();
    for (size_t i = 0; i < ARRAY_SIZE(characters); i++) {
        struct slice cut = {characters[i], strlen(characters[i]) - 1};
        struct slice shown = appended(arena, text_append_printable, cut);
        for (size_t j = 0; j < shown.length; j++)
            assert_true((unsigned char)shown.bytes[j] < 0x80);
    }
    arena_destroy(arena);
}

static void random_bytes_come_out_safe(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a",        "\"",   "\\",   "\n",           "\x1b[2J", "\xc2",
                                         "\x9b",     "\xe2", "\x80", "\xae",         "\xed",    "\xa0",
                                         "\xf0\x9f", "\xf4", "\xbf", "\xe2\x80\xae", "\ufeff",  "😀",
                                         "\xc2\x85", "\xff", "é",    "\u2028"};
    uint32_t random = 7;
    struct arena *arena = arena_create();
    for (unsigned round = 0; round < 20000; round++) {
        struct text raw = text_start(arena, 0);
        for (uint32_t count = random_below(&random, 12); count; count--)
            text_append_string(&raw, pieces[random_below(&random, ARRAY_SIZE(pieces))]);
        read_back(arena, appended(arena, text_append_json, text_slice(&raw)));
        struct slice printable = appended(arena, text_append_printable, text_slice(&raw));
        check_no_raw_controls(printable);
        /* Unchanged by JSON, so it is UTF-8; unchanged by a second pass, so nothing was left to escape. */
        assert_true(slice_equal(read_back(arena, appended(arena, text_append_json, printable)), printable));
        assert_true(slice_equal(appended(arena, text_append_printable, printable), printable));
        if (round % 64 == 0)
            arena_reset(arena);
    }
    arena_destroy(arena);
}

/* A NUL byte ends nothing. */
static void nul_is_a_byte_like_others(void **state)
{
    (void)state;
    static const struct slice raw = RAW("a\0\0b");
    struct arena *arena = arena_create();
    assert_true(slice_equal(appended(arena, text_append, raw), raw));
    assert_text(appended(arena, text_append_printable, raw), "a\\x00\\x00b");
    assert_text(appended(arena, text_append_json, raw), "\"a\\u0000\\u0000b\"");
    arena_destroy(arena);
}

/* Text that grows in pieces of any size is the text of its pieces, at every edge of its buffer. */
static void grows_without_losing_a_byte(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char expected[1100];
    for (size_t i = 0; i < sizeof(expected); i++)
        expected[i] = (char)('!' + i % 90);
    for (size_t capacity = 0; capacity <= 130; capacity += 13) {
        for (size_t piece = 1; piece <= 300; piece++) {
            struct text text = text_start(arena, capacity);
            for (size_t at = 0; at + piece <= sizeof(expected); at += piece) {
                text_append(&text, (struct slice){expected + at, piece});
                assert_true(slice_equal(text_slice(&text), (struct slice){expected, at + piece}));
            }
        }
        arena_reset(arena);
    }
    arena_destroy(arena);
}

/* Escapes that meet the end of the buffer are whole. */
static void grows_within_escapes(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t before = 0; before < 300; before++) {
        struct text text = text_start(arena, 0);
        for (size_t i = 0; i < before; i++)
            text_append(&text, SLICE("x"));
        text_append_printable(&text, SLICE("\U000e0001"));
        text_append_json(&text, SLICE("\x01"));
        assert_text(slice_from(text_slice(&text), before), "\\U000e0001\"\\u0001\"");
    }
    arena_destroy(arena);
}

/* Numbers are whole over their range. */
static void numbers_are_decimal(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    static const uint64_t numbers[] = {0, 9, 10, 9223372036854775808u, UINT64_MAX};
    for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
        text_append_number(&text, numbers[i]);
        text_append_string(&text, " ");
    }
    assert_text(text_slice(&text), "0 9 10 9223372036854775808 18446744073709551615 ");
    arena_destroy(arena);
}

/* A year that no calendar has is left out. */
static void times_are_of_kubernetes(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct text text = text_start(arena, 0);
    static const int64_t times[] = {0, 1769846400, INT64_MAX};
    for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
        text_append_time(&text, times[i]);
        text_append_string(&text, " ");
    }
    assert_text(text_slice(&text), "1970-01-01T00:00:00Z 2026-01-31T08:00:00Z  ");
    arena_destroy(arena);
}

/* Empty text is there and empty, not missing: only failure has no bytes. */
static void empty_is_not_failed(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static append *const appenders[] = {text_append, text_append_printable, text_append_quotable};
    for (size_t i = 0; i < ARRAY_SIZE(appenders); i++) {
        struct slice text = appended(arena, appenders[i], (struct slice){NULL, 0});
        assert_non_null(text.bytes);
        assert_int_equal(text.length, 0);
    }
    assert_text(appended(arena, text_append_json, (struct slice){NULL, 0}), "\"\"");
    arena_destroy(arena);
}

/* A text for which memory ran out stays failed, even if more is appended: half of it is never taken for all.
 * */
static void failure_sticks(void **state)
{
    (void)state;
    memset(&counted, 0, sizeof(counted));
    struct arena *arena = arena_create();
    struct text never = text_start(arena, SIZE_MAX), text = text_start(arena, 0);
    assert_true(never.failed);
    text_append_string(&text, "begins well");
    char large[100000];
    memset(large, 'x', sizeof(large));
    counted.limit_bytes = counted.live_bytes;
    text_append(&text, (struct slice){large, sizeof(large)});
    counted.limit_bytes = 0;
    struct text *texts[] = {&never, &text};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        text_append(texts[i], SLICE("a"));
        text_append_number(texts[i], 1);
        text_append_printable(texts[i], SLICE("a\n"));
        text_append_json(texts[i], SLICE("a\n\xff"));
        assert_true(texts[i]->failed);
        assert_null(text_slice(texts[i]).bytes);
        assert_int_equal(text_slice(texts[i]).length, 0);
    }
    arena_destroy(arena);
}

/* At every limit the longest beginning that ends at a character, found by another way: counting them. */
static void cuts_at_characters(void **state)
{
    (void)state;
    static const struct slice characters[] = {RAW("a"),  RAW("é"), RAW("世"), RAW("😀"), RAW("b"), RAW("\0"),
                                              RAW("界"), RAW("ü"), RAW("z"),  RAW("😀"), RAW("世")};
    struct arena *arena = arena_create();
    struct text whole = text_start(arena, 0);
    for (size_t i = 0; i < ARRAY_SIZE(characters); i++)
        text_append(&whole, characters[i]);
    struct slice text = text_slice(&whole);
    for (size_t limit = 0; limit <= text.length + 3; limit++) {
        size_t expected = 0;
        for (size_t i = 0; i < ARRAY_SIZE(characters) && expected + characters[i].length <= limit; i++)
            expected += characters[i].length;
        struct slice cut = text_cut(text, limit);
        assert_int_equal(cut.length, expected);
        assert_true(slice_starts_with(text, cut));
    }
    assert_int_equal(text_cut(text, SIZE_MAX).length, text.length);
    assert_int_equal(text_cut((struct slice){NULL, 0}, 0).length, 0);
    arena_destroy(arena);
}

/* Cutting invalid UTF-8 keeps to the limit and to the text. */
static void cuts_what_is_no_utf8(void **state)
{
    (void)state;
    static const struct slice texts[] = {
        RAW("\x80\x80\x80\x80"), RAW("\xff\xff\xff\xff"), RAW("\xf0\xf0\xf0\xf0"), RAW("a\xc3\xc3z")};
    for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
        for (size_t limit = 0; limit <= texts[i].length; limit++)
            assert_true(text_cut(texts[i], limit).length <= limit);
    }
}

/* Comparing whole texts: foreign texts may hold NUL bytes, and only letters of ASCII count. */
/* At each length and place, because it looks at several bytes at once. */
static void ascii_ends_before_other_bytes(void **state)
{
    (void)state;
    char bytes[40];
    for (size_t length = 0; length <= sizeof(bytes); length++) {
        memset(bytes, 'a', sizeof(bytes));
        assert_int_equal(text_ascii_length((struct slice){bytes, length}), length);
        for (size_t at = 0; at < length; at++) {
            memset(bytes, 0x7f, sizeof(bytes));
            bytes[at] = (char)0x80;
            bytes[length - 1] = (char)0xff;
            assert_int_equal(text_ascii_length((struct slice){bytes, length}), at);
        }
    }
}

static void texts_are_equal_in_any_case(void **state)
{
    (void)state;
    assert_true(slice_equal_in_any_case(SLICE("Deployment-1\0Z"), SLICE("dEPLOYMENT-1\0z")));
    assert_true(slice_equal_in_any_case((struct slice){NULL, 0}, SLICE("")));
    assert_false(slice_equal_in_any_case(SLICE("a\0b"), SLICE("A\0c")));
    assert_false(slice_equal_in_any_case(SLICE("@["), SLICE("`{")));
    assert_false(slice_equal_in_any_case(SLICE("\xc3\x84"), SLICE("\xc3\xa4")));
    assert_false(slice_equal_in_any_case(SLICE("ab"), SLICE("abc")));
}

/* A reader sees that there was more, and no half of a character. */
static void a_long_error_is_cut(void **state)
{
    char words[400] = "";
    (void)state;
    for (size_t shift = 0; shift < 3; shift++) {
        struct error error = {0};
        memset(words, 'x', shift);
        for (size_t at = shift; at + 3 < sizeof(words); at += 3)
            memcpy(words + at, "\xe2\x82\xac", 4);
        assert_int_equal(error_set_at(&error, 2, 3, "%s", words), -1);
        assert_true(text_is_printable(slice_of(error.message)));
        assert_non_null(strstr(error.message, "\xe2\x82\xac…"));
        assert_true(strlen(error.message) + 4 >= sizeof(error.message) - 1);
    }
    struct error whole;
    words[sizeof(whole.message) - 1] = '\0';
    memset(words, 'x', sizeof(whole.message) - 1);
    error_set(&whole, "%s", words);
    assert_string_equal(whole.message, words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misleading_characters_are_escaped),
        cmocka_unit_test(a_long_error_is_cut),
        cmocka_unit_test(texts_are_equal_in_any_case),
        cmocka_unit_test(escapes_are_those_of_go),
        cmocka_unit_test(printable_leaves_quotes_alone),
        cmocka_unit_test(json_reads_back_the_same),
        cmocka_unit_test(written_json_is_made_printable),
        cmocka_unit_test(json_replaces_what_is_no_utf8),
        cmocka_unit_test(cut_characters_are_replaced),
        cmocka_unit_test(random_bytes_come_out_safe),
        cmocka_unit_test(nul_is_a_byte_like_others),
        cmocka_unit_test(grows_without_losing_a_byte),
        cmocka_unit_test(grows_within_escapes),
        cmocka_unit_test(numbers_are_decimal),
        cmocka_unit_test(times_are_of_kubernetes),
        cmocka_unit_test(empty_is_not_failed),
        cmocka_unit_test(failure_sticks),
        cmocka_unit_test(cuts_at_characters),
        cmocka_unit_test(cuts_what_is_no_utf8),
        cmocka_unit_test(ascii_ends_before_other_bytes),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
