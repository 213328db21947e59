/* Whatever is posted to the webhook: it is refused with a reason, or answered as answer.h has it. */
#include "fuzz.h"
#include "tests/fuzz/answer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_answers((struct slice){(const char *)data, size});
    return 0;
}
