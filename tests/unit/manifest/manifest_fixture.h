/*
 * manifest_fixture.h: what comes of an input, as one text: a line an object or an error.
 */
#ifndef APPLYGUARD_TESTS_UNIT_MANIFEST_FIXTURE_H
#define APPLYGUARD_TESTS_UNIT_MANIFEST_FIXTURE_H

#include "base/json.h"
#include "manifest/json_value.h"
#include "manifest/manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A text that comes a byte at a time. */
static inline ptrdiff_t read_byte(void *text, void *bytes, size_t size)
{
    return manifest_read_slice(text, bytes, size ? 1 : 0);
}

/* The objects' JSON, which their JSON values agree with, and "LINE:COLUMN: MESSAGE" of errors, each with a
 * line break. Freed by the caller. */
static inline char *read_with(manifest_read *read, struct slice text, const struct manifest_limits *limits)
{
    char *said = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&said, &size);
    struct manifest_reader *reader = manifest_open(read, &text, limits);
    struct manifest_object object;
    struct error error;
    enum manifest_result result;
    struct arena *arena = arena_create();
    assert_non_null(out);
    assert_non_null(reader);
    while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        if (result != MANIFEST_OBJECT) {
            fprintf(out, "%u:%u: %s\n", error.line, error.column, error.message);
            continue;
        }
        struct slice json = manifest_json(object.root, arena);
        yyjson_doc *document = json_read(json, YYJSON_READ_NOFLAG, arena, NULL);
        assert_non_null(document);
        assert_true(json_identical(manifest_json_value(object.root, arena), yyjson_doc_get_root(document)));
        fprintf(out, "%.*s\n", (int)json.length, json.bytes);
    }
    manifest_close(reader);
    arena_destroy(arena);
    fclose(out);
    return said;
}

static inline char *read_all(struct slice text, const struct manifest_limits *limits)
{
    return read_with(manifest_read_slice, text, limits);
}

/* However much of it is read at a time. */
static inline void assert_reads(const char *text, const char *expected)
{
    char *said = read_all(slice_of(text), NULL), *said_of_bytes = read_with(read_byte, slice_of(text), NULL);
    assert_string_equal(said, expected);
    assert_string_equal(said_of_bytes, expected);
    free(said);
    free(said_of_bytes);
}

/* The JSON of field x, in a document with apiVersion and kind. */
static inline void assert_value(const char *yaml, const char *json)
{
    char text[4096], expected[4096];
    snprintf(text, sizeof(text), "apiVersion: v1\nkind: A\nx: %s\n", yaml);
    snprintf(expected, sizeof(expected), "{\"apiVersion\":\"v1\",\"kind\":\"A\",\"x\":%s}\n", json);
    assert_reads(text, expected);
}

/* Reads the first object, which lives until the reader is closed. */
static inline struct manifest_reader *read_object(struct slice *text, struct manifest_object *object)
{
    struct error error = {0};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, text, NULL);
    assert_non_null(reader);
    if (manifest_next(reader, object, &error) != MANIFEST_OBJECT)
        fail_msg("%u:%u: %s", error.line, error.column, error.message);
    return reader;
}

#endif
