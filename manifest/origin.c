#include "manifest/origin.h"

#include "base/yaml.h"

static struct slice text_of(const struct yaml_node *map, struct slice key)
{
    const struct yaml_node *node = yaml_member(map, key);
    return node && node->kind == YAML_KIND_TEXT ? node->text : (struct slice){NULL, 0};
}

void origin_of_annotation(
    const struct manifest_node *object, struct arena *arena, struct manifest_origin *origin)
{
    const struct manifest_node *annotations =
        manifest_member(manifest_member(object, SLICE("metadata")), SLICE("annotations"));
    const struct manifest_member *member =
        manifest_find_member(annotations, SLICE("config.kubernetes.io/origin"));
    struct slice text = manifest_text(member ? member->value : NULL);
    if (!text.length)
        return;
    struct error ignored;
    const struct yaml_node *root = yaml_read(text, arena, &ignored);
    if (!root || root->kind != YAML_KIND_MAP)
        return;
    origin->path = text_of(root, SLICE("path"));
    origin->repository = text_of(root, SLICE("repo"));
    origin->configured_in = text_of(root, SLICE("configuredIn"));
    origin->line = member->key_place.line;
}
