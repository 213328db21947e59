/*
 * manifest.h: the objects of an input, one at a time, as `kubectl apply -f` reads them.
 *
 * kubectl splits a stream into documents by lines that begin with ---, or reads it as JSON values where its
 * first character is { (apimachinery, pkg/util/yaml: YAMLOrJSONDecoder). It turns each document into JSON
 * with sigs.k8s.io/yaml (go.yaml.in/yaml/v2), skips those that are empty or null, and flattens Lists
 * (cli-runtime, pkg/resource: StreamVisitor, FlattenListVisitor). So does this, in the versions of
 * kubectl 1.36; tests/differential compares the two.
 *
 * An error in a document does not end the reading, as it does in kubectl: the documents after it are read,
 * too. Memory is bounded by limits.h, whatever the input's size: documents are read one after another, in
 * one arena.
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
    MANIFEST_ERROR,  /* `error` is filled, with a place; read on for what comes after it */
    MANIFEST_END     /* there is no more */
};

/* Lives until the next call of manifest_next or manifest_close. */
struct manifest_object {
    const struct manifest_document *document;
    const struct manifest_node *root; /* the object's own, so an item of a List */
    struct slice api_version;
    struct slice kind;      /* never empty */
    struct slice namespace; /* of metadata; empty if there is none */
    struct slice name;      /* likewise */
    struct manifest_origin origin;

    /* Those of the document that lie in this object. */
    const struct manifest_ambiguity *ambiguities;
    size_t ambiguity_count;
};

struct manifest_reader;

/* `limits` may be NULL, for the defaults. Returns NULL if there is no memory. */
struct manifest_reader *manifest_open(
    manifest_read *read, void *context, const struct manifest_limits *limits);

enum manifest_result manifest_next(
    struct manifest_reader *reader, struct manifest_object *object, struct error *error);

/*
 * Of the last MANIFEST_ERROR: whether the document is well-formed, and made for something else than
 * Kubernetes: a list, or a map that has one of apiVersion, kind and metadata at most. A chart has an
 * apiVersion, and values of Helm may have a kind; an object that lost its kind has the other two. kubectl
 * refuses each of them.
 */
bool manifest_is_foreign(const struct manifest_reader *reader);

/*
 * Of the last MANIFEST_ERROR: whether the document is not well-formed, or holds a scalar alone, and has as
 * little of an object in its text: settings of an editor are JSON with comments.
 */
bool manifest_is_unlike_objects(const struct manifest_reader *reader);

/* Accepts NULL. Closes no file. */
void manifest_close(struct manifest_reader *reader);

#endif
