#include "manifest/source.h"

#include "base/slice.h"

#include <errno.h>
#include <unistd.h>

ptrdiff_t manifest_read_file(void *context, void *bytes, size_t size)
{
    const int *descriptor = context;
    ptrdiff_t count;
    do
        count = read(*descriptor, bytes, size);
    while (count < 0 && errno == EINTR);
    return count;
}

ptrdiff_t manifest_read_bounded_file(void *context, void *bytes, size_t size)
{
    struct manifest_bounded_file *file = context;
    ptrdiff_t count = manifest_read_file(&file->descriptor, bytes, size);
    if (count > 0 && (size_t)count > file->left) {
        errno = EFBIG;
        return -1;
    }
    file->left -= count > 0 ? (size_t)count : 0;
    return count;
}

ptrdiff_t manifest_read_slice(void *context, void *bytes, size_t size)
{
    struct slice *rest = context;
    struct slice part = slice_until(*rest, size);
    if (part.length)
        memcpy(bytes, part.bytes, part.length);
    *rest = slice_from(*rest, part.length);
    return (ptrdiff_t)part.length;
}
