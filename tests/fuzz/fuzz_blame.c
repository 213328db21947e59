/*
 * Any object with managedFields: every value belongs to one field, the owners of a field are the sets that
 * contain it, what is printed is printable, and its YAML reads back to the same object.
 */
#include "commands/blame/print.h"
#include "policy/fieldset/fields.h"
#include "tests/fuzz/manifests.h"
#include "tests/fuzz/printable.h"

#include <string.h>

/* A leaf is a field, or lies in one that is owned as a whole. */
static void check_fields(const struct blame_node *node, bool is_in_field)
{
    bool is_leaf = !yyjson_is_ctn(node->value) || !unsafe_yyjson_get_len(node->value);
    promise(node->is_inside == is_in_field, "what a field holds is no field itself");
    promise(!node->is_field || !is_in_field, "no field lies in a value that is owned as a whole");
    promise(!is_leaf || node->is_field || is_in_field || !node->parent, "every leaf belongs to a field");
    promise(!node->is_item || node->is_field || is_in_field, "every item of a list is a field");
    bool is_whole = node->child_count && node->children[0].is_inside;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct blame_node *child = &node->children[i];
        promise(child->parent == node, "children know their parent");
        promise(child->is_inside == (is_whole || is_in_field), "a value is owned whole, or not at all");
        check_fields(child, is_whole);
    }
}

static size_t count_fields(const struct blame_node *node)
{
    size_t count = node->is_field;
    for (size_t i = 0; i < node->child_count; i++)
        count += count_fields(&node->children[i]);
    return count;
}

static bool owns(yyjson_val *fields)
{
    return fields_is_leaf(fields) || yyjson_obj_get(fields, ".");
}

/* Every owner's set has the node where it says, under its parent's. */
static void check_owners(const struct blame_node *node)
{
    for (size_t i = 0; i < node->holder_count; i++) {
        const struct blame_holder *holder = &node->holders[i];
        bool is_below = !node->parent;
        for (size_t j = 0; !is_below && j < node->parent->holder_count; j++)
            is_below = node->parent->holders[j].entry == holder->entry;
        promise(is_below, "who holds a node holds its parent");
        promise(!i || holder[-1].entry <= holder->entry, "owners are in the order of managedFields");
        promise(
            !node->parent || node->is_hidden || holder->is_owner == owns(holder->fields),
            "owners are the sets that contain the field");
    }
    for (size_t i = 0; i < node->child_count; i++)
        check_owners(&node->children[i]);
}

static void check_text(const struct blame *blame, struct blame_print print, struct arena *arena)
{
    struct text text = text_start(arena, 1024);
    blame_append_text(&text, blame, &print);
    struct slice all = text_slice(&text);
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
}

/* Between tags only, so that no name becomes one: each < begins a tag that blame writes. */
static void check_html(const struct blame *blame, struct blame_print print, struct arena *arena)
{
    static const char *const tags[] = {"<span", "</",     "<tr",      "<td",    "<th",  "<code",
                                       "<h2",   "<table", "<caption", "<tbody", "<div", "<ul",
                                       "<li",   "<p ",    "<button",  "<pre"};
    struct text text = text_start(arena, 1024);
    blame_append_html(&text, blame, &print);
    struct slice all = text_slice(&text);
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
    for (size_t i = 0; i < all.length; i++) {
        bool is_tag = all.bytes[i] != '<';
        for (size_t j = 0; j < sizeof(tags) / sizeof(tags[0]) && !is_tag; j++)
            is_tag = slice_starts_with(slice_from(all, i), slice_of(tags[j]));
        promise(is_tag, "names are no tags");
    }
}

static bool holds_hidden(const struct blame_node *node)
{
    bool hidden = node->is_hidden;
    for (size_t i = 0; i < node->child_count && !hidden; i++)
        hidden = holds_hidden(&node->children[i]);
    return hidden;
}

/* Without its managedFields. */
static yyjson_mut_doc *stripped(struct slice json)
{
    yyjson_doc *document = yyjson_read(json.bytes, json.length, 0);
    yyjson_mut_doc *copy = yyjson_doc_mut_copy(document, NULL);
    yyjson_mut_val *metadata = yyjson_mut_obj_get(yyjson_mut_doc_get_root(copy), "metadata");
    yyjson_mut_obj_remove_key(metadata, "managedFields");
    yyjson_doc_free(document);
    return copy;
}

static void check_yaml(const struct blame *blame, struct slice json, struct arena *arena)
{
    struct blame_print print = {.now = 0};
    struct text text = text_start(arena, 1024);
    struct manifest_object again;
    struct error error = {0};
    blame_append_yaml(&text, blame, &print);
    struct slice yaml = text_slice(&text);
    promise(yaml.bytes != NULL, "there is memory");
    if (holds_hidden(&blame->root))
        return;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &yaml, NULL);
    enum manifest_result result = manifest_next(reader, &again, &error);
    /* kubectl does not look at the metadata of a List's items. */
    if (result == MANIFEST_OBJECT) {
        yyjson_mut_doc *expected = stripped(json), *got = stripped(manifest_json(again.root, arena));
        promise(
            yyjson_mut_equals(yyjson_mut_doc_get_root(expected), yyjson_mut_doc_get_root(got)),
            "the YAML reads back to the same object");
        yyjson_mut_doc_free(expected);
        yyjson_mut_doc_free(got);
    } else {
        promise(result == MANIFEST_ERROR && strstr(error.message, "kubectl refuses"), "the YAML reads back");
    }
    manifest_close(reader);
}

static size_t count_owned(const struct blame_node *node, struct slice manager)
{
    size_t count = node->parent && blame_is_owned_by(node, manager);
    for (size_t i = 0; i < node->child_count; i++)
        count += count_owned(&node->children[i], manager);
    return count;
}

/* The selection for a manager is all that it owns. */
static void check_managers(const struct blame *blame)
{
    for (size_t i = 0; i < blame->managed_fields->count && i < 8; i++) {
        struct slice manager = blame->managed_fields->entries[i].manager.name;
        const struct blame_node *selected = blame_select(blame, manager, BLAME_ALL_ENTRIES);
        promise(selected != NULL, "there is memory");
        promise(
            count_owned(selected, manager) == count_owned(&blame->root, manager),
            "nothing that a manager owns is left out of its manifest");
        promise(blame_select(blame, manager, BLAME_MANIFEST) != NULL, "there is memory");
    }
}

static void check_object(const struct manifest_object *object, struct arena *arena)
{
    struct blame *blame = NULL;
    struct error error = {0};
    if (blame_read(object, NULL, arena, &blame, &error) < 0) {
        promise(error.message[0] != '\0', "what is refused has a reason");
        check_printable(slice_of(error.message), 0);
        return;
    }
    check_fields(&blame->root, false);
    check_owners(&blame->root);
    promise(count_fields(&blame->root) == blame->field_count, "fields are counted");
    check_managers(blame);
    check_text(blame, (struct blame_print){.now = 1800000000}, arena);
    check_text(blame, (struct blame_print){.columns = 40, .now = 1800000000}, arena);
    check_html(blame, (struct blame_print){.now = 1800000000}, arena);
    check_yaml(blame, manifest_json(object->root, arena), arena);
    struct text json = text_start(arena, 1024);
    blame_append_json(&json, blame, &(struct blame_print){.now = 0});
    struct slice line = text_slice(&json);
    yyjson_doc *document = yyjson_read(line.bytes, line.length, 0);
    promise(document != NULL, "the JSON is JSON");
    promise(
        yyjson_arr_size(yyjson_obj_get(yyjson_doc_get_root(document), "fields")) == blame->field_count,
        "each field is there once");
    yyjson_doc_free(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_manifests(data, size, check_object);
    return 0;
}
