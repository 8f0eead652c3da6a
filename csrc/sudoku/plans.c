/* plans.c - the solvers as plans: many puzzles, and all solutions of one.
 *
 * Many: a unit is a block of puzzles. In a block, lanes that run out of puzzles take over parts of others, and then
 * it is open which of two solutions is found first; so the puzzles that were shared and have several solutions are
 * solved again, unshared. (Of a puzzle with fewer than `limit` solutions the whole tree is searched, shared or not.)
 *
 * All: the puzzle is split at its first open cell, digit by digit, and so on, into units in lexicographic order. The
 * solvers find the solutions of a unit in any order they like. If there are no more than fit a pool, they are sorted;
 * else the unit is split further. So the solvers keep their strength, where a search in the order of the cells would
 * drown in a hard puzzle. The price is a pool of solutions for each split; a pool as large as what was emitted before,
 * so that the first solution of a wide open puzzle does not wait for thousands of others (on 16x16: minutes). Until the
 * first, a witness is kept: a solution below the node that is split. The child that it lies below needs no search.
 */
#include <stdlib.h>
#include <string.h>

#include "../bits.h"
#include "../sudoku.h"
#include "common.h"
#include "general.h"
#include "lanes.h"

enum {
    BLOCK = 128, /* a larger one saves 5 % on easy puzzles, and is too long a unit of hard ones */
    POOL = 1024,
    ENOUGH_UNITS = 1024,
    MOST_SPLITS = 8192,   /* while a plan is made: nobody can cancel that */
    QUICK_ROUNDS = 20000, /* some 10 ms */
    QUICK_GUESSES = 1000,
    MOST_KEPT = 2,
    TRAILER = 1 + sizeof(uint32_t) + sizeof(uint64_t)
};

static void write_trailer(uint8_t *at, uint64_t count, uint32_t guesses, int clash) {
    *at = count > 1 ? PK_SUDOKU_SEVERAL : count ? PK_SUDOKU_UNIQUE : clash ? PK_SUDOKU_INVALID : PK_SUDOKU_NONE;
    memcpy(at + 1, &guesses, sizeof guesses);
    memcpy(at + 1 + sizeof guesses, &count, sizeof count);
}

/* The 27 houses of 9x9. */
static void classic_houses(uint16_t *house) {
    for (int u = 0; u < 9; u++)
        for (int i = 0; i < 9; i++) {
            house[9 * u + i] = (uint16_t)(9 * u + i);
            house[9 * (9 + u) + i] = (uint16_t)(9 * i + u);
            house[9 * (18 + u) + i] = (uint16_t)(9 * (u / 3 * 3 + i / 3) + u % 3 * 3 + i % 3);
        }
}

static int make_rules(rules *r, int n, const uint16_t *house, int houses) {
    uint16_t classic[9 * 27];
    if (house)
        return pk_rules_make(r, n, house, houses);
    classic_houses(classic);
    return pk_rules_make(r, 9, classic, 27);
}

/* ---- many puzzles ---- */

typedef struct batch {
    pk_plan base;
    rules rules; /* of the general solver */
    uint64_t count, limit;
    size_t keep;
    lanes_run *lanes; /* NULL: the general solver */
    uint8_t *puzzles;
} batch;

typedef struct block {
    /* They go to the sink when all are known, because the solver asks whether to stop. */
    uint8_t rows[BLOCK * (MOST_KEPT * CELLS + TRAILER)];
    uint64_t counts[BLOCK];
    uint32_t guesses[BLOCK];
    uint8_t shared[BLOCK];
    /* Those that are solved again. */
    size_t place[BLOCK];
    uint8_t puzzles[BLOCK][CELLS], solutions[BLOCK * MOST_KEPT * CELLS];
    uint64_t counts_again[BLOCK];
    uint32_t guesses_again[BLOCK];
} block;

static size_t round_up(size_t bytes) { return (bytes + 63) / 64 * 64; }

static int search_block(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const batch *p = (const batch *)plan;
    block *const b = scratch;
    void *const lanes = (uint8_t *)scratch + round_up(sizeof *b);
    const uint64_t first = unit * BLOCK;
    const size_t count = p->count - first < BLOCK ? (size_t)(p->count - first) : BLOCK, kept = p->keep * CELLS;
    lane_job job = {.puzzles = p->puzzles + first * CELLS,
                    .stride = CELLS,
                    .count = count,
                    .limit = p->limit,
                    .share = 1,
                    .sink = sink,
                    .counts = b->counts,
                    .guesses = b->guesses,
                    .shared = b->shared,
                    .solutions = b->rows,
                    .keep = p->keep,
                    .solution_stride = plan->row_bytes};
    if (p->lanes(&job, lanes) != LANES_DONE)
        return PK_OK;
    size_t again = 0;
    for (size_t i = 0; i < count && p->limit <= 2; i++)
        if (b->shared[i] && b->counts[i] >= p->limit) {
            memcpy(b->puzzles[again], job.puzzles + i * CELLS, CELLS);
            b->place[again++] = i;
        }
    lane_job alone = {.puzzles = b->puzzles[0],
                      .stride = CELLS,
                      .count = again,
                      .limit = p->limit,
                      .sink = sink,
                      .counts = b->counts_again,
                      .guesses = b->guesses_again,
                      .solutions = b->solutions,
                      .keep = p->keep,
                      .solution_stride = kept};
    if (p->lanes(&alone, lanes) != LANES_DONE)
        return PK_OK;
    for (size_t i = 0; i < again; i++) {
        memcpy(b->rows + b->place[i] * plan->row_bytes, b->solutions + i * kept, kept);
        b->guesses[b->place[i]] = b->guesses_again[i];
    }
    for (size_t i = 0; i < count; i++) {
        uint8_t *const row = b->rows + i * plan->row_bytes;
        const size_t found = b->counts[i] < p->keep ? (size_t)b->counts[i] : p->keep;
        memset(row + found * CELLS, 0, kept - found * CELLS);
        write_trailer(row + kept, b->counts[i], b->guesses[i], !b->counts[i] && clashes(job.puzzles + i * CELLS));
    }
    uint8_t *const rows = pk_room(sink, count);
    if (!rows)
        return PK_OK;
    memcpy(rows, b->rows, count * plan->row_bytes);
    pk_keep(sink, count);
    return PK_OK;
}

static int search_puzzle(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const batch *p = (const batch *)plan;
    const size_t cells = (size_t)p->rules.cells;
    const uint8_t *const puzzle = p->puzzles + unit * cells;
    uint32_t start[MOST_DIGITS * MOST_DIGITS];
    uint8_t row[MOST_KEPT * MOST_DIGITS * MOST_DIGITS + TRAILER] = {0};
    pk_rules_load(&p->rules, puzzle, start);
    general_job job = {.limit = p->limit, .sink = sink, .first = row, .keep = p->keep};
    if (pk_general_search(&p->rules, start, &job, scratch) != LANES_DONE)
        return PK_OK;
    const uint32_t guesses = job.guesses > UINT32_MAX ? UINT32_MAX : (uint32_t)job.guesses;
    write_trailer(row + p->keep * cells, job.count, guesses, !job.count && pk_rules_clash(&p->rules, puzzle));
    uint8_t *const place = pk_room(sink, 1);
    if (!place)
        return PK_OK;
    memcpy(place, row, plan->row_bytes);
    pk_keep(sink, 1);
    return PK_OK;
}

static void destroy_batch(pk_plan *plan) {
    batch *p = (batch *)plan;
    pk_rules_free(&p->rules);
    free(p->puzzles);
    free(p);
}

int pk_sudoku_batch_plan(const uint8_t *puzzles, uint64_t count, int n, const uint16_t *house, int houses,
                         uint64_t limit, int keep, int cpu, pk_plan **plan) {
    batch *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    const size_t cells = (size_t)(n * n);
    p->puzzles = malloc(count * cells + 1);
    if ((house && !pk_rules_make(&p->rules, n, house, houses)) || !p->puzzles) {
        destroy_batch(&p->base);
        return PK_ENOMEM;
    }
    memcpy(p->puzzles, puzzles, count * cells);
    p->count = count;
    p->limit = limit;
    p->keep = (size_t)keep;
    p->base = (pk_plan){.units = count, .row_bytes = p->keep * cells + TRAILER, .destroy = destroy_batch};
    if (house) {
        p->base.search = search_puzzle;
        p->base.scratch_bytes = pk_general_scratch_bytes(&p->rules);
    } else {
        p->base.search = search_block;
        p->base.scratch_bytes = round_up(sizeof(block)) + pk_lanes_scratch_bytes();
        p->base.units = (count + BLOCK - 1) / BLOCK;
        p->lanes = pk_lanes_choose(cpu);
    }
    *plan = &p->base;
    return PK_OK;
}

/* ---- one puzzle, at once ---- */

static int quick_classic(const uint8_t *puzzle, uint64_t limit, size_t keep, int cpu, uint8_t *result) {
    uint64_t count;
    uint32_t guesses;
    void *const memory = malloc(pk_lanes_scratch_bytes() + 64);
    if (!memory)
        return PK_ENOMEM;
    void *const scratch = (void *)(((uintptr_t)memory + 63) / 64 * 64);
    lane_job job = {.puzzles = puzzle,
                    .stride = CELLS,
                    .count = 1,
                    .limit = limit,
                    .share = 1,
                    .budget = QUICK_ROUNDS,
                    .counts = &count,
                    .guesses = &guesses,
                    .solutions = result,
                    .keep = keep};
    int end = pk_lanes_choose(cpu)(&job, scratch);
    if (end == LANES_DONE && count >= limit) {
        job.share = 0;
        end = pk_lanes_choose(cpu)(&job, scratch);
    }
    free(memory);
    if (end != LANES_DONE)
        return PK_MORE;
    const size_t found = count < keep ? (size_t)count : keep;
    memset(result + found * CELLS, 0, (keep - found) * CELLS);
    write_trailer(result + keep * CELLS, count, guesses, !count && clashes(puzzle));
    return PK_OK;
}

int pk_sudoku_quick(const uint8_t *puzzle, int n, const uint16_t *house, int houses, uint64_t limit, int keep, int cpu,
                    uint8_t *result) {
    const size_t kept = (size_t)keep * (size_t)(n * n);
    if (!house)
        return quick_classic(puzzle, limit, (size_t)keep, cpu, result);
    rules r;
    if (!pk_rules_make(&r, n, house, houses)) {
        pk_rules_free(&r);
        return PK_ENOMEM;
    }
    int status = PK_ENOMEM;
    void *const scratch = malloc(pk_general_scratch_bytes(&r));
    if (scratch) {
        uint32_t start[MOST_DIGITS * MOST_DIGITS];
        general_job job = {.limit = limit, .budget = QUICK_GUESSES, .first = result, .keep = (size_t)keep};
        memset(result, 0, kept);
        pk_rules_load(&r, puzzle, start);
        status = pk_general_search(&r, start, &job, scratch) == LANES_DONE ? PK_OK : PK_MORE;
        write_trailer(result + kept, job.count, (uint32_t)job.guesses, !job.count && pk_rules_clash(&r, puzzle));
    }
    free(scratch);
    pk_rules_free(&r);
    return status;
}

int pk_sudoku_quick_text(const char *text, uint64_t limit, int cpu, uint8_t *result) {
    uint8_t puzzle[CELLS];
    if (pk_sudoku_cells((const uint8_t *)text, CELLS, puzzle) != CELLS)
        return PK_EINVAL;
    return quick_classic(puzzle, limit, 1, cpu, result);
}

/* ---- all solutions of one ---- */

typedef struct all {
    pk_plan base;
    rules rules;
    lanes_run *lanes; /* NULL: the general solver */
    uint32_t *nodes;  /* masks of the cells, one node a unit */
} all;

static int first_open(const rules *r, const uint32_t *cand) {
    for (int c = 0; c < r->cells; c++)
        if (cand[c] & (cand[c] - 1))
            return c;
    return -1;
}

static void to_lanes(const uint32_t *cand, lane_state *state) {
    memset(state, 0, sizeof *state);
    for (int c = 0; c < CELLS; c++)
        for (int d = 0; d < 9; d++)
            state->word[3 * d + c / 27] |= (cand[c] >> d & 1) << c % 27;
}

/* Where things lie in the scratch space of a unit. */
typedef struct space {
    uint8_t *pool, *witness;
    uint32_t *levels;
    void *solver;
} space;

static size_t levels_bytes(const rules *r) {
    return round_up((size_t)r->cells * (size_t)(r->cells + 2) * sizeof(uint32_t));
}

static size_t pool_bytes(const rules *r) { return round_up((size_t)POOL * (size_t)r->cells); }

static space in_scratch(const all *p, void *scratch) {
    uint8_t *const pool = scratch, *const witness = pool + pool_bytes(&p->rules),
                   *const levels = witness + round_up((size_t)p->rules.cells);
    return (space){pool, witness, (uint32_t *)levels, levels + levels_bytes(&p->rules)};
}

static int search_node(const all *p, const uint32_t *cand, const space *s, pk_sink *sink, uint8_t *pool, size_t room,
                       uint64_t *count) {
    if (p->lanes) {
        lane_state state;
        to_lanes(cand, &state);
        lane_job job = {.states = &state,
                        .count = 1,
                        .limit = UINT64_MAX,
                        .share = 1,
                        .sink = sink,
                        .counts = count,
                        .pool = pool,
                        .room = room};
        return p->lanes(&job, s->solver);
    }
    general_job job = {.limit = UINT64_MAX, .sink = sink, .pool = pool, .room = room};
    const int end = pk_general_search(&p->rules, cand, &job, s->solver);
    *count = job.count;
    return end;
}

/* The pool in lexicographic order: a merge sort of places. */
static void sort_pool(const uint8_t *pool, size_t count, size_t bytes, uint8_t *sorted) {
    uint16_t order[POOL], spare[POOL];
    for (size_t i = 0; i < count; i++)
        order[i] = (uint16_t)i;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t low = 0; low < count; low += 2 * run) {
            const size_t middle = low + run < count ? low + run : count,
                         high = middle + run < count ? middle + run : count;
            for (size_t out = low, left = low, right = middle; out < high; out++)
                spare[out] = right == high || (left < middle && memcmp(pool + order[left] * bytes,
                                                                       pool + order[right] * bytes, bytes) < 0)
                                 ? order[left++]
                                 : order[right++];
        }
        memcpy(order, spare, count * sizeof *order);
    }
    for (size_t i = 0; i < count; i++)
        memcpy(sorted + i * bytes, pool + order[i] * bytes, bytes);
}

/* Emits the solutions of levels[depth] in order. `known`: the witness is one of them. 0: stop. */
static int emit_node(const all *p, const space *s, int depth, int known, pk_sink *sink) {
    const size_t cells = (size_t)p->rules.cells;
    uint32_t *const cand = s->levels + (size_t)depth * cells;
    const int cell = first_open(&p->rules, cand);
    if (!known || cell < 0) {
        uint64_t count = 0;
        const size_t room = sink->found < POOL ? (size_t)sink->found + 1 : POOL;
        const int end = search_node(p, cand, s, sink, s->pool, room, &count);
        if (end == LANES_DONE) {
            if (!count)
                return 1;
            uint8_t *const rows = pk_room(sink, count);
            if (!rows)
                return 0;
            sort_pool(s->pool, count, cells, rows);
            pk_keep(sink, count);
            return !pk_stop(sink);
        }
        if (end != LANES_FULL)
            return 0;
        if (!sink->found)
            memcpy(s->witness, s->pool, cells);
    }
    /* The witness stays until something is emitted: a child that takes its place has solutions. */
    for (uint32_t digits = cand[cell]; digits; digits &= digits - 1) {
        uint32_t *const child = cand + cells;
        memcpy(child, cand, cells * sizeof *cand);
        child[cell] = digits & (0 - digits);
        known = !sink->found && s->witness[cell] == pk_lowest_bit(digits) + 1;
        if (pk_stop(sink))
            return 0;
        if (pk_general_propagate(&p->rules, child, cell, s->solver) && !emit_node(p, s, depth + 1, known, sink))
            return 0;
    }
    return 1;
}

static int search_all(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const all *p = (const all *)plan;
    const space s = in_scratch(p, scratch);
    const size_t cells = (size_t)p->rules.cells;
    const uint32_t *const node = p->nodes + unit * cells;
    if (sink->counting) {
        uint64_t count = 0;
        if (search_node(p, node, &s, sink, NULL, 0, &count) == LANES_DONE)
            pk_found(sink, count);
        return PK_OK;
    }
    memcpy(s.levels, node, cells * sizeof *node);
    emit_node(p, &s, 0, 0, sink);
    return PK_OK;
}

static void destroy_all(pk_plan *plan) {
    all *p = (all *)plan;
    pk_rules_free(&p->rules);
    free(p->nodes);
    free(p);
}

/* Splits every node at its first open cell, again and again. 0 when memory is out. */
static int split(all *p, const uint8_t *puzzle, void *scratch) {
    const rules *r = &p->rules;
    const size_t cells = (size_t)r->cells, bytes = cells * sizeof(uint32_t);
    size_t count = 1, capacity = 1;
    size_t splits = 0;
    int open = 1;
    p->nodes = malloc(bytes);
    if (!p->nodes)
        return 0;
    pk_rules_load(r, puzzle, p->nodes);
    count = (size_t)pk_general_propagate(r, p->nodes, -1, scratch);
    while (open && count < ENOUGH_UNITS && splits < MOST_SPLITS) {
        uint32_t *nodes = NULL;
        size_t made = 0;
        open = 0;
        capacity = 0;
        for (size_t i = 0; i < count; i++) {
            const uint32_t *const node = p->nodes + i * cells;
            const int cell = splits < MOST_SPLITS ? first_open(r, node) : -1;
            open |= cell >= 0;
            for (uint32_t digits = cell < 0 ? 1 : node[cell]; digits; digits &= digits - 1) {
                if (made == capacity) {
                    capacity = capacity ? 2 * capacity : 64;
                    uint32_t *more = realloc(nodes, capacity * bytes);
                    if (!more) {
                        free(nodes);
                        return 0;
                    }
                    nodes = more;
                }
                uint32_t *const child = nodes + made * cells;
                memcpy(child, node, bytes);
                if (cell < 0) {
                    made++;
                    continue;
                }
                child[cell] = digits & (0 - digits);
                made += (size_t)pk_general_propagate(r, child, cell, scratch);
                splits++;
            }
        }
        free(p->nodes);
        p->nodes = nodes;
        count = made;
    }
    p->base.units = count;
    return 1;
}

int pk_sudoku_all_plan(const uint8_t *puzzle, int n, const uint16_t *house, int houses, int cpu, pk_plan **plan) {
    all *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->base.destroy = destroy_all;
    void *scratch = NULL;
    int done = make_rules(&p->rules, n, house, houses);
    if (done) {
        const rules *r = &p->rules;
        size_t solver = pk_general_scratch_bytes(r);
        p->base.row_bytes = (size_t)r->cells;
        p->base.search = search_all;
        if (!house) {
            p->lanes = pk_lanes_choose(cpu);
            solver = solver > pk_lanes_scratch_bytes() ? solver : pk_lanes_scratch_bytes();
        }
        p->base.scratch_bytes = pool_bytes(r) + round_up((size_t)r->cells) + levels_bytes(r) + solver;
        scratch = malloc(pk_general_scratch_bytes(r));
        done = scratch && split(p, puzzle, scratch);
    }
    free(scratch);
    if (!done) {
        destroy_all(&p->base);
        return PK_ENOMEM;
    }
    *plan = &p->base;
    return PK_OK;
}

/* ---- text ---- */

uint64_t pk_sudoku_cells(const uint8_t *text, uint64_t count, uint8_t *cells) {
    /* Blocks without branches, so that compilers use vectors. */
    for (uint64_t at = 0; at < count;) {
        const uint64_t end = count - at < 4096 ? count : at + 4096;
        uint8_t wrong = 0;
        for (uint64_t i = at; i < end; i++) {
            const uint8_t c = text[i], digit = (uint8_t)(c - '0');
            const uint8_t is_digit = digit <= 9, is_empty = (c == '.') | (c == '*') | (c == '_');
            cells[i] = is_digit ? digit : 0;
            wrong |= !(is_digit | is_empty);
        }
        if (wrong)
            for (uint64_t i = at; i < end; i++) {
                const uint8_t c = text[i];
                if ((uint8_t)(c - '0') > 9 && c != '.' && c != '*' && c != '_')
                    return i;
            }
        at = end;
    }
    return count;
}
