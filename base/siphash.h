/*
 * siphash.h: SipHash-1-3 (Aumasson, Bernstein): a short hash under a secret seed.
 *
 * An attacker who does not know the seed cannot choose texts that collide, so hash tables of untrusted text
 * use it. This variant is the one for hash tables, as in Rust, Python and Ruby; it is not for signatures.
 */
#ifndef APPLYGUARD_BASE_SIPHASH_H
#define APPLYGUARD_BASE_SIPHASH_H

#include "base/slice.h"

#include <stdint.h>

struct siphash_seed {
    uint64_t words[2];
};

uint64_t siphash(struct slice text, struct siphash_seed seed);

#endif
