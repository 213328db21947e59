#include "commands/blame/history_version.h"

#include "base/json.h"

static bool set(struct history_version *version, struct slice json, struct history_write *write)
{
    yyjson_val *document = json_parse(json, version->arena);
    if (!document)
        return false;
    version->object = document;
    version->bytes = json.length;
    version->resource_version = audit_resource_version(version->object);
    version->generation = audit_generation(version->object);
    history_write_replace(&version->write, write);
    return true;
}

bool history_version_set(struct history_version *version, yyjson_val *object, struct history_write *write)
{
    return set(version, json_write(object, version->arena), write);
}

/* As text, because yyjson's copy of a mutable value recurses as deep as the object. */
static struct slice write_scaled(yyjson_val *before, yyjson_val *scale, const yyjson_alc *allocator)
{
    yyjson_mut_doc *copy = yyjson_mut_doc_new(allocator);
    yyjson_mut_val *object = copy ? yyjson_val_mut_copy(copy, before) : NULL;
    yyjson_mut_val *metadata = yyjson_mut_obj_get(object, "metadata");
    yyjson_mut_val *spec = yyjson_mut_obj_get(object, "spec");
    yyjson_val *replicas = json_member(json_member(scale, SLICE("spec")), SLICE("replicas"));
    yyjson_mut_val *value = replicas ? yyjson_val_mut_copy(copy, replicas) : yyjson_mut_uint(copy, 0);
    yyjson_val *number = json_metadata(scale, SLICE("resourceVersion"));
    size_t length = 0;
    if (!value || !yyjson_mut_is_obj(metadata) || !yyjson_mut_is_obj(spec))
        return (struct slice){NULL, 0};
    /* A Scale lacks the generation. */
    yyjson_mut_obj_remove_key(metadata, "generation");
    yyjson_mut_val *version = number ? yyjson_val_mut_copy(copy, number) : NULL;
    bool is_set = yyjson_mut_obj_put(spec, yyjson_mut_str(copy, "replicas"), value) &&
        yyjson_mut_obj_put(metadata, yyjson_mut_str(copy, "resourceVersion"), version);
    const char *json = is_set ? yyjson_mut_val_write_opts(object, 0, allocator, &length, NULL) : NULL;
    return (struct slice){json, length};
}

bool history_version_set_scaled(
    struct history_version *version, const struct history_version *before, yyjson_val *scale,
    struct history_write *write)
{
    yyjson_alc allocator = arena_yyjson(version->arena);
    return set(version, write_scaled(before->object, scale, &allocator), write);
}

void history_version_forget(struct history_version *version)
{
    version->object = NULL;
    arena_reset(version->arena);
    history_write_replace(&version->write, NULL);
}
