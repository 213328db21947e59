#include "base/array_size.h"
#include "policy/analysis/document.h"
#include "policy/fieldset/path.h"
#include "policy/review/review.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

#include <stdio.h>

struct search {
    const struct review *review;
    struct verdict *verdict;
};

static void report(const struct search *of, struct slice field, const char *writer, const char *advice)
{
    struct arena *arena = of->review->arena;
    struct slice *fields = arena_allocate(arena, sizeof(*fields));
    if (!fields)
        return;
    *fields = field;
    verdict_add(
        of->verdict,
        &(struct finding){
            .rule = RULE_generated_fields,
            .action = ACTION_DENY,
            .message = text_join(
                arena, writer, " writes ", message_fields(fields, 1), ", and each apply takes it back; ",
                advice),
            FINDING_FIELD(fields),
        });
}

/* kubectl asks for a member rules, which may be empty. */
static void check_cluster_role(const struct search *of, const struct manifest_node *role)
{
    const struct manifest_node *rules = manifest_member(role, SLICE("rules"));
    const struct manifest_node *aggregation = manifest_member(role, SLICE("aggregationRule"));
    if (aggregation && aggregation->kind == MANIFEST_MAP && rules && rules->kind == MANIFEST_LIST &&
        rules->count)
        report(of, SLICE(".rules"), "Kubernetes", "write rules: [] beside aggregationRule");
}

/* Annotations with which controllers are asked for a caBundle. */
static const struct {
    const char *annotation;
    const char *writer;
} injectors[] = {
    {"cert-manager.io/inject-ca-from", "cert-manager"},
    {"cert-manager.io/inject-ca-from-secret", "cert-manager"},
    {"cert-manager.io/inject-apiserver-ca", "cert-manager"},
    {"service.beta.openshift.io/inject-cabundle", "OpenShift"},
};

static const char *injector_of(const struct manifest_node *object)
{
    const struct manifest_node *metadata = manifest_member(object, SLICE("metadata"));
    const struct manifest_node *annotations = manifest_member(metadata, SLICE("annotations"));
    for (size_t i = 0; i < ARRAY_SIZE(injectors); i++)
        if (manifest_text(manifest_member(annotations, slice_of(injectors[i].annotation))).length)
            return injectors[i].writer;
    return NULL;
}

static void check_bundle(
    const struct search *of, const struct manifest_node *holder, struct slice place, const char *writer)
{
    if (!manifest_text(manifest_member(holder, SLICE("caBundle"))).length)
        return;
    report(of, text_join(of->review->arena, place, ".caBundle"), writer, "remove caBundle from the manifest");
}

static void check_webhooks(const struct search *of, const struct manifest_node *object, const char *writer)
{
    const struct manifest_node *webhooks = manifest_member(object, SLICE("webhooks"));
    for (size_t i = 0; webhooks && webhooks->kind == MANIFEST_LIST && i < webhooks->count; i++) {
        char place[64];
        int length = snprintf(place, sizeof(place), ".webhooks[%zu].clientConfig", i);
        check_bundle(
            of, manifest_member(webhooks->items[i], SLICE("clientConfig")),
            (struct slice){place, (size_t)length}, writer);
    }
}

static void check_bundles(const struct search *of, const struct manifest_node *object, const char *writer)
{
    const struct manifest_node *spec = manifest_member(object, SLICE("spec"));
    const struct manifest_node *webhook =
        manifest_member(manifest_member(spec, SLICE("conversion")), SLICE("webhook"));
    check_webhooks(of, object, writer);
    check_bundle(of, spec, SLICE(".spec"), writer);
    check_bundle(
        of, manifest_member(webhook, SLICE("clientConfig")), SLICE(".spec.conversion.webhook.clientConfig"),
        writer);
}

static bool has_bundles(struct slice group)
{
    static const char *const groups[] = {
        "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io"};
    return slice_is_one_of(group, groups, ARRAY_SIZE(groups));
}

static void judge(const struct review *review, const struct document *document, struct verdict *verdict)
{
    const struct search of = {review, verdict};
    const struct manifest_node *object = document->object->root;
    if (slice_equal(review->group_kind, SLICE("ClusterRole.rbac.authorization.k8s.io")))
        check_cluster_role(&of, object);
    const char *writer = has_bundles(review->group) ? injector_of(object) : NULL;
    if (writer)
        check_bundles(&of, object, writer);
}

const struct rule_definition rule_generated_fields = {.judge_document = judge};
