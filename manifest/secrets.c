#include "manifest/secrets.h"

#include "base/array_size.h"
#include "base/search.h"
#include "manifest/object.h"

#include <limits.h>

bool secrets_may_be(struct slice kind)
{
    return !kind.length || slice_equal_in_any_case(kind, SLICE("Secret"));
}

bool secrets_hide_member(struct slice parent, struct slice name)
{
    static const char *const shown[] = {"apiVersion", "kind", "metadata", "type", "immutable"};
    if (!parent.length)
        return !slice_is_one_of(name, shown, ARRAY_SIZE(shown));
    return slice_equal(parent, SLICE("metadata")) && slice_equal(name, SLICE("annotations"));
}

/* The items of a document that is a List; NULL for other documents. */
static const struct manifest_node *items_of(const struct manifest_document *document)
{
    const struct manifest_node *items = manifest_member(document->root, SLICE("items"));
    return items && items->kind == MANIFEST_LIST ? items : NULL;
}

static bool add_lines(
    struct manifest_document *document, struct manifest_lines *lines, unsigned first, unsigned last)
{
    lines[document->hidden_count++] = (struct manifest_lines){first, last};
    return true;
}

static bool add_items(
    struct manifest_document *document, const struct manifest_node *items, struct manifest_lines *lines)
{
    bool is_any = false;
    for (size_t i = 0; i < items->count; i++) {
        const struct manifest_node *item = items->items[i];
        if (secrets_may_be(object_kind_of_item(document->root, item)))
            is_any = add_lines(document, lines, item->place.line, item->place.end_line);
    }
    return is_any;
}

/* kubectl ignores this content, so its kind is unknown. */
static void add_ignored(struct manifest_document *document, struct manifest_lines *lines)
{
    for (size_t i = 0; i < document->ambiguity_count; i++)
        if (document->ambiguities[i].kind == MANIFEST_IGNORED_CONTENT)
            add_lines(document, lines, document->ambiguities[i].place.line, UINT_MAX);
}

bool secrets_find_lines(struct manifest_document *document, struct arena *arena)
{
    const struct manifest_node *items = items_of(document);
    struct slice kind = manifest_text(manifest_member(document->root, SLICE("kind")));
    struct manifest_lines *lines =
        arena_allocate_array(arena, (items ? items->count : 0) + 1, sizeof(*lines));
    if (!lines)
        return false;
    document->hidden = lines;
    bool is_secret = secrets_may_be(kind) || (items && add_items(document, items, lines));
    /* An alias inside a Secret may refer to any line. */
    if (secrets_may_be(kind) || (is_secret && document->has_aliases)) {
        document->hidden_count = 0;
        return add_lines(document, lines, 0, UINT_MAX);
    }
    add_ignored(document, lines);
    return true;
}

static bool ends_before(const void *lines, const void *line)
{
    return ((const struct manifest_lines *)lines)->last < *(const unsigned *)line;
}

/* Items are sorted by line, and ignored content follows them. */
bool secrets_show_line(const struct manifest_document *document, unsigned line)
{
    size_t first =
        search_first(document->hidden, document->hidden_count, sizeof(*document->hidden), ends_before, &line);
    return first == document->hidden_count || line < document->hidden[first].first;
}
