#include "certs/names.h"

#include "base/array_size.h"
#include "base/dns.h"
#include "certs/problem.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

GENERAL_NAMES *names_create(struct error *error)
{
    GENERAL_NAMES *names = GENERAL_NAMES_new();
    if (!names)
        openssl_problem(error, "cannot list names");
    return names;
}

/* OpenSSL's comparison wants pointers it may write through, and does not. */
static bool contains(const GENERAL_NAMES *names, GENERAL_NAME *name)
{
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++)
        if (GENERAL_NAME_cmp(sk_GENERAL_NAME_value(names, i), name) == 0)
            return true;
    return false;
}

static int add(GENERAL_NAMES *names, int type, const void *bytes, size_t length, struct error *error)
{
    if (sk_GENERAL_NAME_num(names) >= NAMES_MAX)
        return error_set(error, "more than %d names in one certificate", NAMES_MAX);
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *text = ASN1_STRING_type_new(type == GEN_DNS ? V_ASN1_IA5STRING : V_ASN1_OCTET_STRING);
    if (!name || !text || ASN1_STRING_set(text, bytes, (int)length) != 1) {
        ASN1_STRING_free(text);
        GENERAL_NAME_free(name);
        return openssl_problem(error, "cannot list names");
    }
    GENERAL_NAME_set0_value(name, type, text);
    bool is_known = contains(names, name);
    if (!is_known && sk_GENERAL_NAME_push(names, name) > 0)
        return 0;
    GENERAL_NAME_free(name);
    return is_known ? 0 : openssl_problem(error, "cannot list names");
}

static bool is_name(const char *name)
{
    if (strlen(name) > DNS_SUBDOMAIN_BYTES_MAX)
        return false;
    if (strncmp(name, "*.", 2) == 0)
        name += 2;
    for (;;) {
        size_t length = strcspn(name, ".");
        if (!dns_is_label((struct slice){name, length}))
            return false;
        if (!name[length])
            return true;
        name += length + 1;
    }
}

int names_add_dns(GENERAL_NAMES *names, const char *name, struct error *error)
{
    if (!is_name(name))
        return error_set(
            error, "is no DNS name: labels of a-z, 0-9 and hyphens, %d bytes at most, with dots between",
            DNS_LABEL_BYTES_MAX);
    return add(names, GEN_DNS, name, strlen(name), error);
}

int names_add_ip(GENERAL_NAMES *names, const char *address, struct error *error)
{
    unsigned char bytes[sizeof(struct in6_addr)];
    if (inet_pton(AF_INET, address, bytes) == 1)
        return add(names, GEN_IPADD, bytes, sizeof(struct in_addr), error);
    if (inet_pton(AF_INET6, address, bytes) == 1)
        return add(names, GEN_IPADD, bytes, sizeof(struct in6_addr), error);
    return error_set(error, "is no IP address; write it like 192.0.2.7 or 2001:db8::7");
}

int names_add_service(GENERAL_NAMES *names, const char *service, const char *namespace, struct error *error)
{
    static const char *const suffixes[] = {"svc", "svc.cluster.local"};
    if (!dns_is_label(slice_of(service)) || !dns_is_label(slice_of(namespace)))
        return error_set(
            error, "a Service and its namespace have names of a-z, 0-9 and hyphens, %d bytes at most",
            DNS_LABEL_BYTES_MAX);
    for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
        char name[DNS_SUBDOMAIN_BYTES_MAX + 1];
        snprintf(name, sizeof(name), "%s.%s.%s", service, namespace, suffixes[i]);
        if (names_add_dns(names, name, error) != 0)
            return -1;
    }
    return 0;
}

GENERAL_NAMES *names_of(const X509 *certificate)
{
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    ERR_clear_error();
    return names;
}
