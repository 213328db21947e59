#include "policy/config/config_reader.h"

/* Below, at or above 0 as memcmp. A problem without a position comes first. */
static int compare_positions(const struct error *a, const struct error *b)
{
    int order = (a->line > b->line) - (a->line < b->line);
    return order ? order : (a->column > b->column) - (a->column < b->column);
}

static const struct policy_problem *last_problem(const struct policy_problems *problems)
{
    return &problems->items[problems->count - 1];
}

static bool is_wanted(
    const struct policy_problems *problems, enum policy_problem_kind kind, const struct error *error)
{
    return kind >= problems->least && problems->capacity &&
        (problems->count < problems->capacity ||
         compare_positions(error, &last_problem(problems)->error) <= 0);
}

bool config_wants_problem(const struct config_value *value, enum policy_problem_kind kind)
{
    struct error error = {.line = value->node->line, .column = value->node->column};
    return is_wanted(value->reader->problems, kind, &error);
}

/* The first problem that does not stand before the error: most come in the file's order, so from the end. */
static size_t find_position(const struct policy_problems *problems, const struct error *error)
{
    size_t at = problems->count;
    while (at && compare_positions(&problems->items[at - 1].error, error) >= 0)
        at--;
    return at;
}

static void insert(struct policy_problems *problems, size_t at, const struct policy_problem *problem)
{
    if (problems->count == problems->capacity)
        problems->more += last_problem(problems)->kind != POLICY_NOTE;
    else
        problems->count++;
    for (size_t i = problems->count - 1; i > at; i--)
        problems->items[i] = problems->items[i - 1];
    problems->items[at] = *problem;
}

/* Values may hang in several places by aliases, and one slip often looks like two. */
static void keep(struct policy_problems *problems, const struct policy_problem *problem)
{
    size_t at = find_position(problems, &problem->error);
    struct policy_problem *there = at < problems->count ? &problems->items[at] : NULL;
    if (!there || compare_positions(&there->error, &problem->error) != 0)
        insert(problems, at, problem);
    else if (problem->kind > there->kind)
        *there = *problem;
}

int config_add_problem(struct config_reader *reader, enum policy_problem_kind kind, const struct error *error)
{
    struct policy_problems *problems = reader->problems;
    reader->is_broken |= kind == POLICY_BROKEN;
    if (is_wanted(problems, kind, error))
        keep(problems, &(struct policy_problem){kind, *error});
    else if (kind >= problems->least)
        problems->more += kind != POLICY_NOTE;
    return -1;
}
