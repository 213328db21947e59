/*
 * samples.h: directories of samples, tests, and manifests of others. Their manifests are judged as all
 * others, but their authors do not act on findings about how an object is applied.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_SAMPLES_H
#define APPLYGUARD_COMMANDS_CHECK_SAMPLES_H

#include <stdbool.h>

/* Whether a file that was found below the directory `name` is in such a directory there. */
bool is_sample(const char *name, const char *path);

#endif
