/* sudoku.c - what one would write: solving cell by cell, and finished grids digit by digit, with buffered output.
 *
 * The solver keeps a mask of used digits for each row, column and box, and always fills a cell that has the fewest
 * digits left. The generator places digit 1 in nine rows, then digit 2, ...: masks of taken columns and boxes for each
 * digit, and of free cells for each row. Grids that begin with a given digit come out in the order of the search; all
 * are different.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* ---- solving ---- */

static unsigned rows[9], columns[9], boxes[9];
static uint8_t board[81], first[81];

static int box_of(int cell) { return cell / 27 * 3 + cell % 9 / 3; }

static int search(int limit, int found) {
    int best = -1, fewest = 10;
    unsigned choices = 0;
    for (int cell = 0; cell < 81; cell++) {
        if (board[cell])
            continue;
        const unsigned free = 511 & ~(rows[cell / 9] | columns[cell % 9] | boxes[box_of(cell)]);
        const int count = __builtin_popcount(free);
        if (count < fewest) {
            fewest = count;
            best = cell;
            choices = free;
            if (count <= 1)
                break;
        }
    }
    if (best < 0) {
        if (!found)
            memcpy(first, board, 81);
        return found + 1;
    }
    for (; choices && found < limit; choices &= choices - 1) {
        const unsigned bit = choices & -choices;
        board[best] = (uint8_t)(__builtin_ctz(bit) + 1);
        rows[best / 9] ^= bit;
        columns[best % 9] ^= bit;
        boxes[box_of(best)] ^= bit;
        found = search(limit, found);
        rows[best / 9] ^= bit;
        columns[best % 9] ^= bit;
        boxes[box_of(best)] ^= bit;
    }
    board[best] = 0;
    return found;
}

/* Solves `count` puzzles of 81 bytes; solutions to `out`. Returns how many have exactly one. */
size_t sudoku_solve(const uint8_t *puzzles, size_t count, uint8_t *out) {
    size_t unique = 0;
    for (size_t k = 0; k < count; k++) {
        memset(rows, 0, sizeof rows);
        memset(columns, 0, sizeof columns);
        memset(boxes, 0, sizeof boxes);
        memcpy(board, puzzles + 81 * k, 81);
        for (int cell = 0; cell < 81; cell++)
            if (board[cell]) {
                const unsigned bit = 1u << (board[cell] - 1);
                rows[cell / 9] |= bit;
                columns[cell % 9] |= bit;
                boxes[box_of(cell)] |= bit;
            }
        unique += search(2, 0) == 1;
        memcpy(out + 81 * k, first, 81);
    }
    return unique;
}

/* ---- grids ---- */

static unsigned taken[9]; /* cells of each row */
static char grid[82];
static FILE *file;
static size_t left;

static void place(int digit, int row, unsigned used_columns, unsigned used_boxes) {
    if (row == 9) {
        if (digit < 9) {
            place(digit + 1, 0, 0, 0);
        } else {
            fwrite(grid, 1, 82, file);
            left--;
        }
        return;
    }
    for (int column = 0; column < 9 && left; column++) {
        const unsigned bit = 1u << column, box = 1u << (row / 3 * 3 + column / 3);
        if ((used_columns & bit) || (used_boxes & box) || (taken[row] & bit))
            continue;
        taken[row] |= bit;
        grid[9 * row + column] = (char)('0' + digit);
        place(digit, row + 1, used_columns | bit, used_boxes | box);
        taken[row] ^= bit;
    }
}

/* Writes grids whose first cell is 1. Returns how many it could not. */
size_t sudoku_grids(const char *path, size_t count) {
    memset(taken, 0, sizeof taken);
    grid[81] = '\n';
    left = count;
    file = fopen(path, "wb");
    if (!file)
        return count;
    static char buffer[1 << 20];
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    taken[0] = 1;
    grid[0] = '1';
    place(1, 1, 1, 1);
    fclose(file);
    return left;
}
