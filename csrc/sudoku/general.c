/* general.c - sudoku of any size and with any houses: n digits, n cells a house, each digit once in each house.
 *
 * A cell is a mask of the digits that are still possible. One walk over a house finds the digits that have a cell of
 * their own, those that have one place left, and contradictions; houses of a changed cell are walked again. When
 * nothing changes any more, pairs of houses are looked at: a digit that has places in one house only where both meet
 * leaves the rest of the other (locked candidates). In a search that has failed often, each house is asked besides
 * whether its cells can all have a digit of their own: ten cells for nine digits are 9! guesses otherwise, which the
 * first solution of an empty 25x25 meets again and again.
 *
 * The search branches in two: this digit here, or not. The place is a cell with few digits in houses that failed often
 * (dom/wdeg; Boussemart, Hemery, Lecoutre and Sais 2004): without those weights 16x16 can go on for ever. While nothing
 * has failed, a digit with two places in a house comes before a cell with three digits. Levels lie on a stack in
 * scratch space: cells * (cells + 1) masks.
 */
#include "general.h"

#include <stdlib.h>
#include <string.h>

#include "../bits.h"
#include "common.h"
#include "lanes.h"

/* How much is done before a guess: walks over houses; pairs of houses too; matchings of cells and digits too. */
enum { WALK, LOCK, MATCH };
enum { MANY_GUESSES = 64 }; /* before that, matchings cost 15 % and more and find nothing */

/* ---- rules ---- */

static int make_links(rules *r) {
    uint8_t *in = malloc((size_t)r->cells);
    size_t links = 0, cells = 0;
    if (!in)
        return 0;
    for (int pass = 0; pass < 2; pass++) {
        links = cells = 0;
        for (int a = 0; a < r->houses; a++)
            for (int b = a + 1; b < r->houses; b++) {
                memset(in, 0, (size_t)r->cells);
                int both = 0;
                for (int i = 0; i < r->n; i++)
                    in[r->house[a * r->n + i]] = 1;
                for (int i = 0; i < r->n; i++)
                    both += in[r->house[b * r->n + i]];
                if (both < 2 || both == r->n)
                    continue;
                if (pass) {
                    meeting *k = &r->link[links];
                    *k = (meeting){(uint32_t)cells, (uint16_t)both, (uint16_t)(r->n - both), (uint16_t)(r->n - both)};
                    uint16_t *at = r->link_cells + cells, *rest = at + both, *second = rest + r->n - both;
                    for (int i = 0; i < r->n; i++) {
                        const uint16_t cell = r->house[b * r->n + i];
                        if (in[cell]) {
                            *at++ = cell;
                            in[cell] = 2;
                        } else {
                            *second++ = cell;
                        }
                    }
                    for (int i = 0; i < r->n; i++)
                        if (in[r->house[a * r->n + i]] == 1)
                            *rest++ = r->house[a * r->n + i];
                }
                links++;
                cells += (size_t)(2 * r->n - both);
            }
        if (!pass) {
            r->link = malloc((links + 1) * sizeof *r->link);
            r->link_cells = malloc((cells + 1) * sizeof *r->link_cells);
            if (!r->link || !r->link_cells)
                break;
        }
    }
    r->links = (int)links;
    free(in);
    return r->link && r->link_cells;
}

int pk_rules_make(rules *r, int n, const uint16_t *house, int houses) {
    const size_t entries = (size_t)n * (size_t)houses;
    *r = (rules){.n = n, .cells = n * n, .houses = houses, .full = (uint32_t)(((uint64_t)1 << n) - 1)};
    r->house = malloc(entries * sizeof *r->house);
    r->of = malloc(entries * sizeof *r->of);
    r->of_at = calloc((size_t)r->cells + 2, sizeof *r->of_at);
    if (!r->house || !r->of || !r->of_at)
        return 0;
    memcpy(r->house, house, entries * sizeof *r->house);
    for (size_t i = 0; i < entries; i++)
        r->of_at[house[i] + 2]++;
    for (int c = 0; c < r->cells; c++)
        r->of_at[c + 2] += r->of_at[c + 1];
    for (size_t i = 0; i < entries; i++)
        r->of[r->of_at[house[i] + 1]++] = (uint16_t)(i / (size_t)n);
    return make_links(r);
}

void pk_rules_free(rules *r) {
    free(r->house);
    free(r->of);
    free(r->of_at);
    free(r->link);
    free(r->link_cells);
}

void pk_rules_load(const rules *r, const uint8_t *puzzle, uint32_t *cand) {
    for (int c = 0; c < r->cells; c++)
        cand[c] = puzzle[c] ? (uint32_t)1 << (puzzle[c] - 1) : r->full;
}

int pk_rules_clash(const rules *r, const uint8_t *puzzle) {
    for (int h = 0; h < r->houses; h++) {
        uint32_t seen = 0;
        for (int i = 0; i < r->n; i++) {
            const int digit = puzzle[r->house[h * r->n + i]];
            const uint32_t bit = digit ? (uint32_t)1 << (digit - 1) : 0;
            if (seen & bit)
                return 1;
            seen |= bit;
        }
    }
    return 0;
}

void pk_general_write(const rules *r, const uint32_t *cand, uint8_t *out) {
    for (int c = 0; c < r->cells; c++)
        out[c] = (uint8_t)(pk_lowest_bit(cand[c]) + 1);
}

/* ---- propagation ---- */

/* Houses to be walked: a stack, and which are on it. */
typedef struct todo {
    int count;
    uint16_t *stack;
    uint8_t *on;
} todo;

static void note_change(const rules *r, todo *t, int cell) {
    for (int i = r->of_at[cell]; i < r->of_at[cell + 1]; i++)
        if (!t->on[r->of[i]]) {
            t->on[r->of[i]] = 1;
            t->stack[t->count++] = r->of[i];
        }
}

static int walk_house(const rules *r, uint32_t *cand, const uint16_t *house, todo *t) {
    uint32_t once = 0, twice = 0, fixed = 0;
    for (int i = 0; i < r->n; i++) {
        const uint32_t m = cand[house[i]];
        twice |= once & m;
        once |= m;
        if (!(m & (m - 1))) {
            if ((fixed & m) || !m)
                return 0;
            fixed |= m;
        }
    }
    if (once != r->full)
        return 0;
    const uint32_t hidden = once & ~twice & ~fixed;
    if (!hidden && !(twice & fixed))
        return 1;
    for (int i = 0; i < r->n; i++) {
        uint32_t m = cand[house[i]];
        if (!(m & (m - 1)))
            continue;
        m &= ~fixed;
        if (m & hidden)
            m &= hidden;
        if (!m || ((m & hidden) && (m & (m - 1))))
            return 0;
        if (m != cand[house[i]]) {
            cand[house[i]] = m;
            note_change(r, t, house[i]);
        }
    }
    return 1;
}

static void strike(const rules *r, uint32_t *cand, const uint16_t *cells, int count, uint32_t digits, todo *t) {
    for (int i = 0; i < count; i++)
        if (cand[cells[i]] & digits) {
            cand[cells[i]] &= ~digits;
            note_change(r, t, cells[i]);
        }
}

static void lock_digits(const rules *r, uint32_t *cand, todo *t) {
    for (int k = 0; k < r->links; k++) {
        const meeting l = r->link[k];
        const uint16_t *both = r->link_cells + l.cells, *first = both + l.both, *second = first + l.first;
        uint32_t in_both = 0, in_first = 0, in_second = 0;
        for (int i = 0; i < l.both; i++)
            in_both |= cand[both[i]];
        for (int i = 0; i < l.first; i++)
            in_first |= cand[first[i]];
        for (int i = 0; i < l.second; i++)
            in_second |= cand[second[i]];
        if (in_both & in_second & ~in_first)
            strike(r, cand, second, l.second, in_both & in_second & ~in_first, t);
        if (in_both & in_first & ~in_second)
            strike(r, cand, first, l.first, in_both & in_first & ~in_second, t);
    }
}

/* Cells of a house, and which digit each could have: whether all can have one at once (Kuhn's augmenting paths). */
typedef struct matching {
    const uint32_t *cand;
    const uint16_t *house;
    uint32_t seen;
    uint8_t owner[MOST_DIGITS];
    uint32_t taken;
} matching;

static int find_digit(matching *m, int cell) {
    const uint32_t digits = m->cand[m->house[cell]];
    const uint32_t open = digits & ~m->taken;
    if (open) {
        const int d = pk_lowest_bit(open);
        m->taken |= (uint32_t)1 << d;
        m->owner[d] = (uint8_t)cell;
        return 1;
    }
    for (uint32_t left; (left = digits & ~m->seen) != 0;) {
        const int d = pk_lowest_bit(left);
        m->seen |= (uint32_t)1 << d;
        if (find_digit(m, m->owner[d])) {
            m->owner[d] = (uint8_t)cell;
            return 1;
        }
    }
    return 0;
}

static int can_be_filled(const rules *r, const uint32_t *cand, const uint16_t *house) {
    matching m = {.cand = cand, .house = house};
    for (int i = 0; i < r->n; i++) {
        m.seen = 0;
        if (!find_digit(&m, i))
            return 0;
    }
    return 1;
}

/* How often each house failed in this search: the houses lie behind the levels, and behind these the stack. */
static uint32_t *weights_of(const rules *r, void *scratch) {
    return (uint32_t *)scratch + (size_t)r->cells * (size_t)(r->cells + 2);
}

static uint16_t *stack_of(const rules *r, void *scratch) { return (uint16_t *)(weights_of(r, scratch) + r->houses); }

static int propagate(const rules *r, uint32_t *cand, int cell, void *scratch, int effort) {
    todo t = {.stack = stack_of(r, scratch)};
    t.on = (uint8_t *)(t.stack + r->houses);
    memset(t.on, 0, (size_t)r->houses);
    if (cell >= 0)
        note_change(r, &t, cell);
    else
        for (int h = r->houses; h-- > 0;) {
            t.on[h] = 1;
            t.stack[t.count++] = (uint16_t)h;
        }
    do {
        while (t.count) {
            const int h = t.stack[--t.count];
            t.on[h] = 0;
            if (!walk_house(r, cand, r->house + h * r->n, &t)) {
                weights_of(r, scratch)[h]++;
                return 0;
            }
        }
        if (effort >= LOCK)
            lock_digits(r, cand, &t);
    } while (t.count);
    for (int h = 0; effort >= MATCH && h < r->houses; h++)
        if (!can_be_filled(r, cand, r->house + h * r->n)) {
            weights_of(r, scratch)[h]++;
            return 0;
        }
    return 1;
}

int pk_general_propagate(const rules *r, uint32_t *cand, int cell, void *scratch) {
    return propagate(r, cand, cell, scratch, LOCK);
}

/* ---- search ---- */

/* The cell and the digit to try. 0: all cells are decided. */
static int choose(const rules *r, const uint32_t *cand, const uint32_t *weights, int *cell, uint32_t *digit) {
    uint64_t fewest = MOST_DIGITS + 1, heaviest = 1; /* their quotient is what counts */
    for (int c = 0; c < r->cells; c++) {
        const uint32_t m = cand[c];
        if (!(m & (m - 1)))
            continue;
        const uint64_t count = (uint64_t)count_bits(m);
        uint64_t weight = 1;
        for (int i = r->of_at[c]; i < r->of_at[c + 1]; i++)
            weight += weights[r->of[i]];
        if (count * heaviest < fewest * weight) {
            fewest = count;
            heaviest = weight;
            *cell = c;
            *digit = m & (0 - m);
        }
    }
    if (fewest > MOST_DIGITS)
        return 0;
    for (int h = 0; h < r->houses && fewest > 2 && heaviest == 1; h++) {
        const uint16_t *house = r->house + h * r->n;
        uint32_t once = 0, twice = 0, thrice = 0;
        for (int i = 0; i < r->n; i++) {
            const uint32_t m = cand[house[i]];
            thrice |= twice & m;
            twice |= once & m;
            once |= m;
        }
        const uint32_t two = twice & ~thrice;
        for (int i = 0; two && i < r->n; i++)
            if (cand[house[i]] & two) {
                fewest = 2;
                *cell = house[i];
                *digit = cand[house[i]] & two & (0 - (cand[house[i]] & two));
                break;
            }
    }
    return 1;
}

/* Levels, two spare ones, the weights of houses, the stack of houses and its marks. */
size_t pk_general_scratch_bytes(const rules *r) {
    return (size_t)r->cells * (size_t)(r->cells + 2) * sizeof(uint32_t) + (size_t)r->houses * 7 + 64;
}

int pk_general_search(const rules *r, const uint32_t *start, general_job *job, void *scratch) {
    const size_t bytes = (size_t)r->cells * sizeof(uint32_t);
    uint32_t *level = scratch;
    int depth = 0, cell = -1;
    uint64_t steps = 0;
    uint16_t struck[MOST_DIGITS * MOST_DIGITS + 1];
    job->count = job->guesses = 0;
    memcpy(level, start, bytes);
    memset(weights_of(r, scratch), 0, (size_t)r->houses * sizeof(uint32_t));
    for (;;) {
        uint32_t *now = level + (size_t)depth * (size_t)r->cells, digit;
        if ((++steps & 63) == 0 && job->sink && pk_stop(job->sink))
            return LANES_STOPPED;
        /* Effort pays where the search fails often, not where solutions are everywhere: each takes a guess of its own,
         * and with no more than four for each, most guesses lead to one. */
        const int effort = job->guesses <= 4 * job->count ? WALK : job->guesses < MANY_GUESSES ? LOCK : MATCH;
        if (propagate(r, now, cell, scratch, effort)) {
            if (choose(r, now, weights_of(r, scratch), &cell, &digit)) {
                if (job->budget && job->guesses == job->budget)
                    return LANES_SPENT;
                job->guesses++;
                memcpy(now + r->cells, now, bytes);
                now[cell] &= ~digit;
                struck[depth] = (uint16_t)cell;
                now[r->cells + cell] = digit;
                depth++;
                continue;
            }
            if (job->count < job->keep)
                pk_general_write(r, now, job->first + (size_t)job->count * (size_t)r->cells);
            if (job->pool) {
                if (job->count == job->room)
                    return LANES_FULL;
                pk_general_write(r, now, job->pool + (size_t)job->count * (size_t)r->cells);
            }
            if (++job->count >= job->limit)
                return LANES_DONE;
        }
        if (depth-- == 0)
            return LANES_DONE;
        cell = struck[depth];
    }
}
