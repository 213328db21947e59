#include "policy/analysis/shared_fields.h"

#include "base/json.h"
#include "policy/analysis/absorption.h"
#include "policy/fieldset/lookup.h"
#include "policy/fieldset/path.h"
#include "policy/review/applied.h"
#include "policy/review/ownership.h"
#include "policy/verdict/finding_fields.h"

static bool appliers_mix(
    const struct ownership *ownership, const struct managed_fields_entry *a,
    const struct managed_fields_entry *b)
{
    if (a->manager.operation == b->manager.operation)
        return false;
    const struct managed_fields_entry *update = a->manager.operation == MANAGER_UPDATE ? a : b;
    return slice_equal(a->manager.name, b->manager.name) || entry_applies_client_side(ownership, update);
}

static bool is_same_tool(const struct managed_fields_entry *a, const struct managed_fields_entry *b)
{
    if (slice_equal(a->manager.name, b->manager.name))
        return a->manager.operation == b->manager.operation;
    return manager_is_same_tool(a->manager.name, b->manager.name);
}

void appliers_beside_writer(const struct review *review, bool mixed, struct appliers *appliers)
{
    const struct ownership *ownership = &review->ownership;
    const struct managed_fields_entry *writer = ownership->writer.after;
    bool absorbs = absorber_of(review, &ownership->after) == writer;
    appliers->count = 0;
    appliers->too_many = false;
    for (size_t i = 0; i < ownership->after.count; i++) {
        const struct managed_fields_entry *entry = &ownership->after.entries[i];
        if (entry == writer || is_same_tool(entry, writer) || !entries_share_names(review, entry, writer) ||
            ownership_class(ownership, entry) != CLASS_APPLIER ||
            (absorbs && absorber_takes(writer, &entry->manager)) ||
            appliers_mix(ownership, entry, writer) != mixed)
            continue;
        appliers->too_many = appliers->count == FIELDSET_OVERLAP_MAX - 1;
        if (appliers->too_many)
            break;
        appliers->entries[appliers->count++] = entry;
    }
}

struct shared_search {
    const struct review *review;
    const struct appliers *others;
    bool client_side[FIELDSET_OVERLAP_MAX]; /* for each other: whether the annotation speaks for it, or for
                                            the entry that it is compared with */
    bool
        wrote_since[FIELDSET_OVERLAP_MAX]; /* for each other: whether it may have written since the writer did
                                            */
    bool owns[FIELDSET_OVERLAP_MAX];       /* for each other: whether it shares one */
    bool has_counterpart; /* the writer's entry on the other side of the review is the last of the compared
                             sets */
    bool is_dropped;      /* fields that the counterpart owns as well do not count */
    bool is_news;
    struct lookup_cursor *object;
    struct lookup_cursor *configuration; /* what the annotation declares; NULL: not known */
    bool is_undecided;                   /* of some fields it is not known whether they are declared */
    struct finding_fields fields;
};

/* A declared list item always includes its key fields. */
static bool is_of_key(const struct path *path)
{
    return path->kind == PATH_KEY || path_is_key_field(path);
}

static bool is_held(struct shared_search *search, const struct path *path)
{
    const struct review *review = search->review;
    yyjson_val *value = NULL;
    unsigned absent_depth = 0;
    return lookup_path(search->object, path, &value, &absent_depth) == LOOKUP_FOUND &&
        managed_fields_bare(&review->ownership.after, path, value, review->lookup) == ANSWER_NO;
}

/*
 * Fields that a Secret's annotation declares as stringData have another path; without one nothing is known.
 */
static bool may_be_declared(struct shared_search *search, const struct path *path)
{
    if (!search->configuration || slice_equal(search->review->group_kind, SLICE("Secret")))
        return true;
    enum search_answer declared = lookup_declares(search->configuration, path);
    search->is_undecided |= declared == ANSWER_UNKNOWN;
    return declared == ANSWER_YES;
}

/* Returns false if memory runs out. */
static bool read_configuration(struct shared_search *search)
{
    const struct review *review = search->review;
    yyjson_val *configuration = applied_annotation(review);
    if (configuration)
        search->configuration = lookup_cursor_create_declared(review->lookup, configuration, review->arena);
    return search->configuration || !configuration;
}

/* Which of the others own the leaf, and mean it. */
static bool mark_owners(struct shared_search *search, const struct overlap_node *node, bool in_counterpart)
{
    bool declared = false, asked = false, any = false;
    for (size_t i = 0; i < search->others->count; i++) {
        if (!node->others[i] || !fields_is_leaf(node->others[i]))
            continue;
        if (search->client_side[i] && !asked) {
            declared = may_be_declared(search, node->path);
            asked = true;
        }
        if (search->client_side[i] && !declared)
            continue;
        search->owns[i] = true;
        search->is_news = search->is_news || !in_counterpart || search->wrote_since[i];
        any = true;
    }
    return any;
}

static enum walk_action visit(void *context, const struct overlap_node *node)
{
    struct shared_search *search = context;
    bool in_counterpart = search->has_counterpart && node->others[search->others->count];
    if (node->shared == (size_t)in_counterpart)
        return WALK_PASS;
    if (!node->is_leaf)
        return WALK_DESCEND;
    if ((search->is_dropped && in_counterpart) || is_of_key(node->path) || field_is_bookkeeping(node->path) ||
        !is_held(search, node->path))
        return WALK_PASS;
    if (mark_owners(search, node, in_counterpart))
        finding_fields_add(&search->fields, node->path);
    return WALK_PASS;
}

static enum fields_result walk(
    struct shared_search *search, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *counterpart)
{
    yyjson_val *beside[FIELDSET_OVERLAP_MAX];
    const struct ownership *ownership = &search->review->ownership;
    const struct managed_fields_entry *before = ownership->writer.before;
    size_t count = search->others->count;
    bool entry_is_client_side = entry_applies_client_side(ownership, entry);
    for (size_t i = 0; i < count; i++) {
        const struct managed_fields_entry *other = search->others->entries[i];
        beside[i] = entry_fields(other);
        search->client_side[i] = entry_is_client_side || entry_applies_client_side(ownership, other);
        search->wrote_since[i] = before && entry_may_be_newer(other, before);
    }
    if (counterpart)
        beside[count++] = entry_fields(counterpart);
    search->has_counterpart = counterpart != NULL;
    return fieldset_overlap_walk(entry_fields(entry), beside, count, search->review->lookup, visit, search);
}

static struct shared_fields answer(const struct shared_search *search)
{
    struct shared_fields shared = {
        .fields = search->fields.items,
        .listed = search->fields.listed,
        .total = search->fields.total,
        .is_news = search->is_news,
    };
    struct manager *owners =
        arena_allocate_array(search->review->arena, search->others->count, sizeof(*owners));
    for (size_t i = 0; owners && i < search->others->count; i++) {
        if (search->owns[i])
            owners[shared.owner_count++] = search->others->entries[i]->manager;
    }
    shared.owners = owners;
    return shared;
}

static enum fields_result search_all(
    struct shared_search *search, const struct managed_fields_entry *entry,
    const struct managed_fields_entry *counterpart)
{
    if (!search->object || !finding_fields_start(&search->fields, search->review->arena) ||
        !read_configuration(search))
        return FIELDS_OUT_OF_MEMORY;
    return walk(search, entry, counterpart);
}

static struct shared_fields find(
    const struct review *review, struct verdict *verdict, const struct appliers *others, bool dropped)
{
    const struct writer *writer = &review->ownership.writer;
    struct shared_search search = {
        .review = review,
        .others = others,
        .is_dropped = dropped,
        .object = lookup_cursor_create(review->lookup, review->object, review->arena),
    };
    enum fields_result result = FIELDS_TOO_MANY;
    if (!others->too_many)
        result = dropped ? search_all(&search, writer->before, writer->after)
                         : search_all(&search, writer->after, writer->before);
    if (search.is_undecided)
        verdict_add_undecided(verdict);
    if (result != FIELDS_OK)
        verdict_add_unread_fields(verdict, result);
    return result == FIELDS_OK || fields_unread(result) ? answer(&search)
                                                        : (struct shared_fields){.total = 0};
}

struct shared_fields shared_fields_find(
    const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    return find(review, verdict, others, false);
}

struct shared_fields shared_fields_find_dropped(
    const struct review *review, struct verdict *verdict, const struct appliers *others)
{
    return find(review, verdict, others, true);
}
