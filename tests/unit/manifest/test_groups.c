/* The groups of Kubernetes itself, and groups that only sound like them. */
#include "base/array_size.h"
#include "manifest/groups.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void groups_of_kubernetes_are_builtin(void **state)
{
    (void)state;
    static const char *const groups[] = {
        "",
        "apps",
        "batch",
        "autoscaling",
        "policy",
        "extensions",
        "networking.k8s.io",
        "storage.k8s.io",
        "resource.k8s.io",
        "rbac.authorization.k8s.io",
        "admissionregistration.k8s.io",
        "flowcontrol.apiserver.k8s.io",
    };
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
        if (!is_builtin_group(slice_of(groups[i])))
            fail_msg("%s is of Kubernetes", groups[i]);
}

static void similar_groups_are_custom(void **state)
{
    (void)state;
    static const char *const groups[] = {
        "gateway.networking.k8s.io",
        "gateway.networking.x-k8s.io",
        "policy.networking.k8s.io",
        "snapshot.storage.k8s.io",
        "metrics.k8s.io",
        "custom.metrics.k8s.io",
        "autoscaling.k8s.io",
        "cluster.x-k8s.io",
        "kops.k8s.io",
        "node.k8s.io.example.com",
        "app",
        "k8s.io",
        ".k8s.io",
        "argoproj.io",
    };
    for (size_t i = 0; i < ARRAY_SIZE(groups); i++)
        if (is_builtin_group(slice_of(groups[i])))
            fail_msg("%s is not of Kubernetes", groups[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_of_kubernetes_are_builtin),
        cmocka_unit_test(similar_groups_are_custom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
