#include "commands/explain/subject.h"

#include "base/array_size.h"
#include "base/find.h"
#include "base/split.h"

#include <string.h>

#define LINE_BYTES_MAX 1000
#define PARTS 4

/* The last part of the text that begins like this, without the beginning. NULL bytes if it does not occur. */
static struct slice after_last(struct slice text, struct slice beginning)
{
    for (size_t i = text.length; i >= beginning.length && i > 0; i--) {
        struct slice rest = slice_from(text, i - beginning.length);
        if (slice_starts_with(rest, beginning))
            return slice_from(rest, beginning.length);
    }
    return (struct slice){NULL, 0};
}

/* GROUP/VERSION, or VERSION of the core group. */
static void read_group_version(struct slice text, struct conflict_object *object)
{
    size_t slash = slice_find(text, '/');
    bool has_group = slash < text.length;
    object->group = has_group ? slice_until(text, slash) : (struct slice){NULL, 0};
    object->version = has_group ? slice_from(text, slash + 1) : text;
}

/* shop/web apps/v1, Kind=Deployment: */
static bool read_helm(struct slice line, struct conflict_object *object)
{
    struct slice rest = after_last(line, SLICE("while applying object "));
    if (!rest.bytes)
        return false;
    struct slice named = split_next(&rest, ' ');
    object->namespace = split_next(&named, '/');
    object->name = named;
    read_group_version(split_next(&rest, ','), object);
    struct slice kind = after_last(rest, SLICE("Kind="));
    object->kind = split_next(&kind, ':');
    return object->name.length && object->kind.length;
}

static size_t split(struct slice text, struct slice parts[PARTS])
{
    size_t count = 0;
    while (text.length && count < PARTS)
        parts[count++] = split_next(&text, '/');
    return text.length ? 0 : count;
}

/* for resource Deployment/web: as a comparison of Argo CD names it. */
static bool read_argocd_diff(struct slice line, struct conflict_object *object)
{
    struct slice rest = after_last(line, SLICE("in dryrun mode for resource "));
    if (!rest.bytes)
        return false;
    object->kind = split_next(&rest, '/');
    object->name = split_next(&rest, ':');
    return object->kind.length && object->name.length;
}

static bool ends_word(char byte)
{
    return byte && strchr(" \t\"'`=(;,", byte);
}

static struct slice last_word(struct slice text)
{
    size_t start = text.length;
    while (start > 0 && !ends_word(text.bytes[start - 1]))
        start--;
    return slice_from(text, start);
}

/* Deployment/shop/web dry-run failed */
static bool read_flux(struct slice line, struct conflict_object *object)
{
    struct slice rest = after_last(line, SLICE(" dry-run failed"));
    if (!rest.bytes)
        return false;
    size_t end = (size_t)(rest.bytes - line.bytes) - SLICE(" dry-run failed").length;
    struct slice parts[PARTS] = {{NULL, 0}};
    size_t count = split(last_word(slice_until(line, end)), parts);
    if (count != 2 && count != 3)
        return false;
    object->kind = parts[0];
    object->namespace = count == 3 ? parts[1] : (struct slice){NULL, 0};
    object->name = parts[count - 1];
    return object->kind.length && object->name.length;
}

/* apps/Deployment/shop/web: */
static bool read_argocd(struct slice line, struct conflict_object *object)
{
    if (line.length < 2 || line.bytes[line.length - 2] != ':')
        return false;
    struct slice parts[PARTS] = {{NULL, 0}};
    if (split(last_word(slice_until(line, line.length - 2)), parts) != PARTS)
        return false;
    object->group = parts[0];
    object->kind = parts[1];
    object->namespace = parts[2];
    object->name = parts[3];
    return object->kind.length && object->name.length;
}

/* shop/web, or /web without a namespace. */
static bool read_namespaced(struct slice named, struct conflict_object *object)
{
    size_t slash = slice_find(named, '/');
    if (slash == named.length)
        return false;
    object->namespace = slice_until(named, slash);
    object->name = slice_from(named, slash + 1);
    return object->name.length > 0;
}

/* There was a field manager conflict when trying to apply the manifest for "shop/web" */
static bool read_terraform(struct slice text, struct conflict_object *object)
{
    struct slice rest = after_last(text, SLICE("when trying to apply the manifest for \""));
    return rest.bytes && read_namespaced(split_next(&rest, '"'), object);
}

/* Error: shop/web failed to run apply: */
static bool read_terraform_kubectl(struct slice text, struct conflict_object *object)
{
    struct slice rest = after_last(text, SLICE(" failed to run apply: "));
    if (!rest.bytes)
        return false;
    size_t end = (size_t)(rest.bytes - text.bytes) - SLICE(" failed to run apply: ").length;
    return read_namespaced(last_word(slice_until(text, end)), object);
}

static bool is_of_pulumi(struct slice text)
{
    static const struct slice marks[] = {
        SLICE_LITERAL("Server-Side Apply field conflict"), SLICE_LITERAL("SSA field conflict detected"),
        SLICE_LITERAL("pulumi.com/patchForce"), SLICE_LITERAL("managed by field manager \"pulumi-")};
    for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
        if (slice_contains_text(text, marks[i]))
            return true;
    return false;
}

/* resource shop/web was not successfully created. A URN has a name that only Pulumi knows. */
static void read_pulumi_resource(struct slice text, struct conflict_object *object)
{
    const struct slice after = SLICE(" was not successfully ");
    struct slice rest = after_last(text, after);
    if (!rest.bytes)
        return;
    size_t end = (size_t)(rest.bytes - text.bytes) - after.length;
    struct slice named = last_word(slice_until(text, end));
    if (!read_namespaced(named, object))
        object->name = named;
}

/* the Kubernetes API server reported that "shop/web" failed …: Server-Side Apply field conflict detected */
static bool read_pulumi(struct slice text, struct conflict_object *object)
{
    struct slice rest = after_last(text, SLICE("the Kubernetes API server reported that \""));
    if (!is_of_pulumi(text))
        return false;
    if (!rest.bytes || !read_namespaced(split_next(&rest, '"'), object))
        read_pulumi_resource(text, object);
    return true;
}

/* Failed to apply object: b'{"kind":"Status",… The object is not in the text. */
static bool read_ansible(struct slice text, struct conflict_object *object)
{
    *object = (struct conflict_object){0};
    return after_last(text, SLICE("Failed to apply object: ")).bytes;
}

/* The end of the text: these tools name the object some lines before the conflict. */
static struct slice last_lines(struct slice text)
{
    return text.length > LINE_BYTES_MAX ? slice_from(text, text.length - LINE_BYTES_MAX) : text;
}

/* The text after the last newline, or its end if that is long. */
static struct slice last_line(struct slice text)
{
    size_t start = text.length;
    while (start > 0 && text.length - start < LINE_BYTES_MAX && text.bytes[start - 1] != '\n')
        start--;
    return slice_from(text, start);
}

void subject_read(struct slice before, struct conflict_object *object, enum conflict_tool *tool)
{
    static const struct {
        bool (*read)(struct slice line, struct conflict_object *object);
        enum conflict_tool tool;
        bool is_of_lines;
    } forms[] = {
        {read_helm, CONFLICT_TOOL_HELM, false},
        {read_flux, CONFLICT_TOOL_FLUX, false},
        {read_argocd, CONFLICT_TOOL_ARGOCD, false},
        {read_argocd_diff, CONFLICT_TOOL_ARGOCD, false},
        {read_terraform, CONFLICT_TOOL_TERRAFORM, true},
        {read_terraform_kubectl, CONFLICT_TOOL_TERRAFORM_KUBECTL, true},
        {read_pulumi, CONFLICT_TOOL_PULUMI, true},
        {read_ansible, CONFLICT_TOOL_ANSIBLE, false}};
    const struct slice line = last_line(before), lines = last_lines(before);
    for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
        struct conflict_object found = {0};
        if (!forms[i].read(forms[i].is_of_lines ? lines : line, &found))
            continue;
        *object = found;
        *tool = forms[i].tool;
        return;
    }
}
