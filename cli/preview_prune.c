/*
 * preview --prune: the live objects that the manifests no longer have.
 */
#include "base/json.h"
#include "cli/preview_run.h"
#include "manifest/kinds.h"

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

/* The owners of the live objects that the manifests have. */
static struct slice_list find_owners(struct preview_run *run)
{
    struct slice *owners = arena_allocate_array(run->kept, OWNERS_MAX, sizeof(*owners));
    size_t count = 0, position = 0;
    struct slice json;
    while (owners && run->live && (json = file_objects_next_used(run->live, &position)).bytes) {
        arena_reset(run->arena);
        const struct value *object = value_read_json(json, run->arena);
        if (object)
            add_owner(owners, &count, prune_owner(run->options->applier, object, run->arena), run->kept);
    }
    return (struct slice_list){owners, count};
}

static int show(
    struct preview_run *run, const struct prune *prune, const struct manifest_object *object,
    struct slice live, struct error *error)
{
    const struct preview_question question = {.manifest = object, .live = live};
    const struct preview *preview = preview_make_pruned(&question, prune, run->arena, error);
    if (!preview)
        return -1;
    bool is_shown = preview->dropped && (preview->after || run->options->format != FORMAT_OBJECT);
    run->has_found |= preview->dropped && preview_is_failure(run, preview);
    return !is_shown || preview_print(run, preview)
        ? 0
        : error_set(error, "there is no memory to print all of it");
}

static int prune_one(
    struct preview_run *run, const struct prune *prune, const struct manifest_object *object,
    struct slice json, struct error *error)
{
    struct slice live = json;
    if (prune->is_former && preview_find_live(run, object, &live, error) < 0)
        return -1;
    /* An object that is already gone is not deleted. */
    return live.bytes ? show(run, prune, object, live, error) : 0;
}

void preview_pruned(struct preview_run *run)
{
    const char *namespace = run->options->cluster.namespace, *apply_set = run->options->apply_set;
    struct file_objects *objects = run->previous ? run->previous : run->live;
    const struct prune prune = {
        .applier = run->options->applier,
        .selector = slice_of(run->options->selector ? run->options->selector : ""),
        .apply_set = prune_apply_set(
            slice_of(apply_set ? apply_set : ""), namespace ? slice_of(namespace) : SLICE("default"),
            run->kept),
        .is_former = run->previous != NULL,
        .owners = find_owners(run),
    };
    for (struct slice json; objects && (json = file_objects_next_unused(objects)).bytes;) {
        struct error error = {0};
        struct manifest_object object;
        struct slice rest = json;
        arena_reset(run->arena);
        struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
        enum manifest_result result = reader ? manifest_next(reader, &object, &error) : MANIFEST_ERROR;
        if (!reader)
            error_set(&error, "there is no memory");
        if (result == MANIFEST_ERROR ||
            (result == MANIFEST_OBJECT && prune_one(run, &prune, &object, json, &error) < 0))
            preview_say(run, run->previous ? run->options->previous : run->options->live, &error);
        manifest_close(reader);
    }
}
