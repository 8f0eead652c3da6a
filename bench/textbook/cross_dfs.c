/* cross_dfs.c - the cross with the numbers 1..16 as a textbook does it: a depth-first search, cell by cell.
 *
 *     .. .. ..  0  1  2 ..
 *      3  4  5  6 ..  7 ..
 *     ..  8 ..  9 10 11 12
 *     .. 13 14 15 .. .. ..
 *
 * It is filled line by line, each beginning at a line that is there already. The first line gives the sum; from then on
 * the last cell of a line is computed, not tried. The unused numbers are a bit mask. Fillings go into memory, 16 bytes
 * each. The search stands here twice: as a recursion that reads its order from a table, and unrolled by hand into ten
 * loops, where all cells are in registers. Of 87 other orders the one with the fewest nodes takes as long.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 16, ALL = 0x1fffe, FIRST_LINE = 3 };

/* A step fills a cell. If it is the last of its line, `others` are the two or three that are there already. */
typedef struct step {
    uint8_t cell, count, others[3];
} step;

static const step steps[CELLS] = {
    {0, 0, {0}},  {1, 0, {0}},        {2, 0, {0}},          /* the first row gives the sum */
    {7, 0, {0}},  {11, 2, {2, 7}},                          /* right column */
    {9, 0, {0}},  {10, 0, {0}},       {12, 3, {9, 10, 11}}, /* third row */
    {6, 0, {0}},  {15, 3, {0, 6, 9}},                       /* middle column */
    {13, 0, {0}}, {14, 2, {13, 15}},                        /* last row */
    {4, 0, {0}},  {8, 2, {4, 13}},                          /* left column */
    {3, 0, {0}},  {5, 3, {3, 4, 6}},                        /* second row */
};

typedef struct search {
    uint8_t cells[CELLS];
    int sum;
    uint8_t *rows;
    size_t room, found;
} search;

static void fill(search *s, int at, uint32_t unused) {
    if (at == CELLS) {
        if (s->found < s->room)
            memcpy(s->rows + CELLS * s->found, s->cells, CELLS);
        s->found++;
        return;
    }
    if (at == FIRST_LINE)
        s->sum = s->cells[0] + s->cells[1] + s->cells[2];
    const step *now = &steps[at];
    if (now->count) {
        int value = s->sum;
        for (int i = 0; i < now->count; i++)
            value -= s->cells[now->others[i]];
        if (value >= 1 && value <= CELLS && unused >> value & 1) {
            s->cells[now->cell] = (uint8_t)value;
            fill(s, at + 1, unused ^ (uint32_t)1 << value);
        }
        return;
    }
    for (uint32_t left = unused; left; left &= left - 1) {
        s->cells[now->cell] = (uint8_t)__builtin_ctz(left);
        fill(s, at + 1, unused ^ (left & -left));
    }
}

/* Writes the first `room` fillings to `rows`; returns how many there are. */
size_t cross_dfs(uint8_t *rows, size_t room) {
    search s = {.rows = rows, .room = room};
    fill(&s, 0, ALL);
    return s.found;
}

/* Writes all fillings to a file, a line each: the sum, then the cells. Returns how many there are, 0 if that failed. */
size_t cross_dfs_file(const char *path) {
    enum { ROOM = 1 << 16 };
    uint8_t *rows = malloc(ROOM * CELLS);
    FILE *file = fopen(path, "w");
    size_t found = 0;
    if (rows && file) {
        found = cross_dfs(rows, ROOM);
        for (const uint8_t *row = rows; row < rows + found * CELLS; row += CELLS) {
            fprintf(file, "%d", row[0] + row[1] + row[2]);
            for (int i = 0; i < CELLS; i++)
                fprintf(file, " %d", row[i]);
            fputc('\n', file);
        }
    }
    if (file && fclose(file))
        found = 0;
    free(rows);
    return found;
}

/* Tries the numbers that cell `before` has left, and fills cell c<cell>. */
#define TRY(cell, before)                                                                                              \
    for (uint32_t left##cell = unused##before; left##cell; left##cell &= left##cell - 1) {                             \
        const int c##cell = __builtin_ctz(left##cell);                                                                 \
        const uint32_t unused##cell = unused##before ^ (uint32_t)1 << c##cell;

/* Computes cell c<cell>; goes on with the next number of the last TRY if the value is none or is used. */
#define LAST(cell, before, value)                                                                                      \
    const int c##cell = (value);                                                                                       \
    if (c##cell < 1 || c##cell > CELLS || !(unused##before >> c##cell & 1))                                            \
        continue;                                                                                                      \
    const uint32_t unused##cell = unused##before ^ (uint32_t)1 << c##cell;

/* The same, unrolled. */
/* clang-format off */
size_t cross_dfs_unrolled(uint8_t *rows, size_t room) {
    const uint32_t unused = ALL;
    size_t found = 0;
    TRY(0, ) TRY(1, 0) TRY(2, 1)
    const int sum = c0 + c1 + c2;
    TRY(7, 2)               LAST(11, 7, sum - c2 - c7)
    TRY(9, 11) TRY(10, 9)   LAST(12, 10, sum - c9 - c10 - c11)
    TRY(6, 12)              LAST(15, 6, sum - c0 - c6 - c9)
    TRY(13, 15)             LAST(14, 13, sum - c13 - c15)
    TRY(4, 14)              LAST(8, 4, sum - c4 - c13)
    TRY(3, 8)               LAST(5, 3, sum - c3 - c4 - c6)
    (void)unused5;
    if (found++ < room) {
        const int cells[CELLS] = {c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15};
        for (int i = 0; i < CELLS; i++)
            *rows++ = (uint8_t)cells[i];
    }
    }}}}}}}}}}
    return found;
}
/* clang-format on */
