#include "commands/check/charts.h"

#include "base/arena.h"
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char templates[] = "templates/";

bool chart_of_template(const char *path, struct slice *folder)
{
    static const char chart[] = "Chart.yaml";
    char *beside = malloc(strlen(path) + sizeof(chart));
    bool is_template = false;
    for (const char *at = path; beside && !is_template && (at = strstr(at, templates)); at++) {
        size_t length = (size_t)(at - path);
        memcpy(beside, path, length);
        memcpy(beside + length, chart, sizeof(chart));
        is_template = (!length || at[-1] == '/') && access(beside, F_OK) == 0;
        *folder = length ? slice_until(slice_of(path), length - 1) : SLICE(".");
    }
    free(beside);
    return is_template;
}

bool chart_folder_of(const char *path, struct slice *folder)
{
    static const struct slice name = SLICE_LITERAL("Chart.yaml");
    struct slice whole = slice_of(path);
    while (slice_starts_with(whole, SLICE("./")))
        whole = slice_from(whole, 2);
    if (whole.length < name.length || !slice_equal(slice_from(whole, whole.length - name.length), name))
        return false;
    *folder = slice_until(whole, whole.length - name.length);
    if (!folder->length) {
        *folder = SLICE(".");
        return true;
    }
    folder->length--;
    return folder->bytes[folder->length] == '/';
}

/* `file` is in the chart's directory; empty: all of the chart. */
static bool explain(struct slice folder, struct slice file, struct error *error)
{
    struct arena *arena = arena_create();
    if (!arena)
        return false;
    struct text text = text_start(arena, 256);
    shell_append_word(&text, folder);
    if (file.length)
        text_append_all(&text, " --show-only ", as_escaped(shell_append_word, file));
    const struct slice words = text_slice(&text);
    if (words.bytes)
        error_set_at(
            error, error->line, error->column,
            "this is a %sHelm chart, and check judges what it renders; run: helm template %.*s | applyguard "
            "check -",
            file.length ? "template of a " : "", (int)words.length, words.bytes);
    arena_destroy(arena);
    return words.bytes;
}

bool chart_explain(struct slice folder, struct error *error)
{
    return explain(folder, (struct slice){NULL, 0}, error);
}

bool chart_explain_template(const char *path, struct error *error)
{
    struct slice folder;
    if (!chart_of_template(path, &folder))
        return false;
    const size_t start = slice_equal(folder, SLICE(".")) && path[0] != '.' ? 0 : folder.length + 1;
    return explain(folder, slice_from(slice_of(path), start), error);
}
