/*
 * scan --merge: the results of shards, which are read line by line.
 */
#include "cli/scan_merge.h"

#include "base/terminal_output.h"
#include "cli/file.h"
#include "cli/framework/command.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "commands/scan/merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void append_summary(
    struct text *text, const struct scan_summary *summary, const struct scan_print *print)
{
    int64_t now = (int64_t)time(NULL);
    const struct scan_text how = {.columns = terminal_columns(), .colour = terminal_has_colour(), .now = now};
    if (print->is_suggestion)
        scan_append_suggestion(text, summary);
    else if (print->format == OUTPUT_TEXT)
        scan_append_text(text, summary, &how);
    else if (print->format == OUTPUT_JSON)
        scan_append_summary(text, summary);
    else if (print->format == OUTPUT_HTML)
        scan_append_html(text, summary);
    else if (print->format == OUTPUT_METRICS)
        scan_append_metrics(text, summary, now, print->seconds);
}

bool scan_print_summary(const struct scan_summary *summary, const struct scan_print *print)
{
    struct arena *arena = arena_create();
    bool is_printed = false;
    if (print->format == OUTPUT_TEXT && !print->is_suggestion)
        terminal_begin_pager();
    if (arena) {
        struct text text = text_start(arena, 16384);
        append_summary(&text, summary, print);
        is_printed = output_write(stdout, text_slice(&text));
    }
    if (!is_printed)
        message_say_out_of_memory("scan");
    arena_destroy(arena);
    return is_printed;
}

struct merging {
    struct scan_summary summary;
    bool has_lines; /* the output has the lines of objects */
    bool has_failed;
};

/* Returns how many summaries the file has. */
static size_t read_lines(struct merging *merging, const char *path, FILE *file)
{
    char *line = NULL;
    size_t capacity = 0, summaries = 0;
    ssize_t length;
    for (unsigned number = 1; (length = getline(&line, &capacity, file)) > 0; number++) {
        struct error error = {0};
        switch (scan_merge_line(&merging->summary, (struct slice){line, (size_t)length}, &error)) {
        case SCAN_MERGED_OBJECT:
            if (merging->has_lines)
                fwrite(line, 1, (size_t)length, stdout);
            break;
        case SCAN_MERGED_SUMMARY:
            summaries++;
            break;
        case SCAN_MERGED_OTHER:
            error.line = number;
            file_complain(path, &error);
            merging->has_failed = true;
            break;
        }
    }
    free(line);
    return summaries;
}

static void read_shard(struct merging *merging, const char *path)
{
    struct error error;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
    bool is_whole = file && read_lines(merging, path, file) > 0;
    if (!file)
        error_set_file(&error, path, errno);
    else if (!is_whole)
        error_set(&error, "it has no line with the sums, so its shard did not end");
    if (file && file != stdin)
        fclose(file);
    if (is_whole)
        return;
    file_complain(path, &error);
    merging->has_failed = true;
}

int scan_merge(const struct names *files, enum output_format format, bool keeps_all, enum action fail_on)
{
    struct arena *arena = arena_create();
    struct merging merging = {.has_lines = format == OUTPUT_JSON};
    if (!arena)
        return message_say_out_of_memory("scan");
    scan_summary_start(&merging.summary, arena, keeps_all || format == OUTPUT_HTML);
    for (size_t i = 0; i < files->count; i++)
        read_shard(&merging, files->items[i]);
    scan_summary_end(&merging.summary);
    bool is_printed = scan_print_summary(&merging.summary, &(struct scan_print){.format = format});
    int status = scan_summary_has_reached(&merging.summary, fail_on) ? EXIT_DENIED : 0;
    arena_destroy(arena);
    return is_printed && !merging.has_failed ? status : EXIT_UNREADABLE;
}
