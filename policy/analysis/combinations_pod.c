#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"
#include "base/json_each.h"
#include "base/quantity.h"
#include "manifest/variable.h"

#include <stdlib.h>

static struct slice key_of_mount_path(yyjson_val *item, struct arena *arena)
{
    (void)arena;
    return json_text(member(item, "mountPath"));
}

static struct slice key_of_resize(yyjson_val *item, struct arena *arena)
{
    (void)arena;
    return json_text(member(item, "resourceName"));
}

static struct slice key_of_device_path(yyjson_val *item, struct arena *arena)
{
    (void)arena;
    return json_text(member(item, "devicePath"));
}

/* Several requests of one claim differ. */
static struct slice key_of_claim(yyjson_val *item, struct arena *arena)
{
    const struct slice name = json_text(member(item, "name"));
    return name.length ? text_join(arena, name, "/", json_text(member(item, "request"))) : name;
}

/* The name of a volume that no claim provides: it is a directory, and never a device. */
static struct slice key_of_directory(yyjson_val *item, struct arena *arena)
{
    bool is_claimed = member(item, "persistentVolumeClaim") || member(item, "ephemeral");
    return is_claimed ? (struct slice){NULL, 0} : combinations_name_of(item, arena);
}

static struct slice key_of_spread(yyjson_val *item, struct arena *arena)
{
    const struct slice key = json_text(member(item, "topologyKey"));
    return key.length ? text_join(arena, key, " ", json_text(member(item, "whenUnsatisfiable"))) : key;
}

/*
 * Names, sorted
 */

struct names {
    struct slice *items;
    size_t count;
    bool has_open; /* something may still replace a part of one, such as ${NAME} */
};

static void add_names(struct names *names, yyjson_val *list, bool is_of_templates)
{
    json_each_item(item, list)
        names->items[names->count++] =
            json_text(member(is_of_templates ? member(item, "metadata") : item, "name"));
}

static void sort_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        names->has_open |= variable_or_template_is_in(names->items[i]);
    if (names->count)
        qsort(names->items, names->count, sizeof(*names->items), slice_compare_items);
}

static bool has_name(const struct names *names, struct slice name)
{
    return names->count && bsearch(&name, names->items, names->count, sizeof(name), slice_compare_items);
}

/* The keys of the items. It has none if memory runs out. */
static struct names keys_of(const struct combinations *of, yyjson_val *list, combinations_key *key)
{
    struct names names = {
        .items = arena_allocate_array(of->arena, yyjson_arr_size(list), sizeof(*names.items))};
    if (!names.items)
        return names;
    json_each_item(item, list)
        names.items[names.count++] = key(item, of->arena);
    sort_names(&names);
    return names;
}

/* Refuses each item whose key is one of the names. */
static void refuse_named(
    const struct combinations *of, yyjson_val *list, const struct path *place, combinations_key *key,
    const struct names *names, const char *field_name, const char *sentence)
{
    json_each_item(item, list) {
        struct indexed_item indexed;
        const struct slice name = key(item, of->arena);
        combinations_index(&indexed, place, json_position(item));
        if (name.length && has_name(names, name))
            combinations_refuse(of, &indexed.path, field_name, sentence);
    }
}

/*
 * Volumes
 */

/* Those of the pod, and the claim templates of a StatefulSet. Returns false if memory runs out. */
static bool find_volumes(const struct combinations *of, yyjson_val *pod, struct names *names)
{
    yyjson_val *volumes = member(pod, "volumes");
    yyjson_val *templates = member(of->declared->spec, "volumeClaimTemplates");
    *names = (struct names){0};
    names->items = arena_allocate_array(
        of->arena, yyjson_arr_size(volumes) + yyjson_arr_size(templates), sizeof(*names->items));
    if (!names->items)
        return !arena_has_failed(of->arena);
    add_names(names, volumes, false);
    add_names(names, templates, true);
    sort_names(names);
    return true;
}

static void check_references(
    const struct combinations *of, yyjson_val *list, const struct path *place, const struct names *names,
    const char *sentence)
{
    if (of->declared->is_partial || names->has_open)
        return;
    json_each_item(item, list) {
        struct indexed_item indexed;
        const struct slice name = json_text(member(item, "name"));
        combinations_index(&indexed, place, json_position(item));
        if (name.length && !variable_or_template_is_in(name) && !has_name(names, name))
            combinations_refuse(of, &indexed.path, ".name", sentence);
    }
}

/* A container gets a volume as a device or as a directory, and each at a path of its own. */
static void check_devices(
    const struct combinations *of, yyjson_val *devices, yyjson_val *mounts, const struct path *place)
{
    const struct names mounted = keys_of(of, mounts, combinations_name_of),
                       paths = keys_of(of, mounts, key_of_mount_path);
    combinations_check_unique(
        of, devices, place, combinations_name_of, ".name", "another device has this volume; delete one");
    combinations_check_unique(
        of, devices, place, key_of_device_path, ".devicePath", "another device has this path; delete one");
    refuse_named(
        of, devices, place, combinations_name_of, &mounted, ".name",
        "the container mounts this volume, too; keep one of them");
    refuse_named(
        of, devices, place, key_of_device_path, &paths, ".devicePath",
        "a volume is mounted at this path; each needs its own");
}

static void check_read_only(const struct combinations *of, yyjson_val *mount, const struct path *place)
{
    const struct slice recursive = json_text(member(mount, "recursiveReadOnly"));
    if ((slice_equal(recursive, SLICE("Enabled")) || slice_equal(recursive, SLICE("IfPossible"))) &&
        !yyjson_is_true(member(mount, "readOnly")) && !of->declared->is_partial)
        combinations_refuse(of, place, ".recursiveReadOnly", "it needs readOnly: true beside it");
}

/*
 * Amounts
 */

/* Only cpu, memory and ephemeral storage may be overcommitted (helper.IsOvercommitAllowed). */
static bool must_be_equal(struct slice resource)
{
    bool is_native = !slice_contains(resource, '/');
    return slice_starts_with(resource, SLICE("hugepages-")) || !is_native;
}

/* A LimitRange may give a bare pod the limit. */
static bool must_have_limit(const struct combinations *of, struct slice resource)
{
    return must_be_equal(resource) && !of->declared->is_partial &&
        !slice_equal(of->declared->group_kind, SLICE("Pod"));
}

static void check_amounts(const struct combinations *of, yyjson_val *holder, const struct path *parent)
{
    yyjson_val *resources = member(holder, "resources");
    yyjson_val *requests = member(resources, "requests"), *limits = member(resources, "limits");
    const struct path place = field_of(parent, "resources"), list = field_of(&place, "requests");
    json_each_key(key, requests) {
        int order;
        const struct path path = path_member(&list, json_text(key));
        if (must_have_limit(of, json_text(key)) && !json_member(limits, json_text(key)))
            combinations_refuse(of, &path, "", "this resource needs a limit, too");
        if (!quantity_compare(yyjson_obj_iter_get_val(key), json_member(limits, json_text(key)), &order))
            continue;
        if (order > 0)
            combinations_refuse(of, &path, "", "the request is above the limit");
        else if (order < 0 && must_be_equal(json_text(key)))
            combinations_refuse(of, &path, "", "the request must be equal to the limit");
    }
}

/*
 * Containers
 */

/* The names that the containers of a pod may refer to. */
struct pod_names {
    struct names volumes;
    struct names directories;
    struct names claims;
};

static void check_claims(
    const struct combinations *of, yyjson_val *resources, const struct path *parent,
    const struct names *claims)
{
    const struct path place = field_of(parent, "resources"), list = field_of(&place, "claims");
    yyjson_val *used = member(resources, "claims");
    combinations_check_unique(
        of, used, &list, key_of_claim, ".name", "another item has this claim; delete one");
    check_references(of, used, &list, claims, "the pod has no resource claim of this name");
}

static void check_container(
    const struct combinations *of, yyjson_val *container, const struct path *place,
    const struct pod_names *names)
{
    static const char no_volume[] = "the pod has no volume of this name";
    const struct path ports = field_of(place, "ports"), mounts = field_of(place, "volumeMounts"),
                      devices = field_of(place, "volumeDevices"), resizes = field_of(place, "resizePolicy");
    yyjson_val *mounted = member(container, "volumeMounts"), *blocks = member(container, "volumeDevices");
    combinations_check_unique(
        of, member(container, "ports"), &ports, combinations_name_of, ".name",
        "another port has this name; each needs its own");
    combinations_check_unique(
        of, mounted, &mounts, key_of_mount_path, ".mountPath", "another mount has this path; delete one");
    check_devices(of, blocks, mounted, &devices);
    combinations_check_unique(
        of, member(container, "resizePolicy"), &resizes, key_of_resize, ".resourceName",
        "another item has this resource; delete one");
    check_references(of, mounted, &mounts, &names->volumes, no_volume);
    check_references(of, blocks, &devices, &names->volumes, no_volume);
    if (!of->declared->is_partial)
        refuse_named(
            of, blocks, &devices, combinations_name_of, &names->directories, ".name",
            "a device needs a volume of persistentVolumeClaim or ephemeral");
    combinations_each_item(of, mounted, &mounts, check_read_only);
    check_claims(of, member(container, "resources"), place, &names->claims);
    check_amounts(of, container, place);
}

static void check_containers(
    const struct combinations *of, yyjson_val *list, const struct path *place, const struct pod_names *names)
{
    json_each_item(item, list) {
        struct indexed_item indexed;
        combinations_index(&indexed, place, json_position(item));
        check_container(of, item, &indexed.path, names);
    }
}

/*
 * Ports of the node
 */

/* Where a port is. */
struct host_port {
    size_t container;
    size_t index;
};

struct host_ports {
    struct combinations_keyed *keys; /* each with the position of its port in `ports` */
    struct host_port *ports;
    size_t count;
};

/* PROTOCOL/ADDRESS/NUMBER; empty if the port takes none of the node. */
static struct slice key_of_host_port(yyjson_val *port, struct arena *arena)
{
    yyjson_val *number = member(port, "hostPort");
    const struct slice protocol = json_text(member(port, "protocol"));
    if (!yyjson_is_uint(number) || !yyjson_get_uint(number))
        return (struct slice){NULL, 0};
    return text_join(
        arena, protocol.length ? protocol : SLICE("TCP"), "/", json_text(member(port, "hostIP")), "/",
        yyjson_get_uint(number));
}

static size_t count_ports(yyjson_val *containers)
{
    size_t count = 0;
    json_each_item(item, containers)
        count += yyjson_arr_size(member(item, "ports"));
    return count;
}

static void add_host_ports(struct host_ports *ports, yyjson_val *list, size_t container, struct arena *arena)
{
    json_each_item(item, list) {
        ports->ports[ports->count] = (struct host_port){container, json_position(item)};
        ports->keys[ports->count] = (struct combinations_keyed){key_of_host_port(item, arena), ports->count};
        ports->count += ports->keys[ports->count].key.length != 0;
    }
}

static void refuse_host_port(
    const struct combinations *of, const struct path *containers, const struct host_port *port)
{
    struct indexed_item container, item;
    combinations_index(&container, containers, port->container);
    const struct path list = field_of(&container.path, "ports");
    combinations_index(&item, &list, port->index);
    combinations_refuse(of, &item.path, ".hostPort", "another port has this number and protocol on the node");
}

static void check_host_ports(const struct combinations *of, yyjson_val *containers, const struct path *place)
{
    size_t most = count_ports(containers);
    if (most < 2)
        return;
    struct host_ports ports = {
        .keys = arena_allocate_array(of->arena, most, sizeof(*ports.keys)),
        .ports = arena_allocate_array(of->arena, most, sizeof(*ports.ports)),
    };
    if (!ports.keys || !ports.ports)
        return;
    json_each_item(item, containers)
        add_host_ports(&ports, member(item, "ports"), json_position(item), of->arena);
    size_t repeated = combinations_repeated(ports.keys, ports.count);
    for (size_t i = 0; i < repeated; i++)
        refuse_host_port(of, place, &ports.ports[ports.keys[i].position]);
}

void combinations_check_pod(const struct combinations *of, yyjson_val *pod, const struct path *place)
{
    static const char *const lists[] = {"initContainers", "containers"};
    static const char repeated[] = "another one has this name; each needs its own";
    const struct path spreads = field_of(place, "topologySpreadConstraints");
    const struct path volumes = field_of(place, "volumes"), claims = field_of(place, "resourceClaims"),
                      init = field_of(place, "initContainers"), containers = field_of(place, "containers");
    const struct names others = keys_of(of, member(pod, "containers"), combinations_name_of);
    struct pod_names names = {
        .directories = keys_of(of, member(pod, "volumes"), key_of_directory),
        .claims = keys_of(of, member(pod, "resourceClaims"), combinations_name_of),
    };
    if (!find_volumes(of, pod, &names.volumes))
        return;
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        const struct path list = field_of(place, lists[i]);
        combinations_check_unique(of, member(pod, lists[i]), &list, combinations_name_of, ".name", repeated);
        check_containers(of, member(pod, lists[i]), &list, &names);
    }
    refuse_named(
        of, member(pod, "initContainers"), &init, combinations_name_of, &others, ".name",
        "another container has this name; each needs its own");
    check_host_ports(of, member(pod, "containers"), &containers);
    combinations_check_unique(of, member(pod, "volumes"), &volumes, combinations_name_of, ".name", repeated);
    combinations_check_unique(
        of, member(pod, "resourceClaims"), &claims, combinations_name_of, ".name", repeated);
    combinations_check_unique(
        of, member(pod, "topologySpreadConstraints"), &spreads, key_of_spread, ".topologyKey",
        "another constraint has this topologyKey and whenUnsatisfiable; delete one");
    check_amounts(of, pod, place);
}
