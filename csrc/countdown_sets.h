/* countdown_sets.h - the multisets that can be drawn from a stock of cards, numbered.
 *
 * Cards of equal value are one kind, and a multiset is how many cards of each kind it has. Its code is that vector in
 * mixed radix, so that codes of disjoint parts add up to the code of the whole:
 *
 *     stock  1 1 2 2 3 25      kinds  1  2  3  25
 *                              weight 1  3  9  18          code of {1, 2, 2, 25} = 1 + 2*3 + 1*18
 *
 * A set's index is its place among all sets by size, and then in lexicographic order of the cards in ascending order.
 */
#ifndef PK_COUNTDOWN_SETS_H
#define PK_COUNTDOWN_SETS_H

#include <stddef.h>
#include <stdint.h>

enum {
    KINDS = 64,         /* at most, in a deck */
    MAX_SIZE = 24,      /* of a set */
    MAX_CODES = 1 << 25 /* of a stock: the product of count + 1 */
};

typedef struct stock {
    int kinds;
    int cards; /* in all */
    int most;  /* sets of up to so many cards are numbered */
    uint64_t value[KINDS];
    uint8_t count[KINDS];
    uint32_t weight[KINDS + 1];   /* the last one is the number of codes */
    uint32_t start[MAX_SIZE + 2]; /* sets of k cards have the indices start[k] .. start[k + 1] */
    uint32_t *code;               /* of each set */
    uint32_t *index;              /* of each code whose set is numbered */
} stock;

/* Returns a pk_status. Values ascend and are not 0. */
int pk_stock_open(stock *s, const uint64_t *value, const uint8_t *count, int kinds, int most);
void pk_stock_close(stock *s);

static inline int pk_stock_digit(const stock *s, uint32_t code, int kind) {
    return (int)(code / s->weight[kind] % (s->count[kind] + 1u));
}

typedef struct part {
    uint32_t code;
    int size;
} part;

/* All sub-multisets of a set but the empty one and itself, in ascending order of codes; returns how many. `parts` has
 * room for 2^size. */
size_t pk_stock_parts(const stock *s, uint32_t code, part *parts);

/* The product of max(card, 2) over the `size` cards with the largest values that the set leaves in the stock: no value
 * made of so many other cards is greater. Saturates. */
uint64_t pk_stock_bound(const stock *s, uint32_t code, int size);

static inline uint64_t pk_times_saturated(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

#endif
