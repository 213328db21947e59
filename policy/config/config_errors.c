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

static void append_path(struct text *text, const struct config_value *value)
{
    if (!value->parent)
        return;
    append_path(text, value->parent);
    if (value->key) {
        text_append_all(text, value->parent->parent ? "." : "", value->key);
    } else {
        text_append_all(text, "[", value->index, "]");
    }
}

/* NUL-terminated. */
static const char *path_text(const struct config_value *value)
{
    if (!value->parent)
        return value->reader->file;
    struct text text = text_start(value->reader->arena, 64);
    append_path(&text, value);
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : value->reader->file;
}

/* Counts a problem that is not kept. */
static int drop(const struct config_value *value, enum policy_problem_kind kind)
{
    struct error error = {.line = value->node->line, .column = value->node->column};
    return config_add_problem(value->reader, kind, &error);
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
    const struct config_value *value, enum policy_problem_kind kind, const char *format, va_list arguments)
{
    struct error error;
    char sentence[sizeof(error.message)];
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    error_set_at(&error, value->node->line, value->node->column, "%s %s", path_text(value), sentence);
    config_add_problem(value->reader, kind, &error);
}

void config_report(const struct config_value *value, enum policy_problem_kind kind, const char *format, ...)
{
    if (!config_wants_problem(value, kind)) {
        drop(value, kind);
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    report(value, kind, format, arguments);
    va_end(arguments);
}

int config_refuse(const struct config_value *value, const char *format, ...)
{
    if (!config_wants_problem(value, POLICY_BROKEN))
        return drop(value, POLICY_BROKEN);
    va_list arguments;
    va_start(arguments, format);
    report(value, POLICY_BROKEN, format, arguments);
    va_end(arguments);
    return -1;
}

/* "a, b or c", NUL-terminated: the joints are ", " and " or " there. */
static const char *list_words(
    struct config_reader *reader, const char *const *words, size_t count, const char *joint,
    const char *last_joint)
{
    struct text text = text_start(reader->arena, 128);
    for (size_t i = 0; i < count; i++)
        text_append_all(&text, i == 0 ? "" : i + 1 < count ? joint : last_joint, words[i]);
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : "";
}

int config_refuse_missing(const struct config_value *value, const char *const *missing, size_t count)
{
    return config_refuse(
        value, "lacks the key%s \"%s\"; add %s", count == 1 ? "" : "s",
        list_words(value->reader, missing, count, "\", \"", "\" and \""), count == 1 ? "it" : "them");
}

/* "; did you mean "WORD"?", or nothing. NUL-terminated. */
static const char *hint(struct config_reader *reader, const char *nearest)
{
    const char *hint = nearest ? text_join_string(reader->arena, "; did you mean \"", nearest, "\"?") : NULL;
    return hint ? hint : "";
}

int config_refuse_word(const struct config_value *value, const char *const *known, size_t count)
{
    if (!config_wants_problem(value, POLICY_BROKEN))
        return drop(value, POLICY_BROKEN);
    const char *nearest = count > 1 ? word_nearest(value->node->text, known, count) : NULL;
    return config_refuse(
        value, "must be %s, not \"%s\"%s", list_words(value->reader, known, count, ", ", " or "),
        config_excerpt(value), hint(value->reader, nearest));
}

int config_refuse_key(
    const struct config_value *map, const struct yaml_node *key, const char *const *known, size_t count)
{
    const struct config_value value = config_at(map, key);
    struct config_reader *reader = map->reader;
    if (!config_wants_problem(&value, POLICY_BROKEN))
        return drop(&value, POLICY_BROKEN);
    const char *found = config_excerpt(&value);
    const char *where = path_text(map);
    const char *nearest = word_nearest(key->text, known, count);
    if (nearest)
        return refuse_at(
            reader, key, "unknown key \"%s\" in %s; did you mean \"%s\"?", found, where, nearest);
    const char *words = list_words(reader, known, count, ", ", " and ");
    if (strlen(words) > LISTED_WORDS_BYTES_MAX)
        words = reader->reference;
    return refuse_at(reader, key, "unknown key \"%s\" in %s; it takes only %s", found, where, words);
}

int config_find_rule(const struct config_value *in, const struct yaml_node *name, enum rule_id *id)
{
    const struct config_value value = config_at(in, name);
    if (rule_find(name->text, id))
        return 0;
    if (!config_wants_problem(&value, POLICY_BROKEN))
        return drop(&value, POLICY_BROKEN);
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    const char *found = config_excerpt(&value);
    const char *nearest = word_nearest(name->text, names, RULE_COUNT);
    if (nearest)
        return refuse_at(
            in->reader, name, "unknown rule \"%s\" in %s; did you mean \"%s\"?", found, path_text(in),
            nearest);
    return refuse_at(
        in->reader, name, "unknown rule \"%s\" in %s; `applyguard policy show` lists the rules", found,
        path_text(in));
}
