/*
 * Whatever is written as YAML: it is refused with a place in it, or becomes a tree within its bounds, whose
 * nodes have their places; reading on after problems gives a tree wherever reading does, and then the same
 * one.
 */
#include "base/yaml.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"

struct count {
    size_t reported;
    unsigned lines;
};

static unsigned lines_of(struct slice text)
{
    /* libyaml ends the last line where the text does not. */
    unsigned lines = 2;
    /* YAML 1.1 also ends lines with CR, NEL, LS and PS: so many bytes at most. */
    for (size_t i = 0; i < text.length; i++)
        lines += text.bytes[i] == '\n' || text.bytes[i] == '\r' || (unsigned char)text.bytes[i] == 0x85 ||
            (unsigned char)text.bytes[i] == 0xa8 || (unsigned char)text.bytes[i] == 0xa9;
    return lines;
}

static void check_error(const struct error *error, unsigned lines)
{
    promise(error->message[0] != '\0', "a refusal says why");
    check_printable(slice_of(error->message), 0);
    promise(error->line <= lines, "a problem is in the text");
}

static void report(void *context, const struct error *error)
{
    struct count *count = context;
    count->reported++;
    check_error(error, count->lines);
}

static bool same_tree(const struct yaml_node *a, const struct yaml_node *b)
{
    if (a->kind != b->kind || a->line != b->line || a->column != b->column || a->count != b->count ||
        a->quoted != b->quoted || a->null != b->null || !slice_equal(a->text, b->text))
        return false;
    const struct yaml_entry *x = a->entries, *y = b->entries;
    for (; x && y; x = x->next, y = y->next)
        if ((x->key && !same_tree(x->key, y->key)) || !same_tree(x->value, y->value))
            return false;
    return !x && !y;
}

static void check_tree(const struct yaml_node *node, unsigned lines, unsigned depth)
{
    size_t count = 0;
    promise(node->line >= 1 && node->line <= lines && node->column >= 1, "a node has its place");
    promise(node->height + depth <= YAML_DEPTH_MAX, "a tree is within its depth");
    for (const struct yaml_entry *entry = node->entries; entry; entry = entry->next, count++) {
        promise(!entry->key == (node->kind == YAML_KIND_LIST), "maps have keys, and lists have none");
        promise(!entry->key || entry->key->kind == YAML_KIND_TEXT, "keys are texts");
        promise(entry->value->nodes < node->nodes, "a node counts for all in it");
        promise(
            !entry->key || yaml_member(node, entry->key->text) == entry->value,
            "a key is there once, and is found");
    }
    promise(count == node->count, "entries are counted");
}

/* To its leaves, but no further than a text of this length has them: aliases repeat large nodes. */
static size_t check_all(const struct yaml_node *node, unsigned lines, unsigned depth, size_t budget)
{
    check_tree(node, lines, depth);
    for (const struct yaml_entry *entry = node->entries; entry && budget; entry = entry->next)
        budget = check_all(entry->value, lines, depth + 1, budget - 1);
    return budget;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct slice text = {(const char *)data, size};
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    struct error error = {0}, problem = {0};
    struct count count = {0, lines_of(text)};
    const struct yaml_node *node = yaml_read(text, arena, &error);
    const struct yaml_node *anyway = yaml_read_on(text, arena, report, &count, &problem);
    if (node) {
        promise(
            node->nodes <= YAML_NODES_MAX && node->text_bytes <= YAML_TEXT_BYTES_MAX, "a tree is bounded");
        check_all(node, count.lines, 0, size);
        promise(anyway && !count.reported && same_tree(node, anyway), "what is read is read on the same way");
    } else {
        check_error(&error, count.lines);
        promise(!anyway || count.reported, "what is refused is refused when reading on");
    }
    arena_destroy(arena);
    return 0;
}
