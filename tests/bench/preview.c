/*
 * preview: the time and memory of a preview, compared with reading its objects.
 *
 *   preview [--quick] MANIFEST LIVE [MANIFEST LIVE]...
 *
 * MANIFEST is the YAML of an apply, LIVE the object as JSON. In turn, yyjson alone parses LIVE, the reader of
 * manifests reads LIVE as JSON, it reads MANIFEST, and the apply is previewed: server-side, and client-side.
 * A preview begins with bytes and ends with text, so it reads both, and the policy judges the request. The
 * least time of several rounds counts, because other work of the machine only adds to it. The exit status is
 * 1 if a preview takes more than RATIO_MAX of the time of reading three such objects, or more than MEMORY_MAX
 * of the bytes of both.
 */
#include "measure.h"

#include "base/json.h"
#include "commands/preview/preview.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define RATIO_MAX 2.0
#define OBJECTS 3
#define MEMORY_MAX 30.0

/* The time of one measurement, and how many there are. */
#define MEASURED_NANOSECONDS 1e7
#define ROUNDS 25
#define ROUNDS_QUICK 5

enum step { PARSE_LIVE, READ_LIVE, READ_MANIFEST, PREVIEW_SERVER_SIDE, PREVIEW_CLIENT_SIDE, STEP_COUNT };

struct objects {
    struct slice manifest;
    struct slice live;
    const struct policy *policy;
    double memory[2]; /* of a preview, server-side and client-side */
};

static struct slice preview(
    const struct objects *objects, const struct manifest_object *manifest, enum apply_tool applier,
    struct arena *arena)
{
    const struct apply_question question = {
        .manifest = manifest,
        .live = yyjson_doc_get_root(json_read(objects->live, YYJSON_READ_NOFLAG, arena, NULL)),
        .applier = applier,
        .is_forced = true,
        .policy = objects->policy,
        .now = 1800000000,
    };
    struct error error = {0};
    const struct preview *made = preview_make(&question, arena, &error);
    if (!made || !made->verdict)
        give_up("no preview: %s", error.message);
    struct text text = text_start(arena, 4096);
    preview_append_text(&text, made, false);
    return text_slice(&text);
}

/* Reads the object, and previews its apply if `arena` is not NULL. */
static void read_object(
    const struct objects *objects, struct slice text, enum apply_tool applier, struct arena *arena)
{
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &text, NULL);
    struct manifest_object object;
    struct error error = {0};
    if (!reader || manifest_next(reader, &object, &error) != MANIFEST_OBJECT)
        give_up("cannot be read: %s", error.message);
    if (arena && !preview(objects, &object, applier, arena).length)
        give_up("the preview tells nothing");
    manifest_close(reader);
}

static void take(enum step step, const struct objects *objects, struct arena *arena)
{
    if (step == PARSE_LIVE && !json_read(objects->live, YYJSON_READ_NOFLAG, arena, NULL))
        give_up("the live object is no JSON");
    if (step == READ_LIVE)
        read_object(objects, objects->live, APPLY_KUBECTL, NULL);
    if (step == READ_MANIFEST)
        read_object(objects, objects->manifest, APPLY_KUBECTL, NULL);
    if (step >= PREVIEW_SERVER_SIDE) {
        bool is_server_side = step == PREVIEW_SERVER_SIDE;
        read_object(objects, objects->manifest, is_server_side ? APPLY_FLUX : APPLY_KUBECTL, arena);
    }
    arena_reset(arena);
}

static double measure(enum step step, const struct objects *objects, struct arena *arena, size_t repeats)
{
    double start = cpu_nanoseconds();
    for (size_t i = 0; i < repeats; i++)
        take(step, objects, arena);
    return (cpu_nanoseconds() - start) / (double)repeats;
}

/* The least of all rounds, for each step. */
static void measure_all(
    const struct objects *objects, struct arena *arena, int rounds, double nanoseconds[STEP_COUNT])
{
    size_t repeats = (size_t)(MEASURED_NANOSECONDS / measure(PREVIEW_SERVER_SIDE, objects, arena, 3)) + 1;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < STEP_COUNT; i++) {
            double taken = measure((enum step)i, objects, arena, repeats);
            if (round == 0 || taken < nanoseconds[i])
                nanoseconds[i] = taken;
        }
    }
}

/* Blocks of this size, such as all of an arena, get pages of their own, which are provided when first used.
 */
#define PAGES_OF_THEIR_OWN (60 * 1024)

/* Without the pages of the program. */
static double resident_bytes(void)
{
    FILE *file = fopen("/proc/self/smaps_rollup", "r");
    char line[256];
    unsigned long kibibytes = 0;
    while (file && fgets(line, sizeof(line), file) && sscanf(line, "Anonymous: %lu", &kibibytes) != 1)
        ;
    if (!file || !kibibytes)
        give_up("/proc/self/smaps_rollup does not say what is resident");
    fclose(file);
    return (double)kibibytes * 1024;
}

static double measure_memory(enum step step, const struct objects *objects)
{
    struct arena *arena = mallopt(M_MMAP_THRESHOLD, PAGES_OF_THEIR_OWN) ? arena_create() : NULL;
    if (!arena)
        give_up("no memory");
    double before = resident_bytes();
    read_object(objects, objects->manifest, step == PREVIEW_SERVER_SIDE ? APPLY_FLUX : APPLY_KUBECTL, arena);
    double taken = resident_bytes() - before;
    arena_destroy(arena);
    return taken;
}

/*
 * The memory that a preview uses, in a process of its own: malloc works there in another way, and has nothing
 * free.
 */
static double memory_of(enum step step, const struct objects *objects)
{
    double *taken = mmap(NULL, sizeof(*taken), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(stdout);
    pid_t child = taken == MAP_FAILED ? -1 : fork();
    if (child == 0) {
        *taken = measure_memory(step, objects);
        _exit(0);
    }
    int status = 1;
    if (child < 0 || waitpid(child, &status, 0) != child || status)
        give_up("the memory of a preview cannot be measured");
    double bytes = *taken;
    munmap(taken, sizeof(*taken));
    return bytes;
}

/* The worst of all. */
struct worst {
    double ratio, memory;
};

static void report(const struct objects *objects, const double nanoseconds[STEP_COUNT], struct worst *worst)
{
    static const char *const ways[] = {"server-side", "client-side"};
    double bytes = (double)(objects->live.length + objects->manifest.length);
    printf("%zu bytes live, manifest of %zu\n", objects->live.length, objects->manifest.length);
    printf("  %-28s %8.1f µs\n", "parsing live with yyjson", nanoseconds[PARSE_LIVE] / 1e3);
    printf("  %-28s %8.1f µs\n", "reading live", nanoseconds[READ_LIVE] / 1e3);
    printf("  %-28s %8.1f µs\n", "reading the manifest", nanoseconds[READ_MANIFEST] / 1e3);
    for (int i = 0; i < 2; i++) {
        enum step step = i ? PREVIEW_CLIENT_SIDE : PREVIEW_SERVER_SIDE;
        double ratio = nanoseconds[step] / (OBJECTS * nanoseconds[READ_LIVE]);
        double memory = objects->memory[i] / bytes;
        printf(
            "  preview, %-19s %8.1f µs, %.2f of reading %d objects; memory %.1f of their bytes\n", ways[i],
            nanoseconds[step] / 1e3, ratio, OBJECTS, memory);
        worst->ratio = ratio > worst->ratio ? ratio : worst->ratio;
        worst->memory = memory > worst->memory ? memory : worst->memory;
    }
}

int main(int argc, char **argv)
{
    bool quick = argc > 1 && strcmp(argv[1], "--quick") == 0;
    struct arena *arena = arena_create();
    struct policy *policy = load_policy(SLICE("apiVersion: applyguard.io/v1\nkind: Policy\n"));
    struct worst worst = {0};
    if (!arena)
        give_up("no memory");
    int first = quick ? 2 : 1, count = (argc - first) / 2;
    struct objects *all = calloc((size_t)count + 1, sizeof(*all));
    if (!all)
        give_up("no memory");
    for (int i = 0; i < count; i++) {
        const char *manifest = argv[first + 2 * i], *live = argv[first + 2 * i + 1];
        all[i] = (struct objects){.manifest = read_file(manifest), .live = read_file(live), .policy = policy};
        all[i].memory[0] = memory_of(PREVIEW_SERVER_SIDE, &all[i]);
        all[i].memory[1] = memory_of(PREVIEW_CLIENT_SIDE, &all[i]);
    }
    for (int i = 0; i < count; i++) {
        double nanoseconds[STEP_COUNT];
        measure_all(&all[i], arena, quick ? ROUNDS_QUICK : ROUNDS, nanoseconds);
        report(&all[i], nanoseconds, &worst);
        free((char *)(uintptr_t)all[i].manifest.bytes);
        free((char *)(uintptr_t)all[i].live.bytes);
    }
    free(all);
    arena_destroy(arena);
    policy_free(policy);
    bool is_fast = worst.ratio > 0 && worst.ratio <= RATIO_MAX, is_small = worst.memory <= MEMORY_MAX;
    printf(
        "a preview to reading three objects, at worst %.2f, at most %.2f: %s\n", worst.ratio, RATIO_MAX,
        is_fast ? "reached" : "NOT REACHED");
    printf(
        "memory of a byte, at worst %.1f, at most %.1f: %s\n", worst.memory, MEMORY_MAX,
        is_small ? "reached" : "NOT REACHED");
    return is_fast && is_small ? 0 : 1;
}
