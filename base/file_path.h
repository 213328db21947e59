/*
 * file_path.h: the two parts of a file's path.
 */
#ifndef APPLYGUARD_BASE_FILE_PATH_H
#define APPLYGUARD_BASE_FILE_PATH_H

#include "base/slice.h"

/* The folder with its slash; empty if the path has none. */
static inline struct slice file_path_folder(struct slice path)
{
    size_t end = path.length;
    while (end && path.bytes[end - 1] != '/')
        end--;
    return slice_until(path, end);
}

/* The name in the folder. It ends where the path ends. */
static inline struct slice file_path_name(struct slice path)
{
    return slice_from(path, file_path_folder(path).length);
}

#endif
