#include "owners/resolutions.h"

#include "base/json_append.h"
#include "base/shell.h"
#include "base/text.h"
#include "owners/jsonpath.h"
#include "owners/shell_object.h"
#include "policy/verdict/message_name.h"

const char *resolution_name(enum resolution_kind kind)
{
    static const char *const names[RESOLUTION_COUNT] = {
        [RESOLUTION_DROP] = "drop",
        [RESOLUTION_FORCE] = "force",
        [RESOLUTION_HAND_OVER] = "hand-over",
        [RESOLUTION_MATCH] = "match"};
    return names[kind];
}

const char *resolution_label(enum resolution_kind kind)
{
    static const char *const labels[RESOLUTION_COUNT] = {
        [RESOLUTION_DROP] = "drop it",
        [RESOLUTION_FORCE] = "force it",
        [RESOLUTION_HAND_OVER] = "hand over",
        [RESOLUTION_MATCH] = "match it"};
    return labels[kind];
}

struct slice resolution_line(const struct resolution *resolution, struct arena *arena)
{
    return text_join(arena, resolution->command, resolution->edit.length ? "  # " : "", resolution->edit);
}

/*
 * Texts
 */

static struct slice field_of(const struct resolution_question *question, struct arena *arena)
{
    return text_printable(arena, question->conflict->path);
}

static struct slice holder_of(const struct resolution_question *question, struct arena *arena)
{
    struct text text = text_start(arena, 64);
    manager_append(&text, &question->conflict->manager);
    return text_slice(&text);
}

/* "an autoscaler ..." begins with a capital letter; names are unchanged. */
static struct slice sentence(struct arena *arena, struct slice subject, const char *rest)
{
    bool is_article = slice_starts_with(subject, SLICE("an "));
    return text_join(arena, is_article ? "An " : "", slice_from(subject, is_article ? 3 : 0), rest);
}

/*
 * Kinds of holders
 */

static bool is_controller(const struct resolution_question *question)
{
    return question->class == CLASS_CONTROLLER;
}

/* An unknown manager may be a controller. */
static bool may_set_again(const struct resolution_question *question)
{
    return is_controller(question) || question->class == CLASS_UNKNOWN;
}

static bool is_applier(const struct resolution_question *question)
{
    return question->class == CLASS_APPLIER;
}

/* Tools that force-apply their configuration by themselves (the engines of Argo CD and Flux). */
static bool is_gitops(const struct resolution_question *question)
{
    enum tool tool = manager_tool(question->conflict->manager.name);
    return is_applier(question) && (tool == TOOL_FLUX || tool == TOOL_ARGOCD || tool == TOOL_TIMONI);
}

static bool is_apply(const struct resolution_question *question)
{
    return question->conflict->manager.operation == MANAGER_APPLY;
}

/*
 * Resolutions
 */

/* Where a tool declares fields, and how it applies them again. */
static const struct tool_words {
    const char *command;  /* NULL: kubectl apply */
    const char *manager;  /* of kubectl apply, if the text has none */
    const char *manifest; /* NULL: MANIFEST */
    const char *setting;  /* takes fields in conflict; NULL: the flag --force-conflicts does */
} words_of[] = {
    [CONFLICT_TOOL_KUBECTL] = {.manager = ""},
    [CONFLICT_TOOL_HELM] = {.command = "helm upgrade --install RELEASE CHART", .manifest = "the chart"},
    [CONFLICT_TOOL_FLUX] = {.manager = "kustomize-controller"},
    [CONFLICT_TOOL_ARGOCD] = {.manager = "argocd-controller"},
    [CONFLICT_TOOL_TERRAFORM] =
        {.command = "terraform apply",
         .manifest = "the Terraform configuration",
         .setting = "force_conflicts = true in the block field_manager of the resource"},
    [CONFLICT_TOOL_TERRAFORM_KUBECTL] =
        {.command = "terraform apply",
         .manifest = "the Terraform configuration",
         .setting = "force_conflicts = true in the resource"},
    [CONFLICT_TOOL_PULUMI] =
        {.command = "pulumi up",
         .manifest = "the Pulumi program",
         .setting = "the annotation pulumi.com/patchForce: \"true\" on the resource"},
    [CONFLICT_TOOL_ANSIBLE] =
        {.command = "ansible-playbook PLAYBOOK",
         .manifest = "the definition of the task",
         .setting = "force_conflicts: true in server_side_apply of the task"},
};

static struct slice apply_with(
    const struct resolution_question *question, const char *flags, struct arena *arena)
{
    const struct tool_words *words = &words_of[question->tool];
    if (words->command)
        return text_join(arena, words->command, words->setting ? "" : flags);
    struct text command = text_start(arena, 128);
    text_append_string(&command, "kubectl apply --server-side");
    struct slice manager = question->manager.length ? question->manager : slice_of(words->manager);
    if (manager.length)
        text_append_all(&command, " --field-manager=", as_escaped(shell_append_word, manager));
    text_append_all(&command, flags, " -f MANIFEST");
    return text_slice(&command);
}

static struct slice manifest_of(const struct resolution_question *question)
{
    const char *manifest = words_of[question->tool].manifest;
    return slice_of(manifest ? manifest : "MANIFEST");
}

static void find_drop(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct slice holder = holder_of(question, arena);
    resolution->edit =
        text_join(arena, "first remove ", field_of(question, arena), " from ", manifest_of(question));
    resolution->command = apply_with(question, "", arena);
    if (is_applier(question))
        resolution->next = sentence(arena, holder, " then sets it alone, from its own manifest.");
    else if (is_controller(question))
        resolution->next = sentence(arena, holder, " then sets it alone.");
    else
        resolution->next =
            text_join(arena, "The value from ", holder, " stays, and no manifest declares it.");
}

static void find_force(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct slice holder = holder_of(question, arena);
    const char *setting = words_of[question->tool].setting;
    if (setting)
        resolution->edit = text_join(arena, "first set ", setting);
    resolution->command = apply_with(question, " --force-conflicts", arena);
    if (is_gitops(question))
        resolution->next =
            sentence(arena, holder, " applies with force: it takes the field back at its next sync.");
    else if (is_applier(question) && is_apply(question))
        resolution->next = sentence(
            arena, holder,
            " loses the field: its next apply is refused as this one was, or takes the field back by force.");
    else if (is_applier(question))
        resolution->next = sentence(
            arena, holder, " loses the field; it meets no conflict, so its next run may set it back.");
    else if (may_set_again(question))
        resolution->next = sentence(
            arena, holder, " may set it back at any time, and then the next apply is refused again.");
    else if (manager_hides_writer(question->conflict->manager.name))
        resolution->next = SLICE("The value is overwritten; its writer is unknown, and may set it back.");
    else
        resolution->next =
            text_join(arena, "What was set with ", holder, " is overwritten; nothing sets it back.");
}

/*
 * Handing over
 */

static void append_test(
    struct text *text, const struct resolution_question *question, const char *member, struct slice value)
{
    text_append_all(
        text, "{\"op\":\"test\",\"path\":\"/metadata/managedFields/", question->field->position, "/", member,
        "\"");
    json_append_exact(text, "value", value);
    text_append_string(text, "},");
}

/* Removes the field from the holder's entry. The API server refuses the patch if the entry has moved. */
static struct slice patch_of(const struct resolution_question *question, struct arena *arena)
{
    const struct manager *manager = &question->conflict->manager;
    struct text pointer = text_start(arena, 128);
    text_append_all(
        &pointer, "/metadata/managedFields/", question->field->position,
        question->field->pointer.length ? "/fieldsV1" : "", question->field->pointer);
    struct text text = text_start(arena, 512);
    text_append_string(&text, "[");
    append_test(&text, question, "manager", manager->name);
    append_test(&text, question, "operation", slice_of(manager_operation_name(manager->operation)));
    if (manager->subresource.length)
        append_test(&text, question, "subresource", manager->subresource);
    text_append_string(&text, "{\"op\":\"remove\"");
    json_append_exact(&text, "path", text_slice(&pointer));
    text_append_string(&text, "}]");
    return text_slice(&text);
}

static void hand_over_by_patch(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct slice holder = holder_of(question, arena);
    struct text command = text_start(arena, 512);
    text_append_string(&command, "kubectl patch ");
    shell_append_object(&command, question->object);
    text_append_all(&command, " --type=json -p ", as_escaped(shell_append_word, patch_of(question, arena)));
    resolution->command = text_slice(&command);
    if (is_applier(question))
        resolution->edit =
            text_join(arena, "first remove ", field_of(question, arena), " from what ", holder, " applies");
    struct slice freed =
        text_join(arena, "The value stays, and ", holder, " no longer owns the field: apply again.");
    struct slice later = {"", 0};
    if (is_applier(question))
        later = SLICE(" If its manifest keeps the field, its next apply claims it again.");
    else if (may_set_again(question))
        later = SLICE(" If it changes the field again, it owns it again.");
    resolution->next =
        text_join(arena, freed, later, " The webhook warns of this patch (strict: refuses it).");
}

static void hand_over_by_apply(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct text command = text_start(arena, 128);
    text_append_all(
        &command, "kubectl apply --server-side --field-manager=",
        as_escaped(shell_append_word, question->conflict->manager.name), " -f ITS-MANIFEST");
    struct slice holder = holder_of(question, arena);
    resolution->edit =
        text_join(arena, "first remove ", field_of(question, arena), " from the manifest of ", holder);
    resolution->command = text_slice(&command);
    resolution->next =
        SLICE("If nobody else owns the field, it is gone from the object, or has its default: apply again. "
              "If it is required, match its value first.");
}

static void hand_over_later(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct text command = text_start(arena, 128);
    text_append_string(&command, "kubectl get ");
    shell_append_object(&command, question->object);
    text_append_string(&command, " -o yaml --show-managed-fields | applyguard explain -f CONFLICT --live -");
    resolution->command = text_slice(&command);
    resolution->next = text_join(
        arena, "It prints the patch that takes the field out of what ", holder_of(question, arena),
        " owns; CONFLICT is a file with this conflict.");
}

static void find_hand_over(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    if (question->field && !question->field->is_held) {
        resolution->command = apply_with(question, "", arena);
        resolution->next = sentence(
            arena, holder_of(question, arena), " no longer owns the field: there is nothing to hand over.");
    } else if (question->field && question->field->is_removable) {
        hand_over_by_patch(question, arena, resolution);
    } else if (is_apply(question)) {
        hand_over_by_apply(question, arena, resolution);
    } else {
        hand_over_later(question, arena, resolution);
    }
}

static void find_match(
    const struct resolution_question *question, struct arena *arena, struct resolution *resolution)
{
    struct slice holder = holder_of(question, arena);
    struct text path = text_start(arena, 128);
    jsonpath_append(&path, question->conflict->path, question->live);
    struct text command = text_start(arena, 256);
    text_append_string(&command, "kubectl get ");
    shell_append_object(&command, question->object);
    text_append_all(&command, " -o jsonpath=", as_escaped(shell_append_word, text_slice(&path)));
    resolution->command = text_slice(&command);
    resolution->edit = text_join(
        arena, "then set ", field_of(question, arena), " in ", manifest_of(question),
        " to what this shows, and apply again");
    if (may_set_again(question))
        resolution->next = text_join(
            arena, "Both own it, until ", holder, " changes it: then the next apply is refused again.");
    else if (is_applier(question))
        resolution->next = text_join(
            arena, "Both own it: neither you nor ", holder, " can change it alone without a conflict.");
    else
        resolution->next = SLICE("Both own it: the value stays, and your manifest declares it.");
}

void resolutions_find(
    const struct resolution_question *question, struct arena *arena,
    struct resolution resolutions[RESOLUTION_COUNT])
{
    for (int i = 0; i < RESOLUTION_COUNT; i++)
        resolutions[i] = (struct resolution){0};
    find_drop(question, arena, &resolutions[RESOLUTION_DROP]);
    find_force(question, arena, &resolutions[RESOLUTION_FORCE]);
    find_hand_over(question, arena, &resolutions[RESOLUTION_HAND_OVER]);
    find_match(question, arena, &resolutions[RESOLUTION_MATCH]);
}

void resolutions_append_json(struct text *text, const struct resolution resolutions[RESOLUTION_COUNT])
{
    text_append_string(text, "[");
    for (int i = 0; i < RESOLUTION_COUNT; i++) {
        json_append_open(text, NULL, "{");
        json_append_member(text, "way", slice_of(resolution_name((enum resolution_kind)i)));
        json_append_member(text, "command", resolution_line(&resolutions[i], text->arena));
        if (resolutions[i].refused_by.length)
            json_append_exact(text, "refused_by", resolutions[i].refused_by);
        text_append_string(text, "}");
    }
    text_append_string(text, "]");
}
