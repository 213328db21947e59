/*
 * Whatever a program prints as credentials: it is refused with a reason that shows nothing of it, or gives a
 * token, or a certificate with its key.
 */
#include "fuzz.h"
#include "kube/exec.h"
#include "tests/fuzz/printable.h"

static void check_given(const struct kube_exec_credential *credential)
{
    promise(
        !credential->certificate.bytes == !credential->key.bytes, "a certificate and its key come together");
    promise(credential->token.bytes || credential->key.bytes, "credentials are credentials");
}

static void check_refused(const struct kube_exec_credential *credential, const struct error *error)
{
    promise(error->message[0] != '\0', "a refusal says why");
    check_printable(slice_of(error->message), 0);
    promise(!strstr(error->message, "s3cr3t"), "no refusal shows a token");
    promise(
        !credential->token.bytes && !credential->certificate.bytes && !credential->key.bytes,
        "of what is refused nothing is left");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const versions[] = {
        "client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"};
    for (size_t i = 0; i < 2; i++) {
        struct kube_exec_credential credential;
        struct error error = {0};
        if (kube_exec_credential_parse(
                (struct slice){(const char *)data, size}, versions[i], &credential, &error) == 0)
            check_given(&credential);
        else
            check_refused(&credential, &error);
        kube_exec_credential_release(&credential);
    }
    return 0;
}
