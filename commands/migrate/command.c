#include "commands/migrate/command.h"

#include "base/shell.h"
#include "owners/shell_object.h"
#include "policy/review/review.h"

/* Linux takes no argument of more than 128 KiB (MAX_ARG_STRLEN). */
#define ARGUMENT_BYTES_MAX ((size_t)120 * 1024)

static void append_flag(struct text *text, const char *flag, struct slice value)
{
    if (!value.length)
        return;
    text_append_string(text, flag);
    shell_append_word(text, value);
}

void migrate_append_kind(struct text *text, const struct migration *migration)
{
    const struct review *review = migration->blame->review;
    text_append(text, review->kind);
    if (review->group.length)
        text_append_all(text, ".", review->version, ".", review->group);
}

static void append_object(struct text *text, const struct migration *migration)
{
    const struct blame *blame = migration->blame;
    struct text kind = text_start(text->arena, 64);
    migrate_append_kind(&kind, migration);
    shell_append_word(text, text_slice(&kind));
    text_append_string(text, " ");
    shell_append_word(text, blame->name);
    append_flag(text, " -n ", blame->namespace);
}

/* Whether kubectl reads the word as a flag, quoted or not. */
static bool is_flag(struct slice word)
{
    return word.length && word.bytes[0] == '-';
}

int migrate_check_names(const struct blame *blame, struct error *error)
{
    if (!is_flag(blame->kind) && !is_flag(blame->name) && !is_flag(blame->namespace))
        return 0;
    return error_set(
        error, "kubectl would take a name that begins with a dash for a flag; send the patch without it");
}

int migrate_append_command(
    struct text *text, const struct migration *migration, const struct migrate_sending *sending,
    struct error *error)
{
    const struct blame *blame = migration->blame;
    if (!migration->plan.is_needed)
        return 0;
    if (migrate_check_names(blame, error) < 0)
        return -1;
    text_append_string(text, "kubectl patch ");
    append_object(text, migration);
    for (size_t i = 0; i < sending->flags.count; i++)
        append_flag(text, " ", sending->flags.items[i]);
    append_flag(text, " --type=json --field-manager=", migration->sender);
    if (migration->patch.length <= ARGUMENT_BYTES_MAX) {
        append_flag(text, " -p ", migration->patch);
        text_append_string(text, "\n");
        return 0;
    }
    /* The patch is one line, so it cannot contain the delimiter. */
    text_append_all(text, " --patch-file=/dev/stdin <<'END'\n", migration->patch, "\nEND\n");
    return 0;
}
