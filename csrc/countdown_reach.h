/* countdown_reach.h - the whole numbers that a hand reaches, for a batch of hands.
 *
 * Written once over the arithmetic of countdown_whole.h or countdown_ratio.h. All sets of the hand get their tables,
 * and those are the answer. With a window the whole hand, which is most of the work, needs no table: its values go
 * straight into the window, and fractions among them need not be reduced.
 */
#ifndef PK_COUNTDOWN_REACH_H
#define PK_COUNTDOWN_REACH_H

#include "countdown.h"
#include "countdown_tables.h"

typedef struct reach {
    pk_plan base;
    int kinds;
    uint64_t lo, hi;
    int use_all;
    uint64_t value[KINDS];
    uint8_t *counts;
} reach;

typedef struct window {
    uint64_t lo, hi, *bits;
} window;

static inline void hit(const window *w, uint64_t value) {
    if (value >= w->lo && value <= w->hi)
        w->bits[value / 64] |= (uint64_t)1 << value % 64;
}

static void hit_card(const window *w, const table *single, const table *t) {
    for (uint32_t i = 0; single->count && i < t->count; i++) {
        const num x = t->all[i], card = single->all[0];
        hit(w, plus_whole(x, card));
        hit(w, apart_whole(x, card));
        hit(w, times_whole(x, card));
        hit(w, over_whole(x, card));
        hit(w, over_whole(card, x));
    }
}

/* As combine() does with exact tables: that never misses a value. */
static void hit_parts(const window *w, const table *p, const table *q, pk_sink *sink) {
    const num *products = products_of(p);
    for (uint32_t i = 0; i < p->products && !pk_stop(sink); i++)
        for (uint32_t k = 0; k < q->count; k++) {
            hit(w, plus_whole(products[i], q->all[k]));
            hit(w, apart_whole(products[i], q->all[k]));
        }
    for (uint32_t i = 0; i < p->sums && !pk_stop(sink); i++)
        for (uint32_t k = 0; k < q->count; k++) {
            hit(w, times_whole(p->all[i], q->all[k]));
            hit(w, over_whole(q->all[k], p->all[i]));
        }
}

/* 0: stop. */
static int hit_hand(const window *w, tables *ts, uint32_t code, int size, pk_sink *sink) {
    const size_t parts = pk_stock_parts(ts->stock, code, ts->parts);
    for (size_t i = 0; i < parts; i++) {
        const part p = ts->parts[i];
        if (pk_stop(sink))
            return 0;
        if (p.size == 1)
            hit_card(w, table_of(ts, p.code), table_of(ts, code - p.code));
        else if (p.size < size - 1)
            hit_parts(w, table_of(ts, p.code), table_of(ts, code - p.code), sink);
    }
    return !pk_stop(sink);
}

/* Emits the values of a set, or only marks them in the window. 0: stop. */
static int show_table(const window *w, const table *t, pk_sink *sink) {
    for (uint32_t i = 0; i < t->count; i++) {
        const uint64_t value = whole_of(t->all[i]);
        if (w->bits) {
            hit(w, value);
        } else if (value) {
            uint8_t *const row = pk_room(sink, 1);
            if (!row)
                return 0;
            memcpy(row, &value, sizeof value);
            pk_keep(sink, 1);
        }
    }
    return !pk_stop(sink);
}

static int search_hand(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const reach *r = (const reach *)plan;
    const uint8_t *counts = r->counts + unit * (uint64_t)r->kinds;
    const size_t words = r->hi ? (size_t)(r->hi / 64 + 1) : 0;
    const window w = {r->lo, r->hi, words ? scratch : NULL};
    uint64_t value[KINDS];
    uint8_t count[KINDS];
    int kinds = 0, cards = 0;
    for (int i = 0; i < r->kinds; i++)
        if (counts[i]) {
            value[kinds] = r->value[i];
            count[kinds++] = counts[i];
            cards += counts[i];
        }
    if (words)
        memset(scratch, 0, words * sizeof *w.bits);
    stock s;
    tables ts = {0};
    int status = cards ? pk_stock_open(&s, value, count, kinds, cards) : PK_EINVAL;
    if (status != PK_OK)
        return status;
    const int direct = words && cards > 1, most = cards - direct;
    status = open_tables(&ts, &s, most, cards, words && TABLES_ARE_WHOLE ? r->hi : UINT64_MAX, !r->use_all, 0, sink);
    if (status == PK_OK)
        status = make_tables(&ts, 1);
    int goes_on = status == PK_OK && !pk_stop(sink);
    if (!(r->use_all && direct))
        for (uint32_t i = r->use_all ? s.start[cards] : 1; goes_on && i < s.start[most + 1]; i++)
            goes_on = show_table(&w, &ts.of[i], sink);
    if (goes_on && direct)
        goes_on = hit_hand(&w, &ts, s.code[s.start[cards]], cards, sink);
    close_tables(&ts);
    pk_stock_close(&s);
    if (goes_on && words) {
        uint8_t *const row = pk_room(sink, 1);
        if (row) {
            memcpy(row, scratch, words * sizeof *w.bits);
            pk_keep(sink, 1);
        }
    }
    return status;
}

static void destroy_reach(pk_plan *plan) {
    free(((reach *)plan)->counts);
    free(plan);
}

static int make_reach(const uint64_t *values, const uint8_t *counts, int kinds, uint64_t hands, uint64_t lo,
                      uint64_t hi, int use_all, pk_plan **out) {
    if (kinds < 1 || kinds > KINDS)
        return PK_EINVAL;
    reach *r = calloc(1, sizeof *r);
    uint8_t *copy = malloc((size_t)hands * (size_t)kinds + 1);
    if (!r || !copy) {
        free(r);
        free(copy);
        return PK_ENOMEM;
    }
    memcpy(copy, counts, (size_t)hands * (size_t)kinds);
    memcpy(r->value, values, (size_t)kinds * sizeof *values);
    const size_t bytes = hi ? (size_t)(hi / 64 + 1) * sizeof(uint64_t) : 0;
    r->base = (pk_plan){hands, bytes ? bytes : sizeof(uint64_t), bytes, search_hand, destroy_reach};
    r->kinds = kinds;
    r->lo = lo;
    r->hi = hi;
    r->use_all = use_all;
    r->counts = copy;
    *out = &r->base;
    return PK_OK;
}

#endif
