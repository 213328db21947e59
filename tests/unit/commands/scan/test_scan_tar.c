/* tar.h: files of archives; broken ones end with an error. */
#include "base/slice.h"
#include "commands/scan/tar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct archive {
    char bytes[16384];
    size_t length;
};

static void add(struct archive *archive, const char *name, char type, const char *content)
{
    char *header = archive->bytes + archive->length;
    size_t size = strlen(content);
    unsigned sum = 0;
    memset(header, 0, 512 + (size + 511) / 512 * 512);
    strncpy(header, name, 100);
    snprintf(header + 124, 12, "%011o", (unsigned)size);
    memset(header + 148, ' ', 8);
    header[156] = type;
    memcpy(header + 257, "ustar", 5);
    for (size_t i = 0; i < 512; i++)
        sum += (unsigned char)header[i];
    snprintf(header + 148, 8, "%06o", sum & 0777777);
    memcpy(header + 512, content, size);
    archive->length += 512 + (size + 511) / 512 * 512;
}

static struct archive archive_of_two(void)
{
    struct archive archive = {.length = 0};
    add(&archive, "folder/", '5', "");
    add(&archive, "a.json", '0', "one");
    add(&archive, "pax", 'x', "30 path=a/very/long/name.json\n20 mtime=1\n");
    add(&archive, "short", '0', "two");
    return archive;
}

/* The names and contents, one after another; an error ends with "!". */
static const char *read_all(const struct archive *archive, size_t length)
{
    static char all[4096];
    struct slice rest = {archive->bytes, length};
    struct tar tar = {.read = manifest_read_slice, .context = &rest};
    struct error error = {0};
    enum tar_result result;
    all[0] = '\0';
    while ((result = tar_next(&tar, &error)) == TAR_FILE) {
        char content[64] = "";
        ptrdiff_t got = tar_read(&tar, content, sizeof(content) - 1);
        content[got > 0 ? got : 0] = '\0';
        snprintf(all + strlen(all), sizeof(all) - strlen(all), "%s=%s ", tar.name, content);
    }
    if (result == TAR_ERROR) {
        assert_true(error.message[0]);
        strcat(all, "!");
    }
    return all;
}

static void files_come_with_their_names(void **state)
{
    (void)state;
    struct archive archive = archive_of_two();
    assert_string_equal(read_all(&archive, archive.length), "a.json=one a/very/long/name.json=two ");
    assert_string_equal(read_all(&archive, 0), "");
}

/* Cut anywhere, and with each byte changed: it ends. */
static void broken_archives_end(void **state)
{
    (void)state;
    struct archive archive = archive_of_two();
    for (size_t length = 1; length < archive.length; length++)
        (void)read_all(&archive, length);
    for (size_t i = 0; i < archive.length; i += 3) {
        struct archive broken = archive;
        broken.bytes[i] = (char)(broken.bytes[i] ^ 0xa5);
        (void)read_all(&broken, broken.length);
    }
    assert_string_equal(read_all(&archive, 700), "!");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_come_with_their_names),
        cmocka_unit_test(broken_archives_end),
    };
    return cmocka_run_group_tests_name("tar archives", tests, NULL, NULL);
}
