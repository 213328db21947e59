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

ptrdiff_t manifest_read_slice(void *context, void *bytes, size_t size)
{
    struct slice *rest = context;
    struct slice part = slice_until(*rest, size);
    if (part.length)
        memcpy(bytes, part.bytes, part.length);
    *rest = slice_from(*rest, part.length);
    return (ptrdiff_t)part.length;
}
