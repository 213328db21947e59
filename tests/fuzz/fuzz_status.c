/*
 * Any answer of the API server other than the expected one: it becomes one printable line of UTF-8 that
 * begins with the status and fits wherever it goes.
 */
#include "base/text.h"
#include "fuzz.h"
#include "kube/client.h"
#include "tests/fuzz/printable.h"

#include <yyjson.h>

static bool is_utf8(const char *line)
{
    struct arena *arena = arena_create();
    promise(arena != NULL, "there is memory");
    struct text quoted = text_start(arena, 64);
    text_append_string(&quoted, "\"");
    for (; *line; line++)
        text_append(&quoted, *line == '"' || *line == '\\' ? SLICE("x") : (struct slice){line, 1});
    text_append_string(&quoted, "\"");
    struct slice json = text_slice(&quoted);
    yyjson_doc *document = yyjson_read(json.bytes, json.length, YYJSON_READ_NOFLAG);
    bool is_read = document != NULL;
    yyjson_doc_free(document);
    arena_destroy(arena);
    return is_read;
}

/* In a block of its very size. */
static void check_line(const struct kube_response *response, size_t capacity)
{
    char *line = malloc(capacity);
    promise(line != NULL, "there is memory");
    kube_status_message(response, line, capacity);
    size_t length = strnlen(line, capacity);
    promise(length < capacity, "a line ends");
    check_printable((struct slice){line, length}, 0);
    promise(is_utf8(line), "a line is UTF-8");
    promise(capacity < 8 || strncmp(line, "403", 3) == 0, "a line begins with the status");
    free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t capacities[] = {1, 3, 4, 5, 8, 9, 10, 11, 12, 40, 300};
    struct kube_response response = {.status = 403, .body = {(char *)(uintptr_t)data, size}};
    struct error error = {0};
    for (size_t i = 0; i < sizeof(capacities) / sizeof(*capacities); i++)
        check_line(&response, capacities[i]);
    promise(kube_refused(&response, &error) == -1, "what is refused is an error");
    check_printable(slice_of(error.message), 0);
    return 0;
}
