/*
 * The parts of an object that are not of its built-in type: of each such value what it must be.
 *
 * The part: the object.
 */
#include "apply/merge/typed.h"
#include "tests/differential/driver/driver.h"

static void answer_type(void *context, const struct path *path, const char *is, const char *must_be)
{
    (void)path, (void)is;
    answer_field(context, slice_of(must_be));
}

void answer_value_types(struct question *question)
{
    const struct value *object = value_read_json(question->parts[0], question->arena);
    struct schema_ref type;
    struct slice version = value_text(value_member(object, SLICE("apiVersion")));
    if (schema_find_builtin(version, value_text(value_member(object, SLICE("kind"))), &type))
        typed_check(type, object, answer_type, question);
    else
        answer_field(question, SLICE("no type"));
}
