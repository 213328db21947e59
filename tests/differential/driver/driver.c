/*
 * driver: answers questions of the Go program, one after another, on stdin and stdout.
 *
 * A question is a letter, the number of its parts, and each part with its length before it; an answer is a
 * text with its length before it. Lengths are 32 bits, little-endian. The question 0 has no answer: what was
 * answered is to be sent.
 */
#include "tests/differential/driver/driver.h"

#include "base/array_size.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static const struct {
    char letter;
    answer_question *answer;
} questions[] = {
    {'D', answer_difference},    {'O', answer_overlap},       {'C', answer_contains},
    {'I', answer_contains_item}, {'X', answer_conflicts},     {'J', answer_last_applied},
    {'E', answer_equal},         {'Q', answer_quantities},    {'P', answer_policy},
    {'A', answer_apply_set},     {'V', answer_apply_set_id},  {'M', answer_manifest},
    {'Y', answer_written},       {'S', answer_server_side},   {'T', answer_value_types},
    {'G', answer_migrate},       {'B', answer_client_side},   {'R', answer_pattern},
    {'F', answer_format},        {'K', answer_custom_values},
};

_Noreturn static void give_up(const char *why)
{
    fprintf(stderr, "driver: %s\n", why);
    exit(2);
}

void answer_field(struct question *question, struct slice field)
{
    text_append_number(&question->answer, field.length);
    text_append_string(&question->answer, ":");
    text_append(&question->answer, field);
}

void answer_number(struct question *question, size_t number)
{
    struct text digits = text_start(question->arena, 24);
    text_append_number(&digits, number);
    answer_field(question, text_slice(&digits));
}

static void read_bytes(char *bytes, size_t length)
{
    if (length && fread(bytes, 1, length, stdin) != length)
        give_up("the input ends within a question");
}

static size_t read_length(void)
{
    unsigned char bytes[4];
    read_bytes((char *)bytes, sizeof(bytes));
    return bytes[0] | (size_t)bytes[1] << 8 | (size_t)bytes[2] << 16 | (size_t)bytes[3] << 24;
}

static void write_answer(struct slice answer)
{
    unsigned char length[4];
    for (size_t i = 0; i < sizeof(length); i++)
        length[i] = (unsigned char)(answer.length >> (8 * i) & 0xff);
    if (fwrite(length, 1, sizeof(length), stdout) != sizeof(length) ||
        fwrite(answer.bytes, 1, answer.length, stdout) != answer.length)
        give_up("the answer cannot be written");
}

static void read_parts(struct question *question)
{
    char count;
    read_bytes(&count, 1);
    question->count = (unsigned char)count;
    if (question->count > PARTS_MAX)
        give_up("a question has too many parts");
    for (size_t i = 0; i < question->count; i++) {
        size_t length = read_length();
        char *bytes = arena_allocate(question->arena, length + 1);
        if (!bytes)
            give_up("no memory for a question");
        read_bytes(bytes, length);
        question->parts[i] = (struct slice){bytes, length};
    }
}

static void answer(char letter, struct arena *arena)
{
    struct question question = {.arena = arena};
    read_parts(&question);
    question.answer = text_start(arena, 256);
    for (size_t i = 0; i < ARRAY_SIZE(questions); i++) {
        if (questions[i].letter != letter)
            continue;
        questions[i].answer(&question);
        if (question.answer.failed || arena_has_failed(arena))
            give_up("no memory for an answer");
        write_answer((struct slice){question.answer.bytes, question.answer.length});
        return;
    }
    give_up("there is no such question");
}

int main(void)
{
    struct arena *arena = arena_create();
    if (!arena)
        give_up("no memory");
    for (int letter; (letter = getchar()) != EOF; arena_reset(arena)) {
        if (letter)
            answer((char)letter, arena);
        else if (fflush(stdout))
            give_up("the answers cannot be written");
    }
    arena_destroy(arena);
    return 0;
}
