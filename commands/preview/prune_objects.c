/*
 * The live objects that the manifests no longer have, if a tool prunes.
 */
#include "commands/preview/candidates.h"
#include "commands/preview/prune.h"
#include "commands/preview/run.h"
#include "manifest/json_value.h"

/* Kustomizations or Applications, whose objects one set of manifests has. */
#define OWNERS_MAX 64

static void add_owner(struct slice *owners, size_t *count, struct slice owner, struct arena *arena)
{
    for (size_t i = 0; i < *count; i++)
        if (slice_equal(owners[i], owner))
            return;
    if (owner.length && *count < OWNERS_MAX)
        owners[(*count)++] = arena_copy(arena, owner);
}

static struct file_objects *live_of(const struct preview_run *run)
{
    return run->sources.live ? run->sources.live : run->sources.candidates;
}

/* The owners of the live objects that the manifests have. */
static struct slice_list find_owners(struct preview_run *run)
{
    struct slice *owners = arena_allocate_array(run->sources.arena, OWNERS_MAX, sizeof(*owners));
    size_t count = 0, position = 0;
    struct slice json;
    while (owners && live_of(run) && (json = file_objects_next_used(live_of(run), &position)).bytes) {
        arena_reset(run->arena);
        const struct value *object = value_read_json(json, run->arena);
        if (object)
            add_owner(
                owners, &count, prune_owner(run->request->applier, object, run->arena), run->sources.arena);
    }
    return (struct slice_list){owners, count};
}

static int find_live(
    struct preview_run *run, const struct prune *prune, const struct manifest_object *object,
    struct preview_live *live, struct error *error)
{
    if (prune->is_former)
        return preview_find_live(&run->sources, object, run->arena, live, error);
    live->json = manifest_json_value(object->root, run->arena);
    return live->json ? 0 : error_set_out_of_memory(error);
}

static int prune_one(
    struct preview_run *run, const struct prune *prune, const struct manifest_object *object,
    struct error *error)
{
    struct preview_live live = {0};
    if (find_live(run, prune, object, &live, error) < 0)
        return -1;
    /* An object that is already gone is not deleted. */
    if (!live.json)
        return 0;
    const struct apply_question question = {.manifest = object, .live = live.json};
    const struct preview *preview = preview_make_pruned(&question, prune, run->arena, error);
    return preview && !preview->dropped ? 0 : preview_print(run, preview, error);
}

/* Where the objects come from that may be pruned. */
static const char *name_of_objects(const struct preview_run *run)
{
    if (run->request->previous)
        return run->request->previous;
    return run->request->live ? run->request->live : "the cluster";
}

void preview_pruned(struct preview_run *run)
{
    const struct preview_request *request = run->request;
    struct file_objects *objects = run->sources.previous ? run->sources.previous : live_of(run);
    struct error error = {0};
    struct prune prune = {
        .applier = request->applier,
        .selector = slice_of(request->selector ? request->selector : ""),
        .apply_set = prune_apply_set(
            slice_of(request->apply_set ? request->apply_set : ""), preview_namespace(&run->sources),
            run->sources.arena),
        .is_former = run->sources.previous != NULL,
        .owners = find_owners(run),
    };
    if (run->sources.candidates && preview_find_candidates(run, &prune, &error) < 0) {
        preview_complain(run, "the cluster", &error);
        return;
    }
    for (struct slice json; objects && (json = file_objects_next_unused(objects)).bytes;) {
        struct manifest_object object;
        error = (struct error){0};
        arena_reset(run->arena);
        struct manifest_reader *reader = preview_open_object(json, &object, &error);
        if (!reader || prune_one(run, &prune, &object, &error) < 0)
            preview_complain(run, name_of_objects(run), &error);
        manifest_close(reader);
    }
}
