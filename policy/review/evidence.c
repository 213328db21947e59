#include "policy/review/evidence.h"

#include "base/json.h"
#include "policy/fieldset/fields.h"
#include "policy/review/review.h"

struct annotation {
    struct slice key;
    bool compressed; /* it cannot be read here */
};

static const struct annotation annotations[EVIDENCE_COUNT] = {
    {.key = SLICE_LITERAL(LAST_APPLIED_ANNOTATION)},
    /* carvel-kapp, pkg/kapp/diff */
    {.key = SLICE_LITERAL("kapp.k14s.io/original")},
    /* kubevela, pkg/utils/apply */
    {.key = SLICE_LITERAL("app.oam.dev/last-applied-configuration")},
    /* rancher/wrangler, pkg/apply: Fleet, k3s */
    {.key = SLICE_LITERAL("objectset.rio.cattle.io/applied"), .compressed = true},
};

static struct slice text_of(const struct object_parts *parts, size_t number)
{
    return json_text(json_member(parts->metadata.annotations, annotations[number].key));
}

static bool names_object(const struct review *review, yyjson_val *configuration)
{
    struct object_parts parts = {0};
    object_parts_read(&parts, configuration);
    return json_text(parts.kind).length && json_text(parts.metadata.name).length &&
        !review_is_of_another(review, &parts);
}

static yyjson_val *configuration_of(
    const struct review *review, const struct object_parts *parts, bool old, size_t number)
{
    if (number == 0)
        return old ? last_applied_configuration_before(&review->last_applied)
                   : last_applied_configuration(&review->last_applied);
    return json_parse(text_of(parts, number), review->arena);
}

static bool is_of_this_object(const struct review *review, bool old, size_t number)
{
    enum evidence_answer *answer = &review->cache->evidence.answers[old][number];
    if (*answer == EVIDENCE_UNREAD) {
        const struct object_parts *parts = old ? &review->old_parts : &review->parts;
        /* An object that a controller made has its annotations from there. */
        bool found = annotations[number].compressed
            ? text_of(parts, number).length && !object_is_controlled(parts)
            : names_object(review, configuration_of(review, parts, old, number));
        *answer = found ? EVIDENCE_FOUND : EVIDENCE_NONE;
    }
    return *answer == EVIDENCE_FOUND;
}

static yyjson_val *owned_annotations(const struct managed_fields_entry *entry)
{
    return fields_child(fields_child(entry_fields(entry), SLICE("metadata")), SLICE("annotations"));
}

bool evidence_of_owner(const struct review *review, const struct managed_fields_entry *entry)
{
    yyjson_val *owned = owned_annotations(entry);
    for (size_t i = 0; owned && i < EVIDENCE_COUNT; i++) {
        if (fields_child(owned, annotations[i].key) && is_of_this_object(review, entry->old, i))
            return true;
    }
    return false;
}

bool evidence_of_writer(const struct review *review, const struct managed_fields_entry *entry)
{
    yyjson_val *owned = owned_annotations(entry);
    for (size_t i = 0; owned && i < EVIDENCE_COUNT; i++) {
        if (fields_child(owned, annotations[i].key) &&
            !slice_equal(text_of(&review->old_parts, i), text_of(&review->parts, i)) &&
            is_of_this_object(review, false, i))
            return true;
    }
    return false;
}
