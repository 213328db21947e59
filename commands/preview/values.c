#include "commands/preview/values.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/qualified_name.h"

/* The limit of the keys and values of all annotations (apimachinery, api/validation/objectmeta.go). */
#define ANNOTATION_BYTES_MAX 262144

/* Each one is compared with the live object's finalizers. */
#define FINALIZERS_MAX 1000

struct checking {
    struct arena *arena;
    refusal_visit *visit;
    void *context;
};

static void refuse(const struct checking *checking, const char *path, struct slice name, const char *sentence)
{
    struct text text = text_start(checking->arena, 160);
    text_append_string(&text, path);
    text_append_string(&text, name.length ? "." : "");
    text_append_printable(&text, text_cut(name, 128));
    text_append_string(&text, sentence);
    checking->visit(checking->context, text_slice(&text));
}

static bool is_map(const struct value *value)
{
    return value && value->kind == VALUE_MAP;
}

static bool is_string(const struct value *value)
{
    return value->kind == VALUE_SCALAR && yyjson_is_str(value->scalar);
}

static void check_labels(const struct checking *checking, const char *path, const struct value *labels)
{
    for (size_t i = 0; is_map(labels) && i < labels->count; i++) {
        const struct value_member *label = &labels->members[i];
        if (!qualified_name_is_valid(label->name))
            refuse(checking, path, label->name, " is not a valid key of a label");
        else if (is_string(label->value) && !label_value_is_valid(value_text(label->value)))
            refuse(
                checking, path, label->name,
                ": the value of a label has at most 63 letters, digits, -, _ and dots, and begins and ends "
                "with a letter or digit");
    }
}

static bool is_annotation_key(struct slice key, struct arena *arena)
{
    char *lower = arena_allocate_array(arena, key.length + 1, 1);
    for (size_t i = 0; lower && i < key.length; i++)
        lower[i] = ascii_to_lower(key.bytes[i]);
    return !lower || qualified_name_is_valid((struct slice){lower, key.length});
}

static void check_annotations(const struct checking *checking, const struct value *annotations)
{
    size_t bytes = 0;
    for (size_t i = 0; is_map(annotations) && i < annotations->count; i++) {
        const struct value_member *annotation = &annotations->members[i];
        bytes += annotation->name.length + value_text(annotation->value).length;
        if (!is_annotation_key(annotation->name, checking->arena))
            refuse(
                checking, ".metadata.annotations", annotation->name, " is not a valid key of an annotation");
    }
    if (bytes > ANNOTATION_BYTES_MAX)
        refuse(
            checking, ".metadata.annotations", (struct slice){NULL, 0},
            " are too long: they may have 262144 bytes together, with kubectl's last-applied annotation");
}

static bool has_text(const struct value *list, struct slice text)
{
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count; i++)
        if (slice_equal(value_text(list->items[i]), text))
            return true;
    return false;
}

static void check_finalizers(
    const struct checking *checking, const struct value *metadata, const struct value *live)
{
    static const struct slice name = SLICE_LITERAL("finalizers");
    const struct value *list = value_member(metadata, name);
    bool is_deleted = value_member(live, SLICE("deletionTimestamp")) != NULL;
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count && i < FINALIZERS_MAX; i++) {
        struct slice finalizer = value_text(list->items[i]);
        if (!qualified_name_is_valid(finalizer))
            refuse(checking, ".metadata.finalizers", finalizer, " is not a valid finalizer");
        else if (is_deleted && !has_text(value_member(live, name), finalizer))
            refuse(
                checking, ".metadata.finalizers", finalizer,
                " is new, and an object that is being deleted gets no new finalizers");
    }
}

static void check_base64(const struct checking *checking, const char *path, const struct value *map)
{
    for (size_t i = 0; is_map(map) && i < map->count; i++)
        if (is_string(map->members[i].value) && !base64_is_valid(value_text(map->members[i].value)))
            refuse(
                checking, path, map->members[i].name,
                " is not base64; write plain text into stringData of a Secret, or data of a ConfigMap");
}

/* The pod templates of Kubernetes' own kinds. */
static const struct value *template_metadata(const struct value *object, struct slice group_kind)
{
    static const char *const kinds[] = {"DaemonSet.apps",  "Deployment.apps",       "Job.batch",
                                        "ReplicaSet.apps", "ReplicationController", "StatefulSet.apps"};
    if (!slice_is_one_of(group_kind, kinds, ARRAY_SIZE(kinds)))
        return NULL;
    return value_at(object, SLICE(".spec.template.metadata"));
}

void values_find_refused(
    const struct value *object, const struct value *live, struct slice group_kind, struct arena *arena,
    refusal_visit *visit, void *context)
{
    const struct checking checking = {arena, visit, context};
    const struct value *metadata = value_member(object, SLICE("metadata"));
    check_labels(&checking, ".metadata.labels", value_member(metadata, SLICE("labels")));
    check_annotations(&checking, value_member(metadata, SLICE("annotations")));
    check_finalizers(&checking, metadata, value_member(live, SLICE("metadata")));
    check_labels(
        &checking, ".spec.template.metadata.labels",
        value_member(template_metadata(object, group_kind), SLICE("labels")));
    if (slice_equal(group_kind, SLICE("Secret")))
        check_base64(&checking, ".data", value_member(object, SLICE("data")));
    if (slice_equal(group_kind, SLICE("ConfigMap")))
        check_base64(&checking, ".binaryData", value_member(object, SLICE("binaryData")));
}
