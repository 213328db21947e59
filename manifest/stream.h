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
    STREAM_JSON, /* values, one after another; YAML instead from the first on that is none */
    STREAM_YAML  /* texts between lines that begin with --- */
};

enum stream_result {
    STREAM_DOCUMENT,
    STREAM_ERROR, /* the error is filled; what follows can be read */
    STREAM_END
};

struct stream {
    struct input input;
    size_t document_bytes_max;
    enum stream_mode mode;
    size_t taken;    /* bytes of the window that are the last document's */
    unsigned line;   /* of the first byte in the window */
    unsigned column; /* likewise; JSON values may stand in one line */
    size_t values;   /* of JSON that were read */
    bool is_broken;  /* what stands between values of JSON is none, and was reported */
    size_t searched; /* bytes of broken values, which are searched for the next one */
};

/* The text of a document, until the next one is read. */
struct stream_document {
    struct slice text;
    unsigned line; /* of its first byte */
    unsigned column;
    bool is_json;
    bool has_replaced; /* U+FFFD in it may stand for bytes that are not UTF-8 */
};

void stream_open(struct stream *stream, manifest_read *read, void *context, size_t document_bytes_max);
void stream_close(struct stream *stream);

enum stream_result stream_next(struct stream *stream, struct stream_document *document, struct error *error);

/*
 * Says that the document of JSON that was read last is not valid. kubectl takes such a first or second one,
 * and all that follows, for YAML: then returns true, and the next document begins where this one did.
 * Otherwise the stream goes on at the next line that begins with {, as objects in a stream do. `is_news`:
 * this was not said of the text just before.
 */
bool stream_reject(struct stream *stream, bool *is_news);

#endif
