#include "manifest/each_object.h"

#include "base/text.h"
#include "manifest/inputs.h"

#include <unistd.h>

void each_object_of(const char *path, manifest_read *read, void *input, const struct object_visitor *visitor)
{
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result;
    struct manifest_reader *reader = manifest_open(read, input, NULL);
    if (!reader) {
        error_set_out_of_memory(&error);
        visitor->complain(visitor->context, path, &error);
        return;
    }
    while ((result = manifest_next(reader, &object, &error)) != MANIFEST_END) {
        if (result == MANIFEST_OBJECT)
            visitor->visit(visitor->context, path, &object);
        else
            visitor->complain(visitor->context, path, &error);
        error = (struct error){0};
    }
    manifest_close(reader);
}

static bool visit_file(void *context, const char *path, const struct error *error)
{
    const struct object_visitor *visitor = context;
    struct error problem = {0};
    int file = error ? -1 : inputs_open(path, &problem);
    if (file < 0)
        visitor->complain(visitor->context, path, error ? error : &problem);
    else
        each_object_of(
            path, manifest_read_bounded_file, &(struct manifest_bounded_file){file, MANIFEST_FILE_BYTES_MAX},
            visitor);
    if (file > STDIN_FILENO)
        close(file);
    return true;
}

/* A visitor, and whether it was called. */
struct counted {
    const struct object_visitor *visitor;
    bool has_any;
};

static void visit_counted(void *context, const char *path, const struct manifest_object *object)
{
    struct counted *counted = context;
    counted->has_any = true;
    counted->visitor->visit(counted->visitor->context, path, object);
}

static void complain_counted(void *context, const char *path, const struct error *error)
{
    struct counted *counted = context;
    counted->has_any = true;
    counted->visitor->complain(counted->visitor->context, path, error);
}

void each_object_in(const char *path, bool is_recursive, const struct object_visitor *visitor)
{
    struct counted counted = {.visitor = visitor};
    struct object_visitor counting = {visit_counted, complain_counted, &counted};
    struct error error = {0};
    inputs_walk(path, is_recursive, visit_file, &counting);
    if (counted.has_any)
        return;
    error_set(
        &error, "it holds no object%s",
        !is_recursive && inputs_have_directories(path) ? INPUTS_RECURSIVE_ADVICE : "");
    visitor->complain(visitor->context, path, &error);
}

void object_error(
    const struct manifest_object *object, bool has_place, const struct error *error, struct arena *arena,
    struct error *named)
{
    struct text text = text_start(arena, 256);
    text_append_all(
        &text, as_printable(text_cut(object->kind, 64)), " ", as_printable(text_cut(object->namespace, 64)),
        object->namespace.length ? "/" : "", as_printable(text_cut(object->name, 64)));
    error_set_at(
        named, has_place ? object->root->place.line : 0, object->root->place.column, "%.*s: %s",
        (int)text.length, text.bytes ? text.bytes : "", error->message);
}
