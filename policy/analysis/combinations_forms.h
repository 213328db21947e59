/*
 * combinations_forms.h: the values that validation takes in a field (kubernetes, pkg/apis/GROUP/validation;
 * apimachinery, util/validation). Private to combinations.
 *
 * A form refuses only values that every supported version refuses. A range with bits beyond its prefix, and
 * numbers of an address with zeros in front, depend on the version.
 * tests/cluster/test_refused_combinations.py asks real API servers.
 */
#ifndef APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_FORMS_H
#define APPLYGUARD_POLICY_ANALYSIS_COMBINATIONS_FORMS_H

#include "base/slice.h"

#include <stdbool.h>
#include <stdint.h>
#include <yyjson.h>

struct combination_form {
    /* Takes values of another type, which the schema judges. */
    bool (*takes)(yyjson_val *value, const struct combination_form *form);
    bool (*is)(struct slice text); /* of texts: whether a text has the form */
    int64_t least;                 /* of numbers */
    int64_t most;                  /* of numbers; the highest percentage */
    const char *sentence;
    bool may_be_empty; /* of texts */
    bool is_exact;     /* of texts: words in capitals are refused, and are no placeholder */
    bool has_capitals; /* words such as CRON_TZ are a part of such a text, and do not show a placeholder */
};

/* Takes the texts that `is` accepts. */
bool combination_takes_text(yyjson_val *value, const struct combination_form *form);

/* The sentence about a value that the form does not take; NULL: it takes it, or something replaces it. */
const char *combination_form_problem(const struct combination_form *form, yyjson_val *value);

/* Whether marks or an underscore show that something replaces the text: <node>, ${NODE} or NODE_NAME. */
bool combination_is_marked(struct slice text);

/* The same, and words in capitals, such as HOSTNAME. */
bool combination_is_placeholder(struct slice text);

bool combination_is_data_key(struct slice key);

/* A resource of the API server itself, or one with a domain (validateResourceName). */
bool combination_is_resource(struct slice name);

/* The name of a port (IsValidPortName). */
bool combination_is_port_name(struct slice name);

/* Numbers */
extern const struct combination_form form_port, form_port_or_zero, form_count, form_seconds, form_positive,
    form_positive_seconds, form_weight, form_mode, form_once, form_window, form_period, form_timeout,
    form_token_seconds, form_group_priority, form_version_priority, form_precedence, form_byte;

/* Numbers, or texts */
extern const struct combination_form form_port_or_name, form_target_port, form_percentage, form_share;

/* Names */
extern const struct combination_form form_label, form_subdomain, form_external_name, form_port_name, form_key,
    form_label_value, form_data_key, form_variable_name, form_image, form_domain_path, form_webhook_name,
    form_filled_key, form_namespace, form_host_name, form_search, form_header, form_kernel_setting,
    form_path_segment, form_dns_word, form_driver, form_provisioner, form_base64, form_resource,
    form_limit_type;

/* Members of objects (combinations_forms_members.c) */
extern const struct combination_form form_requirement, form_node_requirement, form_labels, form_profile,
    form_mount, form_spread, form_downward_item, form_exit_codes, form_success_rule, form_parameters,
    form_subset;

/* Paths and addresses */
extern const struct combination_form form_relative_path, form_file_path, form_path_without_dots,
    form_absolute_path, form_http_path, form_address, form_outside_address, form_cluster_address, form_range,
    form_host, form_host_of_certificate, form_simple_path;

/* Fields of a pod that its variables and files can show */
extern const struct combination_form form_variable_field, form_file_field, form_resource_field;

/* Others */
extern const struct combination_form form_schedule, form_time_zone, form_quantity, form_amount,
    form_positive_amount, form_absent, form_false, form_webhook_url;

#endif
