#include "certs/directory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *what, const char *name, struct error *error)
{
    int reason = errno;
    return error_set(error, "cannot %s %s: %s", what, name, strerror(reason));
}

int directory_open(struct directory *directory, const char *path, bool create, struct error *error)
{
    *directory = (struct directory){.file = -1};
    if (create && mkdir(path, 0700) != 0 && errno != EEXIST)
        return error_set(error, "cannot make it: %s", strerror(errno));
    directory->file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return directory->file < 0 ? error_set_file(error, path, errno) : 0;
}

void directory_close(struct directory *directory)
{
    if (directory->file >= 0)
        close(directory->file);
}

bool directory_has(const struct directory *directory, const char *name)
{
    return faccessat(directory->file, name, F_OK, 0) == 0;
}

static int read_open(const char *name, int file, struct secret *content, struct error *error)
{
    struct stat status;
    bool is_regular = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    int reason = is_regular ? secret_read(file, CERTS_FILE_BYTES_MAX, content) : EFBIG;
    if (reason == EFBIG)
        return error_set(error, "%s is no file of at most %zu bytes", name, CERTS_FILE_BYTES_MAX);
    if (reason == ENOMEM)
        return error_set_out_of_memory(error);
    errno = reason;
    return reason ? failed("read", name, error) : 0;
}

int directory_read(
    const struct directory *directory, const char *name, struct secret *content, struct error *error)
{
    *content = (struct secret){0};
    int file = openat(directory->file, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return failed("read", name, error);
    int result = read_open(name, file, content, error);
    close(file);
    return result;
}

static bool write_all(int file, struct slice content)
{
    while (content.length > 0) {
        ssize_t written = write(file, content.bytes, content.length);
        if (written < 0 && errno != EINTR)
            return false;
        content = slice_from(content, written > 0 ? (size_t)written : 0);
    }
    return fsync(file) == 0;
}

/* A file with this process's number was left by a killed process with the same number: in a container all
 * have it. */
static bool write_new(int directory, const char *name, mode_t mode, struct slice content)
{
    unlinkat(directory, name, 0);
    int file = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool done = write_all(file, content) && fchmod(file, mode) == 0;
    int reason = errno;
    close(file);
    errno = reason;
    return done;
}

int directory_write(
    const struct directory *directory, const char *name, mode_t mode, struct slice content,
    struct error *error)
{
    char temporary[64];
    snprintf(temporary, sizeof(temporary), ".%s.%d", name, (int)getpid());
    if (!write_new(directory->file, temporary, mode, content) ||
        renameat(directory->file, temporary, directory->file, name) != 0) {
        int result = failed("write", name, error);
        unlinkat(directory->file, temporary, 0);
        return result;
    }
    fsync(directory->file);
    return 0;
}

int directory_rename(const struct directory *directory, const char *from, const char *to, struct error *error)
{
    if (renameat(directory->file, from, directory->file, to) != 0)
        return failed("write", to, error);
    fsync(directory->file);
    return 0;
}
