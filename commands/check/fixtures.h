/*
 * fixtures.h: directories whose files are never applied: what programs read while they build and test, what a
 * package manager installs, the code of others, and archives.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_FIXTURES_H
#define APPLYGUARD_COMMANDS_CHECK_FIXTURES_H

/*
 * Why to pass over a file that was found below the directory `name`. NULL: it is in no such directory, or
 * `name` leads into one.
 */
const char *fixture_reason(const char *name, const char *path);

#endif
