#include "base/array_size.h"
#include "base/ascii.h"
#include "base/dns.h"
#include "base/text.h"
#include "base/words.h"
#include "policy/config/config_reader.h"

/*
 * Names that a policy lists are globs. These are the slips that make one match nothing: they load, since a
 * server that has a policy should not lose it over them, and `policy check` refuses them.
 */

#define FIELD_MANAGER_BYTES_MAX 128 /* apimachinery, FieldManagerMaxLength */

static void report_useless(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *why)
{
    config_report(
        reader, POLICY_NO_EFFECT, path, node, "never matches \"%s\": %s",
        yaml_excerpt(reader->arena, node->text), why);
}

static size_t bytes_without_stars(struct slice text)
{
    size_t count = 0;
    for (size_t i = 0; i < text.length; i++)
        count += text.bytes[i] != '*';
    return count;
}

/* {a,b}: other globs and shells have it. */
static bool has_alternatives(struct slice text)
{
    size_t open = slice_find(text, '{');
    struct slice inside = slice_from(text, open);
    size_t close = slice_find(inside, '}');
    inside.length = close;
    return close < text.length - open && slice_contains(inside, ',');
}

/* [ab], without blanks before it or in it, as names of people's groups have them. */
static bool has_character_class(struct slice text)
{
    size_t open = slice_find(text, '[');
    struct slice inside = slice_from(text, open);
    size_t close = slice_find(inside, ']');
    if (close == inside.length || close < 2)
        return false;
    inside.length = close;
    return !slice_contains(inside, ' ') && (open == 0 || text.bytes[open - 1] != ' ');
}

static const char alternatives[] = "patterns know * and ? only, so write an item for each alternative";
static const char expression[] = "patterns are no regular expressions; * alone stands for any characters";

/* The problem with a DNS name, or with a glob of DNS names; NULL: nothing. */
static const char *dns_problem(struct slice text, bool has_dots, size_t bytes_max)
{
    if (has_alternatives(text) || slice_contains(text, '[') || slice_contains(text, '|'))
        return alternatives;
    if (text.length && text.bytes[0] == '!')
        return "! does not negate; write an override for the others, and one for these after it";
    for (size_t i = 0; i + 1 < text.length; i++) {
        if (text.bytes[i] == '.' && (text.bytes[i + 1] == '*' || text.bytes[i + 1] == '+') && !has_dots)
            return expression;
    }
    for (size_t i = 0; i < text.length; i++) {
        char byte = text.bytes[i];
        if (byte == '^' || byte == '$')
            return expression;
        if (byte >= 'A' && byte <= 'Z')
            return "such a name has no upper case; write it in lower case";
        if (!(ascii_is_lower_alphanumeric(byte) || byte == '-' || byte == '*' || byte == '?' ||
              (has_dots && byte == '.')))
            return has_dots ? "such a name has only a-z, 0-9, - and dots"
                            : "such a name has only a-z, 0-9 and -";
    }
    if (text.length && text.bytes[text.length - 1] == '-')
        return "such a name does not end in -; add a * to match all that begin so";
    if (text.length && text.bytes[0] == '-')
        return "such a name does not begin with -; put a * before it to match all that end so";
    return bytes_without_stars(text) > bytes_max ? "such a name is never so long" : NULL;
}

/* The empty namespace is that of objects without one. */
static int read_namespace(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    const char *problem = dns_problem(node->text, false, DNS_LABEL_BYTES_MAX);
    if (problem)
        report_useless(reader, path, node, problem);
    return 0;
}

/* apimachinery, api/validation/path: some kinds take any name that fits into a path. */
static const char *object_name_problem(struct slice text)
{
    if (text.length == 0)
        return "every object has a name; write \"*\" for any";
    if (has_alternatives(text) || has_character_class(text))
        return alternatives;
    if (slice_contains(text, '/'))
        return "an object's name has no slash; write its namespace in namespaces, its kind in kinds";
    if (text.bytes[0] == '!')
        return "! does not negate; write an override for the others, and one for these after it";
    if (text.bytes[0] == '^' || text.bytes[text.length - 1] == '$')
        return expression;
    return bytes_without_stars(text) > DNS_SUBDOMAIN_BYTES_MAX ? "such a name is never so long" : NULL;
}

static int read_object_name(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    const char *problem = object_name_problem(node->text);
    if (problem)
        report_useless(reader, path, node, problem);
    return 0;
}

static const char *manager_problem(struct slice text)
{
    if (has_alternatives(text) || has_character_class(text))
        return alternatives;
    return bytes_without_stars(text) > FIELD_MANAGER_BYTES_MAX
        ? "a field manager's name has at most 128 bytes"
        : NULL;
}

void config_check_manager(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    const char *problem = manager_problem(node->text);
    const char *managers = config_managers_of_tool(node->text);
    struct slice meant = manager_nearly(node->text);
    if (problem)
        report_useless(reader, path, node, problem);
    else if (managers)
        config_report(
            reader, POLICY_NOTE, path, node, "has the tool \"%s\", which writes as %s",
            yaml_excerpt(reader->arena, node->text), managers);
    else if (meant.length && !slice_contains(node->text, '*') && !slice_contains(node->text, '?'))
        config_report(
            reader, POLICY_NOTE, path, node, "has the field manager \"%s\"; did you mean \"%.*s\"?",
            yaml_excerpt(reader->arena, node->text), (int)meant.length, meant.bytes);
}

static int read_manager_name(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    config_check_manager(reader, path, node);
    return 0;
}

/*
 * Users and groups come from an authenticator that applyguard does not know: nearly any text may be a name.
 */
static void check_identity(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    if (node->text.length == 0)
        report_useless(reader, path, node, "nobody has an empty name; write \"*\" for everybody");
    else if (has_alternatives(node->text))
        report_useless(reader, path, node, alternatives);
    else if (has_character_class(node->text))
        config_report(
            reader, POLICY_NOTE, path, node,
            "takes [ and ] of \"%s\" as they are: patterns know * and ? only",
            yaml_excerpt(reader->arena, node->text));
}

static int read_user(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    if (slice_starts_with(node->text, prefix) && slice_contains(node->text, '/'))
        report_useless(
            reader, path, node,
            "such a user is system:serviceaccount:NAMESPACE:NAME; or list NAMESPACE/NAME in serviceAccounts");
    else
        check_identity(reader, path, node);
    return 0;
}

/* The API server keeps names that begin with "system:" for itself, so a near miss is a slip. */
static const char *const system_groups[] = {"system:masters",         "system:authenticated",
                                            "system:unauthenticated", "system:serviceaccounts",
                                            "system:nodes",           "system:monitoring"};

static void check_system_group(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    size_t count = ARRAY_SIZE(system_groups);
    struct slice name = node->text;
    if (!slice_starts_with(name, SLICE("system:")))
        return;
    const char *nearest = word_nearest(name, system_groups, count);
    if (nearest && !slice_equal(name, slice_of(nearest)) && !slice_contains(name, '*') &&
        !slice_contains(name, '?') && name.length + 1 >= strlen(nearest) &&
        name.length <= strlen(nearest) + 1)
        config_report(
            reader, POLICY_NOTE, path, node, "has the group \"%s\"; did you mean \"%s\"?",
            yaml_excerpt(reader->arena, name), nearest);
}

static int read_group(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    check_identity(reader, path, node);
    check_system_group(reader, path, node);
    return 0;
}

static int refuse_service_account(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    struct arena *arena = reader->arena;
    struct slice rest = slice_from(node->text, slice_starts_with(node->text, prefix) ? prefix.length : 0);
    size_t colon = slice_find(rest, ':');
    const char *found = yaml_excerpt(arena, node->text);
    if (rest.length < node->text.length && colon < rest.length)
        return config_refuse(
            reader, path, node, "must be NAMESPACE/NAME, not \"%s\"; did you mean \"%s/%s\"?", found,
            yaml_excerpt(arena, (struct slice){rest.bytes, colon}),
            yaml_excerpt(arena, slice_from(rest, colon + 1)));
    return config_refuse(reader, path, node, "must be NAMESPACE/NAME, such as argocd/*, not \"%s\"", found);
}

static int read_service_account(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    if (config_read_text(reader, path, node, target) < 0)
        return -1;
    struct slice namespace = {node->text.bytes, slice_find(node->text, '/')};
    struct slice name = slice_from(node->text, namespace.length);
    if (name.length == 0 || slice_contains(slice_from(name, 1), '/'))
        return refuse_service_account(reader, path, node);
    name = slice_from(name, 1);
    const char *problem = dns_problem(namespace, false, DNS_LABEL_BYTES_MAX);
    if (!problem)
        problem = dns_problem(name, true, DNS_SUBDOMAIN_BYTES_MAX);
    if (!problem && (!namespace.length || !name.length))
        problem = "a service account has a namespace and a name; write * for any";
    if (problem)
        report_useless(reader, path, node, problem);
    return 0;
}

int config_read_namespaces(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_namespace, target);
}

int config_read_object_names(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_object_name, target);
}

int config_read_manager_names(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_manager_name, target);
}

int config_read_users(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_user, target);
}

int config_read_groups(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_group, target);
}

int config_read_service_accounts(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node, void *target)
{
    return config_read_slices(reader, path, node, read_service_account, target);
}
