/*
 * scan.h: judges the objects of a cluster as they are stored, and counts who owns what.
 *
 * Objects come one at a time, in any order, and little is kept of each, so memory does not grow with their
 * number. Faults that only several objects show together, such as an autoscaler and its target, are judged
 * after the last one.
 *
 *     struct scan *scan = scan_create(&options);
 *     scan_begin_cluster(scan);
 *     for each list or file: scan_begin_input(scan); for each object: scan_add(…); scan_end_input(scan)
 *     scan_compare_releases(scan)
 *     while (scan_next_released(…)) …
 *     while (scan_next_related(…)) …
 *     scan_append_text(&text, scan_end(scan), …)
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SCAN_H
#define APPLYGUARD_COMMANDS_SCAN_SCAN_H

#include "base/error.h"
#include "base/shard.h"
#include "base/text.h"
#include "commands/scan/expect.h"
#include "commands/scan/summary.h"
#include "policy/config/config.h"

#include <stdbool.h>
#include <stdint.h>

struct scan_options {
    const struct policy *policy;
    const struct policy *weaker; /* NULL, or `policy` and this one are the profiles to suggest from */
    int64_t now;                 /* seconds since 1970 UTC */
    struct shard shard;          /* only its objects */
    struct scan_expectations expectations; /* who should own which fields */
    bool keeps_all;                        /* all findings for scan_append_text, and not a few of each rule */
};

/* An object, which must outlive the call, and its verdict. */
struct scan_object {
    struct slice api_version;
    struct slice kind;
    struct slice namespace;
    struct slice name;
    yyjson_val *value;
    yyjson_val *list_api_version; /* NULL, or of the list whose items do not name it themselves */
};

struct scan;

/* NULL: out of memory. */
struct scan *scan_create(const struct scan_options *options);

/* Accepts NULL. */
void scan_free(struct scan *scan);

/* From here on, objects belong to another cluster. Returns false if memory runs out. */
bool scan_begin_cluster(struct scan *scan);

/*
 * All objects of the cluster are read. A set of objects that was selected, or that lacks a kind which may not
 * be listed, is not complete.
 */
void scan_note_complete(struct scan *scan);

/* Notes a version that the cluster serves, such as apps/v1. Returns false if memory runs out. */
bool scan_note_served(struct scan *scan, struct slice api_version);

/* Notes a kind that may not be listed. Returns false if memory runs out. */
bool scan_note_forbidden(struct scan *scan, struct slice kind);

/* Notes that something could not be read. */
void scan_note_partial(struct scan *scan);

/* Whether there are other shards, and whether objects of the kind in the namespace are of this one. */
bool scan_is_sharded(const struct scan *scan);
bool scan_is_of_shard(const struct scan *scan, struct slice namespace, struct slice kind);

/* The objects of an input were all read by one client: they all have managedFields, or it left them out. */
void scan_begin_input(struct scan *scan);
void scan_end_input(struct scan *scan);

/*
 * Judges an object. `*verdict` is NULL if it belongs to another shard, or waits for the manifest of its Helm
 * release (scan_next_released); else it lives in the arena. Returns -1 and sets the error.
 */
int scan_add(
    struct scan *scan, const struct scan_object *object, struct arena *arena, const struct verdict **verdict,
    struct error *error);

/*
 * After the last object of this cluster: compares the objects that scan_add kept with the manifests of their
 * Helm releases. Returns false if memory runs out.
 */
bool scan_compare_releases(struct scan *scan);

/* Judges the next one of them. Returns 1, 0 after the last one, or -1 and sets the error. */
int scan_next_released(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error);

/*
 * The next object of this cluster about which other objects show something, after `*index` of them. The
 * verdict has no findings about the object alone. Returns 1, 0 after the last one, or -1 and sets the error.
 */
int scan_next_related(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error);

/*
 * After the last object of this cluster: finds workloads that select each other's pods. `cluster` is empty if
 * there is one only. Returns false if memory runs out.
 */
bool scan_find_overlaps(struct scan *scan, struct slice cluster);

/* After the last object of all clusters. */
const struct scan_summary *scan_end(struct scan *scan);

/* The object and its findings as one line of JSON. `cluster` is empty if there is one only. */
void scan_append_line(struct text *text, const struct verdict *verdict, struct slice cluster);

/* The summary as one line of JSON. */
void scan_append_summary(struct text *text, const struct scan_summary *summary);

/* How to print for people. */
struct scan_text {
    size_t columns; /* of the terminal; 0: unlimited */
    bool colour;
    int64_t now;
};

/* For people: who owns what, what will break next, what to do first. */
void scan_append_text(struct text *text, const struct scan_summary *summary, const struct scan_text *how);

/* The same as one page of HTML. For a scan with `keeps_all`. */
void scan_append_html(struct text *text, const struct scan_summary *summary);

/* A policy file to start with. For a scan with a `weaker` policy. */
void scan_append_suggestion(struct text *text, const struct scan_summary *summary);

/* The summary in the text format of Prometheus. `seconds` is how long the scan took. */
void scan_append_metrics(
    struct text *text, const struct scan_summary *summary, int64_t now, uint64_t seconds);

#endif
