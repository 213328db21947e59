/*
 * fixtures.h: directories whose files programs read while they build and test, and which are never applied:
 * test data, what a package manager installs, and the code of others.
 */
#ifndef APPLYGUARD_COMMANDS_CHECK_FIXTURES_H
#define APPLYGUARD_COMMANDS_CHECK_FIXTURES_H

/*
 * Why to pass over a file that was found below the directory `name`. NULL: it is in no such directory, or
 * `name` leads into one.
 */
const char *fixture_reason(const char *name, const char *path);

#endif
