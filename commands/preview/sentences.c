#include "commands/preview/sentences.h"

#include "base/text.h"

void sentences_add(struct sentences *sentences, struct slice sentence)
{
    if (sentences->count < SENTENCES_MAX)
        sentences->items[sentences->count++] = arena_copy(sentences->arena, sentence);
    else
        sentences->left_out++;
}

struct slice_list sentences_list(const struct sentences *sentences)
{
    size_t count = sentences->count;
    struct slice *items = arena_allocate_array(sentences->arena, count + 1, sizeof(*items));
    if (!items)
        return (struct slice_list){NULL, 0};
    memcpy(items, sentences->items, count * sizeof(*items));
    if (sentences->left_out)
        items[count++] = text_join(sentences->arena, "and ", sentences->left_out, " more");
    return (struct slice_list){items, count};
}
