#include "commands/scan/managers.h"

#include "base/json.h"
#include "base/json_each.h"
#include "base/text.h"
#include "policy/fieldset/fields_element.h"
#include "policy/review/evidence.h"
#include "policy/review/ownership.h"

#include <string.h>

/* Memberships of lists and maps are no fields. */
static uint64_t count_fields(yyjson_val *node, unsigned depth)
{
    uint64_t fields = 0;
    bool is_leaf = true;
    if (!depth)
        return 1;
    json_each_key(key, node) {
        if (fields_is_membership(json_text(key)))
            continue;
        is_leaf = false;
        fields += count_fields(yyjson_obj_iter_get_val(key), depth - 1);
    }
    return is_leaf ? 1 : fields;
}

static enum scan_evidence evidence_for(const struct review *review, const struct managed_fields_entry *entry)
{
    const struct manager *manager = &entry->manager;
    if (manager_has_rule(manager, review->ownership.class_rules))
        return SCAN_EVIDENCE_POLICY;
    if (manager->subresource.length)
        return SCAN_EVIDENCE_SUBRESOURCE;
    if (manager_is_named(manager) || manager_is_known(manager->name))
        return SCAN_EVIDENCE_NAME;
    if (manager->operation == MANAGER_APPLY)
        return SCAN_EVIDENCE_APPLY;
    if (evidence_of_owner(review, entry))
        return SCAN_EVIDENCE_CONFIGURATION;
    return ownership_class(&review->ownership, entry) == CLASS_CONTROLLER ? SCAN_EVIDENCE_OWNER
                                                                          : SCAN_EVIDENCE_NONE;
}

struct slice scan_time(const char time[SCAN_TIME_BYTES])
{
    return (struct slice){time, time[0] ? SCAN_TIME_BYTES : 0};
}

void scan_manager_note_time(struct scan_manager *manager, struct slice time)
{
    if (time.length != SCAN_TIME_BYTES || !text_is_printable(time))
        return;
    if (!manager->first[0] || slice_compare(time, scan_time(manager->first)) < 0)
        memcpy(manager->first, time.bytes, SCAN_TIME_BYTES);
    if (slice_compare(time, scan_time(manager->last)) > 0)
        memcpy(manager->last, time.bytes, SCAN_TIME_BYTES);
}

struct scan_manager *scan_managers_find_or_add(
    struct name_table *managers, struct slice name, enum manager_operation operation)
{
    char key[NAME_TABLE_BYTES_MAX];
    name = text_cut(name, sizeof(key) - 1);
    key[0] = operation == MANAGER_APPLY ? 'A' : 'U';
    memcpy(key + 1, name.length ? name.bytes : "", name.length);
    struct scan_manager *manager = name_table_add(managers, (struct slice){key, name.length + 1});
    if (manager && !manager->kinds.arena) {
        manager->name = slice_from(manager->key, 1);
        manager->operation = operation;
        manager->kinds =
            (struct name_table){.arena = managers->arena, .record_bytes = sizeof(struct scan_count)};
    }
    return manager;
}

/* Whether an entry before this one has the same manager and operation: the object counts once. */
static bool is_repeated(const struct managed_fields *side, size_t number)
{
    const struct manager *manager = &side->entries[number].manager;
    for (size_t i = 0; i < number; i++)
        if (side->entries[i].manager.operation == manager->operation &&
            slice_equal(side->entries[i].manager.name, manager->name))
            return true;
    return false;
}

static bool add_object(struct scan_manager *manager, struct slice kind)
{
    struct scan_count *count = name_table_add(&manager->kinds, kind);
    manager->objects++;
    if (count)
        count->number++;
    return count != NULL;
}

bool scan_managers_add(struct name_table *managers, const struct review *review)
{
    const struct managed_fields *side = &review->ownership.after;
    /* An object that no API server stores has more entries. */
    for (size_t i = 0; i < side->count && i < SCAN_MANAGERS_MAX; i++) {
        const struct managed_fields_entry *entry = &side->entries[i];
        struct scan_manager *manager =
            scan_managers_find_or_add(managers, entry->manager.name, entry->manager.operation);
        if (!manager && managers->count >= SCAN_MANAGERS_MAX)
            continue;
        if (!manager || (!is_repeated(side, i) && !add_object(manager, review->group_kind)))
            return false;
        manager->classes[ownership_class(&review->ownership, entry)]++;
        manager->evidence[evidence_for(review, entry)]++;
        manager->fields += count_fields(entry_fields(entry), JSON_DEPTH_MAX);
        scan_manager_note_time(manager, entry->time);
    }
    return true;
}

static int compare_managers(const void *a, const void *b)
{
    const struct scan_manager *x = a, *y = b;
    if (x->objects != y->objects)
        return x->objects > y->objects ? -1 : 1;
    int order = slice_compare(x->name, y->name);
    return order ? order : (int)x->operation - (int)y->operation;
}

void scan_managers_sort(struct name_table *managers)
{
    name_table_sort(managers, compare_managers);
    for (size_t i = 0; i < managers->count; i++) {
        struct scan_manager *manager = name_table_item(managers, i);
        name_table_sort(&manager->kinds, slice_compare_items);
    }
}

static size_t largest(const uint64_t *numbers, size_t count)
{
    size_t best = 0;
    for (size_t i = 1; i < count; i++)
        if (numbers[i] > numbers[best])
            best = i;
    return best;
}

enum manager_class scan_manager_class(const struct scan_manager *manager)
{
    return (enum manager_class)largest(manager->classes, SCAN_CLASSES);
}

enum scan_evidence scan_manager_evidence(const struct scan_manager *manager)
{
    return (enum scan_evidence)largest(manager->evidence, SCAN_EVIDENCE_COUNT);
}

const char *scan_evidence_name(enum scan_evidence evidence)
{
    static const char *const names[] = {
        [SCAN_EVIDENCE_NONE] = "",
        [SCAN_EVIDENCE_POLICY] = "policy",
        [SCAN_EVIDENCE_SUBRESOURCE] = "subresource",
        [SCAN_EVIDENCE_NAME] = "name",
        [SCAN_EVIDENCE_APPLY] = "server-side apply",
        [SCAN_EVIDENCE_CONFIGURATION] = "configuration",
        [SCAN_EVIDENCE_OWNER] = "owner reference",
    };
    return names[evidence];
}

struct slice scan_manager_tool(const struct scan_manager *manager)
{
    const struct manager of = {.name = manager->name, .operation = manager->operation};
    bool has_subresource = false;
    const char *name = tool_name(manager_tool(manager->name));
    const char *words = name ? name : manager_words(&of, &has_subresource);
    return words ? slice_of(words) : (struct slice){"", 0};
}
