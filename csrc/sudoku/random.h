/* random.h - random numbers: xoshiro256** (Blackman and Vigna 2018), one stream for each (seed, unit). */
#ifndef PK_SUDOKU_RANDOM_H
#define PK_SUDOKU_RANDOM_H

#include <stdint.h>

typedef struct rng {
    uint64_t s[4];
} rng;

/* splitmix64, which is what the authors fill the state with. */
static inline uint64_t random_mix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* The unit is mixed before it meets the seed, so that (seed, unit + 1) and (seed + 1, unit) have nothing in common. */
static inline rng random_stream(uint64_t seed, uint64_t unit) {
    rng r;
    uint64_t state = random_mix(&unit) ^ seed;
    for (int i = 0; i < 4; i++)
        r.s[i] = random_mix(&state);
    return r;
}

static inline uint64_t random_rotate(uint64_t x, int k) { return x << k | x >> (64 - k); }

static inline uint64_t random_next(rng *r) {
    uint64_t *const s = r->s;
    const uint64_t result = random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

/* Exactly uniform on 0 .. n - 1 (Lemire 2019). */
static inline uint32_t random_below(rng *r, uint32_t n) {
    uint64_t product = (random_next(r) >> 32) * n;
    if ((uint32_t)product < n) {
        const uint32_t threshold = (0 - n) % n;
        while ((uint32_t)product < threshold)
            product = (random_next(r) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

/* The same for n of up to 64 bits: draws of the bits that n - 1 has until one is small enough. */
static inline uint64_t random_below_wide(rng *r, uint64_t n) {
    int unused = 0;
    while (unused < 63 && !((n - 1) >> (63 - unused)))
        unused++;
    for (;;) {
        const uint64_t draw = random_next(r) >> unused;
        if (draw < n)
            return draw;
    }
}

static inline void random_shuffle(rng *r, uint8_t *items, uint32_t count) {
    for (uint32_t i = count; i > 1; i--) {
        const uint32_t j = random_below(r, i);
        const uint8_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

#endif
