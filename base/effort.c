#include "base/effort.h"

struct bound {
    size_t least;          /* that any review may make */
    size_t bytes_for_each; /* of the review, for one more */
    const char *sentence;
};

static const struct bound bounds[EFFORT_KIND_COUNT] = {
    [EFFORT_COMPARED] = {65536, 2, "too many values would have to be compared"},
    [EFFORT_OWNERS] =
        {65536, 16, "too many managers would have to be asked whether they own too many fields"},
    [EFFORT_LISTS] = {65536, 16, "too many lists are of a type that would have to be looked for"},
    [EFFORT_PATHS] = {262144, 1, "too many fields with long paths changed to tell them all apart"},
    [EFFORT_WISHES] = {16384, 32, "too many list items may be those that annotations of other tools name"},
    [EFFORT_KEYS] = {0, 0, "the items of a list are known by too many different key fields"},
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
