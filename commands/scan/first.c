#include "commands/scan/first.h"

#include "base/array_size.h"

#include <string.h>

/* The worst first: leaks, then what the next apply fails on or resets, then faults that lose changes
 * silently. */
static const enum rule_id order[] = {
    RULE_last_applied_secret,  RULE_next_conflict,        RULE_autoscaled_replicas,
    RULE_multiple_appliers,    RULE_mixed_apply,          RULE_oversized_annotations,
    RULE_last_applied_invalid, RULE_last_applied_missing, RULE_applyset,
    RULE_undone_change,        RULE_orphaned_fields,      RULE_manager_scope,
    RULE_duplicate_list_key,   RULE_ambiguous_merge_key,  RULE_last_applied_runtime_fields,
    RULE_explicit_selector,    RULE_explicit_strategy,    RULE_explicit_fields,
    RULE_managedfields_health,
};

size_t scan_first_find(const struct scan_summary *summary, struct scan_first first[SCAN_FIRST_MAX])
{
    size_t count = 0;
    for (size_t round = 0; round < SCAN_EXAMPLES; round++) {
        for (size_t i = 0; i < ARRAY_SIZE(order) && count < SCAN_FIRST_MAX; i++) {
            const struct scan_examples *examples = &summary->examples[order[i]];
            if (round < examples->count)
                first[count++] = (struct scan_first){order[i], &examples->items[round]};
        }
    }
    return count;
}

struct slice scan_first_sentence(const struct scan_first *first)
{
    struct slice message = first->example->message, command = first->example->command;
    return command.length ? slice_until(message, message.length - command.length - strlen(": ")) : message;
}
