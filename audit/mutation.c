#include "audit/mutation.h"

#include "base/json.h"

/* k8s.io/apiserver, pkg/admission/plugin/webhook/mutating/dispatcher.go; behind it, round_0_index_1. */
#define PREFIX "mutation.webhook.admission.k8s.io/"

struct audit_mutations audit_mutations_of(const struct audit_event *event)
{
    struct audit_mutations mutations = {.is_empty = true};
    mutations.is_empty = !yyjson_obj_iter_init(event->annotations, &mutations.annotations);
    return mutations;
}

bool audit_next_mutation(
    struct audit_mutations *mutations, struct arena *arena, struct audit_mutation *mutation)
{
    for (yyjson_val *key; !mutations->is_empty && (key = yyjson_obj_iter_next(&mutations->annotations));) {
        struct slice value = json_text(yyjson_obj_iter_get_val(key));
        if (!slice_starts_with(json_text(key), SLICE(PREFIX)) || !value.length)
            continue;
        yyjson_val *json = json_parse(value, arena);
        if (!yyjson_get_bool(json_member(json, SLICE("mutated"))))
            continue;
        mutation->configuration = json_text(json_member(json, SLICE("configuration")));
        mutation->webhook = json_text(json_member(json, SLICE("webhook")));
        return true;
    }
    return false;
}

bool audit_is_mutated(const struct audit_event *event, struct arena *arena)
{
    struct audit_mutations mutations = audit_mutations_of(event);
    struct audit_mutation ignored;
    return audit_next_mutation(&mutations, arena, &ignored);
}
