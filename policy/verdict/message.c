#include "policy/verdict/message.h"

#include "base/count.h"
#include "base/json.h"
#include "policy/verdict/message_field.h"

#include <string.h>

void message_append_for(struct text *text, size_t count, const char *one, const char *several)
{
    text_append_string(text, count == 1 ? one : several);
}

/* Who a field manager is to the people who read it. */
struct known_manager {
    const char *name;
    enum manager_operation operation;
    const char *subresource;
    const char *words;
};

/* kubectl's own names (kubectl/pkg/cmd); horizontal autoscalers write as the program that they are part of.
 */
static const struct known_manager known_managers[] = {
    {"kubectl", MANAGER_APPLY, "", "kubectl apply --server-side"},
    {"kubectl", MANAGER_UPDATE, "scale", "kubectl scale"},
    {"kubectl-client-side-apply", MANAGER_UPDATE, "", "kubectl apply"},
    {"kubectl-annotate", MANAGER_UPDATE, "", "kubectl annotate"},
    {"kubectl-autoscale", MANAGER_UPDATE, "", "kubectl autoscale"},
    {"kubectl-create", MANAGER_UPDATE, "", "kubectl create"},
    {"kubectl-edit", MANAGER_UPDATE, "", "kubectl edit"},
    {"kubectl-expose", MANAGER_UPDATE, "", "kubectl expose"},
    {"kubectl-label", MANAGER_UPDATE, "", "kubectl label"},
    {"kubectl-patch", MANAGER_UPDATE, "", "kubectl patch"},
    {"kubectl-replace", MANAGER_UPDATE, "", "kubectl replace"},
    {"kubectl-rollout", MANAGER_UPDATE, "", "kubectl rollout"},
    {"kubectl-run", MANAGER_UPDATE, "", "kubectl run"},
    {"kubectl-set", MANAGER_UPDATE, "", "kubectl set"},
    {"kubectl-taint", MANAGER_UPDATE, "", "kubectl taint"},
    {"kube-controller-manager", MANAGER_UPDATE, "scale", "an autoscaler"},
    {"horizontal-pod-autoscaler", MANAGER_UPDATE, "scale", "an autoscaler"},
};

/* NULL: its name has to do. */
static const char *words_for(const struct manager *manager)
{
    for (size_t i = 0; i < COUNT(known_managers); i++) {
        const struct known_manager *known = &known_managers[i];
        if (known->operation == manager->operation && slice_equal(manager->name, slice_of(known->name)) &&
            slice_equal(manager->subresource, slice_of(known->subresource)))
            return known->words;
    }
    return NULL;
}

void message_append_manager(struct text *text, const struct manager *manager)
{
    const char *words = manager->name.length ? words_for(manager) : "this request";
    if (words) {
        text_append_string(text, words);
        return;
    }
    message_append_name(text, manager->name);
    if (manager->subresource.length) {
        text_append_string(text, " (");
        message_append_name(text, manager->subresource);
        text_append_string(text, ")");
    }
}

void message_append_managers(struct text *text, const struct manager *managers, size_t count, size_t total)
{
    size_t named = total <= 2 ? count : count < 2 ? count : 2;
    for (size_t i = 0; i < named; i++) {
        if (i > 0)
            text_append_string(text, i + 1 == total ? " and " : ", ");
        message_append_manager(text, &managers[i]);
    }
    if (named < total) {
        text_append_string(text, " and ");
        text_append_number(text, total - named);
        text_append_string(text, " more");
    }
}

static void append_more_fields(struct text *text, size_t count)
{
    text_append_number(text, count);
    message_append_for(text, count, " more field", " more fields");
}

void message_append_fields(struct text *text, const struct slice *fields, size_t total)
{
    message_append_field(text, fields[0]);
    if (total == 1)
        return;
    text_append_string(text, " and ");
    append_more_fields(text, total - 1);
}

void message_append_fields_at_least(struct text *text, const struct slice *fields, size_t total)
{
    message_append_field(text, fields[0]);
    text_append_string(text, " and ");
    if (total == 1) {
        text_append_string(text, "more fields");
        return;
    }
    text_append_string(text, "at least ");
    append_more_fields(text, total - 1);
}

void message_append_object(struct text *text, const struct review *review)
{
    struct slice prefix = json_text(json_member(review->parts.metadata.value, SLICE("generateName")));
    bool is_named = review->name.length;
    /* A Namespace is its own. */
    bool has_namespace = review->namespace.length && !slice_equal(review->group_kind, SLICE("Namespace"));
    message_append_cut(text, review->kind, MESSAGE_NAMESPACE_BYTES);
    if (review->kind.length && (is_named || prefix.length || has_namespace))
        text_append_string(text, " ");
    if (has_namespace) {
        message_append_cut(text, review->namespace, MESSAGE_NAMESPACE_BYTES);
        text_append_string(text, "/");
    }
    message_append_name(text, is_named ? review->name : prefix);
    if (!is_named && (prefix.length || has_namespace))
        text_append(text, MESSAGE_ELLIPSIS);
}

struct slice message_compose(const struct review *review, struct slice sentence, struct slice command)
{
    struct text text = text_start(review->arena, MESSAGE_BYTES_MAX + 64);
    message_append_object(&text, review);
    text_append_string(&text, text.length ? ": " : "");
    size_t room = MESSAGE_BYTES_MAX - text.length;
    if (sentence.length <= room) {
        text_append(&text, sentence);
    } else {
        text_append(&text, text_cut(sentence, room - MESSAGE_ELLIPSIS.length));
        text_append(&text, MESSAGE_ELLIPSIS);
    }
    if (command.length && sentence.length + command.length + strlen(": ") <= room) {
        text_append_string(&text, ": ");
        text_append(&text, command);
    }
    return text_slice(&text);
}
