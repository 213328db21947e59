/* The mutator of the libFuzzer programs whose input is PEM. */
#include "tests/fuzz/mutate_pem.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return mutate_pem(data, size, max_size, seed);
}
