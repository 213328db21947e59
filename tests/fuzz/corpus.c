#include "tests/fuzz/corpus.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

/* corpus.py writes small inputs; a larger size means that the archive is broken. */
#define INPUT_BYTES_MAX ((size_t)1024 * 1024)

/* The archive consists of blocks of this size. */
#define TAR_BLOCK 512u

/* The header of a file in the POSIX format `ustar`, as far as it is read here. */
struct tar_header {
    char name[100];
    char mode_and_owner[24];
    char size[12]; /* octal digits */
    char rest[TAR_BLOCK - 136];
};

static bool fail(const char *path, const char *reason)
{
    fprintf(stderr, "corpus: %s: %s\n", path, reason);
    return false;
}

static bool read_whole(gzFile file, void *bytes, size_t size)
{
    return gzread(file, bytes, (unsigned)size) == (int)size;
}

/* The bytes of an input, and then the filling of its last block. */
static bool read_input(gzFile file, uint8_t *bytes, size_t size)
{
    char filling[TAR_BLOCK];
    return read_whole(file, bytes, size) &&
        read_whole(file, filling, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static bool visit_archived(gzFile file, struct tar_header *header, corpus_visit *visit, void *data)
{
    header->name[sizeof(header->name) - 1] = '\0';
    header->size[sizeof(header->size) - 1] = '\0';
    size_t size = strtoul(header->size, NULL, 8);
    uint8_t *bytes = size <= INPUT_BYTES_MAX ? malloc(size ? size : 1) : NULL;
    bool is_read = bytes && read_input(file, bytes, size);
    if (is_read)
        visit(data, header->name, bytes, size);
    free(bytes);
    return is_read;
}

/* An empty header ends the archive. gzread() checks the sum of all bytes when it reaches their end. */
static bool visit_archive(const char *path, corpus_visit *visit, void *data)
{
    gzFile file = gzopen(path, "rbe");
    if (!file)
        return fail(path, "cannot be opened");
    struct tar_header header;
    bool is_read = true, is_end = false;
    while (is_read && !is_end) {
        is_read = read_whole(file, &header, sizeof(header));
        is_end = is_read && !header.name[0];
        if (is_read && !is_end)
            is_read = visit_archived(file, &header, visit, data);
    }
    while (is_end && gzread(file, &header, sizeof(header)) > 0)
        ;
    bool is_sound = gzclose(file) == Z_OK;
    return (is_read && is_sound) || fail(path, "is broken");
}

static bool visit_file(const char *path, const char *name, corpus_visit *visit, void *data)
{
    struct stat status;
    FILE *file = fopen(path, "re");
    if (!file || fstat(fileno(file), &status) != 0) {
        if (file)
            fclose(file);
        return fail(path, "cannot be opened");
    }
    size_t size = (size_t)status.st_size;
    uint8_t *bytes = malloc(size ? size : 1);
    bool is_read = bytes && fread(bytes, 1, size, file) == size;
    fclose(file);
    if (is_read)
        visit(data, name, bytes, size);
    free(bytes);
    return is_read || fail(path, "cannot be read");
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool visit_folder(const char *folder, corpus_visit *visit, void *data)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, is_visible, alphasort);
    if (count < 0)
        return fail(folder, "cannot be listed");
    bool is_read = true;
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof(path), "%s/%s", folder, entries[i]->d_name);
        is_read = is_read && visit_file(path, entries[i]->d_name, visit, data);
        free(entries[i]);
    }
    free(entries);
    return is_read;
}

bool corpus_for_each(const char *corpus, corpus_visit *visit, void *data)
{
    char archive[PATH_MAX];
    snprintf(archive, sizeof(archive), "%s.tar.gz", corpus);
    bool has_archive = access(archive, F_OK) == 0, has_folder = access(corpus, F_OK) == 0;
    if (!has_archive && !has_folder)
        return fail(archive, "does not exist, nor does the folder");
    return (!has_archive || visit_archive(archive, visit, data)) &&
        (!has_folder || visit_folder(corpus, visit, data));
}
