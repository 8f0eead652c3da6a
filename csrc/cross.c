/* cross.c - every filling of the cross whose seven lines have equal sums: two halves that meet in a column.
 *
 *        .. .. ..  0  1  2 ..            .. .. ..  y  s  w ..
 *         3  4  5  6 ..  7 ..             p' u' q' x' ..  v ..
 *        ..  8 ..  9 10 11 12            ..  v' .. x  p  u  q
 *        .. 13 14 15 .. .. ..            .. w' s' y' .. .. ..
 *
 * The right half is x {p q} u v w s y, with three lines of its own: x + p + q + u = u + v + w = w + s + y = t. The left
 * half is its image under a half turn. They share the fourth kind of line: x + y + x' + y' = t. The rows take up all
 * cells but v and v', so v + v' = S - 4t where S is the sum of all numbers: that leaves few sums t, and for each few
 * pairs.
 *
 * For each t and each pair v <= v' the halves with v are listed by the numbers they use; a half with v' is looked up by
 * the numbers it leaves. In both, {s y} and {x p q} stay unordered until two halves use complementary numbers: then y,
 * y', x and x' are chosen so that the column fits. A match gives up to 8 rows: p and q swapped, p' and q' swapped, the
 * half turn. A half exists only where all six of v, v', u, w, s, y and the triple can be taken from the numbers.
 *
 * Equal numbers are one class, and nothing here knows positions: {s y} has s <= y by class, a triple has its classes in
 * order, p = q is not swapped, and if v = v' the half turn is left to the search itself, which meets both orders. So
 * look-alikes are never made. The classes that a half uses are one 64-bit word, so that numbers are taken by addition:
 *
 *        63                        32 31                         0
 *        | a counter for each class | the same in mixed radix     |
 *
 * A counter has a guard bit above it and starts at such a bias that the guard is set when the class is overdrawn; the
 * mixed radix number, below 65,536, is the half's place in the table of halves. (Distinct numbers: guarded bits, and a
 * bitmask.)
 *
 * Sums are compared in exact wide arithmetic while the tables are made; the search itself compares classes and groups
 * of equal sums only. For 1..16 there are 16,836 halves with s and y ordered; one with all sums t and ordered {s y}, as
 * in a plain join without v + v' = S - 4t, lists 50,262.
 */
#include "cross.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "cross_rows.h"
#include "kernel.h"
#include "wide.h"

enum {
    CELLS = PK_CROSS_CELLS,
    PAIRS = CELLS * (CELLS + 1) / 2,
    TRIPLES = 560,         /* at most C(16, 3) */
    CODES = 1 << 16,       /* the product of count + 1 over the classes is greatest for distinct numbers */
    LINE_HALVES = 8 * 120, /* {s y}; a triple of the ten numbers left: never more for one line u v w */
    HALVES = CELLS * LINE_HALVES,
    NONE = 0xff,
    NOTHING = 0xfe /* equals no group, and not NONE either */
};

typedef struct pair {
    uint8_t a, b;
} pair;

typedef struct triple {
    uint64_t use;
    uint8_t class[3];
} triple;

/* Sums in ascending order, equal ones in one group: group g holds members start[g] .. start[g + 1]. */
typedef struct groups {
    int count;
    uint16_t start[TRIPLES + 1];
    uint64_t *sum; /* of each group, `limbs` words each */
} groups;

typedef struct cross {
    pk_plan base;
    int classes;
    size_t limbs;
    uint64_t *values;

    uint64_t take[CELLS]; /* what taking a number of a class adds */
    uint64_t guards, bias;
    uint32_t codes, all_code;

    pair pairs[PAIRS];
    uint64_t pair_use[PAIRS];
    groups by_pair;
    uint8_t pair_group[CELLS][CELLS];
    triple triples[TRIPLES];
    groups by_triple;

    struct {
        uint16_t triple_group; /* of the sum t */
        uint8_t pair_group;    /* of the sum v + v' */
    } totals[PAIRS];
} cross;

typedef struct half {
    uint64_t ways; /* to take part in the shared column; see ways() */
    uint16_t link; /* in the table, the next half with the same numbers, 0 ends the list; before that, its code */
    uint16_t triple;
    uint8_t u, w, s, y;
} half;

typedef struct scratch {
    uint64_t present[CODES / 64]; /* which codes have halves; `first` is valid for those */
    uint16_t first[CODES];
    half halves[HALVES + 1]; /* from 1 on */
    int count;

    uint8_t third[256];           /* the class that makes t with a group of pairs, or NONE */
    uint8_t rest[256];            /* the group of pairs that makes t with a group of pairs, or NOTHING */
    uint8_t pair_group[CELLS];    /* the group of pairs that makes t with a class */
    uint16_t triple_group[CELLS]; /* the group of triples that makes t with a class */
} scratch;

/* ---- the plan ---- */

/* Sorts 0..count-1 by their sums: a stable merge sort from below; runs that are in order already stay. */
static void sort_by_sum(uint16_t *order, uint16_t *spare, int count, const uint64_t *sums, size_t limbs) {
    for (int i = 0; i < count; i++)
        order[i] = (uint16_t)i;
    for (int run = 1; run < count; run *= 2) {
        for (int low = 0; low + run < count; low += 2 * run) {
            const int middle = low + run, high = middle + run < count ? middle + run : count;
            if (wide_compare(sums + order[middle - 1] * limbs, sums + order[middle] * limbs, limbs) <= 0)
                continue;
            memcpy(spare, order + low, (size_t)run * sizeof *order);
            for (int left = 0, right = middle, out = low; left < run; out++) {
                const int take_right =
                    right < high && wide_compare(sums + order[right] * limbs, sums + spare[left] * limbs, limbs) < 0;
                order[out] = take_right ? order[right++] : spare[left++];
            }
        }
    }
}

/* Orders `count` members by their sums. sorted[i] is the member in place i. */
static void group_by_sum(groups *groups, uint16_t *sorted, int count, const uint64_t *sums, size_t limbs) {
    uint16_t spare[TRIPLES];
    sort_by_sum(sorted, spare, count, sums, limbs);
    groups->count = 0;
    for (int i = 0; i < count; i++) {
        const uint64_t *sum = sums + sorted[i] * limbs;
        if (i == 0 || wide_compare(sum, groups->sum + (size_t)(groups->count - 1) * limbs, limbs)) {
            memcpy(groups->sum + (size_t)groups->count * limbs, sum, limbs * sizeof *sum);
            groups->start[groups->count++] = (uint16_t)i;
        }
    }
    groups->start[groups->count] = (uint16_t)count;
}

static void make_counters(cross *c, const uint8_t *counts) {
    uint32_t radix = 1;
    int shift = 32;
    for (int i = 0; i < c->classes; i++) {
        int bits = 1;
        while (counts[i] >> bits)
            bits++;
        c->take[i] = (uint64_t)1 << shift | radix;
        c->bias += ((1u << bits) - 1 - counts[i]) * ((uint64_t)1 << shift);
        c->guards |= (uint64_t)1 << (shift + bits);
        c->all_code += counts[i] * radix;
        shift += bits + 1;
        radix *= counts[i] + 1u;
    }
    c->codes = radix;
}

static void make_pairs(cross *c, const uint8_t *counts, uint64_t *sums) {
    const size_t limbs = c->limbs;
    pair pairs[PAIRS];
    uint16_t sorted[PAIRS];
    int count = 0;
    for (int a = 0; a < c->classes; a++)
        for (int b = a; b < c->classes; b++)
            if (a != b || counts[a] >= 2) {
                wide_add(sums + (size_t)count * limbs, c->values + (size_t)a * limbs, c->values + (size_t)b * limbs,
                         limbs);
                pairs[count++] = (pair){(uint8_t)a, (uint8_t)b};
            }
    group_by_sum(&c->by_pair, sorted, count, sums, limbs);
    memset(c->pair_group, NONE, sizeof c->pair_group);
    for (int g = 0; g < c->by_pair.count; g++)
        for (int i = c->by_pair.start[g]; i < c->by_pair.start[g + 1]; i++) {
            const pair p = c->pairs[i] = pairs[sorted[i]];
            c->pair_use[i] = c->take[p.a] + c->take[p.b];
            c->pair_group[p.a][p.b] = c->pair_group[p.b][p.a] = (uint8_t)g;
        }
}

static void make_triples(cross *c, uint64_t *sums) {
    const size_t limbs = c->limbs;
    triple triples[TRIPLES];
    uint16_t sorted[TRIPLES];
    int count = 0;
    for (int a = 0; a < c->classes; a++)
        for (int b = a; b < c->classes; b++)
            for (int d = b; d < c->classes; d++) {
                const uint64_t use = c->take[a] + c->take[b] + c->take[d];
                if ((c->bias + use) & c->guards)
                    continue;
                uint64_t *sum = sums + (size_t)count * limbs;
                wide_add(sum, c->values + (size_t)a * limbs, c->values + (size_t)b * limbs, limbs);
                wide_add(sum, sum, c->values + (size_t)d * limbs, limbs);
                triples[count++] = (triple){use, {(uint8_t)a, (uint8_t)b, (uint8_t)d}};
            }
    group_by_sum(&c->by_triple, sorted, count, sums, limbs);
    for (int i = 0; i < count; i++)
        c->triples[i] = triples[sorted[i]];
}

/* The sums t of three numbers with S - 4t a sum of two: as t grows, the pairs become smaller. */
static void make_totals(cross *c, const uint8_t *counts, const uint64_t *wanted, uint64_t *spare) {
    const size_t limbs = c->limbs;
    uint64_t *all = spare, *lines = spare + limbs;
    memset(all, 0, limbs * sizeof *all);
    for (int i = 0; i < c->classes; i++)
        for (int k = 0; k < counts[i]; k++)
            wide_add(all, all, c->values + (size_t)i * limbs, limbs);
    int p = c->by_pair.count - 1;
    for (int t = 0; t < c->by_triple.count; t++) {
        const uint64_t *total = c->by_triple.sum + (size_t)t * limbs;
        if (wanted && wide_compare(total, wanted, limbs))
            continue;
        wide_add(lines, total, total, limbs);
        wide_add(lines, lines, lines, limbs);
        wide_subtract(lines, all, lines, limbs);
        while (p >= 0 && wide_compare(c->by_pair.sum + (size_t)p * limbs, lines, limbs) > 0)
            p--;
        if (p >= 0 && !wide_compare(c->by_pair.sum + (size_t)p * limbs, lines, limbs)) {
            c->totals[c->base.units].triple_group = (uint16_t)t;
            c->totals[c->base.units++].pair_group = (uint8_t)p;
        }
    }
}

/* ---- the search of one sum ---- */

/* What makes t with a class, with a pair, with two pairs: each list against another that shrinks as it grows. */
static void make_partners(const cross *c, const uint64_t *total, scratch *s, uint64_t *target) {
    const size_t limbs = c->limbs;
    for (int g = 0, k = c->classes - 1, r = c->by_pair.count - 1; g < c->by_pair.count; g++) {
        wide_subtract(target, total, c->by_pair.sum + (size_t)g * limbs, limbs);
        while (k >= 0 && wide_compare(c->values + (size_t)k * limbs, target, limbs) > 0)
            k--;
        s->third[g] = k >= 0 && !wide_compare(c->values + (size_t)k * limbs, target, limbs) ? (uint8_t)k : NONE;
        while (r >= 0 && wide_compare(c->by_pair.sum + (size_t)r * limbs, target, limbs) > 0)
            r--;
        s->rest[g] = r >= 0 && !wide_compare(c->by_pair.sum + (size_t)r * limbs, target, limbs) ? (uint8_t)r : NOTHING;
    }
    s->third[NONE] = NONE;
    s->rest[NONE] = NOTHING;
    for (int a = 0, p = c->by_pair.count - 1, g = c->by_triple.count - 1; a < c->classes; a++) {
        wide_subtract(target, total, c->values + (size_t)a * limbs, limbs);
        while (p >= 0 && wide_compare(c->by_pair.sum + (size_t)p * limbs, target, limbs) > 0)
            p--;
        const int pairs = p >= 0 && !wide_compare(c->by_pair.sum + (size_t)p * limbs, target, limbs);
        s->pair_group[a] = pairs ? (uint8_t)p : NONE;
        while (g >= 0 && wide_compare(c->by_triple.sum + (size_t)g * limbs, target, limbs) > 0)
            g--;
        const int equal = g >= 0 && !wide_compare(c->by_triple.sum + (size_t)g * limbs, target, limbs);
        s->triple_group[a] = equal ? (uint16_t)g : TRIPLES;
    }
}

/* What is done with each half that is found. */
typedef enum purpose { STORE, MATCH } purpose;

typedef struct search {
    const cross *cross;
    scratch *scratch;
    pk_sink *sink;
    int v, other; /* the classes of v here and in the other half */
} search;

/* A half brings one of y, s and one of its triple to the shared column: six ways, a byte each with the group of the two
 * numbers' sum. Ways that look like an earlier one are NONE. Way 3 * k + a has y if k = 0, else s, and the a-th of the
 * triple. */
static uint64_t ways(const cross *c, const half *h) {
    const uint8_t *const x = c->triples[h->triple].class;
    uint64_t bytes = ~(uint64_t)0;
    for (int k = h->y == h->s ? 0 : 1; k >= 0; k--) {
        const uint8_t *const group = c->pair_group[k ? h->s : h->y];
        const uint64_t third = x[2] == x[1] ? NONE : group[x[2]], second = x[1] == x[0] ? NONE : group[x[1]];
        bytes = bytes << 24 | third << 16 | second << 8 | group[x[0]];
    }
    return bytes;
}

static void store(search *se, half h) {
    scratch *s = se->scratch;
    const unsigned code = h.link;
    const uint64_t bit = (uint64_t)1 << code % 64;
    h.link = s->present[code / 64] & bit ? s->first[code] : 0;
    h.ways = ways(se->cross, &h);
    s->present[code / 64] |= bit;
    assert(s->count < HALVES);
    s->halves[++s->count] = h;
    s->first[code] = (uint16_t)s->count;
}

/* Emits one way in which two halves of complementary numbers fit into the shared column. 0: stop. */
static int emit(search *se, const half *right, int way, const half *left, int way2) {
    const cross *c = se->cross;
    const uint8_t *const t = c->triples[right->triple].class, *const t2 = c->triples[left->triple].class;
    const int a = way % 3, a2 = way2 % 3, turn = se->v != se->other;
    const unsigned p = t[a == 0], q = t[a == 2 ? 1 : 2], p2 = t2[a2 == 0], q2 = t2[a2 == 2 ? 1 : 2];
    if (se->sink->counting) {
        pk_found(se->sink, (uint64_t)1 << ((p != q) + (p2 != q2) + turn));
        return 1;
    }
    uint8_t *const rows = pk_room(se->sink, 8);
    if (!rows)
        return 0;
    const unsigned y = way < 3 ? right->y : right->s, s = way < 3 ? right->s : right->y;
    const unsigned y2 = way2 < 3 ? left->y : left->s, s2 = way2 < 3 ? left->s : left->y;
    const uint64_t low = pk_byte(y, 0) | pk_byte(s, 1) | pk_byte(right->w, 2) | pk_byte(p2, 3) | pk_byte(left->u, 4) |
                         pk_byte(q2, 5) | pk_byte(t2[a2], 6) | pk_byte((unsigned)se->v, 7);
    const uint64_t high = pk_byte((unsigned)se->other, 0) | pk_byte(t[a], 1) | pk_byte(p, 2) | pk_byte(right->u, 3) |
                          pk_byte(q, 4) | pk_byte(left->w, 5) | pk_byte(s2, 6) | pk_byte(y2, 7);
    pk_keep(se->sink, cross_write_rows(rows, low, high, p ^ q, p2 ^ q2, turn));
    return 1;
}

/* 0x80 in every byte of `bytes` that equals `wanted`. */
static uint64_t equal_bytes(uint64_t bytes, uint8_t wanted) {
    const uint64_t low = 0x7f7f7f7f7f7f7f7f, apart = bytes ^ wanted * (uint64_t)0x0101010101010101;
    return ~(((apart & low) + low) | apart | low);
}

/* Emits the fillings that a half makes with the stored halves of the numbers it leaves. 0: stop. */
static int match(search *se, half right) {
    const scratch *s = se->scratch;
    uint64_t partners = 0; /* a byte for each way: what the other half has to bring */
    right.ways = ways(se->cross, &right);
    for (int way = 0; way < 8; way++)
        partners |= (uint64_t)s->rest[(uint8_t)(right.ways >> 8 * way)] << 8 * way;
    for (unsigned i = s->first[se->cross->all_code - right.link]; i; i = s->halves[i].link) {
        const half *left = &s->halves[i];
        uint64_t fits = 0; /* byte: the way of the right half; bit in it: the way of the left one */
        for (int way = 0; way < 6; way++)
            fits |= equal_bytes(partners, (uint8_t)(left->ways >> 8 * way)) >> (7 - way);
        for (; fits; fits &= fits - 1) {
            const int fit = pk_lowest_bit(fits);
            if (!emit(se, &right, fit / 8, left, fit % 8))
                return 0;
        }
    }
    return 1;
}

/* Lists the halves with u v w in their middle line that leave `other` to the other half; to match, only those whose
 * numbers leave those of a stored half. Returns how many. Which ones these are no processor can guess: so each is
 * written, and what was none is written over (measured for 1..16: all counted in 0.16 ms instead of 0.26). */
static inline int line_halves(const search *se, int u, int w, purpose purpose, half *list) {
    const cross *c = se->cross;
    const scratch *s = se->scratch;
    const uint64_t guards = c->guards;
    const uint64_t line = c->bias + c->take[se->v] + c->take[se->other] + c->take[u] + c->take[w];
    const int group = s->triple_group[u];
    uint64_t use[TRIPLES];
    uint16_t which[TRIPLES];
    int triples = 0, halves = 0;
    if (line & guards)
        return 0;
    for (int i = c->by_triple.start[group]; i < c->by_triple.start[group + 1]; i++) {
        use[triples] = c->triples[i].use;
        which[triples] = (uint16_t)i;
        triples += !((line + use[triples]) & guards);
    }
    for (int k = c->by_pair.start[s->pair_group[w]]; k < c->by_pair.start[s->pair_group[w] + 1]; k++) {
        const pair p = c->pairs[k];
        const uint64_t chain = line + c->pair_use[k];
        if (chain & guards)
            continue;
        for (int i = 0; i < triples; i++) {
            const uint64_t all = chain + use[i];
            const uint16_t code = (uint16_t)(all - c->take[se->other]), left = (uint16_t)(c->all_code - code);
            assert(halves <= LINE_HALVES);
            list[halves] = (half){0, code, which[i], (uint8_t)u, (uint8_t)w, p.a, p.b};
            halves += !(all & guards) & (purpose == STORE || (s->present[left / 64] >> left % 64 & 1));
        }
    }
    return halves;
}

/* Stores, or matches, the halves with v at their middle that leave `other` to the other half. 0: stop. */
static inline int halves(search *se, int v, int other, purpose purpose) {
    const scratch *s = se->scratch;
    half list[LINE_HALVES + 1];
    se->v = v;
    se->other = other;
    for (int u = 0; u < se->cross->classes; u++) {
        const int w = s->third[se->cross->pair_group[v][u]];
        if (w == NONE || s->triple_group[u] == TRIPLES || s->pair_group[w] == NONE)
            continue;
        const int count = line_halves(se, u, w, purpose, list);
        for (int i = 0; i < count; i++) {
            if (purpose == STORE)
                store(se, list[i]);
            else if (!match(se, list[i]))
                return 0;
        }
    }
    return 1;
}

static int search_total(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const cross *c = (const cross *)plan;
    scratch *s = memory;
    const int t = c->totals[unit].triple_group, lines = c->totals[unit].pair_group;
    make_partners(c, c->by_triple.sum + (size_t)t * c->limbs, s, (uint64_t *)(s + 1));
    for (int i = c->by_pair.start[lines]; i < c->by_pair.start[lines + 1]; i++) {
        const pair p = c->pairs[i];
        search se = {c, s, sink, 0, 0};
        if ((c->bias + c->take[p.a] + c->take[p.b]) & c->guards)
            continue;
        memset(s->present, 0, (c->codes + 63) / 64 * sizeof *s->present);
        s->count = 0;
        halves(&se, p.a, p.b, STORE);
        if ((s->count && !halves(&se, p.b, p.a, MATCH)) || pk_stop(sink))
            break;
    }
    return PK_OK;
}

/* ---- the public functions ---- */

static void destroy(pk_plan *plan) {
    cross *c = (cross *)plan;
    free(c->values); /* and what stands behind them */
    free(c);
}

int pk_cross_plan(const uint64_t *values, size_t limbs, const uint8_t *counts, int classes, const uint64_t *total,
                  pk_plan **plan) {
    const size_t words = limbs * sizeof *values;
    cross *c = calloc(1, sizeof *c);
    uint64_t *sums = malloc(TRIPLES * words);
    uint64_t *tables = malloc((CELLS + PAIRS + TRIPLES) * words);
    if (!c || !sums || !tables) {
        free(c);
        free(sums);
        free(tables);
        return PK_ENOMEM;
    }
    c->base = (pk_plan){0, CELLS, sizeof(scratch) + words, search_total, destroy};
    c->classes = classes;
    c->limbs = limbs;
    c->values = tables;
    c->by_pair.sum = tables + CELLS * limbs;
    c->by_triple.sum = c->by_pair.sum + PAIRS * limbs;
    memcpy(c->values, values, (size_t)classes * words);
    make_counters(c, counts);
    make_pairs(c, counts, sums);
    make_triples(c, sums);
    make_totals(c, counts, total, sums);
    free(sums);
    *plan = &c->base;
    return PK_OK;
}

void pk_cross_total(const pk_plan *plan, uint64_t unit, uint8_t *places) {
    const cross *c = (const cross *)plan;
    memcpy(places, c->triples[c->by_triple.start[c->totals[unit].triple_group]].class, 3);
}
