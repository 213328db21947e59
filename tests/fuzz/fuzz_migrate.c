/*
 * Any object with managedFields: it is refused with a reason, or all entries together own afterwards what
 * they owned before, but for what is dropped; migrating again changes nothing; and all that is printed is
 * printable.
 */
#include "commands/migrate/migrate.h"
#include "policy/judge.h"
#include "tests/fuzz/manifests.h"
#include "tests/fuzz/printable.h"

#include <string.h>

#define FROM_MAX 4

static const struct policy *strict(void)
{
    static struct policy *policy;
    struct error error;
    if (!policy)
        policy = policy_load(SLICE("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"), &error);
    promise(policy != NULL, "the profile strict loads");
    return policy;
}

static const struct field_set *read_set(yyjson_val *fields, struct arena *arena)
{
    const struct field_set *set = NULL;
    struct error error = {0};
    promise(field_set_read(fields, arena, &set, &error) == 0, "sets that were read can be read");
    return set;
}

static bool is_part(const struct field_set *part, const struct field_set *whole, struct arena *arena)
{
    return field_set_is_empty(field_set_difference(part, whole, arena));
}

/* Read from the patch itself. */
static const struct field_set *union_after(yyjson_val *entries, struct arena *arena)
{
    const struct field_set *all = &field_set_empty;
    size_t i, count;
    yyjson_val *entry;
    yyjson_arr_foreach(entries, i, count, entry)
    {
        all = field_set_union(all, read_set(yyjson_obj_get(entry, "fieldsV1"), arena), arena);
    }
    return all;
}

static void check_fields(const struct migration *migration, yyjson_val *entries, struct arena *arena)
{
    const struct plan *plan = &migration->plan;
    const struct field_set *before = &field_set_empty, *dropped = &field_set_empty;
    for (size_t i = 0; i < plan->count; i++) {
        const struct field_set *own = read_set(entry_fields(plan->entries[i].before), arena);
        before = field_set_union(before, own, arena);
        if (plan->entries[i].fate == PLAN_DROPPED)
            dropped = field_set_union(dropped, own, arena);
    }
    const struct field_set *after = union_after(entries, arena);
    promise(is_part(after, before, arena), "no field is owned that was not");
    promise(
        is_part(field_set_difference(before, after, arena), dropped, arena),
        "what nobody owns any more is told as dropped");
    promise(!plan->request->is_back || field_set_is_empty(dropped), "on the way back nothing is dropped");
    promise(!arena_has_failed(arena), "there is memory");
}

/* The object with the entries of the patch. */
static char *with_entries(struct slice json, yyjson_val *entries, size_t *length)
{
    yyjson_doc *document =
        yyjson_read_opts((char *)(uintptr_t)json.bytes, json.length, YYJSON_READ_NUMBER_AS_RAW, NULL, NULL);
    yyjson_mut_doc *after = yyjson_doc_mut_copy(document, NULL);
    yyjson_mut_val *metadata = yyjson_mut_obj_get(yyjson_mut_doc_get_root(after), "metadata");
    yyjson_mut_obj_replace(
        metadata, yyjson_mut_str(after, "managedFields"), yyjson_val_mut_copy(after, entries));
    char *text = yyjson_mut_write(after, 0, length);
    promise(text != NULL, "there is memory");
    yyjson_mut_doc_free(after);
    yyjson_doc_free(document);
    return text;
}

static void check_again(
    const struct manifest_object *object, const struct migrate_request *request, yyjson_val *entries)
{
    struct slice json;
    struct arena *arena = arena_create();
    char *text = with_entries(manifest_json(object->root, arena), entries, &json.length);
    struct manifest_object again;
    struct error error = {0};
    json.bytes = text;
    struct manifest_reader *reader = manifest_open(manifest_read_slice, &json, NULL);
    promise(arena && reader, "there is memory");
    /* kubectl does not look at the metadata of a List's items. */
    if (manifest_next(reader, &again, &error) == MANIFEST_OBJECT) {
        const struct migration *migration = migrate_read(&again, request, NULL, arena, &error);
        promise(migration != NULL, "what was migrated can be read again");
        promise(!migration->plan.is_needed, "migrating again changes nothing");
    } else {
        promise(strstr(error.message, "kubectl refuses") != NULL, "the object reads back");
    }
    manifest_close(reader);
    arena_destroy(arena);
    free(text);
}

static void check_texts(const struct migration *migration, struct arena *arena)
{
    struct text text = text_start(arena, 1024);
    struct migrate_answer answer;
    struct error error = {0};
    const struct migrate_sending sending = {.as = SLICE("o'hara"), .time = 1800000000};
    migrate_append_readiness(&text, migration);
    if (migrate_append_command(&text, migration, &sending, &error) < 0)
        check_printable(slice_of(error.message), 0);
    promise(text_slice(&text).bytes != NULL, "there is memory");
    check_printable(text_slice(&text), '\n');
    if (!migration->plan.is_needed)
        return;
    int result = migrate_judge(migration, strict(), &sending, &answer, &error);
    promise(result == 0 || error.message[0], "what cannot be judged has a reason");
    if (result == 0) {
        check_printable(answer.moves, 0);
        check_printable(answer.refusals, '\n');
    }
}

static void check_request(
    const struct manifest_object *object, const struct migrate_request *request, struct arena *arena)
{
    struct error error = {0};
    const struct migration *migration = migrate_read(object, request, NULL, arena, &error);
    if (!migration) {
        promise(error.message[0] != '\0', "what is refused has a reason");
        check_printable(slice_of(error.message), 0);
        return;
    }
    struct slice patch = migration->patch;
    check_printable(patch, 0);
    yyjson_doc *document = yyjson_read(patch.bytes, patch.length, 0);
    promise(document != NULL, "the patch is JSON");
    yyjson_val *operations = yyjson_doc_get_root(document);
    promise(
        yyjson_arr_size(operations) == (migration->plan.is_needed ? 2 : 0), "it is empty if nothing changes");
    if (migration->plan.is_needed) {
        yyjson_val *entries = yyjson_obj_get(yyjson_arr_get_first(operations), "value");
        check_fields(migration, entries, arena);
        check_again(object, request, entries);
    }
    check_texts(migration, arena);
    yyjson_doc_free(document);
}

/* The managers of the object's first entries. */
static size_t first_managers(const struct manifest_object *object, struct slice *names)
{
    const struct manifest_node *list =
        manifest_member(manifest_member(object->root, SLICE("metadata")), SLICE("managedFields"));
    size_t count = 0;
    for (size_t i = 0; list && list->kind == MANIFEST_LIST && i < list->count && count < FROM_MAX; i++) {
        const struct manifest_node *name = manifest_member(list->items[i], SLICE("manager"));
        if (name && name->kind == MANIFEST_STRING)
            names[count++] = name->string;
    }
    return count;
}

static void check_object(const struct manifest_object *object, struct arena *arena)
{
    struct slice names[FROM_MAX];
    size_t count = first_managers(object, names);
    const struct migrate_request requests[] = {
        {.to = SLICE("kubectl")},
        {.to = SLICE(MIGRATE_CLIENT_SIDE), .is_back = true},
        {.from = {names, count}, .to = SLICE("platform")},
        {.from = {names, count}, .to = count ? names[0] : SLICE("a"), .is_back = true},
        {.from = {names, count}, .to = count ? names[count - 1] : SLICE("a")},
    };
    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        check_request(object, &requests[i], arena);
        arena_reset(arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_manifests(data, size, check_object);
    return 0;
}
