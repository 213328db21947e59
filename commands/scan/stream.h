/* stream.h: the objects of a text. Private to commands/scan/. */
#ifndef APPLYGUARD_COMMANDS_SCAN_STREAM_H
#define APPLYGUARD_COMMANDS_SCAN_STREAM_H

#include "commands/scan/session.h"
#include "manifest/source.h"

/* `path` is the name of the text. */
void scan_read_stream(struct scan_session *session, const char *path, manifest_read *read, void *input);

#endif
