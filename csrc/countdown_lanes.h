/* countdown_lanes.h - the search of countdown_survey.c for one width of vector registers.
 *
 * Include it with LANES (32-bit numbers in a vector), LANE_TARGET (an attribute, or nothing) and LANE(name). Loops over
 * the words of a window are left to the compiler, which makes vectors of them; divisions and distances are written as
 * vectors, because what they find is rare and must be taken out of its lane.
 *
 * A quotient is found by multiplying with an inverse and rounding, and checked by multiplying back. In floats that is
 * exact: the numbers in lists are below 2^24, and quotients that matter are below 2^21.
 */

typedef int32_t LANE(ints) __attribute__((vector_size(4 * LANES)));
typedef float LANE(floats) __attribute__((vector_size(4 * LANES)));
typedef uint64_t LANE(quads) __attribute__((vector_size(4 * LANES)));
#define ints LANE(ints)
#define floats LANE(floats)
#define quads LANE(quads)

LANE_TARGET static inline unsigned LANE(which)(ints condition) {
#if LANES == 4 && defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)condition);
#elif LANES == 8
    return (unsigned)_mm256_movemask_ps((__m256)condition);
#elif LANES == 16
    return _mm512_test_epi32_mask((__m512i)condition, (__m512i)condition);
#else
    unsigned lanes = 0;
    for (int i = 0; i < LANES; i++)
        lanes |= (unsigned)(condition[i] & 1) << i;
    return lanes;
#endif
}

LANE_TARGET static inline void LANE(mark)(uint64_t *bits, ints values, ints condition) {
    unsigned lanes = LANE(which)(condition);
    if (!lanes)
        return;
    int32_t value[LANES];
    memcpy(value, &values, sizeof values);
    for (; lanes; lanes &= lanes - 1)
        set_bit(bits, (uint32_t)value[pk_lowest_bit(lanes)]);
}

/* Lists end with zeros that fill a vector, and a vector may reach beyond the part of a list that is asked for: what it
 * finds there is true as well. Zeros mark bit 0, which means nothing. */

/* Whole quotients from least to greatest. */
LANE_TARGET static void LANE(divide)(const list *l, int32_t divisor, int32_t least, int32_t greatest, uint64_t *bits) {
    const float inverse = 1.0f / (float)divisor;
    const uint32_t end = l->grade[grade_of((int64_t)greatest * divisor) + 1];
    for (uint32_t i = l->grade[grade_of((int64_t)least * divisor)]; i < end; i += LANES) {
        ints dividend;
        memcpy(&dividend, l->graded + i, sizeof dividend);
        const floats exact = __builtin_convertvector(dividend, floats);
        const ints quotient = __builtin_convertvector(exact * inverse + 0.5f, ints);
        const floats back = __builtin_convertvector(quotient, floats) * (float)divisor;
        LANE(mark)(bits, quotient, (ints)(back == exact) & (quotient <= greatest));
    }
}

/* Whole quotients up to `greatest` of the numbers from `least` on in one list by the sums of another. */
LANE_TARGET static void LANE(divide_into)(const list *l, const list *divisors, int32_t least, int32_t greatest,
                                          uint64_t *bits) {
    for (uint32_t i = l->grade[grade_of(least)]; i < l->count; i++)
        for (uint32_t k = 0; k < divisors->sums; k += LANES) {
            ints divisor;
            memcpy(&divisor, divisors->all + k, sizeof divisor);
            const floats exact = __builtin_convertvector(divisor, floats), dividend = exact * 0 + (float)l->graded[i];
            const ints quotient = __builtin_convertvector(dividend / exact + 0.5f, ints);
            const floats back = __builtin_convertvector(quotient, floats) * exact;
            LANE(mark)(bits, quotient, (ints)(back == dividend) & (quotient <= greatest));
        }
}

/* Products up to `greatest`. */
LANE_TARGET static void LANE(multiply)(const int32_t *from, uint32_t count, int32_t x, int32_t greatest,
                                       uint64_t *bits) {
    for (uint32_t i = 0; i < count; i += LANES) {
        ints y;
        memcpy(&y, from + i, sizeof y);
        const floats product = __builtin_convertvector(y, floats) * (float)x;
        LANE(mark)(bits, __builtin_convertvector(product, ints), (ints)(product <= (float)greatest));
    }
}

/* Distances up to `greatest` from a number above that. */
LANE_TARGET static void LANE(measure)(const int32_t *from, uint32_t count, int32_t x, int32_t greatest,
                                      uint64_t *bits) {
    for (uint32_t i = 0; i < count; i += LANES) {
        ints y;
        memcpy(&y, from + i, sizeof y);
        const ints difference = y - x, sign = difference >> 31, distance = (difference ^ sign) - sign;
        LANE(mark)(bits, distance, distance <= greatest);
    }
}

LANE_TARGET static inline quads LANE(load)(const uint64_t *from) {
    quads v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* (from << x) | (from >> x) at word i. A shift by 64 is done in two steps. */
LANE_TARGET static inline quads LANE(both_ways)(const uint64_t *from, uint32_t x, uint32_t i) {
    const uint64_t *const low = from - x / 64 + i, *const high = from + x / 64 + i;
    const uint32_t by = x % 64;
    return LANE(load)(low) << by | LANE(load)(low - 1) >> 1 >> (63 - by) | LANE(load)(high) >> by |
           LANE(load)(high + 1) << 1 << (63 - by);
}

/* to |= (from << x) | (from >> x) | (x - from), where `reverse` is `from` read from the top of the window. */
LANE_TARGET static inline void LANE(shift)(uint64_t *to, const uint64_t *from, const uint64_t *reverse, uint32_t x,
                                           uint32_t width) {
    const uint32_t back = 64 * width - 1 - x, by = back % 64;
    const uint64_t *const turned = reverse + back / 64;
    for (uint32_t i = 0; i < width; i += LANES / 2) {
        const quads all = LANE(load)(to + i) | LANE(both_ways)(from, x, i) | LANE(load)(turned + i) >> by |
                          LANE(load)(turned + i + 1) << 1 << (63 - by);
        memcpy(to + i, &all, sizeof all);
    }
}

/* ---- a hand in two parts of at least two cards, p the smaller one ---- */

LANE_TARGET static void LANE(add_parts)(const survey *s, const list *p, const list *q, int one, uint64_t *bits) {
    const int32_t top = (int32_t)(64 * s->words - 1), hi = (int32_t)s->hi, lo = (int32_t)s->lo;
    const int32_t *const x = p->all + (p->count - p->products);
    for (uint32_t i = 0; i < p->products; i++) {
        if (x[i] <= top) {
            LANE(shift)(bits, q->window, q->reverse, (uint32_t)x[i], s->words);
        } else if (one) {
            LANE(measure)(q->all + (q->count - q->products), q->products, x[i], top, bits);
        } else {
            const uint32_t first = q->grade[grade_of(x[i] - top)], end = q->grade[grade_of(x[i] + top) + 1];
            LANE(measure)(q->graded + first, end - first, x[i], top, bits);
        }
    }
    for (uint32_t i = 0; i < p->sums; i++) {
        const int32_t a = p->all[i];
        if (a == 1)
            continue;
        if (a > hi) {
            /* no product is small enough */
        } else if (one) {
            LANE(multiply)(q->all, q->sums, a, top, bits);
        } else {
            const int32_t most = hi / a;
            for (int32_t w = lo / a / 64; w <= most / 64; w++)
                for (uint64_t left = q->window[w] & up_to(most - 64 * w); left; left &= left - 1)
                    set_bit(bits, (uint32_t)(a * (64 * w + pk_lowest_bit(left))));
        }
        if (!one && a <= q->greatest / lo)
            LANE(divide)(q, a, lo, top, bits);
    }
    LANE(divide_into)(p, q, 2 * lo, top, bits);
    if (one)
        LANE(divide_into)(q, p, 2 * lo, top, bits);
}

/* ---- all values up to a limit of a set of all cards but one ---- */

/* A value beyond the limit marks bit 0, which costs less than to ask first. */
static inline uint32_t LANE(within)(uint32_t value, uint32_t limit) { return value <= limit ? value : 0; }

LANE_TARGET static void LANE(collect_card)(const list *single, const list *l, uint32_t limit, uint64_t *bits) {
    if (single->count == 0)
        return;
    const uint32_t card = (uint32_t)single->all[0], most = limit / card;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t x = (uint32_t)l->all[i];
        set_bit(bits, LANE(within)(x + card, limit));
        set_bit(bits, LANE(within)(x > card ? x - card : card - x, limit));
        set_bit(bits, LANE(within)(x, most) * card);
        if (x < card && card % x == 0)
            set_bit(bits, card / x);
    }
    if (card > 1)
        LANE(divide)(l, (int32_t)card, 1, (int32_t)limit, bits);
}

LANE_TARGET static void LANE(collect_parts)(const list *p, const list *q, int one, uint32_t limit, uint64_t *bits) {
    const int32_t *const x = p->all + (p->count - p->products);
    const int32_t *const y = one ? q->all + (q->count - q->products) : q->all;
    const uint32_t terms = one ? q->products : q->count, factors = one ? q->sums : q->count;
    for (uint32_t i = 0; i < p->products; i++)
        for (uint32_t k = 0; k < terms; k++) {
            const uint32_t a = (uint32_t)x[i], b = (uint32_t)y[k];
            set_bit(bits, LANE(within)(a + b, limit));
            set_bit(bits, LANE(within)(a > b ? a - b : b - a, limit));
        }
    for (uint32_t i = 0; i < p->sums; i++) {
        const uint32_t a = (uint32_t)p->all[i], most = limit / a;
        for (uint32_t k = 0; k < factors; k++)
            set_bit(bits, LANE(within)((uint32_t)q->all[k], most) * a);
        if (a > 1)
            LANE(divide)(q, (int32_t)a, 1, (int32_t)limit, bits);
    }
    for (uint32_t i = 0; i < q->sums; i++)
        if (q->all[i] > 1 && q->all[i] <= p->greatest)
            LANE(divide)(p, q->all[i], 1, (int32_t)limit, bits);
}

/* One more card beside a set whose values are `bits`, none above `greatest`; `row` has what is reached without. */
LANE_TARGET static void LANE(add_card)(const survey *s, int kind, const uint64_t *bits, uint64_t greatest,
                                       uint64_t *row) {
    const uint32_t card = s->card[kind], width = s->words;
    const uint64_t *const multiples = s->multiples + (size_t)kind * width;
    for (uint32_t i = 0; card / 64 < width && i < width; i += LANES / 2) {
        const quads all = LANE(load)(row + i) | LANE(both_ways)(bits, card, i);
        memcpy(row + i, &all, sizeof all);
    }
    if (s->lo < card)
        for (uint32_t x = 1; x < card; x++)
            if (has_bit(bits, x)) {
                if (card - x <= s->hi)
                    set_bit(row, card - x);
                if (card % x == 0 && card / x <= s->hi)
                    set_bit(row, card / x);
            }
    if (card == 1)
        return;
    for (uint32_t w = s->lo / 64; w < width; w++) {
        const uint64_t missing = s->mask[w] & ~row[w];
        uint64_t found = 0;
        for (uint64_t left = (uint64_t)64 * w * card <= greatest ? missing : 0; left; left &= left - 1) {
            const int bit = pk_lowest_bit(left);
            found |= (uint64_t)has_bit(bits, (64 * w + (uint32_t)bit) * card) << bit;
        }
        for (uint64_t left = missing & multiples[w]; left; left &= left - 1) {
            const int bit = pk_lowest_bit(left);
            found |= (uint64_t)has_bit(bits, (64 * w + (uint32_t)bit) / card) << bit;
        }
        row[w] |= found;
    }
}

/* ---- units ---- */

LANE_TARGET static int LANE(search_parts)(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const survey *s = (const survey *)plan;
    const stock *st = &s->stock;
    const uint32_t code = st->code[st->start[s->size] + unit];
    part parts[1 << MOST_CARDS];
    const size_t count = pk_stock_parts(st, code, parts);
    uint64_t *const row = (uint64_t *)(void *)pk_room(sink, 1);
    (void)scratch;
    if (!row)
        return PK_OK;
    row[0] = unit;
    memset(row + 1, 0, s->words * sizeof *row);
    for (size_t i = 0; i < count; i++) {
        const part p = parts[i];
        const uint32_t rest = code - p.code;
        if (p.size > 1 && (2 * p.size < s->size || (2 * p.size == s->size && p.code <= rest)))
            LANE(add_parts)(s, list_of(s, p.code), list_of(s, rest), s->size < 3 * p.size, row + 1);
    }
    pk_keep(sink, 1);
    return PK_OK;
}

LANE_TARGET static int LANE(search_cards)(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const last_card *last = (const last_card *)plan;
    const survey *s = last->survey;
    const stock *st = &s->stock;
    const int size = s->size - 1;
    const uint32_t code = st->code[st->start[size] + unit], width = s->words;
    uint64_t *const bits = (uint64_t *)scratch + width; /* zeros below */
    uint64_t *const reached = bits + s->bitmap_words;
    part parts[1 << MOST_CARDS];
    const size_t count = pk_stock_parts(st, code, parts);
    uint32_t limit = 128 * width; /* for the shifts */
    for (int kind = 0; kind < st->kinds; kind++)
        if (pk_stock_digit(st, code, kind) < st->count[kind] && s->hi * s->card[kind] > limit)
            limit = s->hi * s->card[kind];
    memset(bits, 0, (limit / 64 + 2) * sizeof *bits);
    memset(reached, 0, width * sizeof *reached);
    for (size_t i = 0; i < count; i++) {
        const part p = parts[i];
        const uint32_t rest = code - p.code;
        if (p.size == size - 1)
            for (uint32_t k = 0; k < width; k++)
                reached[k] |= list_of(s, p.code)->reached[k];
        if (p.size == 1)
            LANE(collect_card)(list_of(s, p.code), list_of(s, rest), limit, bits);
        else if (2 * p.size < size || (2 * p.size == size && p.code <= rest))
            LANE(collect_parts)(list_of(s, p.code), list_of(s, rest), size < 3 * p.size, limit, bits);
    }
    bits[0] &= ~(uint64_t)1;
    for (uint32_t k = 0; k < width; k++)
        reached[k] |= bits[k];
    uint64_t greatest = 1;
    for (int kind = 0; kind < st->kinds; kind++)
        for (int i = pk_stock_digit(st, code, kind); i > 0; i--)
            greatest *= s->card[kind] < 2 ? 2 : s->card[kind];
    for (int kind = 0; kind < st->kinds; kind++)
        if (pk_stock_digit(st, code, kind) < st->count[kind]) {
            const uint64_t hand = st->index[code + st->weight[kind]] - st->start[size + 1];
            uint64_t *const row = (uint64_t *)(void *)pk_room(sink, 1);
            if (!row)
                return PK_OK;
            row[0] = hand;
            for (uint32_t k = 0; k < width; k++)
                row[1 + k] = reached[k] | last->reached[hand * width + k];
            LANE(add_card)(s, kind, bits, greatest, row + 1);
            pk_keep(sink, 1);
        }
    return PK_OK;
}

#undef ints
#undef floats
#undef quads
