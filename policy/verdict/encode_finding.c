#include "policy/verdict/encode_finding.h"

#include "base/json_append.h"

static void append_manager(struct text *text, const struct manager *manager)
{
    text_append_string(text, "{");
    json_append_member_if_any(text, "manager", manager->name);
    json_append_exact(text, "operation", slice_of(manager_operation_name(manager->operation)));
    json_append_member_if_any(text, "subresource", manager->subresource);
    text_append_string(text, "}");
}

static void append_fields(struct text *text, const struct finding *finding)
{
    json_append_open(text, "fields", "[");
    for (size_t i = 0; i < finding->field_count; i++) {
        json_append_comma(text);
        text_append_json(text, finding->fields[i]);
    }
    text_append_string(text, "]");
}

static void append_previous_owners(struct text *text, const struct finding *finding)
{
    text_append_string(text, rules[finding->rule].scope == SCOPE_OBJECT ? ",\"owners\":[" : ",\"losers\":[");
    for (size_t i = 0; i < finding->previous_owner_count; i++) {
        json_append_comma(text);
        append_manager(text, &finding->previous_owners[i]);
    }
    text_append_string(text, "]");
}

void encode_finding(struct text *text, const struct finding *finding, bool with_message)
{
    text_append_string(text, "{");
    json_append_exact(text, "rule", slice_of(rules[finding->rule].name));
    json_append_exact(text, "action", slice_of(action_name(finding->action)));
    json_append_exact(text, "policyAction", slice_of(action_name(finding->policy_action)));
    if (with_message)
        json_append_exact(text, "message", finding->message);
    if (finding->field_count)
        append_fields(text, finding);
    if (finding->field_count < finding->field_total)
        json_append_number(text, "fieldCount", finding->field_total);
    if (finding->has_writer) {
        text_append_string(text, ",\"taker\":");
        append_manager(text, &finding->writer);
    }
    if (finding->previous_owner_count)
        append_previous_owners(text, finding);
    if (finding->previous_owner_count < finding->previous_owner_total)
        json_append_number(
            text, rules[finding->rule].scope == SCOPE_OBJECT ? "ownerCount" : "loserCount",
            finding->previous_owner_total);
    json_append_member_if_any(text, "waivedBy", finding->waived_by);
    text_append_string(text, "}");
}
