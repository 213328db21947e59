#include "commands/migrate/script.h"

#include "base/json.h"
#include "base/shell.h"
#include "commands/migrate/command.h"
#include "policy/review/review.h"

/*
 * A state is the object's resourceVersion and a line for each entry: OPERATION MANAGER SUBRESOURCE. A step is
 * done if the object has none of the given entries, or with + in front if it has it.
 */
static const char step[] =
    "# step KIND NAME NAMESPACE RESOURCEVERSION MANAGER ENTRY...: standard input is the patch\n"
    "step() {\n"
    "  kind=$1 name=$2 namespace=$3 version=$4 manager=$5\n"
    "  shift 5\n"
    "  patch=$(cat)\n"
    "  state=$(kube get \"$kind\" \"$name\" ${namespace:+\"--namespace=$namespace\"} --show-managed-fields "
    "-o \\\n"
    "    'jsonpath={.metadata.resourceVersion}{range .metadata.managedFields[*]}{\"\\n\"}{.operation} "
    "{.manager} "
    "{.subresource}{end}') || {\n"
    "    failed=1\n"
    "    return\n"
    "  }\n"
    "  if [ \"$(printf '%s\\n' \"$state\" | head -n 1)\" = \"$version\" ]; then\n"
    "    printf '%s\\n' \"$patch\" | kube patch \"$kind\" \"$name\" ${namespace:+\"--namespace=$namespace\"} "
    "--type=json \\\n"
    "      \"--field-manager=$manager\" --patch-file=/dev/stdin || failed=1\n"
    "    return\n"
    "  fi\n"
    "  for entry; do\n"
    "    found=-\n"
    "    printf '%s\\n' \"$state\" | grep -Fqx -- \"${entry#?}\" && found=+\n"
    "    if [ \"${entry%\"${entry#?}\"}\" != \"$found\" ]; then\n"
    "      echo \"$kind $name has changed since: run applyguard migrate again for it\" >&2\n"
    "      failed=1\n"
    "      return\n"
    "    fi\n"
    "  done\n"
    "  echo \"$kind $name is done already\"\n"
    "}\n";

void migrate_append_script_begin(struct text *text, const struct migrate_sending *sending, size_t count)
{
    text_append_all(
        text, "#!/bin/sh\n# By applyguard migrate: ", as_count(count, "object. ", "objects. "),
        "Run it again after a failure: it skips what is done, and\n# reports objects that have changed "
        "since. Each step has the way back in front.\nfailed=0\nkube() { kubectl");
    for (size_t i = 0; i < sending->flags.count; i++) {
        text_append_string(text, " ");
        shell_append_word(text, sending->flags.items[i]);
    }
    text_append_all(text, " \"$@\"; }\n", step);
}

void migrate_append_script_end(struct text *text)
{
    text_append_string(text, "\nexit \"$failed\"\n");
}

/*
 * Steps
 */

static void append_word(struct text *text, struct slice word)
{
    text_append_string(text, " ");
    shell_append_word(text, word);
}

/* Whether an entry of this manager moves, or loses fields. */
static bool moves(const struct plan *plan, const struct plan_entry *entry, struct slice manager)
{
    return entry->fate != PLAN_KEPT && slice_equal(entry->before->manager.name, manager) &&
        (plan->moved || plan_takes(plan, entry->before, manager));
}

/* The first entry that moves, to whose manager the way back leads. */
static const struct managed_fields_entry *former_owner(const struct plan *plan)
{
    for (size_t i = 0; i < plan->from_count; i++)
        for (size_t j = 0; j < plan->count; j++)
            if (moves(plan, &plan->entries[j], plan->from[i]))
                return plan->entries[j].before;
    return plan->entries[0].before;
}

static void append_object(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending)
{
    const struct blame *blame = migration->blame;
    struct text object = text_start(text->arena, 128);
    for (size_t i = 0; i < sending->flags.count; i++)
        append_word(text, sending->flags.items[i]);
    text_append_string(text, blame->namespace.length ? " -n" : "");
    if (blame->namespace.length)
        append_word(text, blame->namespace);
    migrate_append_kind(&object, migration);
    text_append_all(&object, "/", blame->name);
    text_append_string(text, " -o command");
    append_word(text, text_slice(&object));
}

/* A client-side apply takes fields back with the manifest, which only its user has. */
static void append_way_back(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending)
{
    const struct migrate_request *request = migration->plan.request;
    const struct managed_fields_entry *former = former_owner(&migration->plan);
    if (request->fields.count && former->manager.operation == MANAGER_UPDATE) {
        text_append_string(text, "\n# The way back: apply a manifest that has the fields\n");
        return;
    }
    text_append_all(
        text, "\n# The way back: applyguard migrate",
        request->is_back || request->fields.count ? " --from" : " --back --from");
    append_word(text, request->to);
    text_append_string(text, " --to");
    append_word(text, former->manager.name);
    for (size_t i = 0; i < request->fields.count; i++) {
        text_append_string(text, " --fields");
        append_word(text, request->fields.items[i]);
    }
    append_object(text, migration, sending);
    text_append_string(text, " | sh\n");
}

static void append_entry(struct text *text, const char *sign, struct slice manager)
{
    append_word(text, text_join(text->arena, sign, manager, " "));
}

/* If the new manager had an entry before, its presence does not show that the fields have moved. */
static void append_entries(struct text *text, const struct plan *plan)
{
    if (plan->moved) {
        append_entry(text, plan->is_new ? "+Apply " : "-Apply ", plan->request->to);
        return;
    }
    for (size_t i = 0; i < plan->from_count; i++) {
        bool is_moved = false;
        for (size_t j = 0; j < plan->count; j++)
            is_moved |= moves(plan, &plan->entries[j], plan->from[i]);
        if (is_moved)
            append_entry(text, plan->request->is_back ? "-Apply " : "-Update ", plan->from[i]);
    }
}

int migrate_append_step(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending,
    struct error *error)
{
    const struct blame *blame = migration->blame;
    struct text kind = text_start(text->arena, 64);
    if (!migration->plan.is_needed)
        return 0;
    if (migrate_check_names(blame, error) < 0)
        return -1;
    append_way_back(text, migration, sending);
    migrate_append_kind(&kind, migration);
    text_append_string(text, "step");
    append_word(text, text_slice(&kind));
    append_word(text, blame->name);
    append_word(text, blame->namespace);
    append_word(text, json_text(blame->review->parts.metadata.resource_version));
    append_word(text, migration->sender);
    append_entries(text, &migration->plan);
    /* The patch is one line, so it cannot contain the delimiter. */
    text_append_all(text, " <<'END'\n", migration->patch, "\nEND\n");
    return 0;
}
