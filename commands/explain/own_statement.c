#include "commands/explain/own_statement.h"

#include "base/array_size.h"
#include "base/find.h"
#include "base/text.h"

#include <string.h>

/* Words of a message, with their meaning: an enum own_effect or an enum own_claim. */
struct meaning {
    const char *words;
    int meaning;
};

static const struct meaning verbs[] = {
    {" changes ", EFFECT_CHANGES},
    {" changes or removes ", EFFECT_CHANGES},
    {" sets ", EFFECT_CHANGES},
    {" takes ", EFFECT_CHANGES},
    {" overwrites ", EFFECT_OVERWRITES},
    {" overwrites or removes ", EFFECT_OVERWRITES},
    {" resets ", EFFECT_OVERWRITES},
    {" sets back ", EFFECT_OVERWRITES},
    {" sets back or removes ", EFFECT_OVERWRITES},
    {" removes ", EFFECT_REMOVES},
    {" no longer sets ", EFFECT_REMOVES},
    {" drops ", EFFECT_REMOVES},
    {" cannot delete ", EFFECT_KEEPS},
    {" still owns ", EFFECT_KEEPS},
    {" still own ", EFFECT_KEEPS},
    {" also owns ", EFFECT_KEEPS},
    {" also own ", EFFECT_KEEPS},
};

static const struct meaning claims[] = {
    {" manage", CLAIM_SETS},    {" also set", CLAIM_SETS},
    {" applied", CLAIM_SETS},   {" control", CLAIM_CONTROLS},
    {" wrote", CLAIM_WROTE},    {" changed", CLAIM_WROTE},
    {" owns,", CLAIM_WROTE}, /* "but probably only as a default" */
    {" own,", CLAIM_WROTE},     {" still declare", CLAIM_DECLARES},
    {" still own", CLAIM_OWNS},
};

/* The first of the words in the text, and the longest of them there. NULL: none. */
static const struct meaning *find_first(
    struct slice text, const struct meaning *meanings, size_t count, size_t *at)
{
    const struct meaning *first = NULL;
    *at = text.length;
    for (size_t i = 0; i < count; i++) {
        size_t found = slice_find_text(text, slice_of(meanings[i].words));
        bool is_longer = first && found == *at && strlen(meanings[i].words) > strlen(first->words);
        if (found == text.length || (found >= *at && !is_longer))
            continue;
        *at = found;
        first = &meanings[i];
    }
    return first;
}

/* Deployment shop/web, or Namespace shop. */
static struct conflict_object read_object(struct slice named)
{
    struct conflict_object object = {.kind = slice_until(named, slice_find(named, ' '))};
    struct slice name = slice_from(named, object.kind.length + 1);
    size_t slash = slice_find(name, '/');
    bool has_namespace = slash < name.length;
    object.namespace = has_namespace ? slice_until(name, slash) : (struct slice){NULL, 0};
    object.name = has_namespace ? slice_from(name, slash + 1) : name;
    return object;
}

/*
 * The clause about the holder: "Flux manages: the next apply undoes this" behind "which", or "kubectl apply
 * still owns it" behind "but" and "because". Returns false if the clause is about something else.
 */
static bool read_holder(struct own_statement *statement, struct slice clause, bool is_relative)
{
    size_t at, colon = slice_find_text(clause, SLICE(": "));
    const struct meaning *claim = find_first(clause, claims, ARRAY_SIZE(claims), &at);
    if (!claim || (!is_relative && claim->meaning != CLAIM_OWNS))
        return false;
    statement->holder = slice_until(clause, at);
    statement->claim = (enum own_claim)claim->meaning;
    statement->next = slice_from(clause, colon + strlen(": "));
    return true;
}

/* The next event, or the holder, follows the event: ", but the next apply undoes this". */
static void split_event(struct own_statement *statement, struct slice event)
{
    enum { BUT, SO, WHICH, BECAUSE, AND };
    static const struct meaning joints[] = {
        {", but ", BUT},
        {", so ", SO},
        {", which ", WHICH},
        {", because ", BECAUSE},
        {", and no apply ", AND}};
    statement->what = event;
    for (size_t from = 0, at; from < event.length; from += at + 1) {
        struct slice rest = slice_from(event, from);
        const struct meaning *joint = find_first(rest, joints, ARRAY_SIZE(joints), &at);
        if (!joint)
            return;
        struct slice clause =
            slice_from(rest, at + (joint->meaning == AND ? strlen(", and ") : strlen(joint->words)));
        bool is_held = read_holder(statement, clause, joint->meaning == WHICH);
        if (!is_held && (joint->meaning == WHICH || joint->meaning == BECAUSE))
            continue;
        statement->what = slice_until(event, from + at);
        if (!is_held)
            statement->next = clause;
        return;
    }
}

/* "kubectl set set nginx's image by hand": the last "set" is the verb. */
static bool split_by_hand(struct own_statement *statement)
{
    static const char set[] = " set ";
    size_t end = slice_find_text(statement->what, SLICE(" by hand")), verb = end;
    if (end == statement->what.length)
        return false;
    for (size_t i = 0; i + strlen(set) <= end; i++)
        if (memcmp(statement->what.bytes + i, set, strlen(set)) == 0)
            verb = i;
    if (verb == end)
        return false;
    statement->who = slice_until(statement->what, verb);
    statement->fields = slice_from(slice_until(statement->what, end), verb + strlen(set));
    statement->effect = EFFECT_CHANGES;
    return true;
}

/* kubectl apply overwrites nginx's image: the first verb is behind the writer. */
static bool split_at_verb(struct own_statement *statement)
{
    size_t at;
    const struct meaning *verb = find_first(statement->what, verbs, ARRAY_SIZE(verbs), &at);
    if (!verb)
        return false;
    statement->who = slice_until(statement->what, at);
    statement->fields = slice_from(statement->what, at + strlen(verb->words));
    statement->effect = (enum own_effect)verb->meaning;
    statement->fields = slice_until(statement->fields, slice_find_text(statement->fields, SLICE(", too")));
    return true;
}

/* "no apply removes restartedAt (kubectl rollout)" has no writer. */
static bool split_without_writer(struct own_statement *statement)
{
    static const char words[] = "no apply removes ";
    if (!slice_starts_with(statement->what, slice_of(words)))
        return false;
    struct slice rest = slice_from(statement->what, strlen(words));
    statement->fields = slice_until(rest, slice_find_text(rest, SLICE(" (")));
    statement->effect = EFFECT_KEEPS;
    return true;
}

/* "annotation note (kubectl annotate) is in no manifest", and "web's image (owned by Flux) changes". */
static void read_holder_in_brackets(struct own_statement *statement, struct slice rest)
{
    size_t end = slice_find(rest, ')');
    struct slice words = slice_until(rest, end);
    if (slice_starts_with(words, SLICE("owned by ")))
        statement->holder = slice_from(words, strlen("owned by "));
    else if (slice_contains_text(slice_from(rest, end), SLICE(" in no manifest")))
        statement->holder = words;
}

/* The fields of sentences without a writer: "annotation note (kubectl annotate) is in no manifest". */
static void find_fields(struct own_statement *statement)
{
    static const struct meaning marks[] = {
        {" (", 0}, {" are in no manifest", 0}, {" is in no manifest", 0}, {" changed hands", 0}};
    size_t at;
    if (split_without_writer(statement) || split_by_hand(statement) || split_at_verb(statement))
        return;
    const struct meaning *mark = find_first(statement->what, marks, ARRAY_SIZE(marks), &at);
    if (!mark)
        return;
    struct slice rest = slice_from(statement->what, at + strlen(mark->words));
    statement->fields = slice_until(statement->what, at);
    if (mark == marks)
        read_holder_in_brackets(statement, rest);
}

struct own_statement own_statement_read(struct slice message)
{
    static const char *const programs[] = {": kubectl ", ": applyguard "};
    size_t colon = slice_find_text(message, SLICE(": "));
    struct own_statement statement = {.object = read_object(slice_until(message, colon))};
    struct slice rest = slice_from(message, colon + strlen(": "));
    size_t advice = slice_find_text(rest, SLICE("; "));
    statement.advice = slice_from(rest, advice + strlen("; "));
    split_event(&statement, slice_until(rest, advice));
    find_fields(&statement);
    for (size_t i = 0; i < ARRAY_SIZE(programs); i++) {
        size_t command = slice_find_text(statement.advice, slice_of(programs[i]));
        if (command == statement.advice.length)
            continue;
        statement.command = slice_from(statement.advice, command + strlen(": "));
        statement.advice = slice_until(statement.advice, command);
    }
    return statement;
}

bool own_statement_is_autoscaled(const struct own_statement *statement)
{
    return slice_contains_text(statement->holder, SLICE("autoscaler")) ||
        (statement->claim == CLAIM_CONTROLS && slice_starts_with(statement->fields, SLICE("replicas")));
}

/* The words around the holder; without `after` the words alone. */
struct around {
    const char *before, *after;
};

static struct around next_of(const struct own_statement *statement, bool is_denial)
{
    switch (statement->claim) {
    case CLAIM_SETS:
        return (struct around){"each run of ", " sets this"};
    case CLAIM_CONTROLS:
        return (struct around){"", " sets its own value again"};
    case CLAIM_WROTE:
        if (is_denial)
            return (struct around){"the value of ", " stays"};
        if (slice_starts_with(statement->holder, SLICE("kubectl ")))
            return (struct around){"the value of ", " is gone, and nothing sets it back"};
        return (struct around){"", " may set its own value again"};
    case CLAIM_DECLARES:
        return (struct around){"the next run of the old kubectl apply undoes this", NULL};
    case CLAIM_OWNS:
        return (struct around){"no apply removes this, while ", " owns it"};
    case CLAIM_NONE:
        break;
    }
    return (struct around){NULL, NULL};
}

struct slice own_statement_next(const struct own_statement *statement, bool is_denial, struct arena *arena)
{
    struct around around = next_of(statement, is_denial);
    if (statement->next.length || !around.before)
        return statement->next;
    return text_join(
        arena, around.before, around.after ? statement->holder : SLICE(""), around.after ? around.after : "");
}
