/* queens_quadrant.h - all ways to put queens into one quadrant of the board, listed by the rows and columns they use.
 *
 *     even n, h = 4                          odd n, h = 3: row 0 is the middle row of the board
 *
 *       3 | . . . .                            3 | . . .
 *       2 | . . . .                            2 | . . .
 *       1 | . . . .                            1 | . . .
 *       0 | . . . .                            0 | . . .    (between the quadrants)
 *         +---------                               +------
 *           0 1 2 3                                0 1 2
 *
 * Rows and columns are counted from the centre of the board outwards, so that all four quadrants look alike, and one
 * table serves them all when no square is barred. A square lies on two diagonals:
 *
 *     a radial one      rho = row - column (- 1 if n is odd)      -h .. h - 1; 0 is a long diagonal of the board
 *     a transverse one  tau = row + column + 1                     1 .. 2h
 *
 *     word "lines":   4h             3h              2h             h              0
 *                     | tau = 1 .. h  | tau = h+1 .. 2h | rho = h-1 .. 0 | rho = -1 .. -h |     (top to bottom)
 *
 * that is, bit rho + h and bit 4h - tau. A transverse diagonal runs on as a radial one in the quadrants beside it if
 * tau <= h; those are the upper h bits. So whether two quadrants get along is a shift and an AND; which shift depends
 * on how they lie to one another.
 *
 * "cells" are the columns used, in the order of rows, two to a byte: column * h + column, an odd last one by itself.
 */
#ifndef PK_QUEENS_QUADRANT_H
#define PK_QUEENS_QUADRANT_H

#include <stdint.h>
#include <stdlib.h>

typedef struct quadrant {
    int h, rows; /* h columns; `rows` is h, or h + 1 with the middle row */
    uint32_t count;
    /* The ways that use the rows r and as many columns c are start[r << h | c] .. start[(r << h | c) + 1]; from
     * middle[..] on they have a queen on the long diagonal. With the rows r: start[r << h] .. start[(r + 1) << h].
     * Other entries of the two are not filled in. */
    uint32_t *start, *middle;
    uint64_t *lines, *cells;
} quadrant;

static inline int count_bits(uint64_t word) { return __builtin_popcountll(word); }

/* The next larger number with as many bits set. */
static inline uint32_t next_combination(uint32_t set) {
    const uint32_t low = set & -set, ripple = set + low;
    return (((ripple ^ set) >> 2) / low) | ripple;
}

static inline uint64_t square_lines(int h, int odd, int row, int column) {
    return (uint64_t)1 << (row - column - odd + h) | (uint64_t)1 << (4 * h - (row + column + 1));
}

int pk_quadrant_make(quadrant *q, int h, int odd, const uint32_t *allowed, const int *stop);
void pk_quadrant_free(quadrant *q);

#endif
