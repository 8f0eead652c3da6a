/* tiling_depths.c - how deep a notch can be filled, for every width and every multiset of squares that fit into it.
 *
 *      |    |___
 *      |____|   |      A notch of width w between high walls is filled lowest first. Whenever the squares used so far
 *      |  |_|   |      have covered it up to some row, that depth is noted for their multiset. In the end each multiset
 *      |__|_|___|      inherits the greatest depth of its parts.
 *
 * The table is exact up to `deepest`. A width whose search is too long to be worth it gets a table that forbids
 * nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "tiling.h"

enum { PATIENCE = 50000000 }; /* states of one width */

typedef struct depths {
    pk_plan base;
    int sizes, deepest;
    int32_t side[PK_TILING_SIZES], count[PK_TILING_SIZES];
    uint32_t place[PK_TILING_SIZES + 1];
} depths;

typedef struct filling {
    const depths *plan;
    pk_sink *sink;
    uint8_t *table;
    int width, sizes;
    uint64_t states;
    int32_t left[PK_TILING_SIZES];
    uint8_t height[PK_TILING_WIDTH];
} filling;

/* 0: stop. */
static int fill(filling *f, uint32_t used) {
    const depths *d = f->plan;
    int x = 0, run = 1;
    if (++f->states > PATIENCE || (f->states % 4096 == 0 && pk_stop(f->sink)))
        return 0;
    for (int i = 1; i < f->width; i++)
        if (f->height[i] < f->height[x])
            x = i;
    const int low = f->height[x];
    if (f->table[used] < low)
        f->table[used] = (uint8_t)low;
    if (low >= d->deepest)
        return 1;
    while (x + run < f->width && f->height[x + run] == low)
        run++;
    for (int a = 0; a < f->sizes && d->side[a] <= run; a++) {
        if (!f->left[a])
            continue;
        const int side = d->side[a], top = low + side > d->deepest ? d->deepest : low + side;
        f->left[a]--;
        memset(f->height + x, top, (size_t)side);
        const int go_on = fill(f, used + d->place[a]);
        memset(f->height + x, low, (size_t)side);
        f->left[a]++;
        if (!go_on)
            return 0;
    }
    return 1;
}

static int search_width(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const depths *d = (const depths *)plan;
    filling *f = memory;
    f->plan = d;
    f->sink = sink;
    f->width = (int)unit + 1;
    f->states = 0;
    for (f->sizes = 0; f->sizes < d->sizes && d->side[f->sizes] <= f->width; f->sizes++)
        f->left[f->sizes] = d->count[f->sizes];
    const uint32_t codes = d->place[f->sizes];
    f->table = pk_room(sink, codes);
    if (!f->table)
        return PK_OK;
    memset(f->table, 0, codes);
    memset(f->height, 0, sizeof f->height);
    if (!fill(f, 0)) {
        if (f->states <= PATIENCE)
            return PK_OK;
        memset(f->table, d->deepest, codes);
    }
    for (int a = 0; a < f->sizes; a++)
        for (uint32_t code = 0; code < codes; code++)
            if (code / d->place[a] % (uint32_t)(d->count[a] + 1) && f->table[code] < f->table[code - d->place[a]])
                f->table[code] = f->table[code - d->place[a]];
    pk_keep(sink, codes);
    return PK_OK;
}

static void destroy(pk_plan *plan) { free(plan); }

int pk_tiling_depths_plan(const int32_t *sides, const int32_t *counts, int sizes, int widest, int deepest,
                          pk_plan **plan) {
    depths *d = calloc(1, sizeof *d);
    if (!d)
        return PK_ENOMEM;
    d->base = (pk_plan){(uint64_t)widest, 1, sizeof(filling), search_width, destroy};
    d->sizes = sizes;
    d->deepest = deepest;
    d->place[0] = 1;
    for (int a = 0; a < sizes; a++) {
        d->side[a] = sides[a];
        d->count[a] = counts[a];
        d->place[a + 1] = d->place[a] * (uint32_t)(counts[a] + 1);
    }
    *plan = &d->base;
    return PK_OK;
}
