/*
 * Handlers, sources and rights of containers, and the sources of volumes.
 */
#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"

static const struct slice key_of_items[] = {SLICE_LITERAL("name")};
static const struct slice_list item_names = {key_of_items, ARRAY_SIZE(key_of_items)};

/* Containers, variables and volumes are known by their names; one without, which is refused as well, by its
 * index. */
static void item_of(struct indexed_item *of, const struct path *list, yyjson_val *value, size_t index)
{
    if (!json_text(json_member(value, key_of_items[0])).length) {
        combinations_index(of, list, index);
        return;
    }
    of->path = path_below(list);
    of->path.kind = PATH_KEY;
    of->path.json = value;
    of->path.key_names = &item_names;
}

/* Checks each item of a list that its holder has under this name. */
typedef void check_named(
    const struct combinations *of, yyjson_val *holder, yyjson_val *item, const struct path *place);
static void each_named(
    const struct combinations *of, yyjson_val *holder, const char *name, const struct path *parent,
    check_named *check)
{
    const struct path list = field_of(parent, name);
    size_t index = 0;
    json_each_item(item, member(holder, name)) {
        struct indexed_item place;
        item_of(&place, &list, item, index++);
        check(of, holder, item, &place.path);
    }
}

static size_t count_members(yyjson_val *object, const char *const *names, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += member(object, names[i]) != NULL;
    return found;
}

/*
 * Containers
 */

static const char *const handlers[] = {"exec", "httpGet", "tcpSocket", "grpc", "sleep"};

static void check_handler(
    const struct combinations *of, yyjson_val *holder, const char *name, const struct path *place)
{
    const struct path path = field_of(place, name);
    yyjson_val *handler = member(holder, name);
    if (!yyjson_is_obj(handler))
        return;
    size_t count = count_members(handler, handlers, ARRAY_SIZE(handlers));
    if (count > 1)
        combinations_refuse(of, &path, "", "it may have one handler, such as exec or httpGet, not several");
    else if (count == 0 && !of->declared->is_partial)
        combinations_refuse(of, &path, "", "it has no handler, such as exec or httpGet");
}

#define GRACE_PERIOD_DEFAULT 30

static void check_sleep(
    const struct combinations *of, yyjson_val *pod, yyjson_val *container, const char *name,
    const struct path *lifecycle)
{
    const struct path hook = field_of(lifecycle, name);
    yyjson_val *handler = member(member(container, "lifecycle"), name);
    yyjson_val *seconds = member(member(handler, "sleep"), "seconds");
    yyjson_val *grace = member(pod, "terminationGracePeriodSeconds");
    uint64_t most = grace ? yyjson_get_uint(grace) : GRACE_PERIOD_DEFAULT;
    if (yyjson_is_uint(seconds) && yyjson_get_uint(seconds) > most &&
        (grace ? yyjson_is_uint(grace) : !of->declared->is_partial))
        combinations_refuse(
            of, &hook, ".sleep.seconds",
            "it may not be above terminationGracePeriodSeconds; the default is 30");
}

static void check_sources(
    const struct combinations *of, yyjson_val *source, const struct path *place, const char *name)
{
    static const char *const names[] = {
        "fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"};
    if (count_members(source, names, ARRAY_SIZE(names)) > 1)
        combinations_refuse(of, place, name, "it may have one source, not several");
    else if (yyjson_is_obj(source) && !yyjson_obj_size(source) && !of->declared->is_partial)
        combinations_refuse(of, place, name, "it has no source, such as secretKeyRef");
}

static void check_variable(
    const struct combinations *of, yyjson_val *container, yyjson_val *variable, const struct path *place)
{
    (void)container;
    if (json_text(member(variable, "value")).length && member(variable, "valueFrom"))
        combinations_refuse(of, place, ".valueFrom", "it may not be there beside a value; keep one of them");
    check_sources(of, member(variable, "valueFrom"), place, ".valueFrom");
}

static void check_env_source(const struct combinations *of, yyjson_val *source, const struct path *place)
{
    if (member(source, "configMapRef") && member(source, "secretRef"))
        combinations_refuse(
            of, place, ".secretRef", "it may not be there together with configMapRef; use two items");
    else if (!member(source, "configMapRef") && !member(source, "secretRef") && !of->declared->is_partial)
        combinations_refuse(of, place, "", "it needs a configMapRef or a secretRef");
}

static void check_security(const struct combinations *of, yyjson_val *container, const struct path *place)
{
    yyjson_val *context = member(container, "securityContext");
    yyjson_val *capabilities = member(member(context, "capabilities"), "add");
    if (combinations_has_text(capabilities, SLICE("CAP_SYS_ADMIN")) &&
        yyjson_is_false(member(context, "allowPrivilegeEscalation")))
        combinations_refuse(
            of, place, ".securityContext.allowPrivilegeEscalation",
            "it may not be false where CAP_SYS_ADMIN is added");
    if (yyjson_is_true(member(context, "privileged")) &&
        yyjson_is_false(member(context, "allowPrivilegeEscalation")))
        combinations_refuse(
            of, place, ".securityContext.allowPrivilegeEscalation",
            "it may not be false where privileged is true");
}

static void check_mount(const struct combinations *of, yyjson_val *mount, const struct path *place)
{
    if (is_text(member(mount, "mountPropagation"), "Bidirectional"))
        combinations_refuse(
            of, place, ".mountPropagation", "Bidirectional needs privileged: true in the securityContext");
}

static void check_privileged(
    const struct combinations *of, yyjson_val *pod, yyjson_val *container, const struct path *place)
{
    yyjson_val *context = member(container, "securityContext"), *privileged = member(context, "privileged");
    const struct path mounts = field_of(place, "volumeMounts");
    if (of->declared->is_partial)
        return;
    if (!privileged || yyjson_is_false(privileged))
        combinations_each_item(of, member(container, "volumeMounts"), &mounts, check_mount);
    if (is_text(member(context, "procMount"), "Unmasked") && !yyjson_is_false(member(pod, "hostUsers")))
        combinations_refuse(
            of, place, ".securityContext.procMount", "Unmasked needs hostUsers: false in the pod");
}

static void check_container(
    const struct combinations *of, yyjson_val *pod, yyjson_val *container, const struct path *place)
{
    const struct path lifecycle = field_of(place, "lifecycle"), env_from = field_of(place, "envFrom");
    check_handler(of, container, "livenessProbe", place);
    check_handler(of, container, "readinessProbe", place);
    check_handler(of, container, "startupProbe", place);
    check_handler(of, member(container, "lifecycle"), "postStart", &lifecycle);
    check_handler(of, member(container, "lifecycle"), "preStop", &lifecycle);
    check_sleep(of, pod, container, "postStart", &lifecycle);
    check_sleep(of, pod, container, "preStop", &lifecycle);
    each_named(of, container, "env", place, check_variable);
    combinations_each_item(of, member(container, "envFrom"), &env_from, check_env_source);
    check_security(of, container, place);
    check_privileged(of, pod, container, place);
}

/*
 * Volumes
 */

/* Some versions ignore other sources, and one of them all sources beside image. */
static const char *const volume_sources[] = {
    "hostPath",
    "emptyDir",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "gitRepo",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "persistentVolumeClaim",
    "rbd",
    "flexVolume",
    "cinder",
    "cephfs",
    "flocker",
    "downwardAPI",
    "fc",
    "azureFile",
    "configMap",
    "vsphereVolume",
    "quobyte",
    "azureDisk",
    "photonPersistentDisk",
    "projected",
    "portworxVolume",
    "scaleIO",
    "storageos",
    "csi",
    "ephemeral"};

static void check_projection(const struct combinations *of, yyjson_val *source, const struct path *place)
{
    static const char *const names[] = {"secret", "configMap", "downwardAPI", "serviceAccountToken"};
    if (count_members(source, names, ARRAY_SIZE(names)) > 1)
        combinations_refuse(of, place, "", "it may have one source, not several; use two items");
}

static void check_volume(
    const struct combinations *of, yyjson_val *pod, yyjson_val *volume, const struct path *place)
{
    const struct path projected = field_of(place, "projected"), sources = field_of(&projected, "sources");
    (void)pod;
    if (count_members(volume, volume_sources, ARRAY_SIZE(volume_sources)) > 1 && !member(volume, "image"))
        combinations_refuse(of, place, "", "a volume may have one source, not several");
    combinations_each_item(of, member(member(volume, "projected"), "sources"), &sources, check_projection);
}

void combinations_check_containers(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    each_named(of, pod, "initContainers", place, check_container);
    each_named(of, pod, "containers", place, check_container);
    each_named(of, pod, "volumes", place, check_volume);
}
