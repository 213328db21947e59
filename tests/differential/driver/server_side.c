/*
 * A server-side apply: what it makes of the object, and whose fields it takes.
 *
 * The parts: the OpenAPI schema (empty: that of a built-in type), the live object, what is applied, which of
 * the owners applies (a number; as many as there are owners: none of them), and the FieldsV1 of each owner.
 */
#include "apply/merge/server_side.h"

#include "base/json.h"
#include "tests/differential/driver/driver.h"

#define FIRST_OWNER 4

static yyjson_val *read_json(struct question *question, size_t part)
{
    return yyjson_doc_get_root(json_read(question->parts[part], YYJSON_READ_NOFLAG, question->arena, NULL));
}

static const struct value *read_value(struct question *question, size_t part)
{
    return value_read(read_json(question, part), question->arena, NULL);
}

/* 0 if it is found. */
static int find_type(struct question *question, const struct value *object, struct schema_ref *type)
{
    struct slice version = value_text(value_member(object, SLICE("apiVersion")));
    struct slice kind = value_text(value_member(object, SLICE("kind")));
    if (question->parts[0].length)
        return schema_read_openapi(read_json(question, 0), question->arena, type, NULL);
    return schema_find_builtin(version, kind, type) ? 0 : -1;
}

static void answer_set(struct question *question, const struct field_set *set)
{
    struct json_build build = json_build_start(question->arena, 0, 0);
    field_set_build(&build, set);
    answer_field(question, json_write(json_build_finish(&build), question->arena));
}

void answer_server_side(struct question *question)
{
    const struct field_set *owners[PARTS_MAX];
    struct error error = {0};
    struct server_side_result result;
    struct server_side_apply apply = {
        .live = read_value(question, 1),
        .configuration = read_value(question, 2),
        .owners = owners,
        .owner_count = question->count - FIRST_OWNER,
    };
    apply.applier = (size_t)(question->parts[3].bytes[0] - '0');
    for (size_t i = 0; i < apply.owner_count; i++) {
        if (field_set_read(read_json(question, FIRST_OWNER + i), question->arena, &owners[i], &error) < 0) {
            answer_field(question, slice_of(error.message));
            return;
        }
    }
    if (!apply.live || !apply.configuration || find_type(question, apply.configuration, &apply.type) < 0) {
        answer_field(question, SLICE("no type"));
        return;
    }
    if (server_side_apply(&apply, question->arena, &result, &error) < 0) {
        answer_field(question, SLICE("refused"));
        return;
    }
    struct text merged = text_start(question->arena, 1024);
    value_append_json(&merged, result.merged);
    answer_field(question, text_slice(&merged));
    answer_set(question, result.fields);
    for (size_t i = 0; i < apply.owner_count; i++) {
        answer_set(question, result.conflicts[i]);
        answer_set(question, result.remaining[i]);
    }
}
