/*
 * Patterns, formats and whole schemas of CustomResourceDefinitions: which texts and objects they allow.
 */
#include "apply/merge/custom_values.h"
#include "apply/merge/custom_format.h"
#include "base/json.h"
#include "tests/differential/driver/driver.h"

static const char *const words[] = {[ANSWER_NO] = "no", [ANSWER_YES] = "yes", [ANSWER_UNKNOWN] = "unknown"};

typedef enum search_answer fits(struct custom_patterns *patterns, struct slice wanted, struct slice text);

static void answer(struct question *question, fits *fits)
{
    struct custom_patterns patterns = {.arena = question->arena};
    text_append_string(&question->answer, words[fits(&patterns, question->parts[0], question->parts[1])]);
    custom_patterns_free(&patterns);
}

void answer_pattern(struct question *question)
{
    answer(question, custom_pattern_matches);
}

void answer_format(struct question *question)
{
    answer(question, custom_format_fits);
}

static void take_worse(void *context, const struct path *path, const struct custom_problem *problem)
{
    enum search_answer *answer = context;
    (void)path;
    if (*answer != ANSWER_NO)
        *answer = problem->is_certain ? ANSWER_NO : ANSWER_UNKNOWN;
}

void answer_custom_values(struct question *question)
{
    enum search_answer answer = ANSWER_YES;
    struct arena *arena = question->arena;
    struct error error = {0};
    struct schema_ref type;
    yyjson_val *openapi = json_parse(question->parts[0], arena);
    const struct value *object = value_read_json(question->parts[1], arena);
    const struct value *live = question->parts[2].length ? value_read_json(question->parts[2], arena) : NULL;
    if (!object || schema_read_openapi(openapi, arena, &type, &error) < 0) {
        text_append_string(&question->answer, "unreadable");
        return;
    }
    custom_check(openapi, type, object, live, arena, take_worse, &answer);
    text_append_string(&question->answer, words[answer]);
}
