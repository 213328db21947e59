/*
 * Objects of a cluster, and the manifest of a Helm release behind a line ---manifest: each object is judged
 * or refused with a reason, and the sums match the lines; the output is printable, the JSON is JSON, and the
 * same whether the release comes before the objects or after them. A tar file is read as a backup.
 */
#include "base/base64.h"
#include "base/json.h"
#include "commands/scan/session.h"
#include "commands/scan/stream.h"
#include "fuzz.h"
#include "manifest/source.h"
#include "policy/judge.h"
#include "tests/fuzz/printable.h"
#include "tests/unit/log_file.h"

#include <string.h>

#define MANIFEST_LINE "\n---manifest\n"

struct input {
    struct slice objects;
    struct slice release; /* the Secret as JSON */
    bool is_archive;
};

struct told {
    struct text text;
    uint64_t findings;
};

static void complain(void *context, const char *input, const struct error *error)
{
    (void)context, (void)input;
    promise(error->message[0] != '\0', "what is refused has a reason");
    check_printable(slice_of(error->message), 0);
}

/*
 * The release
 */

static struct slice pack(struct slice plain, struct arena *arena)
{
    z_stream stream = {
        .next_in = (unsigned char *)(uintptr_t)plain.bytes, .avail_in = (unsigned)plain.length};
    promise(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "there is memory");
    unsigned long size = deflateBound(&stream, plain.length);
    char *packed = arena_allocate(arena, size);
    promise(packed != NULL, "there is memory");
    stream.next_out = (unsigned char *)packed;
    stream.avail_out = (unsigned)size;
    promise(deflate(&stream, Z_FINISH) == Z_STREAM_END, "it fits");
    deflateEnd(&stream);
    return (struct slice){packed, size - stream.avail_out};
}

/* The revision of the release web in the namespace shop, as Helm stores it. */
static struct slice release_of(struct slice manifest, struct arena *arena)
{
    struct text json = text_start(arena, manifest.length + 64), once = text_start(arena, 1024),
                secret = text_start(arena, 2048);
    text_append_string(&json, "{\"manifest\":");
    text_append_json(&json, manifest);
    text_append_string(&json, "}");
    base64_append(&once, pack(text_slice(&json), arena));
    text_append_string(
        &secret,
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"type\":\"helm.sh/"
        "release.v1\",\"metadata\":{\"name\":\"r\","
        "\"namespace\":\"shop\",\"labels\":{\"owner\":\"helm\",\"status\":\"deployed\",\"name\":\"web\","
        "\"version\":\"9999999999\"}},\"data\":{\"release\":\"");
    base64_append(&secret, text_slice(&once));
    text_append_string(&secret, "\"}}\n");
    return text_slice(&secret);
}

/*
 * The scan
 */

static bool check_line(void *context, struct slice line)
{
    struct told *told = context;
    struct arena *arena = arena_create();
    yyjson_doc *document = json_read(line, YYJSON_READ_NOFLAG, arena, NULL);
    promise(document != NULL, "the JSON is JSON");
    check_printable(line, '\n');
    size_t findings = yyjson_arr_size(json_member(yyjson_doc_get_root(document), SLICE("findings")));
    promise(findings > 0, "a line has findings");
    told->findings += findings;
    text_append(&told->text, line);
    arena_destroy(arena);
    return true;
}

static void read_text(struct scan_session *session, struct slice text)
{
    scan_begin_input(session->scan);
    scan_read_stream(session, "objects", manifest_read_slice, &text);
    scan_end_input(session->scan);
}

static void read_input(struct scan_session *session, const struct input *input, bool is_release_first)
{
    if (is_release_first)
        read_text(session, input->release);
    if (input->is_archive) {
        struct log_file file = log_file_of(input->objects, false);
        scan_read_archive(session, file.path);
        log_file_close(&file);
    } else {
        read_text(session, input->objects);
    }
    if (!is_release_first)
        read_text(session, input->release);
    scan_session_end_cluster(session);
    promise(!session->is_out_of_memory, "there is memory");
}

static void append_sums(struct told *told, const struct scan_summary *summary)
{
    uint64_t findings = 0;
    for (int rule = 0; rule < RULE_COUNT; rule++)
        findings += scan_summary_findings(summary, (enum rule_id)rule);
    promise(findings == told->findings, "each finding has a line");
    promise(summary->with_findings <= summary->objects, "an object is counted once");
    struct slice before = text_slice(&told->text);
    scan_append_summary(&told->text, summary);
    struct slice sums = slice_from(text_slice(&told->text), before.length);
    yyjson_doc *document = yyjson_read(sums.bytes, sums.length, 0);
    promise(document != NULL, "the sums are JSON");
    yyjson_doc_free(document);
    scan_append_text(&told->text, summary, &(struct scan_text){.now = 1800000000});
    scan_append_metrics(&told->text, summary, 1800000000, 1);
    scan_append_html(&told->text, summary);
}

/* The sums, in the arena. */
static struct slice scanned(
    const struct policy *policy, const struct input *input, bool is_release_first, struct arena *arena)
{
    const struct scan_options options = {.policy = policy, .now = 1800000000, .keeps_all = true};
    struct scan_lines lines = {0};
    struct scan_session session = {
        .scan = scan_create(&options), .arena = arena_create(), .lines = &lines, .complain = complain};
    struct told told = {.text = text_start(arena, 1024)};
    promise(session.scan && session.arena && scan_lines_start(&lines), "there is memory");
    read_input(&session, input, is_release_first);
    promise(scan_lines_read(&lines, check_line, &told), "the lines can be read");
    const struct scan_summary *summary = scan_end(session.scan);
    append_sums(&told, summary);
    struct slice all = text_slice(&told.text);
    promise(all.bytes != NULL, "there is memory");
    check_printable(all, '\n');
    struct text sums = text_start(arena, 1024);
    scan_append_summary(&sums, summary);
    scan_lines_release(&lines);
    arena_destroy(session.arena);
    scan_free(session.scan);
    return text_slice(&sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct policy *policy;
    struct slice whole = {(const char *)data, size};
    struct arena *arena = arena_create();
    const char *line = size ? memmem(data, size, MANIFEST_LINE, sizeof(MANIFEST_LINE) - 1) : NULL;
    struct slice objects = slice_until(whole, line ? (size_t)(line - whole.bytes) : size);
    struct slice manifest = slice_from(whole, objects.length + sizeof(MANIFEST_LINE) - 1);
    if (!policy)
        policy = policy_load(SLICE("apiVersion: applyguard.io/v1\nkind: Policy\nprofile: strict\n"), NULL);
    promise(policy && arena, "there is memory");
    const struct input input = {
        .objects = objects,
        .release = release_of(manifest, arena),
        .is_archive = size > 512 && memcmp(data + 257, "ustar", 5) == 0,
    };
    struct slice first = scanned(policy, &input, true, arena);
    promise(slice_equal(first, scanned(policy, &input, false, arena)), "the order does not matter");
    arena_destroy(arena);
    return 0;
}
