#include "commands/check/assertions.h"

#include "base/ascii.h"
#include "base/text.h"
#include "base/yaml.h"
#include "commands/check/kustomizations.h"
#include "system/file.h"

#include <stdlib.h>
#include <string.h>

#define TEST_BYTES_MAX ((size_t)1024 * 1024)

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool assertion_is_of_kuttl(const char *path)
{
    const char *name = base_name(path);
    const char *rest = name;
    while (ascii_is_digit(*rest))
        rest++;
    if (rest == name || *rest != '-')
        return false;
    rest++;
    if (strncmp(rest, "assert", strlen("assert")) == 0)
        rest += strlen("assert");
    else if (strncmp(rest, "errors", strlen("errors")) == 0)
        rest += strlen("errors");
    else
        return false;
    return *rest == '.' || *rest == '-';
}

/* The path of a file that a test names, from the test's folder. */
static void add_file(struct assertions *assertions, const char *test, struct slice file, struct arena *arena)
{
    struct text path = text_start(arena, 128);
    text_append(&path, (struct slice){test, (size_t)(base_name(test) - test)});
    text_append(&path, file);
    text_append(&path, (struct slice){"", 1});
    const char *whole = text_slice(&path).bytes;
    const char *name = whole ? kustomize_path(whole, arena) : NULL;
    struct slice *items =
        arena_grow(arena, assertions->items, assertions->count, &assertions->capacity, sizeof(*items));
    if (!name || !items)
        return;
    assertions->items = items;
    items[assertions->count++] = slice_of(name);
}

/* Recurses as deep as yaml_read lets documents be. */
static void search(
    struct assertions *assertions, const char *test, const struct yaml_node *node, struct arena *arena)
{
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next) {
        bool is_assertion = entry->key &&
            (slice_equal(entry->key->text, SLICE("assert")) || slice_equal(entry->key->text, SLICE("error")));
        const struct yaml_node *file = is_assertion && entry->value->kind == YAML_KIND_MAP
            ? yaml_member(entry->value, SLICE("file"))
            : NULL;
        if (file && file->kind == YAML_KIND_TEXT)
            add_file(assertions, test, file->text, arena);
        search(assertions, test, entry->value, arena);
    }
}

void assertions_add(struct assertions *assertions, const char *path, struct arena *arena)
{
    struct file_content content;
    struct error ignored = {0};
    if (!strstr(base_name(path), "chainsaw-test") || file_read(path, TEST_BYTES_MAX, &content, &ignored) < 0)
        return;
    const struct slice text = arena_copy(arena, (struct slice){content.bytes, content.length});
    const struct yaml_node *root = text.bytes ? yaml_read(text, arena, &ignored) : NULL;
    free(content.bytes);
    if (root)
        search(assertions, path, root, arena);
}

static int compare(const void *a, const void *b)
{
    return slice_compare(*(const struct slice *)a, *(const struct slice *)b);
}

void assertions_sort(struct assertions *assertions)
{
    if (assertions->count)
        qsort(assertions->items, assertions->count, sizeof(*assertions->items), compare);
}

bool assertions_have(const struct assertions *assertions, const char *path, struct arena *arena)
{
    if (!assertions->count)
        return false;
    const char *name = kustomize_path(path, arena);
    const struct slice key = name ? slice_of(name) : (struct slice){NULL, 0};
    return name && bsearch(&key, assertions->items, assertions->count, sizeof(key), compare);
}
