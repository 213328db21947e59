#include "webhook/api/event.h"

#include "base/dns.h"
#include "base/json.h"
#include "base/json_append.h"

#include <ctype.h>
#include <stdio.h>

#define REPORTER "applyguard.io"
#define LABEL(name) REPORTER "/" name

/* A dot and the digits of an id. */
#define ID_LENGTH (1 + 16)

/*
 * The object
 */

/* Users see the names at terminals, and a truncated or escaped name could be the name of another object. */
static bool copy_printable(char *to, size_t capacity, struct slice from, struct arena *arena)
{
    if (from.length >= capacity)
        return false;
    struct slice whole = text_printable(arena, from);
    if (!whole.bytes || whole.length != from.length)
        return false;
    if (from.length)
        memcpy(to, from.bytes, from.length);
    to[from.length] = '\0';
    return true;
}

static bool copy_api_version(struct event *event, const struct review *review)
{
    return copy_printable(
        event->api_version, sizeof(event->api_version),
        text_join(review->arena, as_qualified(text_append, review->group, review->version)), review->arena);
}

/* The request for a Namespace names it as its own namespace, but it is in none. */
static struct slice namespace_of(const struct review *review)
{
    if (slice_equal(review->group_kind, SLICE("Namespace")))
        return (struct slice){0};
    return review->namespace;
}

/* An Event about an Event would be reviewed too, and so cause another Event. */
static bool is_event(const struct review *review)
{
    return slice_equal(review->group_kind, SLICE("Event")) ||
        slice_equal(review->group_kind, SLICE("Event.events.k8s.io"));
}

bool event_describe(struct event *event, const struct verdict *verdict)
{
    const struct review *review = verdict->review;
    struct slice uid = json_text(review->parts.metadata.uid);
    struct slice namespace = namespace_of(review);
    bool was_never_there = review->operation == OPERATION_CREATE && !verdict->allowed;
    if (review->dry_run || was_never_there || is_event(review))
        return false;
    if (!review->name.length || !uid.length || (namespace.length && !dns_is_label(namespace)))
        return false;
    event->time = verdict->now;
    return copy_api_version(event, review) && *event->api_version &&
        copy_printable(event->kind, sizeof(event->kind), review->kind, review->arena) &&
        copy_printable(event->namespace, sizeof(event->namespace), namespace, review->arena) &&
        copy_printable(event->name, sizeof(event->name), review->name, review->arena) &&
        copy_printable(event->uid, sizeof(event->uid), uid, review->arena);
}

const char *event_namespace(const struct event *event)
{
    return *event->namespace ? event->namespace : "default";
}

void event_name(const struct event *event, uint64_t id, char name[EVENT_NAME_BYTES])
{
    struct slice object = slice_of(event->name);
    bool is_part = object.length + ID_LENGTH < EVENT_NAME_BYTES && dns_is_subdomain(object);
    snprintf(
        name, EVENT_NAME_BYTES, "%.*s.%016llx", EVENT_NAME_BYTES - ID_LENGTH - 1,
        is_part ? event->name : "applyguard", (unsigned long long)id);
}

/*
 * The finding
 */

static size_t count_of_rule(const struct verdict *verdict, enum rule_id rule)
{
    size_t count = 0;
    for (size_t i = 0; i < verdict->finding_count; i++)
        count += verdict->findings[i].rule == rule;
    return count;
}

/* Whether the write was refused, or would have been if the policy were enforced. */
static const char *fate_of(const struct verdict *verdict, const struct finding *finding)
{
    if (!verdict->allowed)
        return "refused: ";
    return finding->policy_action == ACTION_DENY ? "would be refused if enforced: " : "";
}

void event_say(struct event *event, const struct verdict *verdict, const struct finding *finding)
{
    size_t count = count_of_rule(verdict, finding->rule);
    struct text text = text_start(verdict->arena, 256);
    text_append_all(&text, fate_of(verdict, finding), finding->message);
    if (count > 1)
        text_append_all(&text, "; and ", count - 1, " more of this kind");
    struct slice link = verdict_link(verdict, finding->rule);
    if (link.length && text.length + 1 + link.length < sizeof(event->message))
        text_append_all(&text, " ", link);
    struct slice whole = text_slice(&text);
    bool fits = whole.length < sizeof(event->message);
    struct slice kept = fits ? whole : text_cut(whole, sizeof(event->message) - sizeof(TEXT_ELLIPSIS));
    event->rule = finding->rule;
    event->actions = (struct action_pair){finding->action, finding->policy_action};
    event->unattended = verdict->unattended;
    snprintf(
        event->message, sizeof(event->message), "%.*s%s", (int)kept.length, kept.length ? kept.bytes : "",
        fits ? "" : TEXT_ELLIPSIS);
}

void event_reason(enum rule_id rule, char reason[EVENT_REASON_BYTES])
{
    size_t length = 0;
    char before = '-';
    for (const char *name = rules[rule].name; *name && length < EVENT_REASON_BYTES - 1; before = *name++)
        if (before == '-')
            reason[length++] = (char)toupper((unsigned char)*name);
        else if (*name != '-')
            reason[length++] = *name;
    reason[length] = '\0';
}

/*
 * JSON
 */

static void add(struct text *text, const char *key, const char *value)
{
    json_append_exact(text, key, slice_of(value));
}

static void add_time(struct text *text, const char *key, int64_t seconds)
{
    json_append_key(text, key);
    text_append_string(text, "\"");
    text_append_time(text, seconds);
    text_append_string(text, "\"");
}

static void add_object(struct text *text, const struct event *event)
{
    json_append_open(text, "involvedObject", "{");
    add(text, "apiVersion", event->api_version);
    add(text, "kind", event->kind);
    if (*event->namespace)
        add(text, "namespace", event->namespace);
    add(text, "name", event->name);
    add(text, "uid", event->uid);
    text_append_string(text, "}");
}

/* Labels by which `kubectl get events --selector` finds the Event. */
static void add_labels(struct text *text, const struct event *event)
{
    json_append_open(text, "labels", "{");
    add(text, LABEL("action"), action_name(event->actions.action));
    add(text, LABEL("policy-action"), action_name(event->actions.policy_action));
    add(text, LABEL("unattended"), event->unattended ? "true" : "false");
    text_append_string(text, "}");
}

static void add_metadata(struct text *text, const struct event *event, uint64_t id)
{
    char name[EVENT_NAME_BYTES];
    event_name(event, id, name);
    json_append_open(text, "metadata", "{");
    add(text, "name", name);
    add(text, "namespace", event_namespace(event));
    add_labels(text, event);
    text_append_string(text, "}");
}

/* The fields that a repetition changes, except for the labels. */
static void add_news(struct text *text, const struct event *event, const struct event_record *record)
{
    add(text, "message", event->message);
    json_append_number(text, "count", record->count);
    add_time(text, "lastTimestamp", event->time);
}

struct slice event_encode(
    const struct event *event, const struct event_record *record, const char *host, struct arena *arena)
{
    char reason[EVENT_REASON_BYTES];
    struct text text = text_start(arena, 2048);
    event_reason(event->rule, reason);
    text_append_string(&text, "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"type\":\"Warning\"");
    add_metadata(&text, event, record->id);
    add_object(&text, event);
    add(&text, "reason", reason);
    text_append_string(&text, ",\"source\":{\"component\":\"" REPORTER "\"}");
    add(&text, "reportingComponent", REPORTER);
    add(&text, "reportingInstance", host);
    add_time(&text, "firstTimestamp", record->first);
    add_news(&text, event, record);
    text_append_string(&text, "}");
    return text_slice(&text);
}

struct slice event_encode_again(
    const struct event *event, const struct event_record *record, struct arena *arena)
{
    struct text text = text_start(arena, 2048);
    text_append_string(&text, "{\"metadata\":{");
    add_labels(&text, event);
    text_append_string(&text, "}");
    add_news(&text, event, record);
    text_append_string(&text, "}");
    return text_slice(&text);
}
