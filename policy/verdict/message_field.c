#include "policy/verdict/message_field.h"

#include "base/ascii.h"
#include "base/count.h"
#include "policy/fieldset/path.h"
#include "policy/verdict/message_name.h"

/* Maps whose keys people choose: a key may have dots of its own, so that it reaches to the end of the path.
 */
static const char *const maps_of_keys[] = {
    ".annotations", ".labels", ".matchLabels", ".nodeSelector", ".hard", ".limits", ".requests",
};

/* Such maps at the top of an object, or of its spec (a Service's selector). */
static const char *const top_maps_of_keys[] = {".data", ".stringData", ".binaryData"};

/* Whether what is left of the path behind the element, which begins at `start`, is one key. */
static bool holds_keys(struct slice printed, size_t start, struct slice element, struct slice rest)
{
    if (start == 0)
        return slice_is_one_of(element, top_maps_of_keys, COUNT(top_maps_of_keys));
    if (slice_equal(element, SLICE(".selector")) && slice_equal(slice_until(printed, start), SLICE(".spec")))
        return !slice_starts_with(rest, SLICE(".match"));
    return slice_is_one_of(element, maps_of_keys, COUNT(maps_of_keys));
}

/* Whether a name reads as one without its quotes, and not as a number. */
static bool is_plain_name(struct slice name)
{
    bool is_number = true;
    for (size_t i = 0; i < name.length; i++) {
        char byte = name.bytes[i];
        if (!ascii_is_alphanumeric(byte) && byte != '-' && byte != '_' && byte != '.')
            return false;
        is_number &= ascii_is_digit(byte);
    }
    return !is_number;
}

/* The name in [name="nginx"]; empty where the item is known by something else. */
static struct slice item_name(struct slice element)
{
    static const struct slice before = {"[name=\"", sizeof("[name=\"") - 1}, after = {"\"]", 2};
    if (!slice_starts_with(element, before) || element.length < before.length + after.length)
        return (struct slice){NULL, 0};
    struct slice name = slice_from(slice_until(element, element.length - after.length), before.length);
    return slice_equal(slice_from(element, element.length - after.length), after) && is_plain_name(name)
        ? name
        : (struct slice){NULL, 0};
}

/* A path as a manifest has it. */
struct manifest_path {
    struct slice text;
    size_t keyed; /* where the map begins whose key ends the path; 0: none does */
};

/* The path with keys in brackets, and items by their names. */
static struct manifest_path as_in_a_manifest(struct slice printed, struct arena *arena)
{
    struct manifest_path path = {.keyed = 0};
    struct text text = text_start(arena, printed.length + 8);
    for (size_t start = 0, end; start < printed.length; start = end) {
        end = path_element_end(printed, start);
        struct slice element = slice_from(slice_until(printed, end), start), rest = slice_from(printed, end);
        struct slice name = item_name(element);
        if (name.length) {
            text_append_string(&text, "[");
            text_append(&text, name);
            text_append_string(&text, "]");
            continue;
        }
        text_append(&text, element);
        bool is_key = rest.length > 1 && rest.bytes[0] == '.' && holds_keys(printed, start, element, rest);
        if (is_key && slice_contains(slice_from(rest, 1), '.')) {
            path.keyed = text.length - element.length;
            text_append_string(&text, "[\"");
            text_append(&text, slice_from(rest, 1));
            text_append_string(&text, "\"]");
            break;
        }
    }
    path.text = text_slice(&text);
    return path;
}

/* The end of a path says most: of one that is too long, the map and its key are enough. */
static void append_path(struct text *text, struct slice printed)
{
    struct manifest_path path = as_in_a_manifest(printed, text->arena);
    if (path.keyed && path.text.length > MESSAGE_PATH_BYTES)
        path.text = slice_from(path.text, path.keyed + 1);
    path_append_short(text, path.text, MESSAGE_PATH_BYTES);
}

/* Where a container's own fields begin, and what it is called. */
struct container {
    const char *words; /* NULL: the path is of no container */
    struct slice name;
    size_t end;
};

static const struct {
    const char *list, *words;
} container_lists[] = {
    {".containers", "container "},
    {".initContainers", "init container "},
    {".ephemeralContainers", "ephemeral container "},
};

static struct container find_container(struct slice printed)
{
    struct slice list = {NULL, 0};
    for (size_t start = 0, end; start < printed.length; start = end) {
        end = path_element_end(printed, start);
        struct slice element = slice_from(slice_until(printed, end), start), name = item_name(element);
        for (size_t i = 0; name.length && i < COUNT(container_lists); i++) {
            if (slice_equal(list, slice_of(container_lists[i].list)))
                return (struct container){container_lists[i].words, name, end};
        }
        list = element;
    }
    return (struct container){.words = NULL};
}

static void append_of_container(struct text *text, struct slice printed, const struct container *container)
{
    struct slice rest = slice_from(printed, container->end);
    text_append_string(text, rest.length ? "" : container->words);
    message_append_name(text, container->name);
    if (!rest.length)
        return;
    text_append_string(text, "'s ");
    append_path(text, rest.bytes[0] == '.' ? slice_from(rest, 1) : rest);
}

/* "replicas" in .spec.replicas; empty where the path is longer. */
static struct slice name_in_spec(struct slice printed)
{
    struct slice spec = SLICE(".spec");
    bool is_in_spec = slice_starts_with(printed, spec) && path_element_end(printed, 0) == spec.length &&
        printed.length > spec.length + 1 && printed.bytes[spec.length] == '.' &&
        path_element_end(printed, spec.length) == printed.length;
    return is_in_spec ? slice_from(printed, spec.length + 1) : (struct slice){NULL, 0};
}

void message_append_field(struct text *text, struct slice printed)
{
    struct container container = find_container(printed);
    struct slice name = name_in_spec(printed);
    if (container.words)
        append_of_container(text, printed, &container);
    else if (name.length && name.length <= MESSAGE_PATH_BYTES)
        text_append(text, name);
    else
        append_path(text, printed);
}
