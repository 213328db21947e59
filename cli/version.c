/*
 * applyguard version: prints the components of this build. Prints nothing that differs between two builds of
 * the same sources.
 */
#include "base/array_size.h"
#include "cli/commands.h"
#include "cli/shared_flags.h"

#include <stdio.h>

/* Named like the platforms of images. */
#if defined(__linux__)
#define SYSTEM "linux"
#elif defined(__APPLE__)
#define SYSTEM "darwin"
#else
#define SYSTEM "unknown"
#endif
#if defined(__x86_64__)
#define PROCESSOR "amd64"
#elif defined(__aarch64__)
#define PROCESSOR "arm64"
#else
#define PROCESSOR "unknown"
#endif

struct options {
    enum output_format format;
};

static void print_json(void)
{
    fputs("{\"version\":\"" APPLYGUARD_VERSION "\"", stdout);
    if (sizeof(APPLYGUARD_COMMIT) > 1)
        fputs(",\"commit\":\"" APPLYGUARD_COMMIT "\"", stdout);
    puts(",\"platform\":\"" SYSTEM "/" PROCESSOR "\"}");
}

static int run_version(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    (void)command, (void)operands;
    if (options->format == OUTPUT_JSON)
        print_json();
    else
        puts("applyguard " APPLYGUARD_VERSION);
    return 0;
}

static const struct flag flags[] = {
    OUTPUT_FLAG(
        struct options, "text|json",
        "for people, or JSON with version, commit (if the build knew it) and platform (default text)"),
};

const struct command command_version = {
    .name = "version",
    .summary = "Print the version",
    .synopsis = "[-o text|json]",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .run = run_version,
};
