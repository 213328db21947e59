#include "commands/preview/run.h"

#include "base/file_path.h"
#include "commands/preview/operand.h"
#include "manifest/each_object.h"

/* The manifests of a run. */
struct manifests {
    struct preview_run *run;
    bool *are_found; /* which operands have manifests */
};

/*
 * Without operands every object is wanted, otherwise the named ones. Where a namespace is given, it is that
 * of the named ones.
 */
static bool is_wanted(struct manifests *manifests, const struct manifest_object *object)
{
    const struct preview_request *request = manifests->run->request;
    bool is_wanted = !request->operand_count;
    if (request->namespace && object->namespace.length &&
        !slice_equal(object->namespace, slice_of(request->namespace)))
        return is_wanted;
    for (size_t i = 0; i < request->operand_count; i++) {
        if (!preview_operand_is(request->operands[i], object->api_version, object->kind, object->name))
            continue;
        manifests->are_found[i] = true;
        is_wanted = true;
    }
    return is_wanted;
}

static void visit(void *context, const char *path, const struct manifest_object *object)
{
    struct manifests *manifests = context;
    if (is_wanted(manifests, object))
        preview_manifest(manifests->run, path, object);
}

/* Directories of kustomize and Helm hold other files than manifests. */
static void complain(void *context, const char *path, const struct error *error)
{
    struct manifests *manifests = context;
    struct error advised = *error;
    if (slice_starts_with(file_path_name(slice_of(path)), SLICE("kustomization.")))
        error_set_at(
            &advised, error->line, error->column,
            "this is a kustomization and no object; pipe what kubectl kustomize prints into applyguard "
            "preview -f -");
    else if (slice_equal(file_path_name(slice_of(path)), SLICE("Chart.yaml")))
        error_set_at(
            &advised, error->line, error->column,
            "this is a Helm chart; pipe what helm template prints into applyguard preview --applier helm -f "
            "-");
    preview_complain(manifests->run, path, &advised);
}

/* Reports an operand without a manifest, unless a file that may contain it could not be read. */
static void complain_of_missing(struct manifests *manifests)
{
    const struct preview_request *request = manifests->run->request;
    const bool had_failed = manifests->run->has_failed;
    struct error error;
    for (size_t i = 0; i < request->operand_count && !had_failed; i++) {
        if (manifests->are_found[i])
            continue;
        error_set(&error, "no manifest matches it: compare kind, name and namespace");
        preview_complain(manifests->run, request->operands[i], &error);
    }
}

static void preview_manifests(struct preview_run *run)
{
    const struct preview_request *request = run->request;
    struct manifests manifests = {
        .run = run,
        .are_found = arena_allocate_array(run->sources.arena, request->operand_count + 1, sizeof(bool)),
    };
    const struct object_visitor visitor = {visit, complain, &manifests};
    struct error error;
    if (!manifests.are_found) {
        error_set_out_of_memory(&error);
        preview_complain(run, request->files.items[0], &error);
        return;
    }
    for (size_t i = 0; i < request->files.count; i++)
        each_object_in(request->files.items[i], request->is_recursive, &visitor);
    complain_of_missing(&manifests);
}

static void complain_of_unreached(struct preview_run *run)
{
    struct error error;
    error_set(
        &error, "not reached, so %zu more object%s not previewed", run->unreached,
        run->unreached == 1 ? " is" : "s are");
    preview_complain(run, "the cluster", &error);
}

/* A live object that belongs to no manifest was probably meant for one of them. */
static void complain_of_unused(struct preview_run *run)
{
    const struct file_objects *live = run->sources.live;
    struct error error = {0};
    arena_reset(run->arena);
    struct slice unused =
        live && !run->has_failed ? file_objects_first_if_unused(live, run->arena) : (struct slice){NULL, 0};
    if (!unused.length)
        return;
    error_set(
        &error, "no manifest matches its objects, for example %.*s: compare kind, name and namespace",
        (int)unused.length, unused.bytes);
    preview_complain(run, run->request->live, &error);
}

/* Returns false, after printing the error, if the file is given and cannot be read. */
static bool read_objects(struct preview_run *run, const char *path, struct file_objects **objects)
{
    struct error error = {0};
    if (!path)
        return true;
    *objects = file_objects_read(path, run->sources.arena, &error);
    if (!*objects)
        preview_complain(run, path, &error);
    return *objects;
}

/* The definitions of --crd: from a file, or from the files of a directory. */
struct definitions {
    struct preview_run *run;
    bool has_any; /* or the missing ones were reported */
};

static void complain_of_definitions(void *context, const char *path, const struct error *error)
{
    struct definitions *definitions = context;
    definitions->has_any = true;
    preview_complain(definitions->run, path, error);
}

/* Other objects may be next to them. */
static void add_types(void *context, const char *path, const struct manifest_object *object)
{
    struct definitions *definitions = context;
    struct preview_sources *sources = &definitions->run->sources;
    struct error error = {0};
    int added = custom_types_add(&sources->types, object, sources->arena);
    definitions->has_any |= added > 0;
    if (added >= 0)
        return;
    error_set_out_of_memory(&error);
    complain_of_definitions(context, path, &error);
}

static void read_definitions(struct preview_run *run, const char *path)
{
    struct definitions definitions = {.run = run};
    const struct object_visitor visitor = {add_types, complain_of_definitions, &definitions};
    struct error error = {0};
    each_object_in(path, run->request->is_recursive, &visitor);
    if (definitions.has_any)
        return;
    error_set(&error, "it holds no CustomResourceDefinition with a schema");
    preview_complain(run, path, &error);
}

/* Objects whose manifest could not be read, or was not asked for, do not count. */
static void preview_absent(struct preview_run *run)
{
    if (run->has_failed || run->request->operand_count)
        return;
    if (run->request->prunes && run->request->applier != APPLY_HELM)
        preview_pruned(run);
    else if (run->sources.previous)
        preview_dropped(run);
}

/* Returns false, after printing the error, if memory runs out. */
static bool collect_candidates(struct preview_run *run)
{
    const struct preview_request *request = run->request;
    struct error error;
    if (!request->prunes || request->live || request->previous)
        return true;
    run->sources.candidates = file_objects_new(run->sources.arena);
    if (run->sources.candidates)
        return true;
    error_set_out_of_memory(&error);
    preview_complain(run, "the cluster", &error);
    return false;
}

static void preview_all(struct preview_run *run)
{
    const struct preview_request *request = run->request;
    if (!read_objects(run, request->live, &run->sources.live) ||
        !read_objects(run, request->previous, &run->sources.previous))
        return;
    if (!collect_candidates(run))
        return;
    for (size_t i = 0; i < request->crds.count; i++)
        read_definitions(run, request->crds.items[i]);
    if (request->files.count)
        preview_manifests(run);
    for (size_t i = 0; !request->files.count && i < request->operand_count; i++)
        preview_named(run, request->operands[i]);
    if (run->unreached)
        complain_of_unreached(run);
    preview_absent(run);
    if (!request->prunes)
        complain_of_unused(run);
}

int preview_run(
    const struct preview_request *request, const struct preview_caller *caller, struct arena *arena)
{
    struct preview_run run = {
        .request = request,
        .caller = caller,
        .sources = {.request = request, .caller = caller, .arena = arena},
        .arena = arena_create(),
    };
    struct error error;
    if (run.arena) {
        preview_all(&run);
    } else {
        error_set_out_of_memory(&error);
        preview_complain(&run, "applyguard preview", &error);
    }
    cluster_close(run.sources.cluster);
    arena_destroy(run.arena);
    return run.has_failed ? -1 : 0;
}
