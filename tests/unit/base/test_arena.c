/* The arena: blocks do not overlap, are aligned, and are freed together. */
#include "tests/unit/counted_arena.h"
#include "tests/unit/parse.h"

#include "base/json.h"

/* The memory that a chunk may take in addition to its bytes. */
#define CHUNK_OVERHEAD 72

static int count_from_zero(void **state)
{
    (void)state;
    memset(&counted, 0, sizeof(counted));
    return 0;
}

static int nothing_is_left(void **state)
{
    (void)state;
    return counted.live_blocks == 0 && counted.live_bytes == 0 ? 0 : -1;
}

/* Any type can be put into any block, and no block reaches into another, across chunks too. */
static void blocks_are_aligned_and_apart(void **state)
{
    (void)state;
    enum { BLOCKS = 3000 };
    static unsigned char *blocks[BLOCKS];
    struct arena *arena = arena_create();
    for (size_t i = 0; i < BLOCKS; i++) {
        blocks[i] = arena_allocate(arena, i);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % _Alignof(max_align_t), 0);
        memset(blocks[i], (int)(i & 0xff), i);
    }
    assert_true(counted.calls > 3);
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t j = 0; j < i; j++)
            assert_int_equal(blocks[i][j], i & 0xff);
    }
    arena_destroy(arena);
}

/* A block larger than any chunk so far is whole, and small ones go on after it. */
static void large_blocks_are_whole(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (size_t size = 1024; size <= 16 * ARENA_KEEP_BYTES; size *= 4) {
        char *large = arena_allocate(arena, size), *small = arena_allocate(arena, 1);
        assert_non_null(large);
        assert_non_null(small);
        memset(large, 'x', size);
        *small = 'y';
        assert_int_equal(large[size - 1], 'x');
    }
    arena_destroy(arena);
}

/* Sizes that no object has are refused before they are rounded, added to, or asked of the system. */
static void impossible_sizes_give_null(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    size_t calls = counted.calls;
    static const size_t sizes[] = {SIZE_MAX,      SIZE_MAX - 1,     SIZE_MAX - 15,
                                   SIZE_MAX - 16, SIZE_MAX / 2 + 1, PTRDIFF_MAX};
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
        assert_null(arena_allocate(arena, sizes[i]));
        assert_null(arena_allocate_array(arena, 1, sizes[i]));
        assert_null(arena_allocate_array(arena, sizes[i], 1));
        yyjson_alc allocator = arena_yyjson(arena);
        assert_null(allocator.malloc(allocator.ctx, sizes[i]));
        arena_reset(arena);
        void *block = arena_allocate(arena, 16);
        assert_null(allocator.realloc(allocator.ctx, block, 16, sizes[i]));
        assert_true(arena_has_failed(arena));
    }
    assert_null(arena_allocate_array(arena, SIZE_MAX / 8, 16));
    assert_null(arena_allocate_array(arena, ((size_t)1 << 32) + 1, (size_t)1 << 32));
    assert_int_equal(counted.calls, calls);
    arena_destroy(arena);
}

/* Arrays come cleared even where an earlier review has left its bytes. */
static void arrays_are_cleared(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    memset(arena_allocate(arena, 30000), 0xff, 30000);
    arena_reset(arena);
    unsigned char *array = arena_allocate_array(arena, 300, 100);
    for (size_t i = 0; i < 30000; i++)
        assert_int_equal(array[i], 0);
    assert_non_null(arena_allocate_array(arena, 0, 100));
    assert_non_null(arena_allocate_array(arena, 100, 0));
    arena_destroy(arena);
}

static void fill(struct arena *arena, size_t bytes, size_t step)
{
    for (size_t taken = 0; taken < bytes; taken += step)
        assert_non_null(arena_allocate(arena, step));
}

/* After any review, an idle arena keeps no more than its header says. */
static void reset_keeps_a_bounded_amount(void **state)
{
    (void)state;
    static const size_t amounts[] = {0, 1, 100000, ARENA_KEEP_BYTES - 64, ARENA_KEEP_BYTES + 1, 20000000};
    static const size_t steps[] = {48, 70000, ARENA_KEEP_BYTES, 3 * ARENA_KEEP_BYTES};
    for (size_t i = 0; i < ARRAY_SIZE(amounts); i++) {
        for (size_t j = 0; j < ARRAY_SIZE(steps); j++) {
            struct arena *arena = arena_create();
            for (unsigned review = 0; review < 3; review++) {
                fill(arena, amounts[i], steps[j]);
                arena_reset(arena);
                assert_true(counted.live_bytes <= ARENA_KEEP_BYTES + CHUNK_OVERHEAD);
                assert_true(counted.live_blocks <= 2);
                fill(arena, 1, 1000);
            }
            arena_destroy(arena);
            assert_int_equal(counted.live_blocks, 0);
        }
    }
}

/* Memory for large reviews is given back if none came since the last rest, and not before. */
static void rest_gives_back_what_is_not_needed(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (unsigned review = 0; review < 2; review++) {
        fill(arena, 2 * ARENA_REST_BYTES, 2 * ARENA_REST_BYTES);
        arena_reset(arena);
        arena_rest(arena);
        assert_true(counted.live_bytes > ARENA_REST_BYTES);
    }
    fill(arena, 1000, 100);
    arena_reset(arena);
    arena_rest(arena);
    assert_true(counted.live_bytes <= ARENA_REST_BYTES);
    fill(arena, 2 * ARENA_REST_BYTES, 70000);
    arena_destroy(arena);
}

/* A rest in the middle of a review takes nothing away from it. */
static void rest_leaves_what_is_in_use(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    fill(arena, 2 * ARENA_REST_BYTES, 2 * ARENA_REST_BYTES);
    arena_reset(arena);
    arena_rest(arena);
    char *block = arena_allocate(arena, 1000);
    memset(block, 'b', 1000);
    arena_rest(arena);
    assert_int_equal(block[999], 'b');
    arena_destroy(arena);
}

/* A rest that gets no memory for less keeps what there is. */
static void rest_without_memory_changes_nothing(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    fill(arena, 2 * ARENA_REST_BYTES, 2 * ARENA_REST_BYTES);
    arena_reset(arena);
    arena_rest(arena);
    counted.fail_call = counted.calls + 1;
    arena_rest(arena);
    fill(arena, 2 * ARENA_REST_BYTES - 1000, 1000);
    assert_false(arena_has_failed(arena));
    arena_destroy(arena);
}

/* The next block gets the part of a block that was given back; the rest stays as it is. */
static void shortened_blocks_make_room(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char *block = arena_allocate(arena, 50000);
    memset(block, 'b', 50000);
    arena_shorten(arena, block + 100);
    size_t calls = counted.calls;
    char *next = arena_allocate(arena, 60000);
    assert_true(next >= block + 100 && next < block + 100 + 16);
    assert_int_equal(counted.calls, calls);
    memset(next, 'n', 60000);
    assert_int_equal(block[99], 'b');
    arena_destroy(arena);
}

/* A rewind gives back all since the mark, but nothing that was to be kept. */
static void kept_blocks_outlast_a_rewind(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct arena_mark start = arena_mark(arena);
    char *first = arena_allocate(arena, 32);
    arena_rewind(arena, start);
    assert_ptr_equal(arena_allocate(arena, 32), first);
    arena_keep(arena);
    char *second = arena_allocate(arena, 32);
    arena_rewind(arena, start);
    assert_ptr_equal(arena_allocate(arena, 32), second);
    arena_reset(arena);
    assert_ptr_equal(arena_allocate(arena, 32), first);
    arena_destroy(arena);
}

/* A loop that sees reviews of one size soon asks the system for nothing. */
static void reuse_needs_no_memory(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    for (unsigned review = 0; review < 4; review++) {
        fill(arena, 900000, 2000);
        arena_reset(arena);
    }
    size_t calls = counted.calls;
    for (unsigned review = 0; review < 100; review++) {
        fill(arena, 900000, 2000);
        arena_reset(arena);
    }
    assert_int_equal(counted.calls, calls);
    arena_destroy(arena);
}

/* If memory runs out, there is no arena and no block, and nothing leaks; what was there before stays whole.
 * */
static void lack_of_memory_is_reported(void **state)
{
    (void)state;
    for (size_t call = 1; call <= 2; call++) {
        counted.calls = 0;
        counted.fail_call = call;
        assert_null(arena_create());
        assert_int_equal(counted.live_blocks, 0);
    }
    counted.fail_call = 0;
    struct arena *arena = arena_create();
    char *before = arena_allocate(arena, 100);
    memset(before, 'a', 100);
    counted.limit_bytes = counted.live_bytes;
    assert_null(arena_allocate(arena, 1000000));
    assert_null(arena_allocate_array(arena, 1000, 1000));
    yyjson_alc allocator = arena_yyjson(arena);
    assert_null(allocator.realloc(allocator.ctx, before, 100, 1000000));
    char large[100000] = {0};
    struct slice copy = arena_copy(arena, (struct slice){large, sizeof(large)});
    assert_null(copy.bytes);
    assert_int_equal(copy.length, 0);
    counted.limit_bytes = 0;
    assert_int_equal(before[99], 'a');
    assert_non_null(arena_allocate(arena, 1000000));
    arena_destroy(arena);
}

/* That something was missing once is remembered until the next review: not every caller has to say so. */
static void failure_is_remembered(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    assert_false(arena_has_failed(arena));
    assert_null(arena_allocate(arena, SIZE_MAX));
    assert_true(arena_has_failed(arena));
    assert_non_null(arena_allocate(arena, 16));
    assert_true(arena_has_failed(arena));
    arena_reset(arena);
    assert_false(arena_has_failed(arena));
    assert_null(arena_allocate_array(arena, SIZE_MAX / 8, 16));
    assert_true(arena_has_failed(arena));
    arena_reset(arena);
    counted.limit_bytes = counted.live_bytes;
    assert_null(arena_allocate(arena, 1000000));
    counted.limit_bytes = 0;
    assert_true(arena_has_failed(arena));
    arena_reset(arena);
    yyjson_alc allocator = arena_yyjson(arena);
    void *block = allocator.malloc(allocator.ctx, 100);
    counted.limit_bytes = counted.live_bytes;
    assert_null(allocator.realloc(allocator.ctx, block, 100, 1000000));
    counted.limit_bytes = 0;
    assert_true(arena_has_failed(arena));
    arena_destroy(arena);
}

/* A copy is of its own, NUL bytes included, and an empty text needs no bytes. */
static void copies_stand_alone(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    char original[] = "a\0b";
    struct slice copy = arena_copy(arena, (struct slice){original, 3});
    memset(original, 'x', 3);
    assert_true(slice_equal(copy, (struct slice){"a\0b", 3}));
    assert_int_equal(arena_copy(arena, (struct slice){NULL, 0}).length, 0);
    arena_destroy(arena);
}

/* The last block grows and shrinks where it is, and what it gives up can be had again. */
static void last_block_is_resized_in_place(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_alc allocator = arena_yyjson(arena);
    char *block = allocator.malloc(allocator.ctx, 100);
    memset(block, 'b', 100);
    assert_ptr_equal(allocator.realloc(allocator.ctx, block, 100, 5000), block);
    assert_ptr_equal(allocator.realloc(allocator.ctx, block, 5000, 50), block);
    char *next = allocator.malloc(allocator.ctx, 16);
    assert_ptr_equal(next, block + 64);
    memset(next, 'n', 16);
    for (size_t i = 0; i < 50; i++)
        assert_int_equal(block[i], 'b');
    arena_destroy(arena);
}

/* Any other block moves when it grows, with its content, and leaves its others alone. */
static void other_blocks_move(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    yyjson_alc allocator = arena_yyjson(arena);
    char *block = allocator.malloc(allocator.ctx, 100), *last = allocator.malloc(allocator.ctx, 100);
    memset(block, 'b', 100);
    memset(last, 'l', 100);
    assert_ptr_equal(allocator.realloc(allocator.ctx, block, 100, 60), block);
    char *grown = allocator.realloc(allocator.ctx, block, 60, 200000);
    assert_ptr_not_equal(grown, block);
    memset(grown + 60, 'g', 200000 - 60);
    for (size_t i = 0; i < 60; i++)
        assert_int_equal(grown[i], 'b');
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(last[i], 'l');
    allocator.free(allocator.ctx, grown);
    arena_destroy(arena);
}

/* A list of `count` numbers and texts. The caller frees it. */
static struct slice large_document(size_t count)
{
    char *bytes = malloc(count * 32 + 2);
    size_t length = 0;
    bytes[length++] = '[';
    for (size_t i = 0; i < count; i++)
        length += (size_t)snprintf(bytes + length, 32, "%s%zu,\"t\\n%zu\"", i ? "," : "", i, i);
    bytes[length++] = ']';
    return (struct slice){bytes, length};
}

/*
 * yyjson reads into the arena what it reads by itself, its growing and shrinking blocks included; others
 * allocated before and after are not touched.
 */
static void documents_are_read_whole(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    static const size_t counts[] = {0, 1, 100, 5000, 100000};
    for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
        struct slice text = large_document(counts[i]);
        char *before = arena_allocate(arena, 32);
        memset(before, 'b', 32);
        yyjson_val *value = parse_json(arena, text);
        char *after = arena_allocate(arena, 32);
        memset(after, 'a', 32);
        yyjson_doc *plain = yyjson_read(text.bytes, text.length, 0);
        assert_true(json_identical(value, yyjson_doc_get_root(plain)));
        assert_int_equal(before[31], 'b');
        yyjson_doc_free(plain);
        free((void *)(uintptr_t)text.bytes);
        if (i % 2)
            arena_reset(arena);
    }
    arena_destroy(arena);
}

/*
 * The document of most values a byte makes yyjson's reader grow its block many times. It takes at most the
 * memory that yyjson's documentation says, without the sum of all the smaller blocks.
 */
static void growing_leaves_nothing_behind(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    size_t length = 4000001;
    char *text = malloc(length);
    memset(text, '1', length);
    for (size_t i = 0; i < length; i += 2)
        text[i] = ',';
    text[0] = '[';
    text[length - 1] = ']';
    assert_true(yyjson_is_arr(parse_json(arena, (struct slice){text, length})));
    assert_true(arena_taken(arena) > 8 * length);
    assert_true(arena_taken(arena) <= 13 * length + ARENA_KEEP_BYTES);
    assert_true(counted.live_bytes <= arena_taken(arena) + 8 * CHUNK_OVERHEAD);
    free(text);
    arena_destroy(arena);
}

/* An arena with a limit never takes more, in new blocks or in grown ones, and reports the limit as a lack of
 * memory.
 */
static void limit_is_kept(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    size_t limit = 3 * ARENA_KEEP_BYTES;
    arena_limit(arena, limit);
    yyjson_alc allocator = arena_yyjson(arena);
    char *block = allocator.malloc(allocator.ctx, 2 * ARENA_KEEP_BYTES);
    memset(block, 'b', 2 * ARENA_KEEP_BYTES);
    assert_null(allocator.realloc(allocator.ctx, block, 2 * ARENA_KEEP_BYTES, limit));
    assert_true(arena_has_failed(arena));
    assert_null(arena_allocate(arena, ARENA_KEEP_BYTES));
    size_t most = limit - ARENA_KEEP_BYTES / 8;
    block = allocator.realloc(allocator.ctx, block, 2 * ARENA_KEEP_BYTES, most);
    assert_non_null(block);
    assert_int_equal(block[2 * ARENA_KEEP_BYTES - 1], 'b');
    assert_true(arena_taken(arena) <= limit);
    arena_reset(arena);
    assert_true(arena_taken(arena) <= ARENA_KEEP_BYTES);
    arena_limit(arena, SIZE_MAX);
    assert_non_null(arena_allocate(arena, 2 * limit));
    assert_false(arena_has_failed(arena));
    arena_destroy(arena);
}

/* Nothing is what there is to destroy when nothing was made. */
static void destroys_nothing(void **state)
{
    (void)state;
    arena_destroy(NULL);
    assert_int_equal(counted.calls, 0);
}

#define ARENA_TEST(function) cmocka_unit_test_setup_teardown(function, count_from_zero, nothing_is_left)

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(blocks_are_aligned_and_apart),
        ARENA_TEST(large_blocks_are_whole),
        ARENA_TEST(impossible_sizes_give_null),
        ARENA_TEST(arrays_are_cleared),
        ARENA_TEST(reset_keeps_a_bounded_amount),
        ARENA_TEST(rest_gives_back_what_is_not_needed),
        ARENA_TEST(rest_leaves_what_is_in_use),
        ARENA_TEST(rest_without_memory_changes_nothing),
        ARENA_TEST(shortened_blocks_make_room),
        ARENA_TEST(kept_blocks_outlast_a_rewind),
        ARENA_TEST(reuse_needs_no_memory),
        ARENA_TEST(lack_of_memory_is_reported),
        ARENA_TEST(failure_is_remembered),
        ARENA_TEST(copies_stand_alone),
        ARENA_TEST(last_block_is_resized_in_place),
        ARENA_TEST(other_blocks_move),
        ARENA_TEST(documents_are_read_whole),
        ARENA_TEST(growing_leaves_nothing_behind),
        ARENA_TEST(limit_is_kept),
        ARENA_TEST(destroys_nothing),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
