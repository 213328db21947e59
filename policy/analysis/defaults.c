#include "policy/analysis/defaults.h"

#include "base/array_size.h"
#include "base/json.h"

enum default_type { TEXT, NUMBER, FALSE, TRUE };

struct default_value {
    struct slice name;
    enum default_type type;
    struct slice text;
    int number;
    bool of_item; /* only for a list item itself */
};

#define TEXT_OF(name_, text_)                                                                                \
    {                                                                                                        \
        .name = SLICE_LITERAL(name_), .type = TEXT, .text = SLICE_LITERAL(text_)                             \
    }
#define NUMBER_OF(name_, number_)                                                                            \
    {                                                                                                        \
        .name = SLICE_LITERAL(name_), .type = NUMBER, .number = number_                                      \
    }
#define NUMBER_OF_ITEM(name_, number_)                                                                       \
    {                                                                                                        \
        .name = SLICE_LITERAL(name_), .type = NUMBER, .number = number_, .of_item = true                     \
    }
#define BOOL_OF(name_, type_)                                                                                \
    {                                                                                                        \
        .name = SLICE_LITERAL(name_), .type = type_                                                          \
    }

static const struct default_value values[] = {
    /* apps, batch */
    NUMBER_OF("replicas", 1),
    NUMBER_OF("revisionHistoryLimit", 10),
    NUMBER_OF("progressDeadlineSeconds", 600),
    NUMBER_OF("partition", 0),
    TEXT_OF("type", "RollingUpdate"),
    TEXT_OF("maxSurge", "25%"),
    TEXT_OF("maxUnavailable", "25%"),
    NUMBER_OF("maxUnavailable", 1),
    NUMBER_OF("maxSurge", 0),
    TEXT_OF("podManagementPolicy", "OrderedReady"),
    TEXT_OF("whenDeleted", "Retain"),
    TEXT_OF("whenScaled", "Retain"),
    BOOL_OF("suspend", FALSE),
    TEXT_OF("concurrencyPolicy", "Allow"),
    NUMBER_OF("successfulJobsHistoryLimit", 3),
    NUMBER_OF("failedJobsHistoryLimit", 1),
    NUMBER_OF("completions", 1),
    NUMBER_OF("parallelism", 1),
    NUMBER_OF("backoffLimit", 6),
    TEXT_OF("completionMode", "NonIndexed"),
    BOOL_OF("manualSelector", FALSE),
    TEXT_OF("podReplacementPolicy", "TerminatingOrFailed"),
    /* autoscaling */
    NUMBER_OF("minReplicas", 1),
    TEXT_OF("selectPolicy", "Max"),
    NUMBER_OF("stabilizationWindowSeconds", 0),
    /* pods */
    TEXT_OF("restartPolicy", "Always"),
    TEXT_OF("dnsPolicy", "ClusterFirst"),
    TEXT_OF("schedulerName", "default-scheduler"),
    NUMBER_OF("terminationGracePeriodSeconds", 30),
    BOOL_OF("enableServiceLinks", TRUE),
    TEXT_OF("terminationMessagePath", "/dev/termination-log"),
    TEXT_OF("terminationMessagePolicy", "File"),
    TEXT_OF("imagePullPolicy", "Always"),
    TEXT_OF("imagePullPolicy", "IfNotPresent"),
    TEXT_OF("protocol", "TCP"),
    TEXT_OF("scheme", "HTTP"),
    TEXT_OF("path", "/"),
    NUMBER_OF("timeoutSeconds", 1),
    NUMBER_OF("periodSeconds", 10),
    NUMBER_OF("successThreshold", 1),
    NUMBER_OF("failureThreshold", 3),
    NUMBER_OF("defaultMode", 420),
    NUMBER_OF("mode", 420),
    TEXT_OF("apiVersion", "v1"),
    NUMBER_OF("expirationSeconds", 3600),
    /* services, volumes, the rest */
    TEXT_OF("type", "ClusterIP"),
    TEXT_OF("sessionAffinity", "None"),
    NUMBER_OF("timeoutSeconds", 10800),
    TEXT_OF("externalTrafficPolicy", "Cluster"),
    TEXT_OF("internalTrafficPolicy", "Cluster"),
    TEXT_OF("ipFamilyPolicy", "SingleStack"),
    BOOL_OF("allocateLoadBalancerNodePorts", TRUE),
    BOOL_OF("publishNotReadyAddresses", FALSE),
    TEXT_OF("volumeMode", "Filesystem"),
    TEXT_OF("persistentVolumeReclaimPolicy", "Retain"),
    TEXT_OF("reclaimPolicy", "Delete"),
    TEXT_OF("volumeBindingMode", "Immediate"),
    TEXT_OF("type", "Opaque"),
    TEXT_OF("failurePolicy", "Fail"),
    TEXT_OF("matchPolicy", "Equivalent"),
    TEXT_OF("reinvocationPolicy", "Never"),
    NUMBER_OF_ITEM("timeoutSeconds", 10), /* of a webhook, not of a probe */
    TEXT_OF("scope", "*"),
    TEXT_OF("pathType", "ImplementationSpecific"),
};

static bool is_value(const struct default_value *known, yyjson_val *value)
{
    switch (known->type) {
    case TEXT:
        return yyjson_is_str(value) && slice_equal(json_text(value), known->text);
    case NUMBER:
        return yyjson_is_int(value) && yyjson_get_sint(value) == known->number;
    case FALSE:
        return yyjson_is_false(value);
    case TRUE:
        return yyjson_is_true(value);
    }
    return false;
}

static bool is_of_item(const struct path *path)
{
    return path->parent && path->parent->kind == PATH_KEY;
}

/* The key of the item is the port of a Service. */
static bool is_own_port(const struct path *path, yyjson_val *value)
{
    return is_of_item(path) && slice_equal(path->text, SLICE("targetPort")) && value &&
        json_identical(json_member(path->parent->json, SLICE("port")), value);
}

bool value_may_be_default(const struct path *path, yyjson_val *value)
{
    if (path->kind != PATH_FIELD)
        return false;
    if (yyjson_is_ctn(value))
        return unsafe_yyjson_get_len(value) == 0; /* securityContext: {}, resources: {} */
    for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
        if (slice_equal(values[i].name, path->text) && is_value(&values[i], value) &&
            (!values[i].of_item || is_of_item(path)))
            return true;
    }
    return is_own_port(path, value);
}
