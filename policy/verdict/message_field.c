#include "policy/verdict/message_field.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/qualified_name.h"
#include "policy/fieldset/path.h"
#include "policy/verdict/message_fit.h"
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
        return slice_is_one_of(element, top_maps_of_keys, ARRAY_SIZE(top_maps_of_keys));
    if (slice_equal(element, SLICE(".selector")) && slice_equal(slice_until(printed, start), SLICE(".spec")))
        return !slice_starts_with(rest, SLICE(".match"));
    return slice_is_one_of(element, maps_of_keys, ARRAY_SIZE(maps_of_keys));
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

/* The text between `before`, which ends with a quote, and "] at the end. Empty if `printed` has another form.
 */
static struct slice quoted_behind(struct slice printed, struct slice before)
{
    const struct slice after = SLICE("\"]");
    return slice_starts_with(printed, before) && slice_ends_with(printed, after) &&
            printed.length > before.length + after.length
        ? slice_from(slice_until(printed, printed.length - after.length), before.length)
        : (struct slice){NULL, 0};
}

/* The name in [name="nginx"]; empty where the item is known by something else. */
static struct slice item_name(struct slice element)
{
    struct slice name = quoted_behind(element, SLICE("[name=\""));
    return is_plain_name(name) ? name : (struct slice){NULL, 0};
}

/* Where the map begins whose key, with dots of its own, ends the path; 0: none does. */
static size_t find_keyed(struct slice printed)
{
    for (size_t start = 0, end; start < printed.length; start = end) {
        end = path_element_end(printed, start);
        struct slice element = slice_from(slice_until(printed, end), start), rest = slice_from(printed, end);
        bool is_key = rest.length > 1 && rest.bytes[0] == '.' && holds_keys(printed, start, element, rest);
        if (is_key && slice_contains(slice_from(rest, 1), '.'))
            return start;
    }
    return 0;
}

static void append_marked_path(struct text *text, struct slice path)
{
    message_mark(text, MESSAGE_PATH);
    text_append(text, path);
    message_mark(text, MESSAGE_END);
}

/* The end of a path says most: of one that is too long, the map and its key are enough. */
static void append_path(struct text *text, struct slice printed)
{
    size_t keyed = find_keyed(printed);
    bool is_long = keyed && printed.length > MESSAGE_PATH_BYTES;
    append_marked_path(text, is_long ? slice_from(printed, keyed + 1) : printed);
}

/* "finalizer example.com/a" for .metadata.finalizers[="example.com/a"]. Returns false for other paths. */
static bool append_finalizer(struct text *text, struct slice printed)
{
    struct slice name = quoted_behind(printed, SLICE(".metadata.finalizers[=\""));
    if (!qualified_name_is_valid(name))
        return false;
    text_append_all(text, "finalizer ", message_marked(name));
    return true;
}

/* "label team" for .metadata.labels.team: a key has no bounds of its own in a sentence. False: it is neither.
 */
static bool append_key(struct text *text, struct slice printed)
{
    static const struct {
        const char *map, *words;
    } maps[] = {{".metadata.labels.", "label "}, {".metadata.annotations.", "annotation "}};
    for (size_t i = 0; i < ARRAY_SIZE(maps); i++) {
        struct slice map = slice_of(maps[i].map);
        if (slice_starts_with(printed, map) && printed.length > map.length) {
            text_append_all(text, maps[i].words, message_marked(slice_from(printed, map.length)));
            return true;
        }
    }
    return false;
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
        for (size_t i = 0; name.length && i < ARRAY_SIZE(container_lists); i++) {
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
    text_append_all(text, rest.length ? "" : container->words, message_marked(container->name));
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

/* The only annotation of this name is that of a pod template (restarts.h). */
static bool is_restart(struct slice printed)
{
    struct slice key = SLICE(".annotations.kubectl.kubernetes.io/restartedAt");
    return printed.length > key.length && slice_equal(slice_from(printed, printed.length - key.length), key);
}

void message_append_field(struct text *text, struct slice printed)
{
    if (is_restart(printed)) {
        text_append_string(text, "restartedAt");
        return;
    }
    struct container container = find_container(printed);
    struct slice name = name_in_spec(printed);
    if (container.words)
        append_of_container(text, printed, &container);
    else if (name.length)
        append_marked_path(text, name);
    else if (!append_key(text, printed) && !append_finalizer(text, printed))
        append_path(text, printed);
}
