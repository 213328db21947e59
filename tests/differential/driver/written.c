/*
 * Values that are printed as YAML.
 */
#include "commands/blame/print.h"
#include "tests/differential/driver/driver.h"

void answer_written(struct question *question)
{
    struct slice rest = question->parts[0];
    struct manifest_object object;
    struct blame *blame = NULL;
    struct error error = {0};
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &rest, NULL);
    if (reader && manifest_next(reader, &object, &error) == MANIFEST_OBJECT &&
        blame_read(&object, NULL, question->arena, &blame, &error) == BLAME_OK)
        blame_append_yaml(&question->answer, blame, &(struct blame_print){.now = 0});
    else
        text_append_string(&question->answer, error.message);
    manifest_close(reader);
}
