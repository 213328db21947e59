#include "base/array_size.h"
#include "manifest/groups.h"
#include "policy/analysis/combinations.h"
#include "policy/analysis/document.h"
#include "policy/analysis/object_name.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

/* So many capitals in a row are no mistake in a name, but a word that something replaces. */
#define PLACEHOLDER_BYTES 4

struct refusals {
    struct arena *arena;
    struct verdict *verdict;
};

static void refuse(void *context, struct slice path, const char *sentence)
{
    const struct refusals *refusals = context;
    struct slice *field = arena_allocate(refusals->arena, sizeof(*field));
    if (!field)
        return;
    *field = path;
    verdict_add(
        refusals->verdict,
        &(struct finding){
            .rule = RULE_refused_combination,
            .action = ACTION_DENY,
            .is_refused = true,
            .message = text_join(
                refusals->arena, "the API server refuses this: ", message_fields(field, 1), ": ", sentence),
            FINDING_FIELD(field),
        });
}

/* A SubjectAccessReview or its like is answered and not stored, so it needs no name. */
static bool is_question(const struct review *review)
{
    return slice_equal(review->group, SLICE("authentication.k8s.io")) ||
        slice_equal(review->group, SLICE("authorization.k8s.io"));
}

/* Kinds of objects that do their work once. People create them each time, and nothing applies them. */
static bool is_run(const struct review *review)
{
    static const char *const kinds[] = {
        "Workflow.argoproj.io",   "AnalysisRun.argoproj.io", "Experiment.argoproj.io",
        "PipelineRun.tekton.dev", "TaskRun.tekton.dev",      "CustomRun.tekton.dev",
        "Run.tekton.dev",         "RayJob.ray.io",           "JobSet.jobset.x-k8s.io",
    };
    return slice_is_one_of(review->group_kind, kinds, ARRAY_SIZE(kinds));
}

/* Argo CD creates hooks that have a generated name, also those of Helm charts. */
static bool is_hook(const struct manifest_node *metadata)
{
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    return manifest_member(annotations, SLICE("argocd.argoproj.io/hook")) ||
        manifest_member(annotations, SLICE("helm.sh/hook"));
}

static void add_name_finding(struct verdict *verdict, const struct finding *finding)
{
    struct finding added = *finding;
    added.rule = RULE_refused_combination;
    added.field_count = added.field_total = 1;
    verdict_add(verdict, &added);
}

/* kubectl asks for the object of this name before it applies, so that a generated name does not do. */
static void judge_generated_name(
    const struct review *review, const struct manifest_node *metadata, struct verdict *verdict)
{
    static const struct slice field = SLICE_LITERAL(".metadata.generateName");
    if (is_hook(metadata))
        return;
    bool is_refused = !is_run(review);
    add_name_finding(
        verdict,
        &(struct finding){
            .action = is_refused ? ACTION_DENY : ACTION_AUDIT,
            .is_refused = is_refused,
            .message = is_refused
                ? SLICE(
                      "kubectl apply takes no generateName, and the API server refuses this without a name; "
                      "set metadata.name, or use kubectl create")
                : SLICE("kubectl apply takes no generateName; use kubectl create for each run"),
            .fields = &field,
        });
}

/* REPLACEME-web, NODE_NAME or <node>, which a person or a script is to replace. */
static bool is_placeholder(struct slice name)
{
    size_t capitals = 0;
    for (size_t i = 0; i < name.length && capitals < PLACEHOLDER_BYTES; i++) {
        char letter = name.bytes[i];
        bool is_capital = (letter >= 'A' && letter <= 'Z') || letter == '_';
        capitals = is_capital ? capitals + 1 : 0;
    }
    return capitals == PLACEHOLDER_BYTES || slice_contains(name, '<') || slice_contains(name, '$') ||
        slice_contains(name, '{');
}

/* kustomize names a Namespace after the namespace that it sets, whatever its name is in the file. */
static bool is_renamed(const struct review *review, const struct document *document)
{
    return document->others.is_shared ||
        (document->is_kustomized && slice_equal(review->group_kind, SLICE("Namespace")));
}

static void judge_form_of_name(
    const struct review *review, const struct document *document, struct verdict *verdict)
{
    static const struct slice field = SLICE_LITERAL(".metadata.name");
    struct slice name = document->object->name;
    const char *problem = is_placeholder(name) || is_renamed(review, document)
        ? NULL
        : object_name_refusal(review->group_kind, is_builtin_group(review->group), name);
    if (!problem)
        return;
    add_name_finding(
        verdict,
        &(struct finding){
            .action = ACTION_DENY,
            .is_refused = true,
            .message = text_join(review->arena, "the API server refuses this: ", problem),
            .fields = &field,
        });
}

/* Returns whether the object has no name, so that it may be a part of one. */
static bool judge_name(const struct review *review, const struct document *document, struct verdict *verdict)
{
    static const struct slice field = SLICE_LITERAL(".metadata.name");
    const struct manifest_node *metadata = manifest_member(document->object->root, SLICE("metadata"));
    if (document->object->name.length) {
        judge_form_of_name(review, document, verdict);
        return false;
    }
    if (is_question(review))
        return false;
    if (manifest_text(manifest_member(metadata, SLICE("generateName"))).length) {
        judge_generated_name(review, metadata, verdict);
        return false;
    }
    add_name_finding(
        verdict,
        &(struct finding){
            .action = ACTION_DENY,
            .is_refused = true,
            .message = SLICE("the API server refuses this: an object needs a name; set metadata.name"),
            .fields = &field,
        });
    return true;
}

/* Only what is declared counts. */
static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    struct refusals refusals = {review->arena, verdict};
    const bool is_nameless = judge_name(review, document, verdict);
    const struct declared_spec declared = {
        .group_kind = review->group_kind,
        .version = review->version,
        .object = review->object,
        .spec = review->parts.spec,
        .is_partial = review->declared_by_other_sources || document->may_be_part || is_nameless,
        .kustomize_sets_namespaces = document->is_kustomized,
        .kustomize_adds_labels = review->kustomize_adds_labels,
    };
    /* SOPS encrypts values of any field, and removes its member when it decrypts them. */
    if (!manifest_member(document->object->root, SLICE("sops")))
        combinations_find(&declared, review->arena, refuse, &refusals);
}

const struct rule_definition rule_refused_combination = {.judge_document = judge};
