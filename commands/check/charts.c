#include "commands/check/charts.h"

#include "base/arena.h"
#include "base/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool chart_has_template(const char *path)
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

bool chart_explain(struct slice folder, struct error *error)
{
    struct arena *arena = arena_create();
    if (!arena)
        return false;
    struct text text = text_start(arena, 256);
    shell_append_word(&text, folder);
    const struct slice word = text_slice(&text);
    if (word.bytes)
        error_set(
            error,
            "this is a Helm chart, and check judges what it renders; run: helm template %.*s | applyguard "
            "check -",
            (int)word.length, word.bytes);
    arena_destroy(arena);
    return word.bytes;
}
