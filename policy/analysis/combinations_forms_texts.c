/*
 * Texts: names, paths, addresses, schedules.
 */
#include "base/find.h"
#include "policy/analysis/combinations_forms.h"

#include "base/array_size.h"
#include "base/ascii.h"
#include "base/base64.h"
#include "base/dns.h"
#include "base/ip.h"
#include "base/json.h"
#include "base/qualified_name.h"
#include "base/split.h"
#include "manifest/variable.h"
#include "policy/analysis/combinations_schedule.h"

/* A text that may be empty, and a placeholder. */
#define TEXT(name, is_text, words)                                                                           \
    const struct combination_form form_##name = {                                                            \
        .takes = combination_takes_text, .is = is_text, .sentence = words, .may_be_empty = true}

/* A text that may be a placeholder, but not empty. */
#define FILLED_TEXT(name, is_text, words)                                                                    \
    const struct combination_form form_##name = {                                                            \
        .takes = combination_takes_text, .is = is_text, .sentence = words}

/* A text that may be empty, but not a placeholder. */
#define EXACT_TEXT(name, is_text, words)                                                                     \
    const struct combination_form form_##name = {                                                            \
        .takes = combination_takes_text,                                                                     \
        .is = is_text,                                                                                       \
        .sentence = words,                                                                                   \
        .may_be_empty = true,                                                                                \
        .is_exact = true}

/*
 * Names
 */

#define PORT_NAME_BYTES_MAX 15

/* A name of a service (IsValidPortName). */
bool combination_is_port_name(struct slice name)
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

/* A dot may end it. */
static bool is_external_name(struct slice text)
{
    size_t dots = text.length && text.bytes[text.length - 1] == '.';
    return dns_is_subdomain(slice_until(text, text.length - dots));
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

static bool has_no_equals_sign(struct slice text)
{
    return !slice_contains(text, '=');
}

static bool has_slash(struct slice text)
{
    return slice_contains(text, '/');
}

static bool has_no_spaces_around(struct slice text)
{
    return slice_trim(text).length == text.length;
}

/* Three parts at least. */
static bool is_webhook_name(struct slice name)
{
    size_t parts = 0;
    for (struct slice rest = name; rest.length; parts++)
        split_next(&rest, '.');
    return dns_is_subdomain(name) && parts >= 3;
}

static bool is_http_header(struct slice name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!ascii_is_alphanumeric(name.bytes[i]) && name.bytes[i] != '-')
            return false;
    return name.length;
}

/* Some versions take underscores, and a dot alone. */
static bool is_search_domain(struct slice text)
{
    return slice_equal(text, SLICE(".")) || slice_contains(text, '_') || is_external_name(text);
}

static bool is_kernel_setting(struct slice name)
{
    for (size_t i = 0; i < name.length; i++)
        if (!ascii_is_lower_alphanumeric(name.bytes[i]) && !slice_contains(SLICE("-_./"), name.bytes[i]))
            return false;
    return name.length && ascii_is_lower_alphanumeric(name.bytes[0]) &&
        ascii_is_lower_alphanumeric(name.bytes[name.length - 1]);
}

/* A name can be a part of a path (apimachinery, api/validation/path). */
static bool is_path_segment(struct slice name)
{
    return !slice_contains(name, '/') && !slice_contains(name, '%') && !slice_equal(name, SLICE(".")) &&
        !slice_equal(name, SLICE(".."));
}

/* A label that begins with a letter (IsDNS1035Label). */
static bool is_dns_word(struct slice text)
{
    return dns_is_label(text) && ascii_is_lower(text.bytes[0]);
}

bool combination_is_resource(struct slice name)
{
    static const char words[] =
        "cpu memory ephemeral-storage storage requests.cpu requests.memory requests.storage "
        "requests.ephemeral-storage limits.cpu limits.memory limits.ephemeral-storage pods resourcequotas "
        "services replicationcontrollers secrets configmaps persistentvolumeclaims services.nodeports "
        "services.loadbalancers";
    return slice_contains(name, '/') || slice_starts_with(name, SLICE("hugepages-")) ||
        slice_starts_with(name, SLICE("requests.hugepages-")) || split_has(slice_of(words), ' ', name) ||
        combination_is_placeholder(name);
}

static bool is_resource_of_container(struct slice name)
{
    static const char words[] = "cpu memory ephemeral-storage storage";
    return slice_contains(name, '/') || slice_starts_with(name, SLICE("hugepages-")) ||
        split_has(slice_of(words), ' ', name);
}

static bool is_limit_type(struct slice type)
{
    return slice_contains(type, '/') || split_has(SLICE("Container PersistentVolumeClaim Pod"), ' ', type);
}

#define LOWERED_BYTES_MAX 320

/* Whether it has the form in lower case. A longer text has none of these forms. */
static bool is_in_lower_case(struct slice text, bool (*is)(struct slice text))
{
    char lowered[LOWERED_BYTES_MAX];
    if (text.length > sizeof(lowered))
        return false;
    for (size_t i = 0; i < text.length; i++)
        lowered[i] = ascii_to_lower(text.bytes[i]);
    return is((struct slice){lowered, text.length});
}

static bool is_driver(struct slice name)
{
    return is_in_lower_case(name, dns_is_subdomain);
}

static bool is_provisioner(struct slice name)
{
    return is_in_lower_case(name, qualified_name_is_valid);
}

#define LABEL_WORDS                                                                                          \
    "it must have at most 63 characters a-z, 0-9 and -, and begin and end with a letter or digit"
#define SUBDOMAIN_WORDS                                                                                      \
    "it must have a-z, 0-9, - and dots only, and begin and end each part with a letter or digit"

TEXT(label, dns_is_label, LABEL_WORDS);
TEXT(subdomain, dns_is_subdomain, SUBDOMAIN_WORDS);
TEXT(external_name, is_external_name, SUBDOMAIN_WORDS);
TEXT(
    port_name, combination_is_port_name,
    "a name of a port has at most 15 characters a-z, 0-9 and -, and a letter");
TEXT(key, qualified_name_is_valid, "it must have the form of a label's key");
FILLED_TEXT(filled_key, qualified_name_is_valid, "it must have the form of a label's key");
FILLED_TEXT(namespace, dns_is_label, LABEL_WORDS);
FILLED_TEXT(host_name, dns_is_subdomain, SUBDOMAIN_WORDS);
FILLED_TEXT(search, is_search_domain, SUBDOMAIN_WORDS);
TEXT(header, is_http_header, "a name of a header has letters, digits and - only");
TEXT(kernel_setting, is_kernel_setting, "it must be the name of a sysctl, such as net.core.somaxconn");
TEXT(path_segment, is_path_segment, "it may not have / or % in it");
TEXT(dns_word, is_dns_word, "it must have a-z, 0-9 and - only, and begin with a letter");
TEXT(resource, is_resource_of_container, "it must be cpu, memory or another resource of containers");
TEXT(limit_type, is_limit_type, "it must be Container, Pod or PersistentVolumeClaim");
TEXT(driver, is_driver, "it must have letters, digits, - and dots only, such as csi.example.com");
TEXT(provisioner, is_provisioner, "it must have the form of a label's key");
TEXT(label_value, label_value_is_valid, "it must have the form of a label's value");
TEXT(data_key, combination_is_data_key, "a key has letters, digits, -, _ and dots only");
TEXT(domain_path, has_slash, "it must be a domain, a slash and a name, such as example.com/web");
TEXT(webhook_name, is_webhook_name, "it must be a name in DNS with three parts or more");
TEXT(base64, base64_is_valid, "it is not base64");
EXACT_TEXT(variable_name, has_no_equals_sign, "a name of a variable has no =");
EXACT_TEXT(image, has_no_spaces_around, "it may not begin or end with a space");

/*
 * Fields of a pod that its variables and files can show
 */

/* metadata.labels['KEY'] */
static bool is_label_or_annotation(struct slice text)
{
    return slice_starts_with(text, SLICE("metadata.labels['")) ||
        slice_starts_with(text, SLICE("metadata.annotations['"));
}

static bool is_variable_field(struct slice text)
{
    static const char words[] =
        "metadata.name metadata.namespace metadata.uid spec.nodeName spec.serviceAccountName status.hostIP "
        "status.hostIPs status.podIP status.podIPs";
    return is_label_or_annotation(text) || split_has(slice_of(words), ' ', text);
}

static bool is_file_field(struct slice text)
{
    static const char words[] =
        "metadata.name metadata.namespace metadata.uid metadata.labels metadata.annotations";
    return is_label_or_annotation(text) || split_has(slice_of(words), ' ', text);
}

static bool is_resource_field(struct slice text)
{
    static const char words[] =
        "limits.cpu limits.memory limits.ephemeral-storage requests.cpu requests.memory "
        "requests.ephemeral-storage";
    return slice_starts_with(text, SLICE("limits.hugepages-")) ||
        slice_starts_with(text, SLICE("requests.hugepages-")) || split_has(slice_of(words), ' ', text);
}

EXACT_TEXT(
    variable_field, is_variable_field,
    "a variable cannot show this; it can show metadata.name, spec.nodeName, status.podIP and a few others");
EXACT_TEXT(
    file_field, is_file_field, "a file can show metadata.name, namespace, uid, labels and annotations only");
EXACT_TEXT(
    resource_field, is_resource_field,
    "it must be limits. or requests. and cpu, memory, ephemeral-storage or hugepages");

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

static bool has_no_dots(struct slice path)
{
    return !has_dots(path);
}

static bool is_relative_path(struct slice path)
{
    return !slice_starts_with(path, SLICE("/")) && !has_dots(path);
}

static bool is_file_path(struct slice path)
{
    return is_relative_path(path) && !slice_starts_with(path, SLICE(".."));
}

static bool is_absolute_path(struct slice path)
{
    return slice_starts_with(path, SLICE("/"));
}

/* The item of an Ingress with a path. */
static bool takes_http_path(yyjson_val *item, const struct combination_form *form)
{
    static const struct slice refused[] = {
        SLICE_LITERAL("//"), SLICE_LITERAL("/./"), SLICE_LITERAL("/../"), SLICE_LITERAL("%2f"),
        SLICE_LITERAL("%2F")};
    struct slice path = json_text(json_member(item, SLICE("path"))),
                 type = json_text(json_member(item, SLICE("pathType")));
    (void)form;
    if (variable_or_template_is_in(path) || combination_is_placeholder(path))
        return true;
    if (!slice_equal(type, SLICE("Prefix")) && !slice_equal(type, SLICE("Exact")))
        return !path.length || path.bytes[0] == '/' || !slice_equal(type, SLICE("ImplementationSpecific"));
    for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
        if (slice_contains_text(path, refused[i]))
            return false;
    return slice_starts_with(path, SLICE("/")) && !slice_ends_with(path, SLICE("/..")) &&
        !slice_ends_with(path, SLICE("/."));
}

static bool begins_with_dot(struct slice path)
{
    return slice_starts_with(path, SLICE("."));
}

TEXT(simple_path, begins_with_dot, "it must begin with a dot, such as .spec.replicas");
EXACT_TEXT(relative_path, is_relative_path, "it must be a relative path without ..");
EXACT_TEXT(file_path, is_file_path, "it must be a relative path that neither has nor begins with ..");
EXACT_TEXT(path_without_dots, has_no_dots, "it may not have .. in it");
TEXT(absolute_path, is_absolute_path, "it must begin with /");
const struct combination_form form_http_path = {
    .takes = takes_http_path,
    .sentence = "its path must begin with /; Prefix and Exact take no //, /./, /../ or %2F in it either"};

/*
 * Addresses
 */

static bool is_address(struct slice text)
{
    struct ip ip;
    return ip_parse(text, &ip);
}

static bool is_in(const struct ip *ip, const char *range)
{
    struct ip prefix;
    unsigned bits;
    return ip_range_parse(slice_of(range), &prefix, &bits) && ip_has_prefix(ip, &prefix, bits);
}

/* Neither of this machine nor of a link (ValidateNonSpecialIP). */
static bool is_outside_address(struct slice text)
{
    static const char *const ranges[] = {"0.0.0.0/32", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/24",
                                         "::/128",     "::1/128",     "fe80::/10"};
    struct ip ip;
    if (!ip_parse(text, &ip))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(ranges); i++)
        if (is_in(&ip, ranges[i]))
            return false;
    return true;
}

static bool is_cluster_address(struct slice text)
{
    return slice_equal(text, SLICE("None")) || is_address(text);
}

/* Some fields are read without the spaces around a range. */
static bool is_range(struct slice text)
{
    struct ip ip;
    unsigned bits;
    return ip_range_parse(slice_trim(text), &ip, &bits);
}

/* A name, or *. in front of one. */
static bool is_host(struct slice host)
{
    return dns_is_subdomain(slice_from(host, slice_starts_with(host, SLICE("*.")) ? 2 : 0));
}

static bool is_host_without_address(struct slice host)
{
    return is_host(host) && !is_address(host);
}

static bool is_webhook_url(struct slice url)
{
    return slice_starts_with(url, SLICE("https://")) && !slice_contains(url, '?') &&
        !slice_contains(url, '#');
}

#define HOST_WORDS "it must be a name in DNS in lower case, without a port, or *. and such a name"

FILLED_TEXT(address, is_address, "it is not an IP address");
FILLED_TEXT(
    outside_address, is_outside_address, "it must be an IP address, not one of a machine itself or a link");
TEXT(cluster_address, is_cluster_address, "it must be an IP address, or None");
FILLED_TEXT(range, is_range, "it must be a range of IP addresses, such as 10.0.0.0/8");
TEXT(host, is_host_without_address, HOST_WORDS);
FILLED_TEXT(host_of_certificate, is_host, HOST_WORDS);
FILLED_TEXT(webhook_url, is_webhook_url, "it must begin with https:// and have neither ? nor #");

/*
 * Times
 */

static bool is_schedule(struct slice text)
{
    return slice_contains(text, '<') || schedule_is_valid(text);
}

const struct combination_form form_schedule = {
    .takes = combination_takes_text,
    .is = is_schedule,
    .sentence =
        "it must have five fields of cron, such as 0 3 * * *, or be one of @daily and its like; no TZ=",
    .may_be_empty = true,
    .is_exact = true,
    .has_capitals = true};
const struct combination_form form_time_zone = {
    .takes = combination_takes_text,
    .is = time_zone_may_be,
    .sentence = "it must be the name of a time zone, such as Europe/Berlin or Etc/UTC",
    .is_exact = true};
