#include "policy/analysis/combinations_parts.h"

#include "base/array_size.h"

/* A list with * has no other item. */
static void check_rule(const struct combinations *of, yyjson_val *rule, const struct path *place)
{
    static const char *const names[] = {"apiGroups", "apiVersions", "operations"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        const struct path path = field_of(place, names[i]);
        yyjson_val *list = member(rule, names[i]);
        if (yyjson_arr_size(list) > 1 && combinations_has_text(list, SLICE("*")))
            combinations_refuse(of, &path, "", "* must be the only one");
    }
}

static void check_versions(const struct combinations *of, yyjson_val *webhook, const struct path *place)
{
    yyjson_val *versions = member(webhook, "admissionReviewVersions");
    if (yyjson_arr_size(versions) && !combinations_has_text(versions, SLICE("v1")) &&
        !combinations_has_text(versions, SLICE("v1beta1")))
        combinations_refuse(of, place, ".admissionReviewVersions", "it must have v1 or v1beta1");
}

static void check_webhook(const struct combinations *of, yyjson_val *webhook, const struct path *place)
{
    const struct path rules = field_of(place, "rules");
    yyjson_val *client = member(webhook, "clientConfig");
    if (member(client, "url") && member(client, "service"))
        combinations_refuse(of, place, ".clientConfig", "it may have a url or a service, not both");
    check_versions(of, webhook, place);
    combinations_each_item(of, member(webhook, "rules"), &rules, check_rule);
}

void combinations_check_webhooks(const struct combinations *of)
{
    const struct path webhooks = field_of(NULL, "webhooks");
    yyjson_val *list = member(of->declared->object, "webhooks");
    combinations_each_item(of, list, &webhooks, check_webhook);
    combinations_check_unique(
        of, list, &webhooks, combinations_name_of, ".name",
        "another webhook has this name; each needs its own");
}
