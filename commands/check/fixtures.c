#include "commands/check/fixtures.h"

#include "base/array_size.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* docs/check.md has the same rows, for users. */
static const struct fixture {
    const char *folder;
    const char
        *evidence; /* a file from there, without which the name means nothing; NULL: the name is enough */
    const char *reason;
} fixtures[] = {
    {"/testdata/", NULL, "test data: go build ignores this directory, too"},
    {"/_testdata/", NULL, "test data: go build ignores this directory, too"},
    {"/test-data/", NULL, "test data"},
    {"/test_data/", NULL, "test data"},
    {"/src/test/resources/", NULL, "test data of Maven or Gradle"},
    {"/.chainsaw/", NULL, "an object of a test, which no cluster gets"},
    {"/fixtures/", NULL, "data that tests read"},
    {"/mock_data/", NULL, "data that tests read"},
    {"/fake/", NULL, "data of a fake, which tests read"},
    {"/__snapshot__/", NULL, "output that a test compares with the next one"},
    {"/__snapshots__/", NULL, "output that a test compares with the next one"},
    {"/_archive/", NULL, "archived, by the name of its directory"},
    {"/_archived/", NULL, "archived, by the name of its directory"},
    {"/manifests/", "../metadata/annotations.yaml", "a bundle of OLM, which makes its objects itself"},
    {"/olm-catalog/", NULL, "a catalog of OLM, which makes its objects itself"},
    {"/crds/", "../crossplane.yaml", "a package of Crossplane, which makes its objects itself"},
    {"/vendor/", "modules.txt", "a Go module of others"},
    {"/node_modules/", NULL, "an npm package of others"},
};

/* If memory runs out the file is not passed over. */
static bool has_evidence(const char *path, size_t length, const char *evidence)
{
    const size_t size = strlen(evidence) + 1;
    char *file = malloc(length + size);
    if (!file)
        return false;
    memcpy(file, path, length);
    memcpy(file + length, evidence, size);
    bool is_there = access(file, F_OK) == 0;
    free(file);
    return is_there;
}

static bool is_in(const struct fixture *fixture, const char *path, size_t start)
{
    const size_t length = strlen(fixture->folder);
    for (const char *at = path + start; (at = strstr(at, fixture->folder)); at++)
        if (!fixture->evidence || has_evidence(path, (size_t)(at - path) + length, fixture->evidence))
            return true;
    return false;
}

const char *fixture_reason(const char *name, const char *path)
{
    size_t start = strlen(name);
    if (start && name[start - 1] == '/')
        start--;
    if (start > strlen(path))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(fixtures); i++)
        if (is_in(&fixtures[i], path, start))
            return fixtures[i].reason;
    return NULL;
}
