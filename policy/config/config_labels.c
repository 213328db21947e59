#include "base/ascii.h"
#include "base/dns.h"
#include "policy/config/config_reader.h"

/*
 * A label's key as the API server takes it (apimachinery, util/validation IsQualifiedName): a name of at most
 * 63 bytes, and maybe a DNS subdomain and a slash before it.
 */
#define NAME_BYTES_MAX 63

static bool is_name(struct slice text)
{
    if (text.length == 0 || text.length > NAME_BYTES_MAX || !ascii_is_alphanumeric(text.bytes[0]) ||
        !ascii_is_alphanumeric(text.bytes[text.length - 1]))
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (!ascii_is_alphanumeric(byte) && byte != '-' && byte != '_' && byte != '.')
            return false;
    }
    return true;
}

static bool is_label_key(struct slice text)
{
    size_t slash = slice_find(text, '/');
    if (slash == text.length)
        return is_name(text);
    return dns_is_subdomain(slice_until(text, slash)) && is_name(slice_from(text, slash + 1));
}

int config_read_label_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_expect_text(reader, path, node, "controller-selector") < 0)
        return -1;
    if (node->text.length && !is_label_key(node->text))
        return config_refuse(
            reader, path, node,
            "must be the key of a label, such as controller-selector or example.com/controller, not \"%s\"",
            yaml_excerpt(reader->arena, node->text));
    *(struct slice *)target = node->text;
    return 0;
}
