#include "cli/replay_output.h"

#include "cli/framework/message.h"
#include "cli/framework/output.h"

#include <errno.h>
#include <string.h>

/* So many writes are on a page: a browser sorts no more. */
#define PAGE_ROWS_MAX 5000

bool replay_output_begin(struct replay_output *output, enum output_format format)
{
    *output = (struct replay_output){.format = format, .rows = format == OUTPUT_HTML ? tmpfile() : NULL};
    if (format != OUTPUT_HTML || output->rows)
        return true;
    message_say("applyguard replay: no temporary file can be made: %s", strerror(errno));
    return false;
}

bool replay_output_text(const struct text *text)
{
    return output_write(stdout, text_slice(text));
}

bool replay_output_row(struct replay_output *output, const struct replay_row *row, struct arena *arena)
{
    struct text text = text_start(arena, 1024);
    if (!output->rows) {
        replay_append_difference(&text, row);
        return output_write(stdout, text_slice(&text));
    }
    if (!replay_append_row(&text, row))
        return true;
    return output->row_count++ >= PAGE_ROWS_MAX || output_write(output->rows, text_slice(&text));
}

static bool copy_rows(FILE *rows)
{
    char bytes[16384];
    size_t length;
    rewind(rows);
    while ((length = fread(bytes, 1, sizeof(bytes), rows)) > 0)
        fwrite(bytes, 1, length, stdout);
    return !ferror(rows);
}

static bool print_page(
    const struct replay_output *output, const struct replay_summary *summary, struct arena *arena)
{
    struct text text = text_start(arena, 4096), end = text_start(arena, 4096);
    uint64_t count = output->row_count;
    replay_append_page(&text, summary);
    replay_append_rows_begin(&text);
    replay_append_rows_end(&end, count > PAGE_ROWS_MAX ? count - PAGE_ROWS_MAX : 0);
    return output_write(stdout, text_slice(&text)) && copy_rows(output->rows) &&
        output_write(stdout, text_slice(&end));
}

bool replay_output_end(
    struct replay_output *output, const struct replay_summary *summary, struct arena *arena)
{
    if (output->format == OUTPUT_HTML)
        return print_page(output, summary, arena);
    struct text text = text_start(arena, 4096);
    if (output->format == OUTPUT_JSON)
        replay_append_summary(&text, summary);
    else
        replay_append_text(&text, summary);
    return output_write(stdout, text_slice(&text));
}

void replay_output_close(struct replay_output *output)
{
    if (output->rows)
        fclose(output->rows);
    output->rows = NULL;
}
