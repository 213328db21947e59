#include "apply/server_set.h"

#include "apply/service.h"
#include "base/array_size.h"
#include "base/text.h"

/*
 * Namespaces (pkg/registry/core/namespace/strategy.go, pkg/apis/core/v1/defaults.go)
 */

static const struct value *keep_namespace(
    const struct value *namespace, const struct value *live, struct arena *arena)
{
    static const struct slice key = SLICE_LITERAL("kubernetes.io/metadata.name");
    const struct value *metadata = value_member(namespace, SLICE("metadata"));
    const struct value *label = value_member(value_at(live, SLICE(".metadata.labels")), key);
    const struct value *labels = value_member(metadata, SLICE("labels"));
    namespace = value_with(namespace, SLICE("spec"), value_member(live, SLICE("spec")), arena);
    if (!namespace || !label || value_member(labels, key))
        return namespace;
    labels = value_with(value_is_empty(labels) ? &value_empty_map : labels, key, label, arena);
    metadata = labels ? value_with(metadata, SLICE("labels"), labels, arena) : NULL;
    return metadata ? value_with(namespace, SLICE("metadata"), metadata, arena) : NULL;
}

/*
 * Pods: tolerations that the admission plugin DefaultTolerationSeconds adds
 */

static bool is_added(const struct value *toleration)
{
    static const char *const keys[] = {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"};
    return slice_is_one_of(value_text(value_member(toleration, SLICE("key"))), keys, ARRAY_SIZE(keys)) &&
        slice_equal(value_text(value_member(toleration, SLICE("effect"))), SLICE("NoExecute"));
}

/* The items of a list that the plugin has added, or the others. */
static size_t copy_tolerations(
    const struct value *list, bool are_added, const struct value **items, size_t count)
{
    for (size_t i = 0; list && list->kind == VALUE_LIST && i < list->count; i++)
        if (is_added(list->items[i]) == are_added)
            items[count++] = list->items[i];
    return count;
}

static const struct value *keep_tolerations(
    const struct value *pod, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("tolerations");
    const struct value *spec = value_member(pod, SLICE("spec"));
    const struct value *list = value_member(spec, name);
    const struct value *former = value_at(live, SLICE(".spec.tolerations"));
    size_t declared = list ? list->count : 0;
    const struct value **items =
        arena_allocate_array(arena, declared + (former ? former->count : 0) + 1, sizeof(*items));
    if (!items)
        return NULL;
    size_t count = copy_tolerations(list, false, items, 0);
    if (!spec || spec->kind != VALUE_MAP || count != declared)
        return pod;
    count = copy_tolerations(former, true, items, count);
    if (count == declared)
        return pod;
    list = value_list(items, count, arena);
    spec = list ? value_with(spec, name, list, arena) : NULL;
    return spec ? value_with(pod, SLICE("spec"), spec, arena) : NULL;
}

/*
 * Nodes (pkg/apis/core/v1/conversion.go): the older name is the first item of the newer one.
 */
static const struct value *unite_networks(
    const struct value *node, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("podCIDR"), list_name = SLICE_LITERAL("podCIDRs");
    const struct value *spec = value_member(node, SLICE("spec")), *before = value_member(live, SLICE("spec"));
    const struct value *one = value_member(spec, name), *list = value_member(spec, list_name);
    const struct value *first = list && list->kind == VALUE_LIST && list->count ? list->items[0] : NULL;
    if ((!one && !first) || (one && first && value_equal(one, first)) || !value_member(before, name))
        return node;
    const struct value **items = arena_allocate_array(arena, 1, sizeof(*items));
    if (!items)
        return NULL;
    items[0] = one ? one : first;
    list = one ? value_list(items, 1, arena) : list;
    spec = list ? value_with(spec, name, items[0], arena) : NULL;
    spec = spec ? value_with(spec, list_name, list, arena) : NULL;
    return spec ? value_with(node, SLICE("spec"), spec, arena) : NULL;
}

/*
 * PersistentVolumeClaims (pkg/api/persistentvolumeclaim, NormalizeDataSources): both members name one source.
 */
static const struct value *unite_sources(
    const struct value *claim, const struct value *live, struct arena *arena)
{
    static const struct slice name = SLICE_LITERAL("dataSource"), newer = SLICE_LITERAL("dataSourceRef");
    const struct value *spec = value_member(claim, SLICE("spec")),
                       *before = value_member(live, SLICE("spec"));
    const struct value *source = value_member(spec, name), *reference = value_member(spec, newer);
    if (!source == !reference || !value_member(before, source ? newer : name) ||
        value_text(value_member(reference, SLICE("namespace"))).length)
        return claim;
    spec = value_with(spec, source ? newer : name, source ? source : reference, arena);
    return spec ? value_with(claim, SLICE("spec"), spec, arena) : NULL;
}

/*
 * Jobs and ReplicationControllers (pkg/apis/batch/v1/defaults.go, pkg/apis/core/v1/defaults.go): the labels
 * of the template are those of the object, if it has none, and also the selector of a ReplicationController.
 */
static const struct value *copy_labels(
    const struct value *object, struct slice outer, struct slice name, const struct value *live,
    struct arena *arena)
{
    const struct value *labels = value_at(object, SLICE(".spec.template.metadata.labels"));
    const struct value *holder = value_member(object, outer);
    if (value_is_empty(labels) || !holder || !value_is_empty(value_member(holder, name)) ||
        !value_member(value_member(live, outer), name))
        return object;
    holder = value_with(holder, name, labels, arena);
    return holder ? value_with(object, outer, holder, arena) : NULL;
}

static const struct value *label_as_template(
    const struct value *object, const struct value *live, struct arena *arena)
{
    return copy_labels(object, SLICE("metadata"), SLICE("labels"), live, arena);
}

static const struct value *select_as_template(
    const struct value *controller, const struct value *live, struct arena *arena)
{
    controller = label_as_template(controller, live, arena);
    return controller ? copy_labels(controller, SLICE("spec"), SLICE("selector"), live, arena) : NULL;
}

/*
 * HorizontalPodAutoscalers (pkg/apis/autoscaling/v2/defaults.go): the defaults of scaling rules depend on
 * their direction, which the table of defaults does not know.
 */
static const struct value *fill_scaling_rules(
    const struct value *autoscaler, const struct value *live, struct arena *arena)
{
    static const struct {
        const char *direction;
        const char *member;
        const char *value;
    } defaults[] = {
        {"scaleDown", "policies", "[{\"periodSeconds\":15,\"type\":\"Percent\",\"value\":100}]"},
        {"scaleUp", "policies",
         "[{\"periodSeconds\":15,\"type\":\"Pods\",\"value\":4},"
         "{\"periodSeconds\":15,\"type\":\"Percent\",\"value\":100}]"},
        {"scaleUp", "stabilizationWindowSeconds", "0"},
    };
    static const struct slice name = SLICE_LITERAL("behavior");
    const struct value *spec = value_member(autoscaler, SLICE("spec")), *behavior = value_member(spec, name);
    const struct value *former = value_at(live, SLICE(".spec.behavior"));
    for (size_t i = 0; behavior && i < ARRAY_SIZE(defaults); i++) {
        struct slice direction = slice_of(defaults[i].direction), member = slice_of(defaults[i].member);
        const struct value *rules = value_member(behavior, direction);
        if (!rules || rules->kind != VALUE_MAP || value_member(rules, member) ||
            !value_member(value_member(former, direction), member))
            continue;
        const struct value *value = value_read_json(slice_of(defaults[i].value), arena);
        rules = value ? value_with(rules, member, value, arena) : NULL;
        behavior = rules ? value_with(behavior, direction, rules, arena) : NULL;
        spec = behavior ? value_with(spec, name, behavior, arena) : NULL;
        autoscaler = spec ? value_with(autoscaler, SLICE("spec"), spec, arena) : NULL;
    }
    return autoscaler;
}

/*
 * CertificateSigningRequests (pkg/registry/certificates/certificates/strategy.go)
 */
static const struct value *keep_spec(
    const struct value *object, const struct value *live, struct arena *arena)
{
    return value_with(object, SLICE("spec"), value_member(live, SLICE("spec")), arena);
}

/*
 * CustomResourceDefinitions (apiextensions-apiserver, pkg/apis/apiextensions/v1/defaults.go)
 */
static const struct value *made_name(struct slice kind, bool is_list, struct arena *arena)
{
    struct text text = text_start(arena, kind.length + 8);
    if (is_list) {
        text_append_all(&text, kind, "List");
    } else {
        text_append_lower(&text, kind);
    }
    struct slice name = text_slice(&text);
    return name.bytes ? value_string(name, arena) : NULL;
}

static const struct value *keep_names(
    const struct value *definition, const struct value *live, struct arena *arena)
{
    static const struct slice made[] = {SLICE_LITERAL("listKind"), SLICE_LITERAL("singular")};
    const struct value *spec = value_member(definition, SLICE("spec"));
    const struct value *names = value_member(spec, SLICE("names"));
    const struct value *live_names = value_at(live, SLICE(".spec.names"));
    struct slice kind = value_text(value_member(names, SLICE("kind")));
    for (size_t i = 0; names && kind.length && i < ARRAY_SIZE(made); i++) {
        if (value_member(names, made[i]) || !value_member(live_names, made[i]))
            continue;
        const struct value *name = made_name(kind, i == 0, arena);
        names = name ? value_with(names, made[i], name, arena) : NULL;
        spec = names ? value_with(spec, SLICE("names"), names, arena) : NULL;
        definition = spec ? value_with(definition, SLICE("spec"), spec, arena) : NULL;
    }
    return definition;
}

const struct value *server_set_fields(
    const struct value *object, const struct value *live, struct arena *arena)
{
    static const struct {
        const char *api_version;
        const char *kind;
        const struct value *(*set)(const struct value *object, const struct value *live, struct arena *arena);
    } kinds[] = {
        {"apiextensions.k8s.io/v1", "CustomResourceDefinition", keep_names},
        {"autoscaling/v2", "HorizontalPodAutoscaler", fill_scaling_rules},
        {"batch/v1", "Job", label_as_template},
        {"certificates.k8s.io/v1", "CertificateSigningRequest", keep_spec},
        {"v1", "Namespace", keep_namespace},
        {"v1", "Node", unite_networks},
        {"v1", "PersistentVolumeClaim", unite_sources},
        {"v1", "Pod", keep_tolerations},
        {"v1", "ReplicationController", select_as_template},
        {"v1", "Service", service_update},
    };
    struct slice kind = value_text(value_member(live, SLICE("kind")));
    struct slice api_version = value_text(value_member(live, SLICE("apiVersion")));
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (slice_equal(kind, slice_of(kinds[i].kind)) &&
            slice_equal(api_version, slice_of(kinds[i].api_version)))
            return kinds[i].set(object, live, arena);
    return object;
}
