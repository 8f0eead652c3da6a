/* queens_board.h - one board as the columns of its rows, and its eight images. */
#ifndef PK_QUEENS_BOARD_H
#define PK_QUEENS_BOARD_H

#include <stdint.h>

enum { BOARD_MOST = 64 };

/* Column of row `row` of the image: bit 0 mirrors columns, bit 1 turns the rows around, bit 2 swaps rows and columns
 * before that. */
static inline int image_column(const uint8_t *board, const uint8_t *inverse, int n, int image, int row) {
    const int from = image & 2 ? n - 1 - row : row;
    const int column = image & 4 ? inverse[from] : board[from];
    return image & 1 ? n - 1 - column : column;
}

/* Whether no image of the board that stands on allowed squares is lexicographically smaller. */
static inline int is_least(const uint8_t *board, int n, const uint64_t *allowed) {
    uint8_t inverse[BOARD_MOST];
    for (int image = 1; image < 8; image++) {
        if (image == 4)
            for (int row = 0; row < n; row++)
                inverse[board[row]] = (uint8_t)row;
        int row = 0, difference = 0;
        for (; row < n && !difference; row++)
            difference = image_column(board, inverse, n, image, row) - board[row];
        if (difference >= 0)
            continue;
        if (!allowed)
            return 0;
        for (row = 0; row < n; row++)
            if (!(allowed[row] >> image_column(board, inverse, n, image, row) & 1))
                break;
        if (row == n)
            return 0;
    }
    return 1;
}

#endif
