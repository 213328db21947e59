#include "kubectl/kubectl.h"

#include "base/array_size.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUESTION_WORDS_MAX 7

#define INSTALL                                                                                              \
    "kubectl is not in PATH, and clusters are read through it: install it, or name a file with the "         \
    "objects, "                                                                                              \
    "as kubectl get -o yaml --show-managed-fields prints them"

struct kubectl {
    struct cluster cluster;
    struct kubectl_options options;
    char **arguments; /* the program and its flags; the words of each question follow them */
    const char *namespace;
    bool knows_namespace;
    char failure[512]; /* of this question: the line with the reason, if it came while kubectl still ran */
    size_t failure_length;
};

/*
 * Messages
 */

/* A line of the log of kubectl's own libraries: E1127 05:00:00.000000 ... */
static bool is_log(struct slice line)
{
    return line.length > 5 && strchr("IWEF", line.bytes[0]) && line.bytes[1] >= '0' && line.bytes[1] <= '9' &&
        line.bytes[5] == ' ';
}

static bool is_failure(struct slice line)
{
    static const char *const starts[] = {"error: ",           "Error from server", "Error in configuration",
                                         "Unable to connect", "The connection to", "Error: "};
    for (size_t i = 0; i < ARRAY_SIZE(starts); i++)
        if (slice_starts_with(line, slice_of(starts[i])))
            return true;
    return false;
}

/* The line with the reason of kubectl's failure; empty without one. */
static struct slice find_reason(struct slice errors)
{
    struct slice last = {"", 0};
    while (errors.length) {
        struct slice line = slice_until(errors, slice_find(errors, '\n'));
        errors = slice_from(errors, line.length + 1);
        if (is_failure(line))
            return line;
        if (slice_trim(line).length && !is_log(line))
            last = line;
    }
    return last;
}

/* Our own messages begin with the same word. */
static struct slice without_error(struct slice reason)
{
    bool has_word =
        slice_starts_with(reason, SLICE("error: ")) || slice_starts_with(reason, SLICE("Error: "));
    return has_word ? slice_from(reason, sizeof("error: ") - 1) : reason;
}

/* Gets what kubectl prints while it runs for long: keeps the reason of its failure, and passes on the rest.
 */
static void hear(void *context, struct slice text)
{
    struct kubectl *kubectl = context;
    while (text.length) {
        struct slice line = slice_until(text, slice_find(text, '\n'));
        text = slice_from(text, line.length + 1);
        if (!is_failure(line) || kubectl->failure_length) {
            kubectl->options.say(kubectl->options.context, line);
            continue;
        }
        line = text_cut(line, sizeof(kubectl->failure));
        memcpy(kubectl->failure, line.bytes, line.length);
        kubectl->failure_length = line.length;
    }
}

/* The line with the reason of kubectl's failure; empty without one. */
static struct slice reason_of(const struct kubectl *kubectl, struct slice errors)
{
    return kubectl->failure_length ? (struct slice){kubectl->failure, kubectl->failure_length}
                                   : find_reason(errors);
}

/* Passes on the other lines, such as the hints of an exec plugin. */
static void say_rest(const struct kubectl *kubectl, struct slice errors, struct slice reason)
{
    while (errors.length) {
        struct slice line = slice_until(errors, slice_find(errors, '\n'));
        errors = slice_from(errors, line.length + 1);
        if (line.length && line.bytes != reason.bytes && !is_log(line))
            kubectl->options.say(kubectl->options.context, line);
    }
}

/* Advice for a failure, if kubectl gives none itself. */
static const char *advice_for(struct slice reason)
{
    static const struct {
        const char *start;
        const char *advice;
    } table[] = {
        {"unknown flag: --show-managed-fields", "; install kubectl 1.21 or newer"},
        {"The connection to the server localhost:8080",
         "; is there a kubeconfig with this cluster? Name one with --kubeconfig"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (slice_starts_with(reason, slice_of(table[i].start)))
            return table[i].advice;
    return "";
}

static int set_error(struct slice line, int exit_status, struct error *error)
{
    const struct slice reason = without_error(line);
    if (reason.length)
        return error_set(
            error, "kubectl: %.*s%s", (int)text_cut(reason, 240).length, reason.bytes, advice_for(reason));
    if (exit_status > 128)
        return error_set(error, "kubectl was ended by signal %d", exit_status - 128);
    return error_set(error, "kubectl failed with exit status %d", exit_status);
}

int kubectl_failed(const struct child_result *result, struct error *error)
{
    const struct slice errors = {result->errors, result->error_length};
    return set_error(find_reason(errors), result->exit_status, error);
}

/* The same, after the other lines that kubectl printed are passed on. */
static void describe(const struct kubectl *kubectl, const struct child_result *result, struct error *error)
{
    const struct slice errors = {result->errors, result->error_length};
    struct slice reason = reason_of(kubectl, errors);
    say_rest(kubectl, errors, reason);
    set_error(reason, result->exit_status, error);
}

/*
 * Questions
 */

static enum cluster_found fail(struct error *error, const char *problem)
{
    error_set(error, "%s", problem);
    return CLUSTER_FAILED;
}

static enum cluster_refusal refusal_of(struct slice reason)
{
    static const struct {
        const char *start;
        enum cluster_refusal refusal;
    } table[] = {
        {"The connection to the server", CLUSTER_UNREACHABLE},
        {"Unable to connect to the server", CLUSTER_UNREACHABLE},
        {"error: You must be logged in", CLUSTER_UNREACHABLE},
        {"Error from server (Forbidden)", CLUSTER_FORBIDDEN},
        {"Error from server (Expired)", CLUSTER_EXPIRED},
        {"Error from server (Gone)", CLUSTER_EXPIRED},
        {"Error from server (TooManyRequests)", CLUSTER_BUSY},
        {"Error from server (ServiceUnavailable)", CLUSTER_BUSY},
        {"Error from server (Timeout)", CLUSTER_BUSY},
        {"Error from server (ServerTimeout)", CLUSTER_BUSY},
    };
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (slice_starts_with(reason, slice_of(table[i].start)))
            return table[i].refusal;
    return CLUSTER_REFUSAL_OTHER;
}

static enum cluster_found judge_answer(
    struct kubectl *kubectl, struct child_result *result, struct file_content *content, struct error *error)
{
    const struct slice errors = {result->errors, result->error_length};
    if (result->exit_status == 0 && result->output.length) {
        say_rest(kubectl, errors, (struct slice){NULL, 0});
        *content = result->output;
        return CLUSTER_FOUND;
    }
    free(result->output.bytes);
    if (result->exit_status == 0)
        return fail(error, "kubectl printed nothing");
    describe(kubectl, result, error);
    kubectl->cluster.refusal = refusal_of(reason_of(kubectl, errors));
    return slice_starts_with(reason_of(kubectl, errors), SLICE("Error from server (NotFound)"))
        ? CLUSTER_NO_OBJECT
        : CLUSTER_FAILED;
}

/*
 * Runs kubectl with these words behind its flags. CLUSTER_NO_OBJECT sets the error, too: the API server
 * answers 404.
 */
static enum cluster_found ask(
    struct kubectl *kubectl, const char *const *words, size_t count, struct file_content *content,
    struct error *error)
{
    char **end = kubectl->arguments + 1 + kubectl->options.flag_count;
    const struct child child = {
        .arguments = kubectl->arguments,
        .output_max = CLUSTER_ANSWER_BYTES_MAX,
        .say = hear,
        .context = kubectl,
    };
    struct child_result result;
    struct error problem = {0};
    kubectl->cluster.refusal = CLUSTER_REFUSAL_OTHER;
    kubectl->failure_length = 0;
    /* posix_spawn takes char *, but does not write to it. */
    memcpy((void *)end, (const void *)words, count * sizeof(*words));
    end[count] = NULL;
    enum child_outcome outcome = child_run(&child, &result, &problem);
    if (outcome == CHILD_ENDED)
        return judge_answer(kubectl, &result, content, error);
    if (outcome == CHILD_IS_MISSING) {
        kubectl->cluster.refusal = CLUSTER_UNREACHABLE;
        return fail(error, INSTALL);
    }
    error_set(error, "kubectl: %s", problem.message);
    return CLUSTER_FAILED;
}

static enum cluster_found get_raw(
    struct cluster *cluster, const char *path, struct file_content *content, struct error *error)
{
    const char *const words[] = {"get", "--raw", path};
    struct error problem = {0};
    enum cluster_found found = ask((struct kubectl *)cluster, words, ARRAY_SIZE(words), content, &problem);
    if (found == CLUSTER_FAILED)
        *error = problem;
    return found;
}

static int get_named(
    struct cluster *cluster, const char *kind_and_name, struct file_content *content, struct error *error)
{
    struct kubectl *kubectl = (struct kubectl *)cluster;
    const char *words[QUESTION_WORDS_MAX] = {"get", "--output=json", "--show-managed-fields"};
    size_t count = 3;
    if (kubectl->options.namespace) {
        words[count++] = "--namespace";
        words[count++] = kubectl->options.namespace;
    }
    words[count++] = "--";
    words[count++] = kind_and_name;
    return ask(kubectl, words, count, content, error) == CLUSTER_FOUND ? 0 : -1;
}

/* An object that names no namespace belongs to the context's. */
static const char *ask_for_namespace(struct kubectl *kubectl)
{
    const char *words[] = {
        "config", "view", "--minify", "--output=jsonpath={.contexts[0].context.namespace}"};
    struct file_content content = {0};
    struct error ignored;
    if (ask(kubectl, words, ARRAY_SIZE(words), &content, &ignored) != CLUSTER_FOUND)
        return NULL; /* without a context, a question about an object fails in the same way */
    struct slice copy = arena_copy(kubectl->cluster.arena, (struct slice){content.bytes, content.length + 1});
    free(content.bytes);
    return copy.bytes;
}

static const char *get_namespace(struct cluster *cluster)
{
    struct kubectl *kubectl = (struct kubectl *)cluster;
    if (!kubectl->knows_namespace)
        kubectl->namespace =
            kubectl->options.namespace ? kubectl->options.namespace : ask_for_namespace(kubectl);
    kubectl->knows_namespace = true;
    return kubectl->namespace;
}

static void close_kubectl(struct cluster *cluster)
{
    free(cluster);
}

/* Returns false if memory runs out. */
static bool fill(struct kubectl *kubectl, const struct kubectl_options *options)
{
    static char program[] = "kubectl";
    struct arena *arena = arena_create();
    size_t count = options->flag_count;
    kubectl->cluster = (struct cluster){
        .get_raw = get_raw,
        .get_named = get_named,
        .get_namespace = get_namespace,
        .close = close_kubectl,
        .arena = arena,
    };
    kubectl->options = *options;
    if (!arena)
        return false;
    kubectl->arguments =
        arena_allocate_array(arena, 1 + count + QUESTION_WORDS_MAX + 1, sizeof(*kubectl->arguments));
    if (!kubectl->arguments)
        return false;
    kubectl->arguments[0] = program;
    for (size_t i = 0; i < count; i++) {
        struct slice flag = options->flags[i];
        kubectl->arguments[1 + i] = arena_allocate_array(arena, flag.length + 1, 1);
        if (!kubectl->arguments[1 + i])
            return false;
        memcpy(kubectl->arguments[1 + i], flag.bytes, flag.length + 1);
    }
    return true;
}

struct cluster *kubectl_open(const struct kubectl_options *options)
{
    struct kubectl *kubectl = calloc(1, sizeof(*kubectl));
    if (!kubectl)
        return NULL;
    if (fill(kubectl, options))
        return &kubectl->cluster;
    cluster_close(&kubectl->cluster);
    return NULL;
}
