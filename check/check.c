#include "check/check.h"

#include "check/configuration.h"
#include "check/facts.h"
#include "check/in_order.h"
#include "check/judge_object.h"
#include "manifest/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

/* What is found in one file, in the order of the file. */
struct entry {
    struct entry *next;
    struct judged_object *judged; /* NULL: a problem */
    struct error problem;
    bool is_foreign; /* a problem, unless the file has nothing but such documents */
};

struct file_facts {
    struct fact *first;
    struct fact **end;
    size_t count;
};

struct file_entries {
    struct entry *first;
    struct entry **end;
    size_t skipped;
};

struct check {
    const struct check_options *options;
    struct check_result *result;
    struct manifest_set *set;
    size_t *first_order; /* of each input: how many objects come before it */
    size_t object_count;
    bool is_out_of_memory;
};

/*
 * Reading
 */

struct open_input {
    struct manifest_reader *reader;
    struct slice text;
    int file; /* -1: there is none */
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
    error_set(error, "there is no memory to read it");
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

static bool is_object(enum manifest_result result, const struct manifest_object *object)
{
    return result == MANIFEST_OBJECT && !is_configuration(object->api_version, object->kind);
}

/*
 * The first time: what is there
 */

static void *gather_facts(void *context, size_t index, struct arena *arena)
{
    struct check *check = context;
    struct open_input opened;
    struct manifest_object object;
    struct error error;
    enum manifest_result result;
    const struct check_input *input = &check->options->inputs[index];
    struct file_facts *facts = arena_allocate_array(arena, 1, sizeof(*facts));
    if (!facts)
        return NULL;
    facts->end = &facts->first;
    if (!input_open(&opened, input, &error))
        return facts;
    while ((result = manifest_next(opened.reader, &object, &error)) != MANIFEST_END) {
        struct fact *fact = is_object(result, &object)
            ? fact_of(&object, &check->options->applier, input->source.length > 0, arena)
            : NULL;
        if (!fact)
            continue;
        fact->number = facts->count++;
        *facts->end = fact;
        facts->end = &fact->next;
    }
    input_close(&opened);
    return arena_has_failed(arena) ? NULL : facts;
}

static struct document_place place_in(const struct check_input *input)
{
    return (struct document_place){.source = input->source, .file = slice_of(input->path)};
}

static void keep_facts(void *context, size_t index, void *result)
{
    struct check *check = context;
    const struct file_facts *facts = result;
    check->first_order[index] = check->object_count;
    check->is_out_of_memory |= !facts;
    for (const struct fact *fact = facts ? facts->first : NULL; fact; fact = fact->next) {
        struct document_place place = place_in(&check->options->inputs[index]);
        place.line = fact->line;
        place.order = check->object_count + fact->number;
        check->is_out_of_memory |= !fact_add(fact, &place, check->set);
    }
    check->object_count += facts ? facts->count : 0;
}

/*
 * The second time: what the rules find
 */

/* Without memory none; the arena tells. */
static void add_entry(struct file_entries *entries, const struct entry *added, struct arena *arena)
{
    struct entry *entry = arena_allocate_array(arena, 1, sizeof(*entry));
    if (!entry)
        return;
    *entry = *added;
    *entries->end = entry;
    entries->end = &entry->next;
}

/* A document that lost its kind is a mistake beside an object, and no news in a file of another kind. */
static void skip_foreign(struct file_entries *entries)
{
    for (const struct entry *entry = entries->first; entry; entry = entry->next)
        if (!entry->is_foreign)
            return;
    for (const struct entry *entry = entries->first; entry; entry = entry->next)
        entries->skipped++;
    entries->first = NULL;
}

/* Directories of kustomize hold more than objects: what it makes of them can be checked. */
static void explain_foreign(const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/');
    if (strncmp(slash ? slash + 1 : path, "kustomization.", strlen("kustomization.")) == 0)
        error_set_at(
            error, error->line, error->column,
            "this is a kustomization and no object; pipe what kustomize build prints into applyguard check "
            "-");
}

static void judge_objects(
    struct check *check, size_t index, struct manifest_reader *reader, struct arena *scratch,
    struct arena *arena, struct file_entries *entries)
{
    const struct check_options *options = check->options;
    const struct object_judge judge = {
        .policy = options->policy,
        .applier = &options->applier,
        .set = check->set,
        .is_rendered = options->inputs[index].is_rendered,
        .scratch = scratch,
        .results = arena,
    };
    struct document_place place = place_in(&options->inputs[index]);
    place.order = check->first_order[index];
    struct manifest_object object;
    enum manifest_result result;
    for (;;) {
        struct entry entry = {0};
        if ((result = manifest_next(reader, &object, &entry.problem)) == MANIFEST_END)
            break;
        if (is_object(result, &object)) {
            place.line = object.root->place.line;
            entry.judged = judge_object(&judge, &object, &place, &entry.problem);
            place.order++;
        } else if (result == MANIFEST_OBJECT) {
            entries->skipped++;
            continue;
        } else {
            entry.is_foreign = manifest_is_foreign(reader);
            if (entry.is_foreign)
                explain_foreign(options->inputs[index].path, &entry.problem);
        }
        add_entry(entries, &entry, arena);
    }
    if (options->inputs[index].is_found)
        skip_foreign(entries);
}

static void *judge_file(void *context, size_t index, struct arena *arena)
{
    struct check *check = context;
    struct open_input opened;
    struct error error = {0};
    struct file_entries *entries = arena_allocate_array(arena, 1, sizeof(*entries));
    struct arena *scratch = arena_create();
    if (!entries || !scratch) {
        arena_destroy(scratch);
        return NULL;
    }
    entries->end = &entries->first;
    if (input_open(&opened, &check->options->inputs[index], &error)) {
        judge_objects(check, index, opened.reader, scratch, arena, entries);
        input_close(&opened);
    } else {
        add_entry(entries, &(struct entry){.problem = error}, arena);
    }
    arena_destroy(scratch);
    return arena_has_failed(arena) ? NULL : entries;
}

static void count(struct check *check, const struct report_finding *finding)
{
    struct report_summary *summary = &check->result->summary;
    if (finding->is_waived) {
        summary->waived++;
        return;
    }
    summary->by_action[finding->action]++;
    check->result->has_failed |= finding->action >= check->options->fail_on;
}

/* Those that are not listed are in no baseline either: beside one, nobody knows whether they are new. */
static void count_dropped(struct check *check, const struct report_item *item)
{
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        bool is_failing = item->dropped[action] && (enum action)action >= check->options->fail_on;
        check->result->summary.dropped += item->dropped[action];
        check->result->has_failed |= is_failing && !check->options->baseline;
    }
}

/* Without the findings that the baseline has. */
static void report_object(struct check *check, struct judged_object *judged)
{
    struct report_item *item = &judged->item;
    check->result->summary.items++;
    for (size_t i = 0; i < judged->finding_count; i++) {
        struct report_finding *finding = &judged->findings[i];
        if (check->options->baseline && baseline_take(check->options->baseline, item, finding)) {
            check->result->summary.known++;
            continue;
        }
        count(check, finding);
        judged->findings[item->finding_count++] = *finding;
    }
    item->findings = judged->findings;
    count_dropped(check, item);
    report_add(check->options->report, item);
}

static void report_file(void *context, size_t index, void *result)
{
    struct check *check = context;
    const struct file_entries *entries = result;
    check->is_out_of_memory |= !entries;
    check->result->summary.files++;
    check->result->summary.skipped += entries ? entries->skipped : 0;
    if (check->options->progress)
        check->options->progress(check->options->progress_context, index + 1);
    for (const struct entry *entry = entries ? entries->first : NULL; entry; entry = entry->next) {
        if (entry->judged) {
            report_object(check, entry->judged);
            continue;
        }
        check->result->summary.problems++;
        report_problem(
            check->options->report, slice_of(check->options->inputs[index].path), entry->problem.line,
            entry->problem.column, entry->problem.message);
    }
}

static bool run(struct check *check)
{
    const struct check_options *options = check->options;
    struct in_order plan = {
        .count = options->input_count,
        .threads = options->threads,
        .work = gather_facts,
        .hand_on = keep_facts,
        .context = check,
    };
    if (!in_order_run(&plan) || check->is_out_of_memory)
        return false;
    plan.work = judge_file;
    plan.hand_on = report_file;
    return in_order_run(&plan) && !check->is_out_of_memory;
}

int check_run(const struct check_options *options, struct check_result *result, struct error *error)
{
    struct siphash_seed seed;
    struct arena *arena = arena_create();
    struct check check = {
        .options = options,
        .result = result,
        .first_order = calloc(options->input_count + 1, sizeof(size_t)),
    };
    *result = (struct check_result){0};
    if (arena && check.first_order && getentropy(&seed, sizeof(seed)) == 0)
        check.set = manifest_set_create(arena, seed);
    bool is_whole = check.set && run(&check);
    free(check.first_order);
    arena_destroy(arena);
    return is_whole ? 0 : error_set(error, "there is no memory to check all of it");
}
