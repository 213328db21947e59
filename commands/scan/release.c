#include "commands/scan/release.h"

#include "base/base64.h"
#include "base/digits.h"
#include "base/json.h"

#include <stdlib.h>
#include <zlib.h>

/* inflateInit2: the largest window, and a gzip header. */
#define GZIP_WINDOW_BITS (15 + 16)

/* The bytes that are expected of a release. */
#define FIRST_BYTES ((size_t)256 * 1024)

/*
 * The memory for the values of the JSON, for each of its bytes: yyjson begins with less. Texts are most of a
 * release, so one that needs more was not written by Helm.
 */
#define VALUES_PER_BYTE 3

static bool is_secret(const struct review *review)
{
    return slice_equal(review->group_kind, SLICE("Secret"));
}

bool scan_revision_find(const struct review *review, struct scan_revision *revision)
{
    yyjson_val *labels = review->parts.metadata.labels;
    size_t number = 0;
    struct slice type = json_text(json_member(review->object, SLICE("type")));
    bool is_stored = is_secret(review) ? slice_equal(type, SLICE("helm.sh/release.v1"))
                                       : slice_equal(review->group_kind, SLICE("ConfigMap"));
    if (!is_stored || !slice_equal(json_text(json_member(labels, SLICE("owner"))), SLICE("helm")) ||
        !slice_equal(json_text(json_member(labels, SLICE("status"))), SLICE("deployed")))
        return false;
    *revision = (struct scan_revision){
        .namespace = review->namespace,
        .name = json_text(json_member(labels, SLICE("name"))),
    };
    if (!digits_parse(json_text(json_member(labels, SLICE("version"))), &number))
        return false;
    revision->number = number;
    return revision->name.length && number;
}

struct slice scan_revision_packed(const struct review *review)
{
    struct slice stored =
        json_text(json_member(json_member(review->object, SLICE("data")), SLICE("release")));
    /* The API encodes the bytes of a Secret once more. */
    if (is_secret(review))
        stored = base64_decode(stored, review->arena);
    return base64_decode(stored, review->arena);
}

struct unpacking {
    z_stream stream;
    char *bytes;
    size_t length, capacity;
    bool is_out_of_memory;
};

/* More room at the end. Returns false if the limit is reached, or memory runs out. */
static bool grow(struct unpacking *unpacking)
{
    size_t larger = unpacking->capacity ? unpacking->capacity * 2 : FIRST_BYTES;
    if (larger > SCAN_RELEASE_BYTES_MAX)
        return false;
    char *moved = realloc(unpacking->bytes, larger + YYJSON_PADDING_SIZE);
    unpacking->is_out_of_memory = !moved;
    if (!moved)
        return false;
    unpacking->bytes = moved;
    unpacking->capacity = larger;
    return true;
}

/* Returns false if it is not gzip, or too large, or memory runs out. */
static bool unpack(struct unpacking *unpacking)
{
    z_stream *stream = &unpacking->stream;
    int code = inflateInit2(stream, GZIP_WINDOW_BITS);
    if (code != Z_OK) {
        unpacking->is_out_of_memory = true;
        return false;
    }
    while (code == Z_OK && (unpacking->length < unpacking->capacity || grow(unpacking))) {
        stream->next_out = (unsigned char *)unpacking->bytes + unpacking->length;
        stream->avail_out = (unsigned)(unpacking->capacity - unpacking->length);
        code = inflate(stream, Z_NO_FLUSH);
        unpacking->length = unpacking->capacity - stream->avail_out;
    }
    inflateEnd(stream);
    return code == Z_STREAM_END;
}

/*
 * The manifest, which lies in the bytes. An empty slice with NULL bytes if the JSON has no manifest or too
 * many values, or memory runs out.
 */
static struct slice find_manifest(const struct unpacking *unpacking, struct arena *arena)
{
    struct slice text = {unpacking->bytes, unpacking->length};
    arena_bound(arena, unpacking->length * VALUES_PER_BYTE + 2 * ARENA_KEEP_BYTES);
    yyjson_doc *document = json_read(text, YYJSON_READ_INSITU, arena, NULL);
    arena_forgive(arena);
    arena_bound(arena, SIZE_MAX);
    return json_text(json_member(document ? yyjson_doc_get_root(document) : NULL, SLICE("manifest")));
}

int scan_manifest_unpack(struct slice packed, struct arena *arena, struct scan_manifest *manifest)
{
    struct unpacking unpacking = {
        .stream = {.next_in = (unsigned char *)(uintptr_t)packed.bytes, .avail_in = (unsigned)packed.length}};
    *manifest = (struct scan_manifest){0};
    if (unpack(&unpacking))
        *manifest = (struct scan_manifest){unpacking.bytes, find_manifest(&unpacking, arena), 0};
    manifest->unpacked = unpacking.length;
    if (manifest->text.bytes)
        return 1;
    free(unpacking.bytes);
    manifest->bytes = NULL;
    return unpacking.is_out_of_memory || arena_has_failed(arena) ? -1 : 0;
}
