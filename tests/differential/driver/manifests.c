/*
 * Manifests: which objects applyguard reads in an input.
 */
#include "manifest/manifest.h"
#include "tests/differential/driver/driver.h"

static struct slice line_of(struct question *question, const struct error *error)
{
    struct text text = text_start(question->arena, 128);
    text_append_string(&text, "E");
    text_append_number(&text, error->line);
    text_append_string(&text, ":");
    text_append_number(&text, error->column);
    text_append_string(&text, ": ");
    text_append_string(&text, error->message);
    return text_slice(&text);
}

static struct slice object_of(struct question *question, const struct manifest_object *object)
{
    struct text text = text_start(question->arena, 1024);
    text_append_string(&text, "O");
    manifest_append_json(&text, object->root);
    return text_slice(&text);
}

void answer_manifest(struct question *question)
{
    struct slice rest = question->parts[0];
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    while (reader && (result = manifest_next(reader, &object, &error)) != MANIFEST_END)
        answer_field(
            question, result == MANIFEST_OBJECT ? object_of(question, &object) : line_of(question, &error));
    manifest_close(reader);
}
