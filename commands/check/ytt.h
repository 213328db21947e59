/* ytt.h: templates of Carvel's ytt, which are YAML, but no manifests before ytt renders them. */
#ifndef APPLYGUARD_COMMANDS_CHECK_YTT_H
#define APPLYGUARD_COMMANDS_CHECK_YTT_H

#include <stdbool.h>

/* Whether the file begins as a template, with code in comments. False if it cannot be read. */
bool is_ytt_template(const char *path);

#endif
