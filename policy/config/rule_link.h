/*
 * rule_link.h: the address of a rule's page, where the people who run the server host it.
 */
#ifndef APPLYGUARD_POLICY_CONFIG_RULE_LINK_H
#define APPLYGUARD_POLICY_CONFIG_RULE_LINK_H

#include "base/arena.h"
#include "base/slice.h"
#include "policy/config/config.h"
#include "policy/rules.h"

/* The limit of an address: a longer one would fit into few lines. */
#define RULE_URL_BYTES_MAX 160

/*
 * NULL if the address is one of a web page, of printable ASCII: https://docs.example.com/rules/, or with
 * {rule} where the rule's name goes. Otherwise what is wrong with it.
 */
const char *rule_url_check(struct slice url);

/* The address of the rule's page. Empty: the policy gives none; or memory runs out. */
struct slice rule_link(const struct policy *policy, enum rule_id rule, struct arena *arena);

#endif
