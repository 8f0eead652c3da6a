/* queens_join.c - n queens by joining quadrants: boards are not searched for, they are put together.
 *
 *              h         h                 odd n: a middle column and a middle row between the quadrants
 *         +---------+---------+
 *         |   NW    |   NE    | h          The two diagonals of a square, with x and y counted from the centre:
 *         |         |         |
 *         +---------+---------+                 sum        x + y   = -(h - 1) .. h - 1   cross the vertical
 *         |   SW    |   SE    | h               difference y - x   = -(h - 1) .. h - 1   centre line
 *         |         |         |
 *         +---------+---------+            Any two queens of different halves that attack one another along a
 *                                          diagonal share one of these 2 (2h - 1) lines.
 *
 *     word of an east half:   63       4h-2              2h-1                0
 *                             | unused | difference + h - 1 | h - 1 - sum     |
 *
 * The units are the sets R of h rows whose queens stand in the east; the others stand in the west. For each R:
 *   1. East halves are the pairs of a north-east and a south-east way (rows of R in the north, in the south; one has
 *      the columns that the other leaves) that share no line: an AND of two words. The half is the OR of them.
 *   2. West halves stay pairs: a list of north-west ways, one of south-west ways, and the pairs that get along.
 *   3. 512 east halves are transposed to bit planes. For each western square the planes of its two lines, ANDed, are
 *      the east halves that tolerate a queen there; for each western way a few look-ups and ANDs give the set of the
 *      east halves that tolerate it.
 *   4. A pair's boards are the AND of the sets of its two ways: 512 boards tested at once, and counted or listed.
 *
 * Symmetry, when no square is barred (`images` says which of the eight images each board that is made stands for):
 *   even n  R and its mirror image, north for south, give the same: only the smaller is searched. A board with queens
 *           on both long diagonals has just one image under rotation where both are in the west, a board with one has
 *           one under reflection; so the east leaves the long diagonals free. A board with none is made for R or for
 *           its complement.
 *   odd n   with a queen in the centre: as even n, both long diagonals being barred. Otherwise the queen of the middle
 *           column can be brought to the north, that of the middle row to the west, and the first one closer to the
 *           centre: one in eight, exactly. The middle row is then row 0 of the south-west quadrant.
 * With barred squares there are four tables and no symmetry; if n is odd, a reflected problem stands for each of the
 * four places of the middle queens.
 *
 * The method, and the scheme of symmetry, are those of Evgeny Kluev, N-Queens-Count-Sol. No code is taken from there.
 *
 * Order of the rows: by unit (place of the middle column's queen if n is odd; then the set R, rows of the north and
 * then of the south, as numbers), then as the join meets them. It does not depend on the processor.
 *
 * Limits: 4 <= n <= 22. The table of n = 20 takes 0.12 GB and 0.2 s to make, that of n = 22 1.1 GB and 1.5 s; with
 * barred squares it is four times that. If n is odd, each worker keeps filtered copies: n = 21, 0.12 GB, with barred
 * squares 0.25 GB. Making tables is all of a plan that can be stopped.
 *
 * Lost, or without gain: tables of the odd case for each place of the middle queen (n = 17: 40 ms to make; one table
 * and a filter 10 ms); counting the bits of each word by a byte shuffle (8 operations a word; carry-save adders take
 * under 7, and no shuffle: n = 18 in 2.3 s instead of 2.9 s, together with 512 boards to an index instead of 256); a
 * call for each class of pairs in a block (n = 16: 3 ms more); batches of 96 to 384 sets instead of 192 (no
 * difference); filtering the tables of the odd case in vectors (no difference: it waits for memory).
 */
#include "queens_join.h"

#include <stdlib.h>
#include <string.h>

static void destroy(pk_plan *plan) {
    join *p = (join *)plan;
    for (int i = 0; i < p->table_count; i++)
        pk_quadrant_free(&p->tables[i]);
    free(p->allowed);
    free(p->units);
    free(p);
}

static int make_tables(join *p, const int *stop) {
    const int n = p->n, h = p->h, odd = p->odd;
    p->table_count = p->allowed ? 4 : 1;
    for (int i = 0; i < p->table_count; i++) {
        uint32_t columns[H_MOST + 1];
        for (int y = 0; y < h + odd; y++) {
            columns[y] = ((uint32_t)1 << h) - 1;
            const int row = i & SOUTH_EAST ? h + y : h - 1 + odd - y;
            for (int x = 0; x < h && p->allowed; x++) {
                const int column = i & NORTH_WEST ? h - 1 - x : n - h + x;
                if (!(p->allowed[row] >> column & 1))
                    columns[y] &= ~(1u << x);
            }
        }
        const int status = pk_quadrant_make(&p->tables[i], h, odd, columns, stop);
        if (status != PK_OK)
            return status;
    }
    for (int i = 0; i < 4; i++)
        p->quadrants[i] = &p->tables[p->allowed ? i : 0];
    return PK_OK;
}

/* How long lists can get. East halves and pairs of a unit are pairs of ways with complementary columns; there are at
 * most as many as half the squares of the block sizes add up to. */
static void measure(join *p) {
    double squares[H_MOST + 2] = {0};
    sizes *z = &p->sizes;
    for (int i = 0; i < p->table_count; i++) {
        const quadrant *q = &p->tables[i];
        for (uint32_t rows = 0; rows < (uint32_t)1 << q->rows; rows++) {
            const int size = count_bits(rows);
            double sum = 0;
            for (uint32_t c = ((uint32_t)1 << size) - 1; c < (uint32_t)1 << q->h;
                 c = c ? next_combination(c) : 1u << q->h) {
                const uint32_t *const at = q->start + (((size_t)rows << q->h) + c);
                const size_t block = at[1] - at[0];
                z->block = block > z->block ? block : z->block;
                sum += (double)block * (double)block;
            }
            const uint32_t *const list = q->start + ((size_t)rows << q->h);
            const size_t length = list[(size_t)1 << q->h] - list[0];
            z->list = length > z->list ? length : z->list;
            squares[size] = sum > squares[size] ? sum : squares[size];
        }
    }
    for (int k = 0; k <= p->h; k++) {
        const size_t bound = (size_t)((squares[k] + squares[p->h - k]) / 2) + 1;
        z->east = bound > z->east ? bound : z->east;
    }
}

static void add_frame(join *p, int row, int flip_rows, int flip_columns, int least) {
    const int h = p->h;
    frame f = {(uint8_t)row, (uint8_t)flip_rows, (uint8_t)flip_columns, (uint8_t)least, {0, 0}};
    if (p->odd) {
        f.barred[0] = (row < h ? (uint64_t)1 << (h + row) : 0) | (row ? (uint64_t)1 << (4 * h - row) : 0);
        f.barred[1] = (uint64_t)1 << (h - row);
    }
    p->frames[p->frame_count++] = f;
}

static void make_frames(join *p) {
    const int h = p->h;
    const uint64_t *const allowed = p->allowed;
    if (!p->odd || !allowed || allowed[h] >> h & 1)
        add_frame(p, 0, 0, 0, 0);
    for (int row = 1; p->odd && !allowed && row < h; row++)
        add_frame(p, row, 0, 0, row);
    for (int flips = 0; p->odd && allowed && flips < 4; flips++)
        for (int row = 1; row <= h; row++)
            if (allowed[flips & 1 ? h + row : h - row] >> h & 1)
                add_frame(p, row, flips & 1, flips >> 1, 0);
}

static int has_ways(const join *p, const frame *f, int quadrant, uint32_t rows) {
    const struct quadrant *q = p->quadrants[quadrant_in_frame(f, quadrant)];
    const uint32_t *const list = q->start + ((size_t)rows << q->h);
    return list[0] < list[(size_t)1 << q->h];
}

static int add_unit(join *p, const unit *u) {
    if (p->base.units == p->unit_capacity) {
        const size_t capacity = p->unit_capacity ? 2 * p->unit_capacity : 256;
        unit *units = realloc(p->units, capacity * sizeof *units);
        if (!units)
            return 0;
        p->units = units;
        p->unit_capacity = capacity;
    }
    p->units[p->base.units++] = *u;
    return 1;
}

/* Which images the boards of a set R stand for; 0 if none. */
static int choose_images(const join *p, const frame *f, unit *u) {
    const uint32_t north = u->north, south = u->south;
    memset(u->images, ONE, sizeof u->images);
    if (p->allowed)
        return 1;
    if (f->row) {
        memset(u->images, ALL_IMAGES, sizeof u->images);
        return 1;
    }
    if (north > south)
        return 0;
    const uint32_t same = ~(north ^ south) & (((uint32_t)1 << p->h) - 1);
    u->images[0] = !same ? ONE : north & same & -same ? MIRRORED : 0;
    u->images[1] = MIRRORED;
    u->images[2] = ROTATED;
    if (north != south) {
        /* and what is mirrored, north for south */
        u->images[0] |= (uint8_t)(u->images[0] << 2);
        u->images[1] |= (uint8_t)(u->images[1] << 2);
        u->images[2] = ALL_IMAGES;
    }
    return !p->odd || u->images[0];
}

static int make_units(join *p) {
    const int h = p->h, odd = p->odd;
    const uint32_t all = ((uint32_t)1 << h) - 1;
    for (int i = 0; i < p->frame_count; i++) {
        const frame *f = &p->frames[i];
        const uint32_t gone = f->row ? 1u << (f->row - 1) : 0;
        for (uint32_t north = 0; north <= all; north++) {
            const uint32_t west = (all ^ north ^ gone) << odd;
            if (north & gone || !has_ways(p, f, NORTH_EAST, north << odd) || !has_ways(p, f, NORTH_WEST, west))
                continue;
            const uint32_t least = ((uint32_t)1 << (h - count_bits(north))) - 1;
            for (uint32_t south = least; south <= all; south = south ? next_combination(south) : all + 1) {
                unit u = {(uint16_t)north, (uint16_t)south, (uint8_t)i, {0, 0, 0}};
                if (!choose_images(p, f, &u) || !has_ways(p, f, SOUTH_EAST, south << odd) ||
                    !has_ways(p, f, SOUTH_WEST, (all ^ south) << odd | !!f->row))
                    continue;
                if (!add_unit(p, &u))
                    return 0;
            }
        }
    }
    return 1;
}

int pk_queens_join_plan(int n, const uint64_t *allowed, int fundamental, int cpu, const int32_t *stop, pk_plan **plan) {
    if (n < PK_QUEENS_JOIN_LEAST || n > PK_QUEENS_JOIN_MOST)
        return PK_EINVAL;
    join *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    if (!p)
        return PK_ENOMEM;
    memset(p, 0, sizeof *p);
    p->base.row_bytes = (size_t)n;
    p->base.search = pk_join_search(cpu);
    p->base.destroy = destroy;
    p->n = n;
    p->h = n / 2;
    p->odd = n % 2;
    p->crossing = 2 * p->h - 1;
    p->classes = !p->odd && !allowed ? 3 : 1;
    p->fundamental = fundamental;
    int status = PK_OK;
    if (allowed) {
        p->allowed = malloc((size_t)n * sizeof *allowed);
        if (p->allowed)
            memcpy(p->allowed, allowed, (size_t)n * sizeof *allowed);
        else
            status = PK_ENOMEM;
    }
    if (status == PK_OK)
        status = make_tables(p, stop);
    if (status == PK_OK) {
        measure(p);
        make_frames(p);
        if (!make_units(p))
            status = PK_ENOMEM;
        else if (p->sizes.block + BATCH > PLACES)
            status = PK_EINVAL;
    }
    if (status != PK_OK) {
        destroy(&p->base);
        return status;
    }
    for (int mask = 0; mask < 16; mask++)
        for (int bit = 0, k = 0; bit < 4; bit++)
            if (mask >> bit & 1) {
                p->pack_words[mask][k++] = (uint32_t)(2 * bit);
                p->pack_words[mask][k++] = (uint32_t)(2 * bit + 1);
            }
    for (int mask = 0; mask < 256; mask++)
        for (int bit = 0, k = 0; bit < 8; bit++)
            if (mask >> bit & 1)
                p->pack_bytes[mask] |= (uint64_t)bit << 8 * k++;
    p->base.scratch_bytes = (sizeof(scratch) + 63) / 64 * 64 + pk_join_scratch(p, NULL, NULL);
    *plan = &p->base;
    return PK_OK;
}
