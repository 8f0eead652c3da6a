/* difficulty.c - what can be measured of a puzzle's difficulty: the techniques that a person needs, and its backdoors.
 *
 * A cell is a mask of digits. Techniques are tried from the easiest on, and after each success from the start, so the
 * hardest one that is used is needed, in the order given here: hidden single, naked single, locked candidates, then
 * naked and hidden pairs, triples and quads. What these do not solve is called beyond them.
 *
 * A backdoor is a set of cells whose digits, once known, leave a puzzle that hidden and naked singles solve. Its size
 * is found by trying all sets of one, two and three open cells.
 */
#include <stdlib.h>
#include <string.h>

#include "../bits.h"
#include "../sudoku.h"
#include "common.h"
#include "lanes.h"

enum { HOUSES = 27, BLOCK = 32, ALL = 511, MOST_BACKDOOR = 3, ROW_BYTES = 8 };

typedef struct board {
    uint16_t cand[CELLS];
    uint8_t done[CELLS]; /* decided, and its peers know: one digit left is not enough, somebody must see it */
    int left;
} board;

typedef struct measure {
    pk_plan base;
    uint64_t count;
    lanes_run *lanes;
    uint8_t *puzzles;
    uint8_t house[HOUSES][9], of[CELLS][3];
    uint8_t peer[CELLS][20];
    uint8_t bits[512];
} measure;

static int is_single(unsigned m) { return !(m & (m - 1)); }

static void set_cell(const measure *t, board *b, int cell, unsigned digit) {
    b->cand[cell] = (uint16_t)digit;
    b->done[cell] = 1;
    b->left--;
    for (int i = 0; i < 20; i++)
        if (!b->done[t->peer[cell][i]])
            b->cand[t->peer[cell][i]] &= (uint16_t)~digit;
}

static void load(const measure *t, const uint8_t *puzzle, board *b) {
    memset(b->done, 0, sizeof b->done);
    b->left = CELLS;
    for (int c = 0; c < CELLS; c++)
        b->cand[c] = ALL;
    for (int c = 0; c < CELLS; c++)
        if (puzzle[c])
            set_cell(t, b, c, 1u << (puzzle[c] - 1));
}

/* ---- techniques: each returns whether it changed anything ---- */

static int hidden_single(const measure *t, board *b) {
    int found = 0;
    for (int h = 0; h < HOUSES; h++) {
        unsigned once = 0, twice = 0;
        for (int i = 0; i < 9; i++) {
            twice |= once & b->cand[t->house[h][i]];
            once |= b->cand[t->house[h][i]];
        }
        for (int i = 0; i < 9; i++) {
            const int c = t->house[h][i];
            const unsigned m = b->cand[c] & ~twice;
            if (!b->done[c] && m && is_single(m)) {
                set_cell(t, b, c, m);
                found = 1;
            }
        }
    }
    return found;
}

static int naked_single(const measure *t, board *b) {
    int found = 0;
    for (int c = 0; c < CELLS; c++)
        if (!b->done[c] && is_single(b->cand[c])) {
            set_cell(t, b, c, b->cand[c]);
            found = 1;
        }
    return found;
}

/* Takes digits off the cells of a house that are not marked. */
static int strike(const measure *t, board *b, int house, unsigned digits, unsigned marked) {
    int found = 0;
    for (int i = 0; i < 9; i++) {
        uint16_t *m = &b->cand[t->house[house][i]];
        if (!(marked >> i & 1) && (*m & digits)) {
            *m &= (uint16_t)~digits;
            found = 1;
        }
    }
    return found;
}

/* A digit of a line that has places in one box only, and a digit of a box that has places in one line only. */
static int locked(const measure *t, board *b) {
    int found = 0;
    for (int line = 0; line < 18; line++)
        for (int k = 0; k < 3; k++) {
            const int box = 18 + (line < 9 ? line / 3 * 3 + k : k * 3 + (line - 9) / 3);
            unsigned in_line = 0, in_box = 0, both = 0, line_mark = 0, box_mark = 0;
            for (int i = 0; i < 9; i++) {
                const int c = t->house[line][i], e = t->house[box][i];
                const int c_in = t->of[c][2] == box, e_in = t->of[e][line < 9 ? 0 : 1] == line;
                if (c_in) {
                    both |= b->cand[c];
                    line_mark |= 1u << i;
                } else {
                    in_line |= b->cand[c];
                }
                if (e_in)
                    box_mark |= 1u << i;
                else
                    in_box |= b->cand[e];
            }
            found |= strike(t, b, box, both & in_box & ~in_line, box_mark);
            found |= strike(t, b, line, both & in_line & ~in_box, line_mark);
        }
    return found;
}

/* `size` cells of a house that have `size` digits among them. */
static int naked_subset(const measure *t, board *b, int size) {
    int found = 0;
    for (int h = 0; h < HOUSES; h++) {
        uint16_t digits[512] = {0};
        unsigned open = 0;
        for (unsigned i = 0; i < 9; i++)
            open |= (b->done[t->house[h][i]] ? 0u : 1u) << i;
        for (unsigned set = 1; set < 512; set++) {
            const int lowest = pk_lowest_bit(set);
            digits[set] = digits[set & (set - 1)] | b->cand[t->house[h][lowest]];
            if (!(set & ~open) && set != open && t->bits[set] == size && t->bits[digits[set]] == size)
                found |= strike(t, b, h, digits[set], set);
        }
    }
    return found;
}

/* `size` digits of a house that have `size` cells among them. */
static int hidden_subset(const measure *t, board *b, int size) {
    int found = 0;
    for (int h = 0; h < HOUSES; h++) {
        uint16_t place[9] = {0}, places[512] = {0};
        unsigned open = 0;
        for (unsigned i = 0; i < 9; i++) {
            const int c = t->house[h][i];
            for (int d = 0; !b->done[c] && d < 9; d++)
                if (b->cand[c] >> d & 1)
                    place[d] |= (uint16_t)(1u << i);
        }
        for (unsigned d = 0; d < 9; d++)
            open |= (place[d] ? 1u : 0u) << d;
        for (unsigned set = 1; set < 512; set++) {
            places[set] = places[set & (set - 1)] | place[pk_lowest_bit(set)];
            if ((set & ~open) || set == open || t->bits[set] != size || t->bits[places[set]] != size)
                continue;
            for (int i = 0; i < 9; i++) {
                uint16_t *m = &b->cand[t->house[h][i]];
                if ((places[set] >> i & 1) && (*m & ~set)) {
                    *m &= (uint16_t)set;
                    found = 1;
                }
            }
        }
    }
    return found;
}

static int use(const measure *t, board *b, int technique) {
    switch (technique) {
    case PK_SUDOKU_HIDDEN_SINGLE:
        return hidden_single(t, b);
    case PK_SUDOKU_NAKED_SINGLE:
        return naked_single(t, b);
    case PK_SUDOKU_LOCKED:
        return locked(t, b);
    default: {
        const int size = 2 + (technique - PK_SUDOKU_NAKED_PAIR) / 2;
        return (technique - PK_SUDOKU_NAKED_PAIR) % 2 ? hidden_subset(t, b, size) : naked_subset(t, b, size);
    }
    }
}

static int hardest_technique(const measure *t, const uint8_t *puzzle) {
    board b;
    int hardest = 0, technique = 0;
    load(t, puzzle, &b);
    while (b.left && technique < PK_SUDOKU_BEYOND) {
        technique++;
        if (technique < PK_SUDOKU_BEYOND && use(t, &b, technique)) {
            hardest = technique > hardest ? technique : hardest;
            technique = 0;
        }
    }
    return b.left ? PK_SUDOKU_BEYOND : hardest;
}

/* ---- backdoors ---- */

static void use_singles(const measure *t, board *b) {
    while (b->left && (hidden_single(t, b) || naked_single(t, b)))
        ;
}

/* Whether `size` more cells, from `from` on, are enough. -1: stop. */
static int is_backdoor(const measure *t, const board *b, const uint8_t *solution, int from, int size, pk_sink *sink) {
    for (int c = from; c < CELLS; c++) {
        if (b->done[c])
            continue;
        board next = *b;
        set_cell(t, &next, c, 1u << (solution[c] - 1));
        use_singles(t, &next);
        if (!next.left)
            return 1;
        if (size > 1) {
            const int found = is_backdoor(t, &next, solution, c + 1, size - 1, sink);
            if (found)
                return found;
            if (pk_stop(sink))
                return -1;
        }
    }
    return 0;
}

static int backdoor_size(const measure *t, const uint8_t *puzzle, const uint8_t *solution, pk_sink *sink) {
    board b;
    load(t, puzzle, &b);
    use_singles(t, &b);
    if (!b.left)
        return 0;
    for (int size = 1; size <= MOST_BACKDOOR; size++) {
        const int found = is_backdoor(t, &b, solution, 0, size, sink);
        if (found)
            return found < 0 ? -1 : size;
    }
    return MOST_BACKDOOR + 1;
}

/* ---- the plan ---- */

static int search_measure(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const measure *p = (const measure *)plan;
    const uint64_t first = unit * BLOCK;
    const size_t count = p->count - first < BLOCK ? (size_t)(p->count - first) : BLOCK;
    uint64_t counts[BLOCK];
    uint32_t guesses[BLOCK];
    uint8_t solutions[BLOCK * CELLS];
    lane_job job = {.puzzles = p->puzzles + first * CELLS,
                    .stride = CELLS,
                    .count = count,
                    .limit = 2,
                    .sink = sink,
                    .counts = counts,
                    .guesses = guesses,
                    .solutions = solutions,
                    .keep = 1,
                    .solution_stride = CELLS};
    if (p->lanes(&job, scratch) != LANES_DONE)
        return PK_OK;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *const puzzle = job.puzzles + i * CELLS;
        uint8_t row[ROW_BYTES] = {0};
        if (pk_stop(sink))
            return PK_OK;
        row[0] = counts[i] > 1     ? PK_SUDOKU_SEVERAL
                 : counts[i]       ? PK_SUDOKU_UNIQUE
                 : clashes(puzzle) ? PK_SUDOKU_INVALID
                                   : PK_SUDOKU_NONE;
        if (counts[i] == 1) {
            const int backdoor = backdoor_size(p, puzzle, solutions + i * CELLS, sink);
            if (backdoor < 0)
                return PK_OK;
            row[1] = (uint8_t)hardest_technique(p, puzzle);
            row[2] = (uint8_t)backdoor;
        }
        memcpy(row + 4, &guesses[i], sizeof guesses[i]);
        /* Only now: the search for backdoors asks whether to stop, which may move the rows. */
        uint8_t *const place = pk_room(sink, 1);
        if (!place)
            return PK_OK;
        memcpy(place, row, sizeof row);
        pk_keep(sink, 1);
    }
    return PK_OK;
}

static void destroy_measure(pk_plan *plan) {
    free(((measure *)plan)->puzzles);
    free(plan);
}

int pk_sudoku_difficulty_plan(const uint8_t *puzzles, uint64_t count, int cpu, pk_plan **plan) {
    measure *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->puzzles = malloc(count * CELLS + 1);
    if (!p->puzzles) {
        free(p);
        return PK_ENOMEM;
    }
    memcpy(p->puzzles, puzzles, count * CELLS);
    p->count = count;
    p->lanes = pk_lanes_choose(cpu);
    for (int c = 0; c < CELLS; c++) {
        const int r = c / 9, k = c % 9, box = r / 3 * 3 + k / 3;
        p->house[r][k] = p->house[9 + k][r] = p->house[18 + box][r % 3 * 3 + k % 3] = (uint8_t)c;
        p->of[c][0] = (uint8_t)r;
        p->of[c][1] = (uint8_t)(9 + k);
        p->of[c][2] = (uint8_t)(18 + box);
    }
    for (int c = 0; c < CELLS; c++)
        for (int e = 0, i = 0; e < CELLS; e++)
            if (e != c && (p->of[c][0] == p->of[e][0] || p->of[c][1] == p->of[e][1] || p->of[c][2] == p->of[e][2]))
                p->peer[c][i++] = (uint8_t)e;
    for (unsigned set = 1; set < 512; set++)
        p->bits[set] = (uint8_t)(p->bits[set & (set - 1)] + 1);
    p->base =
        (pk_plan){(count + BLOCK - 1) / BLOCK, ROW_BYTES, pk_lanes_scratch_bytes(), search_measure, destroy_measure};
    *plan = &p->base;
    return PK_OK;
}
