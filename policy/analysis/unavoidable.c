#include "policy/analysis/unavoidable.h"

#include "base/array_size.h"
#include "base/json.h"

/* kubernetes/api: fields that are not marked as optional, and that controllers set, too. */
static const struct {
    const char *kind, *field;
} required[] = {
    {"PersistentVolumeClaim", ".spec.resources.requests.storage"},
    {"PersistentVolumeClaim", ".spec.resources"},
    {"HorizontalPodAutoscaler.autoscaling", ".spec.maxReplicas"},
    {"HorizontalPodAutoscaler.autoscaling", ".spec.scaleTargetRef"},
    {"CronJob.batch", ".spec.schedule"},
    {"Service", ".spec.ports"},
    {"ValidatingWebhookConfiguration.admissionregistration.k8s.io", ".webhooks[*].clientConfig.service"},
    {"MutatingWebhookConfiguration.admissionregistration.k8s.io", ".webhooks[*].clientConfig.service"},
};

/* The same of a probe, a handler and a volume. */
static bool is_required_in_pod(const struct path *path)
{
    static const struct {
        const char *parent, *field;
    } fields[] = {
        {"httpGet", "port"},
        {"tcpSocket", "port"},
        {"grpc", "port"},
        {"hostPath", "path"},
        {"persistentVolumeClaim", "claimName"},
    };
    for (size_t i = 0; path->parent && i < ARRAY_SIZE(fields); i++) {
        if (slice_equal(path->text, slice_of(fields[i].field)) &&
            slice_equal(path->parent->text, slice_of(fields[i].parent)))
            return true;
    }
    return false;
}

/* Pod templates are also part of custom resources. */
static bool is_image_of_container(const struct path *path)
{
    static const char *const lists[] = {"containers", "initContainers", "ephemeralContainers"};
    const struct path *item = path->parent;
    return path->kind == PATH_FIELD && slice_equal(path->text, SLICE("image")) && item &&
        item->kind == PATH_KEY && item->parent &&
        slice_is_one_of(item->parent->text, lists, ARRAY_SIZE(lists));
}

bool field_is_required(const struct review *review, const struct path *path, yyjson_val *value)
{
    if (!value)
        return false;
    /* An owner that has a list or a map as one field shares it with all who put something into it. */
    if (yyjson_arr_size(value) > 0 || yyjson_obj_size(value) > 0 || path_is_key_field(path) ||
        is_image_of_container(path) || is_required_in_pod(path))
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(required); i++) {
        if (slice_equal(review->group_kind, slice_of(required[i].kind)) &&
            path_pattern_covers(slice_of(required[i].field), path, review->arena))
            return true;
    }
    return false;
}

bool manager_is_of_product(const struct review *review, const struct manager *manager)
{
    static const char *const keys[] = {
        "app", "app.kubernetes.io/name", "app.kubernetes.io/part-of", "app.kubernetes.io/instance",
        "helm.sh/chart"};
    struct slice product = manager_product(manager);
    if (!product.length)
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        if (slice_starts_with(
                json_text(json_member(review->parts.metadata.labels, slice_of(keys[i]))), product))
            return true;
    }
    return slice_starts_with(review->name, product);
}
