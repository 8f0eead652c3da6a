/* queens_turned.c - boards that a half turn, or a quarter turn, leaves as they are: queens come two, or four, at a
 * time.
 *
 * With them, boards up to rotation and reflection can be counted (Burnside): (all + half turn + 2 * quarter turn) / 8;
 * no board is a mirror image of itself. They are counted, never listed. A unit is a column of the first queen.
 */
#include "queens.h"

#include <stdlib.h>

#include "bits.h"
#include "kernel.h"

typedef struct plan {
    pk_plan base;
    int n, turns;
} plan;

typedef struct turned {
    int n, turns;
    uint64_t rows, columns, falling, rising, nodes;
    pk_sink *sink;
} turned;

static int set_queen(turned *t, int row, int column) {
    const uint64_t r = (uint64_t)1 << row, c = (uint64_t)1 << column;
    const uint64_t f = (uint64_t)1 << (row - column + t->n - 1), s = (uint64_t)1 << (row + column);
    if (t->rows & r || t->columns & c || t->falling & f || t->rising & s)
        return 0;
    t->rows |= r;
    t->columns |= c;
    t->falling |= f;
    t->rising |= s;
    return 1;
}

/* Puts a queen and what a turn makes of it. */
static int set_turned(turned *t, int row, int column) {
    if (t->turns == 1)
        return set_queen(t, row, column) && set_queen(t, t->n - 1 - row, t->n - 1 - column);
    for (int i = 0; i < 4; i++) {
        if (!set_queen(t, row, column))
            return 0;
        const int next = column;
        column = t->n - 1 - row;
        row = next;
    }
    return 1;
}

static int search_turned(turned *t, int only) {
    if (++t->nodes % 1024 == 0 && pk_stop(t->sink))
        return 0;
    const uint64_t left = ~t->rows & (((uint64_t)1 << t->n) - 1);
    if (!left) {
        pk_found(t->sink, 1);
        return 1;
    }
    const int row = pk_lowest_bit(left);
    for (int column = only < 0 ? 0 : only; column < (only < 0 ? t->n : only + 1); column++) {
        const turned before = *t;
        const int going = !set_turned(t, row, column) || search_turned(t, -1);
        const uint64_t nodes = t->nodes;
        *t = before;
        t->nodes = nodes;
        if (!going)
            return 0;
    }
    return 1;
}

static int search_first_column(const pk_plan *base, uint64_t unit, void *scratch, pk_sink *sink) {
    (void)scratch;
    const plan *p = (const plan *)base;
    turned t = {.n = p->n, .turns = p->turns, .sink = sink};
    if (p->n % 2)
        set_queen(&t, p->n / 2, p->n / 2);
    if (p->n == 1)
        pk_found(sink, 1);
    else
        search_turned(&t, (int)unit);
    return PK_OK;
}

static void destroy(pk_plan *base) { free(base); }

int pk_queens_turned_plan(int n, int turns, pk_plan **made) {
    if (n < 1 || n > 32 || turns < 1 || turns > 2)
        return PK_EINVAL;
    plan *p = malloc(sizeof *p);
    if (!p)
        return PK_ENOMEM;
    *p = (plan){{(uint64_t)n, (size_t)n, 0, search_first_column, destroy}, n, turns};
    *made = &p->base;
    return PK_OK;
}
