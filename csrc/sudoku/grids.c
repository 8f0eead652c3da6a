/* grids.c - finished grids in bulk: all distinct because they are images of one grid that has no symmetry.
 *
 * The group has 2 x 6^8 geometries (rows in bands, bands, columns in stacks, stacks, transposition) times 9! names of
 * the digits. Two images of a grid without symmetry are equal only if they are made by the same element.
 *
 * A unit is a geometry and all 8! names that keep the first cell. Heap's algorithm (1963) goes through them by
 * swapping two digits a time: the next grid is the last one with 18 cells rewritten. That is as fast as a byte
 * shuffle, and needs no vectors. Geometries are taken in steps, so that neighbours look different.
 */
#include <stdlib.h>
#include <string.h>

#include "../sudoku.h"
#include "common.h"
#include "lanes.h"

enum { GEOMETRIES = 2 * 1679616, STEP = 1180591, NAMES = 40320 };

typedef struct bulk {
    pk_plan base;
    uint64_t count, start;
    int first, text;
    uint8_t grid[CELLS];
} bulk;

/* Nine places: which band is where, and which row of it. Takes 6^4 off `code`. */
static void unrank_lines(uint32_t *code, uint8_t *line) {
    const uint8_t *bands = orders[*code % 6];
    *code /= 6;
    for (int b = 0; b < 3; b++) {
        for (int i = 0; i < 3; i++)
            line[3 * b + i] = (uint8_t)(3 * bands[b] + orders[*code % 6][i]);
        *code /= 6;
    }
}

static int search_bulk(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const bulk *p = (const bulk *)plan;
    (void)scratch;
    const uint64_t geometry = p->first ? unit : unit / 9;
    const int first = p->first ? p->first : (int)(unit % 9) + 1;
    uint32_t code = (uint32_t)((p->start + geometry) % GEOMETRIES * STEP % GEOMETRIES);
    uint8_t rows[9], columns[9], turned[CELLS];
    const int transposed = code & 1;
    code /= 2;
    unrank_lines(&code, rows);
    unrank_lines(&code, columns);
    for (int r = 0; r < 9; r++)
        for (int c = 0; c < 9; c++)
            turned[9 * r + c] = p->grid[transposed ? 9 * columns[c] + rows[r] : 9 * rows[r] + columns[c]];

    /* where[i]: the cells of the i-th digit that may be renamed; name[i]: what is written there. */
    const uint8_t zero = p->text ? '0' : 0;
    uint8_t where[8][9], name[8], used[8] = {0}, now[CELLS + 1];
    int digits[10], count = 0;
    for (int d = 1; d <= 9; d++)
        if (d != turned[0])
            digits[d] = count++;
    for (int d = 1, i = 0; d <= 9; d++)
        if (d != first)
            name[i++] = (uint8_t)(zero + d);
    uint8_t filled[8] = {0};
    for (int c = 0; c < CELLS; c++) {
        now[c] = (uint8_t)(zero + first);
        if (turned[c] != turned[0]) {
            const int i = digits[turned[c]];
            where[i][filled[i]++] = (uint8_t)c;
            now[c] = name[i];
        }
    }
    now[CELLS] = '\n';

    const uint64_t before = unit * NAMES, left = p->count - before;
    const uint64_t wanted = left < NAMES ? left : NAMES;
    const size_t bytes = plan->row_bytes;
    int level = 0;
    /* Room for the whole unit at once: a growing block would be moved several times. */
    uint8_t *row = pk_room(sink, (size_t)wanted);
    if (!row)
        return PK_OK;
    for (uint64_t made = 0; made < wanted; made++, row += bytes) {
        memcpy(row, now, CELLS);
        if (p->text)
            row[CELLS] = '\n';
        while (level < 8 && used[level] >= level)
            used[level++] = 0;
        if (level == 8)
            break; /* that was the last name */
        const int other = level & 1 ? used[level] : 0;
        const uint8_t a = name[level], b = name[other];
        name[level] = b;
        name[other] = a;
        for (int k = 0; k < 9; k++) {
            now[where[level][k]] = b;
            now[where[other][k]] = a;
        }
        used[level]++;
        level = 0;
    }
    pk_keep(sink, (size_t)wanted);
    return PK_OK;
}

static void destroy_bulk(pk_plan *plan) { free(plan); }

int pk_sudoku_grids_plan(const uint8_t *grid, uint64_t count, uint64_t start, int first, int text, pk_plan **plan) {
    bulk *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->base = (pk_plan){(count + NAMES - 1) / NAMES, CELLS + (text ? 1 : 0), 0, search_bulk, destroy_bulk};
    p->count = count;
    p->start = start;
    p->first = first;
    p->text = text;
    memcpy(p->grid, grid, CELLS);
    *plan = &p->base;
    return PK_OK;
}
