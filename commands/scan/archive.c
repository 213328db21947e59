/*
 * Files that are packed, and a backup of Velero: a tar file with an object in each file, such as
 * resources/deployments.apps/namespaces/shop/web.json.
 */
#include "audit/unpacked.h"
#include "commands/scan/session.h"
#include "commands/scan/stream.h"
#include "commands/scan/tar.h"
#include "manifest/inputs.h"

#include <errno.h>
#include <string.h>

static bool is_tar(struct slice path)
{
    return slice_ends_with(path, SLICE(".tar")) || slice_ends_with(path, SLICE(".tar.gz")) ||
        slice_ends_with(path, SLICE(".tgz")) || slice_ends_with(path, SLICE(".tar.zst"));
}

bool scan_is_archive(const char *path)
{
    struct slice whole = slice_of(path);
    return is_tar(whole) || slice_ends_with(whole, SLICE(".gz")) || slice_ends_with(whole, SLICE(".zst"));
}

/* The unpacked bytes. */
static ptrdiff_t read_unpacked(void *context, void *bytes, size_t size)
{
    switch (unpacked_read(context, bytes, &size)) {
    case UNPACKED_BYTES:
        return (ptrdiff_t)size;
    case UNPACKED_END:
        return 0;
    case UNPACKED_NO_MEMORY:
        errno = ENOMEM;
        return -1;
    case UNPACKED_UNREADABLE:
        return -1;
    case UNPACKED_CUT:
    case UNPACKED_DAMAGED:
    case UNPACKED_TOO_LARGE:
    case UNPACKED_UNKNOWN:
        break;
    }
    errno = EBADMSG;
    return -1;
}

/* Other files of a backup are about the backup itself. */
static bool is_object(const char *name)
{
    return slice_ends_with(slice_of(name), SLICE(".json")) && strstr(name, "resources/");
}

static void read_files(struct scan_session *session, const char *path, struct tar *tar)
{
    struct error error = {0};
    enum tar_result result;
    while (!session->is_out_of_memory && (result = tar_next(tar, &error)) != TAR_END) {
        if (result == TAR_ERROR) {
            scan_note_partial(session->scan);
            session->complain(session->context, path, &error);
            return;
        }
        if (is_object(tar->name))
            scan_read_stream(session, tar->name, tar_read, tar);
    }
}

void scan_read_archive(struct scan_session *session, const char *path)
{
    struct error error = {0};
    int descriptor = inputs_open(path, &error);
    struct unpacked *unpacked = descriptor < 0 ? NULL : unpacked_open(descriptor);
    if (!unpacked) {
        if (descriptor >= 0)
            error_set_out_of_memory(&error);
        scan_note_partial(session->scan);
        session->complain(session->context, path, &error);
        return;
    }
    struct tar tar = {.read = read_unpacked, .context = unpacked};
    scan_begin_input(session->scan);
    if (is_tar(slice_of(path)))
        read_files(session, path, &tar);
    else
        scan_read_stream(session, path, read_unpacked, unpacked);
    scan_end_input(session->scan);
    unpacked_close(unpacked);
}
