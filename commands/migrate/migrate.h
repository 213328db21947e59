/*
 * migrate.h: moves the fields of field managers to another manager, without changing the object.
 *
 * To server-side apply, like client-go (util/csaupgrade, UpgradeManagedFieldsPatch, which kubectl calls,
 * too): the Update entries of some managers become one Apply entry. In the other direction: Apply entries
 * become Update entries. Entries of subresources do not change.
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

/* The limit of entries of an object: API servers keep far fewer. */
#define MIGRATE_ENTRIES_MAX 1000

struct migration {
    struct plan plan;
    const struct blame *blame;   /* the object before the migration */
    struct slice managed_fields; /* after the migration, as JSON */
    struct slice last_applied; /* the last-applied configuration without fields that move; empty: it stays */
    bool is_declared;          /* it declares such fields, but stays, because it is a Secret's */
    struct slice sender;       /* the field manager of the patch */
    struct slice patch;        /* a JSON patch, printable, in one line; [] if there is nothing to migrate */
};

/*
 * Reads a live object and plans its migration. Returns NULL and sets the error if the object cannot be
 * migrated. `class_rules` are the policy's, or NULL. All results live in the arena; the migration keeps a
 * pointer to the request.
 */
const struct migration *migrate_read(
    const struct manifest_object *object, const struct migrate_request *request,
    const struct class_rules *class_rules, struct arena *arena, struct error *error);

/* Describes in lines, for people, which fields move, and what happens to which fields at the next apply. */
void migrate_append_readiness(struct text *text, const struct migration *migration);

/* The same for a request with fields. */
void migrate_append_handover(struct text *text, const struct migration *migration);

/* How the patch is sent: to which cluster, and as which user. Each may be empty. */
struct migrate_sending {
    struct slice_list flags; /* kubectl's flags for the connection, such as --context=shop */
    struct slice as;         /* the user and the groups in these flags */
    struct slice_list as_groups;
    int64_t time; /* seconds since 1970 UTC */
};

/*
 * The patch as a command for a shell, with a line break. Appends nothing if there is nothing to migrate.
 * Returns -1 and sets the error if kubectl would read a name of the object as a flag.
 */
int migrate_append_command(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending,
    struct error *error);

/* The webhook's findings about the patch. */
struct migrate_answer {
    struct slice moves;    /* a line for the policy file that allows the patch; empty: it is not needed */
    struct slice refusals; /* reasons for which the patch is still refused, in lines; empty: it is allowed */
};

/* Judges the patch under a policy. Returns -1 and sets the error if memory runs out. */
int migrate_judge(
    const struct migration *migration, const struct policy *policy, const struct migrate_sending *sending,
    struct migrate_answer *answer, struct error *error);

/*
 * Appends these findings for people, each line behind a prefix; nothing if the patch is allowed. `under`
 * follows "The webhook refuses this patch".
 */
void migrate_append_answer(
    struct text *text, const struct migrate_answer *answer, const char *under, const char *prefix);

#endif
