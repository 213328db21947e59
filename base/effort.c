#include "base/effort.h"

struct bound {
    size_t least;          /* that any review may make */
    size_t bytes_for_each; /* of the review, for one more */
    const char *sentence;
};

static const struct bound bounds[EFFORT_KIND_COUNT] = {
    [EFFORT_COMPARED] = {65536, 2, "there are too many values to compare"},
    [EFFORT_OWNERS] = {65536, 24, "there are too many fields of too many managers to look up"},
    [EFFORT_LISTS] = {65536, 16, "there are too many lists whose type would have to be looked up"},
    [EFFORT_PATHS] = {262144, 1, "too many fields with long paths changed to list them all"},
    [EFFORT_TOOL_ANNOTATIONS] =
        {16384, 32, "too many list items may be those that another tool's annotations name"},
    [EFFORT_KEYS] = {0, 0, "the items of a list have too many different key fields"},
    [EFFORT_MEMORY] = {0, 0, "it would take more memory than a review may take"},
};

enum search_answer effort_give_up(struct effort *effort, enum effort_kind kind)
{
    effort->exceeded[kind] = true;
    return ANSWER_UNKNOWN;
}

bool effort_spend(struct effort *effort, enum effort_kind kind, size_t amount)
{
    const struct bound *bound = &bounds[kind];
    size_t most = bound->least + (bound->bytes_for_each ? effort->bytes / bound->bytes_for_each : 0);
    if (effort->exceeded[kind] || amount > most - effort->spent[kind]) {
        effort_give_up(effort, kind);
        return false;
    }
    effort->spent[kind] += amount;
    return true;
}

const char *effort_sentence(enum effort_kind kind)
{
    return bounds[kind].sentence;
}
