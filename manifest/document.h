/* document.h: one document of an input: its text, its value, and its ambiguities. */
#ifndef APPLYGUARD_MANIFEST_DOCUMENT_H
#define APPLYGUARD_MANIFEST_DOCUMENT_H

#include "base/arena.h"
#include "base/error.h"
#include "base/slice.h"
#include "manifest/node.h"

#include <stdbool.h>
#include <stddef.h>

/* Places that kubectl reads in another way than other tools or people do. */
enum manifest_ambiguity_kind {
    MANIFEST_BOOLEAN_WORD,    /* y, on, No: true or false */
    MANIFEST_OCTAL,           /* 0777, 0o777: 511 */
    MANIFEST_OTHER_BASE,      /* 0x10, 0b11: 16, 3 */
    MANIFEST_LEADING_ZERO,    /* 08: 8 */
    MANIFEST_EXPONENT,        /* 1e3: 1000 */
    MANIFEST_SIGNED_EXPONENT, /* 1e-05, as programs print numbers: 0.00001 */
    MANIFEST_UNDERSCORES,     /* 1_000: 1000 */
    MANIFEST_TRAILING_ZERO,   /* 1.10: 1.1 */
    MANIFEST_LOST_DIGITS,     /* 12345678901234567890: 12345678901234567000 */
    MANIFEST_SEXAGESIMAL,     /* 22:30: a string here, 1350 for other YAML 1.1 readers */
    MANIFEST_TIMESTAMP,       /* 2001-01-01: a string here, a date for others */
    MANIFEST_DUPLICATE_KEY,   /* the last one counts; `other` is the one before */
    MANIFEST_MERGE_OVERRIDES, /* a merge key (<<) after a key overrides it; `other` is the overriding key, in
                                 the merged map */
    MANIFEST_IGNORED_CONTENT, /* kubectl ignores this content after the end of the document */
    MANIFEST_NOT_UTF8,        /* bytes that are not UTF-8 became U+FFFD */
};

struct manifest_ambiguity {
    enum manifest_ambiguity_kind kind;
    bool is_key;
    struct manifest_place place;
    struct manifest_place other; /* line 0: none */
    struct slice written;        /* as in the source; it may be a value, so never print that of a Secret */
    struct slice read_as;        /* as JSON; for a key, the text without quotes; may be empty */
};

/* A comment `# applyguard:waive RULE REASON`. */
struct manifest_waiver {
    unsigned line;       /* of the comment */
    unsigned column;     /* of its # */
    unsigned for_line;   /* the line that it waives: its own, or the next line with content */
    struct slice rule;   /* empty if it names no rule */
    struct slice reason; /* empty if it gives no reason: the caller decides whether it counts */
};

/* The source of rendered text; unknown members are empty. */
struct manifest_origin {
    struct slice path;          /* from Helm's "# Source:", or the path in config.kubernetes.io/origin */
    struct slice repository;    /* kustomize: repo, for remote bases */
    struct slice configured_in; /* kustomize: the file of the generator or transformer */
    unsigned line;              /* the line in the rendered text that names the source; 0: none */
};

/* A position in the input. */
struct manifest_mark {
    unsigned line;
    unsigned column;
};

/* A range of lines of the input; both ends belong to it. */
struct manifest_lines {
    unsigned first;
    unsigned last;
};

/* All memory is in the reader's arena, until the next document is read. */
struct manifest_document {
    size_t number;         /* 1-based, within the input; empty documents count */
    unsigned first_line;   /* the number of the text's first line within the input */
    unsigned first_column; /* the column in which the text begins: JSON may begin behind another value */
    struct slice text;     /* as UTF-8, with LF at the end of lines */
    bool is_json;          /* read as JSON, not as YAML */
    bool has_aliases;
    struct manifest_origin origin; /* from the comment before its first line */
    const struct manifest_node *root;
    const size_t *line_starts; /* the offset of each line: only for a List, because its items ask for many;
                                  otherwise NULL */
    size_t line_count;
    const struct manifest_ambiguity *ambiguities; /* in the order of their places */
    size_t ambiguity_count;
    const struct manifest_waiver *waivers; /* in the order of their lines */
    size_t waiver_count;
    struct manifest_mark lost_waiver;    /* the first waiver in empty documents before it; line 0: none */
    const struct manifest_lines *hidden; /* lines that may contain values of Secrets (secrets.h), in order */
    size_t hidden_count;
};

/*
 * A line of the source, without its end, by its number in the input. Returns an empty slice if it is not in
 * the document.
 */
struct slice manifest_source_line(const struct manifest_document *document, unsigned line);

/* The waiver of this rule for this line; returns NULL if none exists. */
const struct manifest_waiver *manifest_find_waiver(
    const struct manifest_document *document, struct slice rule, unsigned line);

#endif
