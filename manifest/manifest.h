/*
 * manifest.h: the objects of an input, one at a time, as `kubectl apply -f` reads them.
 *
 * kubectl splits a stream into documents by lines that begin with ---, or reads it as JSON values where its
 * first character is { (apimachinery, pkg/util/yaml: YAMLOrJSONDecoder). It turns each document into JSON
 * with sigs.k8s.io/yaml (go.yaml.in/yaml/v2), skips empty ones and nulls, and flattens Lists
 * (cli-runtime, pkg/resource: StreamVisitor, FlattenListVisitor). This reader does the same as kubectl 1.36;
 * tests/differential compares the two.
 *
 * Unlike in kubectl, an error in a document does not end the reading: the documents after it are read, too.
 * limits.h limits the memory, for inputs of any size: documents are read one after another, in one arena.
 *
 *     struct manifest_reader *reader = manifest_open(manifest_read_file, &descriptor, NULL);
 *     while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) ...
 *     manifest_close(reader);
 */
#ifndef APPLYGUARD_MANIFEST_MANIFEST_H
#define APPLYGUARD_MANIFEST_MANIFEST_H

#include "base/error.h"
#include "base/slice.h"
#include "manifest/document.h"
#include "manifest/find.h"
#include "manifest/limits.h"
#include "manifest/node.h"
#include "manifest/source.h"
#include "manifest/write.h"

#include <stddef.h>

enum manifest_result {
    MANIFEST_OBJECT, /* `object` is filled */
    MANIFEST_ERROR,  /* `error` is filled, with a place; the next call continues behind it */
    MANIFEST_END     /* the input has ended */
};

/* Valid until the next call of manifest_next or manifest_close. */
struct manifest_object {
    const struct manifest_document *document;
    const struct manifest_node *root; /* the root of the object itself, which may be an item of a List */
    struct slice api_version;
    struct slice kind;      /* never empty */
    struct slice namespace; /* of metadata; empty if it has none */
    struct slice name;      /* empty if it has none */
    struct manifest_origin origin;

    /* The document's ambiguities inside this object. */
    const struct manifest_ambiguity *ambiguities;
    size_t ambiguity_count;
};

struct manifest_reader;

/* `limits` may be NULL, for the defaults. Returns NULL if memory runs out. */
struct manifest_reader *manifest_open(
    manifest_read *read, void *context, const struct manifest_limits *limits);

enum manifest_result manifest_next(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error);

/*
 * For the last MANIFEST_ERROR: whether the document is well-formed, but not made for Kubernetes: a list, or a
 * map that has at most one of apiVersion, kind and metadata. A chart has an apiVersion, and values of Helm
 * may have a kind; an object that lost its kind has the other two. kubectl refuses all of these.
 */
bool manifest_is_foreign(const struct manifest_reader *reader);

/*
 * For the last MANIFEST_ERROR: whether the document is malformed, or only a scalar, and its text has at most
 * one of these names: settings of an editor, for example, are JSON with comments.
 */
bool manifest_is_unlike_objects(const struct manifest_reader *reader);

/* Accepts NULL. Leaves files open. */
void manifest_close(struct manifest_reader *reader);

#endif
