/* queens_lanes.h - the inner loops of the join, for vectors of LANES words. queens_lanes.c includes it once for each
 * width.
 *
 * A group is up to 512 east halves, in 8 words of 64 boards: `parts` vectors. Before the transposition word 8i + l of a
 * group is the lines of an east half; after it, bit i of word l of plane b tells whether that half has line b.
 *
 * Counting adds up words by carry-save adders: eight words give one word of eights and leave ones, twos and fours, so
 * that the bits of one word in eight are counted. Portable and with AVX2 that is less work than counting the bits of
 * each; AVX-512 has an instruction for it.
 */

#define GLUE_(a, b) a##_##b
#define GLUE(a, b) GLUE_(a, b)
#define NAME(name) GLUE(name, SUFFIX)
#define INLINE static inline __attribute__((always_inline))

typedef uint64_t NAME(words) __attribute__((vector_size(8 * LANES), may_alias));
typedef uint64_t NAME(loose_words) __attribute__((vector_size(8 * LANES), may_alias, aligned(8)));
#define words NAME(words)
#define loose_words NAME(loose_words)

/* What has been added up for a class: the bits of ones + 2 * twos + 4 * fours, and 8 * (the bytes of eights + sum). */
typedef struct NAME(adder) {
    words ones, twos, fours, sum;
} NAME(adder);
#define adder NAME(adder)

INLINE words NAME(load)(const uint64_t *from) { return *(const words *)from; }
#define load NAME(load)

/* Counts the bits of each byte. */
INLINE words NAME(byte_bits)(words x) {
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}

/* Adds the bytes of each word; they stay below 2^16 together. */
INLINE words NAME(sum_bytes)(words x) {
    x = (x & 0x00ff00ff00ff00ffu) + (x >> 8 & 0x00ff00ff00ff00ffu);
    x += x >> 16;
    x += x >> 32;
    return x & 0xffff;
}

INLINE words NAME(carry)(words *sum, words a, words b) {
    const words u = *sum ^ a, carry = (*sum & a) | (u & b);
    *sum = u ^ b;
    return carry;
}

/* Pairs come in eights; the last ones may be pairs of empty sets. */
INLINE void NAME(add_pairs)(adder *to, const uint32_t *pair, const uint32_t *end, const uint64_t *north,
                            const uint64_t *south) {
#define TOGETHER(i) (load(north + (pair[i] & 0xffff)) & load(south + (pair[i] >> 16)))
#ifdef COUNT_BITS
    words a = to->sum, b = a ^ a;
    for (; pair < end; pair += 8) {
        a += COUNT_BITS(TOGETHER(0)) + COUNT_BITS(TOGETHER(1)) + COUNT_BITS(TOGETHER(2)) + COUNT_BITS(TOGETHER(3));
        b += COUNT_BITS(TOGETHER(4)) + COUNT_BITS(TOGETHER(5)) + COUNT_BITS(TOGETHER(6)) + COUNT_BITS(TOGETHER(7));
    }
    to->sum = a + b;
#else
    words ones = to->ones, twos = to->twos, fours = to->fours;
    while (pair < end) {
        words bytes = ones ^ ones;
        for (int step = 0; step < 31 && pair < end; step++, pair += 8) {
            words two = NAME(carry)(&ones, TOGETHER(0), TOGETHER(1));
            words other = NAME(carry)(&ones, TOGETHER(2), TOGETHER(3));
            const words four = NAME(carry)(&twos, two, other);
            two = NAME(carry)(&ones, TOGETHER(4), TOGETHER(5));
            other = NAME(carry)(&ones, TOGETHER(6), TOGETHER(7));
            const words eight = NAME(carry)(&fours, four, NAME(carry)(&twos, two, other));
            bytes += NAME(byte_bits)(eight);
        }
        to->sum += NAME(sum_bytes)(bytes);
    }
    to->ones = ones;
    to->twos = twos;
    to->fours = fours;
#endif
#undef TOGETHER
}

static uint64_t NAME(total)(const adder *a) {
    uint64_t total = 0;
    for (int i = 0; i < LANES; i++) {
#ifdef COUNT_BITS
        total += a->sum[i];
#else
        total += (uint64_t)count_bits(a->ones[i]) + 2 * (uint64_t)count_bits(a->twos[i]) +
                 4 * (uint64_t)count_bits(a->fours[i]) + 8 * a->sum[i];
#endif
    }
    return total;
}

/* ---- the lists of a unit ---- */

/* East halves: pairs of a north-east and a south-east way that have no line in common. Writes up to seven words
 * more than it returns. */
INLINE uint64_t *NAME(east_halves)(const join *p, uint64_t *out, const uint64_t *north, size_t norths,
                                   const uint64_t *south, size_t souths) {
    (void)p; /* AVX-512 has an instruction for what AVX2 looks up */
#if LANES == 8
    for (size_t j = 0; j < souths; j += 8) {
        const __m512i s = _mm512_loadu_si512(south + j);
        const __mmask8 valid = (__mmask8)(souths - j >= 8 ? 255 : (1 << (souths - j)) - 1);
        for (size_t i = 0; i < norths; i++) {
            const __m512i n = _mm512_set1_epi64((int64_t)north[i]);
            const __mmask8 mask = _mm512_mask_testn_epi64_mask(valid, n, s);
            _mm512_storeu_si512(out, _mm512_maskz_compress_epi64(mask, _mm512_or_si512(n, s)));
            out += count_bits(mask);
        }
    }
#elif LANES == 4
    for (size_t j = 0; j < souths; j += 4) {
        const __m256i s = _mm256_loadu_si256((const __m256i *)(const void *)(south + j));
        const int valid = souths - j >= 4 ? 15 : (1 << (souths - j)) - 1;
        for (size_t i = 0; i < norths; i++) {
            const __m256i n = _mm256_set1_epi64x((int64_t)north[i]);
            const __m256i apart = _mm256_cmpeq_epi64(_mm256_and_si256(n, s), _mm256_setzero_si256());
            const int mask = _mm256_movemask_pd(_mm256_castsi256_pd(apart)) & valid;
            const __m256i order = _mm256_load_si256((const __m256i *)(const void *)p->pack_words[mask]);
            _mm256_storeu_si256((__m256i *)(void *)out, _mm256_permutevar8x32_epi32(_mm256_or_si256(n, s), order));
            out += count_bits((unsigned)mask);
        }
    }
#else
    for (size_t j = 0; j < souths; j++)
        for (size_t i = 0; i < norths; i++) {
            *out = north[i] | south[j];
            out += !(north[i] & south[j]);
        }
#endif
    return out;
}

/* West halves: pairs of a north-west and a south-west way, as the places of their sets of boards (in words). They go
 * to the list of their class: how many of the two ways have a queen on a long diagonal, those from `middle` on. Writes
 * up to seven pairs more to a list than belong there. */
INLINE void NAME(west_halves)(const join *p, uint32_t *to[3], const uint32_t *north, range norths, uint32_t north_place,
                              const uint32_t *south, range souths, uint32_t south_place, const int classes) {
    (void)p;
    uint32_t *none = to[0], *one = to[1], *two = to[2];
#if LANES >= 4
    for (uint32_t j = souths.start; j < souths.end; j += 8) {
        const __m256i s = _mm256_loadu_si256((const __m256i *)(const void *)(south + j));
        const unsigned valid = souths.end - j >= 8 ? 255 : (1u << (souths.end - j)) - 1;
        const unsigned plain = j >= souths.middle ? 0 : souths.middle - j >= 8 ? 255 : (1u << (souths.middle - j)) - 1;
        const __m256i step = _mm256_set1_epi32(8);
        __m256i places = /* of the eight pairs: a set has 8 words, the southern one is in the upper half */
            _mm256_add_epi32(_mm256_set1_epi32((int)((south_place + 8 * (j - souths.start)) << 16 | north_place)),
                             _mm256_slli_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), 19));
#if LANES == 8
#define APART(n, s) _mm256_testn_epi32_mask(n, s)
#define PACK(mask) _mm256_maskz_compress_epi32((__mmask8)(mask), places)
#else
#define APART(n, s)                                                                                                    \
    _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_and_si256(n, s), _mm256_setzero_si256())))
#define PACK(mask)                                                                                                     \
    _mm256_permutevar8x32_epi32(places, _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)p->pack_bytes[mask])))
#endif
#define PAIRS(i, mask) const unsigned mask = (unsigned)APART(_mm256_set1_epi32((int)north[i]), s) & valid
#define APPEND(list, mask)                                                                                             \
    _mm256_storeu_si256((__m256i *)(void *)(list), PACK(mask));                                                        \
    list += count_bits(mask)
        if (classes == 1) {
            for (uint32_t i = norths.start; i < norths.end; i++, places = _mm256_add_epi32(places, step)) {
                PAIRS(i, mask);
                APPEND(none, mask);
            }
            continue;
        }
        for (uint32_t i = norths.start; i < norths.middle; i++, places = _mm256_add_epi32(places, step)) {
            PAIRS(i, mask);
            APPEND(none, mask & plain);
            APPEND(one, mask & ~plain);
        }
        for (uint32_t i = norths.middle; i < norths.end; i++, places = _mm256_add_epi32(places, step)) {
            PAIRS(i, mask);
            APPEND(one, mask & plain);
            APPEND(two, mask & ~plain);
        }
#undef APART
#undef PACK
#undef PAIRS
#undef APPEND
    }
#else
#define BLOCK(list, first_north, last_north, first_south, last_south)                                                  \
    for (uint32_t i = first_north; i < last_north; i++)                                                                \
        for (uint32_t j = first_south; j < last_south; j++) {                                                          \
            *list = (south_place + 8 * (j - souths.start)) << 16 | (north_place + 8 * (i - norths.start));             \
            list += !(north[i] & south[j]);                                                                            \
        }
    for (uint32_t first = souths.start; first < souths.end; first += 8) { /* so, to have one order everywhere */
        const uint32_t last = souths.end - first >= 8 ? first + 8 : souths.end;
        const uint32_t middle = souths.middle <= first ? first : souths.middle >= last ? last : souths.middle;
        if (classes == 1) {
            BLOCK(none, norths.start, norths.end, first, last)
            continue;
        }
        BLOCK(none, norths.start, norths.middle, first, middle)
        BLOCK(one, norths.start, norths.middle, middle, last)
        BLOCK(one, norths.middle, norths.end, first, middle)
        BLOCK(two, norths.middle, norths.end, middle, last)
    }
#undef BLOCK
#endif
    to[0] = none;
    to[1] = one;
    to[2] = two;
}

/* ---- a group ---- */

/* plane[b] = the boards of the group that do not have line b; what is beyond `count` has all lines. */
INLINE words NAME(make_planes)(const join *p, scratch *s, const uint64_t *east, size_t count, const int parts, int k) {
    words *const plane = (words *)s->plane;
    const int stride = parts * LANES;
    for (int b = 0; b < 64; b++)
        plane[b] = *(const loose_words *)(east + b * stride + k * LANES);
    uint64_t mask = 0xffffffffu;
    for (int distance = 32; distance; distance >>= 1, mask ^= mask << distance)
        for (int base = 0; base < 2 * p->crossing; base += 2 * distance)
            for (int b = base; b < base + distance; b++) {
                const words low = plane[b], high = plane[b + distance];
                plane[b] = (low & mask) | (high << distance & ~mask);
                plane[b + distance] = (low >> distance & mask) | (high & ~mask);
            }
    words valid;
    for (int l = 0; l < LANES; l++) {
        const size_t lane = (size_t)(k * LANES + l);
        const size_t boards = count > lane ? (count - lane + (size_t)stride - 1) / (size_t)stride : 0;
        valid[l] = boards >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << boards) - 1;
    }
    for (int b = 0; b < 2 * p->crossing; b++)
        plane[b] = ~plane[b] & valid;
    return valid;
}

/* For each square in some rows of a western quadrant: the east halves that tolerate a queen there. */
INLINE void NAME(make_squares)(const join *p, scratch *s, words valid, uint32_t rows, int south, int k) {
    const words *const plane = (const words *)s->plane;
    const int h = p->h, reach = h - 1;
    for (; rows; rows &= rows - 1) {
        const int row = __builtin_ctz(rows);
        uint64_t *out = s->square + row * h * 8 + k * LANES;
        for (int column = 0; column < h; column++, out += 8) {
            const int rho = row - column - p->odd, tau = row + column + 1;
            const int sum = south ? -tau : rho, difference = south ? -rho : tau;
            words boards = valid;
            if (-reach <= sum && sum <= reach)
                boards &= plane[reach - sum];
            if (-reach <= difference && difference <= reach)
                boards &= plane[p->crossing + reach + difference];
            *(words *)out = boards;
        }
    }
}

/* The same for queens in two rows at once, for the rows of a list two by two. */
INLINE int NAME(make_couples)(const join *p, const scratch *s, uint32_t rows, uint64_t *out, int k) {
    const int h = p->h;
    int couples = 0;
    for (; rows; couples++) {
        const uint64_t *const first = s->square + __builtin_ctz(rows) * h * 8 + k * LANES;
        uint64_t *to = out + couples * h * h * 8 + k * LANES;
        rows &= rows - 1;
        if (rows) {
            const uint64_t *const second = s->square + __builtin_ctz(rows) * h * 8 + k * LANES;
            for (int a = 0; a < h; a++) {
                const words x = load(first + a * 8);
                for (int b = 0; b < h; b++, to += 8)
                    *(words *)to = x & load(second + b * 8);
            }
            rows &= rows - 1;
        } else {
            for (int a = 0; a < h; a++)
                *(words *)(to + a * 8) = load(first + a * 8);
        }
    }
    return couples;
}

/* For each way of a list: the east halves that tolerate it. */
INLINE void NAME(evaluate)(uint64_t *out, const uint64_t *cells, size_t count, const uint64_t *couple, size_t size,
                           int couples, const uint64_t *all, const int parts) {
#define LOOP(expression)                                                                                               \
    for (size_t i = 0; i < count; i++, out += 8) {                                                                     \
        const uint64_t cell = cells[i];                                                                                \
        (void)cell;                                                                                                    \
        for (int k = 0; k < parts; k++)                                                                                \
            *(words *)(out + k * LANES) = (expression);                                                                \
    }
#define COUPLE(t) load(couple + (t)*size + (cell >> 8 * (t)&255) * 8 + k * LANES)
    if (couples == 0)
        LOOP(load(all + k * LANES))
    else if (couples == 1)
        LOOP(COUPLE(0))
    else if (couples == 2)
        LOOP(COUPLE(0) & COUPLE(1))
    else if (couples == 3)
        LOOP(COUPLE(0) & COUPLE(1) & COUPLE(2))
    else if (couples == 4)
        LOOP(COUPLE(0) & COUPLE(1) & COUPLE(2) & COUPLE(3))
    else if (couples == 5)
        LOOP(COUPLE(0) & COUPLE(1) & COUPLE(2) & COUPLE(3) & COUPLE(4))
    else
        LOOP(COUPLE(0) & COUPLE(1) & COUPLE(2) & COUPLE(3) & COUPLE(4) & COUPLE(5))
#undef COUPLE
#undef LOOP
}

/* Boards of a batch's pairs, as rows. */
INLINE int NAME(list_pairs)(const join *p, scratch *s, const unit *u, const lists *l, const batch *b, int class,
                            pk_sink *sink) {
    const int norths = (count_bits(l->rows[NORTH_WEST]) + 1) / 2, souths = (count_bits(l->rows[SOUTH_WEST]) + 1) / 2;
    const uint32_t *const end = s->pairs[class] + b[1].pairs[class];
    for (const uint32_t *pair = s->pairs[class] + b->pairs[class]; pair < end; pair++) {
        const uint32_t north = *pair & 0xffff, south = *pair >> 16;
        fragment west = s->always;
        int made = 0;
        for (int lane = 0; lane < 8; lane++) {
            uint64_t boards = s->north_boards[north + (uint32_t)lane] & s->south_boards[south + (uint32_t)lane];
            if (boards && !made) {
                add_fragments(p, s, NORTH_WEST, norths, l->cells[NORTH_WEST][b->north + north / 8 - 1], &west);
                add_fragments(p, s, SOUTH_WEST, souths, l->cells[SOUTH_WEST][b->south + south / 8 - 1], &west);
                made = 1;
            }
            for (; boards; boards &= boards - 1) {
                const fragment *const east = s->east_boards + 8 * pk_lowest_bit(boards) + lane;
                const fragment whole = {west.forward | east->forward, west.turned | east->turned};
                if (!put(p, u->images[class], &whole, sink))
                    return 0;
            }
        }
    }
    return 1;
}

/* Joins all west halves with `count` east halves. */
INLINE int NAME(join_group)(const join *p, scratch *s, const unit *u, const lists *l, size_t first, size_t count,
                            adder (*sums)[8 / LANES], const int parts, pk_sink *sink) {
    const size_t size = (size_t)p->h * (size_t)p->h * 8;
    int norths = 0, souths = 0;
    for (int k = 0; k < parts; k++) {
        const words valid = NAME(make_planes)(p, s, s->east + first, count, parts, k);
        *(words *)(s->all + k * LANES) = valid;
        NAME(make_squares)(p, s, valid, l->rows[NORTH_WEST], 0, k);
        norths = NAME(make_couples)(p, s, l->rows[NORTH_WEST], s->north_couples, k);
        NAME(make_squares)(p, s, valid, l->rows[SOUTH_WEST], 1, k);
        souths = NAME(make_couples)(p, s, l->rows[SOUTH_WEST], s->south_couples, k);
    }
    for (const batch *b = s->batches; b < s->batches_end; b++) {
        NAME(evaluate)
        (s->north_boards + 8, l->cells[NORTH_WEST] + b->north, b->norths, s->north_couples, size, norths, s->all,
         parts);
        NAME(evaluate)
        (s->south_boards + 8, l->cells[SOUTH_WEST] + b->south, b->souths, s->south_couples, size, souths, s->all,
         parts);
        for (int c = 0; c < p->classes; c++) {
            if (!u->images[c])
                continue;
            if (!sums) {
                if (!NAME(list_pairs)(p, s, u, l, b, c, sink))
                    return 0;
                continue;
            }
            const uint32_t *const from = s->pairs[c] + b->pairs[c], *const to = s->pairs[c] + b[1].pairs[c];
            for (int k = 0; k < parts; k++)
                NAME(add_pairs)(&sums[c][k], from, to, s->north_boards + k * LANES, s->south_boards + k * LANES);
        }
    }
    return !pk_stop(sink);
}

/* Eight words a vector at a time, whatever the width: so boards are listed in the same order on every machine. */
static int NAME(list_group)(const join *p, scratch *s, const unit *u, const lists *l, size_t first, size_t count,
                            pk_sink *sink) {
    return NAME(join_group)(p, s, u, l, first, count, NULL, 8 / LANES, sink);
}

/* ---- a unit ---- */

INLINE void NAME(east_words)(const lists *l, int quadrant, int h, uint64_t *out) {
    const int crossing = 2 * h - 1;
    const uint64_t low = ((uint64_t)1 << crossing) - 1;
    const int up = quadrant == SOUTH_EAST ? 0 : crossing, across = crossing - up;
    const uint64_t *const lines = l->lines[quadrant];
    for (uint32_t i = 0; i < l->count[quadrant]; i++)
        out[i] = (lines[i] >> 1 & low) << up | lines[i] >> (3 * h + 1) << across;
}

INLINE void NAME(west_words)(const lists *l, int quadrant, int h, uint32_t *out) {
    const uint64_t low = ((uint64_t)1 << h) - 1;
    const int up = quadrant == SOUTH_WEST ? h : 0, across = h - up;
    const uint64_t *const lines = l->lines[quadrant];
    for (uint32_t i = 0; i < l->count[quadrant]; i++)
        out[i] = (uint32_t)((lines[i] & low) << up | lines[i] >> 3 * h << across);
}

static size_t NAME(make_east)(const join *p, scratch *s, const lists *l, int listing) {
    const uint32_t all = ((uint32_t)1 << p->h) - 1;
    NAME(east_words)(l, NORTH_EAST, p->h, s->north_words);
    NAME(east_words)(l, SOUTH_EAST, p->h, s->south_words);
    uint64_t *out = s->east;
    for (uint32_t c = ((uint32_t)1 << count_bits(l->rows[NORTH_EAST])) - 1; c <= all; c = next_combination(c)) {
        const range north = list_range(l, NORTH_EAST, c), south = list_range(l, SOUTH_EAST, all ^ c);
        const uint32_t norths = (p->classes == 3 ? north.middle : north.end) - north.start;
        const uint32_t souths = (p->classes == 3 ? south.middle : south.end) - south.start;
        if (listing) {
            for (uint32_t j = south.start; j < south.start + souths; j++)
                for (uint32_t i = north.start; i < north.start + norths; i++) {
                    *out = s->north_words[i] | s->south_words[j];
                    s->east_origin[out - s->east] = (origin){i, j};
                    out += !(s->north_words[i] & s->south_words[j]);
                }
        } else if (norths && souths) {
            out = NAME(east_halves)(p, out, s->north_words + north.start, norths, s->south_words + south.start, souths);
        }
        if (c == 0)
            break;
    }
    return (size_t)(out - s->east);
}

/* Pairs with so many sets of boards at a time that those stay in the nearest cache. */
static void NAME(make_west)(const join *p, scratch *s, const lists *l) {
    const uint32_t all = ((uint32_t)1 << p->h) - 1;
    uint32_t *const north_word = s->north_meets, *const south_word = s->south_meets;
    NAME(west_words)(l, NORTH_WEST, p->h, north_word);
    NAME(west_words)(l, SOUTH_WEST, p->h, south_word);
    uint32_t *to[3] = {s->pairs[0], s->pairs[1], s->pairs[2]};
    batch *b = s->batches;
    uint32_t c = ((uint32_t)1 << count_bits(l->rows[NORTH_WEST])) - 1;
    while (c <= all) {
        const uint32_t first = c;
        uint32_t low = UINT32_MAX, high = 0, start = 0, end = 0;
        for (int blocks = 0; c <= all; blocks++) {
            const range n = list_range(l, NORTH_WEST, c), so = list_range(l, SOUTH_WEST, all ^ c);
            const uint32_t new_low = so.start < low ? so.start : low, new_high = so.end > high ? so.end : high;
            if (blocks && n.end - start + new_high - new_low > BATCH)
                break;
            start = blocks ? start : n.start;
            end = n.end;
            low = new_low;
            high = new_high;
            c = c ? next_combination(c) : all + 1;
        }
        *b = (batch){start, end - start, low, high - low, {0, 0, 0}};
        for (int k = 0; k < p->classes; k++)
            b->pairs[k] = (uint32_t)(to[k] - s->pairs[k]);
        for (uint32_t d = first; d < c && d <= all; d = d ? next_combination(d) : all + 1) {
            const range n = list_range(l, NORTH_WEST, d), so = list_range(l, SOUTH_WEST, all ^ d);
            const uint32_t at = 8 * (1 + n.start - start), under = 8 * (1 + so.start - low);
            if (p->classes == 1)
                NAME(west_halves)(p, to, north_word, n, at, south_word, so, under, 1);
            else
                NAME(west_halves)(p, to, north_word, n, at, south_word, so, under, 3);
        }
        for (int k = 0; k < p->classes; k++)
            while ((to[k] - s->pairs[k]) % 8)
                *to[k]++ = 0;
        b++;
    }
    for (int k = 0; k < p->classes; k++)
        b->pairs[k] = (uint32_t)(to[k] - s->pairs[k]);
    s->batches_end = b;
}

static int NAME(search)(const pk_plan *plan, uint64_t number, void *memory, pk_sink *sink) {
    const join *p = (const join *)plan;
    const unit *u = p->units + number;
    const int listing = !sink->counting || p->fundamental;
    lists l;
    scratch *s = pk_join_open(p, u, memory, &l, sink);
    const size_t count = s ? NAME(make_east)(p, s, &l, listing) : 0;
    if (!count)
        return PK_OK;
    NAME(make_west)(p, s, &l);
    if (listing) {
        pk_join_fragments(p, s, u, &l);
        for (size_t first = 0; first < count; first += GROUP) {
            const size_t boards = count - first < GROUP ? count - first : GROUP;
            pk_join_east_boards(p, s, &l, first, boards);
            if (!NAME(list_group)(p, s, u, &l, first, boards, sink))
                break;
        }
        return PK_OK;
    }
    adder sums[3][8 / LANES];
    memset(sums, 0, sizeof sums);
    for (size_t first = 0; first < count;) {
        size_t boards = count - first;
        int more = 1;
        if (8 / LANES == 1 || boards > GROUP / 2)
            more =
                NAME(join_group)(p, s, u, &l, first, boards = boards < GROUP ? boards : GROUP, sums, 8 / LANES, sink);
        else if (8 / LANES == 2 || boards > GROUP / 4)
            more = NAME(join_group)(p, s, u, &l, first, boards, sums, 8 / LANES > 1 ? 4 / LANES : 1, sink);
        else
            more = NAME(join_group)(p, s, u, &l, first, boards, sums, 8 / LANES > 2 ? 2 / LANES : 1, sink);
        if (!more)
            return PK_OK;
        first += boards;
    }
    for (int c = 0; c < p->classes; c++)
        for (int k = 0; k < 8 / LANES; k++)
            pk_found(sink, (uint64_t)count_bits(u->images[c]) * NAME(total)(&sums[c][k]));
    return PK_OK;
}

#undef GLUE_
#undef GLUE
#undef NAME
#undef INLINE
#undef words
#undef loose_words
#undef adder
#undef load
#undef LANES
#undef SUFFIX
#undef COUNT_BITS
