/* common.h - small things that several files of this folder need. */
#ifndef PK_SUDOKU_COMMON_H
#define PK_SUDOKU_COMMON_H

#include <stdint.h>

/* The six orders of three things; the first two leave the third where it is. */
static const uint8_t orders[6][3] = {{0, 1, 2}, {1, 0, 2}, {0, 2, 1}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static inline int count_bits(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (int)(x * 0x0101010101010101u >> 56);
}

/* Whether a digit of a 9x9 puzzle stands twice in a row, a column or a box. */
static inline int clashes(const uint8_t *puzzle) {
    unsigned rows[9] = {0}, columns[9] = {0}, boxes[9] = {0}, clash = 0;
    for (unsigned r = 0, cell = 0; r < 9; r++)
        for (unsigned c = 0; c < 9; c++, cell++) {
            const unsigned bit = (1u << puzzle[cell]) & ~1u, box = r / 3 * 3 + c / 3;
            clash |= bit & (rows[r] | columns[c] | boxes[box]);
            rows[r] |= bit;
            columns[c] |= bit;
            boxes[box] |= bit;
        }
    return clash != 0;
}

#endif
