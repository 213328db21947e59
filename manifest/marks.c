#include "manifest/marks.h"

#include <stdint.h>
#include <string.h>

#define WORD_BYTES sizeof(uint64_t)

struct marks marks_start(struct slice text, unsigned first_line)
{
    return (struct marks){.text = text, .line = first_line, .column = 1};
}

/* Without a branch, so that the compiler can look at many bytes at once. */
bool marks_are_bytes(struct slice text)
{
    unsigned char all = 0, returns = 0;
    for (size_t i = 0; i < text.length; i++) {
        all |= (unsigned char)text.bytes[i];
        returns |= text.bytes[i] == '\r';
    }
    return all < 0x80 && !returns && text.length && text.bytes[text.length - 1] == '\n';
}

/* Each byte that is not UTF-8 counts as a character. */
static size_t width_at(const struct marks *marks)
{
    size_t left = marks->text.length - marks->offset, width = 1;
    const unsigned char *bytes = (const unsigned char *)marks->text.bytes + marks->offset;
    if (bytes[0] < 0xc0)
        return 1;
    while (width < left && width < 4 && (bytes[width] & 0xc0) == 0x80)
        width++;
    return width;
}

static void step(struct marks *marks)
{
    if (marks->text.bytes[marks->offset] == '\n') {
        marks->line++;
        marks->column = 0;
    }
    marks->offset += width_at(marks);
    marks->character++;
    marks->column++;
}

/* The column of a line's end follows from the line. */
static unsigned column_at(const struct marks *marks)
{
    struct marks line = marks_start(marks->text, 1);
    line.offset = marks->offset;
    while (line.offset && marks->text.bytes[line.offset - 1] != '\n')
        line.offset--;
    marks_move_to_offset(&line, marks->offset);
    return line.column;
}

static void step_back(struct marks *marks)
{
    marks->offset--;
    while (marks->offset && ((unsigned char)marks->text.bytes[marks->offset] & 0xc0) == 0x80)
        marks->offset--;
    marks->character--;
    marks->column--;
    if (marks->text.bytes[marks->offset] == '\n') {
        marks->line--;
        marks->column = column_at(marks);
    }
}

/* Whether each of the next bytes is a character that does not end a line. */
static bool is_plain_word(const struct marks *marks)
{
    const uint64_t ones = UINT64_MAX / 0xff, highs = ones * 0x80;
    uint64_t word;
    if (marks->text.length - marks->offset < WORD_BYTES)
        return false;
    memcpy(&word, marks->text.bytes + marks->offset, WORD_BYTES);
    const uint64_t zero_at_break = word ^ ones * '\n';
    return !((word | ((zero_at_break - ones) & ~zero_at_break)) & highs);
}

/* Moves a word at a time if possible. */
static void step_far(struct marks *marks)
{
    if (!is_plain_word(marks)) {
        step(marks);
        return;
    }
    marks->offset += WORD_BYTES;
    marks->character += WORD_BYTES;
    marks->column += (unsigned)WORD_BYTES;
}

void marks_move(struct marks *marks, size_t character)
{
    while (marks->character + WORD_BYTES <= character && marks->offset < marks->text.length)
        step_far(marks);
    while (marks->character < character && marks->offset < marks->text.length)
        step(marks);
    while (marks->character > character)
        step_back(marks);
}

void marks_move_to_offset(struct marks *marks, size_t offset)
{
    while (marks->offset + WORD_BYTES <= offset && marks->offset < marks->text.length)
        step_far(marks);
    while (marks->offset < offset && marks->offset < marks->text.length)
        step(marks);
}

void marks_move_before_blanks(struct marks *marks)
{
    static const char blank[] = {' ', '\t', '\r', '\n'};
    size_t blanks = 0;
    while (blanks < marks->offset &&
           memchr(blank, marks->text.bytes[marks->offset - blanks - 1], sizeof(blank)))
        blanks++;
    marks_move(marks, marks->character - blanks);
}
