/* check_input.h: an input to check. */
#ifndef APPLYGUARD_COMMANDS_CHECK_CHECK_INPUT_H
#define APPLYGUARD_COMMANDS_CHECK_CHECK_INPUT_H

#include "commands/check/kustomized.h"

#include <stdbool.h>

/* A file; or a text, from standard input or a pipe, which can be read only once. Must stay valid. */
struct check_input {
    const char *path;    /* what it is called, too */
    struct slice source; /* of several sources, the name of the one that it is from; empty: there is one */
    struct slice root;   /* as that of a document_place */
    struct kustomized kustomized;
    bool is_of_chart;   /* it lies in the directory of a Helm chart, which may give it to templates */
    bool is_kustomized; /* it lies below a kustomization */
    bool is_untaken;    /* it lies below a kustomization that does not name it */
    bool has_text;
    struct slice text;
    bool kustomize_adds_labels; /* kustomize adds labels to selectors and pod templates in it */
    bool is_found;              /* found in a directory, and not named: it may have any content */
    bool is_sample;             /* found in a directory of samples or tests */
    bool is_former;             /* former CustomResourceDefinitions: the others are compared with them, and
                                   they are not judged */
    bool is_rendered; /* output of a tool: findings are reported for the files that it names as origin */
};

#endif
