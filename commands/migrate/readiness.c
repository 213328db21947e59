/*
 * Describes what happens to the fields at the next apply. blame has the owners of each field; the plan has
 * their changes.
 */
#include "base/shell.h"
#include "base/words.h"
#include "commands/migrate/migrate.h"
#include "owners/shell_object.h"
#include "policy/managers.h"
#include "policy/review/ownership.h"
#include "policy/review/review.h"

/* The limit of listed fields of a kind. */
#define LISTED_MAX 10

/* The limit of listed managers. */
#define NAMED_MAX 5

enum outcome {
    OUTCOME_DROPPED,
    OUTCOME_REDEFAULTED,
    OUTCOME_TAKEN,
    OUTCOME_SHARED,
    OUTCOME_UNOWNED,
    OUTCOME_STUCK,
    OUTCOME_COUNT,
};

struct list {
    const struct blame_node *fields[LISTED_MAX];
    size_t count;
};

struct readiness {
    const struct migration *migration;
    struct text *text;
    bool is_declared_known; /* the object has a readable last-applied annotation */
    bool is_annotation_moved;
    size_t moved; /* fields */
    struct list lists[OUTCOME_COUNT];
};

/* The owners of a field. */
struct owners {
    bool moved;   /* an entry whose fields move to the new manager */
    bool dropped; /* an entry that is removed */
    bool target;  /* the new manager owns it already */
    bool others;  /* an entry outside of the migration */
    bool writers; /* one of these writes the object itself, and is not a part of Kubernetes that writes its
                     status or scale */
};

static const struct plan_entry *entry_of(const struct readiness *readiness, const struct blame_holder *owner)
{
    const struct migration *migration = readiness->migration;
    return &migration->plan.entries[owner->entry - migration->blame->managed_fields->entries];
}

static struct owners owners_of(const struct readiness *readiness, const struct blame_node *field)
{
    struct owners owners = {0};
    for (const struct blame_holder *owner = NULL; (owner = blame_next_owner(field, owner));) {
        const struct plan_entry *entry = entry_of(readiness, owner);
        bool is_kept = entry->fate == PLAN_KEPT;
        bool is_new = is_kept && plan_is_target(&readiness->migration->plan, &entry->manager);
        owners.moved |= entry->fate == PLAN_MOVED;
        owners.dropped |= entry->fate == PLAN_DROPPED;
        owners.target |= is_new;
        owners.others |= is_kept && !is_new;
        owners.writers |= is_kept && !is_new && !entry->manager.subresource.length;
    }
    return owners;
}

static void list(struct readiness *readiness, enum outcome outcome, const struct blame_node *field)
{
    struct list *fields = &readiness->lists[outcome];
    if (fields->count < LISTED_MAX)
        fields->fields[fields->count] = field;
    fields->count++;
}

static bool is_last_applied(const struct blame_node *field)
{
    return field->path.kind == PATH_FIELD && slice_equal(field->path.text, SLICE(LAST_APPLIED_ANNOTATION));
}

/* The next client-side apply removes its fields that last-applied declares. */
static void sort_to_client_side(
    struct readiness *readiness, const struct blame_node *field, const struct owners *owners)
{
    if (owners->moved && !owners->others && !field->marks.is_declared && !is_last_applied(field))
        list(readiness, OUTCOME_STUCK, field);
}

/*
 * Whether others have changed the field since the manifest was applied. The annotation goes on after the
 * migration, and only some appliers keep it up to date, so it proves nothing about a field that the new
 * manager owns.
 */
static bool is_taken_by_others(const struct blame_marks *marks, const struct owners *owners)
{
    return owners->others && (marks->is_set_back || (marks->is_other && !owners->target));
}

static void sort_to_server_side(
    struct readiness *readiness, const struct blame_node *field, const struct owners *owners)
{
    const struct blame_marks *marks = &field->marks;
    bool only_old = !owners->target && !owners->others && !is_last_applied(field);
    if (owners->dropped && !owners->moved && only_old)
        list(readiness, OUTCOME_DROPPED, field);
    else if (owners->moved && only_old && !marks->is_declared)
        list(readiness, OUTCOME_REDEFAULTED, field);
    else if (is_taken_by_others(marks, owners))
        list(readiness, OUTCOME_TAKEN, field);
    else if (marks->is_declared && owners->writers)
        list(readiness, OUTCOME_SHARED, field);
    else if (marks->is_declared && !blame_next_owner(field, NULL))
        list(readiness, OUTCOME_UNOWNED, field);
    else if (marks->is_stuck && owners->others && !owners->moved && !owners->target)
        list(readiness, OUTCOME_STUCK, field);
}

/* Visits only leaves: their containers go with them. Key fields stay as long as their item. */
static void sort_fields(struct readiness *readiness, const struct blame_node *node)
{
    bool has_fields = node->child_count && !node->children[0].is_inside;
    if (node->is_field && !has_fields && node->marks.is_tracked && !path_is_key_field(&node->path)) {
        const struct owners owners = owners_of(readiness, node);
        readiness->moved += owners.moved;
        readiness->is_annotation_moved |= owners.moved && !owners.others && is_last_applied(node);
        if (readiness->migration->plan.request->is_back)
            sort_to_client_side(readiness, node, &owners);
        else
            sort_to_server_side(readiness, node, &owners);
    }
    for (size_t i = 0; has_fields && i < node->child_count; i++)
        sort_fields(readiness, &node->children[i]);
}

/*
 * Text
 */

static void append_owners(struct readiness *readiness, const struct blame_node *field)
{
    const struct blame_holder *owner = NULL;
    size_t count = 0;
    while (count < NAMED_MAX && (owner = blame_next_owner(field, owner)))
        text_append_all(readiness->text, count++ ? ", " : " (", as_printable(owner->entry->manager.name));
    text_append_string(
        readiness->text,
        !count                                        ? "\n"
            : owner && blame_next_owner(field, owner) ? ", …)\n"
                                                      : ")\n");
}

static void append_list(struct readiness *readiness, enum outcome outcome, const char *word, const char *why)
{
    const struct list *fields = &readiness->lists[outcome];
    struct text *text = readiness->text;
    if (!fields->count)
        return;
    text_append_all(text, word, ": ", as_count(fields->count, "field", "fields"), why, "\n");
    for (size_t i = 0; i < fields->count && i < LISTED_MAX; i++) {
        text_append_string(text, "  ");
        path_append(text, blame_path(fields->fields[i]));
        append_owners(readiness, fields->fields[i]);
    }
    if (fields->count > LISTED_MAX)
        text_append_all(text, "  and ", fields->count - LISTED_MAX, " more\n");
}

static void append_object(struct text *text, const struct blame *blame)
{
    text_append_all(
        text, as_printable(blame->kind), " ",
        as_qualified(text_append_printable, blame->namespace, blame->name), ": ");
}

static bool is_taken(const struct plan *plan, size_t from)
{
    for (size_t i = 0; i < plan->count; i++)
        if (plan->entries[i].fate != PLAN_KEPT && plan_takes(plan, plan->entries[i].before, plan->from[from]))
            return true;
    return false;
}

static void append_taken_managers(struct text *text, const struct plan *plan)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->from_count; i++) {
        if (!is_taken(plan, i))
            continue;
        text_append_all(text, count++ ? ", " : "", as_printable(plan->from[i]));
    }
}

/* A manager with such entries whose name is similar to a given one, which may be mistyped. */
static void append_nearest(struct text *text, const struct plan *plan, struct slice name)
{
    for (size_t i = 0; plan->request->from.count && i < plan->count; i++) {
        const struct managed_fields_entry *entry = plan->entries[i].before;
        const char *candidate = text_join_string(text->arena, as_printable(entry->manager.name));
        if (!candidate || !plan_takes(plan, entry, entry->manager.name) || !word_nearest(name, &candidate, 1))
            continue;
        text_append_all(text, " (did you mean \"", candidate, "\"?)");
        return;
    }
}

/* Reports given names without any entry, or that no entry of the default managers exists.
 */
static void append_missing(struct readiness *readiness)
{
    const struct plan *plan = &readiness->migration->plan;
    struct text *text = readiness->text;
    size_t count = 0;
    for (size_t i = 0; i < plan->from_count; i++) {
        if (is_taken(plan, i) || (plan->is_needed && !plan->request->from.count))
            continue;
        text_append_all(
            text,
            count++                      ? ", "
                : plan->request->is_back ? "no Apply entry of "
                                         : "no Update entry of ",
            as_printable(plan->from[i]));
        append_nearest(text, plan, plan->from[i]);
    }
    text_append_string(text, count ? "\n" : "");
}

static void append_heading(struct readiness *readiness)
{
    const struct plan *plan = &readiness->migration->plan;
    struct text *text = readiness->text;
    append_object(text, readiness->migration->blame);
    if (plan->is_needed) {
        text_append_all(text, as_count(readiness->moved, "field", "fields"), " of ");
        append_taken_managers(text, plan);
        text_append_all(
            text, readiness->moved == 1 ? " goes to " : " go to ", as_printable(plan->request->to),
            plan->request->is_back ? " (Update)\n" : " (Apply)\n");
    } else {
        text_append_string(text, "nothing to migrate: ");
    }
    append_missing(readiness);
}

static void append_namespace(struct text *text, const struct blame *blame)
{
    if (!blame->namespace.length)
        return;
    text_append_all(text, " -n ", as_escaped(shell_append_word, blame->namespace));
}

/* Without force, kubectl diff shows no conflicting fields. */
static void append_diff(struct readiness *readiness)
{
    const struct migration *migration = readiness->migration;
    struct text *text = readiness->text;
    bool may_conflict =
        readiness->lists[OUTCOME_TAKEN].count > 0 || readiness->lists[OUTCOME_SHARED].count > 0;
    text_append_all(
        text, "After the patch kubectl diff --server-side --field-manager=",
        as_escaped(shell_append_word, migration->plan.request->to), may_conflict ? " --force-conflicts" : "",
        " -f MANIFEST");
    append_namespace(text, migration->blame);
    text_append_string(text, " shows all that the next apply changes.\n");
}

static void append_to_server_side(struct readiness *readiness)
{
    struct text *text = readiness->text;
    append_list(
        readiness, OUTCOME_DROPPED, "dropped",
        " of an entry with another apiVersion; no manager owns it then, until the manifest declares it");
    append_list(
        readiness, OUTCOME_REDEFAULTED, "re-defaulted",
        readiness->is_declared_known
            ? " that last-applied does not declare; the next apply removes what the manifest does not "
              "declare either, and the API server sets its defaults again"
            : " that only the old manager owns; the next apply removes what the manifest does not declare, "
              "and the API server sets its defaults again");
    append_list(
        readiness, OUTCOME_TAKEN, "taken",
        " that last-applied declares and others have changed; the next apply conflicts, or takes them with "
        "--force-conflicts");
    append_list(
        readiness, OUTCOME_SHARED, "shared",
        " that last-applied declares and others own as well; the next apply conflicts where its value is "
        "another one, and does not remove them when the manifest drops them");
    append_list(
        readiness, OUTCOME_UNOWNED, "unowned",
        " that last-applied declares and no manager owns; the next apply owns what the manifest declares");
    append_list(
        readiness, OUTCOME_STUCK, "stuck",
        " that only others own, and no apply removes: move them, too, with --from, or delete them by hand");
    if (readiness->is_annotation_moved)
        text_append_string(text, "The next apply removes the last-applied annotation, too.\n");
    if (readiness->migration->plan.is_needed)
        append_diff(readiness);
}

static void append_to_client_side(struct readiness *readiness)
{
    struct text *text = readiness->text;
    const struct blame *blame = readiness->migration->blame;
    append_list(
        readiness, OUTCOME_STUCK, "stuck",
        " that last-applied does not declare: kubectl apply does not remove them when the manifest drops "
        "them");
    if (!readiness->migration->plan.is_needed)
        return;
    text_append_string(
        text,
        readiness->is_declared_known
            ? "Next, compare kubectl apply view-last-applied with the manifest; where they differ, run "
              "kubectl apply set-last-applied --create-annotation -f MANIFEST"
            : "It has no last-applied annotation, without which kubectl apply removes nothing. Next, run "
              "kubectl apply set-last-applied --create-annotation -f MANIFEST");
    append_namespace(text, blame);
    text_append_string(text, ", and only then kubectl apply.\n");
}

static bool has_annotation(const struct blame_node *node, unsigned depth)
{
    for (size_t i = 0; depth && i < node->child_count; i++)
        if (is_last_applied(&node->children[i]) || has_annotation(&node->children[i], depth - 1))
            return true;
    return false;
}

void migrate_append_readiness(struct text *text, const struct migration *migration)
{
    struct readiness readiness = {.migration = migration, .text = text};
    readiness.is_declared_known = has_annotation(&migration->blame->root, 3);
    sort_fields(&readiness, &migration->blame->root);
    append_heading(&readiness);
    if (migration->plan.request->is_back)
        append_to_client_side(&readiness);
    else
        append_to_server_side(&readiness);
}
