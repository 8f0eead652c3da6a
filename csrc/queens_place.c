/* queens_place.c - one board of any size, with queens that are given and squares that are barred.
 *
 * Two searches take turns, each with more patience every time, and the first to come to an end has the answer:
 *
 *   repair   Every row gets a queen, in a column of its own and, within a few tries, where it attacks none. Then queens
 *            that are attacked exchange columns with others, unless more attacks come of it (Sosic and Gu). It takes
 *            time in proportion to n, but cannot tell that there is no board.
 *   attempt  Depth first: next comes the row with the fewest squares left, from a random column on. A queen takes at
 *            most three squares from each other row, so a step takes time in proportion to n. Sooner or later an
 *            attempt is exhaustive, so that "there is none" is a proof.
 *
 * Lost: attempts alone. The last rows of a large board rarely come out: n = 2000 and one queen took up to 16 s, n = 300
 * a millisecond; with repairs, n = 30000 takes 20 ms at most.
 */
#include "queens.h"

#include <stdlib.h>
#include <string.h>

#include "kernel.h"

enum {
    FIRST_TRIES = 32, /* columns that a new queen tries */
    SWAP_TRIES = 64,  /* exchanges that an attacked queen tries before it is another one's turn */
    REPAIR_STEPS = 32 /* of a repair, for each dead end that an attempt may come to */
};

/* How a search ends. One that is stopped gives up. */
typedef enum outcome { GIVEN_UP = -1, NO_BOARD, DONE } outcome;

typedef struct place {
    pk_plan base;
    int n;
    const int32_t *given;
    const uint8_t *blocked; /* n * n squares, or NULL */
    uint64_t seed;
} place;

typedef struct work {
    const place *plan;
    int32_t *column_used, *falling_used, *rising_used; /* by how many queens */
    int32_t *column;                                   /* of the queen in a row, -1: none yet */
    int32_t *row;                                      /* the rows without a given queen, in the order they are taken */
    int32_t *left;                                     /* squares of a row that are free */
    int32_t *begin, *tried;                            /* of an attempt: by depth */
    int32_t *spare;                                    /* of a repair: the columns without a given queen */
    uint64_t random;
} work;

static inline uint64_t next_random(work *w) {
    w->random ^= w->random << 13;
    w->random ^= w->random >> 7;
    w->random ^= w->random << 17;
    return w->random;
}

static inline int is_blocked(const work *w, int row, int column) {
    return w->plan->blocked && w->plan->blocked[(size_t)row * (size_t)w->plan->n + (size_t)column];
}

static inline int is_free(const work *w, int row, int column) {
    return !w->column_used[column] && !w->falling_used[row - column + w->plan->n - 1] &&
           !w->rising_used[row + column] && !is_blocked(w, row, column);
}

/* Puts a queen on the board (by = 1), or takes it off (-1). */
static void use(work *w, int row, int column, int by) {
    w->column_used[column] += by;
    w->falling_used[row - column + w->plan->n - 1] += by;
    w->rising_used[row + column] += by;
    w->column[row] = by > 0 ? column : -1;
}

/* Sets up an empty board with the given queens. 0: they attack one another, or stand on blocked squares. */
static int set_up(work *w) {
    const int n = w->plan->n;
    memset(w->column_used, 0, (size_t)n * sizeof *w->column_used);
    memset(w->falling_used, 0, 2 * (size_t)n * sizeof *w->falling_used);
    memset(w->rising_used, 0, 2 * (size_t)n * sizeof *w->rising_used);
    for (int row = 0; row < n; row++)
        w->column[row] = -1;
    for (int row = 0; row < n; row++) {
        if (w->plan->given[row] < 0)
            continue;
        if (!is_free(w, row, w->plan->given[row]))
            return 0;
        use(w, row, w->plan->given[row], 1);
    }
    return 1;
}

/* ---- repair ---- */

static void exchange(int32_t *a, int32_t *b) {
    const int32_t other = *a;
    *a = *b;
    *b = other;
}

/* What is wrong with a queen on a square, beside the queens that are on the board. */
static inline int faults(const work *w, int row, int column) {
    return w->falling_used[row - column + w->plan->n - 1] + w->rising_used[row + column] + is_blocked(w, row, column);
}

/* Puts a queen on the board and returns what is wrong with it. */
static int add(work *w, int row, int column) {
    const int wrong = faults(w, row, column);
    use(w, row, column, 1);
    return wrong;
}

/* Takes a queen off the board and returns what was wrong with it. */
static int lift(work *w, int row) {
    const int column = w->column[row];
    use(w, row, column, -1);
    return faults(w, row, column);
}

/* Fills the board, and returns what is wrong with it. */
static int64_t fill(work *w, int *free_rows) {
    const int n = w->plan->n;
    int rows = 0, columns = 0;
    for (int i = 0; i < n; i++) {
        if (w->column[i] < 0)
            w->row[rows++] = i;
        if (!w->column_used[i])
            w->spare[columns++] = i;
    }
    int64_t wrong = 0;
    for (int i = 0; i < rows; i++) {
        for (int tries = 0; tries < FIRST_TRIES; tries++) {
            exchange(&w->spare[i], &w->spare[i + (int)(next_random(w) % (uint64_t)(rows - i))]);
            if (!faults(w, w->row[i], w->spare[i]))
                break;
        }
        wrong += add(w, w->row[i], w->spare[i]);
    }
    *free_rows = rows;
    return wrong;
}

/* Exchanges the columns of two queens, unless it makes things worse; returns by how much they are better. */
static int swap(work *w, int row, int other) {
    const int column = w->column[row], other_column = w->column[other];
    const int before = lift(w, row) + lift(w, other);
    const int after = add(w, row, other_column) + add(w, other, column);
    if (after <= before)
        return before - after;
    lift(w, row);
    lift(w, other);
    add(w, row, column);
    add(w, other, other_column);
    return 0;
}

static outcome repair(work *w, uint64_t patience, pk_sink *sink) {
    int rows;
    if (!set_up(w))
        return NO_BOARD;
    int64_t wrong = fill(w, &rows);
    for (uint64_t steps = 0; wrong; steps += (uint64_t)rows) {
        if (steps > REPAIR_STEPS * patience || rows < 2 || pk_stop(sink))
            return GIVEN_UP;
        for (int i = 0; i < rows && wrong; i++) {
            const int row = w->row[i];
            int better = 0;
            /* A queen counts itself twice. */
            for (int tries = 0; tries < SWAP_TRIES && !better && faults(w, row, w->column[row]) > 2; tries++, steps++) {
                const int other = w->row[next_random(w) % (uint64_t)rows];
                better = other == row ? 0 : swap(w, row, other);
            }
            wrong -= better;
        }
    }
    return DONE;
}

/* ---- attempt ---- */

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

static void put(work *w, int row, int column) {
    change(w, row, column, -1);
    use(w, row, column, 1);
}

static void take_back(work *w, int row) {
    const int column = w->column[row];
    use(w, row, column, -1);
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

/* Counts the free squares of the rows. 0: stopped. */
static int count_left(work *w, pk_sink *sink) {
    const int n = w->plan->n;
    for (int row = 0; row < n; row++) {
        if (w->column[row] >= 0)
            continue;
        if (pk_stop(sink))
            return 0;
        w->left[row] = 0;
        for (int column = 0; column < n; column++)
            w->left[row] += is_free(w, row, column);
    }
    return 1;
}

static void take(work *w, int depth, int row) {
    w->row[depth] = row;
    w->begin[depth] = (int32_t)(next_random(w) % (uint64_t)w->plan->n);
    w->tried[depth] = 0;
}

static outcome attempt(work *w, uint64_t patience, pk_sink *sink) {
    const int n = w->plan->n;
    int depth = 0;
    if (!set_up(w))
        return NO_BOARD;
    if (!count_left(w, sink))
        return GIVEN_UP;
    int row = scarcest(w);
    if (row < 0)
        return DONE;
    take(w, 0, row);
    while (depth >= 0) {
        if (pk_stop(sink))
            return GIVEN_UP;
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
            if (patience-- == 0)
                return GIVEN_UP;
            continue;
        }
        put(w, row, column);
        row = scarcest(w);
        if (row < 0)
            return DONE;
        take(w, ++depth, row);
    }
    return NO_BOARD;
}

/* ---- the plan ---- */

static size_t lay_out(work *w, size_t n, char *memory) {
    size_t used = 0;
#define TAKE(pointer, count)                                                                                           \
    ((pointer) = memory ? (void *)(memory + used) : NULL, used += ((count) * sizeof *(pointer) + 63) / 64 * 64)
    TAKE(w->column, n);
    TAKE(w->left, n);
    TAKE(w->row, n);
    TAKE(w->begin, n);
    TAKE(w->tried, n);
    TAKE(w->spare, n);
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
        outcome end = repair(&w, patience, sink);
        end = end == GIVEN_UP ? attempt(&w, patience, sink) : end;
        if (end == NO_BOARD || pk_stop(sink))
            return PK_OK;
        if (end == DONE)
            break;
    }
    uint8_t *row = pk_room(sink, 1);
    if (!row)
        return PK_OK;
    memcpy(row, w.column, p->base.row_bytes);
    pk_keep(sink, 1);
    return PK_OK;
}

static void destroy(pk_plan *base) { free(base); }

int pk_queens_place_plan(int n, const int32_t *column, const uint8_t *blocked, uint64_t seed, pk_plan **plan) {
    if (n < 1)
        return PK_EINVAL;
    place *p = malloc(sizeof *p);
    if (!p)
        return PK_ENOMEM;
    const size_t size = (size_t)n;
    work unused;
    *p = (place){{1, size * sizeof *column, lay_out(&unused, size, NULL), search, destroy}, n, column, blocked, seed};
    *plan = &p->base;
    return PK_OK;
}
