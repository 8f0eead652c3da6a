/* queens_place.c - one board of any size, with queens that are given and squares that are barred.
 *
 * Depth first: next comes the row with the fewest squares left, from a random column on. A queen takes at most three
 * squares from each other row, and a flag for each column and diagonal tells whether a square was free before; so a
 * step takes time in proportion to n. A search that has come to more dead ends than it may begins anew with other
 * random columns and more patience; sooner or later one is exhaustive, so that "there is none" is a proof.
 */
#include "queens.h"

#include <stdlib.h>
#include <string.h>

#include "kernel.h"

typedef struct place {
    pk_plan base;
    int n;
    int32_t *given;
    uint8_t *blocked; /* n * n squares, or NULL */
    uint64_t seed;
} place;

typedef struct work {
    const place *plan;
    uint8_t *column_used, *falling_used, *rising_used;
    int32_t *column; /* of the queen in a row, -1: none yet */
    int32_t *left;   /* squares of a row that are free */
    int32_t *row;    /* the rows in the order they were taken */
    int32_t *begin, *tried;
    uint64_t random;
} work;

static inline uint64_t next_random(work *w) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random;
}

static inline int is_free(const work *w, int row, int column) {
    const int n = w->plan->n;
    return !w->column_used[column] && !w->falling_used[row - column + n - 1] && !w->rising_used[row + column] &&
           !(w->plan->blocked && w->plan->blocked[(size_t)row * (size_t)n + (size_t)column]);
}

/* Adds `by` to the free squares of every other row that the queen attacks. The queen is not on the board. */
static void change(work *w, int row, int column, int by) {
    const int n = w->plan->n;
    for (int other = 0; other < n; other++) {
        if (other == row || w->column[other] >= 0)
            continue;
        const int apart = other - row, right = column + apart, left = column - apart;
        w->left[other] += by * is_free(w, other, column);
        if (right >= 0 && right < n)
            w->left[other] += by * is_free(w, other, right);
        if (left >= 0 && left < n)
            w->left[other] += by * is_free(w, other, left);
    }
}

static void set_used(work *w, int row, int column, uint8_t used) {
    w->column_used[column] = w->falling_used[row - column + w->plan->n - 1] = w->rising_used[row + column] = used;
}

static void put(work *w, int row, int column) {
    change(w, row, column, -1);
    set_used(w, row, column, 1);
    w->column[row] = column;
}

static void take_back(work *w, int row) {
    const int column = w->column[row];
    set_used(w, row, column, 0);
    w->column[row] = -1;
    change(w, row, column, 1);
}

/* The row with the fewest free squares; -1: all rows have queens. */
static int scarcest(const work *w) {
    int best = -1;
    for (int row = 0; row < w->plan->n; row++)
        if (w->column[row] < 0 && (best < 0 || w->left[row] < w->left[best]))
            best = row;
    return best;
}

/* Sets up an empty board with the given queens. 0: they attack one another. */
static int set_up(work *w) {
    const int n = w->plan->n;
    memset(w->column_used, 0, (size_t)n);
    memset(w->falling_used, 0, 2 * (size_t)n);
    memset(w->rising_used, 0, 2 * (size_t)n);
    for (int row = 0; row < n; row++)
        w->column[row] = -1;
    for (int row = 0; row < n; row++) {
        if (w->plan->given[row] < 0)
            continue;
        if (!is_free(w, row, w->plan->given[row]))
            return 0;
        w->column[row] = w->plan->given[row];
        set_used(w, row, w->column[row], 1);
    }
    for (int row = 0; row < n; row++) {
        w->left[row] = 0;
        for (int column = 0; column < n && w->column[row] < 0; column++)
            w->left[row] += is_free(w, row, column);
    }
    return 1;
}

/* 1: all queens stand; 0: there is no such board; -1: out of patience or stopped. */
static int attempt(work *w, uint64_t patience, pk_sink *sink) {
    const int n = w->plan->n;
    int depth = 0;
    if (!set_up(w))
        return 0;
    int row = scarcest(w);
    if (row < 0)
        return 1;
    w->row[0] = row;
    w->begin[0] = (int32_t)(next_random(w) % (uint64_t)n);
    w->tried[0] = 0;
    while (depth >= 0) {
        row = w->row[depth];
        if (w->column[row] >= 0)
            take_back(w, row);
        int column = -1;
        if (w->left[row] > 0)
            while (w->tried[depth] < n && column < 0) {
                const int next = (w->begin[depth] + w->tried[depth]++) % n;
                column = is_free(w, row, next) ? next : -1;
            }
        if (column < 0) {
            depth--;
            if (patience-- == 0 || pk_stop(sink))
                return -1;
            continue;
        }
        put(w, row, column);
        row = scarcest(w);
        if (row < 0)
            return 1;
        depth++;
        w->row[depth] = row;
        w->begin[depth] = (int32_t)(next_random(w) % (uint64_t)n);
        w->tried[depth] = 0;
        if (depth % 16 == 0 && pk_stop(sink))
            return -1;
    }
    return 0;
}

static size_t lay_out(work *w, size_t n, char *memory) {
    size_t used = 0;
#define TAKE(pointer, count)                                                                                           \
    ((pointer) = memory ? (void *)(memory + used) : NULL, used += ((count) * sizeof *(pointer) + 63) / 64 * 64)
    TAKE(w->column, n);
    TAKE(w->left, n);
    TAKE(w->row, n + 1);
    TAKE(w->begin, n + 1);
    TAKE(w->tried, n + 1);
    TAKE(w->column_used, n);
    TAKE(w->falling_used, 2 * n);
    TAKE(w->rising_used, 2 * n);
#undef TAKE
    return used;
}

static int search(const pk_plan *base, uint64_t unit, void *memory, pk_sink *sink) {
    (void)unit;
    const place *p = (const place *)base;
    work w = {.plan = p, .random = p->seed * 0x9e3779b97f4a7c15u | 1};
    lay_out(&w, (size_t)p->n, memory);
    for (int i = 0; i < 8; i++)
        next_random(&w);
    for (uint64_t patience = 100 + (uint64_t)p->n;; patience += patience / 2) {
        const int outcome = attempt(&w, patience, sink);
        if (outcome == 0 || (outcome < 0 && pk_stop(sink)))
            return PK_OK;
        if (outcome > 0)
            break;
    }
    uint8_t *row = pk_room(sink, 1);
    if (!row)
        return PK_OK;
    memcpy(row, w.column, p->base.row_bytes);
    pk_keep(sink, 1);
    return PK_OK;
}

static void destroy(pk_plan *base) {
    place *p = (place *)base;
    free(p->given);
    free(p->blocked);
    free(p);
}

int pk_queens_place_plan(int n, const int32_t *column, const uint8_t *blocked, uint64_t seed, pk_plan **plan) {
    if (n < 1)
        return PK_EINVAL;
    place *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    const size_t size = (size_t)n;
    work unused;
    p->base = (pk_plan){1, size * sizeof *column, lay_out(&unused, size, NULL), search, destroy};
    p->n = n;
    p->seed = seed;
    p->given = malloc(size * sizeof *column);
    p->blocked = blocked ? malloc(size * size) : NULL;
    if (!p->given || (blocked && !p->blocked)) {
        destroy(&p->base);
        return PK_ENOMEM;
    }
    memcpy(p->given, column, size * sizeof *column);
    if (blocked)
        memcpy(p->blocked, blocked, size * size);
    *plan = &p->base;
    return PK_OK;
}
