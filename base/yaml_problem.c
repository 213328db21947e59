#include "base/yaml_problem.h"

#include "base/array_size.h"

#include <string.h>
#include <yaml.h>

/* Which of libyaml's two positions to report: where it stopped, or where the part that it was reading began.
 */
enum position { WHERE_IT_STOPPED, WHERE_IT_BEGAN };

/* The beginning of a message of libyaml 0.2.5, and advice for it. */
static const struct {
    const char *problem;
    enum position position;
    const char *sentence;
} problems[] = {
    {"found character that cannot start any token", WHERE_IT_STOPPED,
     "no value can begin with this character; indent with spaces, not tabs, and quote text that begins with "
     "@, ` or %"},
    {"found a tab character", WHERE_IT_STOPPED, "a tab is no indentation in YAML; use spaces"},
    {"mapping values are not allowed in this context", WHERE_IT_STOPPED,
     "a colon makes no key here; check the indentation, and quote text that holds a colon and a space"},
    {"mapping keys are not allowed in this context", WHERE_IT_STOPPED,
     "no key can stand here; check the indentation"},
    {"block sequence entries are not allowed in this context", WHERE_IT_STOPPED,
     "no list item can stand here; begin the list on a line of its own, and check the indentation"},
    {"did not find expected key", WHERE_IT_STOPPED, "a key should stand here; check the indentation"},
    {"could not find expected ':'", WHERE_IT_BEGAN, "this key has no colon after it; add one"},
    {"did not find expected '-' indicator", WHERE_IT_STOPPED,
     "a list item should stand here; check the indentation"},
    {"did not find expected ',' or ']'", WHERE_IT_STOPPED, "a comma or ] is missing here"},
    {"did not find expected ',' or '}'", WHERE_IT_STOPPED, "a comma or } is missing here"},
    {"did not find expected node content", WHERE_IT_STOPPED, "a value is missing here, or a closing bracket"},
    {"did not find expected alphabetic or numeric character", WHERE_IT_STOPPED,
     "& and * begin anchors and aliases here; quote text that begins with them"},
    {"did not find expected <document start>", WHERE_IT_STOPPED,
     "nothing may follow the document; check the indentation"},
    {"found unexpected end of stream", WHERE_IT_BEGAN, "this quote is not closed"},
    {"found unexpected document indicator", WHERE_IT_BEGAN, "this quote is not closed"},
    {"found unknown escape character", WHERE_IT_STOPPED,
     "this escape is unknown; use single quotes where backslashes are to stay as they are"},
    {"found invalid Unicode character escape code", WHERE_IT_STOPPED, "this escape is no Unicode character"},
    {"found undefined tag handle", WHERE_IT_STOPPED, "only the tags !!str, !!map and !!seq are understood"},
};

static int structure_problem(const yaml_parser_t *parser, struct error *error)
{
    unsigned line = (unsigned)parser->problem_mark.line + 1;
    unsigned column = (unsigned)parser->problem_mark.column + 1;
    for (size_t i = 0; i < ARRAY_SIZE(problems); i++) {
        if (strncmp(parser->problem, problems[i].problem, strlen(problems[i].problem)) != 0)
            continue;
        if (problems[i].position == WHERE_IT_BEGAN) {
            line = (unsigned)parser->context_mark.line + 1;
            column = (unsigned)parser->context_mark.column + 1;
        }
        return error_set_at(error, line, column, "%s", problems[i].sentence);
    }
    return error_set_at(error, line, column, "this is not valid YAML: %s", parser->problem);
}

static void position_of(struct slice text, size_t offset, unsigned *line, unsigned *column)
{
    *line = *column = 1;
    for (size_t i = 0; i < offset && i < text.length; i++) {
        if (text.bytes[i] == '\n') {
            (*line)++;
            *column = 1;
        } else if (((unsigned char)text.bytes[i] & 0xc0) != 0x80) {
            (*column)++;
        }
    }
}

/* The program that packed the text; NULL: none. Some callers replaced the bytes that are not UTF-8. */
static const char *packing_of(struct slice text)
{
    static const struct {
        struct slice start;
        const char *program;
    } packings[] = {
        {SLICE_LITERAL("\x1f\x8b"), "gzip"},
        {SLICE_LITERAL("\x1f\xef\xbf\xbd"), "gzip"},
        {SLICE_LITERAL("\x28\xb5\x2f\xfd"), "zstd"},
        {SLICE_LITERAL("\x28\xef\xbf\xbd\x2f\xef\xbf\xbd"), "zstd"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(packings); i++)
        if (slice_starts_with(text, packings[i].start))
            return packings[i].program;
    return NULL;
}

/* The reader knows the byte only; the other stages know line and column. */
static int reader_problem(const yaml_parser_t *parser, struct slice text, struct error *error)
{
    unsigned line, column;
    const char *program = packing_of(text);
    if (program)
        return error_set_at(
            error, 1, 1, "this is packed with %s; unpack it first: %s -dc FILE", program, program);
    position_of(text, parser->problem_offset, &line, &column);
    if (strcmp(parser->problem, "control characters are not allowed") == 0)
        return error_set_at(
            error, line, column,
            "YAML does not allow the control character 0x%02x; remove it, or write it as an escape in double "
            "quotes",
            (unsigned)parser->problem_value);
    return error_set_at(error, line, column, "this is not UTF-8; save the file in that encoding");
}

int yaml_problem(const struct yaml_parser_s *parser, struct slice text, struct error *error)
{
    if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
        return error_set_out_of_memory(error);
    if (parser->error == YAML_READER_ERROR)
        return reader_problem(parser, text, error);
    return structure_problem(parser, error);
}
