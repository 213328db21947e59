#include "policy/analysis/crd_topology.h"

#include "base/array_size.h"
#include "base/min.h"
#include "base/siphash.h"
#include "base/text.h"
#include "manifest/kinds.h"

#include <stdlib.h>

/* A step into a schema. It lives on the stack of the walking function. */
struct step {
    const struct step *parent; /* NULL: the schema itself */
    const char *member;        /* of the parent's schema: properties, items or additionalProperties */
    struct slice name;         /* of a property */
    uint64_t path;
};

/* Called for each list and map. Returns whether to visit its parts, too. */
typedef bool visit_field(
    void *context, const struct step *step, const struct manifest_node *schema, struct topology_field *field);

struct walk {
    visit_field *visit;
    void *context;
    struct arena *arena;
};

/*
 * Fields
 */

/* The result does not depend on the run, so the rest of the seed is fixed. */
static uint64_t hash_step(uint64_t path, struct slice name)
{
    return siphash(name, (struct siphash_seed){{path, 0x746f706f6c6f6779}});
}

static struct slice keys_of(const struct manifest_node *list, struct arena *arena)
{
    const size_t count = list && list->kind == MANIFEST_LIST ? list->count : 0;
    struct slice *names = count ? arena_allocate_array(arena, count, sizeof(*names)) : NULL;
    if (!names)
        return (struct slice){NULL, 0};
    for (size_t i = 0; i < count; i++)
        names[i] = manifest_text(list->items[i]);
    qsort(names, count, sizeof(*names), slice_compare_items);
    struct text text = text_start(arena, 32);
    for (size_t i = 0; i < count; i++)
        text_append_all(&text, i ? ", " : "", names[i]);
    return text_slice(&text);
}

static bool has_type(const struct manifest_node *schema, const char *key, struct slice type)
{
    return slice_equal(manifest_text(manifest_member(schema, slice_of(key))), type);
}

/* Returns false if the schema is that of a scalar. */
static bool field_of(const struct manifest_node *schema, struct arena *arena, struct topology_field *field)
{
    const struct manifest_node *keeps =
        manifest_member(schema, SLICE("x-kubernetes-preserve-unknown-fields"));
    field->keeps_unknown = keeps && keeps->kind == MANIFEST_BOOL && keeps->boolean;
    if (has_type(schema, "type", SLICE("array"))) {
        field->kind = has_type(schema, "x-kubernetes-list-type", SLICE("set")) ? TOPOLOGY_SET
            : has_type(schema, "x-kubernetes-list-type", SLICE("map"))         ? TOPOLOGY_KEYED_LIST
                                                                               : TOPOLOGY_ATOMIC_LIST;
        if (field->kind == TOPOLOGY_KEYED_LIST)
            field->keys = keys_of(manifest_member(schema, SLICE("x-kubernetes-list-map-keys")), arena);
        return true;
    }
    bool is_map = has_type(schema, "type", SLICE("object"));
    bool is_atomic = has_type(schema, "x-kubernetes-map-type", SLICE("atomic"));
    field->kind = !is_map ? TOPOLOGY_UNTYPED : is_atomic ? TOPOLOGY_ATOMIC_MAP : TOPOLOGY_MAP;
    return is_map || field->keeps_unknown;
}

static bool is_one_value(enum topology_kind kind)
{
    return kind == TOPOLOGY_ATOMIC_LIST || kind == TOPOLOGY_ATOMIC_MAP;
}

static bool is_list(enum topology_kind kind)
{
    return kind == TOPOLOGY_ATOMIC_LIST || kind == TOPOLOGY_SET || kind == TOPOLOGY_KEYED_LIST;
}

static bool is_map(enum topology_kind kind)
{
    return kind == TOPOLOGY_ATOMIC_MAP || kind == TOPOLOGY_MAP;
}

/* A list that becomes a map is another field. */
static bool differ(const struct topology_field *a, const struct topology_field *b)
{
    bool is_same_family = (is_list(a->kind) && is_list(b->kind)) || (is_map(a->kind) && is_map(b->kind));
    if (is_same_family && (a->kind != b->kind || !slice_equal(a->keys, b->keys)))
        return true;
    return a->keeps_unknown != b->keeps_unknown && !is_list(a->kind) && !is_list(b->kind);
}

/*
 * Schemas
 */

static void walk_schema(const struct walk *walk, const struct step *step, const struct manifest_node *schema);

static void walk_below(
    const struct walk *walk, const struct step *parent, const char *member, struct slice name,
    const struct manifest_node *schema)
{
    const struct step step = {
        .parent = parent,
        .member = member,
        .name = name,
        .path = hash_step(hash_step(parent->path, slice_of(member)), name),
    };
    if (schema && schema->kind == MANIFEST_MAP)
        walk_schema(walk, &step, schema);
}

/* Recurses as deep as the schema, which the manifest's limits bound. */
static void walk_schema(const struct walk *walk, const struct step *step, const struct manifest_node *schema)
{
    struct topology_field field = {.path = step->path};
    if (arena_has_failed(walk->arena))
        return;
    if (field_of(schema, walk->arena, &field) && !walk->visit(walk->context, step, schema, &field))
        return;
    const struct manifest_node *properties = manifest_member(schema, SLICE("properties"));
    for (size_t i = 0; properties && properties->kind == MANIFEST_MAP && i < properties->count; i++)
        walk_below(walk, step, "properties", properties->members[i].key, properties->members[i].value);
    walk_below(walk, step, "items", (struct slice){NULL, 0}, manifest_member(schema, SLICE("items")));
    walk_below(
        walk, step, "additionalProperties", (struct slice){NULL, 0},
        manifest_member(schema, SLICE("additionalProperties")));
}

/*
 * How many versions of a definition are compared. Kinds have a few; each of these is searched for by its
 * name, which takes time by the square of their number.
 */
#define VERSIONS_MAX 64

static const struct manifest_node *versions_of(const struct manifest_object *object)
{
    const struct manifest_node *versions =
        manifest_member(manifest_member(object->root, SLICE("spec")), SLICE("versions"));
    bool is_definition = slice_equal(object->kind, SLICE("CustomResourceDefinition")) &&
        slice_equal(group_of(object->api_version), SLICE("apiextensions.k8s.io"));
    return is_definition && versions && versions->kind == MANIFEST_LIST ? versions : NULL;
}

static void walk_version(const struct walk *walk, const struct manifest_node *version)
{
    const struct step step = {.path = 0};
    const struct manifest_node *schema = manifest_member(version, SLICE("schema"));
    schema = manifest_member(schema, SLICE("openAPIV3Schema"));
    if (schema && schema->kind == MANIFEST_MAP)
        walk_schema(walk, &step, schema);
}

/*
 * Reading
 */

struct fields {
    struct topology_field *items;
    size_t count;
    size_t capacity;
    struct arena *arena;
};

static bool add_field(
    void *context, const struct step *step, const struct manifest_node *schema, struct topology_field *field)
{
    struct fields *fields = context;
    (void)step;
    (void)schema;
    struct topology_field *items =
        arena_grow(fields->arena, fields->items, fields->count, &fields->capacity, sizeof(*items));
    if (!items)
        return false;
    fields->items = items;
    items[fields->count++] = *field;
    return !is_one_value(field->kind);
}

static int compare_fields(const void *a, const void *b)
{
    const struct topology_field *first = a, *second = b;
    return first->path < second->path ? -1 : first->path > second->path;
}

static struct crd_version read_version(const struct manifest_node *node, struct arena *arena)
{
    struct fields fields = {.arena = arena};
    const struct walk walk = {add_field, &fields, arena};
    const struct manifest_node *served = manifest_member(node, SLICE("served"));
    walk_version(&walk, node);
    if (fields.count)
        qsort(fields.items, fields.count, sizeof(*fields.items), compare_fields);
    return (struct crd_version){
        .name = arena_copy(arena, manifest_text(manifest_member(node, SLICE("name")))),
        .is_served = served && served->kind == MANIFEST_BOOL && served->boolean,
        .fields = fields.items,
        .count = fields.count,
    };
}

struct crd_topology *crd_topology_read(const struct manifest_object *object, struct arena *arena)
{
    const struct manifest_node *list = versions_of(object);
    const size_t count = list ? min_u64(list->count, VERSIONS_MAX) : 0;
    struct crd_topology *topology = arena_allocate_array(arena, 1, sizeof(*topology));
    struct crd_version *versions = arena_allocate_array(arena, count + 1, sizeof(*versions));
    if (!topology || !versions)
        return NULL;
    for (size_t i = 0; i < count; i++)
        versions[i] = read_version(list->items[i], arena);
    *topology = (struct crd_topology){versions, count};
    return arena_has_failed(arena) ? NULL : topology;
}

static bool copy_version(struct crd_version *copy, const struct crd_version *version, struct arena *arena)
{
    struct topology_field *fields = arena_allocate_array(arena, version->count + 1, sizeof(*fields));
    if (!fields)
        return false;
    for (size_t i = 0; i < version->count; i++) {
        fields[i] = version->fields[i];
        fields[i].keys = arena_copy(arena, version->fields[i].keys);
    }
    *copy = *version;
    copy->name = arena_copy(arena, version->name);
    copy->fields = fields;
    return !arena_has_failed(arena);
}

struct crd_topology *crd_topology_copy(const struct crd_topology *topology, struct arena *arena)
{
    struct crd_topology *copy = arena_allocate_array(arena, 1, sizeof(*copy));
    struct crd_version *versions = arena_allocate_array(arena, topology->count + 1, sizeof(*versions));
    if (!copy || !versions)
        return NULL;
    for (size_t i = 0; i < topology->count; i++)
        if (!copy_version(&versions[i], &topology->versions[i], arena))
            return NULL;
    *copy = (struct crd_topology){versions, topology->count};
    return copy;
}

/*
 * Comparing
 */

/* The version of this name; NULL: it has none. */
static const struct crd_version *find_version(const struct crd_topology *topology, struct slice name)
{
    for (size_t i = 0; i < topology->count; i++)
        if (slice_equal(topology->versions[i].name, name))
            return &topology->versions[i];
    return NULL;
}

/* Both are sorted. */
static bool version_differs(const struct crd_version *a, const struct crd_version *b)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->fields[i].path == b->fields[j].path) {
            if (differ(&a->fields[i++], &b->fields[j++]))
                return true;
        } else if (a->fields[i].path < b->fields[j].path) {
            i++;
        } else {
            j++;
        }
    }
    return false;
}

bool crd_topology_differs(const struct crd_topology *a, const struct crd_topology *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct crd_version *same = find_version(b, a->versions[i].name);
        if (same && version_differs(&a->versions[i], same))
            return true;
    }
    return false;
}

struct comparison {
    const struct crd_version *before;
    struct slice version;
    topology_report *report;
    void *context;
    struct arena *arena;
};

static void append_field(struct text *text, const struct step *step)
{
    if (!step->parent)
        return;
    append_field(text, step->parent);
    text_append_all(text, step->name.length ? "." : "[*]", step->name);
}

static void append_schema_field(struct text *text, const struct step *step)
{
    if (!step->parent)
        return;
    append_schema_field(text, step->parent);
    text_append_all(text, ".", step->member, step->name.length ? "." : "", step->name);
}

static void report_change(
    const struct comparison *comparison, const struct step *step, struct topology_change *change)
{
    struct text field = text_start(comparison->arena, 64);
    struct text schema = text_start(comparison->arena, 128);
    append_field(&field, step);
    text_append_all(
        &schema, ".spec.versions[name=", as_json(comparison->version), "].schema.openAPIV3Schema");
    append_schema_field(&schema, step);
    change->field = field.length ? text_printable(comparison->arena, text_slice(&field)) : SLICE(".");
    change->schema_field = text_printable(comparison->arena, text_slice(&schema));
    if (!arena_has_failed(comparison->arena))
        comparison->report(comparison->context, change);
}

/* The place of the line that says it, or else of the schema. */
static const struct manifest_place *place_of(const struct manifest_node *schema)
{
    static const char *const keys[] = {
        "x-kubernetes-list-map-keys", "x-kubernetes-list-type", "x-kubernetes-map-type",
        "x-kubernetes-preserve-unknown-fields"};
    for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
        const struct manifest_member *member = manifest_find_member(schema, slice_of(keys[i]));
        if (member)
            return &member->key_place;
    }
    return &schema->place;
}

static bool compare_field(
    void *context, const struct step *step, const struct manifest_node *schema, struct topology_field *field)
{
    const struct comparison *comparison = context;
    const struct topology_field *before = comparison->before->count
        ? bsearch(
              field, comparison->before->fields, comparison->before->count, sizeof(*field), compare_fields)
        : NULL;
    if (!before)
        return false;
    struct topology_change change = {.place = place_of(schema), .before = before, .after = field};
    if (differ(before, field))
        report_change(comparison, step, &change);
    return before->kind == field->kind && !is_one_value(field->kind);
}

static struct slice name_at(const struct manifest_node *versions, size_t index)
{
    return manifest_text(manifest_member(versions->items[index], SLICE("name")));
}

size_t crd_topology_index(const struct manifest_object *object, struct slice name)
{
    const struct manifest_node *versions = versions_of(object);
    size_t index = 0, count = versions ? min_u64(versions->count, VERSIONS_MAX) : 0;
    while (index < count && !slice_equal(name_at(versions, index), name))
        index++;
    return index < count ? index : SIZE_MAX;
}

void crd_topology_compare(
    const struct crd_version *before, const struct manifest_object *object, size_t index,
    topology_report *report, void *context, struct arena *arena)
{
    const struct manifest_node *versions = versions_of(object);
    if (!versions || index >= versions->count)
        return;
    struct comparison comparison = {before, name_at(versions, index), report, context, arena};
    const struct walk walk = {compare_field, &comparison, arena};
    walk_version(&walk, versions->items[index]);
}
