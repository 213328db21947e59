#include "webhook/server/reload.h"

#include "policy/judge.h"

#include <string.h>

void policy_file_init(struct policy_file *file, const char *path, const char *flag)
{
    *file = (struct policy_file){.file = {.path = path, .flag = flag, .limit = POLICY_FILE_BYTES_MAX}};
}

void policy_file_release(struct policy_file *file)
{
    secret_free(&file->content);
    *file = (struct policy_file){0};
}

void policy_file_forget(struct policy_file *file)
{
    file->is_loaded = false;
}

static bool same_content(const struct secret *a, const struct secret *b)
{
    return a->bytes && b->bytes && a->length == b->length && memcmp(a->bytes, b->bytes, a->length) == 0;
}

static void remember(struct policy_file *file, struct secret content)
{
    secret_free(&file->content);
    file->content = content;
}

/* A failure is reported once for each content and reason, and again when a reload is requested. */
static enum reload_result failed(struct policy_file *file, bool is_news, const struct error *error)
{
    bool is_another = strcmp(file->reported.message, error->message) != 0;
    file->is_loaded = false;
    file->reported = *error;
    return is_news || is_another ? RELOAD_FAILED : RELOAD_UNCHANGED;
}

static enum reload_result unreadable(struct policy_file *file, bool is_forced, const struct error *error)
{
    bool is_news = is_forced || file->content.bytes;
    remember(file, (struct secret){0});
    return failed(file, is_news, error);
}

static enum reload_result load(
    struct policy_file *file, bool is_news, struct policy **policy, struct error *error)
{
    const char *path = file->file.path;
    struct policy_problem first = {.kind = POLICY_BROKEN};
    struct policy_problems problems = {.items = &first, .capacity = 1, .least = POLICY_BROKEN};
    *policy = policy_check(secret_slice(&file->content), &problems);
    file->is_loaded = *policy;
    if (*policy) {
        file->reported = (struct error){0};
        return RELOAD_NEW;
    }
    const struct error *where = &first.error;
    const char *others = problems.more ? "; applyguard policy check shows the other errors" : "";
    if (where->line)
        error_set(error, "%s:%u:%u: %s%s", path, where->line, where->column, where->message, others);
    else
        error_set(error, "%s: %s%s", path, where->message, others);
    return failed(file, is_news, error);
}

enum reload_result policy_file_reload(
    struct policy_file *file, bool is_forced, struct policy **policy, struct error *error)
{
    struct secret content;
    if (!file->file.path || (!is_forced && file->is_loaded && watched_file_is_same(&file->file)))
        return RELOAD_UNCHANGED;
    if (watched_file_read(&file->file, &content, error) != 0)
        return unreadable(file, is_forced, error);
    bool is_news = is_forced || !same_content(&file->content, &content);
    remember(file, content);
    return is_news || !file->is_loaded ? load(file, is_news, policy, error) : RELOAD_UNCHANGED;
}
