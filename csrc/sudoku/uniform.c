/* uniform.c - finished grids, each with exactly the same probability: row structures, column structures, rejection.
 *
 *      band 0 |  box  box  box        The row structure says in which row of its box each digit is; the column
 *      band 1 |  box  box  box        structure says in which column. Together they are the grid. In a box, rows
 *      band 2 |  box  box  box        split the digits 3 + 3 + 3, columns do too, and the two partitions must be
 *               stack stack stack     crosswise: each row meets each column in one digit.
 *
 * A band's row structure is any of 1680 ordered partitions for its first box and one of 56 continuations for the two
 * others; bands know nothing of one another. Likewise for stacks and columns. So for a given row structure the number
 * of column structures is a product over the stacks: f(stack 0) f(stack 1) f(stack 2), where f depends on the row
 * partitions of the stack's three boxes as unordered partitions. Renaming the digits makes the first of them
 * {012|345|678}; f is a table of 280 x 280 for the two others. Draw a row structure with probability proportional to
 * the product, then a column structure evenly for each stack: every grid is equally likely.
 *
 * In units of 6 (the orders of a stack's columns) f is 16 .. 48, but for 730 entries of 86 .. 288. Plain rejection by
 * the greatest product would be hopeless; three proposals share the work, chosen by their exact total weights:
 *   plain     an even row structure, kept if no stack is rare, with probability f/48 for each stack;
 *   single    stack i (any) is rare, drawn proportionally to f; the rest even; kept if no other stack is rare, with
 *             f/48 for each of the two others;
 *   multiple  the same, kept if another stack is rare too and i is the first rare one, with f/288 for the two others.
 * So every row structure is kept with the same density times its product. About one proposal in nine is kept.
 *
 * A column structure of a stack, up to the order of columns, is one of 36 partitions that are crosswise to
 * {012|345|678} with one of 56 continuations: 2016 bits for each row partition of the second box say with which of them
 * it goes together, and 2016 for the third; the choice is the k-th bit of their conjunction, and f is their number.
 * This replaces lists of 94 MB by two tables of 71 kB.
 *
 * A prototype of this project found the structure and the gain from setting the rare entries apart.
 */
#include "uniform.h"

#include <stdlib.h>
#include <string.h>

#include "../bits.h"
#include "../sudoku.h"
#include "common.h"
#include "lanes.h"

enum {
    ORDERED = 1680,   /* 9! / 3!^3 */
    PARTITIONS = 280, /* unordered */
    NEXT = 56,        /* continuations of a box to a band */
    CROSSWISE = 36,
    PAIRS = CROSSWISE * NEXT,
    PAIR_WORDS = (PAIRS + 63) / 64,
    COMMON = 48, /* the greatest f that is not rare */
    GREATEST = 288,
    RARE = 730,
    GRIDS = 256 /* of a unit */
};

struct uniform {
    uint16_t ordered[ORDERED][3];  /* masks of digits */
    uint16_t index[512][512];      /* of an ordered partition, by its first two masks */
    uint16_t plain[ORDERED];       /* its unordered partition */
    uint16_t order[PARTITIONS][6]; /* the ordered partitions of an unordered one */
    uint8_t place[ORDERED][9];     /* the row of each digit */
    uint16_t next[ORDERED][NEXT][2];
    uint8_t rename[PARTITIONS][9]; /* makes it {012|345|678} */
    uint16_t relative[PARTITIONS][PARTITIONS], absolute[PARTITIONS][PARTITIONS];
    uint64_t second[PARTITIONS][PAIR_WORDS], third[PARTITIONS][PAIR_WORDS];
    uint16_t pair[PAIRS][3]; /* ordered partitions of the three boxes' columns */
    uint16_t f[PARTITIONS][PARTITIONS];
    struct {
        uint16_t second, third;
        uint32_t below; /* sum of f of the rare entries before this one */
    } rare[RARE + 1];
    int rares;
    uint64_t plain_weight, single_weight, all_weight;
};

static int crosswise(const uint16_t *p, const uint16_t *q) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const unsigned both = p[i] & q[j];
            if (!both || (both & (both - 1)))
                return 0;
        }
    return 1;
}

static void make_partitions(uniform *u) {
    int count = 0, plain = 0;
    for (int a = 0; a < 512; a++)
        for (int b = 0; b < 512; b++) {
            if (count_bits((uint64_t)a) != 3 || count_bits((uint64_t)b) != 3 || (a & b))
                continue;
            const int c = 511 & ~(a | b);
            for (int d = 0; d < 9; d++)
                u->place[count][d] = (uint8_t)(a >> d & 1 ? 0 : b >> d & 1 ? 1 : 2);
            u->ordered[count][0] = (uint16_t)a;
            u->ordered[count][1] = (uint16_t)b;
            u->ordered[count][2] = (uint16_t)c;
            u->index[a][b] = (uint16_t)count++;
        }
    for (int i = 0; i < ORDERED; i++) {
        const uint16_t *m = u->ordered[i];
        /* The first of an unordered partition's six has its parts by least digit. */
        if (!(m[0] & 1) || (m[1] & -m[1]) > (m[2] & -m[2]))
            continue;
        for (int k = 0; k < 6; k++) {
            const uint16_t same = u->index[m[orders[k][0]]][m[orders[k][1]]];
            u->order[plain][k] = same;
            u->plain[same] = (uint16_t)plain;
        }
        int name = 0;
        for (int part = 0; part < 3; part++)
            for (int d = 0; d < 9; d++)
                if (m[part] >> d & 1)
                    u->rename[plain][d] = (uint8_t)name++;
        plain++;
    }
}

static void make_continuations(uniform *u) {
    for (int i = 0; i < ORDERED; i++) {
        int count = 0;
        for (int j = 0; j < ORDERED; j++) {
            if (u->ordered[i][0] & u->ordered[j][0])
                continue;
            uint16_t third[3];
            int fits = 1;
            for (int row = 0; row < 3; row++) {
                fits &= !(u->ordered[i][row] & u->ordered[j][row]);
                third[row] = 511 & ~(u->ordered[i][row] | u->ordered[j][row]);
            }
            if (!fits || (third[0] & third[1]) || (third[0] & third[2]) || (third[1] & third[2]))
                continue;
            u->next[i][count][0] = (uint16_t)j;
            u->next[i][count++][1] = u->index[third[0]][third[1]];
        }
    }
}

static uint16_t renamed(uint16_t mask, const uint8_t *names) {
    unsigned result = 0;
    for (int d = 0; d < 9; d++)
        result |= (mask >> d & 1u) << names[d];
    return (uint16_t)result;
}

static void make_stacks(uniform *u) {
    for (int i = 0; i < PARTITIONS; i++)
        for (int j = 0; j < PARTITIONS; j++) {
            const uint16_t *m = u->ordered[u->order[j][0]];
            const uint16_t seen = u->plain[u->index[renamed(m[0], u->rename[i])][renamed(m[1], u->rename[i])]];
            u->relative[i][j] = seen;
            u->absolute[i][seen] = (uint16_t)j;
        }
    /* The 36 partitions that are crosswise to each. */
    uint16_t partner[PARTITIONS][CROSSWISE];
    for (int i = 0; i < PARTITIONS; i++)
        for (int j = 0, found = 0; j < PARTITIONS; j++)
            if (crosswise(u->ordered[u->order[i][0]], u->ordered[u->order[j][0]]))
                partner[i][found++] = (uint16_t)j;
    const int rows = u->plain[u->index[7][56]];
    int pairs = 0;
    for (int i = 0; i < CROSSWISE; i++) {
        const uint16_t first = u->order[partner[rows][i]][0];
        for (int k = 0; k < NEXT; k++, pairs++) {
            const uint16_t second = u->next[first][k][0], third = u->next[first][k][1];
            const uint64_t bit = (uint64_t)1 << pairs % 64;
            u->pair[pairs][0] = first;
            u->pair[pairs][1] = second;
            u->pair[pairs][2] = third;
            for (int a = 0; a < CROSSWISE; a++) {
                const int p = partner[u->plain[second]][a];
                u->second[p][pairs / 64] |= bit;
                u->third[partner[u->plain[third]][a]][pairs / 64] |= bit;
                for (int b = 0; b < CROSSWISE; b++)
                    u->f[p][partner[u->plain[third]][b]]++;
            }
        }
    }
    for (int i = 0; i < PARTITIONS; i++)
        for (int j = 0; j < PARTITIONS; j++) {
            const uint32_t count = u->f[i][j];
            if (count > COMMON) {
                u->rare[u->rares].second = (uint16_t)i;
                u->rare[u->rares++].third = (uint16_t)j;
                u->rare[u->rares].below = u->rare[u->rares - 1].below + count;
            }
        }
    const uint64_t rare = (uint64_t)3 * PARTITIONS * 6 * 6 * 6 * u->rare[u->rares].below;
    u->plain_weight = (uint64_t)ORDERED * ORDERED * ORDERED * COMMON * COMMON * COMMON;
    u->single_weight = rare * COMMON * COMMON;
    u->all_weight = u->plain_weight + u->single_weight + rare * GREATEST * GREATEST;
}

uniform *pk_uniform_make(void) {
    uniform *u = calloc(1, sizeof *u);
    if (!u)
        return NULL;
    make_partitions(u);
    make_continuations(u);
    make_stacks(u);
    return u;
}

/* The row partitions of a stack as f sees them: relative to the first. */
static uint32_t weight(const uniform *u, const uint16_t row[3][3], int stack) {
    const uint16_t *relative = u->relative[u->plain[row[0][stack]]];
    return u->f[relative[u->plain[row[1][stack]]]][relative[u->plain[row[2][stack]]]];
}

/* Draws the boxes of stack + 1 and stack + 2, given those of `stack`. */
static void draw_rest(const uniform *u, rng *r, uint16_t row[3][3], int stack) {
    for (int band = 0; band < 3; band++) {
        const uint16_t *next = u->next[row[band][stack]][random_below(r, NEXT)];
        row[band][(stack + 1) % 3] = next[0];
        row[band][(stack + 2) % 3] = next[1];
    }
}

static int keep(rng *r, uint32_t f, uint32_t most) { return f == most || random_below(r, most) < f; }

static int propose(const uniform *u, rng *r, uint16_t row[3][3]) {
    const uint64_t which = random_below_wide(r, u->all_weight);
    if (which < u->plain_weight) {
        for (int band = 0; band < 3; band++)
            row[band][0] = (uint16_t)random_below(r, ORDERED);
        draw_rest(u, r, row, 0);
        for (int stack = 0; stack < 3; stack++) {
            const uint32_t f = weight(u, row, stack);
            if (f > COMMON || !keep(r, f, COMMON))
                return 0;
        }
        return 1;
    }
    const int single = which < u->plain_weight + u->single_weight;
    const int stack = (int)random_below(r, 3), one = (stack + 1) % 3, other = (stack + 2) % 3;
    const uint32_t at = random_below(r, u->rare[u->rares].below);
    int low = 0, high = u->rares;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (u->rare[middle].below <= at)
            low = middle;
        else
            high = middle;
    }
    const uint32_t first = random_below(r, PARTITIONS);
    row[0][stack] = u->order[first][random_below(r, 6)];
    row[1][stack] = u->order[u->absolute[first][u->rare[low].second]][random_below(r, 6)];
    row[2][stack] = u->order[u->absolute[first][u->rare[low].third]][random_below(r, 6)];
    draw_rest(u, r, row, stack);
    const uint32_t f = weight(u, row, one), g = weight(u, row, other);
    if (single)
        return f <= COMMON && g <= COMMON && keep(r, f, COMMON) && keep(r, g, COMMON);
    if ((f <= COMMON && g <= COMMON) || (f > COMMON && one < stack) || (g > COMMON && other < stack))
        return 0;
    return keep(r, f, GREATEST) && keep(r, g, GREATEST);
}

/* The place of the bit that has `k` set bits below it. */
static int select_bit(uint64_t word, uint32_t k) {
    while (k--)
        word &= word - 1;
    return pk_lowest_bit(word);
}

void pk_uniform_draw(const uniform *u, rng *r, uint8_t *grid) {
    uint16_t row[3][3];
    while (!propose(u, r, row))
        ;
    for (int stack = 0; stack < 3; stack++) {
        const uint16_t plain = u->plain[row[0][stack]], *relative = u->relative[plain];
        const uint16_t second = relative[u->plain[row[1][stack]]], third = relative[u->plain[row[2][stack]]];
        const uint8_t *order = orders[random_below(r, 6)], *names = u->rename[plain];
        uint32_t k = random_below(r, u->f[second][third]);
        int w = 0;
        for (;; w++) {
            const uint32_t here = (uint32_t)count_bits(u->second[second][w] & u->third[third][w]);
            if (k < here)
                break;
            k -= here;
        }
        const uint16_t *pair = u->pair[64 * w + select_bit(u->second[second][w] & u->third[third][w], k)];
        for (int band = 0; band < 3; band++)
            for (int d = 0; d < 9; d++)
                grid[9 * (3 * band + u->place[row[band][stack]][d]) + 3 * stack +
                     order[u->place[pair[band]][names[d]]]] = (uint8_t)(d + 1);
    }
}

/* ---- the plan ---- */

typedef struct sample {
    pk_plan base;
    uint64_t count, seed;
    uniform *uniform;
} sample;

static int search_sample(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const sample *p = (const sample *)plan;
    rng r = random_stream(p->seed, unit);
    (void)scratch;
    const uint64_t left = p->count - unit * GRIDS;
    for (uint64_t i = 0; i < (left < GRIDS ? left : GRIDS); i++) {
        if ((i & 15) == 0 && pk_stop(sink))
            break;
        uint8_t *const row = pk_room(sink, 1);
        if (!row)
            break;
        pk_uniform_draw(p->uniform, &r, row);
        pk_keep(sink, 1);
    }
    return PK_OK;
}

static void destroy_sample(pk_plan *plan) {
    free(((sample *)plan)->uniform);
    free(plan);
}

int pk_sudoku_sample_plan(uint64_t count, uint64_t seed, pk_plan **plan) {
    sample *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->uniform = pk_uniform_make();
    if (!p->uniform) {
        free(p);
        return PK_ENOMEM;
    }
    p->count = count;
    p->seed = seed;
    p->base = (pk_plan){count / GRIDS + (count % GRIDS != 0), CELLS, 0, search_sample, destroy_sample};
    *plan = &p->base;
    return PK_OK;
}

double pk_sudoku_sample_total(uint64_t proposals, uint64_t seed) {
    uniform *u = pk_uniform_make();
    if (!u)
        return 0;
    rng r = random_stream(seed, 0);
    uint16_t row[3][3];
    uint64_t kept = 0;
    for (uint64_t i = 0; i < proposals; i++)
        kept += (uint64_t)propose(u, &r, row);
    const double all = (double)u->all_weight * NEXT * NEXT * NEXT * 6 * 6 * 6;
    free(u);
    return all * (double)kept / (double)proposals;
}
