/*
 * The mutator of the libFuzzer program whose input is what a connection brings: of every second mutation it
 * mends the last length that is stated, so that what follows is a body and not the end of everything.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define NAME "Content-Length: "

/* libFuzzer's own names and types. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint8_t *find_last(uint8_t *data, size_t size, const char *word)
{
    size_t length = strlen(word);
    uint8_t *found = NULL, *next;
    while (size >= length && (next = memmem(data, size, word, length))) {
        found = next;
        size -= (size_t)(next + 1 - data);
        data = next + 1;
    }
    return found;
}

static size_t digits_at(const uint8_t *text, const uint8_t *end)
{
    size_t count = 0;
    while (text + count < end && text[count] >= '0' && text[count] <= '9')
        count++;
    return count;
}

static size_t mend_length(uint8_t *data, size_t size, size_t max_size)
{
    char number[24];
    uint8_t *end = data + size, *name = find_last(data, size, NAME);
    if (!name)
        return size;
    uint8_t *digits = name + strlen(NAME);
    uint8_t *body = memmem(digits, (size_t)(end - digits), "\r\n\r\n", 4);
    if (!body)
        return size;
    size_t old_length = digits_at(digits, end);
    size_t length = (size_t)snprintf(number, sizeof(number), "%zu", (size_t)(end - body) - 4);
    if (size - old_length + length > max_size)
        return size;
    memmove(digits + length, digits + old_length, (size_t)(end - digits) - old_length);
    memcpy(digits, number, length);
    return size - old_length + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    size = LLVMFuzzerMutate(data, size, max_size);
    return seed % 2 ? mend_length(data, size, max_size) : size;
}
