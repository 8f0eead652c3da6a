/* queens_quadrant.c - the table of a quadrant, grown row by row: a way with rows r is a way without its topmost row and
 * one queen more. Ways without a queen on the long diagonal come first; a second pass adds the others, so that nothing
 * is sorted. */
#include "queens_quadrant.h"

#include "atomic.h"
#include "pk.h"

#define MOST_AT_FIRST ((size_t)1 << 20)

typedef struct grower {
    quadrant *q;
    size_t capacity;
    int step; /* how many rows the ways had before this one */
} grower;

static int resize(grower *g, size_t capacity) {
    quadrant *q = g->q;
    uint64_t *lines = realloc(q->lines, capacity * sizeof *lines);
    if (lines)
        q->lines = lines;
    uint64_t *cells = realloc(q->cells, capacity * sizeof *cells);
    if (cells)
        q->cells = cells;
    if (!lines || !cells)
        return 0;
    pk_large_pages(lines, capacity * sizeof *lines);
    pk_large_pages(cells, capacity * sizeof *cells);
    g->capacity = capacity;
    return 1;
}

static int reserve(grower *g, size_t more) {
    quadrant *q = g->q;
    if (q->count + more <= g->capacity)
        return 1;
    size_t capacity = 2 * g->capacity;
    while (capacity < q->count + more)
        capacity *= 2;
    if (capacity > UINT32_MAX)
        return 0;
    return resize(g, capacity);
}

/* Adds a queen to the ways first .. last. */
static int extend(grower *g, uint32_t first, uint32_t last, int column, uint64_t square) {
    quadrant *q = g->q;
    if (!reserve(g, last - first + 1))
        return 0;
    const uint64_t *const lines = q->lines, *const cells = q->cells;
    const int shift = g->step / 2 * 8;
    uint32_t count = q->count;
    for (uint32_t i = first; i < last; i++) {
        const uint64_t before = cells[i] >> shift & 255;
        const uint64_t byte = g->step % 2 ? before * (uint64_t)q->h + (uint64_t)column : (uint64_t)column;
        q->lines[count] = lines[i] | square;
        q->cells[count] = cells[i] ^ (before ^ byte) << shift;
        count += !(lines[i] & square);
    }
    q->count = count;
    return 1;
}

static int add_rows(grower *g, uint32_t rows, int odd, const uint32_t *allowed) {
    quadrant *q = g->q;
    const int h = q->h, row = 31 - __builtin_clz(rows), size = count_bits(rows), diagonal = row - odd;
    const size_t below = (size_t)(rows ^ 1u << row) << h;
    uint32_t *const start = q->start + ((size_t)rows << h), *const middle = q->middle + ((size_t)rows << h);
    const uint32_t all = (uint32_t)1 << h;
    g->step = size - 1;
    start[0] = q->count;
    for (uint32_t columns = ((uint32_t)1 << size) - 1; columns < all; columns = next_combination(columns)) {
        start[columns] = q->count;
        for (uint32_t left = columns & allowed[row]; left; left &= left - 1) {
            const int column = __builtin_ctz(left);
            const size_t from = below | (columns ^ (left & -left));
            if (column != diagonal &&
                !extend(g, q->start[from], q->middle[from], column, square_lines(h, odd, row, column)))
                return 0;
        }
        middle[columns] = q->count;
        for (uint32_t left = columns & allowed[row]; left; left &= left - 1) {
            const int column = __builtin_ctz(left);
            const size_t from = below | (columns ^ (left & -left));
            const uint32_t first = column == diagonal ? q->start[from] : q->middle[from];
            const uint32_t last = column == diagonal ? q->middle[from] : q->start[from + 1];
            if (!extend(g, first, last, column, square_lines(h, odd, row, column)))
                return 0;
        }
        start[columns + 1] = q->count;
    }
    start[all] = q->count; /* that is, of the next set of rows */
    return 1;
}

/* `allowed` has a word of columns for each row. A pk_status; whatever it is, pk_quadrant_free is due. */
int pk_quadrant_make(quadrant *q, int h, int odd, const uint32_t *allowed, const int *stop) {
    const int rows = h + odd;
    const size_t sets = (size_t)1 << (rows + h);
    grower g = {q, 0, 0};
    *q = (quadrant){.h = h, .rows = rows};
    q->start = malloc((sets + 1) * sizeof *q->start);
    q->middle = malloc((sets + 1) * sizeof *q->middle);
    /* Four times the sets is enough up to n = 18; beyond that, few ways may be left by barred squares. */
    if (!q->start || !q->middle || !resize(&g, 4 * sets < MOST_AT_FIRST ? 4 * sets : MOST_AT_FIRST))
        return PK_ENOMEM;
    q->lines[0] = q->cells[0] = 0;
    q->count = 1;
    q->start[0] = 0;
    q->middle[0] = 1;
    q->start[1] = q->start[(size_t)1 << h] = 1;
    for (uint32_t set = 1; set < (uint32_t)1 << rows; set++) {
        if (stop && pk_load_int(stop))
            return PK_CANCELLED;
        if (!add_rows(&g, set, odd, allowed))
            return PK_ENOMEM;
    }
    return PK_OK;
}

void pk_quadrant_free(quadrant *q) {
    free(q->start);
    free(q->middle);
    free(q->lines);
    free(q->cells);
}
