/*
 * stream.h: splits an input into the texts of its documents (apimachinery, pkg/util/yaml: YAMLOrJSONDecoder,
 * YAMLReader).
 */
#ifndef APPLYGUARD_MANIFEST_STREAM_H
#define APPLYGUARD_MANIFEST_STREAM_H

#include "base/error.h"
#include "manifest/input.h"

enum stream_mode {
    STREAM_UNKNOWN,
    STREAM_JSON, /* values, one after another; from the first invalid one on, the rest is YAML */
    STREAM_YAML  /* texts between lines that begin with --- */
};

enum stream_result {
    STREAM_DOCUMENT,
    STREAM_ERROR, /* the error is filled; reading can continue */
    STREAM_END
};

struct stream {
    struct input input;
    size_t document_bytes_max;
    enum stream_mode mode;
    size_t taken;    /* bytes of the window that belong to the last document */
    unsigned line;   /* of the first byte in the window */
    unsigned column; /* of that byte; JSON values may share a line */
    size_t values;   /* of JSON, read so far */
    bool in_list;    /* its values are the items of a large List */
    bool is_broken;  /* the text between JSON values is invalid, and was reported */
    size_t searched; /* bytes of broken values that were searched for the next value */
};

/* The text of a document, until the next one is read. */
struct stream_document {
    struct slice text;
    unsigned line; /* of its first byte */
    unsigned column;
    bool is_json;
    bool has_replaced; /* a U+FFFD in it may replace bytes that are not UTF-8 */
};

void stream_open(struct stream *stream, manifest_read *read, void *context, size_t document_bytes_max);
void stream_close(struct stream *stream);

enum stream_result stream_next(struct stream *stream, struct stream_document *document, struct error *error);

/*
 * Reports that the last JSON document is invalid. kubectl reads the stream as YAML from an invalid first or
 * second document on: then returns true, and the next document begins at the same place. Otherwise the stream
 * continues at the next line that begins with {, as objects in a stream do. `is_news`: this was not reported
 * for the text just before.
 */
bool stream_reject(struct stream *stream, bool *is_news);

#endif
