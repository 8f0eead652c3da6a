/* cross_near.c - fillings of the cross whose line sums differ by at most a tolerance: a depth-first search in a window.
 *
 *     .. .. ..  0  1  2 ..
 *      3  4  5  6 ..  7 ..
 *     ..  8 ..  9 10 11 12
 *     .. 13 14 15 .. .. ..
 *
 * Cells are filled in the order of `steps`, in which seven cells close a line. Any two sums differ by at most the
 * tolerance, so each closed line narrows the window that all others must meet; the classes that may close a line stand
 * side by side, because classes are in ascending order. The rows take up all cells but 7 and 8, so that what the
 * numbers add up to bounds these two by the rows and the rows by these two. Only fillings with 10 <= 12, 3 <= 5 and 8
 * <= 7 (by class) are searched; the others are theirs with cells swapped or the figure turned. If 7 and 8 are equal,
 * the search itself meets both turns. A unit is a choice for cells 0 and 1.
 *
 * Lost: a unit for each least sum, which would put the rows in the order of those. Each unit repeats the search, once
 * for every sum that occurs, and with great tolerances the first sums have no filling for minutes.
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
    int64_t values[CELLS], all; /* all: what they add up to */
    uint8_t counts[CELLS];
    int64_t tolerance, least, greatest;
} tolerant;

typedef struct search {
    const tolerant *plan;
    pk_sink *sink;
    uint8_t cell[CELLS], left[CELLS];
    unsigned nodes;
} search;

/* What the closed lines leave open. */
typedef struct window {
    int64_t low, high; /* for the sum of any line */
    int64_t rows;      /* sum of the closed rows */
    int rows_left;
} window;

static int is_row(int line) { return line == 0 || line == 2 || line == 4 || line == 6; }

static int emit(search *se) {
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

static int64_t greater(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

/* Takes a class for the cell of a step, and fills the cells after it. 0: stop. */
static int take(search *se, int place, int class, int64_t others, window w);

/* Fills the cells from a step on. 0: stop. */
static int fill(search *se, int place, window w) {
    if (place == CELLS)
        return emit(se);
    if (++se->nodes % 1024 == 0 && pk_stop(se->sink))
        return 0;
    const tolerant *const n = se->plan;
    const struct step step = steps[place];
    const int64_t smallest = n->values[0], largest = n->values[n->classes - 1];
    const int seven = place > 3, eight = place > 13; /* these cells are filled */
    const int64_t least_7 = seven ? n->values[se->cell[7]] : smallest, most_7 = seven ? least_7 : largest;
    const int64_t least_8 = eight ? n->values[se->cell[8]] : smallest, most_8 = eight ? least_8 : largest;
    const int64_t missing = n->all - w.rows; /* the rows that are not closed, and cells 7 and 8 */
    int64_t low = smallest, high = largest, others = 0;
    if (step.closes != NONE) {
        int64_t least = w.low, most = w.high;
        if (is_row(step.closes)) {
            least = greater(least, missing - most_7 - most_8 - (w.rows_left - 1) * w.high);
            most = lesser(most, missing - least_7 - least_8 - (w.rows_left - 1) * w.low);
        }
        for (const uint8_t *cell = lines[step.closes]; cell < lines[step.closes] + 4 && *cell != NONE; cell++)
            others += *cell == step.cell ? 0 : n->values[se->cell[*cell]];
        low = least - others;
        high = most - others;
    }
    if (step.cell == 7 || step.cell == 8) {
        const int64_t least_other = step.cell == 7 ? least_8 : least_7, most_other = step.cell == 7 ? most_8 : most_7;
        low = greater(low, missing - most_other - w.rows_left * w.high);
        high = lesser(high, missing - least_other - w.rows_left * w.low);
    }
    int first = step.at_least == NONE ? 0 : se->cell[step.at_least];
    const int last = step.at_most == NONE ? n->classes - 1 : se->cell[step.at_most];
    while (first <= last && n->values[first] < low)
        first++;
    for (int c = first; c <= last && n->values[c] <= high; c++)
        if (se->left[c] && !take(se, place, c, others, w))
            return 0;
    return 1;
}

static int take(search *se, int place, int class, int64_t others, window w) {
    const tolerant *const n = se->plan;
    const struct step step = steps[place];
    if (step.closes != NONE) {
        const int64_t sum = others + n->values[class];
        w.low = greater(w.low, sum - n->tolerance);
        w.high = lesser(w.high, sum + n->tolerance);
        if (is_row(step.closes)) {
            w.rows += sum;
            w.rows_left--;
        }
    }
    se->left[class]--;
    se->cell[step.cell] = (uint8_t) class;
    const int go_on = fill(se, place + 1, w);
    se->left[class]++;
    return go_on;
}

static int search_unit(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const tolerant *n = (const tolerant *)plan;
    const int first = (int)unit / n->classes, second = (int)unit % n->classes;
    search se = {.plan = n, .sink = sink};
    (void)scratch;
    memcpy(se.left, n->counts, CELLS);
    se.cell[0] = (uint8_t)first;
    se.left[first]--;
    if (se.left[second])
        take(&se, 1, second, 0, (window){n->least, n->greatest, 0, 4});
    return PK_OK;
}

/* ---- the plan ---- */

static void destroy(pk_plan *plan) { free(plan); }

int pk_cross_near_plan(const int64_t *values, const uint8_t *counts, int classes, int64_t tolerance, int64_t least,
                       int64_t greatest, pk_plan **plan) {
    tolerant *n = calloc(1, sizeof *n);
    if (!n)
        return PK_ENOMEM;
    n->base = (pk_plan){(uint64_t)classes * (uint64_t)classes, CELLS, 0, search_unit, destroy};
    n->classes = classes;
    for (int i = 0; i < classes; i++) {
        n->values[i] = values[i];
        n->counts[i] = counts[i];
        n->all += counts[i] * values[i];
    }
    n->tolerance = tolerance;
    n->least = least;
    n->greatest = greatest;
    *plan = &n->base;
    return PK_OK;
}
