#include "base/json.h"
#include "policy/analysis/apply_sets.h"
#include "policy/analysis/lost_fields.h"
#include "policy/analysis/stored_object.h"
#include "policy/review/applied.h"
#include "policy/rules/definitions.h"
#include "policy/verdict/message.h"
#include "policy/verdict/verdict.h"

#define PARENT_LABEL "applyset.kubernetes.io/id"
#define TOOLING_ANNOTATION "applyset.kubernetes.io/tooling"

static const struct slice member_path = SLICE_LITERAL(".metadata.labels." APPLY_SET_MEMBER_LABEL);
static const struct slice parent_path = SLICE_LITERAL(".metadata.labels." PARENT_LABEL);
static const struct slice tooling_path = SLICE_LITERAL(".metadata.annotations." TOOLING_ANNOTATION);

static yyjson_val *label(const struct metadata *metadata, const char *key)
{
    return json_member(metadata->labels, slice_of(key));
}

static struct slice tooling(const struct metadata *metadata)
{
    return json_text(json_member(metadata->annotations, SLICE(TOOLING_ANNOTATION)));
}

/* Whether the request gives the label the value that it has. */
static bool writes_label(const struct review *review, const char *key, struct slice value)
{
    yyjson_val *before = label(&review->old_parts.metadata, key);
    return !before || !slice_equal(json_text(before), value);
}

/*
 * An existing problem is reported to the manager that can fix it: the applier that declares the label,
 * whenever it applies.
 */
static bool applies_label(const struct review *review, struct slice path)
{
    return applied_kind(review) != APPLIED_NOTHING && applied_declares_itself(review, path) == DECLARED_YES;
}

/* Whether ownership-conflict reports the field with at least the same action. */
static bool is_reported(const struct review *review, const struct verdict *verdict, struct slice field)
{
    const struct lost_fields *lost = lost_fields_find(review, verdict);
    enum action action = verdict->policy_actions[RULE_applyset];
    for (size_t i = 0; i < lost->count; i++) {
        if (lost->groups[i].finding.policy_action >= action && lost_fields_have(&lost->groups[i], field))
            return true;
    }
    return false;
}

static void report(
    const struct review *review, struct verdict *verdict, const struct slice *field, struct slice message)
{
    if (is_reported(review, verdict, *field))
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_applyset,
            .action = ACTION_DENY,
            .message = message,
            FINDING_FIELD(field),
            FINDING_WRITER(review->ownership.writer),
        });
}

static void judge_member(const struct review *review, struct verdict *verdict, struct slice id)
{
    bool written = writes_label(review, APPLY_SET_MEMBER_LABEL, id);
    if (!apply_set_id_valid(id)) {
        if (written || applies_label(review, member_path))
            report(
                review, verdict, &member_path,
                SLICE("the label " APPLY_SET_MEMBER_LABEL
                      " is not the ID of an ApplySet, so no tool prunes it; let the tool set it"));
        return;
    }
    /* Leaving a set is pruning without deletion, and joining one is what appliers do. */
    bool moves =
        written && apply_set_id_valid(json_text(label(&review->old_parts.metadata, APPLY_SET_MEMBER_LABEL)));
    if (moves)
        report(
            review, verdict, &member_path,
            text_join(
                review->arena, message_manager(&review->ownership.writer.manager),
                " moves it to another ApplySet, and the first one still declares it; remove the part-of "
                "label first"));
}

/* An object without a name yet cannot have an ID of its own; whether it is right is not known. */
static bool has_foreign_id(const struct review *review, struct slice id)
{
    const struct apply_set_parent parent = {
        .name = json_text(review->parts.metadata.name),
        .namespace = json_text(review->parts.metadata.namespace),
        .kind = review->kind,
        .group = review->group,
    };
    if (!parent.name.length)
        return false;
    struct slice own = apply_set_id(&parent, review->arena);
    return own.bytes && !slice_equal(own, id);
}

/* TOOL/VERSION; the tool's name may have slashes of its own. */
static bool is_tooling(struct slice text)
{
    size_t slash = slice_find(text, '/');
    return slash > 0 && slash < text.length && text.bytes[text.length - 1] != '/';
}

static bool loses_tooling(const struct review *review)
{
    return !label(&review->old_parts.metadata, PARENT_LABEL) ||
        is_tooling(tooling(&review->old_parts.metadata));
}

static void judge_parent(const struct review *review, struct verdict *verdict, struct slice id)
{
    bool applies = applies_label(review, parent_path);
    struct slice tool = tooling(&review->parts.metadata);
    if ((applies || writes_label(review, PARENT_LABEL, id)) && has_foreign_id(review, id))
        report(
            review, verdict, &parent_path,
            SLICE("the label " PARENT_LABEL " does not match the object; let the tool set it"));
    if (!is_tooling(tool) && (applies || loses_tooling(review)))
        report(
            review, verdict, &tooling_path,
            text_join(
                review->arena, "the annotation " TOOLING_ANNOTATION,
                tool.bytes ? " is not of the form TOOL/VERSION" : " is missing",
                ", so tools refuse the ApplySet; let the tool set it"));
}

static void judge(const struct review *review, struct verdict *verdict)
{
    yyjson_val *member = label(&review->parts.metadata, APPLY_SET_MEMBER_LABEL);
    yyjson_val *parent = label(&review->parts.metadata, PARENT_LABEL);
    if (member)
        judge_member(review, verdict, json_text(member));
    if (parent)
        judge_parent(review, verdict, json_text(parent));
}

static struct slice describe_disagreement(const struct review *review, const struct stored_object *object)
{
    if (object->apply_set == STORED_APPLY_SET_NO_PARENT)
        return SLICE(
            "its ApplySet has no parent object, so no tool prunes it; apply the set again, or remove the "
            "label " APPLY_SET_MEMBER_LABEL);
    return text_join(
        review->arena, manifest_identity_text(object->apply_set_parent),
        ", the parent of its ApplySet, does not list its ",
        object->apply_set == STORED_APPLY_SET_OTHER_KINDS ? "kind" : "namespace",
        ", so no tool prunes it; apply the set again");
}

static void judge_object(
    const struct review *review, const struct stored_object *object, struct verdict *verdict)
{
    judge(review, verdict);
    if (object->apply_set == STORED_APPLY_SET_AGREES)
        return;
    verdict_add(
        verdict,
        &(struct finding){
            .rule = RULE_applyset,
            .action = ACTION_DENY,
            .message = describe_disagreement(review, object),
            FINDING_FIELD(&member_path),
        });
}

const struct rule_definition rule_applyset = {.judge = judge, .judge_object = judge_object};
