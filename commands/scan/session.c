#include "commands/scan/session.h"

#include <errno.h>
#include <string.h>

static void give_up(struct scan_session *session, const char *reason)
{
    struct error error = {0};
    error_set(&error, "%s", reason);
    session->complain(session->context, "", &error);
    session->is_out_of_memory = true;
}

typedef bool add_line(struct scan_lines *lines, uint64_t key, struct slice line);

static void keep_line(struct scan_session *session, const struct verdict *verdict, add_line *add)
{
    struct text text = text_start(session->arena, 1024);
    if (session->reports && verdict && !scan_reports_add(session->reports, verdict))
        give_up(session, "out of memory");
    if (!session->lines || !verdict || !verdict->finding_count)
        return;
    scan_append_line(&text, verdict, session->cluster);
    struct slice line = text_slice(&text);
    uint64_t key = scan_lines_key(verdict->review, session->cluster);
    errno = ENOMEM;
    if (!line.bytes || !add(session->lines, key, line))
        give_up(session, strerror(errno));
}

void scan_session_add(struct scan_session *session, const char *input, const struct scan_object *object)
{
    const struct verdict *verdict = NULL;
    struct error error = {0};
    if (session->is_out_of_memory)
        return;
    if (scan_add(session->scan, object, session->arena, &verdict, &error) < 0) {
        scan_note_partial(session->scan);
        session->complain(session->context, input, &error);
    } else {
        keep_line(session, verdict, scan_lines_add);
    }
    arena_reset(session->arena);
}

/* Judges the next object about which something was not known before. */
typedef int next_object(
    struct scan *scan, size_t *index, struct arena *arena, const struct verdict **verdict,
    struct error *error);

/* Returns false if the scan cannot go on. */
static bool add_each(struct scan_session *session, next_object *next, add_line *add)
{
    const struct verdict *verdict = NULL;
    struct error error = {0};
    size_t index = 0;
    int result = 1;
    while (!session->is_out_of_memory && result > 0) {
        result = next(session->scan, &index, session->arena, &verdict, &error);
        if (result > 0)
            keep_line(session, verdict, add);
        arena_reset(session->arena);
    }
    return result >= 0;
}

void scan_session_end_cluster(struct scan_session *session)
{
    bool is_done = (session->is_out_of_memory || scan_compare_releases(session->scan)) &&
        add_each(session, scan_next_released, scan_lines_add) &&
        add_each(session, scan_next_related, scan_lines_add_late) &&
        (session->is_out_of_memory || scan_find_overlaps(session->scan, session->cluster));
    if (!is_done || !scan_begin_cluster(session->scan))
        give_up(session, "out of memory");
}
