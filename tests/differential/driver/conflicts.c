/*
 * The fields that a request takes from other managers.
 */
#include "policy/analysis/conflicts.h"

#include "base/error.h"
#include "policy/review/review_classify.h"
#include "policy/review/review_decode.h"
#include "tests/differential/driver/driver.h"

/* By the class of the previous owner. */
#define EVERY_LOSER                                                                                          \
    {                                                                                                        \
        ACTION_DENY, ACTION_DENY, ACTION_DENY, ACTION_DENY, ACTION_DENY                                      \
    }

/* Every takeover counts, for any classes of the writer and the previous owner. */
static const struct conflict_settings settings = {
    .takeover = {EVERY_LOSER, EVERY_LOSER, EVERY_LOSER, EVERY_LOSER, EVERY_LOSER}};

_Static_assert(OWNING_CLASS_COUNT == 5, "each class has its cells above");

/* In one word, what stood in the way of an answer. */
static const char *outcome_of(const struct conflicts *conflicts, const struct arena *arena)
{
    if (conflicts->unread || arena_has_failed(arena))
        return "unreadable";
    for (int action = 0; action < ACTION_COUNT; action++) {
        if (conflicts->overflowed[action])
            return "overflowed";
    }
    return conflicts->undecided ? "undecided" : conflicts->unresolved ? "unresolved" : "ok";
}

void answer_conflicts(struct question *question)
{
    const struct review *review = NULL;
    struct error error = {0};
    if (review_decode(question->parts[0], YYJSON_READ_NOFLAG, question->arena, &review, &error) !=
            REVIEW_OK ||
        !(review = review_classify(review, NULL))) {
        answer_field(question, SLICE("no review"));
        return;
    }
    struct conflicts conflicts = conflicts_collect(review, &settings, false);
    answer_field(question, slice_of(outcome_of(&conflicts, question->arena)));
    answer_field(question, review->ownership.writer.manager.name);
    for (size_t i = 0; i < conflicts.count; i++) {
        const struct conflict *conflict = conflicts.items[i];
        answer_field(question, conflict->previous_owner->manager.name);
        answer_field(question, slice_of(manager_operation_name(conflict->previous_owner->manager.operation)));
        answer_field(question, conflict->leaf);
        answer_field(question, conflict->removed ? SLICE("removed") : SLICE("taken"));
    }
}
