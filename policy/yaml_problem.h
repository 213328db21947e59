/*
 * yaml_problem.h: what libyaml could not read, said for people who edit policy files.
 */
#ifndef APPLYGUARD_POLICY_YAML_PROBLEM_H
#define APPLYGUARD_POLICY_YAML_PROBLEM_H

#include "policy/error.h"
#include "policy/slice.h"

struct yaml_parser_s;

/* Fills `error` from a parser that failed while reading `text`. Returns -1. */
int yaml_problem(const struct yaml_parser_s *parser, struct slice text, struct error *error);

#endif
