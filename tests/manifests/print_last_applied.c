/*
 * print_last_applied NAMESPACE FILE...: the annotation that kubectl writes, as check foresees it: for each
 * object a line of JSON, {"kind":…,"name":…,"lastApplied":…}.
 */
#include "apply/first_apply.h"
#include "manifest/inputs.h"
#include "manifest/write.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void print_object(const struct manifest_object *object, const struct applier *applier)
{
    struct first_apply made;
    struct arena *arena = arena_create();
    if (!arena || !first_apply_identify(object, applier, arena, &made) ||
        first_apply_make(object, applier, arena, &made, NULL) < 0)
        exit(1);
    struct text line = text_start(arena, 4096);
    text_append_string(&line, "{\"kind\":");
    manifest_append_string(&line, made.group_kind);
    text_append_string(&line, ",\"name\":");
    manifest_append_string(&line, object->name);
    text_append_string(&line, ",\"lastApplied\":");
    manifest_append_string(&line, made.last_applied);
    text_append_string(&line, "}\n");
    struct slice text = text_slice(&line);
    if (fwrite(text.bytes, 1, text.length, stdout) != text.length)
        exit(1);
    arena_destroy(arena);
}

static void print_file(const char *path, const struct applier *applier)
{
    struct manifest_object object;
    struct error error = {0};
    enum manifest_result result = MANIFEST_END;
    int file = inputs_open(path, &error);
    struct manifest_reader *reader = file < 0 ? NULL : manifest_open(manifest_read_file, &file, NULL);
    while (reader && (result = manifest_next(reader, &object, &error)) == MANIFEST_OBJECT)
        print_object(&object, applier);
    if (!reader || result != MANIFEST_END) {
        fprintf(stderr, "print_last_applied: %s: %s\n", path, error.message);
        exit(1);
    }
    manifest_close(reader);
    close(file);
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    const struct applier applier = {.mode = APPLY_CLIENT_SIDE, .namespace = slice_of(argv[1])};
    for (int i = 2; i < argc; i++)
        print_file(argv[i], &applier);
    return 0;
}
