/*
 * yaml_problem.h: turns libyaml's errors into sentences for people who edit policy files.
 */
#ifndef APPLYGUARD_BASE_YAML_PROBLEM_H
#define APPLYGUARD_BASE_YAML_PROBLEM_H

#include "base/error.h"
#include "base/slice.h"

struct yaml_parser_s;

/* Fills `error` from a parser that failed while reading `text`. Returns -1. */
int yaml_problem(const struct yaml_parser_s *parser, struct slice text, struct error *error);

#endif
