#include "base/siphash.h"

#include <string.h>

struct state {
    uint64_t v[4];
};

static uint64_t rotate(uint64_t value, unsigned bits)
{
    return value << bits | value >> (64 - bits);
}

static void mix(struct state *state, unsigned rounds)
{
    uint64_t *v = state->v;
    while (rounds--) {
        v[0] += v[1];
        v[2] += v[3];
        v[1] = rotate(v[1], 13) ^ v[0];
        v[3] = rotate(v[3], 16) ^ v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1];
        v[0] += v[3];
        v[1] = rotate(v[1], 17) ^ v[2];
        v[3] = rotate(v[3], 21) ^ v[0];
        v[2] = rotate(v[2], 32);
    }
}

static void absorb(struct state *state, uint64_t word)
{
    state->v[3] ^= word;
    mix(state, 1);
    state->v[0] ^= word;
}

/* Eight bytes, the first one lowest. */
static uint64_t read_eight(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Up to eight bytes, the first one lowest. */
static uint64_t read_word(const char *bytes, size_t count)
{
    uint64_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint64_t)(unsigned char)bytes[i] << (8 * i);
    return word;
}

uint64_t siphash(struct slice text, struct siphash_seed seed)
{
    struct state state = {{
        seed.words[0] ^ 0x736f6d6570736575,
        seed.words[1] ^ 0x646f72616e646f6d,
        seed.words[0] ^ 0x6c7967656e657261,
        seed.words[1] ^ 0x7465646279746573,
    }};
    size_t whole = text.length / 8 * 8;
    for (size_t i = 0; i < whole; i += 8)
        absorb(&state, read_eight(text.bytes + i));
    uint64_t last = whole < text.length ? read_word(text.bytes + whole, text.length - whole) : 0;
    absorb(&state, last | (uint64_t)text.length << 56);
    state.v[2] ^= 0xff;
    mix(&state, 3);
    return state.v[0] ^ state.v[1] ^ state.v[2] ^ state.v[3];
}
