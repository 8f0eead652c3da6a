/* tiling_half_plan.c - the plan of a half: the problem, its tables, and the units.
 *
 * Units are the first steps of the search, one more of them until there are enough; or blocks of states that an earlier
 * plan has left.
 */
#include <stdlib.h>
#include <string.h>

#include "tiling_half.h"
#include "tiling_states.h"

static size_t scratch_bytes(const half *p) {
    return sizeof(search) + (size_t)(p->squares + p->width + 2) * sizeof(level) + 3 * (size_t)p->squares;
}

/* Cuts the search into units by its first steps: one step more until there are enough. */
static int make_seeds(half *p) {
    const int most = p->mode == PK_TILING_STATES && p->steps < SEED ? p->steps : SEED;
    pk_sink sink = pk_sink_alone(NULL, 0);
    search *q = calloc(1, scratch_bytes(p));
    if (!q)
        return 0;
    q->levels = (level *)(q + 1);
    for (int steps = 0;; steps++) {
        const notch n = pk_half_begin(q, p, &sink);
        q->steps = steps;
        q->seeds = malloc(256 * sizeof *q->seeds);
        q->seed_room = q->seeds ? 256 : 0;
        if (!q->seeds || !pk_half_go_on(q, q->levels, n)) {
            free(q->seeds);
            free(q);
            return 0;
        }
        if (q->seed_count >= SEEDS || steps >= most)
            break;
        free(q->seeds);
    }
    p->seeds = q->seeds;
    p->base.units = q->seed_count;
    free(q);
    return 1;
}

static void destroy(pk_plan *plan) {
    half *p = (half *)plan;
    free(p->depths);
    free(p->closed);
    free(p->seeds);
    free(p->keys.entries);
    free(p);
}

static const uint8_t bottomless[] = {255, 255, 255};

static int copy_tables(half *p, const uint8_t *depths, const uint64_t *closed) {
    size_t bytes = 1;
    for (int w = 1; w <= p->widest; w++)
        bytes += p->place[p->fits[w]] + 1;
    p->depths = calloc(bytes, 1);
    if (!p->depths)
        return 0;
    uint8_t *to = p->depths + 1; /* a 0 before and behind each table */
    for (int w = 1; w <= p->widest; w++) {
        memcpy(to, depths, p->place[p->fits[w]]);
        p->depth[w] = to;
        depths += p->place[p->fits[w]];
        to += p->place[p->fits[w]] + 1;
    }
    for (int w = 1; w <= PK_TILING_WIDTH; w++)
        p->notch[w] = w <= p->widest && p->rules & PK_TILING_NOTCH ? (filling){p->depth[w], p->fits[w]}
                                                                   : (filling){bottomless + 1, 0};
    if (closed) {
        const size_t words = (p->place[p->sizes] + 63) / 64;
        p->closed = malloc(words * sizeof *closed);
        if (!p->closed)
            return 0;
        memcpy(p->closed, closed, words * sizeof *closed);
    }
    return 1;
}

static void copy_problem(half *p, const int32_t *sides, const int32_t *counts, int sizes, const pk_tiling_half *given) {
    p->width = given->width;
    p->height = given->height;
    p->cut = given->cut;
    p->upper = given->upper;
    p->octant = given->octant;
    p->rules = given->rules;
    p->line = given->line;
    p->begins = given->begins;
    p->mode = given->mode;
    p->steps = given->steps;
    p->widest = given->widest;
    p->deepest = given->deepest;
    p->least = given->least;
    p->greatest = given->greatest;
    p->sizes = sizes;
    p->place[0] = 1;
    for (int a = 0; a < sizes; a++) {
        p->side[a] = sides[a];
        p->count[a] = counts[a];
        p->squares += counts[a];
        p->place[a + 1] = p->place[a] * (uint32_t)(counts[a] + 1);
        p->area[a] = (uint32_t)(sides[a] * sides[a]);
        if (a < given->small && !(a == 0 && p->octant))
            p->small[a] = p->area[a];
        for (int i = a + 1; i <= sizes; i++)
            p->lower[a][i] = p->place[a];
    }
    for (int w = 1; w <= PK_TILING_WIDTH; w++)
        while (p->fits[w] < sizes && sides[p->fits[w]] <= w)
            p->fits[w]++;
    p->lows = (sizes + 1 + 3) / 4 * 4;
    if (p->squares == 1)
        p->rules &= ~PK_TILING_PINWHEEL;
    p->holds = p->octant && given->holds;
    p->lacks = p->octant && !given->holds;
    p->reach = p->upper ? p->cut - p->side[0] + 1 : p->cut;
    p->mirrored = p->octant ? p->lacks : !p->upper;
    p->start = p->place[sizes] - 1 - (uint32_t)p->lacks;
    for (int h = 0; h < 256; h++)
        p->wall[h] = (uint8_t)(h < BLOCKED ? h : h == BORDER ? p->height : p->cut + 1);
}

int pk_tiling_half_plan(const int32_t *sides, const int32_t *counts, int sizes, const pk_tiling_half *given,
                        const uint8_t *depths, const uint64_t *closed, const uint8_t *states, uint64_t state_count,
                        const uint8_t *keys, uint64_t key_count, pk_plan **plan) {
    half *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    copy_problem(p, sides, counts, sizes, given);
    p->state_bytes = state_bytes(p->width);
    p->base.search = pk_half_search;
    p->base.destroy = destroy;
    p->base.scratch_bytes = scratch_bytes(p);
    p->base.row_bytes = p->mode == PK_TILING_STATES  ? p->state_bytes
                        : p->mode == PK_TILING_PATHS ? (sizeof(key_row) + 3 * (size_t)p->squares + 7) / 8 * 8
                                                     : sizeof(key_row);
    int status = PK_OK;
    if (!pk_profiles_open(&p->profiles, p->width, p->side[sizes - 1]))
        status = PK_EINVAL;
    else if (!copy_tables(p, depths, closed) ||
             (keys && !pk_keys_open(&p->keys, (const key_row *)(const void *)keys, key_count)))
        status = PK_ENOMEM;
    else if (states) {
        p->states = states;
        p->state_count = state_count;
        p->base.units = (state_count + STATES_A_UNIT - 1) / STATES_A_UNIT;
    } else if (!make_seeds(p))
        status = PK_ENOMEM;
    if (status) {
        destroy(&p->base);
        return status;
    }
    *plan = &p->base;
    return PK_OK;
}
