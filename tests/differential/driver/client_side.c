/*
 * A client-side apply: what it makes of the object.
 *
 * The parts: "custom" or nothing, what was last applied (empty: nothing), the manifest, and the live object.
 */
#include "apply/merge/client_side.h"

#include "base/json.h"
#include "tests/differential/driver/driver.h"

static const struct value *read_value(struct question *question, size_t part)
{
    yyjson_doc *document = json_read(question->parts[part], YYJSON_READ_NOFLAG, question->arena, NULL);
    return value_read(yyjson_doc_get_root(document), question->arena, NULL);
}

void answer_client_side(struct question *question)
{
    struct error error = {0};
    struct client_side_result result;
    struct client_side_apply apply = {
        .is_custom = question->parts[0].length > 0,
        .manifest = read_value(question, 2),
        .live = read_value(question, 3),
    };
    if (question->parts[1].length)
        apply.last_applied = read_value(question, 1);
    struct slice version = value_text(value_member(apply.manifest, SLICE("apiVersion")));
    struct slice kind = value_text(value_member(apply.manifest, SLICE("kind")));
    if (!apply.manifest || !apply.live ||
        (!apply.is_custom && !schema_find_builtin(version, kind, &apply.type))) {
        answer_field(question, SLICE("no type"));
        return;
    }
    if (client_side_apply(&apply, question->arena, &result, &error) < 0) {
        answer_field(question, SLICE("refused"));
        answer_field(question, slice_of(error.message));
        return;
    }
    struct text merged = text_start(question->arena, 1024);
    value_append_json(&merged, result.merged);
    answer_field(question, result.patch->count ? SLICE("patched") : SLICE("unchanged"));
    answer_field(question, text_slice(&merged));
}
