/* countdown_trees.c - how many binary trees over some of the cards have a value, as Hutton's paper counts them.
 *
 * Cards are told apart by position, operands by order. For every subset of positions a table says how many trees have
 * each value; a subset is the union of two, in either order, in all ways. Six cards have 10,839,369 trees of whole
 * values, but these are some hundred thousand values a subset at most.
 *
 * Credit: G. Hutton, The Countdown problem, Journal of Functional Programming 12 (2002); its `solutions` makes the
 * trees one by one.
 */
#include <stdlib.h>
#include <string.h>

#include "countdown.h"
#include "kernel.h"

enum { MOST_CARDS = 8, SUBSETS = 1 << MOST_CARDS, FIRST_BITS = 4, LAST_BITS = 26 };

typedef struct entry {
    int64_t value;
    uint64_t trees; /* 0: free */
} entry;

typedef struct map {
    entry *entries;
    int bits;
    size_t used;
} map;

typedef struct trees {
    pk_plan base;
    int count, rule;
    uint64_t target;
    uint64_t cards[MOST_CARDS];
} trees;

static entry *find(const map *m, int64_t value) {
    const size_t mask = ((size_t)1 << m->bits) - 1;
    size_t i = (size_t)((uint64_t)value * 0x9E3779B97F4A7C15u >> (64 - m->bits));
    while (m->entries[i].trees && m->entries[i].value != value)
        i = (i + 1) & mask;
    return &m->entries[i];
}

/* Returns a pk_status. */
static int add(map *m, int64_t value, uint64_t count) {
    if (2 * (m->used + 1) > (size_t)1 << m->bits || !m->entries) {
        map larger = {NULL, m->entries ? m->bits + 2 : FIRST_BITS, m->used};
        if (larger.bits > LAST_BITS || !(larger.entries = calloc((size_t)1 << larger.bits, sizeof *larger.entries)))
            return PK_ENOMEM;
        for (size_t i = 0; m->entries && i < (size_t)1 << m->bits; i++)
            if (m->entries[i].trees)
                *find(&larger, m->entries[i].value) = m->entries[i];
        free(m->entries);
        *m = larger;
    }
    entry *e = find(m, value);
    m->used += !e->trees;
    e->value = value;
    return __builtin_add_overflow(e->trees, count, &e->trees) ? PK_EOVERFLOW : PK_OK;
}

/* The values of the trees with the given operands that the rule allows; returns how many. */
static int apply(int rule, int64_t x, int64_t y, int64_t *out) {
    const int pruned = rule == PK_COUNTDOWN_PRUNED, any = rule == PK_COUNTDOWN_INTEGER;
    int count = 0;
    if (!pruned || x <= y)
        out[count++] = x + y;
    if (any || x > y)
        out[count++] = x - y;
    if (!pruned || (x <= y && x != 1 && y != 1))
        out[count++] = x * y;
    if (y != 0 && x % y == 0 && !(pruned && y == 1))
        out[count++] = x / y;
    return count;
}

static int join(int rule, const map *left, const map *right, map *out, pk_sink *sink) {
    for (size_t i = 0; left->entries && i < (size_t)1 << left->bits; i++) {
        const entry x = left->entries[i];
        if (!x.trees)
            continue;
        if (pk_stop(sink))
            return PK_OK;
        for (size_t k = 0; right->entries && k < (size_t)1 << right->bits; k++) {
            const entry y = right->entries[k];
            int64_t values[4];
            uint64_t product;
            if (!y.trees)
                continue;
            if (__builtin_mul_overflow(x.trees, y.trees, &product))
                return PK_EOVERFLOW;
            for (int n = apply(rule, x.value, y.value, values) - 1; n >= 0; n--) {
                const int status = add(out, values[n], product);
                if (status)
                    return status;
            }
        }
    }
    return PK_OK;
}

static int search(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const trees *t = (const trees *)plan;
    map *maps = scratch;
    const unsigned subsets = 1u << t->count;
    int status = PK_OK;
    (void)unit;
    memset(maps, 0, SUBSETS * sizeof *maps);
    for (unsigned set = 1; set < subsets && status == PK_OK && !pk_stop(sink); set++) {
        if (!(set & (set - 1)))
            for (int i = 0; i < t->count; i++)
                if (set >> i & 1)
                    status = add(&maps[set], (int64_t)t->cards[i], 1);
        for (unsigned left = (set - 1) & set; left && status == PK_OK; left = (left - 1) & set)
            status = join(t->rule, &maps[left], &maps[set ^ left], &maps[set], sink);
        for (size_t i = 0; maps[set].entries && i < (size_t)1 << maps[set].bits; i++)
            if (t->target == 0 || maps[set].entries[i].value == (int64_t)t->target)
                pk_found(sink, maps[set].entries[i].trees);
    }
    for (unsigned set = 0; set < subsets; set++)
        free(maps[set].entries);
    return status;
}

static void destroy(pk_plan *plan) { free(plan); }

int pk_countdown_trees_plan(const uint64_t *cards, int count, uint64_t target, int rule, pk_plan **plan) {
    if (count < 1 || count > MOST_CARDS)
        return PK_EINVAL;
    trees *t = calloc(1, sizeof *t);
    if (!t)
        return PK_ENOMEM;
    t->base = (pk_plan){1, 1, SUBSETS * sizeof(map), search, destroy};
    t->count = count;
    t->rule = rule;
    t->target = target;
    memcpy(t->cards, cards, (size_t)count * sizeof *cards);
    *plan = &t->base;
    return PK_OK;
}
