#include "commands/check/check.h"

#include "apply/entries.h"
#include "commands/check/ordered_parallel.h"
#include "commands/check/read_file.h"

#include <stdlib.h>
#include <sys/random.h>

/* About this many bytes of results of the first pass are kept. */
#define KEPT_BYTES ((size_t)16 * 1024 * 1024)

struct check {
    const struct check_options *options;
    struct check_result *result;
    struct applier applier;
    struct manifest_set *set;
    size_t *first_order;            /* for each input: the number of objects before it */
    struct file_reading **readings; /* for each input: the result of the first pass; NULL: it was not kept */
    struct arena *kept[ORDERED_PARALLEL_AHEAD]; /* for the readings: inputs that share one are not read at the
                                                   same time */
    size_t object_count;
    size_t counted; /* objects that were read, of a single input */
    size_t former;  /* inputs that are not judged */
    bool is_out_of_memory;
};

/*
 * The first pass: each object is judged as if it were alone
 */

static size_t arena_count(const struct check_options *options)
{
    return options->input_count < ORDERED_PARALLEL_AHEAD ? options->input_count : ORDERED_PARALLEL_AHEAD;
}

/* More inputs are read at the same time: their objects are not counted. */
static bool is_single(const struct check *check)
{
    return check->options->input_count == 1;
}

static void count_object(void *context)
{
    struct check *check = context;
    check->counted++;
    if (check->options->progress)
        check->options->progress(check->options->progress_context, 0, check->counted);
}

static void *read_first(void *context, size_t index, struct arena *arena)
{
    struct check *check = context;
    const struct file_reader reader = {
        .input = &check->options->inputs[index],
        .policy = check->options->policy,
        .applier = &check->applier,
        .count_object = is_single(check) ? count_object : NULL,
        .context = check,
        .shows_lines_around = check->options->shows_lines_around,
        .arena = check->kept[index % ORDERED_PARALLEL_AHEAD],
        .bytes_max = KEPT_BYTES / arena_count(check->options),
        .spare = arena,
    };
    struct file_reading *reading = read_file(&reader);
    return reading && !arena_has_failed(arena) ? reading : NULL;
}

static void keep_declaration(
    struct check *check, const struct file_reading *reading, const struct declaration *declaration)
{
    const struct document_place place = file_place(reading, declaration);
    if (reading->input->is_former) {
        check->is_out_of_memory |= !declaration_add_former(declaration, &place, check->set);
        return;
    }
    check->result->has_client_side |= declaration->applies == APPLIES_CLIENT_SIDE;
    check->result->has_server_side |= declaration->applies == APPLIES_SERVER_SIDE;
    check->is_out_of_memory |= !declaration_add(declaration, &place, check->set);
}

static void keep_reading(void *context, size_t index, void *result)
{
    struct check *check = context;
    struct file_reading *reading = result;
    check->is_out_of_memory |= !reading;
    if (check->options->progress)
        check->options->progress(check->options->progress_context, index + 1, 0);
    if (!reading)
        return;
    reading->first_order = check->object_count;
    for (const struct declaration *declaration = reading->declarations.first; declaration;
         declaration = declaration->next)
        keep_declaration(check, reading, declaration);
    check->object_count += reading->declarations.count;
    check->first_order[index + 1] = check->object_count;
    check->readings[index] = reading->is_judged ? reading : NULL;
}

/*
 * The second pass: inputs whose objects other manifests concern are read again
 */

/* Whether the first pass is enough: the second would find the same. */
static bool is_settled(const struct check *check, size_t index, struct arena *scratch)
{
    const struct file_reading *reading = check->readings[index];
    if (check->result->is_server_side)
        return false;
    for (const struct declaration *declaration =
             reading && !reading->input->is_former ? reading->declarations.first : NULL;
         declaration; declaration = declaration->next) {
        const struct document_place place = file_place(reading, declaration);
        const struct other_manifests others =
            declaration_other_manifests(declaration, &place, check->set, scratch);
        if (!has_no_cross_manifest_findings(&others))
            return false;
    }
    return reading && !arena_has_failed(scratch);
}

/*
 * Findings
 */

static void count(struct check *check, const struct report_finding *finding)
{
    struct report_summary *summary = &check->result->summary;
    if (finding->is_waived) {
        summary->waived++;
        return;
    }
    summary->unreasoned += finding->lacks_reason;
    summary->by_action[finding->action]++;
    summary->by_rule[finding->rule]++;
    check->result->has_failed |= finding->action >= check->options->fail_on;
}

/* With a baseline, it is unknown which unlisted findings are new, but known whether some are. */
static void count_dropped(struct check *check, const struct report_item *item)
{
    struct baseline *baseline = check->options->baseline;
    for (int action = ACTION_AUDIT; action <= ACTION_DENY; action++) {
        bool is_known = !item->dropped[action] ||
            (baseline && baseline_take_dropped(baseline, item, (enum action)action));
        check->result->summary.dropped += item->dropped[action];
        check->result->has_failed |= !is_known && (enum action)action >= check->options->fail_on;
    }
}

/* Reports an object without the findings that the baseline has. */
static void report_object(struct check *check, const struct check_input *input, struct judged_object *judged)
{
    struct report_item *item = &judged->item;
    item->is_sample = input->is_sample;
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

void check_problem(
    const struct check_options *options, struct check_result *result, const char *path,
    const struct error *problem)
{
    const struct slice file = slice_of(path);
    if (options->baseline && baseline_take_problem(options->baseline, file, slice_of(problem->message))) {
        result->summary.known++;
        return;
    }
    result->summary.problems++;
    report_problem(options->report, file, problem->line, problem->column, problem->message);
}

static void report_entry(struct check *check, const struct check_input *input, const struct file_entry *entry)
{
    const struct slice file = slice_of(input->path);
    if (entry->judged)
        report_object(check, input, entry->judged);
    else if (entry->note)
        report_note(
            check->options->report, file, entry->note->line, entry->note->column, entry->note->message);
    else if (entry->skipped)
        report_skipped(check->options->report, file, entry->skipped->line, entry->skipped->message);
    else
        check_problem(check->options, check->result, input->path, entry->problem);
}

/* The findings of a file that an object is declared in another one, too, by that file. */
struct pair {
    struct slice file;
    size_t count;
    bool is_reported;
};

/* More pairs of a file are reported object by object. */
#define PAIRS_MAX 64

static bool is_pair(const struct report_finding *finding, struct slice file)
{
    return finding->rule == RULE_duplicate_object && finding->related &&
        !slice_equal(finding->related->file, file);
}

/* NULL: there are too many. */
static struct pair *pair_of(struct pair *pairs, size_t *count, struct slice file)
{
    for (size_t i = 0; i < *count; i++)
        if (slice_equal(pairs[i].file, file))
            return &pairs[i];
    if (*count == PAIRS_MAX)
        return NULL;
    pairs[*count] = (struct pair){.file = file};
    return &pairs[(*count)++];
}

/* Whether an earlier finding represents this one; otherwise this one represents the pair. */
static bool stands_for_pair(struct pair *pair, struct report_finding *finding)
{
    if (!pair || pair->count < 2)
        return false;
    finding->action = action_min(finding->action, ACTION_AUDIT);
    bool is_reported = pair->is_reported;
    pair->is_reported = true;
    return is_reported;
}

/* Two files with the same objects are alternatives, such as two ways to install a program. */
static void unite_pairs(const struct file_reading *reading)
{
    struct pair pairs[PAIRS_MAX];
    const struct slice file = slice_of(reading->input->path);
    size_t count = 0;
    for (const struct file_entry *entry = reading->entries.first; entry; entry = entry->next)
        for (size_t i = 0; entry->judged && i < entry->judged->finding_count; i++) {
            const struct report_finding *finding = &entry->judged->findings[i];
            struct pair *pair =
                is_pair(finding, file) ? pair_of(pairs, &count, finding->related->file) : NULL;
            if (pair)
                pair->count++;
        }
    for (const struct file_entry *entry = reading->entries.first; entry && count; entry = entry->next) {
        size_t kept = 0;
        for (size_t i = 0; entry->judged && i < entry->judged->finding_count; i++) {
            struct report_finding *finding = &entry->judged->findings[i];
            if (is_pair(finding, file) &&
                stands_for_pair(pair_of(pairs, &count, finding->related->file), finding))
                continue;
            entry->judged->findings[kept++] = *finding;
        }
        if (entry->judged)
            entry->judged->finding_count = kept;
    }
}

static void report_problems(struct check *check, const struct file_reading *reading)
{
    for (const struct file_entry *entry = reading->entries.first; entry; entry = entry->next)
        if (entry->problem)
            check_problem(check->options, check->result, reading->input->path, entry->problem);
}

static void report_file(void *context, size_t index, void *result)
{
    (void)index;
    struct check *check = context;
    const struct file_reading *reading = result;
    check->is_out_of_memory |= !reading;
    if (!reading)
        return;
    check->former += reading->input->is_former;
    if (reading->input->is_former) {
        report_problems(check, reading);
        return;
    }
    check->result->summary.skipped += reading->entries.skipped;
    unite_pairs(reading);
    for (const struct file_entry *entry = reading->entries.first; entry; entry = entry->next)
        report_entry(check, reading->input, entry);
}

static void emit_entry(void *context, const struct check_input *input, const struct file_entry *entry)
{
    report_entry(context, input, entry);
}

/*
 * The findings of a single large input are reported while it is read for the second time. Its objects are not
 * duplicates of those in other files, and it has objects, because it was named.
 */
static bool is_streamed(const struct check *check)
{
    const struct check_input *input = &check->options->inputs[0];
    return is_single(check) && !input->is_found && !input->is_former && !check->readings[0];
}

static void *settle(void *context, size_t index, struct arena *arena)
{
    struct check *check = context;
    if (is_settled(check, index, arena))
        return check->readings[index];
    arena_reset(arena);
    const struct file_reader reader = {
        .input = &check->options->inputs[index],
        .first_order = check->first_order[index],
        .policy = check->options->policy,
        .applier = &check->applier,
        .shows_lines_around = check->options->shows_lines_around,
        .set = check->set,
        .object_count = check->first_order[index + 1] - check->first_order[index],
        .arena = arena,
        .bytes_max = SIZE_MAX,
        .emit = is_streamed(check) ? emit_entry : NULL,
        .count_object = is_single(check) ? count_object : NULL,
        .context = check,
    };
    return read_file(&reader);
}

static bool read_all(struct check *check)
{
    const struct ordered_parallel plan = {
        .count = check->options->input_count,
        .threads = check->options->threads,
        .work = read_first,
        .emit = keep_reading,
        .context = check,
    };
    return ordered_parallel_run(&plan) && !check->is_out_of_memory;
}

/* Only the first pass shows who applies the manifests. Then all of them are judged again. */
static void follow_appliers(struct check *check)
{
    struct check_result *result = check->result;
    if (!check->options->follows_appliers || !result->has_server_side || result->has_client_side)
        return;
    result->is_server_side = true;
    check->applier.mode = APPLY_SERVER_SIDE;
}

static bool report_all(struct check *check)
{
    const struct ordered_parallel plan = {
        .count = check->options->input_count,
        .threads = check->options->threads,
        .work = settle,
        .emit = report_file,
        .context = check,
    };
    check->counted = 0;
    follow_appliers(check);
    if (is_streamed(check))
        report_in_order(check->options->report);
    if (!ordered_parallel_run(&plan))
        return false;
    if (check->options->progress)
        check->options->progress(check->options->progress_context, check->options->input_count, 0);
    check->result->summary.files = check->options->input_count - check->former;
    return !check->is_out_of_memory;
}

static bool prepare(struct check *check, struct arena *arena)
{
    struct siphash_seed seed;
    const size_t count = check->options->input_count;
    check->first_order = calloc(count + 1, sizeof(*check->first_order));
    check->readings = calloc(count + 1, sizeof(struct file_reading *));
    if (!arena || !check->first_order || !check->readings || getentropy(&seed, sizeof(seed)) != 0)
        return false;
    check->set = manifest_set_create(arena, seed);
    check->applier.time = owners_time(check->applier.now, arena);
    for (size_t i = 0; i < arena_count(check->options); i++)
        if (!(check->kept[i] = arena_create()))
            return false;
    return check->set && check->applier.time.bytes;
}

bool check_run(const struct check_options *options, struct check_result *result)
{
    struct arena *arena = arena_create();
    struct check check = {.options = options, .result = result, .applier = options->applier};
    *result = (struct check_result){0};
    bool is_whole = prepare(&check, arena) && read_all(&check) && report_all(&check);
    for (size_t i = 0; i < ORDERED_PARALLEL_AHEAD; i++)
        arena_destroy(check.kept[i]);
    free(check.readings);
    free(check.first_order);
    arena_destroy(arena);
    return is_whole;
}
