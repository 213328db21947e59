/*
 * Any three objects as what was last applied, a manifest and the live object: a client-side apply of a
 * built-in type and of a custom kind is refused with a reason, or the manifest is in what comes of it, and to
 * apply it again changes nothing.
 */
#include "apply/merge/client_side.h"
#include "base/json.h"
#include "fuzz.h"
#include "tests/fuzz/printable.h"

static bool is_directive(struct slice name)
{
    return name.length && name.bytes[0] == '$';
}

static bool has_directives(const struct value *value)
{
    for (size_t i = 0; i < value->count; i++) {
        const struct value *part = value->kind == VALUE_MAP ? value->members[i].value : value->items[i];
        if ((value->kind == VALUE_MAP && is_directive(value->members[i].name)) || has_directives(part))
            return true;
    }
    return false;
}

#define ITEMS_MAX 64

/* Whether two items may be the same one: equal, or maps with an equal scalar of one name. */
static bool may_be_same(const struct value *a, const struct value *b)
{
    for (size_t i = 0; a->kind == VALUE_MAP && i < a->count; i++) {
        const struct value *other = value_member(b, a->members[i].name);
        if (other && other->kind != VALUE_MAP && value_equal(a->members[i].value, other))
            return true;
    }
    return value_equal(a, b);
}

/* Items with one key pair up by chance: what is applied again then may change something. */
static bool has_repeats(const struct value *value)
{
    bool is_list = value->kind == VALUE_LIST, has = is_list && value->count > ITEMS_MAX;
    for (size_t i = 0; !has && i < value->count; i++) {
        has = has_repeats(is_list ? value->items[i] : value->members[i].value);
        for (size_t j = 0; is_list && !has && j < i; j++)
            has = may_be_same(value->items[i], value->items[j]);
    }
    return has;
}

/* Lists may have others' items. A null removes the field. */
static void check_is_in(const struct value *manifest, const struct value *merged)
{
    for (size_t i = 0; manifest->kind == VALUE_MAP && i < manifest->count; i++) {
        const struct value *wanted = manifest->members[i].value;
        const struct value *got = value_member(merged, manifest->members[i].name);
        if (wanted->kind == VALUE_NULL)
            continue;
        promise(got || wanted->kind != VALUE_SCALAR, "what the manifest has is there");
        promise(wanted->kind != VALUE_SCALAR || value_equal(wanted, got), "it is as the manifest has it");
        if (got)
            check_is_in(wanted, got);
    }
}

static void check_apply(struct client_side_apply *apply, struct arena *arena)
{
    struct client_side_result first, again;
    struct error error = {0};
    if (client_side_apply(apply, arena, &first, &error) < 0) {
        promise(error.message[0] != '\0', "a refusal says why");
        check_printable(slice_of(error.message), 0);
        return;
    }
    promise(first.patch && first.merged && first.merged->kind == VALUE_MAP, "an object comes of it");
    if (has_directives(apply->manifest) || has_directives(apply->live) ||
        (apply->last_applied && has_directives(apply->last_applied)))
        return;
    check_is_in(apply->manifest, first.merged);
    if (has_repeats(apply->manifest) || has_repeats(apply->live) ||
        (apply->last_applied && has_repeats(apply->last_applied)))
        return;
    apply->last_applied = apply->manifest;
    apply->live = first.merged;
    if (client_side_apply(apply, arena, &again, &error) == 0)
        promise(value_equal(first.merged, again.merged), "to apply it again changes nothing");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    yyjson_doc *document =
        json_read((struct slice){(const char *)data, size}, YYJSON_READ_NOFLAG, arena, NULL);
    const struct value *all = document ? value_read(yyjson_doc_get_root(document), arena, NULL) : NULL;
    if (all && all->kind == VALUE_LIST && all->count >= 3) {
        const struct value *last = all->items[0]->kind == VALUE_NULL ? NULL : all->items[0];
        struct client_side_apply apply = {
            .is_custom = true, .last_applied = last, .manifest = all->items[1], .live = all->items[2]};
        check_apply(&apply, arena);
        apply.last_applied = last;
        apply.live = all->items[2];
        apply.is_custom = false;
        if (schema_find_builtin(
                value_text(value_member(apply.manifest, SLICE("apiVersion"))),
                value_text(value_member(apply.manifest, SLICE("kind"))), &apply.type))
            check_apply(&apply, arena);
    }
    arena_destroy(arena);
    return 0;
}
