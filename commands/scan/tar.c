#include "commands/scan/tar.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define BLOCK_BYTES 512

/* The places of a header's members (POSIX.1-1988, ustar). */
#define NAME_BYTES 100
#define SIZE_AT 124
#define SIZE_BYTES 12
#define CHECKSUM_AT 148
#define CHECKSUM_BYTES 8
#define TYPE_AT 156
#define MAGIC_AT 257
#define PREFIX_AT 345
#define PREFIX_BYTES 155

/* Returns how many bytes there were; -1 and errno. */
static ptrdiff_t read_whole(struct tar *tar, char *bytes, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ptrdiff_t got = tar->read(tar->context, bytes + length, size - length);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ptrdiff_t)length;
}

static int skip(struct tar *tar, uint64_t bytes)
{
    char ignored[BLOCK_BYTES];
    while (bytes) {
        size_t size = bytes < sizeof(ignored) ? (size_t)bytes : sizeof(ignored);
        if (read_whole(tar, ignored, size) != (ptrdiff_t)size)
            return -1;
        bytes -= size;
    }
    return 0;
}

/* Octal digits, or, for large files, GNU's base 256. */
static bool read_number(const char *field, size_t length, uint64_t *number)
{
    *number = 0;
    if ((unsigned char)field[0] == 0x80) {
        for (size_t i = length - 8; i < length; i++)
            *number = *number << 8 | (unsigned char)field[i];
        return *number < INT64_MAX;
    }
    size_t i = 0;
    while (i < length && field[i] == ' ')
        i++;
    for (; i < length && field[i] >= '0' && field[i] <= '7'; i++)
        *number = *number * 8 + (uint64_t)(field[i] - '0');
    return i == length || field[i] == ' ' || field[i] == '\0';
}

static bool has_checksum(const char header[BLOCK_BYTES])
{
    uint64_t sum = 0, wanted;
    for (size_t i = 0; i < BLOCK_BYTES; i++) {
        bool is_checksum = i >= CHECKSUM_AT && i < CHECKSUM_AT + CHECKSUM_BYTES;
        sum += is_checksum ? ' ' : (unsigned char)header[i];
    }
    return read_number(header + CHECKSUM_AT, CHECKSUM_BYTES, &wanted) && sum == wanted;
}

static void set_name(struct tar *tar, const char header[BLOCK_BYTES])
{
    size_t prefix =
        memcmp(header + MAGIC_AT, "ustar", 5) == 0 ? strnlen(header + PREFIX_AT, PREFIX_BYTES) : 0;
    size_t length = strnlen(header, NAME_BYTES);
    memcpy(tar->name, header + PREFIX_AT, prefix);
    if (prefix)
        tar->name[prefix++] = '/';
    memcpy(tar->name + prefix, header, length);
    tar->name[prefix + length] = '\0';
}

/* A long name comes in a file of its own, before the file that it names. */
static int read_long_name(struct tar *tar)
{
    size_t length = tar->left < sizeof(tar->name) - 1 ? (size_t)tar->left : sizeof(tar->name) - 1;
    if (read_whole(tar, tar->name, length) != (ptrdiff_t)length)
        return -1;
    tar->name[length] = '\0';
    tar->left -= length;
    return 0;
}

/* The record "LENGTH path=NAME" of a pax header. */
static void take_pax_name(struct tar *tar)
{
    char *record = strstr(tar->name, " path=");
    if (!record) {
        tar->name[0] = '\0';
        return;
    }
    record += strlen(" path=");
    size_t length = strcspn(record, "\n");
    memmove(tar->name, record, length);
    tar->name[length] = '\0';
}

static enum tar_result fail(struct error *error, const char *reason)
{
    error_set(error, "%s", reason);
    return TAR_ERROR;
}

static enum tar_result read_header(struct tar *tar, char header[BLOCK_BYTES], struct error *error)
{
    static const char zeros[BLOCK_BYTES];
    errno = 0;
    if (skip(tar, tar->left + tar->padding) < 0)
        return fail(error, errno ? strerror(errno) : "the archive ends within a file");
    ptrdiff_t got = read_whole(tar, header, BLOCK_BYTES);
    if (got < 0)
        return fail(error, strerror(errno));
    if (got == 0 || (got == BLOCK_BYTES && memcmp(header, zeros, BLOCK_BYTES) == 0))
        return TAR_END;
    if (got < BLOCK_BYTES || !has_checksum(header) || !read_number(header + SIZE_AT, SIZE_BYTES, &tar->left))
        return fail(error, "it is not a tar archive, or it is damaged");
    tar->padding = (unsigned)((BLOCK_BYTES - tar->left % BLOCK_BYTES) % BLOCK_BYTES);
    return TAR_FILE;
}

enum tar_result tar_next(struct tar *tar, struct error *error)
{
    char header[BLOCK_BYTES];
    bool has_long_name = false;
    for (;;) {
        enum tar_result result = read_header(tar, header, error);
        if (result != TAR_FILE)
            return result;
        char type = header[TYPE_AT];
        if (type == 'L' || type == 'x') {
            if (read_long_name(tar) < 0)
                return fail(error, "the archive ends within a name");
            if (type == 'x')
                take_pax_name(tar);
            has_long_name = tar->name[0] != '\0';
            continue;
        }
        if (!has_long_name)
            set_name(tar, header);
        if (type == '0' || type == '\0')
            return TAR_FILE;
        has_long_name = false;
    }
}

ptrdiff_t tar_read(void *context, void *bytes, size_t size)
{
    struct tar *tar = context;
    if (size > tar->left)
        size = (size_t)tar->left;
    ptrdiff_t got = size ? tar->read(tar->context, bytes, size) : 0;
    if (got > 0)
        tar->left -= (uint64_t)got;
    return got;
}
