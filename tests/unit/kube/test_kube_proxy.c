/* The API server is reached by the way on which kubectl reaches it. */
#include "base/array_size.h"
#include "kube/proxy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct route {
    const char *server;
    const char *no_proxy;
    bool is_direct;
};

/* By the rules of golang.org/x/net/http/httpproxy, which client-go goes by. */
static void no_proxy_is_read_as_client_go_reads_it(void **state)
{
    (void)state;
    static const struct route routes[] = {
        {"https://10.96.0.1:443", "", false},
        {"https://10.96.0.1:443", "*", true},
        {"https://10.96.0.1:443", "10.96.0.1", true},
        {"https://10.96.0.1:443", "10.96.0.10", false},
        {"https://10.96.0.1:443", "10.96.0.0/12", true},
        {"https://10.112.0.1:443", "10.96.0.0/12", false},
        {"https://10.111.255.255:443", "10.96.0.0/12", true},
        {"https://10.96.0.1:443", "0.0.0.0/0", true},
        {"https://10.96.0.1:443", "10.96.0.0/33,10.96.0.0/,10.96.0.0/x,/12", false},
        {"https://10.96.0.1:443", "::/0,::ffff:0:0/90", false},
        {"https://10.96.0.1:443", "::ffff:0:0/96", true},
        {"https://[::ffff:10.96.0.1]:443", "::/0", false},
        {"https://[fd00::1]:443", "::/0", true},
        {"https://10.96.0.1:443", " .svc , 10.96.0.1 ", true},
        {"https://10.96.0.1", "10.96.0.1:443", true},
        {"https://10.96.0.1:6443", "10.96.0.1:443", false},
        {"https://10.96.0.1:6443/api", "10.96.0.1:6443", true},
        {"http://10.96.0.1", "10.96.0.1:80", true},
        {"https://[fd00::1]:443", "fd00::1", true},
        {"https://[fd00::1]:443", "[fd00::1]:443", true},
        {"https://[fd00::1]:6443", "[fd00::1]:443", false},
        {"https://[fd00::1]:443", "fd00::/8", true},
        {"https://[fd00::1]:443", "0.0.0.0/0", false},
        {"https://[fd00::1]:443", "fd00:0:0::0:1", true},
        {"https://kubernetes.default.svc", ".svc", true},
        {"https://kubernetes.default.svc", "svc", true},
        {"https://kubernetes.default.svc", "*.svc", true},
        {"https://kubernetes.default.svc", "SVC", true},
        {"https://kubernetes.default.svc", "vc", false},
        {"https://example.com", "example.com", true},
        {"https://example.com", ".example.com", false},
        {"https://api.example.com", ".example.com", true},
        {"https://0A1B2C3D4E5F60718293A4B5C6D7E8F9.gr7.eu-west-1.eks.amazonaws.com", ".amazonaws.com", true},
        {"https://0A1B2C3D4E5F60718293A4B5C6D7E8F9.gr7.eu-west-1.eks.amazonaws.com", "10.0.0.0/8", false},
        {"https://api.example.com", "10.0.0.1", false},
        {"https://api.example.com", "*example.com", false},
        {"https://[fd00::1]x", "fd00::1", true},
        {"https://10.96.0.1:443", "10.96.0.0/1234", false},
        {"https://api.example.com", "example.com:443", true},
        {"https://api.example.com", "example.com:6443", false},
        {"https://badexample.com", "example.com", false},
        {"https://example.com", ",,:,[,.,*.", false},
        {"https://localhost:6443", "", true},
        {"https://127.0.0.1:6443", "", true},
        {"https://127.8.8.8:6443", "example.com", true},
        {"https://[::1]:6443", "", true},
        {"https://128.0.0.1:6443", "", false},
    };
    for (size_t i = 0; i < ARRAY_SIZE(routes); i++)
        if (kube_is_direct(routes[i].server, routes[i].no_proxy) != routes[i].is_direct)
            fail_msg("%s with NO_PROXY=%s", routes[i].server, routes[i].no_proxy);
}

static void forget(void)
{
    static const char *const names[] = {"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy",
                                        "ALL_PROXY",   "NO_PROXY",    "no_proxy"};
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        unsetenv(names[i]);
}

/* Protects from a proxy that is meant for others: upper case counts first, and ALL_PROXY is not client-go's.
 */
static void the_proxy_is_the_one_of_the_environment(void **state)
{
    (void)state;
    struct kube_config config = {.server = (char[]){"https://10.96.0.1:443"}};
    forget();
    setenv("ALL_PROXY", "http://all:1", 1);
    setenv("HTTP_PROXY", "http://plain:1", 1);
    assert_string_equal(kube_proxy_of(&config), "");
    setenv("https_proxy", "http://lower:1", 1);
    assert_string_equal(kube_proxy_of(&config), "http://lower:1");
    setenv("HTTPS_PROXY", "http://upper:1", 1);
    assert_string_equal(kube_proxy_of(&config), "http://upper:1");
    setenv("HTTPS_PROXY", "", 1);
    assert_string_equal(kube_proxy_of(&config), "http://lower:1");
    config.server = (char[]){"http://10.96.0.1:8080"};
    assert_string_equal(kube_proxy_of(&config), "http://plain:1");
    config.server = (char[]){"https://10.96.0.1:443"};
    setenv("HTTPS_PROXY", "http://upper:1", 1);
    setenv("no_proxy", "10.96.0.0/12", 1);
    assert_string_equal(kube_proxy_of(&config), "");
    setenv("NO_PROXY", "example.com", 1);
    assert_string_equal(kube_proxy_of(&config), "http://upper:1");
    forget();
}

/* Protects who wrote it down: a proxy-url is used with any environment. */
static void the_configs_own_proxy_comes_first(void **state)
{
    (void)state;
    struct kube_config config = {
        .server = (char[]){"https://127.0.0.1:6443"}, .proxy_url = (char[]){"socks5://own:1"}};
    forget();
    setenv("HTTPS_PROXY", "http://upper:1", 1);
    setenv("NO_PROXY", "*", 1);
    assert_string_equal(kube_proxy_of(&config), "socks5://own:1");
    forget();
}

/* Passwords often hold characters that an URL cannot: libcurl would print the whole URL. */
static void a_proxy_is_an_url_that_libcurl_takes(void **state)
{
    (void)state;
    static const char *const taken[] = {
        "",
        "10.0.0.1:3128",
        "proxy",
        "http://10.0.0.1:3128",
        "HTTP://user:s3cr3t@proxy:3128/",
        "https://user:s3%23cr3t@proxy",
        "socks5h://[fd00::1]:1080",
    };
    static const char *const others[] = {
        "http://user:s3#cr3t@proxy:3128", "http://user:s3@cr3t@proxy:3128", "http://user:s3/cr3t@proxy:3128",
        "http://user:s3 cr3t@proxy:3128", "ftp://user:s3cr3t@proxy:3128",   "http://",
    };
    for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
        if (!kube_is_proxy(taken[i]))
            fail_msg("%s is one", taken[i]);
    for (size_t i = 0; i < ARRAY_SIZE(others); i++)
        if (kube_is_proxy(others[i]))
            fail_msg("%s is none", others[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_proxy_is_read_as_client_go_reads_it),
        cmocka_unit_test(the_proxy_is_the_one_of_the_environment),
        cmocka_unit_test(the_configs_own_proxy_comes_first),
        cmocka_unit_test(a_proxy_is_an_url_that_libcurl_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
