#include "report/file_name.h"

#include "base/ascii.h"

struct slice file_name_plain(struct slice file)
{
    while (slice_starts_with(file, SLICE("./")) && file.length > 2)
        file = slice_from(file, 2);
    return file;
}

/* The unreserved characters, and the separator. */
static bool is_plain(char byte)
{
    static const char others[] = "-._~/";
    return ascii_is_alphanumeric(byte) || memchr(others, byte, sizeof(others) - 1);
}

/*
 * If the first segment of a relative name were empty, readers would take the next one for a host: ".//x" is
 * "x".
 */
static struct slice relative_name(struct slice file)
{
    bool is_relative = file.length && file.bytes[0] != '/';
    file = file_name_plain(file);
    while (is_relative && file.length && file.bytes[0] == '/')
        file = slice_from(file, 1);
    return file;
}

void file_name_append_uri(struct text *text, struct slice file)
{
    static const char digits[] = "0123456789ABCDEF";
    file = relative_name(file);
    if (file.length && file.bytes[0] == '/')
        text_append_string(text, "file://");
    for (size_t i = 0; i < file.length; i++) {
        unsigned char byte = (unsigned char)file.bytes[i];
        const char escape[] = {'%', digits[byte >> 4], digits[byte & 15]};
        if (is_plain(file.bytes[i]))
            text_append(text, (struct slice){file.bytes + i, 1});
        else
            text_append(text, (struct slice){escape, sizeof(escape)});
    }
}
