#include "commands/preview/values.h"

#include "base/text.h"

/* The limit of the keys and values of all annotations (apimachinery, api/validation/objectmeta.go). */
#define ANNOTATION_BYTES_MAX 262144

/* Each one is compared with the live object's finalizers. */
#define FINALIZERS_MAX 1000

static void refuse(struct sentences *refused, const char *path, struct slice name, const char *sentence)
{
    sentences_add(
        refused,
        text_join(refused->arena, path, name.length ? "." : "", as_printable(text_cut(name, 128)), sentence));
}

static bool is_map(const struct value *value)
{
    return value && value->kind == VALUE_MAP;
}

static void check_annotations(struct sentences *refused, const struct value *annotations)
{
    size_t bytes = 0;
    for (size_t i = 0; is_map(annotations) && i < annotations->count; i++) {
        const struct value_member *annotation = &annotations->members[i];
        bytes += annotation->name.length + value_text(annotation->value).length;
    }
    if (bytes > ANNOTATION_BYTES_MAX)
        refuse(
            refused, ".metadata.annotations", (struct slice){NULL, 0},
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
    struct sentences *refused, const struct value *metadata, const struct value *live)
{
    static const struct slice name = SLICE_LITERAL("finalizers");
    const struct value *list = value_member(metadata, name);
    bool is_deleted = value_member(live, SLICE("deletionTimestamp")) != NULL;
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count && i < FINALIZERS_MAX; i++) {
        struct slice finalizer = value_text(list->items[i]);
        if (is_deleted && !has_text(value_member(live, name), finalizer))
            refuse(
                refused, ".metadata.finalizers", finalizer,
                " is new, and an object that is being deleted gets no new finalizers");
    }
}

void refusals_of_metadata(const struct value *object, const struct value *live, struct sentences *refused)
{
    const struct value *metadata = value_member(object, SLICE("metadata"));
    check_annotations(refused, value_member(metadata, SLICE("annotations")));
    check_finalizers(refused, metadata, value_member(live, SLICE("metadata")));
}
