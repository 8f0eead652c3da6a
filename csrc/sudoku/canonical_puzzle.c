/* canonical_puzzle.c - the row-minlex form of a puzzle: the least image row by row, empty cells least of all.
 *
 * A candidate is what is decided of a symmetry after some rows: the transposition, which rows came first, the order of
 * the boxes, names for some digits, and the columns as far as they can be told apart:
 *
 *      box 1     box 2      box 3
 *      c4  c3 c5 | c1 c2 c0 | c7 c8 c6       nine columns in order, and a mark where a group begins; columns of a group
 *      |   |       |  |       |              looked alike so far (empty in all rows), and their order is open
 *
 * Any row that may come next gives a text: in each group empty cells first, then named digits in ascending order, then
 * new digits, which take the next names in that order. The least text of all candidates and rows is the next row of
 * the least image. The candidates that have it go on, a new one for each order of the new digits of a group, for then
 * names and columns are settled; all others are forgotten. At the end, candidates are automorphisms, times the orders
 * of columns that stayed empty, times those of digits that never occur.
 *
 * An ordinary puzzle has some ten candidates at a time. Few givens and much symmetry mean many: 15,552 for the empty
 * grid. A row of many new digits means up to 3! for each box: so finished grids go to canonical_grid.c.
 */
#include <stdlib.h>
#include <string.h>

#include "canonical.h"
#include "common.h"
#include "lanes.h"

typedef struct candidate {
    uint8_t transposed;
    uint8_t names;  /* that are given: 1 .. names */
    uint16_t rows;  /* that are taken */
    uint16_t group; /* bit i: a group begins at place i */
    uint8_t band;   /* of the last row */
    uint8_t column[9];
    uint8_t name[10];
} candidate;

enum { GROUPS_AT_FIRST = 1 | 1 << 3 | 1 << 6, NEW = 16 };

/* The row's text under a candidate as 36 bits; in the order of its cells, `cells` are its columns sorted by group. If
 * it is more than `best`, some number that is more than `best`: mostly the first box tells. */
static uint64_t row_text(const candidate *c, const uint8_t *row, uint64_t best, uint8_t *cells) {
    uint64_t text = 0;
    unsigned fresh = c->names;
    for (unsigned at = 0; at < 9;) {
        uint8_t key[3];
        unsigned size = 0;
        do {
            const uint8_t column = c->column[at + size], digit = row[column];
            const uint8_t k = digit ? (c->name[digit] ? c->name[digit] : NEW) : 0;
            unsigned j = size++;
            for (; j && key[j - 1] > k; j--) {
                key[j] = key[j - 1];
                cells[at + j] = cells[at + j - 1];
            }
            key[j] = k;
            cells[at + j] = column;
        } while (at + size < 9 && !(c->group >> (at + size) & 1));
        for (unsigned i = 0; i < size; i++)
            text = text << 4 | (key[i] == NEW ? ++fresh : key[i]);
        at += size;
        if (text > best >> (36 - 4 * at))
            return UINT64_MAX;
    }
    return text;
}

static int grow(canonical_space *space, int which, size_t needed) {
    if (needed <= space->capacity[which])
        return 1;
    size_t capacity = space->capacity[which] ? 2 * space->capacity[which] : 256;
    while (capacity < needed)
        capacity *= 2;
    candidate *list = realloc(space->list[which], capacity * sizeof *list);
    if (!list)
        return 0;
    space->list[which] = list;
    space->capacity[which] = capacity;
    return 1;
}

/* Adds what becomes of candidate `c` when `row` is next: 216 new candidates at most, for which there is room. */
static size_t follow(const candidate *c, const uint8_t *row, int place, const uint8_t *cells, candidate *out) {
    candidate first = *c;
    size_t count = 1;
    memcpy(first.column, cells, 9);
    first.rows |= (uint16_t)(1u << place);
    first.band = (uint8_t)(place / 3);
    out[0] = first;
    for (unsigned at = 0; at < 9;) {
        unsigned size = 1, empty = 0, fresh = 0;
        while (at + size < 9 && !(c->group >> (at + size) & 1))
            size++;
        for (unsigned i = 0; i < size; i++) {
            const uint8_t digit = row[cells[at + i]];
            empty += !digit;
            fresh += digit && !c->name[digit];
        }
        /* All cells but the empty ones are groups of their own now; the empty ones begin the group. */
        for (unsigned i = empty ? empty : 1; i < size; i++)
            for (size_t k = 0; k < count; k++)
                out[k].group |= (uint16_t)(1u << (at + i));
        const size_t ways = fresh == 3 ? 6 : fresh == 2 ? 2 : 1, before = count;
        const unsigned from = at + size - fresh;
        for (size_t w = ways; w-- > 0;)
            for (size_t k = 0; k < before; k++) {
                candidate *n = &out[w * before + k];
                *n = out[k];
                for (unsigned i = 0; i < fresh; i++) {
                    n->column[from + i] = cells[from + orders[w][i]];
                    n->name[row[n->column[from + i]]] = ++n->names;
                }
            }
        count = before * ways;
        at += size;
    }
    return count;
}

/* Compares as the texts of rows do that have so many givens in their boxes. */
static unsigned shape_of(const uint8_t *givens, const uint8_t *order) {
    return 16u * givens[order[0]] + 4u * givens[order[1]] + givens[order[2]];
}

uint64_t pk_canonical_puzzle(const uint8_t *puzzle, uint8_t *least, canonical_space *space) {
    uint8_t turned[CELLS];
    const uint8_t *const grids[2] = {puzzle, turned};
    unsigned present = 0;
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++) {
            turned[9 * c + r] = puzzle[9 * r + c];
            present |= 1u << puzzle[9 * r + c];
        }
    /* Row 1 is told by the numbers of givens in its boxes, in ascending order: those come first that are fewest. */
    uint8_t givens[18][3];
    unsigned fewest = UINT32_MAX;
    for (int row = 0; row < 18; row++)
        for (int box = 0; box < 3; box++) {
            const uint8_t *cell = grids[row / 9] + 9 * (row % 9) + 3 * box;
            givens[row][box] = (uint8_t)((cell[0] != 0) + (cell[1] != 0) + (cell[2] != 0));
        }
    for (int row = 0; row < 18; row++)
        for (int v = 0; v < 6; v++) {
            const unsigned shape = shape_of(givens[row], orders[v]);
            fewest = shape < fewest ? shape : fewest;
        }
    size_t count = 0;
    for (int row = 0; row < 18; row++)
        for (int v = 0; v < 6; v++) {
            if (shape_of(givens[row], orders[v]) != fewest)
                continue;
            candidate c = {.transposed = (uint8_t)(row / 9), .group = GROUPS_AT_FIRST};
            uint8_t cells[9];
            for (int i = 0; i < 9; i++)
                c.column[i] = (uint8_t)(3 * orders[v][i / 3] + i % 3);
            const uint8_t *line = grids[row / 9] + 9 * (row % 9);
            const uint64_t text = row_text(&c, line, UINT64_MAX >> 1, cells);
            if (!grow(space, 0, count + 216))
                return 0;
            count += follow(&c, line, row % 9, cells, space->list[0] + count);
            for (int i = 0; i < 9; i++)
                least[i] = text >> (32 - 4 * i) & 15;
        }
    int now = 0;
    for (int line = 1; line < 9; line++, now ^= 1) {
        uint64_t best = UINT64_MAX >> 1;
        size_t made = 0;
        for (size_t k = 0; k < count; k++) {
            const candidate *const c = &space->list[now][k];
            for (int place = 0; place < 9; place++) {
                if ((c->rows >> place & 1) || (line % 3 && place / 3 != c->band))
                    continue;
                uint8_t cells[9];
                const uint8_t *row = grids[c->transposed] + 9 * place;
                const uint64_t text = row_text(c, row, best, cells);
                if (text > best)
                    continue;
                if (text < best) {
                    best = text;
                    made = 0;
                }
                if (!grow(space, now ^ 1, made + 216))
                    return 0;
                made += follow(c, row, place, cells, space->list[now ^ 1] + made);
            }
        }
        count = made;
        for (int i = 0; i < 9; i++)
            least[9 * line + i] = best >> (32 - 4 * i) & 15;
    }
    uint64_t automorphisms = 0;
    for (size_t k = 0; k < count; k++) {
        uint64_t orders_left = 1;
        for (unsigned at = 0, size = 1; at < 9; at++, size++) {
            if (space->list[now][k].group >> at & 1)
                size = 1;
            orders_left *= size;
        }
        automorphisms += orders_left;
    }
    for (unsigned d = 1, missing = 0; d <= 9; d++)
        if (!(present >> d & 1))
            automorphisms *= ++missing;
    return automorphisms;
}

void pk_canonical_space_free(canonical_space *space) {
    for (int i = 0; i < 2; i++) {
        free(space->list[i]);
        space->list[i] = NULL;
        space->capacity[i] = 0;
    }
}
