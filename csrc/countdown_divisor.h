/* countdown_divisor.h - the greatest common divisor. */
#ifndef PK_COUNTDOWN_DIVISOR_H
#define PK_COUNTDOWN_DIVISOR_H

#include <stdint.h>

#include "bits.h"

/* Neither is 0. */
static inline uint64_t common_divisor(uint64_t a, uint64_t b) {
    const int twos = pk_lowest_bit(a | b);
    a >>= pk_lowest_bit(a);
    do {
        b >>= pk_lowest_bit(b);
        const uint64_t low = a < b ? a : b;
        b = a < b ? b - a : a - b;
        a = low;
    } while (b);
    return a << twos;
}

#endif
