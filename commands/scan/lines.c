#include "commands/scan/lines.h"

#include "base/find.h"
#include "base/siphash.h"

#include <stdlib.h>
#include <string.h>

struct scan_late_line {
    uint64_t key;
    char *bytes;
    size_t length;
    size_t order;
    bool is_joined; /* with the object's line */
};

/* How each line ends: ]} and a line break. */
#define END_BYTES 3

bool scan_lines_start(struct scan_lines *lines)
{
    *lines = (struct scan_lines){.file = tmpfile()};
    return lines->file != NULL;
}

void scan_lines_release(struct scan_lines *lines)
{
    for (size_t i = 0; i < lines->late_count; i++)
        free(lines->late[i].bytes);
    free(lines->late);
    free(lines->keys);
    if (lines->file)
        fclose(lines->file);
    *lines = (struct scan_lines){0};
}

/* Two objects with equal keys would share their late findings: that is less likely than a broken memory. */
uint64_t scan_lines_key(const struct review *review, struct slice cluster)
{
    const struct slice parts[] = {cluster, review->group_kind, review->namespace, review->name};
    struct siphash_seed seed = {{0x7363616e, 0x6c696e6573}};
    for (size_t i = 0; i < 4; i++)
        seed.words[i % 2] ^= siphash(parts[i], seed) + i;
    return seed.words[0] ^ seed.words[1];
}

static void *grow(void *items, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return items;
    size_t larger = *capacity ? *capacity * 2 : 256, bytes;
    void *copy = __builtin_mul_overflow(larger, size, &bytes) ? NULL : realloc(items, bytes);
    if (copy)
        *capacity = larger;
    return copy;
}

bool scan_lines_add(struct scan_lines *lines, uint64_t key, struct slice line)
{
    uint64_t *keys = grow(lines->keys, lines->count, &lines->capacity, sizeof(*keys));
    if (!keys)
        return false;
    lines->keys = keys;
    keys[lines->count++] = key;
    return fwrite(line.bytes, 1, line.length, lines->file) == line.length;
}

bool scan_lines_add_late(struct scan_lines *lines, uint64_t key, struct slice line)
{
    struct scan_late_line *late = grow(lines->late, lines->late_count, &lines->late_capacity, sizeof(*late));
    char *copy = late ? malloc(line.length + 1) : NULL;
    if (late)
        lines->late = late;
    if (!copy)
        return false;
    memcpy(copy, line.bytes, line.length);
    late[lines->late_count] =
        (struct scan_late_line){.key = key, .bytes = copy, .length = line.length, .order = lines->late_count};
    lines->late_count++;
    return true;
}

static int compare_keys(const void *a, const void *b)
{
    const struct scan_late_line *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static int compare_order(const void *a, const void *b)
{
    const struct scan_late_line *x = a, *y = b;
    return x->order < y->order ? -1 : x->order > y->order;
}

static struct scan_late_line *find_late(const struct scan_lines *lines, uint64_t key)
{
    const struct scan_late_line wanted = {.key = key};
    return lines->late_count ? bsearch(&wanted, lines->late, lines->late_count, sizeof(wanted), compare_keys)
                             : NULL;
}

/* The findings of a line, without brackets. */
static struct slice findings_of(struct slice line)
{
    static const struct slice before = SLICE_LITERAL("\"findings\":[");
    struct slice rest = slice_from(line, slice_find_text(line, before) + before.length);
    return slice_until(rest, rest.length - END_BYTES);
}

/* Reads the next line, and appends the object's late findings to it. */
struct line_buffer {
    char *bytes;
    size_t capacity; /* of getline */
};

static bool join(struct line_buffer *buffer, size_t *length, struct scan_late_line *late)
{
    struct slice more = findings_of((struct slice){late->bytes, late->length});
    char *bytes = realloc(buffer->bytes, *length + more.length + 2);
    if (!bytes)
        return false;
    buffer->bytes = bytes;
    buffer->capacity = *length + more.length + 2;
    char *end = bytes + *length - END_BYTES;
    *end++ = ',';
    memcpy(end, more.bytes, more.length);
    memcpy(end + more.length, "]}\n", END_BYTES + 1);
    *length += more.length + 1;
    late->is_joined = true;
    return true;
}

static bool read_file(
    struct scan_lines *lines, struct line_buffer *buffer, scan_lines_visit *visit, void *context)
{
    rewind(lines->file);
    for (size_t i = 0; i < lines->count; i++) {
        ssize_t got = getline(&buffer->bytes, &buffer->capacity, lines->file);
        size_t length = got > 0 ? (size_t)got : 0;
        struct scan_late_line *late = find_late(lines, lines->keys[i]);
        if (length < END_BYTES || (late && !late->is_joined && !join(buffer, &length, late)))
            return false;
        if (!visit(context, (struct slice){buffer->bytes, length}))
            return true;
    }
    return true;
}

bool scan_lines_read(struct scan_lines *lines, scan_lines_visit *visit, void *context)
{
    struct line_buffer buffer = {0};
    if (lines->late_count)
        qsort(lines->late, lines->late_count, sizeof(*lines->late), compare_keys);
    bool is_read = fflush(lines->file) == 0 && read_file(lines, &buffer, visit, context);
    free(buffer.bytes);
    if (lines->late_count)
        qsort(lines->late, lines->late_count, sizeof(*lines->late), compare_order);
    for (size_t i = 0; is_read && i < lines->late_count; i++)
        if (!lines->late[i].is_joined &&
            !visit(context, (struct slice){lines->late[i].bytes, lines->late[i].length}))
            break;
    return is_read;
}
