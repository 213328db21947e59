/*
 * session.h: a scan with its inputs and its lines: what reads objects hands them over here.
 */
#ifndef APPLYGUARD_COMMANDS_SCAN_SESSION_H
#define APPLYGUARD_COMMANDS_SCAN_SESSION_H

#include "commands/scan/lines.h"
#include "commands/scan/reports.h"
#include "commands/scan/scan.h"

struct scan_session {
    struct scan *scan;
    struct arena *arena;          /* of one object */
    struct scan_lines *lines;     /* NULL: the output has no lines */
    struct scan_reports *reports; /* NULL, or gets the findings of all objects */
    struct slice cluster;         /* the context, if there are several; else empty */
    void (*complain)(void *context, const char *input, const struct error *error);
    void *context;
    bool is_out_of_memory; /* or the temporary file is full: the scan cannot go on */
};

/* Judges an object, and keeps its line. The arena is reset. */
void scan_session_add(struct scan_session *session, const char *input, const struct scan_object *object);

/* Judges what the objects of this cluster show about each other. */
void scan_session_end_cluster(struct scan_session *session);

/* Reads objects from a file, from the files of a directory, or from standard input ("-"). */
void scan_read_files(struct scan_session *session, const char *path, bool is_recursive);

/* Whether the name is that of a file that scan_read_archive reads. */
bool scan_is_archive(const char *path);

/*
 * Reads the objects of a file that is packed with gzip or zstd, or of a backup of Velero: a tar file, which
 * may be packed, too.
 */
void scan_read_archive(struct scan_session *session, const char *path);

#endif
