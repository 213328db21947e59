/* A release of Helm is unpacked in bounded memory, and anyone may have written it. */
#include "commands/scan/release.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define RELEASE "{\"name\":\"web\",\"manifest\":\"kind: A\\n\""

/* As Helm packs it. The caller frees the bytes. */
static struct slice pack(const char *json, size_t length)
{
    z_stream stream = {.next_in = (unsigned char *)(uintptr_t)json, .avail_in = (unsigned)length};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t capacity = deflateBound(&stream, length);
    char *bytes = malloc(capacity);
    assert_non_null(bytes);
    stream.next_out = (unsigned char *)bytes;
    stream.avail_out = (unsigned)capacity;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    deflateEnd(&stream);
    return (struct slice){bytes, capacity - stream.avail_out};
}

static int unpack(struct slice packed, struct arena *arena)
{
    struct scan_manifest manifest;
    int result = scan_manifest_unpack(packed, arena, &manifest);
    assert_int_equal(result > 0, manifest.bytes != NULL);
    if (result > 0)
        assert_true(slice_equal(manifest.text, SLICE("kind: A\n")));
    assert_false(arena_has_failed(arena));
    free(manifest.bytes);
    return result;
}

static void finds_the_manifest(void **state)
{
    (void)state;
    struct arena *arena = arena_create();
    struct slice packed = pack(RELEASE "}", strlen(RELEASE "}"));
    assert_int_equal(unpack(packed, arena), 1);
    for (size_t length = 0; length < packed.length; length++)
        assert_int_equal(unpack(slice_until(packed, length), arena), 0);
    free((char *)(uintptr_t)packed.bytes);
    arena_destroy(arena);
}

/* A few kilobytes are enough for millions of values, and no chart has as many. */
static void refuses_too_many_values(void **state)
{
    (void)state;
    static const char start[] = RELEASE ",\"x\":[0";
    const size_t values = 4000000, length = strlen(start) + 2 * values + strlen("]}");
    struct arena *arena = arena_create();
    char *json = malloc(length);
    assert_non_null(json);
    memcpy(json, start, strlen(start));
    for (size_t i = 0; i < values; i++)
        memcpy(json + strlen(start) + 2 * i, ",0", 2);
    memcpy(json + length - 2, "]}", 2);
    struct slice packed = pack(json, length);
    assert_true(packed.length < 64 * 1024);
    assert_int_equal(unpack(packed, arena), 0);
    assert_true(arena_taken(arena) < 4 * length);
    /* The arena is as good as before. */
    assert_non_null(arena_allocate(arena, 8 * length));
    free((char *)(uintptr_t)packed.bytes);
    free(json);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_manifest),
        cmocka_unit_test(refuses_too_many_values),
    };
    return cmocka_run_group_tests_name("stored releases", tests, NULL, NULL);
}
