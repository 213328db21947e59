#include "policy/verdict/encode_finding.h"

void encode_next(struct text *text)
{
    char last = text->length ? text->bytes[text->length - 1] : '[';
    if (last != '[' && last != '{')
        text_append_string(text, ",");
}

void encode_key(struct text *text, const char *name)
{
    text_append_string(text, "\"");
    text_append_string(text, name);
    text_append_string(text, "\":");
}

static void append_manager(struct text *text, const struct manager *manager)
{
    text_append_string(text, "{");
    if (manager->name.length)
        text_append_printable_member(text, "\"manager\":", manager->name);
    encode_next(text);
    text_append_member(text, "\"operation\":", slice_of(manager_operation_name(manager->operation)));
    if (manager->subresource.length)
        text_append_printable_member(text, ",\"subresource\":", manager->subresource);
    text_append_string(text, "}");
}

static void append_fields(struct text *text, const struct finding *finding)
{
    text_append_string(text, ",\"fields\":[");
    for (size_t i = 0; i < finding->field_count; i++) {
        encode_next(text);
        text_append_json(text, finding->fields[i]);
    }
    text_append_string(text, "]");
}

static void append_previous_owners(struct text *text, const struct finding *finding)
{
    text_append_string(text, ",\"losers\":[");
    for (size_t i = 0; i < finding->previous_owner_count; i++) {
        encode_next(text);
        append_manager(text, &finding->previous_owners[i]);
    }
    text_append_string(text, "]");
}

static void append_count(struct text *text, const char *name, size_t listed, size_t total)
{
    if (listed == total)
        return;
    encode_next(text);
    encode_key(text, name);
    text_append_number(text, total);
}

void encode_finding(struct text *text, const struct finding *finding, bool with_message)
{
    text_append_member(text, "{\"rule\":", slice_of(rules[finding->rule].name));
    text_append_member(text, ",\"action\":", slice_of(action_name(finding->action)));
    text_append_member(text, ",\"policyAction\":", slice_of(action_name(finding->policy_action)));
    if (with_message)
        text_append_member(text, ",\"message\":", finding->message);
    if (finding->field_count)
        append_fields(text, finding);
    append_count(text, "fieldCount", finding->field_count, finding->field_total);
    if (finding->has_writer) {
        text_append_string(text, ",\"taker\":");
        append_manager(text, &finding->writer);
    }
    if (finding->previous_owner_count)
        append_previous_owners(text, finding);
    append_count(text, "loserCount", finding->previous_owner_count, finding->previous_owner_total);
    if (finding->waived_by.length)
        text_append_printable_member(text, ",\"waivedBy\":", finding->waived_by);
    text_append_string(text, "}");
}
