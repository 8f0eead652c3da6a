/* canonical_grid.c - the row-minlex form of a finished grid, of 2 x 6^8 x 9! images.
 *
 * The least image begins 123456789 in row 1, and row 2 begins with 456 or 457, whatever the grid. So a candidate is: a
 * transposition, a row that becomes row 1 and another of its band that becomes row 2, the box that comes first. Digits
 * are named by their place in row 1; all that matters of a pair of rows is the permutation f that takes a column to the
 * column of row 1 where row 2's digit stands. In terms of boxes, 0, 1, 2 or 3 columns of each box go to the next one,
 * the same number for all three boxes:
 *
 *   3 or 0: the box is mapped as a whole, row 2 begins 456; six orders of the first box, the rest is forced.
 *   2 or 1: row 2 begins 457. Columns a, b go to the second box (which that settles), c to the third. In the second
 *           box, one column x comes back to the first. Row 2 there holds 8, 9 and the name of f(x), which is 1 if
 *           f(x) = a, 2 if b, 3 if c, at place 0 if x = f(a), 1 if f(b), else 2. So 457189 is the least, and the first
 *           six digits of row 2 cost a few comparisons; most candidates end there. 8 stands before 9.
 *
 * The rest of row 2, and row 3, are one 60-bit key. Candidates with the least key are compared by the other bands,
 * whose rows sort by their first cells. Candidates that stay equal to the end are the automorphisms.
 *
 * After a prototype of this project. 456 is met by about one grid in five.
 */
#include "canonical.h"

#include <string.h>

#include "lanes.h"

enum { MOST = 2 * 3 * 6 * 3 * 6 };

typedef struct pick {
    uint8_t transposed, row[3];
    uint8_t column[9], name[10];
} pick;

typedef struct picks {
    uint64_t key;
    int head; /* what row 2 begins with: smaller is better; -1 for 456 */
    int count;
    pick pick[MOST];
} picks;

/* Looks at the candidate with these columns; `key` and the list hold the best so far. */
static void consider(picks *best, int transposed, const uint8_t *one, const uint8_t *two, const uint8_t *three,
                     const uint8_t *column, const uint8_t *row) {
    uint8_t name[10];
    for (unsigned i = 0; i < 9; i++)
        name[one[column[i]]] = (uint8_t)(i + 1);
    uint64_t key = 0;
    for (int i = 3; i < 9; i++)
        key = key << 4 | name[two[column[i]]];
    if (best->count && key > best->key >> 36)
        return;
    for (int i = 0; i < 9; i++)
        key = key << 4 | name[three[column[i]]];
    if (best->count && key > best->key)
        return;
    if (!best->count || key < best->key) {
        best->key = key;
        best->count = 0;
    }
    pick *p = &best->pick[best->count++];
    p->transposed = (uint8_t)transposed;
    memcpy(p->row, row, 3);
    memcpy(p->column, column, 9);
    memcpy(p->name, name, 10);
}

/* Takes a head if it is not worse than the best; a better one forgets what there was. */
static int take_head(picks *best, int head) {
    if (head > best->head)
        return 0;
    if (head < best->head) {
        best->head = head;
        best->count = 0;
    }
    return 1;
}

static const uint8_t orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
static const uint8_t box_of[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};

/* All candidates of two rows of a band, `f` as above. */
static void consider_rows(picks *best, int transposed, const uint8_t *grid, const uint8_t *f, const uint8_t *row) {
    const uint8_t *one = grid + 9 * row[0], *two = grid + 9 * row[1], *three = grid + 9 * row[2];
    for (unsigned box = 0; box < 3; box++) {
        const unsigned at = 3 * box;
        const uint8_t k0 = box_of[f[at]], k1 = box_of[f[at + 1]], k2 = box_of[f[at + 2]];
        uint8_t column[9];
        if (k0 == k1 && k1 == k2) {
            if (!take_head(best, -1))
                continue;
            for (int v = 0; v < 6; v++) {
                for (int i = 0; i < 3; i++) {
                    column[i] = (uint8_t)(at + orders[v][i]);
                    column[3 + i] = f[column[i]];
                    column[6 + i] = f[column[3 + i]];
                }
                consider(best, transposed, one, two, three, column, row);
            }
            continue;
        }
        if (best->head < 0)
            continue;
        const unsigned odd = k0 == k1 ? 2 : k0 == k2 ? 1 : 0; /* the column that goes to the third box */
        const uint8_t c = (uint8_t)(at + odd), p = (uint8_t)(at + (odd ? 0 : 1)), q = (uint8_t)(at + 3 - odd - (odd ? 0 : 1));
        const uint8_t second = box_of[f[p]];
        const uint8_t rest = (uint8_t)(9 * second + 3 - f[p] - f[q]);
        const uint8_t x = box_of[f[f[p]]] == box ? f[p] : box_of[f[f[q]]] == box ? f[q] : rest, y = f[x];
        for (int v = 0; v < 2; v++) {
            const uint8_t a = v ? q : p, b = v ? p : q;
            const int place = x == f[a] ? 0 : x == f[b] ? 1 : 2, label = y == a ? 1 : y == b ? 2 : 3;
            /* 1 8 9, 2 8 9, 3 8 9, 8 1 9, ...: by the place, then by the label. */
            if (!take_head(best, 3 * place + label))
                continue;
            column[0] = a;
            column[1] = b;
            column[2] = c;
            column[3] = f[a];
            column[4] = f[b];
            column[5] = rest;
            column[6] = f[c];
            for (int i = 3, w = 7; i < 6; i++)
                if (column[i] != x)
                    column[w++] = f[column[i]];
            consider(best, transposed, one, two, three, column, row);
        }
    }
}

/* The six rows of the two other bands as a candidate orders them: by first cells, in the band and between bands. */
static void order_rows(const pick *p, const uint8_t *grid, uint8_t *rows) {
    const int own = p->row[0] / 3;
    uint8_t head[2];
    for (int k = 0, band = 0; k < 2; band++) {
        if (band == own)
            continue;
        uint8_t *row = rows + 3 * k, name[3];
        for (int i = 0; i < 3; i++) {
            const uint8_t r = (uint8_t)(3 * band + i), n = p->name[grid[9 * r + p->column[0]]];
            int j = i;
            for (; j && name[j - 1] > n; j--) {
                name[j] = name[j - 1];
                row[j] = row[j - 1];
            }
            name[j] = n;
            row[j] = r;
        }
        head[k++] = name[0];
    }
    if (head[0] > head[1]) {
        uint8_t first[3];
        memcpy(first, rows, 3);
        memcpy(rows, rows + 3, 3);
        memcpy(rows + 3, first, 3);
    }
}

uint64_t canonical_grid(const uint8_t *grid, uint8_t *least) {
    uint8_t turned[CELLS];
    const uint8_t *const grids[2] = {grid, turned};
    picks best;
    best.head = 10;
    best.count = 0;
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            turned[9 * c + r] = grid[9 * r + c];
    for (int transposed = 0; transposed < 2; transposed++)
        for (int band = 0; band < 3; band++) {
            uint8_t column_of[3][10];
            for (int i = 0; i < 3; i++)
                for (unsigned c = 0; c < 9; c++)
                    column_of[i][grids[transposed][9 * (3 * band + i) + (int)c]] = (uint8_t)c;
            for (int v = 0; v < 6; v++) {
                uint8_t row[3], f[9];
                for (int i = 0; i < 3; i++)
                    row[i] = (uint8_t)(3 * band + orders[v][i]);
                for (int c = 0; c < 9; c++)
                    f[c] = column_of[orders[v][0]][grids[transposed][9 * row[1] + c]];
                consider_rows(&best, transposed, grids[transposed], f, row);
            }
        }

    for (int i = 0; i < 9; i++)
        least[i] = (uint8_t)(i + 1);
    least[9] = 4;
    least[10] = 5;
    least[11] = best.head < 0 ? 6 : 7;
    for (int i = 0; i < 15; i++)
        least[12 + i] = best.key >> (56 - 4 * i) & 15;
    uint64_t automorphisms = 0;
    for (int i = 0; i < best.count; i++) {
        const pick *p = &best.pick[i];
        const uint8_t *g = grids[p->transposed];
        uint8_t rows[6];
        order_rows(p, g, rows);
        int order = automorphisms ? 0 : -1; /* of this candidate against the best, as far as they were compared */
        for (int k = 0; k < 54 && order <= 0; k++) {
            const uint8_t n = p->name[g[9 * rows[k / 9] + p->column[k % 9]]];
            if (order == 0)
                order = (n > least[27 + k]) - (n < least[27 + k]);
            if (order < 0)
                least[27 + k] = n;
        }
        if (order < 0)
            automorphisms = 1;
        else if (order == 0)
            automorphisms++;
    }
    return automorphisms;
}
