/* puzzles.c - puzzles with exactly one solution: clues of a random grid, as few as can be.
 *
 * A unit draws a block of uniformly random grids and works on all of them in step, so that the lanes are full:
 *   1. The cells (or, with a symmetry, orbits of cells) of each grid in random order; a binary search finds the
 *      shortest beginning that has one solution. (More clues never mean more solutions.)
 *   2. From the last but one to the first, a clue is left out if the puzzle stays unique. The question is asked as: is
 *      there a solution with another digit in that cell? Mostly a contradiction answers it at once. A clue that was
 *      needed stays needed when others go, so one pass makes the puzzle minimal.
 *   3. Those that have the wanted number of clues are solved once more and emitted, each with its grid.
 * If they need not be minimal, the pass ends at the wanted number, and clues of the grid fill up what is missing.
 *
 * There is no end of units: who asks for k puzzles stops the run after k rows.
 */
#include <stdlib.h>
#include <string.h>

#include "../sudoku.h"
#include "lanes.h"
#include "uniform.h"

enum { TOGETHER = 64 };

typedef struct maker {
    pk_plan base;
    uniform *uniform;
    lanes_run *lanes;
    uint64_t seed;
    int clues; /* wanted; 0: any number */
    int minimal;
    int orbits;
    uint8_t orbit_at[CELLS + 1], orbit_cells[CELLS]; /* the cells of each orbit */
} maker;

typedef struct draft {
    uint8_t grid[CELLS], puzzle[CELLS];
    uint8_t order[CELLS]; /* of the orbits */
    int low, high;        /* the beginning that is unique has more than low and at most high orbits */
    int next;             /* the place in `order` that is tried next; below 0: done */
    int clues;
} draft;

typedef struct desk {
    draft draft[TOGETHER];
    uint8_t puzzle[TOGETHER][CELLS], forbid[TOGETHER], solution[TOGETHER][CELLS];
    int of[TOGETHER]; /* which draft a question is about */
    uint64_t counts[TOGETHER];
} desk;

static size_t desk_bytes(void) { return (sizeof(desk) + 63) / 64 * 64; }

static int orbit_size(const maker *p, int orbit) { return p->orbit_at[orbit + 1] - p->orbit_at[orbit]; }

static void put_orbit(const maker *p, const draft *d, int orbit, uint8_t *puzzle) {
    for (int i = p->orbit_at[orbit]; i < p->orbit_at[orbit + 1]; i++)
        puzzle[p->orbit_cells[i]] = d->grid[p->orbit_cells[i]];
}

static void clear_orbit(const maker *p, int orbit, uint8_t *puzzle) {
    for (int i = p->orbit_at[orbit]; i < p->orbit_at[orbit + 1]; i++)
        puzzle[p->orbit_cells[i]] = 0;
}

/* The puzzle of the first `length` orbits. */
static void begin_with(const maker *p, const draft *d, int length, uint8_t *puzzle) {
    memset(puzzle, 0, CELLS);
    for (int i = 0; i < length; i++)
        put_orbit(p, d, d->order[i], puzzle);
}

/* Counts the solutions of the first `count` questions up to `limit`. 0: stop. */
static int ask(const maker *p, desk *k, size_t count, uint64_t limit, const uint8_t *forbid, int solve, void *lanes,
               pk_sink *sink) {
    lane_job job = {.puzzles = k->puzzle[0],
                    .stride = CELLS,
                    .forbid = forbid,
                    .count = count,
                    .limit = limit,
                    .share = 1,
                    .sink = sink,
                    .counts = k->counts,
                    .solutions = k->solution[0],
                    .keep = solve ? 1 : 0,
                    .solution_stride = CELLS};
    return p->lanes(&job, lanes) == LANES_DONE && !pk_stop(sink);
}

/* Step 1. */
static int shorten(const maker *p, desk *k, void *lanes, pk_sink *sink) {
    for (;;) {
        size_t count = 0;
        for (int i = 0; i < TOGETHER; i++) {
            draft *d = &k->draft[i];
            if (d->high - d->low > 1) {
                begin_with(p, d, (d->low + d->high) / 2, k->puzzle[count]);
                k->of[count++] = i;
            }
        }
        if (!count)
            return 1;
        if (!ask(p, k, count, 2, NULL, 0, lanes, sink))
            return 0;
        for (size_t q = 0; q < count; q++) {
            draft *d = &k->draft[k->of[q]];
            const int middle = (d->low + d->high) / 2;
            if (k->counts[q] == 1)
                d->high = middle;
            else
                d->low = middle;
        }
    }
}

/* Step 2. */
static int leave_out(const maker *p, desk *k, void *lanes, pk_sink *sink) {
    const int single = p->orbits == CELLS;
    for (;;) {
        size_t count = 0;
        for (int i = 0; i < TOGETHER; i++) {
            draft *d = &k->draft[i];
            if (d->next < 0 || (!p->minimal && d->clues <= p->clues))
                continue;
            memcpy(k->puzzle[count], d->puzzle, CELLS);
            if (single)
                k->forbid[count] = p->orbit_cells[p->orbit_at[d->order[d->next]]];
            else
                clear_orbit(p, d->order[d->next], k->puzzle[count]);
            k->of[count++] = i;
        }
        if (!count)
            return 1;
        if (!ask(p, k, count, single ? 1 : 2, single ? k->forbid : NULL, 0, lanes, sink))
            return 0;
        for (size_t q = 0; q < count; q++) {
            draft *d = &k->draft[k->of[q]];
            const int orbit = d->order[d->next--];
            if (k->counts[q] == (single ? 0 : 1)) {
                clear_orbit(p, orbit, d->puzzle);
                d->clues -= orbit_size(p, orbit);
            }
        }
    }
}

static void fill_up(const maker *p, draft *d) {
    for (int i = 0; i < p->orbits && d->clues < p->clues; i++) {
        const int orbit = d->order[i], size = orbit_size(p, orbit);
        if (d->clues + size <= p->clues && !d->puzzle[p->orbit_cells[p->orbit_at[orbit]]]) {
            put_orbit(p, d, orbit, d->puzzle);
            d->clues += size;
        }
    }
}

static int search_puzzles(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const maker *p = (const maker *)plan;
    desk *const k = scratch;
    void *const lanes = (uint8_t *)scratch + desk_bytes();
    rng r = random_stream(p->seed, unit);
    for (int i = 0; i < TOGETHER; i++) {
        draft *d = &k->draft[i];
        pk_uniform_draw(p->uniform, &r, d->grid);
        for (int o = 0; o < p->orbits; o++)
            d->order[o] = (uint8_t)o;
        random_shuffle(&r, d->order, (uint32_t)p->orbits);
        d->low = 0;
        d->high = p->orbits;
    }
    if (!shorten(p, k, lanes, sink))
        return PK_OK;
    for (int i = 0; i < TOGETHER; i++) {
        draft *d = &k->draft[i];
        begin_with(p, d, d->high, d->puzzle);
        d->clues = 0;
        for (int c = 0; c < CELLS; c++)
            d->clues += d->puzzle[c] != 0;
        d->next = p->minimal || p->clues ? d->high - 2 : -1;
    }
    if (!leave_out(p, k, lanes, sink))
        return PK_OK;
    size_t good = 0;
    for (int i = 0; i < TOGETHER; i++) {
        draft *d = &k->draft[i];
        if (!p->minimal && p->clues)
            fill_up(p, d);
        if (p->clues && d->clues != p->clues)
            continue;
        memcpy(k->puzzle[good], d->puzzle, CELLS);
        k->of[good++] = i;
    }
    if (!good || !ask(p, k, good, 2, NULL, 1, lanes, sink))
        return PK_OK;
    for (size_t q = 0; q < good; q++) {
        if (k->counts[q] != 1 || memcmp(k->solution[q], k->draft[k->of[q]].grid, CELLS))
            return PK_EINVAL;
        uint8_t *const row = pk_room(sink, 1);
        if (!row)
            return PK_OK;
        memcpy(row, k->puzzle[q], CELLS);
        memcpy(row + CELLS, k->solution[q], CELLS);
        pk_keep(sink, 1);
    }
    return PK_OK;
}

static void destroy_maker(pk_plan *plan) {
    free(((maker *)plan)->uniform);
    free(plan);
}

int pk_sudoku_puzzles_plan(uint64_t seed, int clues, int minimal, const uint8_t *orbit, int cpu, pk_plan **plan) {
    maker *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->uniform = pk_uniform_make();
    if (!p->uniform) {
        free(p);
        return PK_ENOMEM;
    }
    p->lanes = pk_lanes_choose(cpu);
    p->seed = ~seed; /* not the grids of `sample` with this seed */
    p->clues = clues;
    p->minimal = minimal;
    uint8_t cells = 0;
    for (int o = 0; cells < CELLS && o < CELLS; o++) {
        p->orbit_at[o] = cells;
        for (int c = 0; c < CELLS; c++)
            if (orbit[c] == o)
                p->orbit_cells[cells++] = (uint8_t)c;
        p->orbit_at[o + 1] = cells;
        p->orbits = o + 1;
    }
    p->base =
        (pk_plan){(uint64_t)1 << 40, 2 * CELLS, desk_bytes() + pk_lanes_scratch_bytes(), search_puzzles, destroy_maker};
    *plan = &p->base;
    return PK_OK;
}
