/* Each Content-Type of the API server's client is taken, and none that only begins like it. */
#include "base/array_size.h"
#include "webhook/http/http.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void json_is_known_by_its_media_type(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_json;
    } cases[] = {
        {"application/json", true},
        {"application/json; charset=utf-8", true},
        {"application/json;charset=utf-8", true},
        {"Application/JSON", true},
        {"application/json ", true},
        {"application/json \t;a=b", true},
        {"", false},
        {"application/jso", false},
        {"application/json-patch+json", false},
        {"application/jsonx", false},
        {"application/json x", false},
        {"application/json, text/plain", false},
        {"text/json", false},
        {" application/json", false},
        {"application/vnd.kubernetes.protobuf", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
        if (http_is_json(slice_of(cases[i].text)) != cases[i].is_json)
            fail_msg("\"%s\" is %staken", cases[i].text, cases[i].is_json ? "not " : "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(json_is_known_by_its_media_type)};
    return cmocka_run_group_tests_name("webhook http", tests, NULL, NULL);
}
