#include "report/junit.h"

#include "report/file_name.h"
#include "report/xml_text.h"

void junit_begin(struct text *text)
{
    text_append_string(
        text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"applyguard\">\n");
}

void junit_end(struct text *text)
{
    text_append_string(text, "</testsuites>\n");
}

void junit_open_suite(struct text *text, struct slice name, size_t tests, size_t failures, size_t errors)
{
    text_append_string(text, "<testsuite");
    xml_text_append_attribute(text, "name", name);
    xml_text_append_number(text, "tests", tests);
    xml_text_append_number(text, "failures", failures);
    xml_text_append_number(text, "errors", errors);
    text_append_string(text, ">\n");
}

void junit_open_case(struct text *text, struct slice name, struct slice file)
{
    text_append_string(text, "<testcase");
    xml_text_append_attribute(text, "name", name);
    xml_text_append_attribute(text, "classname", file_name_plain(file));
    text_append_string(text, ">");
}

void junit_append_error(struct text *text, struct slice message)
{
    text_append_string(text, "\n<error type=\"error\"");
    xml_text_append_attribute(text, "message", message);
    text_append_string(text, "/>");
}
