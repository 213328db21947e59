#include "policy/config_reader.h"
#include "policy/text.h"

#include <stdarg.h>
#include <stdio.h>

/* Longer words are no slips of the pen. */
#define WORD_BYTES_MAX 48

/* A longer list of keys would not fit the error beside what it is about. */
#define LISTED_WORDS_BYTES_MAX 100

int config_out_of_memory(struct config_reader *reader)
{
    return error_set(reader->error, "out of memory while reading the policy file");
}

static void append_place(struct text *text, const struct config_place *place)
{
    if (!place)
        return;
    append_place(text, place->parent);
    if (place->key) {
        text_append_string(text, place->parent ? "." : "");
        text_append_string(text, place->key);
    } else {
        text_append_string(text, "[");
        text_append_number(text, place->index);
        text_append_string(text, "]");
    }
}

/* NUL-terminated. */
static const char *place_text(struct config_reader *reader, const struct config_place *place)
{
    if (!place)
        return "the policy file";
    struct text text = text_start(reader->policy->arena, 64);
    append_place(&text, place);
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : "the policy file";
}

int config_refuse(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    const char *format, ...)
{
    char sentence[sizeof(reader->error->message)];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof(sentence), format, arguments);
    va_end(arguments);
    return error_set_at(
        reader->error, node->line, node->column, "%s %s", place_text(reader, place), sentence);
}

/* "a, b or c", NUL-terminated. */
static const char *list_words(
    struct config_reader *reader, const char *const *words, size_t count, const char *last_joint)
{
    struct text text = text_start(reader->policy->arena, 128);
    for (size_t i = 0; i < count; i++) {
        text_append_string(&text, i == 0 ? "" : i + 1 < count ? ", " : last_joint);
        text_append_string(&text, words[i]);
    }
    text_append(&text, (struct slice){"", 1});
    struct slice built = text_slice(&text);
    return built.bytes ? built.bytes : "";
}

int config_refuse_word(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    const char *const *known, size_t count)
{
    return config_refuse(
        reader, place, node, "must be %s, not \"%s\"", list_words(reader, known, count, " or "),
        yaml_excerpt(reader->policy->arena, node->text));
}

static unsigned smallest(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;
    return least < c ? least : c;
}

/* How many letters to insert, delete or replace (Levenshtein), for words of at most WORD_BYTES_MAX. */
static unsigned word_distance(struct slice a, struct slice b)
{
    unsigned row[WORD_BYTES_MAX + 1];
    for (unsigned j = 0; j <= b.length; j++)
        row[j] = j;
    for (unsigned i = 1; i <= a.length; i++) {
        unsigned diagonal = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= b.length; j++) {
            unsigned above = row[j];
            unsigned change = a.bytes[i - 1] != b.bytes[j - 1];
            row[j] = smallest(above + 1, row[j - 1] + 1, diagonal + change);
            diagonal = above;
        }
    }
    return row[b.length];
}

/* The known word that was probably meant: a third of it may be wrong. NULL if none is near. */
static const char *nearest_word(struct slice text, const char *const *known, size_t count)
{
    const char *nearest = NULL;
    unsigned least = WORD_BYTES_MAX;
    for (size_t i = 0; i < count && text.length <= WORD_BYTES_MAX; i++) {
        struct slice word = slice_of(known[i]);
        if (word.length > WORD_BYTES_MAX)
            continue;
        unsigned distance = word_distance(text, word);
        if (distance < least && distance <= (word.length + 2) / 3) {
            least = distance;
            nearest = known[i];
        }
    }
    return nearest;
}

int config_refuse_key(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *key,
    const char *const *known, size_t count)
{
    const char *found = yaml_excerpt(reader->policy->arena, key->text);
    const char *where = place_text(reader, place);
    const char *nearest = nearest_word(key->text, known, count);
    if (nearest)
        return error_set_at(
            reader->error, key->line, key->column, "unknown key \"%s\" in %s; did you mean \"%s\"?", found,
            where, nearest);
    const char *words = list_words(reader, known, count, " and ");
    if (strlen(words) > LISTED_WORDS_BYTES_MAX)
        words = "what `applyguard policy show` shows there";
    return error_set_at(
        reader->error, key->line, key->column, "unknown key \"%s\" in %s; it takes only %s", found, where,
        words);
}

static int refuse_rule(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node)
{
    const char *names[RULE_COUNT];
    for (size_t i = 0; i < RULE_COUNT; i++)
        names[i] = rules[i].name;
    const char *found = yaml_excerpt(reader->policy->arena, node->text);
    const char *nearest = nearest_word(node->text, names, RULE_COUNT);
    if (nearest)
        return error_set_at(
            reader->error, node->line, node->column, "unknown rule \"%s\" in %s; did you mean \"%s\"?", found,
            place_text(reader, place), nearest);
    return error_set_at(
        reader->error, node->line, node->column,
        "unknown rule \"%s\" in %s; `applyguard policy show` lists the rules", found,
        place_text(reader, place));
}

int config_find_rule(
    struct config_reader *reader, const struct config_place *place, const struct yaml_node *node,
    enum rule_id *id)
{
    if (!rule_find(node->text, id))
        return refuse_rule(reader, place, node);
    return 0;
}
