#include "commands/check/test_files.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/file_path.h"
#include "base/find.h"
#include "base/text.h"
#include "base/yaml.h"
#include "commands/check/short_path.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>

#define TEST_BYTES_MAX ((size_t)1024 * 1024)

static const char assertion[] = "an assertion of a test";
static const char object_of_test[] = "an object of a test, which no cluster gets";
static const char patch_of_test[] = "a patch of a test, which holds parts of an object";

/* A program that tests, and the keys under which its tests name files. */
struct test_program {
    const char *name;    /* a part of the names of its tests */
    const char *group;   /* of their apiVersion; NULL: the name is enough */
    const char *keys[7]; /* NULL ends them */
    const char *member;  /* of the key's map; NULL: the key has the name itself, or a list of names */
    const char *reason;
    bool has_steps; /* it applies the files of its folder, one after the other */
};

static const struct test_program programs[] = {
    {"chainsaw-test", NULL, {"assert", "error"}, "file", assertion, true},
    {"chainsaw-test", NULL, {"patch"}, "file", patch_of_test, true},
    {"kyverno-test",
     NULL,
     {"resources", "targetResources", "patchedResources", "generatedResource", "cloneSourceResource",
      "paramResources", "clusterResources"},
     NULL,
     object_of_test,
     false},
    {"suite.", "test.gatekeeper.sh/", {"object", "inventory"}, NULL, object_of_test, false},
};

static bool ends_word(const char *rest)
{
    return *rest == '.' || *rest == '-';
}

/* By kuttl's names, 00-assert.yaml and 01-errors.yaml, or by names that people give: pod-assert-2.yaml. */
static bool is_assertion(const char *path)
{
    const char *name = file_path_name(slice_of(path)).bytes;
    for (const char *word = name; (word = strstr(word, "-assert")); word++)
        if (ends_word(word + strlen("-assert")))
            return true;
    const char *rest = name;
    while (ascii_is_digit(*rest))
        rest++;
    return rest > name && strncmp(rest, "-errors", strlen("-errors")) == 0 &&
        ends_word(rest + strlen("-errors"));
}

/* `file` is relative to the folder of the test; empty: adds the folder. */
static void add(
    struct test_files *files, const char *test, struct slice file, const char *reason, struct arena *arena)
{
    const char *whole = text_join_string(arena, file_path_folder(slice_of(test)), file);
    const char *name = whole ? short_path(whole, arena) : NULL;
    struct test_file *items = arena_grow(arena, files->items, files->count, &files->capacity, sizeof(*items));
    if (!name || !items)
        return;
    files->items = items;
    items[files->count++] = (struct test_file){slice_of(name), reason};
}

/* A test, while it is searched for names. */
struct test {
    const struct test_program *program;
    const char *path;
    struct test_files *files;
    struct arena *arena;
};

static void add_name(const struct test *test, const struct yaml_node *name)
{
    if (name && name->kind == YAML_KIND_TEXT && name->text.length)
        add(test->files, test->path, name->text, test->program->reason, test->arena);
}

static void add_names(const struct test *test, const struct yaml_node *value)
{
    if (test->program->member) {
        add_name(test, yaml_member(value, slice_of(test->program->member)));
        return;
    }
    add_name(test, value);
    for (const struct yaml_entry *item = value->kind == YAML_KIND_LIST ? value->entries : NULL; item;
         item = item->next)
        add_name(test, item->value);
}

/* Recurses as deep as yaml_read lets documents be. */
static void search(const struct test *test, const struct yaml_node *node)
{
    const struct test_program *program = test->program;
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        for (size_t i = 0; entry->key && i < ARRAY_SIZE(program->keys) && program->keys[i]; i++)
            if (slice_equal(entry->key->text, slice_of(program->keys[i])))
                add_names(test, entry->value);
        search(test, entry->value);
    }
}

/* Removes the first document from `rest`. */
static struct slice next_document(struct slice *rest)
{
    static const struct slice mark = SLICE_LITERAL("\n---");
    const struct slice document = slice_until(*rest, slice_find_text(*rest, mark));
    *rest = slice_from(*rest, document.length + mark.length);
    return document;
}

/* Returns whether the document is a test of the program. */
static bool search_document(const struct test *test, struct slice text)
{
    const char *group = test->program->group;
    struct error ignored = {0};
    const struct yaml_node *root = yaml_read(text, test->arena, &ignored);
    const struct yaml_node *version = root ? yaml_member(root, SLICE("apiVersion")) : NULL;
    const bool is_test = !group || (version && slice_starts_with(version->text, slice_of(group)));
    if (root && is_test)
        search(test, root);
    return is_test;
}

/* Returns whether the file is a test of the program. */
static bool search_file(const struct test *test)
{
    struct file_content content;
    struct error ignored = {0};
    if (file_read(test->path, TEST_BYTES_MAX, &content, &ignored) < 0)
        return !test->program->group;
    struct slice rest = arena_copy(test->arena, file_slice(&content));
    free(content.bytes);
    bool is_test = !test->program->group;
    while (rest.length)
        is_test |= search_document(test, next_document(&rest));
    return is_test;
}

/* A hidden folder of a test holds nothing else. */
static bool is_in_hidden_folder(const char *path)
{
    size_t end = file_path_folder(slice_of(path)).length;
    size_t start = end ? end - 1 : 0;
    while (start && path[start - 1] != '/')
        start--;
    return end - start > 2 && path[start] == '.' && path[start + 1] != '.';
}

void test_files_add(struct test_files *files, const char *path, struct arena *arena)
{
    static const struct slice folder = {NULL, 0};
    bool has_steps = is_assertion(path), is_test = has_steps;
    for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
        const struct test test = {&programs[i], path, files, arena};
        if (!strstr(file_path_name(slice_of(path)).bytes, programs[i].name) || !search_file(&test))
            continue;
        is_test = true;
        has_steps |= programs[i].has_steps;
    }
    if (is_test && is_in_hidden_folder(path))
        add(files, path, folder, object_of_test, arena);
    else if (has_steps)
        add(files, path, folder, NULL, arena);
}

void test_files_sort(struct test_files *files)
{
    if (files->count)
        qsort(files->items, files->count, sizeof(*files->items), slice_compare_items);
}

static const struct test_file *find(const struct test_files *files, const char *path)
{
    const struct test_file key = {.path = slice_of_optional(path)};
    return path && files->count ? bsearch(&key, files->items, files->count, sizeof(key), slice_compare_items)
                                : NULL;
}

static const struct test_file *find_folder(
    const struct test_files *files, const char *path, struct arena *arena)
{
    const size_t length = file_path_folder(slice_of(path)).length;
    char *folder = arena_allocate(arena, length + 1);
    if (!folder)
        return NULL;
    memcpy(folder, path, length);
    folder[length] = '\0';
    return find(files, short_path(folder, arena));
}

const char *test_files_reason(const struct test_files *files, const char *path, struct arena *arena)
{
    if (is_assertion(path))
        return assertion;
    if (!files->count)
        return NULL;
    const struct test_file *found = find(files, short_path(path, arena));
    if (!found)
        found = find_folder(files, path, arena);
    return found ? found->reason : NULL;
}

bool test_files_are_steps(const struct test_files *files, const char *path, struct arena *arena)
{
    const struct test_file *found = files->count ? find_folder(files, path, arena) : NULL;
    return found && !found->reason;
}
