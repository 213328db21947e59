#include "policy/verdict/message_command.h"

#include "base/ascii.h"
#include "base/text.h"

/* Without --from, `applyguard migrate` takes from kubectl's own client-side apply. */
#define CLIENT_SIDE_MANAGER "kubectl-client-side-apply"

/* A command that is being put together. */
struct command {
    struct text text;
    bool is_plain; /* every word so far is one that a shell takes as it is */
};

static bool is_plain(struct slice word)
{
    for (size_t i = 0; i < word.length; i++) {
        char byte = word.bytes[i];
        bool is_mark = byte == '.' || byte == '_' || byte == ':' || byte == '/' || (byte == '-' && i > 0);
        if (!ascii_is_alphanumeric(byte) && !is_mark)
            return false;
    }
    return word.length > 0;
}

static void append_word(struct command *command, const char *before, struct slice word)
{
    command->is_plain &= is_plain(word);
    text_append_all(&command->text, before, word);
}

/* kubectl takes a kind for its resource, in lower case. */
static struct slice resource_of(const struct review *review)
{
    struct text text = text_start(review->arena, review->group_kind.length);
    text_append_lower(&text, review->group_kind);
    return text_slice(&text);
}

static struct command start(const struct review *review, const char *words)
{
    struct command command = {text_start(review->arena, 128), true};
    append_word(&command, words, resource_of(review));
    append_word(&command, "/", review->name);
    if (review->namespace.length && !slice_equal(review->group_kind, SLICE("Namespace")))
        append_word(&command, " -n ", review->namespace);
    return command;
}

static struct slice finish(struct command *command)
{
    return command->is_plain ? text_slice(&command->text) : SLICE("");
}

struct slice message_command_blame(const struct review *review)
{
    struct command command = start(review, "applyguard blame ");
    return finish(&command);
}

struct slice message_command_remove_last_applied(const struct review *review)
{
    struct command command = start(review, "kubectl annotate ");
    text_append_string(&command.text, " " LAST_APPLIED_ANNOTATION "-");
    return finish(&command);
}

struct slice message_command_undo(
    const struct review *review, const char *verb, struct slice container, struct slice key)
{
    struct command command = start(review, verb);
    if (container.length)
        append_word(&command, " -c ", container);
    if (key.length) {
        append_word(&command, " ", key);
        text_append_string(&command.text, "-");
    }
    return finish(&command);
}

struct slice message_command_migrate(
    const struct review *review, const struct manager *from, size_t from_count, const struct manager *to)
{
    struct command command = start(review, "applyguard migrate ");
    bool is_default = from_count == 1 && slice_equal(from[0].name, SLICE(CLIENT_SIDE_MANAGER));
    for (size_t i = 0; i < from_count; i++) {
        command.is_plain &= !from[i].subresource.length;
        if (!is_default)
            append_word(&command, " --from ", from[i].name);
    }
    append_word(&command, " --to ", to->name);
    text_append_string(&command.text, " -o command");
    return finish(&command);
}

struct slice message_command_migrate_kubectl(const struct review *review, const struct manager *from)
{
    const struct manager to = {.name = SLICE("kubectl"), .operation = MANAGER_APPLY};
    return message_command_migrate(review, from, 1, &to);
}

struct slice message_command_hand_over(const struct review *review, struct slice field, struct slice to)
{
    struct command command = start(review, "applyguard migrate ");
    append_word(&command, " --fields ", field);
    append_word(&command, " --to ", to);
    text_append_string(&command.text, " -o command");
    return finish(&command);
}
