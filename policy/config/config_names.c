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

static void report_useless(const struct config_value *value, const char *why)
{
    config_report(value, POLICY_NO_EFFECT, "never matches \"%s\": %s", config_excerpt(value), why);
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
int config_read_namespace(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    const char *problem = dns_problem(value->node->text, false, DNS_LABEL_BYTES_MAX);
    if (problem)
        report_useless(value, problem);
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

int config_read_object_name(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    const char *problem = object_name_problem(value->node->text);
    if (problem)
        report_useless(value, problem);
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

static void check_manager(const struct config_value *value)
{
    const char *problem = manager_problem(value->node->text);
    const char *managers = config_managers_of_tool(value->node->text);
    struct slice meant = manager_nearly(value->node->text);
    if (problem)
        report_useless(value, problem);
    else if (managers)
        config_report(
            value, POLICY_NOTE, "has the tool \"%s\", which writes as %s", config_excerpt(value), managers);
    else if (
        meant.length && !slice_contains(value->node->text, '*') && !slice_contains(value->node->text, '?'))
        config_report(
            value, POLICY_NOTE, "has the field manager \"%s\"; did you mean \"%.*s\"?", config_excerpt(value),
            (int)meant.length, meant.bytes);
}

int config_read_manager_name(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    check_manager(value);
    return 0;
}

int config_read_manager(const struct config_value *value, void *target)
{
    if (config_expect_text(value, "\"ci-*\"") < 0)
        return -1;
    if (value->node->text.length == 0)
        return config_refuse(value, "is empty; write \"*\" for every manager");
    return config_read_manager_name(value, target);
}

/*
 * Users and groups come from an authenticator that applyguard does not know: nearly any text may be a name.
 */
static void check_identity(const struct config_value *value)
{
    if (value->node->text.length == 0)
        report_useless(value, "nobody has an empty name; write \"*\" for everybody");
    else if (has_alternatives(value->node->text))
        report_useless(value, alternatives);
    else if (has_character_class(value->node->text))
        config_report(
            value, POLICY_NOTE, "takes [ and ] of \"%s\" as they are: patterns know * and ? only",
            config_excerpt(value));
}

int config_read_user(const struct config_value *value, void *target)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    if (config_read_text(value, target) < 0)
        return -1;
    if (slice_starts_with(value->node->text, prefix) && slice_contains(value->node->text, '/'))
        report_useless(
            value,
            "such a user is system:serviceaccount:NAMESPACE:NAME; or list NAMESPACE/NAME in serviceAccounts");
    else
        check_identity(value);
    return 0;
}

/* The API server keeps names that begin with "system:" for itself, so a near miss is a slip. */
static const char *const system_groups[] = {"system:masters",         "system:authenticated",
                                            "system:unauthenticated", "system:serviceaccounts",
                                            "system:nodes",           "system:monitoring"};

static void check_system_group(const struct config_value *value)
{
    size_t count = ARRAY_SIZE(system_groups);
    struct slice name = value->node->text;
    if (!slice_starts_with(name, SLICE("system:")))
        return;
    const char *nearest = word_nearest(name, system_groups, count);
    if (nearest && !slice_equal(name, slice_of(nearest)) && !slice_contains(name, '*') &&
        !slice_contains(name, '?') && name.length + 1 >= strlen(nearest) &&
        name.length <= strlen(nearest) + 1)
        config_report(
            value, POLICY_NOTE, "has the group \"%s\"; did you mean \"%s\"?",
            yaml_excerpt(value->reader->arena, name), nearest);
}

int config_read_group(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    check_identity(value);
    check_system_group(value);
    return 0;
}

static int refuse_service_account(const struct config_value *value)
{
    static const struct slice prefix = SLICE_LITERAL("system:serviceaccount:");
    struct arena *arena = value->reader->arena;
    struct slice rest =
        slice_from(value->node->text, slice_starts_with(value->node->text, prefix) ? prefix.length : 0);
    size_t colon = slice_find(rest, ':');
    const char *found = yaml_excerpt(arena, value->node->text);
    if (rest.length < value->node->text.length && colon < rest.length)
        return config_refuse(
            value, "must be NAMESPACE/NAME, not \"%s\"; did you mean \"%s/%s\"?", found,
            yaml_excerpt(arena, (struct slice){rest.bytes, colon}),
            yaml_excerpt(arena, slice_from(rest, colon + 1)));
    return config_refuse(value, "must be NAMESPACE/NAME, such as argocd/*, not \"%s\"", found);
}

int config_read_service_account(const struct config_value *value, void *target)
{
    if (config_read_text(value, target) < 0)
        return -1;
    struct slice namespace = {value->node->text.bytes, slice_find(value->node->text, '/')};
    struct slice name = slice_from(value->node->text, namespace.length);
    if (name.length == 0 || slice_contains(slice_from(name, 1), '/'))
        return refuse_service_account(value);
    name = slice_from(name, 1);
    const char *problem = dns_problem(namespace, false, DNS_LABEL_BYTES_MAX);
    if (!problem)
        problem = dns_problem(name, true, DNS_SUBDOMAIN_BYTES_MAX);
    if (!problem && (!namespace.length || !name.length))
        problem = "a service account has a namespace and a name; write * for any";
    if (problem)
        report_useless(value, problem);
    return 0;
}
