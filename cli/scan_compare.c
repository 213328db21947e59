#include "cli/scan_compare.h"

#include "base/split.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"

#include <stdio.h>
#include <stdlib.h>

/* The limit of the JSON of an earlier scan. */
#define EARLIER_BYTES_MAX ((size_t)1024 * 1024 * 1024)

static int read_lines(struct scan_diff *diff, struct slice content, struct error *error)
{
    for (unsigned line = 1; content.length; line++) {
        struct slice one = split_next(&content, '\n');
        if (one.length && scan_diff_read(diff, one, error) < 0) {
            error->line = line;
            return -1;
        }
    }
    if (!diff->is_whole)
        return error_set(error, "it has no line with the sums, so its scan did not end");
    return 0;
}

bool scan_read_earlier(const char *path, struct scan_comparison *comparison)
{
    struct file_content content = {0};
    struct error error = {0};
    int result = -1;
    if (!scan_diff_start(&comparison->diff))
        error_set_out_of_memory(&error);
    else if (file_read(path, EARLIER_BYTES_MAX, &content, &error) == 0)
        result = read_lines(&comparison->diff, file_slice(&content), &error);
    free(content.bytes);
    if (result < 0)
        file_complain(path, &error);
    return result == 0;
}

bool scan_compare_line(void *context, struct slice line)
{
    struct scan_comparison *comparison = context;
    struct error error = {0};
    struct text text = text_start(comparison->arena, 1024);
    int result = scan_diff_compare(&comparison->diff, line, &text, &error);
    if (result < 0)
        message_say("applyguard scan: %s", error.message);
    else
        output_write(stdout, comparison->format == OUTPUT_JSON && text.length ? line : text_slice(&text));
    comparison->has_failed |= result < 0;
    arena_reset(comparison->arena);
    return result == 0;
}

void scan_print_difference(struct scan_comparison *comparison)
{
    struct text text = text_start(comparison->arena, 4096), gone = text_start(comparison->arena, 4096);
    scan_diff_append_gone(&comparison->diff, &gone);
    if (comparison->format == OUTPUT_JSON) {
        scan_diff_append_json(&comparison->diff, &text);
    } else {
        text_append(&text, text_slice(&gone));
        scan_diff_append_sums(&comparison->diff, &text);
    }
    output_write(stdout, text_slice(&text));
    arena_reset(comparison->arena);
}
