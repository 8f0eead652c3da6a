/* lanes_body.h - the solver for one number of lanes: lanes.c includes it once for each kind of CPU.
 *
 * LANES is the number of lanes, and VARIANT(name) makes names of their own. What is meant is in lanes.c.
 */

typedef uint32_t VARIANT(vector) __attribute__((vector_size(4 * LANES)));
#define V VARIANT(vector)
#define EVERY_LANE ((1u << LANES) - 1)

typedef union VARIANT(row) {
    V all;
    uint32_t lane[LANES];
} VARIANT(row);
#define ROW VARIANT(row)

/* What a round finds out about the lanes: a bit each. */
typedef struct VARIANT(verdict) {
    uint32_t changed, dead, open;
} VARIANT(verdict);

typedef struct VARIANT(scratch) {
    ROW state[WORDS];
    ROW two[3], several[3]; /* cells with exactly two digits; with two or more */
    lane_state stack[LANES][DEPTH];
} VARIANT(scratch);

INLINE V VARIANT(choose)(V mask, V a, V b) { return (a & mask) | (b & ~mask); }
#define CHOOSE VARIANT(choose)

/* Exactly one of three. */
INLINE V VARIANT(one_of)(V a, V b, V c) { return (a ^ b ^ c) & ~(a & b); }
#define ONE_OF VARIANT(one_of)

/* The other two rows (or bands) of nine bits; bits from 27 on are rubbish. */
INLINE V VARIANT(others)(V a) { return (a >> 9) | (a << 18) | (a >> 18) | (a << 9); }
#define OTHERS VARIANT(others)

/* a from the next row, and b from the one after that. */
INLINE V VARIANT(diagonal)(V a, V b) { return ((a >> 9) | (a << 18)) & ((b >> 18) | (b << 9)); }
#define DIAGONAL VARIANT(diagonal)

/* Three bits become nine: 1 at places 0, 3, 6.. becomes 111. */
INLINE V VARIANT(widen)(V a) { return (a << 3) - a; }
#define WIDEN VARIANT(widen)

INLINE uint32_t VARIANT(nonzero)(V v) {
#if LANES == 16
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v);
#else
    const V mask = (V)(v != 0);
#if LANES == 8
    return (uint32_t)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    return (uint32_t)_mm_movemask_ps((__m128)mask);
#else
    uint32_t bits = 0;
    for (int i = 0; i < LANES; i++)
        bits |= (mask[i] & 1) << i;
    return bits;
#endif
#endif
}

/* One round of propagation, all digits. */
INLINE VARIANT(verdict) VARIANT(propagate)(VARIANT(scratch) * s) {
    const V zero = {0}, full = zero + 0x7ffffffu, nine = zero + 0x1ffu;
    const V first = zero + 0x1249249u;                          /* the first cell of each triad */
    const V box2 = zero + 0x70381c0u, box0 = zero + 0x01c0e07u; /* the last and the first triad of each row */
    const V third = zero + 0x4924924u;
    V dead = zero, open = zero, single[3], decided[3] = {zero, zero, zero};

    for (int b = 0; b < 3; b++) {
        V one = s->state[b].all, two = zero, three = zero;
        for (int d = 1; d < 9; d++) {
            const V x = s->state[3 * d + b].all;
            three |= two & x;
            two |= one & x;
            one |= x;
        }
        dead |= one ^ full;
        open |= two;
        single[b] = one & ~two;
        s->several[b].all = two;
        s->two[b].all = two & ~three;
    }

    V kept[WORDS], sure[WORDS];
    for (int d = 0; d < 9; d++) { /* not unrolled: gcc 12 then spills, and is slower by a third */
        /* Rows against boxes, three bands in one vector: the triads of band b at places b, b + 3, b + 6... */
        V x[3], naked[3], named[3], triads = zero, names = zero;
        UNROLL(3)
        for (int b = 0; b < 3; b++) {
            x[b] = s->state[3 * d + b].all & ~decided[b];
            naked[b] = x[b] & single[b];
            named[b] = (naked[b] | naked[b] >> 1 | naked[b] >> 2) & first;
            triads |= ((x[b] | x[b] >> 1 | x[b] >> 2) & first) << b;
            names |= named[b] << b;
        }
        triads &= ~(CHOOSE(box2, names << 6, names >> 3) | CHOOSE(box0, names >> 6, names << 3) | OTHERS(names));
        const V next = CHOOSE(box2, triads << 6, triads >> 3), after = CHOOSE(box0, triads >> 6, triads << 3);
        const V held = triads & (DIAGONAL(next, after) | DIAGONAL(after, next));
        dead |= ((held | held >> 3 | held >> 6) & 7) ^ 7;
        const V lone = held & ~(CHOOSE(box2, held << 6, held >> 3) | CHOOSE(box0, held >> 6, held << 3));

        V settled[3];
        V exact = zero;
        UNROLL(3)
        for (int b = 0; b < 3; b++) {
            x[b] &= WIDEN((held >> b) & first) & ~(WIDEN(named[b]) & ~naked[b]);
            exact |= (ONE_OF(x[b], x[b] >> 1, x[b] >> 2) & first) << b;
        }
        const V hidden = lone & exact;
        UNROLL(3)
        for (int b = 0; b < 3; b++)
            settled[b] = x[b] & (WIDEN((hidden >> b) & first) | naked[b]);

        /* Columns: place 9 * band + column. */
        V some = zero, single_in = zero, taken = zero;
        UNROLL(3)
        for (int b = 0; b < 3; b++) {
            const V up = x[b] >> 9, top = x[b] >> 18;
            some |= ((x[b] | up | top) & nine) << (9 * b);
            single_in |= (ONE_OF(x[b], up, top) & nine) << (9 * b);
            taken |= ((settled[b] | settled[b] >> 9 | settled[b] >> 18) & nine) << (9 * b);
        }
        some &= ~OTHERS(taken);
        const V right = CHOOSE(third, some << 2, some >> 1), left = CHOOSE(first, some >> 2, some << 1);
        const V stand = some & (DIAGONAL(right, left) | DIAGONAL(left, right));
        dead |= ((stand | stand >> 9 | stand >> 18) & nine) ^ nine;
        const V alone = stand & ~OTHERS(stand) & single_in;
        UNROLL(3)
        for (int b = 0; b < 3; b++) {
            const V may = (stand >> (9 * b)) & nine, must = (alone >> (9 * b)) & nine;
            const V y = x[b] & (may | may << 9 | may << 18);
            const V h = settled[b] | (y & (must | must << 9 | must << 18));
            kept[3 * d + b] = y;
            sure[3 * d + b] = h;
            decided[b] |= h;
        }
    }

    V changed = zero;
    UNROLL(9)
    for (int d = 0; d < 9; d++)
        for (int b = 0; b < 3; b++) {
            const V y = kept[3 * d + b] & (~decided[b] | sure[3 * d + b]);
            changed |= y ^ s->state[3 * d + b].all;
            s->state[3 * d + b].all = y;
        }
    return (VARIANT(verdict)){VARIANT(nonzero)(changed), VARIANT(nonzero)(dead), VARIANT(nonzero)(open)};
}

INLINE void VARIANT(put)(VARIANT(scratch) * s, int lane, const lane_state *state) {
    for (int i = 0; i < WORDS; i++)
        s->state[i].lane[lane] = state->word[i];
}

INLINE void VARIANT(get)(const VARIANT(scratch) * s, int lane, lane_state *state) {
    for (int i = 0; i < WORDS; i++)
        state->word[i] = s->state[i].lane[lane];
}

/* The cells of a puzzle that hold `digit`: cells 0..63, and 64..80. */
INLINE void VARIANT(find)(const uint8_t *puzzle, int digit, uint64_t *low, uint32_t *high) {
#if LANES >= 8
    const __m256i wanted = _mm256_set1_epi8((char)digit);
#define AT(i)                                                                                                          \
    (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(puzzle + i)), wanted))
    *low = (uint64_t)AT(32) << 32 | AT(0);
    *high = AT(49) >> 15;
#undef AT
#elif defined(__SSE2__)
    const __m128i wanted = _mm_set1_epi8((char)digit);
#define AT(i) (uint64_t) _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(puzzle + i)), wanted))
    *low = AT(48) << 48 | AT(32) << 32 | AT(16) << 16 | AT(0);
    *high = (uint32_t)(AT(64) | AT(65) >> 15 << 16);
#undef AT
#else
    *low = 0;
    *high = 0;
    for (int i = 0; i < 64; i++)
        *low |= (uint64_t)(puzzle[i] == digit) << i;
    for (int i = 64; i < CELLS; i++)
        *high |= (uint32_t)(puzzle[i] == digit) << (i - 64);
#endif
}

INLINE void VARIANT(load)(const uint8_t *puzzle, int forbid, VARIANT(scratch) * s, int lane) {
    uint64_t low[9], all_low = 0;
    uint32_t high[9], all_high = 0;
    for (int d = 0; d < 9; d++) {
        VARIANT(find)(puzzle, d + 1, &low[d], &high[d]);
        all_low |= low[d];
        all_high |= high[d];
    }
    if (forbid >= 0) {
        const int d = puzzle[forbid] - 1;
        uint64_t bit_low = 0;
        uint32_t bit_high = 0;
        if (forbid < 64)
            bit_low = (uint64_t)1 << forbid;
        else
            bit_high = 1u << (forbid - 64);
        for (int e = 0; e < 9; e++) {
            low[e] |= bit_low;
            high[e] |= bit_high;
        }
        low[d] &= ~bit_low;
        high[d] &= ~bit_high;
    }
    for (int d = 0; d < 9; d++) {
        const uint64_t x = low[d] | ~all_low;
        const uint32_t y = high[d] | ~all_high;
        s->state[3 * d].lane[lane] = x & 0x7ffffff;
        s->state[3 * d + 1].lane[lane] = x >> 27 & 0x7ffffff;
        s->state[3 * d + 2].lane[lane] = (uint32_t)(x >> 54 | (uint64_t)y << 10) & 0x7ffffff;
    }
}

/* Four planes of the digits' bits, spread into bytes eight cells at a time. */
INLINE void VARIANT(write)(const VARIANT(scratch) * s, int lane, uint8_t *out) {
    uint64_t low[4] = {0}, high[4] = {0};
    for (int b = 0; b < 3; b++) {
        uint64_t plane[4] = {0};
        for (int d = 0; d < 9; d++)
            for (int p = 0; p < 4; p++)
                if ((d + 1) >> p & 1)
                    plane[p] |= s->state[3 * d + b].lane[lane];
        for (int p = 0; p < 4; p++) {
            low[p] |= plane[p] << (27 * b);
            if (b == 2)
                high[p] = plane[p] >> 10;
        }
    }
    for (int i = 0; i < CELLS - 1; i += 8) {
        uint64_t bytes = 0;
        for (int p = 3; p >= 0; p--) {
            uint64_t bits;
            memcpy(&bits, spread + 8 * ((i < 64 ? low[p] >> i : high[p] >> (i - 64)) & 0xff), 8);
            bytes = bytes << 1 | bits;
        }
        memcpy(out + i, &bytes, 8);
    }
    out[80] =
        (uint8_t)((high[0] >> 16 & 1) | (high[1] >> 16 & 1) << 1 | (high[2] >> 16 & 1) << 2 | (high[3] >> 16 & 1) << 3);
}

/* Where to guess: of the band with most cells of two digits the digit that is commonest there, at its first such cell;
 * without such cells, the first cell of the fewest digits. The lane keeps the lowest digit of that cell, and `rest` is
 * the lane without it. */
INLINE void VARIANT(guess)(VARIANT(scratch) * s, int lane, lane_state *rest) {
    /* No branches in what is compared: they would be mispredicted at every guess. The first of equals is the greatest:
     * places count down in the lowest bits. */
    uint32_t most = 0;
    for (int b = 0; b < 3; b++) {
        const uint32_t key = (uint32_t)(COUNT_BITS(s->two[b].lane[lane]) << 2 | (2 - b));
        most = key > most ? key : most;
    }
    int band = 2 - (int)(most & 3);
    uint32_t cell = 0;
    VARIANT(get)(s, lane, rest);
    if (most > 3) {
        const uint32_t cells = s->two[band].lane[lane];
        most = 0;
        for (int d = 0; d < 9; d++) {
            const uint32_t key = (uint32_t)(COUNT_BITS(rest->word[3 * d + band] & cells) << 4 | (8 - d));
            most = key > most ? key : most;
        }
        const uint32_t commonest = rest->word[3 * (8 - (int)(most & 15)) + band] & cells;
        cell = commonest & -commonest;
    } else {
        int fewest = 10;
        for (int b = 0; b < 3 && fewest > 3; b++)
            for (uint32_t cells = s->several[b].lane[lane]; cells && fewest > 3; cells &= cells - 1) {
                const uint32_t bit = cells & -cells;
                int count = 0;
                for (int d = 0; d < 9; d++)
                    count += (rest->word[3 * d + b] & bit) != 0;
                if (count < fewest) {
                    fewest = count;
                    band = b;
                    cell = bit;
                }
            }
    }
    int d = 0;
    while (!(rest->word[3 * d + band] & cell))
        d++;
    rest->word[3 * d + band] &= ~cell;
    for (int e = d + 1; e < 9; e++)
        s->state[3 * e + band].lane[lane] &= ~cell;
}

static int VARIANT(run)(lane_job *job, void *scratch) {
    VARIANT(scratch) *const s = scratch;
    size_t search[LANES]; /* which search a lane works on */
    int depth[LANES] = {0}, base[LANES] = {0};
    size_t next = 0;
    uint32_t live = 0, refill = EVERY_LANE;
    uint64_t rounds = 0;
    job->used = 0;
    memset(s->state, 0, sizeof s->state);

    for (;;) {
        if (job->share)
            refill |= EVERY_LANE & ~live;
        for (; refill; refill &= refill - 1) {
            const int lane = pk_lowest_bit(refill);
            if (depth[lane] > base[lane]) {
                VARIANT(put)(s, lane, &s->stack[lane][--depth[lane]]);
                continue;
            }
            depth[lane] = base[lane] = 0;
            live |= 1u << lane;
            if (next < job->count) {
                if (job->states)
                    VARIANT(put)(s, lane, &job->states[next]);
                else
                    VARIANT(load)(job->puzzles + next * job->stride, job->forbid ? job->forbid[next] : -1, s, lane);
                job->counts[next] = 0;
                if (job->guesses)
                    job->guesses[next] = 0;
                if (job->shared)
                    job->shared[next] = 0;
                search[lane] = next++;
                continue;
            }
            live &= ~(1u << lane);
            if (!job->share)
                continue;
            /* The lowest guess of another lane is the largest part of its search that is still untouched. */
            for (uint32_t rich = live; rich; rich &= rich - 1) {
                const int other = pk_lowest_bit(rich);
                if (depth[other] > base[other]) {
                    VARIANT(put)(s, lane, &s->stack[other][base[other]++]);
                    search[lane] = search[other];
                    if (job->shared)
                        job->shared[search[lane]] = 1;
                    live |= 1u << lane;
                    break;
                }
            }
        }
        if (!live)
            return LANES_DONE;
        if ((++rounds & 255) == 0 && job->sink && pk_stop(job->sink))
            return LANES_STOPPED;
        if (job->budget && rounds > job->budget)
            return LANES_SPENT;

        const VARIANT(verdict) v = VARIANT(propagate)(s);
        for (uint32_t solved = live & ~v.dead & ~v.open; solved; solved &= solved - 1) {
            const int lane = pk_lowest_bit(solved);
            const size_t k = search[lane];
            refill |= 1u << lane;
            if (job->counts[k] >= job->limit) /* another lane of this search was first, in this very round */
                continue;
            const uint64_t before = job->counts[k]++;
            if (before < job->keep)
                VARIANT(write)(s, lane, job->solutions + k * job->solution_stride + before * CELLS);
            if (job->pool) {
                if (job->used == job->room)
                    return LANES_FULL;
                VARIANT(write)(s, lane, job->pool + CELLS * job->used++);
            }
            if (before + 1 >= job->limit) {
                base[lane] = depth[lane];
                for (int other = 0; job->share && other < LANES; other++)
                    if ((live >> other & 1) && search[other] == k) {
                        base[other] = depth[other];
                        refill |= 1u << other;
                    }
            }
        }
        refill |= live & v.dead;
        for (uint32_t stuck = live & ~refill & ~v.changed; stuck; stuck &= stuck - 1) {
            const int lane = pk_lowest_bit(stuck);
            if (job->guesses)
                job->guesses[search[lane]]++;
            VARIANT(guess)(s, lane, &s->stack[lane][depth[lane]++]);
        }
    }
}

#undef V
#undef EVERY_LANE
#undef ROW
#undef CHOOSE
#undef ONE_OF
#undef OTHERS
#undef DIAGONAL
#undef WIDEN
