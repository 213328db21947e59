/*
 * applyguard policy: what a policy file comes to.
 */
#include "cli/commands.h"
#include "cli/file.h"

#include <string.h>

static void print_help(FILE *out)
{
    fputs(
        "Usage: applyguard policy check FILE...\n"
        "       applyguard policy show [FILE]\n"
        "\n"
        "check tells what is wrong with policy files, with line and column. show prints the policy with "
        "every\n"
        "default written out; without FILE, the built-in one. \"-\" is standard input.\n",
        out);
}

static int check_one(const char *path)
{
    struct policy *policy = file_load_policy(path);
    if (!policy)
        return EXIT_UNREADABLE;
    printf(
        "%s: ok, profile %s, mode %s, %zu override%s\n", path, profile_name(policy->profile),
        mode_name(policy->mode), policy->override_count, policy->override_count == 1 ? "" : "s");
    policy_free(policy);
    return 0;
}

static int check(int count, char **paths)
{
    if (count == 0) {
        fputs("applyguard policy check: which FILE?\n", stderr);
        return EXIT_UNREADABLE;
    }
    int status = 0;
    for (int i = 0; i < count; i++) {
        if (check_one(paths[i]) != 0)
            status = EXIT_UNREADABLE;
    }
    return status;
}

static int show(int count, char **paths)
{
    if (count > 1) {
        fputs("applyguard policy show: one FILE at a time\n", stderr);
        return EXIT_UNREADABLE;
    }
    struct policy *policy = file_load_policy(count ? paths[0] : NULL);
    if (!policy)
        return EXIT_UNREADABLE;
    policy_print(policy, stdout);
    policy_free(policy);
    return 0;
}

int command_policy(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0) {
            print_help(stdout);
            return 0;
        }
        if (argv[i][0] == '-' && argv[i][1]) {
            fprintf(
                stderr, "applyguard policy: %s is not a flag of policy; see applyguard policy --help\n",
                argv[i]);
            return EXIT_UNREADABLE;
        }
    }
    if (argc > 1 && strcmp(argv[1], "check") == 0)
        return check(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "show") == 0)
        return show(argc - 2, argv + 2);
    if (argc > 1)
        fprintf(stderr, "applyguard policy: there is no \"%s\"\n\n", argv[1]);
    print_help(stderr);
    return EXIT_UNREADABLE;
}
