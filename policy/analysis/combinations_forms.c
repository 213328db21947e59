#include "policy/analysis/combinations_forms.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/dns.h"
#include "base/each_member.h"
#include "base/ip.h"
#include "base/json.h"
#include "base/qualified_name.h"
#include "base/quantity.h"
#include "base/split.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_schedule.h"

#define UNUSED(form) (void)(form)

/* So many capitals in a row are no mistake in a name, but a word that something replaces. */
#define PLACEHOLDER_CAPITALS 6
#define PLACEHOLDER_CAPITALS_WITH_UNDERSCORE 4

/* The longest run of capitals and underscores. */
static size_t count_capitals(struct slice text)
{
    size_t capitals = 0, most = 0;
    for (size_t i = 0; i < text.length; i++) {
        char letter = text.bytes[i];
        bool is_capital = (letter >= 'A' && letter <= 'Z') || letter == '_';
        capitals = is_capital ? capitals + 1 : 0;
        most = capitals > most ? capitals : most;
    }
    return most;
}

bool combination_is_marked(struct slice text)
{
    static const char marks[] = "<$[";
    struct slice behind = slice_from(text, slice_find(text, '@') + 1);
    for (const char *mark = marks; *mark; mark++)
        if (slice_contains(text, *mark))
            return true;
    return variable_or_template_is_in(text) || slice_contains(behind, '@') ||
        (slice_contains(text, '_') && count_capitals(text) >= PLACEHOLDER_CAPITALS_WITH_UNDERSCORE);
}

bool combination_is_placeholder(struct slice text)
{
    return slice_contains(text, '{') || combination_is_marked(text) ||
        count_capitals(text) >= PLACEHOLDER_CAPITALS;
}

const char *combination_form_problem(const struct combination_form *form, yyjson_val *value)
{
    bool is_replaced = yyjson_is_str(value) &&
        (form && form->has_capitals ? variable_or_template_is_in(json_text(value))
                                    : combination_is_marked(json_text(value)));
    if (!form || !value || is_replaced)
        return NULL;
    return form->takes(value, form) ? NULL : form->sentence;
}

/*
 * Numbers
 */

static bool takes_number(yyjson_val *value, const struct combination_form *form)
{
    if (yyjson_is_uint(value))
        return yyjson_get_uint(value) <= (uint64_t)form->most &&
            yyjson_get_uint(value) >= (uint64_t)form->least;
    return !yyjson_is_sint(value) || yyjson_get_sint(value) >= form->least;
}

#define NUMBER(name, least, most, sentence)                                                                  \
    const struct combination_form form_##name = {takes_number, least, most, sentence, false}

NUMBER(port, 1, UINT16_MAX, "a port is from 1 to 65535");
NUMBER(port_or_zero, 0, UINT16_MAX, "a port is from 1 to 65535");
NUMBER(count, 0, INT32_MAX, "it must be from 0 to 2147483647");
NUMBER(seconds, 0, INT64_MAX, "it may not be negative");
NUMBER(positive, 1, INT32_MAX, "it must be from 1 to 2147483647");
NUMBER(positive_seconds, 1, INT64_MAX, "it must be 1 or more");
NUMBER(weight, 1, 100, "a weight is from 1 to 100");
NUMBER(mode, 0, 0777, "a mode is at most 0777 in octal; write 0644 with the 0 in front, or 420");
NUMBER(once, 0, 1, "it must be 1 in this probe");
NUMBER(window, 0, 3600, "it must be from 0 to 3600");
NUMBER(period, 1, 1800, "it must be from 1 to 1800");
NUMBER(timeout, 1, 30, "it must be from 1 to 30");
NUMBER(token_seconds, 600, (int64_t)1 << 32, "it must be 600, ten minutes, or more");
NUMBER(group_priority, 1, 20000, "it must be from 1 to 20000");
NUMBER(version_priority, 1, 1000, "it must be from 1 to 1000");
NUMBER(precedence, 0, 10000, "it must be from 1 to 10000");

/*
 * Numbers, or texts
 */

#define PORT_NAME_BYTES_MAX 15

/* A name of a service (IsValidPortName). */
static bool is_port_name(struct slice name)
{
    bool has_letter = false, was_dash = true;
    for (size_t i = 0; i < name.length; i++) {
        bool is_dash = name.bytes[i] == '-';
        if ((is_dash && was_dash) || (!is_dash && !ascii_is_lower_alphanumeric(name.bytes[i])))
            return false;
        has_letter = has_letter || ascii_is_lower(name.bytes[i]);
        was_dash = is_dash;
    }
    return has_letter && !was_dash && name.length <= PORT_NAME_BYTES_MAX;
}

static bool takes_port_or_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    if (!yyjson_is_str(value))
        return takes_number(value, form);
    return (form->least == 0 && !text.length) || is_port_name(text) || combination_is_placeholder(text);
}

#define PORT_OR_NAME "it must be a number from 1 to 65535 without quotes, or a name such as http"

const struct combination_form form_port_or_name = {takes_port_or_name, 1, UINT16_MAX, PORT_OR_NAME, false};
const struct combination_form form_target_port = {takes_port_or_name, 0, UINT16_MAX, PORT_OR_NAME, false};

/* Digits that are followed by %. */
static bool takes_percentage(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    int64_t percent = 0;
    if (!yyjson_is_str(value))
        return !yyjson_is_sint(value) || yyjson_get_sint(value) >= 0;
    if (text.length < 2 || text.bytes[text.length - 1] != '%')
        return false;
    for (size_t i = 0; i + 1 < text.length; i++) {
        if (!ascii_is_digit(text.bytes[i]))
            return false;
        percent = percent <= form->most ? percent * 10 + (text.bytes[i] - '0') : percent;
    }
    return percent <= form->most;
}

const struct combination_form form_percentage = {
    takes_percentage, 0, INT32_MAX, "it must be a number without quotes, or a percentage such as 25%", false};
const struct combination_form form_share = {
    takes_percentage, 0, 100, "it must be a number without quotes, or a percentage from 0% to 100%", false};

/*
 * Names
 */

#define TEXT(name, takes, sentence) const struct combination_form form_##name = {takes, 0, 0, sentence, false}

static bool takes_label(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || dns_is_label(text) || combination_is_placeholder(text);
}

static bool takes_subdomain(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || dns_is_subdomain(text) || combination_is_placeholder(text);
}

/* A dot may end it. */
static bool takes_external_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    if (text.length && text.bytes[text.length - 1] == '.')
        text.length--;
    return !yyjson_get_len(value) || dns_is_subdomain(text) || combination_is_placeholder(text);
}

static bool takes_port_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || is_port_name(text) || combination_is_placeholder(text);
}

static bool takes_key(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || qualified_name_is_valid(text) || combination_is_placeholder(text);
}

static bool takes_label_value(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return label_value_is_valid(text) || combination_is_placeholder(text);
}

static bool takes_labels(yyjson_val *labels, const struct combination_form *form)
{
    yyjson_val *key, *value;
    size_t index, count;
    each_member(labels, index, count, key, value)
    {
        if (!combination_form_problem(&form_key, key) && !combination_form_problem(&form_label_value, value))
            continue;
        return false;
    }
    UNUSED(form);
    return true;
}

#define DATA_KEY_BYTES_MAX 253

bool combination_is_data_key(struct slice key)
{
    if (!key.length || key.length > DATA_KEY_BYTES_MAX || slice_equal(key, SLICE(".")) ||
        slice_starts_with(key, SLICE("..")))
        return false;
    for (size_t i = 0; i < key.length; i++) {
        char letter = key.bytes[i];
        if (!ascii_is_alphanumeric(letter) && letter != '-' && letter != '_' && letter != '.')
            return false;
    }
    return true;
}

static bool takes_data_key(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || combination_is_data_key(text) || combination_is_placeholder(text);
}

static bool takes_variable_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !slice_contains(text, '=');
}

static bool takes_image(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || (!ascii_is_space(text.bytes[0]) && !ascii_is_space(text.bytes[text.length - 1]));
}

static bool takes_domain_path(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return !text.length || slice_contains(text, '/') || combination_is_placeholder(text);
}

#define LABEL_WORDS                                                                                          \
    "it must have at most 63 characters a-z, 0-9 and -, and begin and end with a letter or digit"
#define SUBDOMAIN_WORDS                                                                                      \
    "it must have a-z, 0-9, - and dots only, and begin and end each part with a letter or digit"

TEXT(label, takes_label, LABEL_WORDS);
TEXT(subdomain, takes_subdomain, SUBDOMAIN_WORDS);
TEXT(external_name, takes_external_name, SUBDOMAIN_WORDS);
TEXT(port_name, takes_port_name, "a name of a port has at most 15 characters a-z, 0-9 and -, and a letter");
TEXT(key, takes_key, "it must have the form of a label's key");
TEXT(label_value, takes_label_value, "it must have the form of a label's value");
TEXT(labels, takes_labels, "its keys and values must have the form of labels");
TEXT(data_key, takes_data_key, "a key has letters, digits, -, _ and dots only");
TEXT(variable_name, takes_variable_name, "a name of a variable has no =");
TEXT(domain_path, takes_domain_path, "it must be a domain, a slash and a name, such as example.com/web");
TEXT(image, takes_image, "it may not begin or end with a space");

/*
 * Fields of a pod that its variables and files can show
 */

static bool is_word_of(yyjson_val *value, const char *words)
{
    struct slice text = json_text(value);
    return !text.length || split_has(slice_of(words), ' ', text);
}

/* metadata.labels['KEY'] */
static bool is_label_or_annotation(yyjson_val *value)
{
    struct slice text = json_text(value);
    return slice_starts_with(text, SLICE("metadata.labels['")) ||
        slice_starts_with(text, SLICE("metadata.annotations['"));
}

static bool takes_variable_field(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return is_label_or_annotation(value) ||
        is_word_of(
               value,
               "metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName "
               "status.hostIP status.hostIPs status.podIP status.podIPs");
}

static bool takes_file_field(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return is_label_or_annotation(value) ||
        is_word_of(
               value, "metadata.name metadata.namespace metadata.uid metadata.labels metadata.annotations");
}

static bool takes_resource_field(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    return slice_starts_with(text, SLICE("limits.hugepages-")) ||
        slice_starts_with(text, SLICE("requests.hugepages-")) ||
        is_word_of(
               value,
               "limits.cpu limits.memory limits.ephemeral-storage requests.cpu requests.memory "
               "requests.ephemeral-storage");
}

TEXT(
    variable_field, takes_variable_field,
    "a variable cannot show this; it can show metadata.name, spec.nodeName, status.podIP and a few others");
TEXT(
    file_field, takes_file_field,
    "a file can show metadata.name, namespace, uid, labels and annotations only");
TEXT(
    resource_field, takes_resource_field,
    "it must be limits. or requests. and cpu, memory, ephemeral-storage or hugepages");

/*
 * Requirements of selectors
 */

static bool has_operator(yyjson_val *requirement, const char *first, const char *second)
{
    struct slice operator= json_text(json_member(requirement, SLICE("operator")));
    return slice_equal(operator, slice_of(first)) || slice_equal(operator, slice_of(second));
}

/* The values, unless something replaces them. */
static bool takes_requirement(yyjson_val *requirement, const struct combination_form *form)
{
    yyjson_val *values = json_member(requirement, SLICE("values"));
    UNUSED(form);
    if (values && !yyjson_is_null(values) && !yyjson_is_arr(values))
        return true;
    if (has_operator(requirement, "In", "NotIn"))
        return yyjson_arr_size(values);
    if (has_operator(requirement, "Gt", "Lt"))
        return yyjson_arr_size(values) == 1;
    return !has_operator(requirement, "Exists", "DoesNotExist") || !yyjson_arr_size(values);
}

TEXT(
    requirement, takes_requirement,
    "values are there with In and NotIn, and may not be there with Exists and DoesNotExist");
TEXT(
    node_requirement, takes_requirement,
    "In and NotIn need values, Gt and Lt need one, and Exists and DoesNotExist may have none");

/*
 * Paths
 */

/* Whether one of the parts between slashes is "..". */
static bool has_dots(struct slice path)
{
    while (path.length)
        if (slice_equal(split_next(&path, '/'), SLICE("..")))
            return true;
    return false;
}

static bool takes_relative_path(yyjson_val *value, const struct combination_form *form)
{
    struct slice path = json_text(value);
    UNUSED(form);
    return !slice_starts_with(path, SLICE("/")) && !has_dots(path);
}

static bool takes_file_path(yyjson_val *value, const struct combination_form *form)
{
    return takes_relative_path(value, form) && !slice_starts_with(json_text(value), SLICE(".."));
}

static bool takes_path_without_dots(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return !has_dots(json_text(value));
}

static bool takes_absolute_path(yyjson_val *value, const struct combination_form *form)
{
    struct slice path = json_text(value);
    UNUSED(form);
    return !path.length || path.bytes[0] == '/' || combination_is_placeholder(path);
}

static bool contains(struct slice text, struct slice part)
{
    for (; text.length >= part.length; text = slice_from(text, 1))
        if (slice_starts_with(text, part))
            return true;
    return false;
}

/* The item of an Ingress with a path. */
static bool takes_http_path(yyjson_val *item, const struct combination_form *form)
{
    static const struct slice refused[] = {
        SLICE_LITERAL("//"), SLICE_LITERAL("/./"), SLICE_LITERAL("/../"), SLICE_LITERAL("%2f"),
        SLICE_LITERAL("%2F")};
    struct slice path = json_text(json_member(item, SLICE("path"))),
                 type = json_text(json_member(item, SLICE("pathType")));
    UNUSED(form);
    if (variable_or_template_is_in(path) || combination_is_placeholder(path))
        return true;
    if (!slice_equal(type, SLICE("Prefix")) && !slice_equal(type, SLICE("Exact")))
        return !path.length || path.bytes[0] == '/' || !slice_equal(type, SLICE("ImplementationSpecific"));
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
        if (contains(path, refused[i]))
            return false;
    return slice_starts_with(path, SLICE("/")) && !slice_ends_with(path, SLICE("/..")) &&
        !slice_ends_with(path, SLICE("/."));
}

TEXT(relative_path, takes_relative_path, "it must be a relative path without ..");
TEXT(file_path, takes_file_path, "it must be a relative path that neither has nor begins with ..");
TEXT(path_without_dots, takes_path_without_dots, "it may not have .. in it");
TEXT(absolute_path, takes_absolute_path, "it must begin with /");
TEXT(
    http_path, takes_http_path,
    "its path must begin with /; Prefix and Exact take no //, /./, /../ or %2F in it either");

/*
 * Addresses
 */

static bool takes_address(yyjson_val *value, const struct combination_form *form)
{
    struct ip ip;
    struct slice text = json_text(value);
    UNUSED(form);
    return !yyjson_is_str(value) || ip_parse(text, &ip) || combination_is_placeholder(text);
}

static bool is_in(const struct ip *ip, const char *range)
{
    struct ip prefix;
    unsigned bits;
    return ip_range_parse(slice_of(range), &prefix, &bits) && ip_has_prefix(ip, &prefix, bits);
}

/* Neither of this machine nor of a link (ValidateNonSpecialIP). */
static bool takes_outside_address(yyjson_val *value, const struct combination_form *form)
{
    static const char *const ranges[] = {"0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/24",
                                         "::/128",     "::1/128",     "fe80::/10"};
    struct ip ip;
    if (!ip_parse(json_text(value), &ip))
        return takes_address(value, form);
    for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
        if (is_in(&ip, ranges[i]))
            return false;
    return true;
}

static bool takes_cluster_address(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    return !text.length || slice_equal(text, SLICE("None")) || takes_address(value, form);
}

/* Some fields are read without the spaces around a range. */
static bool takes_range(yyjson_val *value, const struct combination_form *form)
{
    struct ip ip;
    unsigned bits;
    struct slice text = json_text(value);
    UNUSED(form);
    return !yyjson_is_str(value) || ip_range_parse(slice_trim(text), &ip, &bits) ||
        combination_is_placeholder(text);
}

/* A name, or *. in front of one. */
static bool is_host(struct slice host)
{
    return dns_is_subdomain(slice_from(host, slice_starts_with(host, SLICE("*.")) ? 2 : 0));
}

static bool takes_host(yyjson_val *value, const struct combination_form *form)
{
    struct ip ip;
    struct slice host = json_text(value);
    UNUSED(form);
    return !host.length || (is_host(host) && !ip_parse(host, &ip)) || combination_is_placeholder(host);
}

static bool takes_host_of_certificate(yyjson_val *value, const struct combination_form *form)
{
    struct slice host = json_text(value);
    UNUSED(form);
    return !yyjson_is_str(value) || is_host(host) || combination_is_placeholder(host);
}

#define HOST_WORDS "it must be a name in DNS in lower case, without a port, or *. and such a name"

TEXT(address, takes_address, "it is not an IP address");
TEXT(
    outside_address, takes_outside_address,
    "it must be an IP address, not one of a machine itself or a link");
TEXT(cluster_address, takes_cluster_address, "it must be an IP address, or None");
TEXT(range, takes_range, "it must be a range of IP addresses, such as 10.0.0.0/8");
TEXT(host, takes_host, HOST_WORDS);
TEXT(host_of_certificate, takes_host_of_certificate, HOST_WORDS);

/*
 * Others
 */

static bool takes_schedule(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return !yyjson_get_len(value) || slice_contains(json_text(value), '<') ||
        schedule_is_valid(json_text(value));
}

static bool takes_time_zone(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return time_zone_may_be(json_text(value));
}

static bool takes_amount(yyjson_val *value, const struct combination_form *form)
{
    struct slice text = json_text(value);
    UNUSED(form);
    if (yyjson_is_str(value))
        return (quantity_is_valid(text) && !slice_starts_with(text, SLICE("-"))) ||
            combination_is_placeholder(text);
    return !yyjson_is_num(value) || yyjson_get_num(value) >= 0;
}

static bool takes_nothing(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return !value;
}

static bool takes_false(yyjson_val *value, const struct combination_form *form)
{
    UNUSED(form);
    return !yyjson_is_true(value);
}

/* Three parts at least. */
static bool takes_webhook_name(yyjson_val *value, const struct combination_form *form)
{
    struct slice name = json_text(value), rest = name;
    size_t parts = 0;
    UNUSED(form);
    for (; rest.length; parts++)
        split_next(&rest, '.');
    return !name.length || (dns_is_subdomain(name) && parts >= 3) || combination_is_placeholder(name);
}

static bool takes_webhook_url(yyjson_val *value, const struct combination_form *form)
{
    struct slice url = json_text(value);
    UNUSED(form);
    return slice_starts_with(url, SLICE("https://")) ? !slice_contains(url, '?') && !slice_contains(url, '#')
                                                     : combination_is_placeholder(url);
}

/* A profile of seccomp or AppArmor. */
static bool takes_profile(yyjson_val *profile, const struct combination_form *form)
{
    struct slice type = json_text(json_member(profile, SLICE("type")));
    bool has_file = json_text(json_member(profile, SLICE("localhostProfile"))).length;
    UNUSED(form);
    return !yyjson_is_obj(profile) || !type.length || variable_or_template_is_in(type) ||
        slice_equal(type, SLICE("Localhost")) == has_file;
}

const struct combination_form form_schedule = {
    takes_schedule, 0, 0,
    "it must have five fields of cron, such as 0 3 * * *, or be one of @daily and its like; no TZ=", true};
TEXT(time_zone, takes_time_zone, "it must be the name of a time zone, such as Europe/Berlin or Etc/UTC");
TEXT(amount, takes_amount, "it must be an amount that is not negative, such as 500Mi");
TEXT(absent, takes_nothing, "this probe may not have it");
TEXT(false, takes_false, "it may not be true");
TEXT(webhook_name, takes_webhook_name, "it must be a name in DNS with three parts or more");
TEXT(webhook_url, takes_webhook_url, "it must begin with https:// and have neither ? nor #");
TEXT(profile, takes_profile, "localhostProfile is there with type: Localhost, and only with it");
