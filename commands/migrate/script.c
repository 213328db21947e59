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
    "# step KIND NAME NAMESPACE RESOURCEVERSION ENTRY...: standard input is the patch\n"
    "step() {\n"
    "  kind=$1 name=$2 namespace=$3 version=$4\n"
    "  shift 4\n"
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
    "      \"--field-manager=$to\" --patch-file=/dev/stdin || failed=1\n"
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

void migrate_append_script_begin(
    struct text *text, const struct migrate_request *request, const struct migrate_sending *sending,
    size_t count)
{
    text_append_string(text, "#!/bin/sh\n# By applyguard migrate: ");
    text_append_number(text, count);
    text_append_string(text, count == 1 ? " object. " : " objects. ");
    text_append_string(
        text,
        "Run it again after a failure: it skips what is done, and\n# reports objects that have changed "
        "since. Each step has the way back in front.\nto=");
    shell_append_word(text, request->to);
    text_append_string(text, "\nfailed=0\nkube() { kubectl");
    for (size_t i = 0; i < sending->flags.count; i++) {
        text_append_string(text, " ");
        shell_append_word(text, sending->flags.items[i]);
    }
    text_append_string(text, " \"$@\"; }\n");
    text_append_string(text, step);
}

void migrate_append_script_end(struct text *text)
{
    text_append_string(text, "\nexit \"$failed\"\n");
}

/*
 * Steps
 */

/* Whether an entry of this manager moves. */
static bool moves(const struct plan *plan, struct slice manager)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (plan->entries[i].fate != PLAN_KEPT && plan_takes(plan, plan->entries[i].before, manager))
            return true;
    }
    return false;
}

/* The former owner of most of what moves, to which the way back leads. */
static struct slice former_owner(const struct plan *plan)
{
    for (size_t i = 0; i < plan->from_count; i++) {
        if (moves(plan, plan->from[i]))
            return plan->from[i];
    }
    return SLICE(MIGRATE_CLIENT_SIDE);
}

static void append_way_back(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending)
{
    const struct migrate_request *request = migration->plan.request;
    const struct blame *blame = migration->blame;
    struct text object = text_start(text->arena, 128);
    text_append_string(text, "\n# The way back: applyguard migrate");
    text_append_string(text, request->is_back ? " --from " : " --back --from ");
    shell_append_word(text, request->to);
    text_append_string(text, " --to ");
    shell_append_word(text, former_owner(&migration->plan));
    for (size_t i = 0; i < sending->flags.count; i++) {
        text_append_string(text, " ");
        shell_append_word(text, sending->flags.items[i]);
    }
    text_append_string(text, blame->namespace.length ? " -n " : "");
    if (blame->namespace.length)
        shell_append_word(text, blame->namespace);
    migrate_append_kind(&object, migration);
    text_append_string(&object, "/");
    text_append(&object, blame->name);
    text_append_string(text, " -o command ");
    shell_append_word(text, text_slice(&object));
    text_append_string(text, " | sh\n");
}

static void append_word(struct text *text, struct slice word)
{
    text_append_string(text, " ");
    shell_append_word(text, word);
}

static void append_entries(struct text *text, const struct plan *plan)
{
    for (size_t i = 0; i < plan->from_count; i++) {
        struct text entry = text_start(text->arena, 64);
        if (!moves(plan, plan->from[i]))
            continue;
        text_append_string(&entry, plan->request->is_back ? "-Apply " : "-Update ");
        text_append(&entry, plan->from[i]);
        text_append_string(&entry, " ");
        append_word(text, text_slice(&entry));
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
    append_entries(text, &migration->plan);
    /* The patch is one line, so it cannot contain the delimiter. */
    text_append_string(text, " <<'END'\n");
    text_append(text, migration->patch);
    text_append_string(text, "\nEND\n");
    return 0;
}
