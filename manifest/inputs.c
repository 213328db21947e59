#include "manifest/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct walk {
    bool is_recursive;
    inputs_visit *visit;
    void *context;
};

/* The names of a directory's entries. */
struct names {
    char **items;
    size_t count;
    size_t capacity;
};

static bool report(const struct walk *walk, const char *path, const char *problem)
{
    struct error error = {0};
    error_set(&error, "%s", problem);
    return walk->visit(walk->context, path, &error);
}

static bool add_name(struct names *names, const char *name)
{
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 64;
        char **items = capacity > names->capacity ? realloc(names->items, capacity * sizeof(char *)) : NULL;
        if (!items)
            return false;
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count] = strdup(name);
    if (!names->items[names->count])
        return false;
    names->count++;
    return true;
}

static void free_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->items[i]);
    free(names->items);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorts the names. Returns 0, or errno. Names found before an error are kept. */
static int read_names(const char *path, struct names *names)
{
    DIR *directory = opendir(path);
    int problem = 0;
    if (!directory)
        return errno;
    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        problem = entry ? 0 : errno;
        if (!entry)
            break;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (!add_name(names, entry->d_name)) {
            problem = ENOMEM;
            break;
        }
    }
    closedir(directory);
    if (names->count)
        qsort(names->items, names->count, sizeof(names->items[0]), compare_names);
    return problem;
}

static char *join(const char *folder, const char *name)
{
    size_t length = strlen(folder), name_length = strlen(name);
    bool has_slash = length && folder[length - 1] == '/';
    size_t size = length + !has_slash + name_length + 1;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s%s%s", folder, has_slash ? "" : "/", name);
    return path;
}

/* Go's filepath.Ext: everything from the last dot of the name on. */
static bool has_extension(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".json") == 0 || strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

static bool walk_directory(const struct walk *walk, const char *path);

/* The kind of the entry is unknown: it may be a directory, unless it was deleted. */
static bool report_unknown(const struct walk *walk, const char *path, const char *name, int problem)
{
    bool may_hold_files = walk->is_recursive && problem != ENOENT;
    return (!has_extension(name) && !may_hold_files) || report(walk, path, strerror(problem));
}

/*
 * Reading a FIFO or device in a directory might never end; a FIFO or device on the command line is intended.
 */
static bool walk_entry(const struct walk *walk, const char *path, const char *name)
{
    struct stat status;
    if (lstat(path, &status) < 0)
        return report_unknown(walk, path, name, errno);
    if (S_ISDIR(status.st_mode))
        return !walk->is_recursive || walk_directory(walk, path);
    if (!has_extension(name))
        return true;
    if (S_ISLNK(status.st_mode) && stat(path, &status) < 0)
        return report(walk, path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return report(walk, path, "this is a link to a directory, which kubectl does not follow");
    if (!S_ISREG(status.st_mode))
        return report(walk, path, "not a regular file; to read it, name it on the command line");
    return walk->visit(walk->context, path, NULL);
}

static bool walk_name(const struct walk *walk, const char *folder, const char *name)
{
    char *path = join(folder, name);
    struct error error = {0};
    if (!path) {
        error_set_out_of_memory(&error);
        return walk->visit(walk->context, folder, &error);
    }
    bool goes_on = walk_entry(walk, path, name);
    free(path);
    return goes_on;
}

/* Recurses as deep as the directories, whose paths the system limits. */
static bool walk_directory(const struct walk *walk, const char *path)
{
    struct names names = {0};
    int problem = read_names(path, &names);
    bool goes_on = !problem || report(walk, path, strerror(problem));
    for (size_t i = 0; i < names.count && goes_on; i++)
        goes_on = walk_name(walk, path, names.items[i]);
    free_names(&names);
    return goes_on;
}

bool inputs_have_directories(const char *path)
{
    struct names names = {0};
    bool is_found = false;
    read_names(path, &names);
    for (size_t i = 0; i < names.count && !is_found; i++) {
        char *name = join(path, names.items[i]);
        struct stat status;
        is_found = name && lstat(name, &status) == 0 && S_ISDIR(status.st_mode);
        free(name);
    }
    free_names(&names);
    return is_found;
}

bool inputs_walk(const char *path, bool is_recursive, inputs_visit *visit, void *context)
{
    const struct walk walk = {is_recursive, visit, context};
    struct stat status;
    if (strcmp(path, "-") == 0)
        return visit(context, path, NULL);
    if (!*path)
        return report(&walk, "''", "the name is empty; name a file, a directory, or - for standard input");
    if (lstat(path, &status) < 0) {
        struct error error;
        error_set_file(&error, path, errno);
        return report(&walk, path, error.message);
    }
    if (S_ISDIR(status.st_mode))
        return walk_directory(&walk, path);
    if (S_ISLNK(status.st_mode) && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return report(
            &walk, path, "this is a link to a directory, which kubectl does not follow; add a / to its name");
    return visit(context, path, NULL);
}

int inputs_open(const char *path, struct error *error)
{
    if (strcmp(path, "-") == 0)
        return STDIN_FILENO;
    int descriptor;
    do
        descriptor = open(path, O_RDONLY | O_CLOEXEC);
    while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0)
        error_set_file(error, path, errno);
    return descriptor;
}
