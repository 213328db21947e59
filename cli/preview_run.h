/*
 * preview_run.h: one run of applyguard preview, over all its manifests. Private to cli/preview*.c.
 */
#ifndef APPLYGUARD_CLI_PREVIEW_RUN_H
#define APPLYGUARD_CLI_PREVIEW_RUN_H

#include "apply/custom_types.h"
#include "base/names.h"
#include "cli/cluster.h"
#include "cli/framework/command_line.h"
#include "cli/objects_file.h"
#include "cli/requester.h"
#include "commands/preview/preview.h"

/* The latter two show an object, if there is one. */
enum preview_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_DIFF, FORMAT_OBJECT };

struct preview_options {
    struct cluster_options cluster;
    struct names files;
    struct names crds;
    bool is_recursive;
    const char *live;
    const char *previous;
    enum preview_applier applier;
    const char *manager;
    bool is_forced;
    struct requester requester;
    const char *policy_path;
    enum preview_format format;
    enum action fail_on;
};

struct preview_run {
    const struct preview_options *options;
    const struct operands *operands;
    bool *are_found; /* which of the operands manifests are of */
    /* The live object that an operand names, without manifests; NULL: it is that of a manifest. */
    const struct manifest_object *named;
    bool is_partial; /* its manifest is what the manager still owns */
    const struct policy *policy;
    struct slice_list groups; /* of who would apply */
    struct file_objects *live;
    struct file_objects *previous;
    struct cluster *cluster; /* NULL: it was not asked yet */
    struct custom_types types;
    struct arena *arena; /* of one object */
    struct arena *kept;  /* of the run */
    int64_t now;
    size_t printed;
    bool has_colour;
    bool has_found;  /* something at --fail-on, or that the API server refuses */
    bool has_failed; /* an input could not be read */
};

/* Previews all, and returns the exit status. */
int preview_run(const struct preview_options *options, const struct operands *operands);

/* Says on stderr why an input or an object has no preview. */
void preview_say(struct preview_run *run, const char *path, const struct error *error);

/* An object of a manifest: `path` is where it was read. */
void preview_object(struct preview_run *run, const char *path, const struct manifest_object *object);

/* The objects of --previous of which there is no manifest any more. */
void preview_dropped(struct preview_run *run);

/* KIND/NAME without a manifest: what was applied last is applied again. */
void preview_named(struct preview_run *run, const char *operand);

#endif
