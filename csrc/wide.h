/* wide.h - whole numbers of any fixed size: two's complement, `limbs` 64-bit words, least significant first.
 *
 * Most numbers have one limb, and then every loop here runs once. The caller provides sizes that cannot overflow.
 */
#ifndef PK_WIDE_H
#define PK_WIDE_H

#include <stddef.h>
#include <stdint.h>

static inline void wide_add(uint64_t *sum, const uint64_t *a, const uint64_t *b, size_t limbs) {
    uint64_t carry = 0;
    for (size_t i = 0; i < limbs; i++) {
        const uint64_t partial = a[i] + carry;
        carry = partial < carry;
        const uint64_t addend = b[i];
        sum[i] = partial + addend;
        carry += sum[i] < addend;
    }
}

static inline void wide_subtract(uint64_t *difference, const uint64_t *a, const uint64_t *b, size_t limbs) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < limbs; i++) {
        const uint64_t minuend = a[i], subtrahend = b[i], partial = minuend - subtrahend;
        difference[i] = partial - borrow;
        borrow = (uint64_t)(minuend < subtrahend) + (partial < borrow);
    }
}

/* Negative, zero or positive as a is less than, equal to or greater than b. */
static inline int wide_compare(const uint64_t *a, const uint64_t *b, size_t limbs) {
    const int64_t a_top = (int64_t)a[limbs - 1], b_top = (int64_t)b[limbs - 1];
    if (a_top != b_top)
        return a_top < b_top ? -1 : 1;
    for (size_t i = limbs - 1; i-- > 0;)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

#endif
