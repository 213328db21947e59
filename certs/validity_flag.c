#include "certs/validity_flag.h"

#include "base/durations.h"
#include "certs/certificate.h"

const char *validity_parse(const char *text, int64_t *seconds)
{
    double read;
    const char *wrong = duration_parse_long(text, &read);
    if (wrong)
        return wrong;
    if (read < 1000)
        return "is less than a second";
    if (read > (double)LIFETIME_SECONDS_MAX * 1000)
        return "is more than a hundred years";
    *seconds = (int64_t)(read / 1000);
    return NULL;
}
