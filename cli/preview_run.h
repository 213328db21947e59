/*
 * preview_run.h: one run of applyguard preview, over all its manifests. Private to cli/preview*.c.
 */
#ifndef APPLYGUARD_CLI_PREVIEW_RUN_H
#define APPLYGUARD_CLI_PREVIEW_RUN_H

#include "apply/custom_types.h"
#include "base/names.h"
#include "cli/cluster.h"
#include "cli/framework/command_line.h"
#include "cli/requester.h"
#include "commands/preview/objects_file.h"
#include "commands/preview/preview.h"
#include "commands/preview/prune.h"

/* The latter two print one object, if there is one. */
enum preview_format { FORMAT_TEXT, FORMAT_JSON, FORMAT_DIFF, FORMAT_OBJECT };

struct preview_options {
    struct cluster_options cluster;
    struct names files;
    struct names crds;
    bool is_recursive;
    const char *live;
    const char *previous;
    bool prunes;
    const char *selector;
    const char *apply_set;
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
    bool *are_found; /* which operands have manifests */
    /* The live object that an operand names, without a manifest; NULL: the live object of a manifest. */
    const struct manifest_object *named;
    bool is_partial; /* the manifest contains only fields that the manager still owns */
    const struct policy *policy;
    struct slice_list groups; /* of the user who would apply */
    struct file_objects *live;
    struct file_objects *previous;
    struct cluster *cluster; /* NULL: not asked yet */
    struct custom_types types;
    struct arena *arena; /* for one object */
    struct arena *kept;  /* for the run */
    int64_t now;
    size_t printed;
    bool has_colour;
    bool has_found;  /* a finding reaches --fail-on, or the API server refuses an object */
    bool has_failed; /* an input could not be read */
};

/* Previews all objects, and returns the exit status. */
int preview_run(const struct preview_options *options, const struct operands *operands);

/* Prints on stderr why an input or an object has no preview. */
void preview_say(struct preview_run *run, const char *path, const struct error *error);

/* Previews an object of a manifest: `path` is its input. */
void preview_object(struct preview_run *run, const char *path, const struct manifest_object *object);

/* Previews the objects of --previous that have no manifest any more. */
void preview_dropped(struct preview_run *run);

/*
 * Previews the objects of --previous, or else of --live, that have no manifest, if a tool prunes them
 * (preview_prune.c).
 */
void preview_pruned(struct preview_run *run);

/* The live object of the manifest, from the file or from the cluster. Returns -1 and sets the error. */
int preview_find_live(
    struct preview_run *run, const struct manifest_object *object, struct slice *live, struct error *error);

/* Prints a preview. Returns false if memory runs out. */
bool preview_print(struct preview_run *run, const struct preview *preview);

/* Whether a finding reaches --fail-on, or the API server refuses the apply; of a diff, whether it has lines.
 */
bool preview_is_failure(const struct preview_run *run, const struct preview *preview);

/* Previews KIND/NAME without a manifest: its last apply is applied again. */
void preview_named(struct preview_run *run, const char *operand);

#endif
