#include "report/html.h"

#include "base/split.h"

#include <string.h>

/* Colours with enough contrast for text on the page, in both schemes. */
static const char style[] =
    ":root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de; "
    "--head: #f6f8fa;"
    " --deny: #a40e26; --warn: #7a4d00; --bar: #0757ba; }\n"
    "@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --soft: #9da7b3; "
    "--line: #3d444d;"
    " --head: #161b22; --deny: #ff8f8a; --warn: #e3b341; --bar: #6cb0ff; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; padding: 1rem; max-width: 90rem; background: var(--back); color: var(--text);"
    " font: 1rem/1.5 system-ui, sans-serif; }\n"
    "h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }\n"
    "table { border-collapse: collapse; width: 100%; margin-bottom: 1rem; }\n"
    "caption { text-align: left; font-weight: 600; padding: .5rem 0; }\n"
    "th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; text-align: left; vertical-align: "
    "top;"
    " overflow-wrap: anywhere; }\n"
    "thead th { background: var(--head); position: sticky; top: 0; white-space: nowrap; }\n"
    "tbody th { font-weight: normal; }\n"
    "td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }\n"
    "th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; "
    "cursor: pointer;"
    " text-align: inherit; }\n"
    "th[aria-sort=ascending] button::after { content: \" \\2191\"; } th[aria-sort=descending] button::after "
    "{ content:"
    " \" \\2193\"; }\n"
    ":focus-visible { outline: 3px solid var(--bar); outline-offset: 2px; }\n"
    ".tables { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 "
    "2rem; }\n"
    ".wide { overflow-x: auto; }\n"
    ".deny { color: var(--deny); font-weight: 600; } .warn { color: var(--warn); font-weight: 600; }\n"
    ".soft { color: var(--soft); }\n"
    ".bar { display: block; height: 1rem; min-width: 1px; max-width: 8rem; background: var(--bar); }\n"
    "input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); padding: "
    ".25rem .5rem;"
    " width: min(30rem, 100%); }\n"
    "@media (max-width: 40rem) { thead th { white-space: normal; } }\n"
    "@media print { body { max-width: none; padding: 0; font-size: 10pt; } .filter { display: none; }"
    " thead th { position: static; } tr { break-inside: avoid; } }\n";

void html_append_begin(struct text *text, const struct html_page *page)
{
    text_append_all(
        text,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'",
        page->script ? "; script-src 'unsafe-inline'\">\n<title>" : "\">\n<title>", page->title,
        "</title>\n<style>\n", style, page->style, "</style>\n</head>\n<body>\n<main>\n");
}

void html_append_end(struct text *text, const struct html_page *page)
{
    text_append_string(text, "</main>\n");
    if (page->script)
        text_append_all(text, "<script>\n", page->script, "</script>\n");
    text_append_string(text, "</body>\n</html>\n");
}

void html_append_escaped(struct text *text, struct slice raw)
{
    struct slice rest = text_printable(text->arena, raw);
    while (rest.length) {
        size_t plain = 0;
        /* strchr() would find the NUL at the end. NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
        while (plain < rest.length && !memchr("&<>\"'", rest.bytes[plain], 5))
            plain++;
        text_append(text, slice_until(rest, plain));
        if (plain == rest.length)
            return;
        char byte = rest.bytes[plain];
        text_append_string(
            text,
            byte == '&'       ? "&amp;"
                : byte == '<' ? "&lt;"
                : byte == '>' ? "&gt;"
                : byte == '"' ? "&quot;"
                              : "&#39;");
        rest = slice_from(rest, plain + 1);
    }
}

void html_append_lines(struct text *text, struct slice lines)
{
    for (struct slice rest = lines; rest.length;) {
        struct slice line = split_next(&rest, '\n');
        text_append_all(text, as_html(line), "\n");
    }
}
