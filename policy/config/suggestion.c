#include "policy/config/suggestion.h"

const enum profile suggestion_profiles[] = {PROFILE_STRICT, PROFILE_BASELINE, PROFILE_AUDIT};

void suggestion_append_head(struct text *text, enum profile profile)
{
    text_append_all(
        text, "apiVersion: applyguard.io/v1\nkind: Policy\nprofile: ", profile_name(profile), "\n");
}

void suggestion_append_quoted(struct text *text, struct slice word)
{
    struct text json = text_start(text->arena, word.length + 2);
    text_append_json(&json, word);
    text_append(text, text_printable_json(text->arena, text_slice(&json)));
}

void suggestion_append_manager(struct text *text, struct slice name, enum manager_class class)
{
    text_append_all(
        text, "# - {name: ", as_escaped(suggestion_append_quoted, name),
        ", operation: Update, class: ", manager_class_name(class), "} # ");
}
