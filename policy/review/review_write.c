#include "policy/review/review_write.h"

static void append_user(struct text *text, struct slice username, struct slice_list groups)
{
    text_append_member(text, ",\"userInfo\":{\"username\":", username);
    text_append_string(text, ",\"groups\":[");
    for (size_t i = 0; i < groups.count; i++)
        text_append_member(text, i ? "," : "", groups.items[i]);
    text_append_string(text, "]}");
}

void review_write_head(struct text *text, const struct review_head *head)
{
    text_append_string(text, "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\"");
    text_append_member(text, ",\"request\":{\"uid\":", slice_of(head->uid));
    text_append_member(text, ",\"operation\":", slice_of(operation_name(head->operation)));
    text_append_member(text, ",\"kind\":{\"group\":", head->group);
    text_append_member(text, ",\"version\":", head->version);
    text_append_member(text, ",\"kind\":", head->kind);
    text_append_member(text, "},\"namespace\":", head->namespace);
    text_append_member(text, ",\"name\":", head->name);
    append_user(text, head->username, head->groups);
    text_append_member(text, ",\"options\":{\"fieldManager\":", head->field_manager);
    text_append_string(text, "}");
}

void review_write_object(struct text *text)
{
    text_append_string(text, ",\"object\":");
}

void review_write_old_object(struct text *text)
{
    text_append_string(text, ",\"oldObject\":");
}

void review_write_end(struct text *text)
{
    text_append_string(text, "}}");
}
