#include "base/sha256.h"

#include <stdint.h>
#include <string.h>

#define BLOCK_BYTES 64
#define ROUNDS 64

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t value, unsigned bits)
{
    return value >> bits | value << (32 - bits);
}

static uint32_t read_big_endian(const unsigned char bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static void expand_block(uint32_t words[ROUNDS], const unsigned char block[BLOCK_BYTES])
{
    for (size_t i = 0; i < 16; i++)
        words[i] = read_big_endian(block + 4 * i);
    for (size_t i = 16; i < ROUNDS; i++) {
        uint32_t early = words[i - 15], late = words[i - 2];
        words[i] = words[i - 16] + (rotate_right(early, 7) ^ rotate_right(early, 18) ^ early >> 3) +
            words[i - 7] + (rotate_right(late, 17) ^ rotate_right(late, 19) ^ late >> 10);
    }
}

static void add_block(uint32_t state[8], const unsigned char block[BLOCK_BYTES])
{
    uint32_t words[ROUNDS], v[8];
    expand_block(words, block);
    memcpy(v, state, sizeof(v));
    for (size_t i = 0; i < ROUNDS; i++) {
        uint32_t sum_of_e = rotate_right(v[4], 6) ^ rotate_right(v[4], 11) ^ rotate_right(v[4], 25);
        uint32_t sum_of_a = rotate_right(v[0], 2) ^ rotate_right(v[0], 13) ^ rotate_right(v[0], 22);
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t first = v[7] + sum_of_e + choice + constants[i] + words[i];
        memmove(v + 1, v, 7 * sizeof(v[0]));
        v[4] += first;
        v[0] = first + sum_of_a + majority;
    }
    for (size_t i = 0; i < 8; i++)
        state[i] += v[i];
}

/* The rest of the bytes, a bit that is set, zeros, and the number of bits at the end of a block. */
static void add_last_blocks(uint32_t state[8], struct slice rest, uint64_t length)
{
    unsigned char blocks[2 * BLOCK_BYTES] = {0};
    size_t end = rest.length + 9 <= BLOCK_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    if (rest.length)
        memcpy(blocks, rest.bytes, rest.length);
    blocks[rest.length] = 0x80;
    for (size_t i = 0; i < 8; i++)
        blocks[end - 1 - i] = (unsigned char)(length * 8 >> 8 * i);
    for (size_t i = 0; i < end; i += BLOCK_BYTES)
        add_block(state, blocks + i);
}

void sha256_digest(struct slice bytes, unsigned char digest[static SHA256_BYTES])
{
    uint32_t state[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    struct slice rest = bytes;
    for (; rest.length >= BLOCK_BYTES; rest = slice_from(rest, BLOCK_BYTES))
        add_block(state, (const unsigned char *)rest.bytes);
    add_last_blocks(state, rest, bytes.length);
    for (size_t i = 0; i < SHA256_BYTES; i++)
        digest[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
