/* countdown_ratio.h - arithmetic with fractions: the names of countdown_whole.h for positive reduced fractions.
 *
 *      61                      31 30                       0
 *      |        numerator        |       denominator       |        0: no such number
 *
 * If a over b is a value of some cards, a + b is at most the product of card + 1 over them: every operation multiplies
 * these bounds. That product is below 2^31 for all cards of a hand (the module sees to that), so every value fits, and
 * cross products fit 64 bits.
 */
#ifndef PK_COUNTDOWN_RATIO_H
#define PK_COUNTDOWN_RATIO_H

#include <stdint.h>

#include "countdown_divisor.h"

typedef uint64_t num;

enum { TABLES_ARE_WHOLE = 0 };

enum { PART_BITS = 31 };
#define PART_MASK (((uint64_t)1 << PART_BITS) - 1)

static inline uint64_t above(num a) { return a >> PART_BITS; }
static inline uint64_t below(num a) { return a & PART_MASK; }

/* Neither is reduced; b is not 0. */
static inline num reduced(uint64_t a, uint64_t b) {
    if (a == 0)
        return 0;
    const uint64_t divisor = common_divisor(a, b);
    a /= divisor;
    b /= divisor;
    return (a | b) >> PART_BITS ? 0 : a << PART_BITS | b;
}

static inline num num_of(uint64_t whole) { return whole >> PART_BITS ? 0 : whole << PART_BITS | 1; }
static inline uint64_t whole_of(num a) { return below(a) == 1 ? above(a) : 0; }
static inline int is_one(num a) { return a == num_of(1); }
static inline int is_less(num a, num b) { return above(a) * below(b) < above(b) * below(a); }

static inline num plus(num a, num b) { return reduced(above(a) * below(b) + above(b) * below(a), below(a) * below(b)); }
static inline num apart(num a, num b) {
    const uint64_t x = above(a) * below(b), y = above(b) * below(a);
    return reduced(x > y ? x - y : y - x, below(a) * below(b));
}
static inline num times(num a, num b) { return reduced(above(a) * above(b), below(a) * below(b)); }
static inline num over(num a, num b) { return reduced(above(a) * below(b), below(a) * above(b)); }

/* Whole results, without the cost of reducing those that are not. */
static inline uint64_t whole(uint64_t a, uint64_t b) { return a % b ? 0 : a / b; }

static inline uint64_t plus_whole(num a, num b) {
    return whole(above(a) * below(b) + above(b) * below(a), below(a) * below(b));
}
static inline uint64_t apart_whole(num a, num b) {
    const uint64_t x = above(a) * below(b), y = above(b) * below(a);
    return whole(x > y ? x - y : y - x, below(a) * below(b));
}
static inline uint64_t times_whole(num a, num b) { return whole(above(a) * above(b), below(a) * below(b)); }
static inline uint64_t over_whole(num a, num b) { return whole(above(a) * below(b), below(a) * above(b)); }

/* Not reduced: the parts multiply up to less than the product of card + 1. */
typedef struct total {
    int64_t above;
    uint64_t below;
} total;

static inline total total_none(void) { return (total){0, 1}; }
static inline total total_add(total t, num x, int negative) {
    const int64_t term = (int64_t)(above(x) * t.below), rest = t.above * (int64_t)below(x);
    return (total){negative ? rest - term : rest + term, t.below * below(x)};
}
static inline int total_is_value(total t) { return t.above > 0; }
static inline int total_is_zero(total t) { return t.above == 0; }
static inline num total_rest(total t, num wanted, int *negative) {
    const int64_t rest = (int64_t)(above(wanted) * t.below) - t.above * (int64_t)below(wanted);
    *negative = rest < 0;
    return reduced((uint64_t)(rest < 0 ? -rest : rest), below(wanted) * t.below);
}

typedef struct ratio {
    uint64_t above, below;
} ratio;

static inline ratio ratio_none(void) { return (ratio){1, 1}; }
static inline ratio ratio_times(ratio r, num x, int under) {
    return under ? (ratio){r.above * below(x), r.below * above(x)} : (ratio){r.above * above(x), r.below * below(x)};
}
static inline int ratio_is_value(ratio r) { return r.above > 0; }
static inline int ratio_may_follow(ratio r, num wanted, uint64_t bound) {
    (void)r;
    (void)wanted;
    (void)bound;
    return 0; /* too large for a part of an expression */
}
static inline int ratio_is_one(ratio r) { return r.above == r.below; }
static inline num ratio_rest(ratio r, num wanted, int under) {
    const uint64_t a = above(wanted) * r.below, b = below(wanted) * r.above;
    return under ? reduced(b, a) : reduced(a, b);
}

#endif
