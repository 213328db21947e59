/*
 * tool_habits.h: how the tools that apply objects react to a change, and the means that each has.
 *
 * A person can follow advice only in the words of the tool that is used: Argo CD has sync options, Helm has
 * values, Flux has annotations and fields of its own objects.
 */
#ifndef APPLYGUARD_POLICY_VERDICT_TOOL_HABITS_H
#define APPLYGUARD_POLICY_VERDICT_TOOL_HABITS_H

#include "policy/managers.h"

#include <stdbool.h>
#include <stddef.h>

struct tool_habits {
    bool is_named;           /* the next clauses say which tool it is */
    const char *undoes;      /* a clause about its next run, over a change by another writer */
    const char *refuses;     /* the same where it applies server-side; NULL: as above, because it forces */
    bool resolves_conflicts; /* a server-side apply of the tool takes some fields that conflict */
    const char *change;      /* how to change what it applies, as an order */
    const char *or_else; /* how to have it keep a change that is not denied, as an order; NULL: not known */
    const char *source;  /* where its manifests are: "Git" */
    const char *shares;  /* how it leaves a field to others, as an order; NULL: not known */
    const char *merges;  /* how it comes to keep what others set in the same object; NULL: not known */
    const char *leaves_scale; /* how it leaves replicas to an autoscaler; NULL: as other fields */
};

/* The habits of the tool. An unknown tool is assumed to apply a manifest when a person runs it. */
const struct tool_habits *tool_habits(enum tool tool);

/* The habits of the tool, or of the tool whose name the manager has to people: a pipeline named flux. */
const struct tool_habits *manager_habits(const struct manager *manager, enum tool tool);

/* Whether the manager's next apply fails at a conflict, unless a person forces it. */
bool manager_meets_conflicts(const struct manager *manager, const struct tool_habits *habits);

/* The reaction of the manager, with these habits, to a change by another writer. */
const char *manager_reaction(const struct manager *manager, const struct tool_habits *habits);

#endif
