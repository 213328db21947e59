/* Memory runs out while a history is read: the output is whole, or an error says why it is missing. */
#include "audit/logs.h"
#include "commands/blame/history.h"
#include "commands/blame/print.h"
#include "tests/torture/block_arena.h"
#include "tests/unit/failing_calls.h"
#include "tests/unit/log_file.h"
#include "tests/unit/manifest/manifest_fixture.h"

#define META(version)                                                                                        \
    "\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{\"name\":\"web\",\"namespace\":\"n\"," \
    "\"uid\":\"u\",\"resourceVersion\":\"" version "\",\"managedFields\":[{\"manager\":\"m\",\"operation\":" \
    "\"Update\",\"apiVersion\":\"apps/"                                                                      \
    "v1\",\"fieldsType\":\"FieldsV1\",\"fieldsV1\":{\"f:spec\":{\"f:replicas\":{},\"f:paused\":{}}}}]}"

#define EVENT(time, verb, code, more)                                                                        \
    "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/"                                                     \
    "v1\",\"level\":\"RequestResponse\",\"stage\":\"ResponseComplete\","                                     \
    "\"requestURI\":\"/?force=true\",\"verb\":\"" verb                                                       \
    "\",\"user\":{\"username\":\"jane\"},\"userAgent\":\"m/1\",\"objectRef\":{\"resource\":\"deployments\"," \
    "\"namespace\":\"n\",\"name\":\"web\",\"apiGroup\":\"apps\"" more ",\"responseStatus\":{\"code\":" code  \
    "},\"stageTimestamp\":\"2026-11-23T10:00:0" time ".000000Z\"}\n"

#define ANSWER(version, replicas)                                                                            \
    "},\"responseObject\":{" META(version) ",\"spec\":{\"replicas\":" replicas ",\"paused\":true}}"

static const char object_text[] = "{" META("4") ",\"spec\":{\"replicas\":4,\"paused\":false}}";

/* An object's life, a scale, a write that is not shown, and one more than the log has. */
static const char log_text[] = EVENT("1", "create", "201", ANSWER("1", "1")) EVENT(
    "2", "update", "200",
    ",\"subresource\":\"scale\"},\"responseObject\":{\"kind\":\"Scale\",\"metadata\":{"
    "\"resourceVersion\":\"2\"},\"spec\":{\"replicas\":2}}") EVENT("3", "patch", "200", "}")
    EVENT("4", "patch", "200", ANSWER("4", "4")) EVENT("5", "patch", "409", "}");

struct story {
    struct manifest_object object;
    struct log_file first, second;
    char told[65536]; /* the output before; empty: nothing was */
};

static bool read_logs(struct story *story, struct history *history, struct error *error)
{
    const char *const paths[] = {story->second.path, story->first.path};
    struct audit_entry entry;
    enum audit_result result = AUDIT_END;
    bool is_whole = true;
    struct audit_logs *logs = audit_logs_open(paths, 2);
    while (logs && (result = audit_logs_next(logs, &entry, error)) != AUDIT_END)
        is_whole &= result == AUDIT_EVENT && history_add(history, &entry.event);
    audit_logs_close(logs);
    return logs && history_end(history) && is_whole;
}

static bool tell(struct story *story, struct arena *arena, struct error *error)
{
    struct blame *blame = NULL;
    struct blame_print print = {.now = 1800000000};
    if (blame_read(&story->object, NULL, arena, &blame, error) != BLAME_OK)
        return false;
    struct history *history = history_start(blame);
    bool is_told = history && read_logs(story, history, error);
    struct text text = text_start(arena, 64);
    if (is_told) {
        blame_append_text(&text, blame, &print);
        blame_append_json(&text, blame, &print);
        blame_append_html_begin(&text);
        blame_append_html(&text, blame, &print);
        blame_append_html_end(&text);
    }
    history_free(history);
    struct slice all = text_slice(&text);
    if (!is_told || !all.bytes)
        return false;
    assert_true(all.length < sizeof(story->told));
    assert_true(!story->told[0] || slice_equal(all, slice_of(story->told)));
    memcpy(story->told, all.bytes, all.length);
    return true;
}

static bool attempt_history(void *data, struct error *error)
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
    struct slice text = slice_of(object_text);
    const char *later = strstr(log_text, "\n") + 1;
    struct manifest_reader *reader = read_object(&text, &story.object);
    (void)state;
    story.first = log_file_of((struct slice){log_text, (size_t)(later - log_text)}, false);
    story.second = log_file_of(slice_of(later), true);
    assert_true(fail_at_each_place(attempt_history, &story) > 60);
    static const char *const words[] = {
        ".spec.replicas: 3 changes", "Created ", "(unknown)", "1 write whose changes", "1 refused request"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (!strstr(story.told, words[i]))
            fail_msg("%s is not in %s", words[i], story.told);
    log_file_close(&story.first);
    log_file_close(&story.second);
    manifest_close(reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_or_an_error),
    };
    return cmocka_run_group_tests_name("histories without memory", tests, NULL, NULL);
}
