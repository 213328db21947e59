#include "commands/check/inputs.h"

#include "commands/check/kustomizations.h"
#include "manifest/inputs.h"
#include "system/file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What standard input or a pipe may hold: it can be read only once, and is kept. */
#define TEXT_BYTES_MAX ((size_t)256 * 1024 * 1024)

static void *grow(void *items, size_t count, size_t size)
{
    /* In powers of two: the number of files has no bound. */
    return count & (count - 1) ? items : realloc(items, (count ? count * 2 : 1) * size);
}

static bool add_problem(struct check_inputs *inputs, const char *path, const struct error *error)
{
    struct input_problem *items = grow(inputs->problems, inputs->problem_count, sizeof(*items));
    char *copy = strdup(path);
    if (items)
        inputs->problems = items;
    if (!items || !copy) {
        free(copy);
        return false;
    }
    struct input_problem *problem = &items[inputs->problem_count++];
    problem->path = copy;
    problem->error = *error;
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
        .has_text = has_text,
        .text = text,
        .is_found = strcmp(path, inputs->name) != 0,
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
    if (add_item(inputs, path, (struct slice){content.bytes, content.length}, true))
        return true;
    free(content.bytes);
    return false;
}

/* In the folder templates of a chart. False without memory: it will be told that it is no YAML. */
static bool is_chart_template(const char *path)
{
    static const char templates[] = "templates/", chart[] = "Chart.yaml";
    char *beside = malloc(strlen(path) + sizeof(chart));
    bool is_template = false;
    for (const char *at = path; beside && !is_template && (at = strstr(at, templates)); at++) {
        size_t length = (size_t)(at - path);
        memcpy(beside, path, length);
        memcpy(beside + length, chart, sizeof(chart));
        is_template = (!length || at[-1] == '/') && access(beside, F_OK) == 0;
    }
    free(beside);
    return is_template;
}

static bool add_found(void *context, const char *path, const struct error *error)
{
    struct check_inputs *inputs = context;
    struct stat status;
    if (!error && strcmp(path, inputs->name) != 0 && is_chart_template(path)) {
        inputs->template_count++;
        return true;
    }
    if (error)
        return add_problem(inputs, path, error);
    bool is_regular = strcmp(path, "-") != 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
    return is_regular ? add_item(inputs, path, (struct slice){NULL, 0}, false) : add_text(inputs, path);
}

static size_t count_of(const struct check_inputs *inputs)
{
    return inputs->count + inputs->problem_count + inputs->template_count;
}

/* With what leads to nothing as a problem: a directory that was named holds something. */
static bool gather_name(struct check_inputs *inputs, const char *name, bool is_recursive)
{
    const size_t before = count_of(inputs);
    struct error error = {0};
    inputs->name = name;
    if (!inputs_walk(name, is_recursive, add_found, inputs))
        return false;
    error_set(
        &error, "no file in it ends in .yaml, .yml or .json%s",
        is_recursive ? "" : "; --recursive looks into its directories, too");
    return count_of(inputs) > before || add_problem(inputs, name, &error);
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

static void leave_out_patches(struct check_inputs *inputs, const struct kustomizations *kustomizations)
{
    size_t kept = 0;
    for (size_t i = 0; i < inputs->count; i++) {
        const struct check_input *item = &inputs->items[i];
        if (!item->is_found || !kustomizations_have_patch(kustomizations, item->path)) {
            inputs->items[kept++] = *item;
            continue;
        }
        release_item(item);
        inputs->patch_count++;
    }
    inputs->count = kept;
}

/* What was named is applied as it is, with all that was named. */
static void find_roots(struct check_inputs *inputs, const struct kustomizations *kustomizations)
{
    for (size_t i = 0; i < inputs->count; i++) {
        struct check_input *item = &inputs->items[i];
        if (item->is_found)
            item->root = kustomizations_root_of(kustomizations, item->path);
        item->gains_labels = item->is_found && kustomizations_label(kustomizations, item->path);
    }
}

bool check_inputs_ask_kustomizations(struct check_inputs *inputs)
{
    struct kustomizations kustomizations = {.arena = arena_create()};
    bool is_whole = kustomizations.arena;
    for (size_t i = 0; i < inputs->count && is_whole; i++)
        is_whole =
            !inputs->items[i].is_found || kustomizations_look_beside(&kustomizations, inputs->items[i].path);
    is_whole = is_whole && kustomizations_read(&kustomizations);
    if (is_whole) {
        find_roots(inputs, &kustomizations);
        leave_out_patches(inputs, &kustomizations);
    }
    is_whole = is_whole && !arena_has_failed(kustomizations.arena);
    arena_destroy(kustomizations.arena);
    return is_whole;
}

void check_inputs_release(struct check_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        release_item(&inputs->items[i]);
    for (size_t i = 0; i < inputs->problem_count; i++)
        free(inputs->problems[i].path);
    free(inputs->items);
    free(inputs->problems);
    *inputs = (struct check_inputs){0};
}
