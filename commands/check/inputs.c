#include "commands/check/inputs.h"
#include "commands/check/samples.h"

#include "base/file_path.h"
#include "base/text.h"
#include "commands/check/charts.h"
#include "commands/check/fixtures.h"
#include "commands/check/kustomizations.h"
#include "commands/check/short_path.h"
#include "commands/check/test_files.h"
#include "commands/check/ytt.h"
#include "manifest/inputs.h"
#include "system/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The limit of standard input or a pipe: it can be read only once, and is kept. */
#define TEXT_BYTES_MAX ((size_t)256 * 1024 * 1024)

static void *grow(void *items, size_t count, size_t size)
{
    /* Grows by powers of two: the number of files has no limit. */
    return count & (count - 1) ? items : realloc(items, (count ? count * 2 : 1) * size);
}

/* Adds to the problems or the notes. */
static bool add_to(struct input_problem **list, size_t *count, const char *path, const struct error *error)
{
    struct input_problem *items = grow(*list, *count, sizeof(*items));
    char *copy = strdup(path);
    if (items)
        *list = items;
    if (!items || !copy) {
        free(copy);
        return false;
    }
    struct input_problem *problem = &items[(*count)++];
    problem->path = copy;
    problem->error = *error;
    return true;
}

static bool add_problem(struct check_inputs *inputs, const char *path, const struct error *error)
{
    return add_to(&inputs->problems, &inputs->problem_count, path, error);
}

static bool pass_over(struct check_inputs *inputs, const char *path, const char *reason)
{
    struct passed_input *items = grow(inputs->passed, inputs->passed_count, sizeof(*items));
    char *copy = strdup(path);
    if (items)
        inputs->passed = items;
    if (!items || !copy) {
        free(copy);
        return false;
    }
    struct passed_input *passed = &items[inputs->passed_count++];
    passed->path = copy;
    passed->reason = reason;
    return true;
}

static bool add_item(struct check_inputs *inputs, const char *path, struct slice text, bool has_text)
{
    struct check_input *items = grow(inputs->items, inputs->count, sizeof(*items));
    char *copy = strdup(path);
    if (items)
        inputs->items = items;
    if (!items || !copy) {
        free(copy);
        return false;
    }
    items[inputs->count++] = (struct check_input){
        .path = copy,
        .source = inputs->source,
        .is_former = inputs->is_former,
        .has_text = has_text,
        .text = text,
        .is_found = strcmp(path, inputs->name) != 0,
        .is_sample = is_sample(inputs->name, path),
        .is_rendered = strcmp(path, "-") == 0,
    };
    return true;
}

static bool add_text(struct check_inputs *inputs, const char *path)
{
    struct file_content content;
    struct error error = {0};
    if (file_read(path, TEXT_BYTES_MAX, &content, &error) < 0)
        return add_problem(inputs, path, &error);
    if (add_item(inputs, path, file_slice(&content), true))
        return true;
    free(content.bytes);
    return false;
}

static bool is_below(struct slice folder, struct slice above)
{
    return slice_equal(above, SLICE(".")) ||
        (slice_starts_with(folder, above) && folder.length > above.length &&
         folder.bytes[above.length] == '/');
}

/* A directory comes before the directories inside it. */
static bool add_chart(struct check_inputs *inputs, struct slice folder)
{
    while (slice_starts_with(folder, SLICE("./")))
        folder = slice_from(folder, 2);
    for (size_t i = 0; i < inputs->chart_count; i++) {
        const struct slice above = slice_of(inputs->charts[i]);
        if (slice_equal(folder, above) || is_below(folder, above))
            return true;
    }
    char **charts = grow(inputs->charts, inputs->chart_count, sizeof(*charts));
    char *copy = strndup(folder.bytes, folder.length);
    if (charts)
        inputs->charts = charts;
    if (!charts || !copy) {
        free(copy);
        return false;
    }
    charts[inputs->chart_count++] = copy;
    return true;
}

static bool is_excluded(const struct check_inputs *inputs, const char *path)
{
    bool is_found = strcmp(path, inputs->name) != 0;
    return strcmp(path, "-") != 0 &&
        (exclusions_match(&inputs->excluded, path) || (is_found && exclusions_match(&inputs->ignored, path)));
}

static bool add_file(struct check_inputs *inputs, const char *path)
{
    struct slice folder;
    struct stat status;
    bool is_found = strcmp(path, inputs->name) != 0;
    if (is_found && chart_folder_of(path, &folder) && !add_chart(inputs, folder))
        return false;
    if (is_found && chart_of_template(path, &folder))
        return add_chart(inputs, folder) &&
            pass_over(inputs, path, "a template of a Helm chart; check what helm template prints");
    if (is_found && is_ytt_template(path)) {
        if (!pass_over(inputs, path, "a template of ytt; check what ytt prints"))
            return false;
        if (!inputs->first_ytt)
            inputs->first_ytt = inputs->passed[inputs->passed_count - 1].path;
        return true;
    }
    bool is_regular =
        is_found || (strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode));
    return is_regular ? add_item(inputs, path, (struct slice){NULL, 0}, false) : add_text(inputs, path);
}

static struct slice folder_of(const char *path)
{
    struct slice folder = slice_of(path);
    while (folder.length && folder.bytes[folder.length - 1] != '/')
        folder.length--;
    return folder;
}

/*
 * Reads the .applyguardignore of each directory from below the named one down to the file's, unless the file
 * before was in it as well, and forgets the files of directories that the search has left.
 */
static bool read_ignored(struct check_inputs *inputs, const char *path)
{
    const struct slice folder = folder_of(path);
    bool is_whole = true;
    if (slice_equal(folder, inputs->walked))
        return true;
    exclusions_leave(&inputs->ignored, folder);
    for (size_t end = strlen(inputs->name) + 1; end < folder.length && is_whole; end++) {
        if (folder.bytes[end] != '/' || slice_starts_with(inputs->walked, slice_until(folder, end + 1)))
            continue;
        char *name = strndup(path, end);
        is_whole = name && exclusions_read(&inputs->ignored, name);
        free(name);
    }
    inputs->walked = is_whole ? arena_copy(inputs->ignored.arena, folder) : (struct slice){NULL, 0};
    return is_whole && !arena_has_failed(inputs->ignored.arena);
}

static bool add_found(void *context, const char *path, const struct error *error)
{
    struct check_inputs *inputs = context;
    if (!read_ignored(inputs, path))
        return false;
    if (is_excluded(inputs, path)) {
        inputs->excluded_count++;
        return pass_over(inputs, path, "excluded by a pattern");
    }
    const char *fixture = inputs->is_former ? NULL : fixture_reason(inputs->name, path);
    if (fixture)
        return pass_over(inputs, path, fixture);
    return error ? add_problem(inputs, path, error) : add_file(inputs, path);
}

static size_t count_of(const struct check_inputs *inputs)
{
    return inputs->count + inputs->problem_count + inputs->passed_count;
}

/*
 * A path without any file is a problem: a named directory is expected to contain manifests. A directory of a
 * source may be empty.
 */
static bool gather_name(struct check_inputs *inputs, const char *name, bool is_recursive)
{
    const size_t before = count_of(inputs);
    struct error error = {0};
    inputs->name = name;
    if (!exclusions_read(&inputs->ignored, name) || !inputs_walk(name, is_recursive, add_found, inputs))
        return false;
    error_set(
        &error, "no file in it ends in .yaml, .yml or .json%s", is_recursive ? "" : INPUTS_RECURSIVE_ADVICE);
    if (count_of(inputs) > before)
        return true;
    return inputs->source.length ? add_to(&inputs->notes, &inputs->note_count, name, &error)
                                 : add_problem(inputs, name, &error);
}

bool check_inputs_gather_former(struct check_inputs *inputs, const char *name, bool is_recursive)
{
    inputs->is_former = true;
    bool is_whole = gather_name(inputs, name, is_recursive);
    inputs->is_former = false;
    return is_whole;
}

bool check_inputs_add_former(struct check_inputs *inputs, const char *name, struct slice text)
{
    inputs->is_former = true;
    inputs->name = name;
    bool is_whole = add_item(inputs, name, text, true);
    inputs->is_former = false;
    return is_whole;
}

bool check_inputs_gather(
    struct check_inputs *inputs, const struct names *names, struct slice source, bool is_recursive)
{
    inputs->source = source;
    for (size_t i = 0; i < names->count; i++)
        if (!gather_name(inputs, names->items[i], is_recursive))
            return false;
    return true;
}

static void release_item(const struct check_input *item)
{
    free((char *)(uintptr_t)item->path);
    free((char *)(uintptr_t)item->text.bytes);
}

/* NULL: it is not passed over. */
static const char *reason_to_pass_over(
    const struct check_input *item, const struct kustomizations *kustomizations,
    const struct test_files *tests)
{
    if (kustomizations_have_patch(kustomizations, item->path))
        return "a patch of a kustomization; check what kustomize prints";
    if (kustomizations_have_content(kustomizations, item->path))
        return "the content of a ConfigMap or a Secret that a kustomization makes";
    return test_files_reason(tests, item->path, kustomizations->arena);
}

static bool leave_out_patches(
    struct check_inputs *inputs, const struct kustomizations *kustomizations, const struct test_files *tests)
{
    size_t kept = 0;
    bool is_whole = true;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct check_input *item = &inputs->items[i];
        const bool may_be_left = item->is_found && !item->is_former;
        const char *reason = may_be_left ? reason_to_pass_over(item, kustomizations, tests) : NULL;
        if (!reason) {
            inputs->items[kept++] = *item;
            continue;
        }
        is_whole &= pass_over(inputs, item->path, reason);
        release_item(item);
    }
    inputs->count = kept;
    return is_whole;
}

/*
 * Repeated files
 */

struct named_input {
    const char *name; /* in its shortest form */
    size_t index;
    bool is_link;
};

static int compare_inputs(const void *a, const void *b)
{
    const struct named_input *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    if (!order)
        order = (first->is_link > second->is_link) - (first->is_link < second->is_link);
    return order ? order : first->index < second->index ? -1 : 1;
}

/* Each source has its own files, and so have former definitions. */
static bool is_same(
    const struct check_inputs *inputs, const struct named_input *a, const struct named_input *b)
{
    const struct check_input *first = &inputs->items[a->index], *second = &inputs->items[b->index];
    return strcmp(a->name, b->name) == 0 && first->is_former == second->is_former &&
        slice_equal(first->source, second->source);
}

/*
 * The first one stays, and a file rather than a link to it. A file that is named must contain objects, even
 * if it was also found in a directory.
 */
static void leave_out_same(struct check_inputs *inputs, const struct named_input *named)
{
    size_t kept = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct named_input *first = &named[i];
        size_t at = i;
        while (at && is_same(inputs, &named[at - 1], &named[i]))
            first = &named[--at];
        if (first == &named[i])
            continue;
        inputs->items[first->index].is_found &= inputs->items[named[i].index].is_found;
        release_item(&inputs->items[named[i].index]);
        inputs->items[named[i].index].path = NULL;
    }
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].path)
            inputs->items[kept++] = inputs->items[i];
    inputs->count = kept;
}

/*
 * The target of a link. It is empty for other files, and for a link that a search found and that leads to
 * another directory, whose kustomization may change the object.
 */
static struct slice link_target(const struct check_input *item, char *target, size_t size)
{
    ssize_t length = readlink(item->path, target, size);
    bool is_whole = length > 0 && (size_t)length < size;
    if (!is_whole || (item->is_found && memchr(target, '/', (size_t)length)))
        length = 0;
    return (struct slice){target, (size_t)length};
}

static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

/*
 * The working directory, with a slash, if some paths begin there and others at the root; empty otherwise, or
 * if it is unknown.
 */
static struct slice working_directory(const struct check_inputs *inputs, struct arena *arena)
{
    char buffer[4096];
    size_t absolute = 0;
    for (size_t i = 0; i < inputs->count; i++)
        absolute += is_absolute(inputs->items[i].path);
    if (!absolute || absolute == inputs->count || !getcwd(buffer, sizeof(buffer)))
        return (struct slice){NULL, 0};
    return text_join(arena, buffer, "/");
}

/* The folder of a link's target. */
static struct slice folder_of_target(struct slice path, struct slice above, struct arena *arena)
{
    return text_join(arena, above, file_path_folder(path));
}

/* A link such as latest.yaml is the same input as its file, web-1.2.yaml. */
static struct named_input name_input(
    const struct check_inputs *inputs, size_t index, struct slice directory, struct arena *arena)
{
    char buffer[256];
    const char *name = inputs->items[index].path;
    const struct slice path = slice_of(name), none = {NULL, 0}, above = is_absolute(name) ? none : directory;
    const struct slice target = link_target(&inputs->items[index], buffer, sizeof(buffer));
    bool is_link = target.length != 0;
    return (struct named_input){
        .name = short_path_in(
            is_link ? folder_of_target(path, above, arena) : above, is_link ? target : path, arena),
        .index = index,
        .is_link = is_link,
    };
}

static bool leave_out_given(struct check_inputs *inputs)
{
    struct arena *arena = arena_create();
    struct named_input *named = arena ? arena_allocate_array(arena, inputs->count, sizeof(*named)) : NULL;
    bool is_whole = named || (arena && !inputs->count);
    const struct slice directory = named ? working_directory(inputs, arena) : (struct slice){NULL, 0};
    for (size_t i = 0; named && i < inputs->count && is_whole; i++) {
        named[i] = name_input(inputs, i, directory, arena);
        is_whole = named[i].name;
    }
    if (named && is_whole) {
        qsort(named, inputs->count, sizeof(*named), compare_inputs);
        leave_out_same(inputs, named);
    }
    arena_destroy(arena);
    return is_whole;
}

/* Helm installs what is in crds/ as it is. */
static bool is_of_chart(const struct check_inputs *inputs, const char *path)
{
    struct slice file = slice_of(path);
    while (slice_starts_with(file, SLICE("./")))
        file = slice_from(file, 2);
    for (size_t i = 0; i < inputs->chart_count; i++) {
        const struct slice chart = slice_of(inputs->charts[i]);
        if (!is_below(file, chart))
            continue;
        return !slice_starts_with(
            slice_from(file, slice_equal(chart, SLICE(".")) ? 0 : chart.length + 1), SLICE("crds/"));
    }
    return false;
}

static struct test_files find_tests(const struct check_inputs *inputs, struct arena *arena)
{
    struct test_files tests = {0};
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].is_found)
            test_files_add(&tests, inputs->items[i].path, arena);
    test_files_sort(&tests);
    return tests;
}

/*
 * Files that were named are applied as they are, together with the others. The steps of a test are applied
 * one by one.
 */
static void find_roots(
    struct check_inputs *inputs, const struct kustomizations *kustomizations, const struct test_files *tests)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct check_input *item = &inputs->items[i];
        if (!item->is_found)
            continue;
        item->root = test_files_are_steps(tests, item->path, kustomizations->arena)
            ? slice_of(item->path)
            : kustomizations_root_of(kustomizations, item->path);
        item->kustomize_adds_labels = kustomizations_label(kustomizations, item->path);
        item->kustomized = kustomizations_change(kustomizations, item->path);
        item->is_of_chart = is_of_chart(inputs, item->path);
        item->is_kustomized = kustomizations_have(kustomizations, item->path);
        item->is_untaken = kustomizations_leave_out(kustomizations, item->path);
    }
}

bool check_inputs_settle(struct check_inputs *inputs)
{
    struct kustomizations kustomizations = {.arena = arena_create()};
    bool is_whole = kustomizations.arena && leave_out_given(inputs);
    for (size_t i = 0; i < inputs->count && is_whole; i++)
        is_whole =
            !inputs->items[i].is_found || kustomizations_look_beside(&kustomizations, inputs->items[i].path);
    is_whole = is_whole && kustomizations_read(&kustomizations);
    if (is_whole) {
        const struct test_files tests = find_tests(inputs, kustomizations.arena);
        find_roots(inputs, &kustomizations, &tests);
        is_whole = leave_out_patches(inputs, &kustomizations, &tests);
    }
    inputs->arena = kustomizations.arena;
    return is_whole && !arena_has_failed(kustomizations.arena);
}

static void release_problems(struct input_problem *problems, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(problems[i].path);
    free(problems);
}

void check_inputs_release(struct check_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        release_item(&inputs->items[i]);
    for (size_t i = 0; i < inputs->passed_count; i++)
        free(inputs->passed[i].path);
    for (size_t i = 0; i < inputs->chart_count; i++)
        free(inputs->charts[i]);
    release_problems(inputs->problems, inputs->problem_count);
    release_problems(inputs->notes, inputs->note_count);
    free(inputs->items);
    free(inputs->passed);
    free(inputs->charts);
    arena_destroy(inputs->arena);
    exclusions_release(&inputs->excluded);
    exclusions_release(&inputs->ignored);
    *inputs = (struct check_inputs){0};
}
