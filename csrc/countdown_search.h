/* countdown_search.h - every distinct expression that makes a target, found from the target down.
 *
 * Written once over the arithmetic of countdown_whole.h or countdown_ratio.h.
 *
 * An expression is told by its form: a sum has cards and products as terms, each added or subtracted; a product has
 * cards and sums as factors, each above or below the line; neither order nor nesting within a kind is part of it, and
 * equal cards are the same. Every value is positive. Two expressions that differ by the laws of association and
 * commutation alone, or by equal cards, have the same form:
 *
 *      (25 - (10 - 1)) * 3 * 50   and   50 * (3 * (1 + 25 - 10))         both are   product( 50, 3, sum( 25, 1, -10 ) )
 *
 * A search keeps a list of subgoals (set of cards, value, kind). It takes the last one and goes through its splits: the
 * set is cut into parts, each no smaller (by size, then by index) than the one before it, so that a partition of a
 * multiset comes up once. For all parts but the last their values of the other kind are tried (tables); the last part
 * must have the value that is missing, which a table affirms, or which becomes a subgoal if the part is too large
 * for one. The largest part is searched first, for it alone can fail. When no subgoal is left the form is written down.
 *
 * Parts but the last have at most half of the cards: tables up to that size are enough. Look-alikes arise only where a
 * node has two parts of the same cards, sign and value: then the first must not be written larger than the second.
 *
 * To find the fewest cards the tables are those without values that fewer cards reach, and a limit of one row does the
 * rest: units come by size.
 *
 * For one target of six UK cards the tables cost some 24,000 operations, the search some 40,000 look-ups. Building all
 * forms of up to four cards, as trees rather than values, is 5 times as slow.
 */
#ifndef PK_COUNTDOWN_SEARCH_H
#define PK_COUNTDOWN_SEARCH_H

#include "bits.h"
#include "countdown.h"
#include "countdown_tables.h"

enum {
    NODES = 2 * MAX_SIZE,
    MAX_PAIRS = 1 << 20 /* of a set and a part of it, in all */
};

typedef struct plan {
    pk_plan base;
    stock stock;
    tables tables;
    int form;
    int stage;                /* the size of the sets whose tables a stage makes */
    uint32_t first_set, sets; /* the units of one target, or of a stage */
    uint64_t *targets;
    uint32_t *part_start; /* of a set's parts that are at most half of it, as indices in ascending order */
    uint32_t *part;
    uint8_t *size;   /* of each set */
    uint64_t *bound; /* of each set: no value of it is greater, nor a product of values of disjoint parts */
} plan;

typedef struct node {
    uint32_t set;
    uint8_t kind;     /* SUM or PRODUCT; of a card: either */
    uint8_t negative; /* as a term or factor of its parent */
    uint8_t children, first;
    num value;
} node;

typedef struct search {
    const plan *plan;
    pk_sink *sink;
    int nodes, open; /* in use; subgoals */
    int any;         /* the first node may have any value */
    node node[NODES];
    uint8_t subgoal[NODES];
} search;

static int go_on(search *se);

/* ---- writing a form down ---- */

/* Terms in the order they are written: added ones first, greater ones first. */
static int comes_before(const node *a, const node *b) {
    if (a->negative != b->negative)
        return b->negative;
    if (a->value != b->value)
        return is_less(b->value, a->value);
    return a->set < b->set;
}

/* Appends the tokens of a node; 0 if it is a look-alike of another form. */
static int write_node(const search *se, int at, uint8_t **end) {
    const node *n = &se->node[at];
    if (se->plan->size[n->set] == 1) {
        const stock *s = &se->plan->stock;
        int kind = 0;
        while (s->weight[kind + 1] <= s->code[n->set])
            kind++;
        *(*end)++ = (uint8_t)kind;
        return 1;
    }
    int order[MAX_SIZE];
    for (int i = 0; i < n->children; i++) {
        int k = i;
        for (; k > 0 && comes_before(&se->node[n->first + i], &se->node[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = n->first + i;
    }
    const uint8_t *last = NULL;
    for (int i = 0; i < n->children; i++) {
        const node *child = &se->node[order[i]];
        uint8_t *const begin = *end;
        if (!write_node(se, order[i], end))
            return 0;
        if (i > 0) {
            const node *before = &se->node[order[i - 1]];
            const size_t length = (size_t)(*end - begin);
            if (before->set == child->set && before->value == child->value && before->negative == child->negative &&
                memcmp(last, begin, length) > 0) /* the same cards: the same length */
                return 0;
            *(*end)++ = (uint8_t)((n->kind == SUM ? PK_COUNTDOWN_PLUS : PK_COUNTDOWN_TIMES) + child->negative);
        }
        last = begin;
    }
    return 1;
}

static int emit(search *se) {
    const size_t width = se->plan->base.row_bytes;
    uint8_t *const row = pk_room(se->sink, 1);
    if (!row)
        return 0;
    uint8_t *end = row;
    if (!write_node(se, 0, &end))
        return 1;
    memset(end, PK_COUNTDOWN_END, width - (size_t)(end - row));
    pk_keep(se->sink, 1);
    return !pk_stop(se->sink);
}

/* ---- splitting a subgoal ---- */

typedef struct sum_or_product {
    total sum;
    ratio product;
} sum_or_product;

static sum_or_product none(void) { return (sum_or_product){total_none(), ratio_none()}; }

static sum_or_product extended(sum_or_product a, int kind, num x, int negative) {
    if (kind == SUM)
        a.sum = total_add(a.sum, x, negative);
    else
        a.product = ratio_times(a.product, x, negative);
    return a;
}

/* Whether some terms, but not all, add up to 0, or some factors to 1. A single one never does. */
static int cancels(const search *se, const node *n) {
    const unsigned all = (1u << n->children) - 1;
    for (unsigned some = 3; some < all; some++) {
        if (!(some & (some - 1)))
            continue;
        sum_or_product result = none();
        for (unsigned left = some; left; left &= left - 1) {
            const node *child = &se->node[n->first + pk_lowest_bit(left)];
            result = extended(result, n->kind, child->value, child->negative);
        }
        if (n->kind == SUM ? total_is_zero(result.sum) : ratio_is_one(result.product))
            return 1;
    }
    return 0;
}

/* A set's values as a part of a node of the given kind. */
static const num *part_values(const table *t, int kind, uint32_t *count) {
    *count = kind == SUM ? t->products : t->sums;
    return kind == SUM ? products_of(t) : t->all;
}

static int has_table(const plan *p, uint32_t set) { return p->size[set] <= p->tables.most; }

/* Of a set without a table: is the value too great for it? What is not leaves sums and products within 64 bits. */
static int is_beyond(const plan *p, uint32_t set, num value) { return TABLES_ARE_WHOLE && value > p->bound[set]; }

/* What a product has above the line so far. A lone 1 is no factor but a place-holder, as in 1 / 2 or 1 / (3 * 4):
 * nothing may join it there, and it joins nothing, or something would be multiplied by 1. */
enum { NOTHING, FACTORS, LONE_ONE };

static int above_with(const plan *p, int above, num value, int negative) {
    return negative ? above : is_one(value) && p->form != PK_COUNTDOWN_RAW ? LONE_ONE : FACTORS;
}

/* May a part of this value join a node of the given kind? Of whole numbers 1 / n is never one. */
static int may_join(const plan *p, int kind, int above, num value, int negative) {
    if (kind == SUM || p->form == PK_COUNTDOWN_RAW)
        return 1;
    if (is_one(value))
        return !TABLES_ARE_WHOLE && !negative && above == NOTHING;
    return negative || above != LONE_ONE;
}

/* May the set have this value as an expression of the other kind than `kind`? */
static int is_possible(const plan *p, uint32_t set, num value, int kind) {
    if (value == 0)
        return 0;
    if (!has_table(p, set))
        return !is_beyond(p, set, value);
    return (kinds_of(&p->tables.of[set], value) & (unsigned)(kind ^ (SUM | PRODUCT))) != 0;
}

static void push(search *se, uint32_t set, int kind, num value, int negative) {
    if (se->plan->size[set] > 1)
        se->subgoal[se->open++] = (uint8_t)se->nodes;
    se->node[se->nodes++] =
        (node){set, (uint8_t)(kind ^ (SUM | PRODUCT)), (uint8_t)negative, 0, (uint8_t)se->nodes, value};
}

static void pop(search *se) {
    if (se->plan->size[se->node[--se->nodes].set] > 1)
        se->open--;
}

/* Terms of the same cards stand in ascending order, added ones first. */
static int is_in_order(const search *se, int parent, uint32_t set, num value, int negative) {
    const node *n = &se->node[parent], *before = &se->node[se->nodes - 1];
    if (n->children == 0 || before->set != set)
        return 1;
    return before->negative != negative ? negative : before->value <= value;
}

static int is_free(const search *se, const node *n) { return se->any && n == se->node; }

/* As close_node() for the first node when it may have any value: all values of the last part will do. 0: stop. */
static int close_free(search *se, uint32_t rest, sum_or_product so_far, int above) {
    const plan *p = se->plan;
    node *n = &se->node[0];
    uint32_t count;
    const num *values = part_values(&p->tables.of[rest], n->kind, &count);
    for (uint32_t k = 0; k < count; k++)
        for (int negative = 0; negative < 2; negative++) {
            const sum_or_product all = extended(so_far, n->kind, values[k], negative);
            if (!(n->kind == SUM ? total_is_value(all.sum) : ratio_is_value(all.product)) ||
                (n->kind == PRODUCT && negative && above == NOTHING) ||
                !may_join(p, n->kind, above, values[k], negative) || !is_possible(p, rest, values[k], n->kind) ||
                !is_in_order(se, 0, rest, values[k], negative))
                continue;
            push(se, rest, n->kind, values[k], negative);
            n->children++;
            const int goes_on = (p->form == PK_COUNTDOWN_IRREDUNDANT && n->children > 2 && cancels(se, n)) || go_on(se);
            n->children--;
            pop(se);
            if (!goes_on)
                return 0;
        }
    return 1;
}

/* The last part of a node is the whole rest, and must have the value that is missing. 0: stop. */
static int close_node(search *se, int parent, uint32_t rest, sum_or_product so_far, int above) {
    const plan *p = se->plan;
    node *n = &se->node[parent];
    if (is_free(se, n))
        return close_free(se, rest, so_far, above);
    for (int way = 0; way < (n->kind == SUM ? 1 : 2); way++) {
        int negative = way;
        const num value = n->kind == SUM ? total_rest(so_far.sum, n->value, &negative)
                                         : ratio_rest(so_far.product, n->value, negative);
        if ((n->kind == PRODUCT && negative && above == NOTHING) || !may_join(p, n->kind, above, value, negative) ||
            !is_possible(p, rest, value, n->kind) || !is_in_order(se, parent, rest, value, negative))
            continue;
        push(se, rest, n->kind, value, negative);
        n->children++;
        const int goes_on = (p->form == PK_COUNTDOWN_IRREDUNDANT && n->children > 2 && cancels(se, n)) || go_on(se);
        n->children--;
        pop(se);
        if (!goes_on)
            return 0;
    }
    return 1;
}

/* In which kinds the rest of a node has the value that is missing: of the other kind it can be the last part, of the
 * node's own kind it can be split into several. */
static unsigned kinds_of_rest(const search *se, const node *n, uint32_t rest, sum_or_product so_far) {
    const plan *p = se->plan;
    if (is_free(se, n))
        return SUM | PRODUCT;
    if (n->kind == SUM) {
        int negative;
        const num value = total_rest(so_far.sum, n->value, &negative);
        if (value == 0) /* several parts that cancel out */
            return p->form <= PK_COUNTDOWN_PLAIN ? SUM : 0;
        if (!has_table(p, rest))
            return is_beyond(p, rest, value) ? 0 : SUM | PRODUCT;
        return kinds_of(&p->tables.of[rest], value);
    }
    const num above = ratio_rest(so_far.product, n->value, 0), under = ratio_rest(so_far.product, n->value, 1);
    if (above == 0 && under == 0)
        return ratio_may_follow(so_far.product, n->value, p->bound[rest]) ? PRODUCT : 0;
    if (!has_table(p, rest))
        return SUM | PRODUCT;
    const table *t = &p->tables.of[rest];
    return (above ? kinds_of(t, above) : 0) | (under ? kinds_of(t, under) : 0);
}

/* Cuts parts no smaller than `least` from the rest of a node. 0: stop. */
static int split(search *se, int parent, uint32_t rest, uint32_t least, sum_or_product so_far, int above) {
    const plan *p = se->plan;
    const stock *s = &p->stock;
    node *n = &se->node[parent];
    if (n->children && rest >= least && !close_node(se, parent, rest, so_far, above))
        return 0;
    if (n->children && (p->size[rest] == 1 || !(kinds_of_rest(se, n, rest, so_far) & n->kind)))
        return 1;
    for (uint32_t i = p->part_start[rest]; i < p->part_start[rest + 1]; i++) {
        const uint32_t part = p->part[i], left = s->index[s->code[rest] - s->code[part]];
        if (part < least || left < part)
            continue;
        uint32_t count;
        const num *values = part_values(&p->tables.of[part], n->kind, &count);
        for (uint32_t k = 0; k < count; k++) {
            for (int negative = 0; negative < 2; negative++) {
                if (!may_join(p, n->kind, above, values[k], negative))
                    continue;
                const sum_or_product next = extended(so_far, n->kind, values[k], negative);
                if (!kinds_of_rest(se, n, left, next) || !is_in_order(se, parent, part, values[k], negative))
                    continue;
                push(se, part, n->kind, values[k], negative);
                n->children++;
                const int goes_on = split(se, parent, left, part, next, above_with(p, above, values[k], negative));
                n->children--;
                pop(se);
                if (!goes_on)
                    return 0;
            }
        }
    }
    return 1;
}

/* Splits the last subgoal in all ways, or writes the form down if there is none. 0: stop. */
static int go_on(search *se) {
    if (se->open == 0)
        return emit(se);
    const int at = se->subgoal[--se->open];
    node *n = &se->node[at];
    n->first = (uint8_t)se->nodes;
    const int goes_on =
        (has_table(se->plan, n->set) || !pk_stop(se->sink)) && split(se, at, n->set, 0, none(), NOTHING);
    se->subgoal[se->open++] = (uint8_t)at;
    return goes_on;
}

/* All expressions over a set. 0: stop. */
static int search_any(search *se, uint32_t set, int kind) {
    se->any = !has_table(se->plan, set);
    uint32_t count = 1;
    const num *values = NULL;
    if (!se->any) {
        const table *t = &se->plan->tables.of[set];
        count = kind == SUM ? t->sums : t->products;
        values = kind == SUM ? t->all : products_of(t);
    }
    for (uint32_t i = 0; i < count; i++) {
        push(se, set, kind ^ (SUM | PRODUCT), values ? values[i] : 0, 0);
        if (!go_on(se))
            return 0;
        pop(se);
    }
    return 1;
}

static int search_set(const pk_plan *base, uint64_t unit, void *scratch, pk_sink *sink) {
    const plan *p = (const plan *)base;
    const uint32_t set = p->first_set + (uint32_t)(unit % p->sets);
    const num target = num_of(p->targets[unit / p->sets]);
    search *se = scratch;
    se->plan = p;
    se->sink = sink;
    se->any = 0;
    for (int kind = SUM; kind <= PRODUCT; kind++) {
        se->nodes = se->open = 0;
        if (kind == PRODUCT && p->size[set] == 1)
            break;
        if (p->targets[unit / p->sets] == 0) {
            if (!search_any(se, set, kind))
                break;
        } else if (target != 0 && (!has_table(p, set) || kinds_of(&p->tables.of[set], target) & (unsigned)kind)) {
            push(se, set, kind ^ (SUM | PRODUCT), target, 0);
            if (!go_on(se))
                break;
        }
    }
    return PK_OK;
}

/* ---- the plan ---- */

static void destroy(pk_plan *base) {
    plan *p = (plan *)base;
    close_tables(&p->tables);
    pk_stock_close(&p->stock);
    free(p->targets);
    free(p->part_start);
    free(p->part);
    free(p->size);
    free(p->bound);
    free(p);
}

static int compare_places(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static int list_parts(plan *p) {
    const stock *s = &p->stock;
    const uint32_t sets = s->start[s->most + 1];
    size_t room = 0, pairs = 1;
    for (int kind = 0; kind < s->kinds && pairs <= MAX_PAIRS; kind++)
        pairs *= (s->count[kind] + 1u) * (s->count[kind] + 2u) / 2;
    if (pairs > MAX_PAIRS)
        return PK_EINVAL;
    p->size = malloc(sets);
    p->part_start = malloc((sets + 1) * sizeof *p->part_start);
    p->part = malloc(pairs * sizeof *p->part);
    p->bound = malloc(sets * sizeof *p->bound);
    if (!p->size || !p->bound || !p->part_start || !p->part)
        return PK_ENOMEM;
    for (int size = 0; size <= s->most; size++)
        memset(p->size + s->start[size], size, s->start[size + 1] - s->start[size]);
    for (uint32_t i = 0; i < sets; i++) {
        p->part_start[i] = (uint32_t)room;
        p->bound[i] = 1;
        for (int kind = 0; kind < s->kinds; kind++)
            for (int digit = pk_stock_digit(s, s->code[i], kind); digit > 0; digit--)
                p->bound[i] *= s->value[kind] < 2 ? 2 : s->value[kind];
        const size_t parts = i ? pk_stock_parts(s, s->code[i], p->tables.parts) : 0;
        for (size_t k = 0; k < parts; k++)
            if (2 * p->tables.parts[k].size <= p->size[i])
                p->part[room++] = s->index[p->tables.parts[k].code];
        qsort(p->part + p->part_start[i], room - p->part_start[i], sizeof *p->part, compare_places);
    }
    p->part_start[sets] = (uint32_t)room;
    return PK_OK;
}

/* Tables beyond half of the cards save searching. */
static int table_size(int cards) {
    const int half = (cards + 1) / 2, wanted = cards > 6 ? 5 : 4, size = half > wanted ? half : wanted;
    return size < cards ? size : cards;
}

/* ---- tables in stages ---- */

/* Of the plan for a stage: emits the values of a set as take_tables() wants them. */
static int search_table(const pk_plan *base, uint64_t unit, void *scratch, pk_sink *sink) {
    const plan *p = (const plan *)base;
    const uint32_t index = p->first_set + (uint32_t)unit;
    tables ts = p->tables; /* with a builder of its own */
    (void)scratch;
    int status = open_builder(&ts, sink);
    if (status == PK_OK)
        status = build_table(&ts, index, p->stage);
    uint8_t *const row = status == PK_OK && !pk_stop(sink) ? pk_room(sink, ts.b.count + 1) : NULL;
    if (row) {
        for (size_t i = 0; i <= ts.b.count; i++) {
            const uint64_t entry = i < ts.b.count ? entry_of(&ts.b, NULL, i) : 0;
            memcpy(row + i * sink->stride, &entry, sizeof entry);
        }
        pk_keep(sink, ts.b.count + 1);
    }
    close_builder(&ts);
    return status;
}

/* ---- both plans ---- */

/* A plan to search for expressions, or with `stage` one for the tables of the smallest sets that `known` lacks. */
static int make_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                     int targets_count, int form, int use_all, int largest, int capped, const uint64_t *known,
                     uint64_t known_rows, int stage, pk_plan **out) {
    plan *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    int cards = 0;
    for (int i = 0; i < kinds; i++)
        cards += counts[i];
    if (use_all && form == PK_COUNTDOWN_FEWEST) /* a 1 has to go somewhere */
        form = PK_COUNTDOWN_RAW;
    uint64_t greatest = 0;
    for (int i = 0; i < targets_count; i++)
        greatest = targets[i] == 0 ? UINT64_MAX : targets[i] > greatest ? targets[i] : greatest;
    largest = use_all || largest > cards ? cards : largest;
    const int most = targets[0] ? table_size(largest) : largest > 1 ? largest - 1 : 1;
    int status =
        largest < 1 || largest > MAX_SIZE ? PK_EINVAL : pk_stock_open(&p->stock, values, counts, kinds, largest);
    if (status == PK_OK)
        status = open_tables(&p->tables, &p->stock, most, largest, capped ? greatest : UINT64_MAX,
                             form == PK_COUNTDOWN_FEWEST, !stage, NULL);
    if (status == PK_OK && !(p->stage = take_tables(&p->tables, known, known_rows)))
        status = PK_ENOMEM;
    if (status == PK_OK && !stage)
        status = make_tables(&p->tables, p->stage);
    if (status == PK_OK && !stage)
        status = list_parts(p);
    p->targets = malloc((size_t)targets_count * sizeof *targets);
    if (status == PK_OK && !p->targets)
        status = PK_ENOMEM;
    if (status != PK_OK) {
        destroy(&p->base);
        return status;
    }
    memcpy(p->targets, targets, (size_t)targets_count * sizeof *targets);
    p->form = form;
    *out = &p->base;
    if (stage) {
        p->first_set = p->stock.start[p->stage];
        p->sets = p->stage <= most ? p->stock.start[p->stage + 1] - p->first_set : 0;
        p->base = (pk_plan){p->sets, sizeof(uint64_t), 0, search_table, destroy};
        return PK_OK;
    }
    p->first_set = use_all ? p->stock.start[cards] : 1;
    p->sets = p->stock.start[largest + 1] - p->first_set;
    p->base = (pk_plan){(uint64_t)p->sets * (uint64_t)targets_count, 2 * (size_t)cards - 1, sizeof(search), search_set,
                        destroy};
    return PK_OK;
}

#endif
