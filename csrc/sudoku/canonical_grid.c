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
 * So: the heads of all 216 candidates, without a branch; then row 2 of those with the least head, some 24; then row 3
 * of those with the least row 2; then the other bands, whose rows sort by their first cells. Candidates that stay equal
 * to the end are the automorphisms.
 *
 * After a prototype of this project, which looked at candidates one by one as it met them: half as fast, for nearly
 * every candidate is a mispredicted branch. 456 is met by about one grid in five.
 */
#include "canonical.h"

#include <string.h>

#include "common.h"
#include "lanes.h"

enum { PAIRS = 2 * 3 * 6, MOST = PAIRS * 3 * 6 };

/* Two rows of a band, as row 1 and row 2, and the permutation of columns that they are. */
typedef struct pair {
    uint8_t transposed, row[3], f[9];
} pair;

typedef struct candidate {
    uint8_t pair, box, order;
    uint8_t column[9];
} candidate;

static const uint8_t box_of[9] = {0, 0, 0, 1, 1, 1, 2, 2, 2};

/* A pair with some box as the first: which columns go where. */
typedef struct way {
    uint8_t a, b, c;   /* columns of the box: a and b go to the second box, c to the third */
    uint8_t second[3]; /* columns of the second box: f(a), f(b), the rest */
    uint8_t back;      /* which of these three comes back to the first box */
} way;

/* No branches: they would be mispredicted 108 times a grid. */
static way find_way(const uint8_t *f, unsigned box) {
    const unsigned at = 3 * box;
    const uint8_t k0 = box_of[f[at]], k1 = box_of[f[at + 1]], k2 = box_of[f[at + 2]];
    const unsigned odd = 2u * (k0 == k1) + (k0 == k2);
    way w;
    w.c = (uint8_t)(at + odd);
    w.a = (uint8_t)(at + (odd == 0));
    w.b = (uint8_t)(3 * at + 3 - w.a - w.c);
    w.second[0] = f[w.a];
    w.second[1] = f[w.b];
    w.second[2] = (uint8_t)(9 * box_of[f[w.a]] + 3 - f[w.a] - f[w.b]);
    w.back = (uint8_t)(2 - 2 * (box_of[f[w.second[0]]] == box) - (box_of[f[w.second[1]]] == box));
    return w;
}

/* What row 2 has in its second box, for both orders of a and b: 189, 289, 389, 819, 829, ... are 1, 2, 3, 4, 5... */
static void find_heads(const uint8_t *f, unsigned box, uint8_t *head) {
    const way w = find_way(f, box);
    const uint8_t y = f[w.second[w.back]];
    const unsigned place = w.back, other = w.back ^ (w.back < 2);
    head[0] = (uint8_t)(3 * place + 2 - (y == w.a) + (y == w.c));
    head[1] = (uint8_t)(3 * other + 2 - (y == w.b) + (y == w.c));
}

/* The columns in order, when a whole box goes to the next. */
static void whole_columns(const uint8_t *f, candidate *n) {
    for (int i = 0; i < 3; i++) {
        n->column[i] = (uint8_t)(3 * n->box + orders[n->order][i]);
        n->column[3 + i] = f[n->column[i]];
        n->column[6 + i] = f[n->column[3 + i]];
    }
}

static void split_columns(const uint8_t *f, candidate *n) {
    const way w = find_way(f, n->box);
    n->column[0] = n->order ? w.b : w.a;
    n->column[1] = n->order ? w.a : w.b;
    n->column[2] = w.c;
    n->column[3] = w.second[n->order];
    n->column[4] = w.second[1 - n->order];
    n->column[5] = w.second[2];
    n->column[6] = f[w.c];
    const uint8_t x = w.second[w.back];
    for (int i = 3, k = 7; i < 6; i++)
        if (n->column[i] != x)
            n->column[k++] = f[n->column[i]];
}

/* Keeps the candidates with the least key, which it returns. */
static uint64_t keep_least(candidate *list, int *count, const uint64_t *key) {
    uint64_t least = UINT64_MAX;
    int kept = 0;
    for (int i = 0; i < *count; i++)
        least = key[i] < least ? key[i] : least;
    for (int i = 0; i < *count; i++)
        if (key[i] == least)
            list[kept++] = list[i];
    *count = kept;
    return least;
}

/* The six rows of the two other bands as a candidate orders them: by first cells, in the band and between bands. */
static void order_rows(int own, const uint8_t *names, const uint8_t *column, const uint8_t *grid, uint8_t *rows) {
    uint8_t head[2];
    for (int k = 0, band = 0; k < 2; band++) {
        if (band == own)
            continue;
        uint8_t *row = rows + 3 * k, name[3];
        for (int i = 0; i < 3; i++) {
            const uint8_t r = (uint8_t)(3 * band + i), n = names[grid[9 * r + column[0]]];
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

uint64_t pk_canonical_grid(const uint8_t *grid, uint8_t *least) {
    uint8_t turned[CELLS];
    const uint8_t *const grids[2] = {grid, turned};
    pair pairs[PAIRS];
    candidate list[MOST];
    uint64_t key[MOST];
    uint8_t heads[MOST];
    int count = 0, any_whole = 0;
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            turned[9 * c + r] = grid[9 * r + c];

    unsigned number = 0;
    for (int transposed = 0; transposed < 2; transposed++)
        for (int band = 0; band < 3; band++) {
            const uint8_t *const rows = grids[transposed] + 27 * band;
            uint8_t column_of[3][10];
            for (unsigned i = 0; i < 3; i++)
                for (unsigned c = 0; c < 9; c++)
                    column_of[i][rows[9 * i + c]] = (uint8_t)c;
            for (int v = 0; v < 6; v++) {
                pair *p = &pairs[number++];
                p->transposed = (uint8_t)transposed;
                for (int i = 0; i < 3; i++)
                    p->row[i] = (uint8_t)(3 * band + orders[v][i]);
                for (int c = 0; c < 9; c++)
                    p->f[c] = column_of[orders[v][0]][rows[9 * orders[v][1] + c]];
                any_whole |= box_of[p->f[0]] == box_of[p->f[1]] && box_of[p->f[1]] == box_of[p->f[2]];
            }
        }

    /* The heads, and the candidates that have the least. */
    if (any_whole) {
        for (unsigned i = 0; i < PAIRS; i++) {
            const uint8_t *f = pairs[i].f;
            if (box_of[f[0]] != box_of[f[1]] || box_of[f[1]] != box_of[f[2]])
                continue;
            for (unsigned v = 0; v < 18; v++) {
                list[count] = (candidate){(uint8_t)i, (uint8_t)(v / 6), (uint8_t)(v % 6), {0}};
                whole_columns(f, &list[count++]);
            }
        }
    } else {
        uint8_t best = UINT8_MAX, chosen[6 * PAIRS];
        for (unsigned i = 0; i < PAIRS; i++)
            for (unsigned box = 0; box < 3; box++)
                find_heads(pairs[i].f, box, heads + 6 * i + 2 * box);
        for (unsigned i = 0; i < 6 * PAIRS; i++)
            best = heads[i] < best ? heads[i] : best;
        for (unsigned i = 0; i < 6 * PAIRS; i++) {
            chosen[count] = (uint8_t)i;
            count += heads[i] == best;
        }
        for (int i = 0; i < count; i++) {
            const unsigned c = chosen[i];
            list[i] = (candidate){(uint8_t)(c / 6), (uint8_t)(c / 2 % 3), (uint8_t)(c % 2), {0}};
            split_columns(pairs[c / 6].f, &list[i]);
        }
    }

    /* The rest of row 2: a digit's name is its place in row 1, and f tells its column there. */
    for (int i = 0; i < count; i++) {
        const uint8_t *column = list[i].column, *f = pairs[list[i].pair].f;
        uint8_t place[9];
        for (unsigned k = 0; k < 9; k++)
            place[column[k]] = (uint8_t)(k + 1);
        key[i] = 0;
        for (int k = 3; k < 9; k++)
            key[i] = key[i] << 4 | place[f[column[k]]];
    }
    const uint64_t row2 = keep_least(list, &count, key);

    /* Row 3. */
    for (int i = 0; i < count; i++) {
        const pair *p = &pairs[list[i].pair];
        const uint8_t *one = grids[p->transposed] + 9 * p->row[0], *three = grids[p->transposed] + 9 * p->row[2];
        uint8_t name[10];
        for (unsigned k = 0; k < 9; k++)
            name[one[list[i].column[k]]] = (uint8_t)(k + 1);
        key[i] = 0;
        for (int k = 0; k < 9; k++)
            key[i] = key[i] << 4 | name[three[list[i].column[k]]];
    }
    const uint64_t row3 = keep_least(list, &count, key);

    for (int i = 0; i < 9; i++)
        least[i] = (uint8_t)(i + 1);
    least[9] = 4;
    least[10] = 5;
    least[11] = any_whole ? 6 : 7;
    for (int i = 0; i < 6; i++)
        least[12 + i] = row2 >> (20 - 4 * i) & 15;
    for (int i = 0; i < 9; i++)
        least[18 + i] = row3 >> (32 - 4 * i) & 15;

    /* The other two bands. */
    uint64_t automorphisms = 0;
    for (int i = 0; i < count; i++) {
        const pair *p = &pairs[list[i].pair];
        const uint8_t *g = grids[p->transposed], *column = list[i].column;
        uint8_t rows[6], name[10];
        for (unsigned k = 0; k < 9; k++)
            name[g[9 * p->row[0] + column[k]]] = (uint8_t)(k + 1);
        order_rows(p->row[0] / 3, name, column, g, rows);
        int order = automorphisms ? 0 : -1; /* of this candidate against the best, as far as they were compared */
        for (int k = 0; k < 54 && order <= 0; k++) {
            const uint8_t n = name[g[9 * rows[k / 9] + column[k % 9]]];
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
