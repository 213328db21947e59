#include "cli/replay_merge.h"

#include "base/json.h"
#include "cli/file.h"
#include "cli/framework/message.h"
#include "cli/replay_output.h"
#include "commands/replay/merge.h"
#include "commands/replay/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The result of one shard, and its next write. */
struct shard_result {
    const char *path;
    FILE *file;
    char *bytes;
    size_t capacity;
    unsigned line_number;
    bool has_write;
    bool has_summary; /* it is complete */
    uint64_t number;
    struct slice line;
};

struct merge {
    struct shard_result *shards;
    size_t count;
    struct replay_summary summary;
    struct arena *arena; /* for one line */
    struct arena *names;
    struct replay_output output;
    bool has_failed;
};

static void complain(
    struct merge *merge, const struct shard_result *shard, unsigned line, const char *sentence)
{
    struct error error = {0};
    error_set_at(&error, line, line ? 1 : 0, "%s", sentence);
    file_complain(shard->path, &error);
    merge->has_failed = true;
}

/* Reads lines up to the next write. */
static void advance(struct merge *merge, struct shard_result *shard)
{
    ssize_t length;
    shard->has_write = false;
    while (!shard->has_write && shard->file &&
           (length = getline(&shard->bytes, &shard->capacity, shard->file)) >= 0) {
        struct slice json = {shard->bytes, (size_t)length};
        struct error error = {0};
        shard->line_number++;
        if (json.length && json.bytes[json.length - 1] == '\n')
            json.length--;
        arena_reset(merge->arena);
        enum replay_merged merged =
            replay_merge_line(json, &merge->summary, &shard->number, &shard->line, merge->arena, &error);
        shard->has_write = merged == REPLAY_MERGED_WRITE;
        shard->has_summary |= merged == REPLAY_MERGED_SUMMARY;
        if (merged == REPLAY_MERGED_OTHER)
            complain(merge, shard, shard->line_number, error.message);
    }
}

static struct shard_result *earliest(const struct merge *merge)
{
    struct shard_result *found = NULL;
    for (size_t i = 0; i < merge->count; i++) {
        struct shard_result *shard = &merge->shards[i];
        if (shard->has_write && (!found || shard->number < found->number))
            found = shard;
    }
    return found;
}

static void open_shards(struct merge *merge, const struct operands *files)
{
    for (size_t i = 0; i < merge->count; i++) {
        struct shard_result *shard = &merge->shards[i];
        shard->path = files->items[i];
        shard->file = fopen(shard->path, "re");
        if (!shard->file)
            complain(merge, shard, 0, strerror(errno));
        advance(merge, shard);
    }
}

static void close_shards(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++) {
        struct shard_result *shard = &merge->shards[i];
        if (shard->file && !shard->has_summary)
            complain(merge, shard, 0, "its last line is missing: the shard did not end");
        if (shard->file)
            fclose(shard->file);
        free(shard->bytes);
    }
    free(merge->shards);
}

/* False: out of memory. */
static bool print_write(struct merge *merge, const struct shard_result *shard)
{
    struct replay_row row;
    struct text text = text_start(merge->arena, shard->line.length + 2);
    text_append_all(&text, shard->line, "}");
    if (merge->output.format == OUTPUT_JSON) {
        text_append_string(&text, "\n");
        return replay_output_text(&text);
    }
    yyjson_val *document = json_parse(text_slice(&text), merge->arena);
    if (!document && !arena_has_failed(merge->arena)) {
        complain(merge, shard, shard->line_number, REPLAY_MERGE_NO_RESULT);
        return true;
    }
    return document && replay_row_read(&row, document, merge->arena) &&
        replay_output_row(&merge->output, &row, merge->arena);
}

static void print_all(struct merge *merge)
{
    bool is_printed = true;
    for (struct shard_result *shard; is_printed && (shard = earliest(merge)); advance(merge, shard)) {
        arena_reset(merge->arena);
        is_printed = print_write(merge, shard);
    }
    replay_summary_end(&merge->summary);
    arena_reset(merge->arena);
    if (is_printed && replay_output_end(&merge->output, &merge->summary, merge->arena))
        return;
    message_say_out_of_memory("replay");
    merge->has_failed = true;
}

static bool has_reached(const struct replay_summary *summary, enum action action)
{
    uint64_t audited = summary->index_patches[ACTION_AUDIT];
    for (int rule = 0; rule < RULE_COUNT; rule++)
        audited += summary->findings[rule][ACTION_AUDIT];
    return summary->would_deny || (summary->would_warn && action <= ACTION_WARN) ||
        (audited && action <= ACTION_AUDIT);
}

static int merge_status(const struct merge *merge, enum action fail_on)
{
    if (merge->has_failed)
        return EXIT_UNREADABLE;
    return has_reached(&merge->summary, fail_on) ? EXIT_DENIED : 0;
}

int replay_merge(const struct operands *files, enum output_format format, enum action fail_on)
{
    struct merge merge = {
        .shards = calloc((size_t)files->count, sizeof(struct shard_result)),
        .count = (size_t)files->count,
        .arena = arena_create(),
        .names = arena_create(),
    };
    if (!merge.shards || !merge.arena || !merge.names) {
        message_say_out_of_memory("replay");
        merge.count = 0;
        merge.has_failed = true;
    } else if (!replay_output_begin(&merge.output, format)) {
        merge.count = 0;
        merge.has_failed = true;
    } else {
        replay_summary_start(&merge.summary, merge.names);
        open_shards(&merge, files);
        print_all(&merge);
    }
    close_shards(&merge);
    replay_output_close(&merge.output);
    arena_destroy(merge.arena);
    arena_destroy(merge.names);
    return merge_status(&merge, fail_on);
}
