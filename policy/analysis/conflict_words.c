#include "policy/analysis/conflict_words.h"

#include "base/json.h"
#include "manifest/groups.h"
#include "policy/analysis/absorption.h"
#include "policy/analysis/list_difference.h"
#include "policy/analysis/replicas.h"
#include "policy/analysis/run_names.h"
#include "policy/analysis/suspension.h"
#include "policy/review/applied.h"
#include "policy/verdict/message.h"
#include "policy/verdict/message_parent.h"
#include "policy/verdict/tool_habits.h"

struct sentence {
    struct text text;
    const struct review *review;
    const struct conflict_group *group;
    const struct manager *previous_owners;
    size_t listed;
    bool is_denied;
};

static void say(struct sentence *sentence, const char *words)
{
    text_append_string(&sentence->text, words);
}

/* The word that fits the number of fields. */
static void say_for_fields(struct sentence *sentence, const char *one, const char *several)
{
    text_append_string(&sentence->text, message_for(sentence->group->field_count, one, several));
}

/* The word that fits the number of previous owners. */
static void say_for_previous_owners(struct sentence *sentence, const char *one, const char *several)
{
    text_append_string(&sentence->text, message_for(sentence->group->previous_owner_count, one, several));
}

static void say_previous_owners(struct sentence *sentence)
{
    text_append_all(
        &sentence->text,
        message_managers(sentence->previous_owners, sentence->listed, sentence->group->previous_owner_count));
}

static void advise(struct sentence *sentence, const char *words)
{
    say(sentence, "; ");
    say(sentence, words);
}

static const struct tool_habits *writers_habits(const struct sentence *sentence)
{
    const struct manager *writer = &sentence->review->ownership.writer.manager;
    return manager_habits(writer, manager_tool(writer->name));
}

static bool names_replicas(const struct conflict_group *group)
{
    for (size_t i = 0; i < group->field_count; i++) {
        if (slice_equal(group->fields[i], SLICE(REPLICAS_PATH)))
            return true;
    }
    return false;
}

/* Autoscalers scale by the subresource. */
static bool is_autoscaler(const struct manager *manager)
{
    return slice_equal(manager->subresource, SLICE("scale")) ||
        slice_equal(manager_product(manager), SLICE("keda"));
}

/* Whether an autoscaler has set the replicas. */
static bool has_autoscaled(const struct sentence *sentence)
{
    for (size_t i = 0; i < sentence->listed && names_replicas(sentence->group); i++) {
        if (is_autoscaler(&sentence->previous_owners[i]))
            return true;
    }
    return false;
}

static bool is_client_side_kubectl(const struct managed_fields_entry *entry)
{
    return entry && entry_tool(entry) == TOOL_KUBECTL_CLIENT_SIDE;
}

/* kubectl apply under two names, which share one annotation. */
static bool are_names_of_kubectl(const struct sentence *sentence)
{
    return is_client_side_kubectl(sentence->review->ownership.writer.after) &&
        is_client_side_kubectl(sentence->group->previous_owners[0]);
}

/* A pipeline that applies under another name in each run. */
static bool are_runs_of_one(const struct sentence *sentence)
{
    const struct manager *writer = &sentence->review->ownership.writer.manager;
    bool are_runs = writer->operation == MANAGER_APPLY && manager_tool(writer->name) == TOOL_OTHER;
    for (size_t i = 0; are_runs && i < sentence->listed; i++)
        are_runs = run_names_are_of_one(writer->name, sentence->previous_owners[i].name);
    return are_runs;
}

/* The effect on the fields */

/* An applier writes what it declares over what others set. */
static const char *verb_of(const struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    bool applies = class_applies(sentence->review->ownership.writer.class) && !are_names_of_kubectl(sentence);
    if (group->heals)
        return group->removed ? " sets back or removes " : " sets back ";
    if (!group->removed)
        return applies ? " overwrites " : " changes ";
    if (!group->taken)
        return " removes ";
    return applies ? " overwrites or removes " : " changes or removes ";
}

/* A list that is owned as a whole also has items of the writer: the place inside says what differs. */
static void say_place_inside(struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    struct slice place = group->required && group->field_count == 1
        ? list_difference(group->old_value, group->value, sentence->review->arena)
        : (struct slice){NULL, 0};
    if (place.length) {
        message_mark(&sentence->text, MESSAGE_PATH);
        text_append(&sentence->text, place);
        message_mark(&sentence->text, MESSAGE_END);
    }
}

static void say_fields(struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    if (group->at_least) {
        text_append_all(&sentence->text, message_fields_at_least(group->fields, group->field_count));
        return;
    }
    text_append_all(&sentence->text, message_fields(group->fields, group->field_count));
    say_place_inside(sentence);
}

/*
 * A person or script takes from an applier
 */

/*
 * Helm compares custom resources with the release before, and not with the object, and leaves alone what has
 * not changed in its chart (helm, pkg/kube/client.go, createPatch).
 */
static bool may_leave_alone(const struct review *review, const struct managed_fields_entry *previous_owner)
{
    return previous_owner->manager.operation == MANAGER_UPDATE && !is_builtin_group(review->group) &&
        !entry_applies_client_side(&review->ownership, previous_owner);
}

/* Whether Flux itself declares what a person suspends or resumes. */
static bool is_suspension(const struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    return group->field_count == 1 && slice_equal(group->fields[0], SLICE(SUSPEND_PATH)) &&
        manager_tool(group->previous_owners[0]->manager.name) == TOOL_FLUX && suspends_flux(sentence->review);
}

static bool are_of_one_tool(const struct sentence *sentence)
{
    for (size_t i = 1; i < sentence->listed; i++) {
        if (!manager_is_same_tool(sentence->previous_owners[0].name, sentence->previous_owners[i].name))
            return false;
    }
    return sentence->listed == sentence->group->previous_owner_count;
}

/* Whether the sentence calls the first previous owner by the name of its tool. */
static bool is_known_tool(const struct sentence *sentence)
{
    bool has_subresource = false;
    return manager_words(&sentence->previous_owners[0], &has_subresource) != NULL;
}

/* The number of the first owner that takes fields by force, at its next run; `listed`: absent. */
static size_t forcing_owner(const struct sentence *sentence)
{
    size_t at = 0;
    for (; at < sentence->listed; at++) {
        const struct manager *previous_owner = &sentence->previous_owners[at];
        const struct tool_habits *owner = manager_habits(previous_owner, manager_tool(previous_owner->name));
        if (owner->is_named && !owner->refuses)
            break;
    }
    return at;
}

/* Puts the owner that undoes the change first, because the sentence may not name all owners. */
static const char *say_several(struct sentence *sentence)
{
    const struct review *review = sentence->review;
    size_t forcing = forcing_owner(sentence), count = 0;
    bool has_forcing = forcing < sentence->listed;
    struct manager *sorted = arena_allocate_array(review->arena, sentence->listed + 1, sizeof(*sorted));
    if (!sorted)
        return "";
    if (has_forcing)
        sorted[count++] = sentence->previous_owners[forcing];
    for (size_t i = 0; i < sentence->listed; i++)
        if (i != forcing)
            sorted[count++] = sentence->previous_owners[i];
    text_append_all(
        &sentence->text, message_managers(sorted, count, sentence->group->previous_owner_count), " manage: ");
    if (!has_forcing)
        return sentence->group->taken ? "their next applies fail or undo this"
                                      : "their next applies undo this";
    return manager_habits(sorted, manager_tool(sorted->name))->undoes;
}

/* `owner` NULL: several tools. */
static void advise_change(struct sentence *sentence, const struct tool_habits *owner)
{
    advise(sentence, owner ? owner->change : "change their manifests");
    if (!owner || !owner->or_else || sentence->is_denied)
        return;
    say(sentence, ", or ");
    say(sentence, owner->or_else);
}

/* The tool that applies the object ignores it for now. */
static void say_ignored(struct sentence *sentence, enum tool tool)
{
    say(sentence, ", but ");
    say(sentence, tool_name(tool));
    say(sentence, " undoes this once it reconciles the object again");
    advise(sentence, tool_habits(tool)->change);
}

/*
 * An operator that applies what it makes for another object, such as a custom resource: there is no manifest
 * to change. `bytes` NULL: it is not one, or its object is not known.
 */
static struct slice parent_of_applied(const struct sentence *sentence)
{
    const struct managed_fields_entry *previous_owner = sentence->group->previous_owners[0];
    bool may_be_operator = previous_owner->manager.operation == MANAGER_APPLY && are_of_one_tool(sentence) &&
        !is_known_tool(sentence);
    return may_be_operator ? message_parent(sentence->review) : (struct slice){NULL, 0};
}

static void advise_parent(struct sentence *sentence, struct slice parent)
{
    advise(sentence, "change ");
    message_append_marked(&sentence->text, parent);
    say(sentence, " instead");
}

/* A controller makes the object from `parent`, or, if that is not known, by its settings. */
static void advise_settings(struct sentence *sentence, struct slice parent)
{
    if (parent.length)
        advise_parent(sentence, parent);
    else
        advise(sentence, "change the settings of that controller instead");
}

/* The reaction of the owners' tools to the change. */
static void say_undone(struct sentence *sentence)
{
    const struct managed_fields_entry *previous_owner = sentence->group->previous_owners[0];
    enum tool tool = entry_tool(previous_owner);
    const struct tool_habits *owner = manager_habits(&previous_owner->manager, tool);
    bool is_one = are_of_one_tool(sentence), is_named = is_one && owner->is_named;
    struct slice parent = parent_of_applied(sentence);
    if (parent.length || (is_one && manager_is_operator(&previous_owner->manager))) {
        say(sentence, ", which ");
        say_previous_owners(sentence);
        say_for_previous_owners(sentence, " manages and may set again", " manage and may set again");
        advise_settings(sentence, parent);
        return;
    }
    if (is_one && absorber_ignores(sentence->review, previous_owner)) {
        say_ignored(sentence, tool);
        return;
    }
    say(sentence, is_named ? ", but " : ", which ");
    if (is_one && !is_named) {
        say_previous_owners(sentence);
        say_for_previous_owners(sentence, " manages: ", " manage: ");
    }
    if (!is_one)
        say(sentence, say_several(sentence));
    else if (tool == TOOL_HELM && may_leave_alone(sentence->review, previous_owner))
        say(sentence, "the next helm upgrade may undo this");
    else if (tool == TOOL_OTHER && may_leave_alone(sentence->review, previous_owner))
        say(sentence, "the next apply may undo this");
    else if (!sentence->group->taken) /* what is gone has no owner to conflict with */
        say(sentence, owner->undoes);
    else
        say(sentence, manager_reaction(&previous_owner->manager, owner));
    if (is_suspension(sentence) && !sentence->is_denied)
        advise(sentence, "suspend the parent, or change Git");
    else
        advise_change(sentence, is_one ? owner : NULL);
}

/*
 * Somebody takes from a controller
 */

/* kubectl deletes what the annotation declares and the manifest no longer does. */
static bool annotation_has_replicas(const struct review *review)
{
    yyjson_val *before = applied_annotation_before(review), *after = applied_annotation(review);
    struct slice spec = SLICE("spec"), replicas = SLICE("replicas");
    return json_member(json_member(before, spec), replicas) ||
        json_member(json_member(after, spec), replicas);
}

/* How an applier leaves replicas to the autoscaler that scales them, where it can with no pod lost. */
static void advise_scaling(struct sentence *sentence)
{
    const struct review *review = sentence->review;
    const struct writer *writer = &review->ownership.writer;
    const struct tool_habits *habits = writers_habits(sentence);
    if (habits->leaves_scale) {
        advise(sentence, habits->leaves_scale);
    } else if (writer->manager.operation == MANAGER_APPLY) {
        advise(sentence, "remove replicas from ");
        say(sentence, habits->source);
        say(sentence, ": the autoscaler sets its own");
    } else if (
        review->last_applied.after.bytes && writer->after &&
        entry_applies_client_side(&review->ownership, writer->after)) {
        advise(sentence, "remove replicas ");
        say(sentence,
            annotation_has_replicas(review) ? "with kubectl apply edit-last-applied, then from the manifest"
                                            : "from the manifest");
    } else {
        /* Many tools delete fields that they no longer declare, even if another manager owns them by then. */
        advise(sentence, "leave replicas out of the manifest, which may reset it to 1 once");
    }
}

/*
 * A removed field is not in the manifest: the apply replaces the list that it is in, or the whole object, or
 * deletes what the manifest had before.
 */
static void advise_keeping(struct sentence *sentence)
{
    const struct writer *writer = &sentence->review->ownership.writer;
    const char *merges =
        tool_habits(writer->after ? entry_tool(writer->after) : manager_tool(writer->manager.name))->merges;
    if (writer->manager.operation != MANAGER_UPDATE)
        return;
    advise(sentence, merges ? merges : "server-side apply keeps");
    say_for_fields(sentence, " it", " them");
}

/* A tool that replaces the object resets what its manifest does not have. */
static bool replaces_object(const struct sentence *sentence)
{
    const struct writer *writer = &sentence->review->ownership.writer;
    return slice_equal(writer->manager.name, SLICE("argocd-application-controller")) ||
        sentence->group->declaration == DECLARATION_ABSENT;
}

static void advise_to_applier(struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    const struct tool_habits *habits = writers_habits(sentence);
    if (has_autoscaled(sentence)) {
        advise_scaling(sentence);
    } else if (group->declaration == DECLARATION_EMPTY) {
        say(sentence, " and will set again");
        advise(sentence, "let only one of them set ");
        say_for_fields(
            sentence, "it: the manifest declares it empty", "them: the manifest declares them empty");
    } else if (!group->taken) {
        say(sentence, " and will set again");
        advise_keeping(sentence);
    } else if (group->required) {
        /* The manifest cannot leave the field out. */
        say(sentence, " and will set again");
        advise(sentence, "declare what it sets, or stop it from setting ");
        say_for_fields(sentence, "it", "them");
    } else if (habits->shares && group->field_count == 1) {
        say(sentence, " and will set again");
        advise(sentence, habits->shares);
    } else if (group->declaration == DECLARATION_PRESENT) {
        say(sentence, " and will set again");
        advise(sentence, "remove ");
        say_for_fields(sentence, "it from ", "them from ");
        say(sentence, habits->source);
    } else {
        say(sentence, " and will set again");
        advise(sentence, "let only one of them set ");
        say_for_fields(sentence, "it", "them");
    }
}

/* The manifest does not have the fields: the advice is about the way of applying. */
static void say_replacement(struct sentence *sentence)
{
    bool is_argocd = manager_tool(sentence->review->ownership.writer.manager.name) == TOOL_ARGOCD;
    text_append_all(
        &sentence->text, message_writer(sentence->review),
        is_argocd ? " replaces the object, which resets " : " resets ");
    say_fields(sentence);
    say(sentence, is_argocd ? " although " : ", which ");
    say_previous_owners(sentence);
    say_for_previous_owners(sentence, " controls", " control");
    if (is_argocd) {
        say_for_fields(sentence, " it", " them");
        advise(sentence, "drop the sync option Replace=true");
        return;
    }
    say(sentence, ", though its manifest does not set ");
    say_for_fields(sentence, "it", "them");
    if (names_replicas(sentence->group) && writers_habits(sentence)->leaves_scale)
        advise(sentence, writers_habits(sentence)->leaves_scale);
    else if (writers_habits(sentence)->merges)
        advise_keeping(sentence);
}

/* The file lacks the fields, and a person need not know that the object has them. */
static bool is_replacement_by_kubectl(const struct sentence *sentence)
{
    return slice_equal(sentence->review->ownership.writer.manager.name, SLICE("kubectl-replace"));
}

/* The reaction of a controller that loses the field. */
static void say_struggle(struct sentence *sentence)
{
    say_for_previous_owners(sentence, " controls", " control");
    if (sentence->review->ownership.writer.class == CLASS_APPLIER) {
        advise_to_applier(sentence);
        return;
    }
    say(sentence, " and may set again");
    struct slice parent = message_parent(sentence->review);
    if (!parent.length && has_autoscaled(sentence)) {
        advise(sentence, "change the limits of the autoscaler instead");
    } else if (!parent.length && !sentence->group->taken && is_replacement_by_kubectl(sentence)) {
        advise(sentence, "use kubectl apply, which keeps ");
        say_for_fields(sentence, "it", "them");
    } else {
        advise_settings(sentence, parent);
    }
}

/*
 * The whole
 */

/* kubectl apply client-side over its own server-side apply: probably of one manifest. */
static bool is_kubectl_back(const struct sentence *sentence)
{
    const struct manager *previous_owner = &sentence->group->previous_owners[0]->manager;
    return is_client_side_kubectl(sentence->review->ownership.writer.after) &&
        sentence->group->previous_owner_count == 1 && previous_owner->operation == MANAGER_APPLY &&
        manager_tool(previous_owner->name) == TOOL_KUBECTL;
}

/*
 * The first server-side apply under a name of its own is refused. Without a change of values it is not, and
 * kubectl then hands over all that kubectl apply owns.
 */
static bool may_migrate(const struct sentence *sentence)
{
    const struct writer *writer = &sentence->review->ownership.writer;
    return sentence->is_denied && writer->manager.operation == MANAGER_APPLY && !writer->before &&
        manager_tool(writer->manager.name) == TOOL_OTHER && sentence->group->previous_owner_count == 1 &&
        is_client_side_kubectl(sentence->group->previous_owners[0]);
}

static void advise_one_manifest(struct sentence *sentence)
{
    if (is_kubectl_back(sentence)) {
        advise(sentence, "keep to one way: add --server-side");
        return;
    }
    bool has_operator = manager_is_operator(&sentence->review->ownership.writer.manager) ||
        managers_have_operator(sentence->previous_owners, sentence->listed);
    advise(sentence, message_keep_one(sentence->group->field_count, has_operator));
    if (may_migrate(sentence))
        say_for_fields(
            sentence, ", or migrate: apply its present value first",
            ", or migrate: apply their present values first");
}

static void say_for_applier(struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    if (!group->taken) {
        say_for_previous_owners(sentence, " also sets and will set again", " also set and will set again");
        if (is_kubectl_back(sentence)) /* server-side, kubectl deletes what the manifest lacks, too */
            advise_one_manifest(sentence);
        else
            advise_keeping(sentence);
    } else {
        struct slice parent = parent_of_applied(sentence);
        say_for_previous_owners(sentence, " also sets", " also set");
        if (parent.length) {
            advise_parent(sentence, parent);
            return;
        }
        advise_one_manifest(sentence);
    }
}

/* The rest of a sentence that ends with the names of the previous owners. */
static void say_what_follows(struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    enum manager_class writer = sentence->review->ownership.writer.class;
    if (group->undeclared) {
        say_for_previous_owners(sentence, " owns, but", " own, but");
        say(sentence, " probably only as a default");
    } else if (group->heals) {
        say(sentence, " changed");
    } else if (group->renewed) {
        say(sentence, " applied before");
    } else if (group->previous_owner_class == CLASS_CONTROLLER && !class_is_unattended(writer)) {
        say_struggle(sentence);
    } else if (are_names_of_kubectl(sentence)) {
        say(sentence, " applied before");
        advise(sentence, "use one --field-manager for this manifest");
    } else if (are_runs_of_one(sentence)) {
        say_for_previous_owners(sentence, " also sets", " also set");
        advise(sentence, "use one --field-manager for this manifest");
    } else if (group->previous_owner_class == CLASS_APPLIER && writer == CLASS_APPLIER) {
        say_for_applier(sentence);
    } else if (group->previous_owner_class == CLASS_APPLIER) {
        say_for_previous_owners(sentence, " also sets", " also set");
        advise(sentence, "let only one of them set ");
        say_for_fields(sentence, "it", "each");
    } else {
        say(sentence, " wrote");
        if (group->previous_owner_class != CLASS_UNKNOWN || !class_applies(writer))
            return;
        if (!group->taken)
            advise_keeping(sentence);
        else if (writer == CLASS_APPLIER && group->previous_owner_count == 1 && !is_known_tool(sentence))
            advise(sentence, "find out who uses that name");
    }
}

/* Whether a person or a script takes what an applier declares. */
static bool is_undone(const struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    enum manager_class writer = sentence->review->ownership.writer.class;
    return group->previous_owner_class == CLASS_APPLIER && writer != CLASS_APPLIER &&
        !class_is_unattended(writer) && !group->undeclared && !group->heals && !group->renewed;
}

static bool is_replacement(const struct sentence *sentence)
{
    const struct conflict_group *group = sentence->group;
    return group->previous_owner_class == CLASS_CONTROLLER && group->taken && !group->undeclared &&
        sentence->review->ownership.writer.class == CLASS_APPLIER && replaces_object(sentence);
}

struct slice conflict_words(
    const struct review *review, const struct conflict_group *group, const struct manager *previous_owners,
    size_t listed, bool is_denied)
{
    struct sentence sentence = {
        text_start(review->arena, 256), review, group, previous_owners, listed, is_denied};
    if (is_replacement(&sentence)) {
        say_replacement(&sentence);
        return text_slice(&sentence.text);
    }
    text_append_all(&sentence.text, message_writer(review), verb_of(&sentence));
    say_fields(&sentence);
    if (is_undone(&sentence)) {
        say_undone(&sentence);
    } else {
        say(&sentence, ", which ");
        say_previous_owners(&sentence);
        say_what_follows(&sentence);
    }
    return text_slice(&sentence.text);
}
