/*
 * The patch from client-side to server-side apply.
 *
 * The parts: the object, the manager that gets the fields, and those whose fields it gets (none: kubectl's).
 */
#include "commands/migrate/migrate.h"

#include "tests/differential/driver/driver.h"

void answer_migrate(struct question *question)
{
    struct slice rest = question->parts[0];
    struct manifest_object object;
    struct error error = {0};
    const struct migration *migration = NULL;
    const struct migrate_request request = {
        .from = {question->parts + 2, question->count - 2}, .to = question->parts[1]};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    if (reader && manifest_next(reader, &object, &error) == MANIFEST_OBJECT &&
        (migration = migrate_read(&object, &request, NULL, question->arena, &error)))
        text_append(&question->answer, migration->patch);
    else
        text_append_string(&question->answer, error.message);
    manifest_close(reader);
}
