/* queens_masks.c - n queens as a textbook counts them: row by row, with the attacked columns and diagonals in three bit
 * masks, two of which move on by one place a row. */
#include <stdint.h>

static uint64_t search(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
    if (columns == all)
        return 1;
    uint64_t boards = 0;
    for (uint32_t squares = all & ~(columns | left | right); squares; squares &= squares - 1) {
        const uint32_t queen = squares & -squares;
        boards += search(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return boards;
}

/* How many boards there are; n is at most 31. */
uint64_t queens_masks(int n) { return search(((uint32_t)1 << n) - 1, 0, 0, 0); }
