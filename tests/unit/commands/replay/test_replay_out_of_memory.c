/* Memory runs out while a log is replayed: the output is whole, or an error says why it is missing. */
#include "audit/logs.h"
#include "commands/replay/replay.h"
#include "commands/replay/row.h"
#include "tests/torture/block_arena.h"
#include "tests/unit/commands/replay/replay_log.h"
#include "tests/unit/failing_calls.h"
#include "tests/unit/log_file.h"

struct story {
    struct log_file file;
    const struct policy *strict, *baseline;
    char told[65536]; /* what was printed before; empty: nothing was */
};

static bool append_write(struct text *text, struct arena *arena, const struct replay_write *write)
{
    struct text line = text_start(arena, 64);
    struct replay_row row;
    replay_append_line(&line, write);
    if (!replay_row_of_write(&row, write, arena))
        return false;
    replay_append_row(&line, &row);
    replay_append_difference(&line, &row);
    struct slice all = text_slice(&line);
    text_append(text, all);
    return all.bytes;
}

static bool read_log(
    const struct story *story, struct replay *replay, struct text *text, struct arena *arena,
    struct error *error)
{
    const char *path = story->file.path;
    struct audit_entry entry;
    struct replay_write write;
    enum audit_result result = AUDIT_END;
    bool is_whole = true;
    struct audit_logs *logs = audit_logs_open(&path, 1);
    while (logs && is_whole && (result = audit_logs_next(logs, &entry, error)) != AUDIT_END) {
        enum replay_result added =
            result == AUDIT_EVENT ? replay_add(replay, &entry.event, &write) : REPLAY_NO_MEMORY;
        is_whole = added != REPLAY_NO_MEMORY && (added == REPLAY_SILENT || append_write(text, arena, &write));
    }
    audit_logs_close(logs);
    return logs && is_whole;
}

/* Alone, or compared with another policy. False: memory runs out, or an error. */
static bool replay_once(
    struct story *story, const struct policy *other, struct text *text, struct arena *arena,
    struct error *error)
{
    const struct replay_options options = {
        .policy = story->strict, .other = other, .memory = 1 << 20, .suggests = other != NULL};
    struct replay *replay = replay_create(&options);
    bool is_told = replay && read_log(story, replay, text, arena, error);
    if (is_told) {
        const struct replay_summary *summary = replay_end(replay);
        replay_append_summary(text, summary);
        replay_append_text(text, summary);
        replay_append_page(text, summary);
        replay_append_suggestion(text, summary, replay_suggestion(replay));
    }
    replay_free(replay);
    return is_told;
}

static bool tell(struct story *story, struct arena *arena, struct error *error)
{
    struct text text = text_start(arena, 64);
    bool is_told = replay_once(story, NULL, &text, arena, error) &&
        replay_once(story, story->baseline, &text, arena, error);
    struct slice all = text_slice(&text);
    if (!is_told || !all.bytes)
        return false;
    assert_true(all.length < sizeof(story->told));
    assert_true(!story->told[0] || slice_equal(all, slice_of(story->told)));
    memcpy(story->told, all.bytes, all.length);
    return true;
}

static bool attempt_replay(void *data, struct error *error)
{
    struct arena *arena = arena_create();
    bool is_told = arena && tell(data, arena, error);
    arena_destroy(arena);
    if (!is_told && !error->message[0])
        error_set(error, "there is no memory");
    return is_told;
}

static void all_or_an_error(void **state)
{
    static struct story story;
    static const char *const words[] = {
        "\"ownership-conflict\"", "\"conflicts\":[{", "\"unjudged\":[\"scale\"]", "changed by the webhook w",
        "users: [\"jane\"]"};
    struct policy *strict = replay_suggested_profile(0), *baseline = replay_suggested_profile(1);
    (void)state;
    story.file = log_file_of(slice_of(REPLAY_LOG), true);
    story.strict = strict;
    story.baseline = baseline;
    assert_true(fail_at_each_place(attempt_replay, &story) > 60);
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strstr(story.told, words[i]))
            fail_msg("%s is not in %s", words[i], story.told);
    log_file_close(&story.file);
    policy_free(strict);
    policy_free(baseline);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_or_an_error),
    };
    return cmocka_run_group_tests_name("replays without memory", tests, NULL, NULL);
}
