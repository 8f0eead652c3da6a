/* countdown_whole.h - arithmetic of the game as it is played: positive whole numbers, division only without a rest.
 *
 * The same names are in countdown_ratio.h; the files that search are written once over either. A `num` is below 2^62,
 * and 0 says that there is no such number. Cards are such that the product of max(card, 2) stays below 2^60, and no
 * value exceeds that product: nothing here can overflow but what is checked.
 */
#ifndef PK_COUNTDOWN_WHOLE_H
#define PK_COUNTDOWN_WHOLE_H

#include <stdint.h>

#include "countdown_divisor.h"

typedef uint64_t num;

enum { TABLES_ARE_WHOLE = 1 };

static inline num num_of(uint64_t whole) { return whole; }
static inline uint64_t whole_of(num a) { return a; }
static inline int is_one(num a) { return a == 1; }
static inline int is_less(num a, num b) { return a < b; }

static inline num plus(num a, num b) { return a + b; }
static inline num apart(num a, num b) { return a > b ? a - b : b - a; }
static inline num times(num a, num b) { return a * b; }

static inline num over(num a, num b) {
    if (a < b)
        return 0;
    if ((a | b) >> 32) /* dividing 64 bits takes several times as long */
        return a % b ? 0 : a / b;
    return (uint32_t)a % (uint32_t)b ? 0 : (uint32_t)a / (uint32_t)b;
}

/* The same results where only whole numbers are wanted. */
static inline uint64_t plus_whole(num a, num b) { return plus(a, b); }
static inline uint64_t apart_whole(num a, num b) { return apart(a, b); }
static inline uint64_t times_whole(num a, num b) { return times(a, b); }
static inline uint64_t over_whole(num a, num b) { return over(a, b); }

/* A sum with signs, as its terms come. */
typedef struct total {
    int64_t sum;
} total;

static inline total total_none(void) { return (total){0}; }
static inline total total_add(total t, num x, int negative) {
    return (total){negative ? t.sum - (int64_t)x : t.sum + (int64_t)x};
}
static inline int total_is_value(total t) { return t.sum > 0; }
static inline int total_is_zero(total t) { return t.sum == 0; }

/* The term that makes the sum `wanted`. */
static inline num total_rest(total t, num wanted, int *negative) {
    const int64_t rest = (int64_t)wanted - t.sum;
    *negative = rest < 0;
    return (num)(rest < 0 ? -rest : rest);
}

/* A quotient of products, as its factors come. */
typedef struct ratio {
    uint64_t above, below;
} ratio;

static inline ratio ratio_none(void) { return (ratio){1, 1}; }
static inline ratio ratio_times(ratio r, num x, int under) {
    if (under)
        r.below *= x;
    else
        r.above *= x;
    return r;
}
static inline int ratio_is_value(ratio r) { return over(r.above, r.below) != 0; }
static inline int ratio_is_one(ratio r) { return r.above == r.below; }

/* Where neither is a whole number: a rest of a over b, reduced, needs factors above the line that a divides and factors
 * below it that b divides. What they multiply up to is at most `bound`. */
static inline int ratio_may_follow(ratio r, num wanted, uint64_t bound) {
    uint64_t over_line, both;
    if (__builtin_mul_overflow(wanted, r.below, &over_line))
        return 0;
    const uint64_t divisor = common_divisor(over_line, r.above);
    return !__builtin_mul_overflow(over_line / divisor, r.above / divisor, &both) && both <= bound;
}

/* The factor above or under the line that makes the quotient `wanted`. */
static inline num ratio_rest(ratio r, num wanted, int under) {
    uint64_t product;
    if (__builtin_mul_overflow(wanted, r.below, &product))
        return 0;
    return under ? over(r.above, product) : over(product, r.above);
}

#endif
