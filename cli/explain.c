/*
 * applyguard explain: prints the pages of rules, from the program itself, and explains conflicts of a
 * server-side apply.
 */
#include "base/array_size.h"
#include "base/json_append.h"
#include "base/terminal_output.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/commands.h"
#include "cli/embedded.h"
#include "cli/explain_conflict.h"
#include "cli/framework/command_line.h"
#include "cli/framework/markdown.h"
#include "cli/framework/message.h"
#include "cli/framework/output.h"
#include "cli/shared_flags.h"
#include "policy/rules.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct options {
    enum output_format format;
    const char *path;
    const char *live;
    const char *policy_path;
    struct cluster_options cluster;
};

/* A rule with a page: one of the policy's rules, or one of a single command. */
struct explained_rule {
    const char *name;
    const char *summary;
};

static const struct explained_rule command_rules[] = {
    {"index-patch", "a JSON patch by place changes another item than its writer saw (replay)"},
};

#define EXPLAINED_COUNT (RULE_COUNT + ARRAY_SIZE(command_rules))

static struct explained_rule rule_at(size_t number)
{
    return number < RULE_COUNT ? (struct explained_rule){rules[number].name, rules[number].summary}
                               : command_rules[number - RULE_COUNT];
}

/* Returns false if there is no such rule. */
static bool find_rule(const char *name, struct explained_rule *found)
{
    for (size_t i = 0; i < EXPLAINED_COUNT; i++) {
        *found = rule_at(i);
        if (strcmp(found->name, name) == 0)
            return true;
    }
    return false;
}

static struct slice page_of(const struct explained_rule *rule)
{
    char name[100];
    snprintf(name, sizeof(name), "%s.md", rule->name);
    return embedded_find(name);
}

/* {"rule","summary","page"}: the page in Markdown. Returns -1 if memory runs out. */
static int print_json(const struct explained_rule *rule, struct arena *arena)
{
    struct slice page = page_of(rule);
    struct text text = text_start(arena, page.length + 200);
    text_append_string(&text, "{");
    json_append_exact(&text, "rule", slice_of(rule->name));
    json_append_exact(&text, "summary", slice_of(rule->summary));
    json_append_exact(&text, "page", page);
    text_append_string(&text, "}\n");
    return output_write(stdout, text_slice(&text)) ? 0 : -1;
}

static int print_page(const struct explained_rule *rule, bool is_json, struct arena *arena)
{
    return is_json ? print_json(rule, arena)
                   : markdown_print(page_of(rule), terminal_has_colour(), arena, stdout);
}

static int print_list(bool is_json, struct arena *arena)
{
    int width = 0;
    for (size_t i = 0; i < EXPLAINED_COUNT; i++)
        width = (int)strlen(rule_at(i).name) > width ? (int)strlen(rule_at(i).name) : width;
    for (size_t i = 0; i < EXPLAINED_COUNT; i++) {
        const struct explained_rule rule = rule_at(i);
        if (!is_json)
            printf("%-*s  %s\n", width, rule.name, rule.summary);
        else if (print_json(&rule, arena) < 0)
            return -1;
    }
    return 0;
}

static int no_such_rule(const char *name)
{
    const char *names[EXPLAINED_COUNT];
    for (size_t i = 0; i < EXPLAINED_COUNT; i++)
        names[i] = rule_at(i).name;
    const char *nearest = word_nearest(slice_of(name), names, EXPLAINED_COUNT);
    if (nearest)
        message_say("applyguard explain: there is no rule \"%s\"; did you mean \"%s\"?", name, nearest);
    else if (access(name, F_OK) == 0)
        message_say(
            "applyguard explain: there is no rule \"%s\"; for what a tool printed, give the file with -f",
            name);
    else
        message_say("applyguard explain: there is no rule \"%s\"; applyguard explain lists the rules", name);
    return EXIT_UNREADABLE;
}

static int explain(const struct options *options, const struct operands *operands, struct arena *arena)
{
    struct explained_rule rule;
    int printed;
    const bool is_json = options->format == OUTPUT_JSON;
    bool has_rule = operands->count && find_rule(operands->items[0], &rule);
    if (operands->count && !has_rule)
        return no_such_rule(operands->items[0]);
    if (!is_json)
        terminal_begin_pager();
    if (!has_rule)
        printed = print_list(is_json, arena);
    else
        printed = print_page(&rule, is_json, arena);
    return printed == 0 ? 0 : message_say_out_of_memory("explain");
}

static int run_explain(const struct command *command, void *parsed, const struct operands *operands)
{
    const struct options *options = parsed;
    if (operands->count > 1)
        return command_misused(command, operands->items[1], "is one RULE too many");
    if (options->path && operands->count)
        return command_misused(command, "use either RULE", "or -f");
    if (!options->path && (options->live || options->policy_path))
        return command_misused(command, options->live ? "--live" : "--policy", "needs -f FILE");
    if (options->path)
        return explain_conflict(&(struct explain_conflict){
            options->path, options->live, options->policy_path, options->format == OUTPUT_JSON,
            &options->cluster});
    struct arena *arena = arena_create();
    int status = EXIT_UNREADABLE;
    if (arena)
        status = explain(options, operands, arena);
    else
        message_say_out_of_memory("explain");
    arena_destroy(arena);
    return status;
}

static const struct flag flags[] = {
    {.name = "filename",
     .letter = 'f',
     .value = "FILE",
     .text = "a warning or denial of applyguard, or what a tool printed about a conflict; \"-\" is standard "
             "input",
     SETS(flag_set_file, struct options, path)},
    {.name = "live",
     .value = "FILE",
     .text = "the object in conflict: KIND/NAME in the cluster, or a file, as kubectl get -o yaml "
             "--show-managed-fields prints it",
     SETS(flag_set_file, struct options, live)},
    {.name = "policy",
     .value = "FILE",
     .text = "the policy file: its classes of managers, and which resolutions of a conflict it denies; "
             "without it the built-in policy",
     SETS(flag_set_string, struct options, policy_path)},
    OUTPUT_FLAG(
        struct options, "text|json",
        "for people, or one line of JSON per rule with its page in Markdown, or per object with its "
        "conflicts (default text)"),
    CLUSTER_FLAGS(struct options),
    CLUSTER_USER_FLAG(struct options),
};

const struct command command_explain = {
    .name = "explain",
    .summary = "Explain a rule, or a conflict",
    .synopsis = "[FLAG...] [RULE]\n[FLAG...] -f FILE",
    .description =
        "Prints the page of a rule: what it sees, an example, why that matters, how to fix it and how to "
        "tune the rule. Without RULE, lists the rules.\n\n"
        "With -f, explains what you paste. A warning or denial of applyguard: who did what, what happens "
        "next, and what to do, as commands. Conflicts of a server-side apply that kubectl, Helm, Flux, "
        "Argo CD, Terraform, Pulumi or Ansible printed: who holds each field, and four ways out, as "
        "commands with what happens next: drop the field from the manifest, take it with force, have the "
        "other manager hand it over, or match its value. With --live, it also says since when, and who else "
        "declares the field, and the commands are for that very object: a file, or an object of the "
        "cluster, such as deployment/web.",
    .exit_status =
        "0, or 2 if there is no such rule, or if an input cannot be read or holds nothing to explain.",
    .operand = "RULE",
    .flags = flags,
    .flag_count = ARRAY_SIZE(flags),
    .options_size = sizeof(struct options),
    .run = run_explain,
};
