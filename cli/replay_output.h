/* replay_output.h: prints writes and sums as `replay` and `replay --merge` show them. */
#ifndef APPLYGUARD_CLI_REPLAY_OUTPUT_H
#define APPLYGUARD_CLI_REPLAY_OUTPUT_H

#include "commands/replay/replay.h"
#include "commands/replay/row.h"
#include "report/output_format.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct replay_output {
    enum output_format format;
    FILE *rows; /* rows of the page, which follow its sums; NULL: the output is not a page */
    uint64_t row_count;
};

/* Prints an error and returns false if a page's temporary file cannot be made. */
bool replay_output_begin(struct replay_output *output, enum output_format format);

/* Prints the text. Returns false if memory ran out for it, as the next two do. */
bool replay_output_text(const struct text *text);

/* Prints a write for people, or keeps it for the page; the caller prints JSON. */
bool replay_output_row(struct replay_output *output, const struct replay_row *row, struct arena *arena);

/* Prints the sums, and the page. */
bool replay_output_end(
    struct replay_output *output, const struct replay_summary *summary, struct arena *arena);

/* Also after replay_output_begin() failed. */
void replay_output_close(struct replay_output *output);

#endif
