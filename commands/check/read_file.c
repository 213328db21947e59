#include "commands/check/read_file.h"

#include "base/file_path.h"
#include "commands/check/charts.h"
#include "commands/check/comment_waivers.h"
#include "commands/check/configuration.h"
#include "manifest/inputs.h"
#include "manifest/kinds.h"

#include <string.h>
#include <unistd.h>

/*
 * Opening
 */

struct open_input {
    struct manifest_reader *reader;
    struct slice text;
    int file; /* -1: none */
};

static bool input_open(struct open_input *opened, const struct check_input *input, struct error *error)
{
    *opened = (struct open_input){.text = input->text, .file = -1};
    if (!input->has_text && (opened->file = inputs_open(input->path, error)) < 0)
        return false;
    opened->reader = input->has_text ? manifest_open(manifest_read_slice, &opened->text, NULL)
                                     : manifest_open(manifest_read_file, &opened->file, NULL);
    if (opened->reader)
        return true;
    error_set_out_of_memory(error);
    if (opened->file >= 0)
        close(opened->file);
    return false;
}

static void input_close(struct open_input *opened)
{
    manifest_close(opened->reader);
    if (opened->file >= 0)
        close(opened->file);
}

/*
 * Documents
 */

/* The state while a file is read. */
struct work {
    const struct file_reader *reader;
    struct file_reading *reading;
    struct arena *scratch; /* reset before each object */
    size_t document;       /* the number of the last document with an object; 0: none */
    bool is_template;      /* it was reported that the input is a template of a Helm chart */
};

struct document_place file_place(const struct file_reading *reading, const struct declaration *declaration)
{
    return (struct document_place){
        .source = reading->input->source,
        .root = reading->input->root,
        .is_kustomized = reading->input->is_kustomized,
        .is_former = reading->input->is_former,
        .file = slice_of(reading->input->path),
        .line = reading->input->is_former && reading->input->has_text ? 0 : declaration->line,
        .order = reading->first_order + declaration->number,
    };
}

/* Adds nothing if memory runs out (the arena remembers) or after judging was abandoned. */
static void add_entry(const struct work *work, const struct file_entry *added)
{
    struct file_entries *entries = &work->reading->entries;
    entries->count++;
    if (work->reader->emit) {
        work->reader->emit(work->reader->context, work->reader->input, added);
        return;
    }
    struct file_entry *entry =
        work->reading->is_judged ? arena_allocate(work->reader->arena, sizeof(*entry)) : NULL;
    if (!entry)
        return;
    *entry = *added;
    *entries->end = entry;
    entries->end = &entry->next;
}

/* An entry that the caller gets at once lives until the next object. */
static struct arena *arena_of_entries(const struct work *work)
{
    return work->reader->emit ? work->scratch : work->reader->arena;
}

/* Returns NULL if memory runs out, or after judging was abandoned: then it adds nothing. */
static const struct error *keep(const struct work *work, const struct error *error)
{
    struct error *kept =
        work->reading->is_judged ? arena_allocate(arena_of_entries(work), sizeof(*kept)) : NULL;
    if (kept)
        *kept = *error;
    return kept;
}

static void add_problem(const struct work *work, const struct error *error, bool is_foreign)
{
    const struct error *problem = keep(work, error);
    if (problem)
        add_entry(work, &(struct file_entry){.problem = problem, .is_foreign = is_foreign});
}

static void add_note(const struct work *work, const struct error *error)
{
    const struct error *note = keep(work, error);
    if (note)
        add_entry(work, &(struct file_entry){.note = note});
}

static void skip(const struct work *work, unsigned line, const char *reason)
{
    struct error error;
    work->reading->entries.skipped++;
    error_set_at(&error, line, 0, "%s", reason);
    const struct error *skipped = keep(work, &error);
    if (skipped)
        add_entry(work, &(struct file_entry){.skipped = skipped});
}

/* Adds the notes of a document, with its object, or the first one. */
static void add_notes(const struct work *work, const struct manifest_document *document)
{
    if (document->lost_waiver.line) {
        struct error error;
        error_set_at(
            &error, document->lost_waiver.line, document->lost_waiver.column,
            "this waiver waives nothing: there is no object in its document; write it below the next ---");
        add_note(work, &error);
    }
    for (size_t i = 0; i < document->waiver_count; i++) {
        struct error error;
        if (comment_waiver_is_void(&document->waivers[i], work->scratch, &error))
            add_note(work, &error);
    }
}

/* Directories of Helm and kustomize contain other files than objects: their output can be checked. */
static void explain_foreign(const char *path, struct error *error)
{
    struct slice chart;
    if (chart_folder_of(path, &chart))
        (void)chart_explain(chart, error);
    else if (slice_starts_with(file_path_name(slice_of(path)), SLICE("kustomization.")))
        error_set_at(
            error, error->line, error->column,
            "this is a kustomization and no object; pipe what kustomize build prints into applyguard check "
            "-");
}

/* Adds notes on the waivers for lines of the object. */
static void add_notes_on_findings(
    const struct work *work, const struct manifest_object *object, const struct judged_object *judged)
{
    const struct manifest_document *document = object->document;
    const bool is_all = object->root == document->root;
    for (size_t i = 0; i < document->waiver_count && judged->finding_count; i++) {
        const struct manifest_waiver *waiver = &document->waivers[i];
        struct error error;
        bool is_within = is_all ||
            (waiver->for_line >= object->root->place.line &&
             waiver->for_line <= object->root->place.end_line);
        if (is_within && comment_waiver_is_misplaced(waiver, judged, &error))
            add_note(work, &error);
    }
}

/* Kustomize and other tools, such as kubeadm, take patches from files and directories of such names. */
static bool is_in_patches(const struct check_input *input)
{
    return input->is_found && strstr(input->path, "patch");
}

static void judge_one(
    const struct work *work, const struct manifest_object *object, const struct first_apply *identity,
    const struct declaration *declaration)
{
    const struct check_input *input = work->reader->input;
    const struct object_judge judge = {
        .policy = work->reader->policy,
        .applier = work->reader->applier,
        .is_rendered = input->is_rendered,
        .shows_lines_around = work->reader->shows_lines_around,
        .scratch = work->scratch,
        .results = arena_of_entries(work),
    };
    struct document document = {
        .object = object,
        .place = file_place(work->reading, declaration),
        .kustomize_adds_labels = input->kustomize_adds_labels,
        .is_kustomized = input->is_kustomized,
        .may_be_part = input->is_untaken || is_in_patches(input),
    };
    struct error error;
    if (work->reader->set)
        document.others =
            declaration_other_manifests(declaration, &document.place, work->reader->set, work->scratch);
    document.others.is_shared |= input->kustomized.is_patched;
    if (input->kustomized.removes_replicas)
        document.others.autoscaler = NULL;
    struct judged_object *judged = judge_object(&judge, &document, identity, &error);
    if (!judged) {
        add_problem(work, &error, false);
        return;
    }
    add_notes_on_findings(work, object, judged);
    add_entry(work, &(struct file_entry){.judged = judged});
}

/* A fact lives as long as it may be asked for: with a set, until its object was judged. */
static struct arena *arena_of_fact(const struct work *work)
{
    if (work->reader->set)
        return work->scratch;
    return work->reading->is_judged ? work->reader->arena : work->reader->spare;
}

/* An identity lives as long as the fact and the entry of its object. */
static struct arena *arena_of_identity(const struct work *work)
{
    return work->reader->set ? arena_of_entries(work) : arena_of_fact(work);
}

static bool has_room(const struct file_reader *reader)
{
    return arena_taken(reader->arena) <= reader->bytes_max;
}

static void take_object(struct work *work, const struct manifest_object *object)
{
    struct error error;
    struct first_apply identity;
    struct file_facts *declarations = &work->reading->declarations;
    arena_reset(work->scratch);
    bool is_identified =
        first_apply_identify(object, work->reader->applier, arena_of_identity(work), &identity);
    struct declaration *declaration = is_identified
        ? declaration_of(object, &identity, work->reader->applier, work->reader->input, arena_of_fact(work))
        : NULL;
    if (!declaration) {
        error_set_out_of_memory(&error);
        add_problem(work, &error, false);
        return;
    }
    if (work->document != object->document->number)
        add_notes(work, object->document);
    work->document = object->document->number;
    declaration->number = declarations->count++;
    declaration->is_alone = work->reader->object_count == 1;
    if (work->reader->count_object)
        work->reader->count_object(work->reader->context);
    if (!work->reader->set) {
        *declarations->end = declaration;
        declarations->end = &declaration->next;
    }
    if (work->reading->is_judged && !work->reader->input->is_former)
        judge_one(work, object, &identity, declaration);
    work->reading->is_judged &= has_room(work->reader);
}

static bool is_workload(const struct manifest_object *object)
{
    return slice_equal(object->api_version, SLICE("apps/v1")) &&
        kind_scope_of(SLICE("apps"), object->kind) == KIND_NAMESPACED &&
        !slice_equal(object->kind, SLICE("ControllerRevision"));
}

static bool lacks_image(const struct manifest_node *spec)
{
    const struct manifest_node *pod =
        manifest_member(manifest_member(spec, SLICE("template")), SLICE("spec"));
    const struct manifest_node *containers = manifest_member(pod, SLICE("containers"));
    if (!containers || containers->kind != MANIFEST_LIST)
        return true;
    for (size_t i = 0; i < containers->count; i++)
        if (!manifest_member(containers->items[i], SLICE("image")))
            return true;
    return false;
}

static bool is_named_patch(const char *path)
{
    return strstr(file_path_name(slice_of(path)).bytes, "patch");
}

/*
 * A patch in a file of its own: a workload of apps/v1 needs a selector, and each container an image, unless
 * that is what the patch changes; a CustomResourceDefinition needs names and a group, which controller-gen
 * leaves empty where it finds none.
 */
static bool is_partial_object(const struct manifest_object *object, const char *path)
{
    const struct manifest_node *spec = manifest_member(object->root, SLICE("spec"));
    if (slice_equal(object->kind, SLICE("CustomResourceDefinition")))
        return !manifest_member(spec, SLICE("names")) ||
            !manifest_text(manifest_member(spec, SLICE("group"))).length;
    return is_workload(object) &&
        (lacks_image(spec) || (is_named_patch(path) && !manifest_member(spec, SLICE("selector"))));
}

/* Templates become YAML only once Helm has rendered them. */
static void add_document_problem(struct work *work, struct error *error, bool is_foreign)
{
    if (work->is_template)
        return;
    work->is_template = chart_explain_template(work->reader->input->path, error);
    add_problem(work, error, is_foreign);
}

static void take_documents(struct work *work, struct manifest_reader *manifests)
{
    struct manifest_object object;
    struct error error;
    enum manifest_result result;
    while ((result = manifest_next(manifests, &object, &error)) != MANIFEST_END) {
        bool is_foreign = result != MANIFEST_OBJECT && manifest_is_foreign(manifests);
        if (is_foreign)
            explain_foreign(work->reader->input->path, &error);
        if (result != MANIFEST_OBJECT)
            add_document_problem(work, &error, is_foreign || manifest_is_unlike_objects(manifests));
        else if (is_message(&object))
            skip(
                work, object.root->place.line,
                "a question to the API server or its answer, which nothing applies");
        else if (is_configuration(&object))
            skip(work, object.root->place.line, "configuration of a program, which no API server gets");
        else if (work->reader->input->is_untaken && is_partial_object(&object, work->reader->input->path))
            skip(
                work, object.root->place.line,
                "part of an object, below a kustomization that does not name it");
        else
            take_object(work, &object);
    }
}

/*
 * If a file has objects, a document without a kind has probably lost it; if not, the file is probably not a
 * manifest. Files of a chart may be templates, too.
 */
static void skip_foreign(struct file_entries *entries, bool is_of_chart, struct arena *arena)
{
    for (const struct file_entry *entry = entries->first; entry && !is_of_chart; entry = entry->next)
        if (!entry->is_foreign && !entry->skipped)
            return;
    for (struct file_entry *entry = entries->first; entry; entry = entry->next) {
        if (!entry->problem)
            continue;
        struct error *reason = arena_allocate(arena, sizeof(*reason));
        if (!reason)
            return;
        error_set_at(
            reason, entry->problem->line, 0, "%s",
            is_of_chart ? "part of a Helm chart; check what helm template prints" : "no Kubernetes manifest");
        entries->skipped++;
        *entry = (struct file_entry){.next = entry->next, .skipped = reason};
    }
}

/* An input that is named or piped is expected to have objects: an empty one shows an earlier error. */
static void refuse_empty(const struct work *work)
{
    const struct file_reading *reading = work->reading;
    struct error error;
    if (work->reader->input->is_found || work->reader->input->is_former || reading->declarations.count ||
        reading->entries.count || reading->entries.skipped)
        return;
    error_set(&error, "it holds no object");
    add_problem(work, &error, false);
}

static void read_whole(struct work *work)
{
    struct open_input opened;
    struct error error;
    if (input_open(&opened, work->reader->input, &error)) {
        take_documents(work, opened.reader);
        input_close(&opened);
    } else {
        add_problem(work, &error, false);
    }
    if (work->reader->input->is_found)
        skip_foreign(&work->reading->entries, work->reader->input->is_of_chart, work->reader->arena);
    refuse_empty(work);
    if (work->reader->set && work->reading->declarations.count != work->reader->object_count) {
        error_set(&error, "it has changed while it was read, or memory ran out; check it again");
        add_problem(work, &error, false);
    }
}

struct file_reading *read_file(const struct file_reader *reader)
{
    struct file_reading *reading = arena_allocate_array(reader->arena, 1, sizeof(*reading));
    struct arena *scratch = arena_create();
    if (reading && scratch) {
        struct work work = {.reader = reader, .reading = reading, .scratch = scratch};
        reading->input = reader->input;
        reading->first_order = reader->first_order;
        reading->declarations.end = &reading->declarations.first;
        reading->entries.end = &reading->entries.first;
        reading->is_judged = has_room(reader);
        read_whole(&work);
    }
    bool is_whole = reading && scratch && !arena_has_failed(reader->arena);
    arena_destroy(scratch);
    return is_whole ? reading : NULL;
}
