/*
 * migrate.h: hands the fields of field managers over to another one, without a change of the object.
 *
 * To server-side apply as client-go does it (util/csaupgrade, UpgradeManagedFieldsPatch, which kubectl calls,
 * too): the Update entries of some managers become one Apply entry. Back again: Apply entries become Update
 * entries. Entries of subresources stay as they are.
 */
#ifndef APPLYGUARD_COMMANDS_MIGRATE_MIGRATE_H
#define APPLYGUARD_COMMANDS_MIGRATE_MIGRATE_H

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "commands/migrate/plan.h"
#include "manifest/manifest.h"
#include "owners/blame.h"
#include "policy/config/config.h"

/* The limit of entries of an object: no API server keeps nearly as many. */
#define MIGRATE_ENTRIES_MAX 1000

struct migration {
    struct plan plan;
    const struct blame *blame; /* the object as it is */
    struct slice group, version;
    struct slice managed_fields; /* after it, as JSON */
    struct slice patch;          /* a JSON patch, printable, in one line; [] if there is nothing to migrate */
};

/*
 * Reads a live object and plans its migration. -1 and an error if the object cannot be migrated.
 * `class_rules` are the policy's, or NULL. All lives in the arena; the migration borrows the object and the
 * request.
 */
int migrate_read(
    const struct manifest_object *object, const struct migrate_request *request,
    const struct class_rules *class_rules, struct arena *arena, const struct migration **migration,
    struct error *error);

/* For people, in lines: what moves, and what becomes of which fields with the next apply. */
void migrate_append_readiness(struct text *text, const struct migration *migration);

/* How the patch is sent: to which cluster, and as whom. Each may be empty. */
struct migrate_sending {
    struct slice_list flags; /* kubectl's of the connection, such as --context=shop */
    struct slice as;         /* the user and the groups that these flags name */
    struct slice_list as_groups;
    int64_t time; /* seconds since 1970 UTC */
};

/*
 * The patch as a command for a shell, with a line break. Nothing if there is nothing to migrate. -1 and an
 * error if kubectl would take a name of the object for a flag.
 */
int migrate_append_command(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending,
    struct error *error);

/* What the webhook says of the patch. */
struct migrate_answer {
    struct slice moves;    /* a line for the policy file without which it is refused; empty: it needs none */
    struct slice refusals; /* what it is still refused for, in lines; empty: it passes */
};

/* Judges the patch under a policy. -1 and an error if there is no memory. */
int migrate_judge(
    const struct migration *migration, const struct manifest_object *object, const struct policy *policy,
    const struct migrate_sending *sending, struct arena *arena, struct migrate_answer *answer,
    struct error *error);

#endif
