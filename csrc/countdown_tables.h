/* countdown_tables.h - the values of every small set of a stock, by the kind of their last operation.
 *
 * Written once over the arithmetic of countdown_whole.h or countdown_ratio.h; include one of them first.
 *
 *     all   | ends in + or - only | in either way | ends in * or / only |
 *           '---- sums: all[0 .. sums) ----'                             a single card counts as both
 *                                 '-- products: all[count - products) --'
 *
 * A sum is a sum of cards and products, a product one of cards and sums. So a sum is found where a card is split off,
 * or its smallest product; a product where a card, its smallest sum or one of its divisors is: that is associativity
 * used up. Negative values are never needed: if every sum is replaced by its absolute value, the last one stays up to
 * its sign.
 *
 * Tables are exact, or without the values that fewer of the same cards reach (`fewest`): those are all that a search
 * for the fewest cards or for all targets needs. UK decks then have 2.9, 14 and 88 values for 2, 3 and 4 cards on
 * average. In exact tables a sum whose split-off term is its whole value has a rest of 0; another term must be split
 * off, so all terms are tried there.
 */
#ifndef PK_COUNTDOWN_TABLES_H
#define PK_COUNTDOWN_TABLES_H

#include <stdlib.h>
#include <string.h>

#include "countdown_sets.h"
#include "kernel.h"

enum { SUM = 1, PRODUCT = 2, MAX_TABLE_BITS = 27, MANY = 4096 };

typedef struct table {
    num *all;
    uint32_t count, sums, products;
    int shift;      /* of the hash; 0: none was made */
    uint64_t *slot; /* value * 4 + kinds; 0 is empty */
} table;

/* A table in the making: dominated values have no kind. */
typedef struct builder {
    uint64_t *slot;
    uint32_t
        *list; /* the slots of values with a kind, in the order in which they came; half as many as there are slots */
    int bits, room_bits;
    size_t used, count;
    num cap;
    pk_sink *sink; /* NULL, or asked whether to stop */
} builder;

typedef struct tables {
    stock *stock;
    table *of; /* by index; sets of up to `most` cards */
    int most;
    int hand; /* cards of a hand, and its greatest result that matters; UINT64_MAX: any */
    uint64_t greatest;
    int fewest; /* without the values that fewer cards reach */
    int hashed;
    part *parts; /* room for those of one set */
    builder b;
} tables;

/* ---- the hash: multiplicative, linear probing, at most half full ---- */

static inline size_t slot_of(const uint64_t *slot, int shift, num value) {
    const size_t mask = ((size_t)1 << (64 - shift)) - 1;
    size_t i = (size_t)(value * 0x9E3779B97F4A7C15u >> shift);
    while (slot[i] && slot[i] >> 2 != value)
        i = (i + 1) & mask;
    return i;
}

/* The kinds of a value in a table with a hash. */
static inline unsigned kinds_of(const table *t, num value) {
    return (unsigned)t->slot[slot_of(t->slot, t->shift, value)] & 3;
}

/* 0: no memory. */
static int make_room(builder *b, int bits) {
    if (bits > MAX_TABLE_BITS)
        return 0;
    if (bits > b->room_bits) {
        uint64_t *slot = malloc(sizeof *slot << bits);
        uint32_t *list = malloc(sizeof *list << (bits - 1));
        if (!slot || !list) {
            free(slot);
            free(list);
            return 0;
        }
        memset(slot, 0, sizeof *slot << bits);
        for (size_t i = 0; b->used && i < (size_t)1 << b->bits; i++)
            if (b->slot[i])
                slot[slot_of(slot, 64 - bits, b->slot[i] >> 2)] = b->slot[i];
        for (size_t i = 0; i < b->count; i++)
            list[i] = (uint32_t)slot_of(slot, 64 - bits, b->slot[b->list[i]] >> 2);
        free(b->slot);
        free(b->list);
        b->slot = slot;
        b->list = list;
        b->room_bits = bits;
    }
    b->bits = bits;
    return 1;
}

static int start_table(builder *b, int bits, num cap) {
    b->used = b->count = 0;
    b->cap = cap;
    const int fresh = bits > b->room_bits;
    if (!make_room(b, bits))
        return 0;
    if (!fresh)
        memset(b->slot, 0, sizeof *b->slot << bits);
    return 1;
}

/* 0: no memory. */
static inline int put(builder *b, num value, unsigned kind) {
    if (value == 0 || value > b->cap)
        return 1;
    const size_t i = slot_of(b->slot, 64 - b->bits, value);
    if (b->slot[i]) {
        if (b->slot[i] & 3)
            b->slot[i] |= kind;
        return 1;
    }
    b->slot[i] = value << 2 | kind;
    if (kind)
        b->list[b->count++] = (uint32_t)i;
    if (++b->used << 1 < (size_t)1 << b->bits)
        return 1;
    if (b->bits == b->room_bits)
        return make_room(b, b->bits + 1);
    b->room_bits = b->bits; /* what lies above is in disorder: go through a fresh block */
    return make_room(b, b->bits + 1);
}

/* ---- a set from its parts: 0 for no memory, or to be stopped ---- */

static inline int may_go_on(const builder *b) { return !b->sink || !pk_stop(b->sink); }

static const num *products_of(const table *t) { return t->all + (t->count - t->products); }

/* A card can be too large to matter. */
static int combine_card(builder *b, const table *single, const table *t) {
    if (single->count == 0)
        return 1;
    const num card = single->all[0];
    int fits = 1;
    for (uint32_t i = 0; i < t->count && fits; i++) {
        const num x = t->all[i];
        fits = (i % MANY || may_go_on(b)) && put(b, plus(x, card), SUM) && put(b, apart(x, card), SUM) &&
               put(b, times(x, card), PRODUCT) && put(b, over(x, card), PRODUCT) && put(b, over(card, x), PRODUCT);
    }
    return fits;
}

static int combine_sums(builder *b, const table *products, const table *rest, int rest_is_product) {
    const num *x = products_of(products), *y = rest_is_product ? products_of(rest) : rest->all;
    const uint32_t count = rest_is_product ? rest->products : rest->count;
    for (uint32_t i = 0; i < products->products; i++) {
        if (!may_go_on(b))
            return 0;
        for (uint32_t k = 0; k < count; k++)
            if (!put(b, plus(x[i], y[k]), SUM) || !put(b, apart(x[i], y[k]), SUM))
                return 0;
    }
    return 1;
}

static int combine_products(builder *b, const table *sums, const table *rest, int rest_is_sum) {
    const uint32_t count = rest_is_sum ? rest->sums : rest->count;
    for (uint32_t i = 0; i < sums->sums; i++) {
        if (!may_go_on(b))
            return 0;
        for (uint32_t k = 0; k < count; k++)
            if (!put(b, times(sums->all[i], rest->all[k]), PRODUCT))
                return 0;
    }
    return 1;
}

static int combine_quotients(builder *b, const table *rest, const table *divisors) {
    for (uint32_t i = 0; i < divisors->sums; i++) {
        if (!may_go_on(b))
            return 0;
        for (uint32_t k = 0; k < rest->count; k++)
            if (!put(b, over(rest->all[k], divisors->all[i]), PRODUCT))
                return 0;
    }
    return 1;
}

/* p and q, of `p_size` <= `q_size` cards, make up the set. */
static int combine(builder *b, const table *p, int p_size, const table *q, int q_size, int fewest) {
    if (p_size == 1)
        return combine_card(b, p, q);
    const int one = q_size < 2 * p_size; /* what is left beside the smallest term cannot be split further */
    return combine_sums(b, p, q, fewest && one) && (fewest || combine_sums(b, q, p, 0)) &&
           combine_products(b, p, q, one) && combine_quotients(b, q, p) && combine_quotients(b, p, q);
}

static size_t most_values(const table *p, int p_size, const table *q) {
    return p_size == 1 ? (size_t)4 * q->count
                       : (size_t)2 * p->products * q->count + (size_t)(p->sums + p->count) * q->count +
                             (size_t)p->count * q->sums;
}

/* Values with their kinds, as slots have them: those of a builder, or of rows if there are some. */
static inline uint64_t entry_of(const builder *b, const uint64_t *rows, size_t i) {
    return rows ? rows[i] : b->slot[b->list[i]];
}

/* Copies `count` entries into a table, in the order of the picture above. 0: no memory. */
static int finish_table(table *t, const builder *b, const uint64_t *rows, size_t count, int hashed) {
    uint32_t place[4] = {0, 0, 0, 0};
    for (size_t i = 0; i < count; i++)
        place[entry_of(b, rows, i) & 3]++;
    int bits = 2;
    while ((size_t)1 << bits < 2 * count + 2)
        bits++;
    const size_t slots = hashed ? (size_t)1 << bits : 0;
    t->all = malloc((count + slots + 1) * sizeof *t->all);
    if (!t->all)
        return 0;
    t->count = (uint32_t)count;
    t->sums = place[SUM] + place[SUM | PRODUCT];
    t->products = place[PRODUCT] + place[SUM | PRODUCT];
    uint32_t next[4] = {0, 0, t->sums, place[SUM]};
    if (hashed) {
        t->slot = t->all + count;
        t->shift = 64 - bits;
        memset(t->slot, 0, slots * sizeof *t->slot);
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t entry = entry_of(b, rows, i);
        t->all[next[entry & 3]++] = entry >> 2;
        if (hashed)
            t->slot[slot_of(t->slot, t->shift, entry >> 2)] = entry;
    }
    return 1;
}

/* ---- all of them ---- */

static void close_builder(tables *ts) {
    free(ts->parts);
    free(ts->b.slot);
    free(ts->b.list);
    ts->parts = NULL;
    ts->b = (builder){0};
}

/* Returns a pk_status. */
static int open_builder(tables *ts, pk_sink *sink) {
    const size_t codes = ts->stock->weight[ts->stock->kinds], subsets = (size_t)1 << ts->stock->most;
    ts->b = (builder){.sink = sink};
    ts->parts = malloc(sizeof *ts->parts * (codes < subsets ? codes : subsets));
    return ts->parts ? PK_OK : PK_ENOMEM;
}

static void close_tables(tables *ts) {
    for (uint32_t i = 0; ts->of && i < ts->stock->start[ts->most + 1]; i++)
        free(ts->of[i].all);
    free(ts->of);
    close_builder(ts);
    memset(ts, 0, sizeof *ts);
}

static const table *table_of(const tables *ts, uint32_t code) { return &ts->of[ts->stock->index[code]]; }

/* A value over a set matters only if the other cards of a hand can bring it to the greatest result or below: it is at
 * most (greatest + 1) times what they can multiply up to. Fractions have no such bound. */
static num cap_of(const tables *ts, uint32_t code, int size) {
    if (ts->greatest == UINT64_MAX)
        return UINT64_MAX;
    return pk_times_saturated(ts->greatest + 1, pk_stock_bound(ts->stock, code, ts->hand - size));
}

/* Puts all values of a set whose parts have their tables into the builder. Returns a pk_status; after a stop some may
 * be missing. */
static int build_table(tables *ts, uint32_t index, int size) {
    const stock *s = ts->stock;
    builder *b = &ts->b;
    const uint32_t code = s->code[index];
    const size_t parts = pk_stock_parts(s, code, ts->parts);
    size_t most = 32;
    for (size_t i = 0; i < parts; i++) {
        const part p = ts->parts[i];
        if (2 * p.size <= size)
            most += 2 * most_values(table_of(ts, p.code), p.size, table_of(ts, code - p.code));
    }
    int bits = 6;
    while (bits < 16 && (size_t)1 << bits < most)
        bits++;
    if (!start_table(b, bits, cap_of(ts, code, size)))
        return PK_ENOMEM;
    if (size == 1) {
        int kind = 0;
        while (!pk_stock_digit(s, code, kind))
            kind++;
        put(b, num_of(s->value[kind]), SUM | PRODUCT);
    }
    for (size_t i = 0; ts->fewest && i < parts; i++) {
        const table *t = table_of(ts, ts->parts[i].code);
        for (uint32_t k = 0; k < t->count; k++)
            if (!put(b, t->all[k], 0))
                return PK_ENOMEM;
    }
    for (size_t i = 0; i < parts; i++) {
        const part p = ts->parts[i];
        const uint32_t rest = code - p.code;
        if (2 * p.size > size || (2 * p.size == size && p.code > rest))
            continue;
        if (!may_go_on(b))
            return PK_OK;
        if (!combine(b, table_of(ts, p.code), p.size, table_of(ts, rest), size - p.size, ts->fewest))
            return may_go_on(b) ? PK_ENOMEM : PK_OK;
    }
    return PK_OK;
}

/* Makes room for the tables of all sets of 1 .. most cards; whether that succeeds or not, the caller closes them.
 * Returns a pk_status. */
static int open_tables(tables *ts, stock *s, int most, int hand, uint64_t greatest, int fewest, int hashed,
                       pk_sink *sink) {
    *ts = (tables){.stock = s, .most = most, .hand = hand, .greatest = greatest, .fewest = fewest, .hashed = hashed};
    ts->of = calloc(s->start[most + 1], sizeof *ts->of);
    return ts->of ? open_builder(ts, sink) : PK_ENOMEM;
}

/* Tables from rows: of each set, in order, the entries, and then a 0. Returns the size of the first set that has none
 * yet; 0: no memory. */
static int take_tables(tables *ts, const uint64_t *rows, uint64_t count) {
    uint32_t sets = 1; /* the empty one */
    uint64_t first = 0;
    for (uint64_t i = 0; i < count; i++)
        if (rows[i] == 0) {
            if (!finish_table(&ts->of[sets++], NULL, rows + first, i - first, ts->hashed))
                return 0;
            first = i + 1;
        }
    int size = 1;
    while (ts->stock->start[size] < sets)
        size++;
    return size;
}

/* The tables of all sets of `size` cards or more. Returns a pk_status; after a stop some are missing. */
static int make_tables(tables *ts, int size) {
    for (; size <= ts->most; size++)
        for (uint32_t i = ts->stock->start[size]; i < ts->stock->start[size + 1]; i++) {
            const int status = build_table(ts, i, size);
            if (status < 0 || !may_go_on(&ts->b))
                return status;
            if (!finish_table(&ts->of[i], &ts->b, NULL, ts->b.count, ts->hashed))
                return PK_ENOMEM;
        }
    return PK_OK;
}

#endif
