/* queens_search.c - n queens row by row, in lexicographic order: small boards, completions with few rows left, boards
 * on a torus.
 *
 *     columns   1 where a queen of an earlier row stands
 *     left      1 where a diagonal comes down from the right; moves on by a shift a row     . . Q .
 *     right     the same from the left                                                      . l c r    (bit 0 is left)
 *
 * On a torus the shifts are rotations. A row with one allowed square is not searched: its queen is put at once, and the
 * squares that it attacks are barred; so a search has only as many levels as there are rows left, and the shifts from
 * one to the next may be longer.
 *
 * Small boards that are only counted have a search of their own, with nothing in it but the masks; it needs no plan and
 * no run, which would take longer than the search.
 */
#include "queens.h"

#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "kernel.h"
#include "queens_board.h"

enum {
    MOST = PK_QUEENS_SEARCH_MOST,
    UNITS = 256,     /* about so many, if the board is not small */
    UNSPLIT_ROWS = 6 /* so many rows at least are searched in a unit */
};

typedef struct state {
    uint64_t columns, left, right;
} state;

typedef struct prefix {
    state state;
    uint8_t column[MOST]; /* of the rows searched so far */
} prefix;

typedef struct plan {
    pk_plan base;
    int n, toroidal, fundamental, barred;
    uint64_t all;
    uint64_t wanted[MOST];  /* allowed squares as they were given */
    uint8_t board[MOST];    /* columns of the rows that are settled */
    int rows, split;        /* rows to search; a unit begins at the row `split` */
    uint8_t row[MOST];      /* the rows to search */
    uint8_t step[MOST + 1]; /* from one of them to the next */
    uint64_t allowed[MOST]; /* squares in them */
    prefix *units;
} plan;

typedef struct search {
    const plan *plan;
    pk_sink *sink;
    uint64_t nodes;
    int counts_only;
    uint8_t board[MOST];
} search;

static inline uint64_t rotate(uint64_t word, int by, const plan *p) {
    return by % p->n == 0 ? word : ((word << by) | (word >> (p->n - by))) & p->all;
}

/* The state in the next row, after a queen on the square `bit` of row k. */
static inline state after(const plan *p, state s, uint64_t bit, int k, const int toroidal) {
    const int step = p->step[k];
    state next = {s.columns | bit, s.left | bit, s.right | bit};
    if (toroidal) {
        next.left = rotate(next.left, p->n - step % p->n, p);
        next.right = rotate(next.right, step, p);
    } else {
        next.left = next.left >> step;
        next.right = next.right << step;
    }
    return next;
}

static inline uint64_t free_squares(const plan *p, state s, int k) {
    return p->allowed[k] & ~(s.columns | s.left | s.right);
}

static int found(search *se) {
    const plan *p = se->plan;
    if (p->fundamental && !is_least(se->board, p->n, p->barred ? p->wanted : NULL))
        return 1;
    if (se->sink->counting) {
        pk_found(se->sink, 1);
        return 1;
    }
    uint8_t *row = pk_room(se->sink, 1);
    if (!row)
        return 0;
    memcpy(row, se->board, (size_t)p->n);
    pk_keep(se->sink, 1);
    return 1;
}

/* 0: stopped. The state comes as three words, so that it stays in registers. */
#define DESCEND(name, toroidal)                                                                                        \
    static int name(search *se, uint64_t columns, uint64_t left, uint64_t right, int k) {                              \
        const plan *p = se->plan;                                                                                      \
        uint64_t squares = free_squares(p, (state){columns, left, right}, k);                                          \
        if (k == p->rows - 1 && se->counts_only) {                                                                     \
            pk_found(se->sink, squares != 0); /* one column is left at most */                                         \
            return 1;                                                                                                  \
        }                                                                                                              \
        if (++se->nodes % 4096 == 0 && pk_stop(se->sink))                                                              \
            return 0;                                                                                                  \
        for (; squares; squares &= squares - 1) {                                                                      \
            const state next = after(p, (state){columns, left, right}, squares & -squares, k, toroidal);               \
            se->board[p->row[k]] = (uint8_t)pk_lowest_bit(squares);                                                    \
            if (!(k == p->rows - 1 ? found(se) : name(se, next.columns, next.left, next.right, k + 1)))                \
                return 0;                                                                                              \
        }                                                                                                              \
        return 1;                                                                                                      \
    }
DESCEND(descend, 0)
DESCEND(descend_torus, 1)
#undef DESCEND

static int search_rows(const pk_plan *base, uint64_t unit, void *scratch, pk_sink *sink) {
    (void)scratch;
    const plan *p = (const plan *)base;
    search se = {p, sink, 0, sink->counting && !p->fundamental, {0}};
    memcpy(se.board, p->board, sizeof se.board);
    for (int k = 0; k < p->split; k++)
        se.board[p->row[k]] = p->units[unit].column[k];
    const state begin = p->units[unit].state;
    if (p->split == p->rows)
        found(&se);
    else
        (p->toroidal ? descend_torus : descend)(&se, begin.columns, begin.left, begin.right, p->split);
    return PK_OK;
}

/* ---- small boards, counted only ---- */

static uint64_t count_rows(uint32_t all, uint32_t columns, uint32_t left, uint32_t right) {
    uint64_t boards = 0;
    for (uint32_t squares = all & ~(columns | left | right); squares; squares &= squares - 1) {
        const uint32_t queen = squares & -squares, taken = columns | queen;
        boards += taken == all ? 1 : count_rows(all, taken, (left | queen) >> 1, (right | queen) << 1);
    }
    return boards;
}

/* The columns of the first row's left half; a board's mirror image is another board. */
uint64_t pk_queens_count(int n) {
    if (n < 2)
        return 1;
    const uint32_t all = ((uint32_t)1 << n) - 1;
    uint64_t half = 0;
    for (int column = 0; column < n / 2; column++) {
        const uint32_t queen = (uint32_t)1 << column;
        half += count_rows(all, queen, queen >> 1, queen << 1);
    }
    const uint32_t middle = (uint32_t)1 << n / 2;
    return 2 * half + (n % 2 ? count_rows(all, middle, middle >> 1, middle << 1) : 0);
}

/* ---- the plan ---- */

static void destroy(pk_plan *base) {
    plan *p = (plan *)base;
    free(p->units);
    free(p);
}

/* The squares of `row` that a queen attacks. */
static uint64_t attacked(const plan *p, int queen_row, int column, int row) {
    const int apart = row > queen_row ? row - queen_row : queen_row - row;
    const uint64_t bit = (uint64_t)1 << column;
    uint64_t squares = bit;
    if (p->toroidal)
        return squares | rotate(bit, apart, p) | rotate(bit, p->n - apart, p);
    squares |= column + apart < p->n ? bit << apart : 0;
    return squares | bit >> apart;
}

/* Settles rows with one square left, again and again. 0: a row has none. */
static int settle_rows(plan *p, uint64_t *squares) {
    uint64_t settled = 0;
    for (int row = 0; row < p->n; row++) {
        if (!squares[row])
            return 0;
        if (settled >> row & 1 || squares[row] & (squares[row] - 1))
            continue;
        p->board[row] = (uint8_t)pk_lowest_bit(squares[row]);
        settled |= (uint64_t)1 << row;
        for (int other = 0; other < p->n; other++)
            if (other != row)
                squares[other] &= ~attacked(p, row, p->board[row], other);
        row = -1; /* look at all rows again */
    }
    for (int row = 0; row < p->n; row++)
        if (!(settled >> row & 1)) {
            p->row[p->rows] = (uint8_t)row;
            p->allowed[p->rows++] = squares[row];
        }
    for (int k = 0; k + 1 < p->rows; k++)
        p->step[k] = (uint8_t)(p->row[k + 1] - p->row[k]);
    return 1;
}

/* Splits every unit by one row more. */
static int split_units(plan *p) {
    const int k = p->split;
    uint64_t count = 0;
    for (uint64_t i = 0; i < p->base.units; i++)
        count += (uint64_t)__builtin_popcountll(free_squares(p, p->units[i].state, k));
    prefix *units = malloc((count + 1) * sizeof *units);
    if (!units)
        return 0;
    count = 0;
    for (uint64_t i = 0; i < p->base.units; i++)
        for (uint64_t squares = free_squares(p, p->units[i].state, k); squares; squares &= squares - 1) {
            prefix *made = &units[count++];
            *made = p->units[i];
            made->column[k] = (uint8_t)pk_lowest_bit(squares);
            made->state = after(p, made->state, squares & -squares, k, p->toroidal);
        }
    free(p->units);
    p->units = units;
    p->base.units = count;
    p->split++;
    return 1;
}

int pk_queens_search_plan(int n, const uint64_t *allowed, int toroidal, int fundamental, pk_plan **made) {
    if (n < 0 || n > MOST)
        return PK_EINVAL;
    plan *p = calloc(1, sizeof *p);
    prefix *first = calloc(1, sizeof *first);
    if (!p || !first) {
        free(p);
        free(first);
        return PK_ENOMEM;
    }
    p->base = (pk_plan){1, n ? (size_t)n : 1, 0, search_rows, destroy};
    p->n = n;
    p->toroidal = toroidal;
    p->fundamental = fundamental;
    p->barred = allowed != NULL;
    p->all = n == 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
    p->units = first;
    *made = &p->base;
    uint64_t squares[MOST];
    for (int row = 0; row < n; row++)
        squares[row] = p->wanted[row] = allowed ? allowed[row] & p->all : p->all;
    if (!settle_rows(p, squares)) {
        p->base.units = 0;
        return PK_OK;
    }
    while (p->base.units && p->base.units < UNITS && p->split + UNSPLIT_ROWS < p->rows)
        if (!split_units(p)) {
            destroy(&p->base);
            return PK_ENOMEM;
        }
    return PK_OK;
}
