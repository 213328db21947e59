#include "commands/replay/suggest.h"

#include "policy/config/suggestion.h"
#include "policy/judge.h"

/* With more exceptions than this, the weaker profile is suggested: people read each one. */
#define EXCEPTIONS_MAX 20

/* Kinds and namespaces of one exception; with more of them it is for all. */
#define WORDS_MAX 64

/* The parts of a key of `denied`, by which it is ordered. */
enum { PART_USER, PART_NAMESPACE, PART_KIND, PART_RULE, PART_COUNT };

struct policy *replay_suggested_profile(size_t index)
{
    return policy_of_profile(suggestion_profiles[index]);
}

static bool add(
    struct replay_suggestion *suggestion, const struct replay_write *write, const struct finding *finding,
    size_t profile, struct arena *arena)
{
    const struct slice parts[PART_COUNT] = {
        write->event->user, write->event->object.namespace, write->kind, slice_of(rules[finding->rule].name)};
    struct text key = text_start(arena, 128);
    bool is_kept = write->kind.length && write->event->user.length;
    for (size_t i = 0; i < PART_COUNT; i++) {
        is_kept &= !slice_contains(parts[i], '\0');
        text_append_all(&key, parts[i], SLICE("\0"));
    }
    struct slice name = text_slice(&key);
    is_kept &= name.length <= REPLAY_NAME_BYTES_MAX && suggestion->denied.count < REPLAY_NAMES_MAX;
    suggestion->is_incomplete[profile] |= !is_kept;
    return name.bytes && (!is_kept || replay_counts_add(&suggestion->denied, name, profile, 1));
}

/* Adds the denials of a verdict. Returns false if memory runs out. */
static bool add_denials(
    struct replay_suggestion *suggestion, const struct replay_write *write, const struct verdict *verdict,
    size_t profile, bool *is_denied)
{
    const struct finding *finding = NULL;
    while ((finding = replay_next_finding(write, verdict, finding))) {
        if (finding->policy_action != ACTION_DENY)
            continue;
        *is_denied = true;
        if (!add(suggestion, write, finding, profile, verdict->arena))
            return false;
    }
    return true;
}

/* A write that is not judged may be judged under the policy that is suggested. Its first denial counts. */
static bool add_possible(struct replay_suggestion *suggestion, const struct replay_write *write)
{
    struct replay_write judged = *write;
    bool is_denied[2] = {false, false};
    judged.tier = REPLAY_FULL;
    for (const struct replay_possible *each = write->possible; each; each = each->next) {
        const struct verdict *const verdicts[] = {each->verdict, each->other};
        for (size_t i = 0; i < 2; i++) {
            if (!is_denied[i] && !add_denials(suggestion, &judged, verdicts[i], i, &is_denied[i]))
                return false;
        }
    }
    return true;
}

bool replay_suggestion_add(struct replay_suggestion *suggestion, const struct replay_write *write)
{
    bool ignored;
    return add_denials(suggestion, write, write->verdict, 0, &ignored) &&
        add_denials(suggestion, write, write->other, 1, &ignored) && add_possible(suggestion, write);
}

/*
 * Exceptions
 */

/* Whether an exception goes on with this row: for the same user. */
static bool is_same(const struct replay_count *a, const struct replay_count *b)
{
    return slice_equal(replay_counts_part(a->name, PART_USER), replay_counts_part(b->name, PART_USER));
}

/* The next row that the profile denied, from `start` on. */
static size_t next_denied(const struct name_table *denied, size_t start, size_t profile)
{
    while (start < denied->count && !replay_counts_item(denied, start)->values[profile])
        start++;
    return start;
}

static size_t count_exceptions(const struct name_table *denied, size_t profile)
{
    const struct replay_count *last = NULL;
    size_t count = 0;
    for (size_t i = 0; (i = next_denied(denied, i, profile)) < denied->count; i++) {
        count += !last || !is_same(last, replay_counts_item(denied, i));
        last = replay_counts_item(denied, i);
    }
    return count;
}

static void append_words(
    struct text *text, const char *name, const struct replay_count *rows, size_t count, size_t profile,
    size_t part)
{
    struct slice words[WORDS_MAX];
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        struct slice word = replay_counts_part(rows[i].name, part);
        size_t known = 0;
        while (known < found && !slice_equal(words[known], word))
            known++;
        if (!rows[i].values[profile] || known < found)
            continue;
        if (found == WORDS_MAX)
            return;
        words[found++] = word;
    }
    text_append_string(text, name);
    for (size_t i = 0; i < found; i++)
        text_append_all(text, i ? ", " : "[", as_escaped(suggestion_append_quoted, words[i]));
    text_append_string(text, "]\n");
}

/*
 * One exception, for rows of the same user. It lowers all rules: where one is lowered, another may deny what
 * it left to the first.
 */
static void append_exception(struct text *text, const struct replay_count *rows, size_t count, size_t profile)
{
    uint64_t findings = 0;
    for (size_t i = 0; i < count; i++)
        findings += rows[i].values[profile];
    text_append_all(text, "# denied otherwise, by ", findings);
    append_words(text, findings == 1 ? " finding of " : " findings of ", rows, count, profile, PART_RULE);
    text_append_all(
        text, "- match:\n    users: [",
        as_escaped(suggestion_append_quoted, replay_counts_part(rows->name, PART_USER)), "]\n");
    append_words(text, "    namespaces: ", rows, count, profile, PART_NAMESPACE);
    append_words(text, "    kinds: ", rows, count, profile, PART_KIND);
    text_append_string(text, "  mode: warn\n  reason: \"FILL IN: why may this user do that?\"\n");
}

static void append_exceptions(struct text *text, const struct name_table *denied, size_t profile)
{
    size_t start = next_denied(denied, 0, profile), end;
    if (start < denied->count)
        text_append_string(text, "overrides:\n");
    for (; start < denied->count; start = next_denied(denied, end, profile)) {
        end = start;
        while (end < denied->count &&
               is_same(replay_counts_item(denied, start), replay_counts_item(denied, end)))
            end++;
        append_exception(text, replay_counts_item(denied, start), end - start, profile);
    }
}

/* "writes by service accounts 12, by people 3; fields taken back 2" */
static void append_evidence(struct text *text, const struct replay_count *row)
{
    text_append_all(
        text, "writes by service accounts ", row->values[REPLAY_BY_SERVICES], ", by people ",
        row->values[REPLAY_BY_PEOPLE], "; fields taken back ", row->values[REPLAY_TAKEN_BACK], "\n");
}

static void append_classes(struct text *text, const struct name_table *unknown)
{
    const struct replay_count *row = NULL;
    if (!unknown->count)
        return;
    text_append_string(
        text,
        "# Managers of unknown class. Uncomment the lines that are right, and replay with this policy.\n"
        "# managers:\n");
    for (size_t shown = 0; shown < EXCEPTIONS_MAX && (row = replay_counts_next(unknown, row)); shown++) {
        bool is_controller =
            row->values[REPLAY_TAKEN_BACK] || row->values[REPLAY_BY_SERVICES] > row->values[REPLAY_BY_PEOPLE];
        suggestion_append_manager(text, row->name, is_controller ? CLASS_CONTROLLER : CLASS_AD_HOC);
        append_evidence(text, row);
    }
}

/* The strongest profile with few exceptions, as an index of suggestion_profiles. */
static size_t choose_profile(const struct replay_suggestion *suggestion)
{
    for (size_t i = 0; i < 2; i++) {
        bool is_last = i == 1;
        if (!suggestion->is_incomplete[i] &&
            (is_last || count_exceptions(&suggestion->denied, i) <= EXCEPTIONS_MAX))
            return i;
    }
    return 2;
}

static void append_head(struct text *text, const struct replay_summary *summary)
{
    uint64_t judged = summary->judged[REPLAY_FULL] + summary->judged[REPLAY_PARTIAL];
    text_append_all(
        text, "# By applyguard replay: of an audit log with ", summary->writes, " writes, ", judged,
        " of them judged, from\n# ", as_printable(replay_time(&summary->first)), " to ",
        as_printable(replay_time(&summary->last)), ", this policy denies nothing.\n");
}

void replay_append_suggestion(
    struct text *text, const struct replay_summary *summary, const struct replay_suggestion *suggestion)
{
    size_t profile = choose_profile(suggestion);
    append_head(text, summary);
    suggestion_append_head(text, suggestion_profiles[profile]);
    append_classes(text, &summary->unknown);
    if (profile < 2)
        append_exceptions(text, &suggestion->denied, profile);
}
