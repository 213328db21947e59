/* policy_test.h: the subcommand `policy test`. */
#ifndef APPLYGUARD_CLI_POLICY_TEST_H
#define APPLYGUARD_CLI_POLICY_TEST_H

#include "cli/framework/command.h"

extern const struct command command_policy_test;

#endif
