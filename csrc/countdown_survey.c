/* countdown_survey.c - which targets of a window lo .. hi every hand of n cards reaches: a whole game space at once.
 *
 * The sets that can be drawn from a deck share nearly all their work: of the UK deck there are 13,243 hands of six
 * cards, but only 14, 101, 494, 1,826 and 5,402 sets of one to five.
 *
 *     1 .. n-2 cards   lists of values, without those that fewer of the cards reach (countdown_tables.h), and windows:
 *                      bit sets that are added and subtracted by shifting
 *     n-1 cards        a bit set of all values up to hi * the greatest card; then for each card c that the deck still
 *                      has: the window shifted up and down by c, and for the targets t still missing t / c and t * c
 *     n cards          the splits into two parts of two cards or more
 *
 * The middle part makes n-1 cards a unit, the last one n cards. Each emits what it knows of a hand; a hand's targets
 * are the union. (If units wrote into one table for all, they would depend on one another.)
 *
 *     a list's windows, in words:   | zeros: W | window: 2W | zeros: W+8 | reverse: W | zeros: W+8 | reached: W |
 *
 * The zeros are read by shifts. Without those below the window the UK deck gets 1,001 false targets, and none in sixty
 * random games. `window` has those values that are added to the smaller part's products: all, or the products if the
 * part is too small to be split again. `reverse` has bit 64W - 1 - v for each v of it, `reached` all values, also those
 * of fewer cards.
 *
 * Values stay below 2^24 in lists (a UK deck's are below 9,400,000), so that floats are exact; pk_countdown_reach_plan
 * takes what does not.
 *
 * Lost: inserting into a byte map, which leaves the L1 cache; a bit set for each of five cards kept for the hands (69
 * megabytes).
 */
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bits.h"
#include "countdown.h"
#include "countdown_whole.h"

#include "countdown_tables.h"

enum {
    MOST_CARDS = 7,
    LEAST_CARDS = 3,
    MOST_HI = 1 << 14,
    MOST_LIMIT = 1 << 21,
    MOST_LISTED = 1 << 24,
    PADDING = 16,
    GRADES = 25
};

typedef struct list {
    const int32_t *all; /* in the order of a table; zeros follow */
    uint32_t count, sums, products;
    int32_t greatest;
    const int32_t *graded; /* the same by number of bits: grade[b] .. grade[b + 1] have b bits */
    uint16_t grade[GRADES + 1];
    const uint64_t *window, *reverse, *reached;
} list;

typedef struct survey {
    pk_plan base;
    stock stock;
    int size, cpu;
    uint32_t lo, hi, words; /* of a window: a multiple of 8 */
    uint32_t bitmap_words;
    list *list; /* by index */
    int32_t *numbers;
    uint64_t *windows;
    uint32_t card[KINDS];
    uint64_t *multiples; /* of each card: a window */
    uint64_t *mask;      /* lo .. hi */
} survey;

/* The second stage: hands by their last card. */
typedef struct last_card {
    pk_plan base;
    const survey *survey;
    const uint64_t *reached;
} last_card;

/* The number of bits, at most GRADES - 1. */
static inline int grade_of(int64_t value) {
    const int bits = 64 - __builtin_clzll((uint64_t)value | 1);
    return bits < GRADES ? bits : GRADES - 1;
}

static inline void set_bit(uint64_t *bits, uint32_t i) { bits[i / 64] |= (uint64_t)1 << i % 64; }
static inline int has_bit(const uint64_t *bits, uint32_t i) { return (int)(bits[i / 64] >> i % 64 & 1); }
/* Bits 0 .. last; all of them if that is more than a word. */
static inline uint64_t up_to(int32_t last) { return last >= 63 ? ~(uint64_t)0 : ((uint64_t)2 << last) - 1; }
static inline const list *list_of(const survey *s, uint32_t code) { return &s->list[s->stock.index[code]]; }

#define LANES 4
#define LANE(name) name##_4
#define LANE_TARGET
#include "countdown_lanes.h"
#undef LANES
#undef LANE
#undef LANE_TARGET

#if defined(__x86_64__)
#define LANES 8
#define LANE(name) name##_8
#define LANE_TARGET __attribute__((target("avx2,bmi,bmi2")))
#include "countdown_lanes.h"
#undef LANES
#undef LANE
#undef LANE_TARGET

#define LANES 16
#define LANE(name) name##_16
#define LANE_TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx2,bmi,bmi2")))
#include "countdown_lanes.h"
#endif

#if defined(__x86_64__)
#define WIDEST(cpu, name) ((cpu) >= 2 ? name##_16 : (cpu) == 1 ? name##_8 : name##_4)
#else
#define WIDEST(cpu, name) ((void)(cpu), name##_4)
#endif

/* ---- the plan ---- */

static void destroy(pk_plan *plan) {
    survey *s = (survey *)plan;
    pk_stock_close(&s->stock);
    free(s->list);
    free(s->numbers);
    free(s->windows);
    free(s->multiples);
    free(s);
}

static void fill_grades(list *l, int32_t *graded) {
    uint16_t next[GRADES];
    for (uint32_t i = 0; i < l->count; i++)
        l->grade[grade_of(l->all[i]) + 1]++;
    for (int g = 0; g < GRADES; g++)
        next[g] = l->grade[g + 1] = (uint16_t)(l->grade[g + 1] + l->grade[g]);
    for (uint32_t i = l->count; i-- > 0;)
        graded[--next[grade_of(l->all[i])]] = l->all[i];
    l->graded = graded;
}

/* The windows of a list of `size` cards; see the picture above. */
static void fill_windows(const survey *s, list *l, int size, uint64_t *at) {
    const uint32_t words = s->words, top = 64 * words - 1;
    const int others = s->size - size; /* cards in the other part of a hand */
    const int one = size < 2 * others;
    uint64_t *const window = at + words, *const reverse = window + 3 * words + 8;
    uint64_t *const reached = reverse + 2 * words + 8;
    for (uint32_t i = 0; i < l->count; i++) {
        const uint32_t v = (uint32_t)l->all[i];
        const int is_product = i >= l->count - l->products;
        if (v <= top)
            set_bit(reached, v);
        if (one && !is_product)
            continue;
        if (v < 128 * words)
            set_bit(window, v);
        if (v <= top)
            set_bit(reverse, top - v);
    }
    l->window = window;
    l->reverse = reverse;
    l->reached = reached;
}

static size_t words_of_windows(const survey *s) { return (size_t)7 * s->words + 16; }

/* Copies the tables into lists of 32-bit numbers. Returns a pk_status. */
static int make_lists(survey *s, const tables *ts) {
    const stock *st = &s->stock;
    const uint32_t sets = st->start[ts->most + 1];
    size_t numbers = 0;
    for (uint32_t i = 1; i < sets; i++) {
        if (ts->of[i].count > UINT16_MAX)
            return PK_EINVAL;
        numbers += 2 * (ts->of[i].count + PADDING);
    }
    s->list = calloc(sets, sizeof *s->list);
    s->numbers = calloc(numbers, sizeof *s->numbers);
    s->windows = calloc(sets * words_of_windows(s), sizeof *s->windows);
    if (!s->list || !s->numbers || !s->windows)
        return PK_ENOMEM;
    int32_t *next = s->numbers;
    for (int size = 1; size <= ts->most; size++)
        for (uint32_t i = st->start[size]; i < st->start[size + 1]; i++) {
            const table *t = &ts->of[i];
            list *l = &s->list[i];
            l->all = next;
            l->count = t->count;
            l->sums = t->sums;
            l->products = t->products;
            for (uint32_t k = 0; k < t->count; k++) {
                if (t->all[k] >= MOST_LISTED)
                    return PK_EINVAL;
                next[k] = (int32_t)t->all[k];
                l->greatest = next[k] > l->greatest ? next[k] : l->greatest;
            }
            fill_grades(l, next + t->count + PADDING);
            next += 2 * (t->count + PADDING);
            fill_windows(s, l, size, s->windows + i * words_of_windows(s));
        }
    return PK_OK;
}

/* Adds to `reached` of each list what the parts of the set reach. */
static void close_reached(survey *s, const tables *ts) {
    const stock *st = &s->stock;
    for (uint32_t i = st->start[2]; i < st->start[ts->most + 1]; i++) {
        uint64_t *const reached = s->windows + (s->list[i].reached - s->windows);
        for (int kind = 0; kind < st->kinds; kind++)
            if (pk_stock_digit(st, st->code[i], kind)) {
                const uint64_t *const fewer = list_of(s, st->code[i] - st->weight[kind])->reached;
                for (uint32_t k = 0; k < s->words; k++)
                    reached[k] |= fewer[k];
            }
    }
}

static int make_masks(survey *s) {
    const int kinds = s->stock.kinds;
    s->multiples = calloc((size_t)(kinds + 1) * s->words, sizeof *s->multiples);
    if (!s->multiples)
        return PK_ENOMEM;
    s->mask = s->multiples + (size_t)kinds * s->words;
    for (uint32_t t = s->lo; t <= s->hi; t++)
        set_bit(s->mask, t);
    for (int kind = 0; kind < kinds; kind++) {
        s->card[kind] = (uint32_t)s->stock.value[kind];
        for (uint64_t t = s->card[kind]; t <= s->hi; t += s->card[kind])
            set_bit(s->multiples + (size_t)kind * s->words, (uint32_t)t);
    }
    return PK_OK;
}

int pk_countdown_survey_plan(const uint64_t *values, const uint8_t *counts, int kinds, int size, uint32_t lo,
                             uint32_t hi, int cpu, const uint64_t *known, uint64_t known_rows, pk_plan **plan) {
    if (size < LEAST_CARDS || size > MOST_CARDS || kinds < 1 || kinds > KINDS || lo < 1 || lo > hi || hi > MOST_HI ||
        values[kinds - 1] * hi > MOST_LIMIT || values[kinds - 1] > MOST_LIMIT)
        return PK_EINVAL;
    survey *s = calloc(1, sizeof *s);
    if (!s)
        return PK_ENOMEM;
    tables ts = {0};
    s->size = size;
    s->lo = lo;
    s->hi = hi;
    s->words = (hi / 512 + 1) * 8;
    s->bitmap_words = hi * (uint32_t)values[kinds - 1] / 64 + 2 + 2 * s->words;
    int status = pk_stock_open(&s->stock, values, counts, kinds, size);
    if (status == PK_OK && s->stock.cards < size)
        status = PK_EINVAL;
    if (status == PK_OK)
        status = open_tables(&ts, &s->stock, size - 2, size, hi, 1, 0, NULL);
    int first = 0; /* size that `known` lacks */
    if (status == PK_OK && !(first = take_tables(&ts, known, known_rows)))
        status = PK_ENOMEM;
    if (status == PK_OK)
        status = make_tables(&ts, first);
    if (status == PK_OK)
        status = make_lists(s, &ts);
    if (status == PK_OK)
        status = make_masks(s);
    if (status == PK_OK)
        close_reached(s, &ts);
    if (ts.stock)
        close_tables(&ts);
    if (status != PK_OK) {
        destroy(&s->base);
        return status;
    }
    s->cpu = cpu;
    s->base.units = s->stock.start[size + 1] - s->stock.start[size];
    s->base.row_bytes = (1 + (size_t)s->words) * sizeof(uint64_t);
    s->base.search = WIDEST(cpu, search_parts);
    s->base.destroy = destroy;
    *plan = &s->base;
    return PK_OK;
}

static void destroy_last(pk_plan *plan) { free(plan); }

int pk_countdown_last_card_plan(const pk_plan *parts, const uint64_t *reached, pk_plan **plan) {
    const survey *s = (const survey *)parts;
    last_card *last = calloc(1, sizeof *last);
    if (!last)
        return PK_ENOMEM;
    last->survey = s;
    last->reached = reached;
    last->base.units = s->stock.start[s->size] - s->stock.start[s->size - 1];
    last->base.row_bytes = s->base.row_bytes;
    last->base.scratch_bytes = (size_t)(s->words + s->bitmap_words + s->words) * sizeof(uint64_t);
    last->base.search = WIDEST(s->cpu, search_cards);
    last->base.destroy = destroy_last;
    *plan = &last->base;
    return PK_OK;
}

/* ---- one hand, without a run ---- */

/* Searches all units of a plan that emits one row each, and joins the rows. */
static int join_units(const pk_plan *plan, void *scratch, uint64_t *row, uint64_t *set, uint32_t words) {
    for (uint64_t unit = 0; unit < plan->units; unit++) {
        pk_sink sink = pk_sink_alone((uint8_t *)row, 1);
        const int status = plan->search(plan, unit, scratch, &sink);
        if (status != PK_OK)
            return status;
        pk_countdown_join((const uint8_t *)row, 1, words, set);
    }
    return PK_OK;
}

int pk_countdown_hand(const uint64_t *values, const uint8_t *counts, int kinds, uint32_t lo, uint32_t hi, int cpu,
                      uint8_t *reached) {
    pk_plan *parts = NULL, *last = NULL;
    int size = 0;
    for (int i = 0; i < kinds; i++)
        size += counts[i];
    int status = pk_countdown_survey_plan(values, counts, kinds, size, lo, hi, cpu, NULL, 0, &parts);
    if (status != PK_OK)
        return status;
    const uint32_t words = ((const survey *)parts)->words;
    uint64_t *set = calloc(2 * (size_t)words + 1, sizeof *set), *row = set ? set + words : NULL;
    void *scratch = NULL;
    status = set ? pk_countdown_last_card_plan(parts, set, &last) : PK_ENOMEM;
    if (status == PK_OK && !(scratch = calloc(1, last->scratch_bytes)))
        status = PK_ENOMEM;
    if (status == PK_OK)
        status = join_units(parts, scratch, row, set, words);
    if (status == PK_OK)
        status = join_units(last, scratch, row, set, words);
    if (status == PK_OK)
        pk_countdown_bytes(set, 1, words, lo, hi, reached);
    free(scratch);
    free(set);
    pk_plan_free(last);
    pk_plan_free(parts);
    return status;
}

/* ---- results ---- */

void pk_countdown_join(const uint8_t *rows, uint64_t count, uint32_t words, uint64_t *sets) {
    for (uint64_t i = 0; i < count; i++, rows += (1 + words) * sizeof(uint64_t)) {
        uint64_t set;
        memcpy(&set, rows, sizeof set);
        for (uint32_t k = 0; k < words; k++) {
            uint64_t word;
            memcpy(&word, rows + (1 + k) * sizeof word, sizeof word);
            sets[set * words + k] |= word;
        }
    }
}

/* Bit k of eight as byte k: 0 or 1. */
static uint64_t spread(uint64_t eight) {
    const uint64_t ones = 0x0101010101010101, each = 0x8040201008040201, below = 0x7f7f7f7f7f7f7f7f;
    const uint64_t bytes = (((eight & 0xff) * ones & each) + below) >> 7 & ones;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return pk_reverse_bytes(bytes);
#else
    return bytes;
#endif
}

void pk_countdown_bytes(const uint64_t *sets, uint64_t count, uint32_t words, uint32_t lo, uint32_t hi, uint8_t *out) {
    for (uint64_t i = 0; i < count; i++, sets += words) {
        uint32_t t = lo;
        for (; t + 7 <= hi; t += 8, out += 8) {
            const uint32_t word = t / 64, bit = t % 64;
            const uint64_t crossing = bit > 56 ? sets[word + 1] << (64 - bit) : 0;
            const uint64_t bytes = spread(sets[word] >> bit | crossing);
            memcpy(out, &bytes, sizeof bytes);
        }
        for (; t <= hi; t++)
            *out++ = (uint8_t)has_bit(sets, t);
    }
}

/* The sets of `left` cards from a kind on, of which there are `cards` cards; returns the end of the rows. */
static uint8_t *list_games(const uint8_t *counts, int kinds, int kind, int left, int cards, uint8_t *row,
                           uint8_t *out) {
    if (left > cards)
        return out;
    if (kind == kinds) {
        memcpy(out, row, (size_t)kinds);
        return out + kinds;
    }
    for (int taken = left < counts[kind] ? left : counts[kind]; taken >= 0; taken--) {
        row[kind] = (uint8_t)taken;
        out = list_games(counts, kinds, kind + 1, left - taken, cards - counts[kind], row, out);
    }
    return out;
}

void pk_countdown_games(const uint8_t *counts, int kinds, int size, uint8_t *out) {
    uint8_t row[KINDS];
    int cards = 0;
    for (int kind = 0; kind < kinds; kind++)
        cards += counts[kind];
    list_games(counts, kinds, 0, size, cards, row, out);
}
