#include "certs/problem.h"

int openssl_problem(struct error *error, const char *what)
{
    unsigned long code = ERR_peek_last_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    ERR_clear_error();
    return error_set(error, "%s: %s", what, reason ? reason : "out of memory");
}
