#include "base/text.h"
#include "base/words.h"
#include "policy/config/config_reader.h"

#include <stdarg.h>
#include <stdio.h>

/* With a longer list of keys, the error would not fit its buffer. */
#define LISTED_WORDS_BYTES_MAX 100

int config_out_of_memory(struct config_reader *reader)
{
    struct error error;
    error_set_out_of_memory(&error);
    return config_add_problem(reader, POLICY_BROKEN, &error);
}

void config_add_yaml_problem(void *context, const struct error *error)
{
    config_add_problem(context, POLICY_BROKEN, error);
}

static void append_path(struct text *text, const struct config_path *path)
{
    if (!path)
        return;
    append_path(text, path->parent);
    if (path->key) {
        text_append_string(text, path->parent ? "." : "");
        text_append_string(text, path->key);
    } else {
        text_append_string(text, "[");
        text_append_number(text, path->index);
        text_append_string(text, "]");
    }
}

/* NUL-terminated. */
static const char *path_text(struct config_reader *reader, const struct config_path *path)
{
    if (!path)
        return reader->file;
    struct text text = text_start(reader->arena, 64);
    append_path(&text, path);
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : reader->file;
}

/* Counts a problem that is not kept. */
static int drop(struct config_reader *reader, enum policy_problem_kind kind, const struct yaml_node *node)
{
    struct error error = {.line = node->line, .column = node->column};
    return config_add_problem(reader, kind, &error);
}

/* The sentence alone, at the node. */
static int refuse_at(struct config_reader *reader, const struct yaml_node *node, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static int refuse_at(struct config_reader *reader, const struct yaml_node *node, const char *format, ...)
{
    struct error error;
    va_list arguments;
    va_start(arguments, format);
    error_set_list(&error, node->line, node->column, format, arguments);
    va_end(arguments);
    return config_add_problem(reader, POLICY_BROKEN, &error);
}

static void report(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *node, const char *format, va_list arguments)
{
    struct error error;
    char sentence[sizeof(error.message)];
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    error_set_at(&error, node->line, node->column, "%s %s", path_text(reader, path), sentence);
    config_add_problem(reader, kind, &error);
}

void config_report(
    struct config_reader *reader, enum policy_problem_kind kind, const struct config_path *path,
    const struct yaml_node *node, const char *format, ...)
{
    if (!config_wants_problem(reader, kind, node)) {
        drop(reader, kind, node);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    report(reader, kind, path, node, format, arguments);
    va_end(arguments);
}

int config_refuse(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *format, ...)
{
    if (!config_wants_problem(reader, POLICY_BROKEN, node))
        return drop(reader, POLICY_BROKEN, node);
    va_list arguments;
    va_start(arguments, format);
    report(reader, POLICY_BROKEN, path, node, format, arguments);
    va_end(arguments);
    return -1;
}

/* "a, b or c", NUL-terminated: the joints are ", " and " or " there. */
static const char *list_words(
    struct config_reader *reader, const char *const *words, size_t count, const char *joint,
    const char *last_joint)
{
    struct text text = text_start(reader->arena, 128);
    for (size_t i = 0; i < count; i++) {
        text_append_string(&text, i == 0 ? "" : i + 1 < count ? joint : last_joint);
        text_append_string(&text, words[i]);
    }
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : "";
}

int config_refuse_missing(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *missing, size_t count)
{
    return config_refuse(
        reader, path, node, "lacks the key%s \"%s\"; add %s", count == 1 ? "" : "s",
        list_words(reader, missing, count, "\", \"", "\" and \""), count == 1 ? "it" : "them");
}

/* "; did you mean "WORD"?", or nothing. NUL-terminated. */
static const char *hint(struct config_reader *reader, const char *nearest)
{
    if (!nearest)
        return "";
    struct text text = text_start(reader->arena, 64);
    text_append_string(&text, "; did you mean \"");
    text_append_string(&text, nearest);
    text_append(&text, SLICE("\"?\0"));
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : "";
}

int config_refuse_word(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    const char *const *known, size_t count)
{
    if (!config_wants_problem(reader, POLICY_BROKEN, node))
        return drop(reader, POLICY_BROKEN, node);
    const char *nearest = count > 1 ? word_nearest(node->text, known, count) : NULL;
    return config_refuse(
        reader, path, node, "must be %s, not \"%s\"%s", list_words(reader, known, count, ", ", " or "),
        yaml_excerpt(reader->arena, node->text), hint(reader, nearest));
}

int config_refuse_key(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *key,
    const char *const *known, size_t count)
{
    if (!config_wants_problem(reader, POLICY_BROKEN, key))
        return drop(reader, POLICY_BROKEN, key);
    const char *found = yaml_excerpt(reader->arena, key->text);
    const char *where = path_text(reader, path);
    const char *nearest = word_nearest(key->text, known, count);
    if (nearest)
        return refuse_at(
            reader, key, "unknown key \"%s\" in %s; did you mean \"%s\"?", found, where, nearest);
    const char *words = list_words(reader, known, count, ", ", " and ");
    if (strlen(words) > LISTED_WORDS_BYTES_MAX)
        words = reader->reference;
    return refuse_at(reader, key, "unknown key \"%s\" in %s; it takes only %s", found, where, words);
}

static int refuse_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node)
{
    if (!config_wants_problem(reader, POLICY_BROKEN, node))
        return drop(reader, POLICY_BROKEN, node);
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    const char *found = yaml_excerpt(reader->arena, node->text);
    const char *nearest = word_nearest(node->text, names, RULE_COUNT);
    if (nearest)
        return refuse_at(
            reader, node, "unknown rule \"%s\" in %s; did you mean \"%s\"?", found, path_text(reader, path),
            nearest);
    return refuse_at(
        reader, node, "unknown rule \"%s\" in %s; `applyguard policy show` lists the rules", found,
        path_text(reader, path));
}

int config_find_rule(
    struct config_reader *reader, const struct config_path *path, const struct yaml_node *node,
    enum rule_id *id)
{
    if (!rule_find(node->text, id))
        return refuse_rule(reader, path, node);
    return 0;
}
