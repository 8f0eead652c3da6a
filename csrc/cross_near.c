/* cross_near.c - fillings of the cross whose line sums differ by at most a tolerance: a depth-first search in a window.
 *
 *        .. .. ..  0  1  2 ..        A unit is the least of the seven sums, t; then every line lies in the window
 *         3  4  5  6 ..  7 ..        t .. t + tolerance from the start, and one of them is t in the end. So a filling
 * is
 *        ..  8 ..  9 10 11 12        found in one unit only, and rows come in the order of their least sums.
 *        .. 13 14 15 .. .. ..
 *
 * Cells are filled in the order of `steps`, in which seven cells close a line: the classes that may close it stand side
 * by side, because classes are in ascending order. The rows take up all cells but 7 and 8, so the sum of those two lies
 * in S - 4 (t + tolerance) .. S - 4 t. Only fillings with 10 <= 12, 3 <= 5 and 8 <= 7 (by class) are searched; the
 * others are theirs with cells swapped or the figure turned. If 7 and 8 are equal, the search itself meets both turns.
 */
#include <stdlib.h>
#include <string.h>

#include "cross.h"
#include "cross_rows.h"
#include "kernel.h"

enum { CELLS = PK_CROSS_CELLS, LINES = 7, NONE = 0xff };

static const uint8_t lines[LINES][4] = {{0, 1, 2, NONE},    {2, 7, 11, NONE}, {9, 10, 11, 12}, {0, 6, 9, 15},
                                        {13, 14, 15, NONE}, {4, 8, 13, NONE}, {3, 4, 5, 6}};

/* A cell, the line that it closes if it does, and a cell filled before whose class bounds its own from below or above.
 */
static const struct step {
    uint8_t cell, closes, at_least, at_most;
} steps[CELLS] = {
    {0, NONE, NONE, NONE}, {1, NONE, NONE, NONE}, {2, 0, NONE, NONE},     {7, NONE, NONE, NONE},
    {11, 1, NONE, NONE},   {9, NONE, NONE, NONE}, {10, NONE, NONE, NONE}, {12, 2, 10, NONE},
    {6, NONE, NONE, NONE}, {15, 3, NONE, NONE},   {13, NONE, NONE, NONE}, {14, 4, NONE, NONE},
    {4, NONE, NONE, NONE}, {8, 5, NONE, 7},       {3, NONE, NONE, NONE},  {5, 6, 3, NONE},
};

typedef struct tolerant {
    pk_plan base;
    int classes;
    int64_t values[CELLS], all; /* all: their sum, S */
    uint8_t counts[CELLS];
    int64_t tolerance, greatest;
    int64_t *least_sums; /* one a unit, ascending */
} tolerant;

typedef struct search {
    const tolerant *plan;
    pk_sink *sink;
    int64_t low, high;
    uint8_t cell[CELLS], left[CELLS];
    unsigned nodes;
} search;

static int64_t line_sum(const search *se, const uint8_t *line) {
    int64_t sum = 0;
    for (int i = 0; i < 4 && line[i] != NONE; i++)
        sum += se->plan->values[se->cell[line[i]]];
    return sum;
}

/* Emits the filling if its least sum is the unit's. 0: stop. */
static int emit(search *se) {
    int touches = 0;
    for (int i = 0; i < LINES; i++)
        touches |= line_sum(se, lines[i]) == se->low;
    if (!touches)
        return 1;
    const uint8_t *const cell = se->cell;
    const unsigned pq = cell[10] ^ cell[12], pq2 = cell[3] ^ cell[5];
    const int turn = cell[7] != cell[8];
    if (se->sink->counting) {
        pk_found(se->sink, (uint64_t)1 << ((pq != 0) + (pq2 != 0) + turn));
        return 1;
    }
    uint8_t *const rows = pk_room(se->sink, 8);
    if (!rows)
        return 0;
    uint64_t halves[2];
    memcpy(halves, cell, CELLS);
    pk_keep(se->sink, cross_write_rows(rows, halves[0], halves[1], pq, pq2, turn));
    return 1;
}

/* Fills the cells from a step on. 0: stop. */
static int fill(search *se, int place) {
    if (place == CELLS)
        return emit(se);
    if (++se->nodes % 1024 == 0 && pk_stop(se->sink))
        return 0;
    const tolerant *const n = se->plan;
    const struct step step = steps[place];
    int first = step.at_least == NONE ? 0 : se->cell[step.at_least];
    const int last = step.at_most == NONE ? n->classes - 1 : se->cell[step.at_most];
    int64_t low = n->values[0], high = n->values[n->classes - 1];
    if (step.closes != NONE) {
        se->cell[step.cell] = 0;
        const int64_t others = line_sum(se, lines[step.closes]) - n->values[0];
        low = se->low - others;
        high = se->high - others;
    }
    if (step.cell == 7 || step.cell == 8) {
        /* What the other of the two takes at least and at most. */
        const int64_t taken_least = step.cell == 8 ? n->values[se->cell[7]] : n->values[0];
        const int64_t taken_most = step.cell == 8 ? taken_least : n->values[n->classes - 1];
        const int64_t least = n->all - 4 * se->high - taken_most, most = n->all - 4 * se->low - taken_least;
        low = low > least ? low : least;
        high = high < most ? high : most;
    }
    while (first <= last && n->values[first] < low)
        first++;
    for (int c = first; c <= last && n->values[c] <= high; c++) {
        if (!se->left[c])
            continue;
        se->left[c]--;
        se->cell[step.cell] = (uint8_t)c;
        const int go_on = fill(se, place + 1);
        se->left[c]++;
        if (!go_on)
            return 0;
    }
    return 1;
}

static int search_least(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const tolerant *n = (const tolerant *)plan;
    const int64_t low = n->least_sums[unit];
    const int64_t high = low + n->tolerance < n->greatest ? low + n->tolerance : n->greatest;
    search se = {.plan = n, .sink = sink, .low = low, .high = high};
    (void)scratch;
    memcpy(se.left, n->counts, CELLS);
    fill(&se, 0);
    return PK_OK;
}

/* ---- the plan ---- */

static int compare_sums(const void *a, const void *b) {
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Every sum of three or four of the numbers, in order and once each. `sums` has room for all. */
static uint64_t list_sums(const tolerant *n, int64_t least, int64_t greatest, int64_t *sums) {
    uint64_t count = 0, kept = 0;
    for (int a = 0; a < n->classes; a++)
        for (int b = a; b < n->classes; b++)
            for (int c = b; c < n->classes; c++) {
                const int64_t three = n->values[a] + n->values[b] + n->values[c];
                sums[count++] = three;
                for (int d = c; d < n->classes; d++)
                    sums[count++] = three + n->values[d];
            }
    qsort(sums, count, sizeof *sums, compare_sums);
    for (uint64_t i = 0; i < count; i++)
        if (sums[i] >= least && sums[i] <= greatest && (kept == 0 || sums[kept - 1] != sums[i]))
            sums[kept++] = sums[i];
    return kept;
}

static void destroy(pk_plan *plan) {
    free(((tolerant *)plan)->least_sums);
    free(plan);
}

int pk_cross_near_plan(const int64_t *values, const uint8_t *counts, int classes, int64_t tolerance, int64_t least,
                       int64_t greatest, pk_plan **plan) {
    enum { SUMS = 816 + 3876 }; /* three or four of 16, repeated ones included */
    tolerant *n = calloc(1, sizeof *n);
    int64_t *sums = malloc(SUMS * sizeof *sums);
    if (!n || !sums) {
        free(n);
        free(sums);
        return PK_ENOMEM;
    }
    n->base = (pk_plan){0, CELLS, 0, search_least, destroy};
    n->classes = classes;
    for (int i = 0; i < classes; i++) {
        n->values[i] = values[i];
        n->counts[i] = counts[i];
        n->all += counts[i] * values[i];
    }
    n->tolerance = tolerance;
    n->greatest = greatest;
    n->least_sums = sums;
    n->base.units = list_sums(n, least, greatest, sums);
    *plan = &n->base;
    return PK_OK;
}

int64_t pk_cross_near_total(const pk_plan *plan, uint64_t unit) { return ((const tolerant *)plan)->least_sums[unit]; }
