/* tiling_halves.c - one half of a rectangle filled with squares.
 *
 *      height +-----------------+  ^             The rectangle is cut at a row. The lower half holds the squares that
 *             |   upper half    |  | its own     begin below the cut, also those that cross it; the upper half, seen
 *             |   (upside down) |  | rows        from the other side, those that end within it. Where a square of the
 *       cut --|- - +---+ - - - -|  v             lower half protrudes, the upper half has a blocked run of columns.
 *             |____| p |__      |                Halves whose profiles p and multisets fit together make a tiling.
 *             |    |   |  |_____|
 *             |lower half |     |
 *           0 +-----------------+
 *
 * tiling_half.h has the state of a search, tiling_rules.h what prunes it, tiling_steps.h how it goes on, and
 * tiling_half_plan.c what is made before.
 *
 * Symmetry. If the smallest square occurs once, one half holds it, in a fundamental part of the rectangle (x <= middle,
 * y <= middle from that half's border, and y <= x in a square), with the size of its place's orbit as weight. Of mirror
 * images of the other half only the one with the greater first row is searched. Profiles count as equal to their mirror
 * images; a pair then has the weight 1/2 x (2 if the profile is a palindrome) x (1 if the first row is one, else 2).
 * Here all weights are doubled, so that they are whole. If no square is the only smallest one, the lower half has the
 * rule of the first row, and that is all.
 *
 * Keys. A finished half is known by the number of its profile (tiling_profiles.h), scattered over 64 bits by a
 * permutation, and the code of its multiset. Both are exact: different halves never have the same key.
 *
 * Equal states are merged after some steps (tiling_states.c), with their number as weight.
 *
 * The method is that of meeting in the middle, with skylines as in the usual search for squared squares; the pinwheel
 * is well known for these (Brooks, Smith, Stone and Tutte, 1940).
 *
 * Limits: 56 columns, so that profiles have numbers of 64 bits; 126 rows, 32 sides, codes of 32 bits. n = 8 of the
 * Partridge puzzle: 8e7 states; the plain search has 6.3e10.
 *
 * Tried and left, for n = 8: a rule for the area that all notches together take from small squares (2% fewer states);
 * all terraces looked at again after each step, not only those whose neighbours changed (6% fewer); four classes
 * instead of two (30% more states); states merged every two steps (half the states, twice the time: it is memory that
 * counts); finished columns from either border looked up among the profiles of the other half, with the least squares
 * that such a profile needs (of the second halves' states 18% fewer: only one finished profile in 20 is one that the
 * other half has, but most states die with few columns finished).
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "tiling_states.h"
#include "tiling_steps.h"

/* ---- what is reached ---- */

/* The key of a profile and of its mirror image: the lesser of their two numbers. *palindrome: 1 if it is its own mirror
 * image; *turned: 1 if the key is that of the mirror image. */
static uint64_t key_of(const search *q, int *palindrome, int *turned) {
    const half *p = q->plan;
    const int cut = p->cut;
    ranking forth = {0}, back = {0};
    for (int x = 1, end = p->width; end >= 1;) {
        const int first = q->width[x], last = q->width_to[end], h = q->height[x], g = q->height[end + 1 - last];
        const int left = !p->upper ? h - cut : h < BLOCKED ? 0 : cut - (h - BLOCKED);
        const int right = !p->upper ? g - cut : g < BLOCKED ? 0 : cut - (g - BLOCKED);
        rank_run(&p->profiles, &forth, first, left);
        rank_run(&p->profiles, &back, last, right);
        x += first;
        end -= last;
    }
    *palindrome = forth.rank == back.rank;
    const uint64_t a = scatter(forth.rank), b = scatter(back.rank);
    *turned = b < a;
    return b < a ? b : a;
}

static int keep_state(search *q) {
    const half *p = q->plan;
    state_row *row = (state_row *)(void *)pk_room(q->sink, 1);
    if (!row)
        return 0;
    memset(row, 0, p->state_bytes);
    row->weight = q->weight;
    row->code = q->code;
    row->small = (uint32_t)q->small;
    row->orbit = (uint8_t)q->orbit;
    row->palindrome = (uint8_t)q->palindrome;
    for (int x = 1; x <= p->width; x += q->width[x])
        memset(row->height + x - 1, q->height[x], q->width[x]);
    row->hash = state_hash(row, p->state_bytes);
    pk_keep(q->sink, 1);
    return 1;
}

static int keep_seed(search *q) {
    if (q->seed_count == q->seed_room) {
        const uint64_t room = q->seed_room ? 2 * q->seed_room : 256;
        seed *seeds = realloc(q->seeds, room * sizeof *seeds);
        if (!seeds)
            return 0;
        q->seeds = seeds;
        q->seed_room = room;
    }
    seed *kept = q->seeds + q->seed_count++;
    kept->steps = (uint8_t)q->depth;
    memcpy(kept->step, q->step, SEED);
    return 1;
}

/* A finished half. 0: stop. */
static int finish(search *q) {
    const half *p = q->plan;
    if (q->small < p->least || (p->holds && !q->orbit))
        return 1;
    const uint32_t code = p->upper ? q->code : p->start - q->code - (uint32_t)p->holds; /* of the lower half's others */
    int palindrome, turned;
    const uint64_t key = key_of(q, &palindrome, &turned);
    const uint64_t own = q->weight * (uint64_t)(p->holds ? q->orbit : 1) * (p->mirrored && !q->palindrome ? 2 : 1);
    uint64_t partners = 0;
    if (p->mode != PK_TILING_KEYS) {
        partners = pk_keys_weight(&p->keys, key, code);
        if (!partners)
            return 1;
    }
    uint64_t pairs;
    const int fits = !__builtin_mul_overflow(partners, own * (palindrome ? 2 : 1), &pairs);
    if (p->mode == PK_TILING_COUNT) {
        if (!fits || pairs > UINT64_MAX - q->sink->found) {
            q->status = PK_EOVERFLOW;
            return 0;
        }
        pk_found(q->sink, pairs);
        return 1;
    }
    uint64_t weight = own;
    if (p->mode == PK_TILING_PAIRED)
        weight = fits && pairs < UINT32_MAX ? pairs : UINT32_MAX;
    if (weight > UINT32_MAX) {
        q->status = PK_EOVERFLOW;
        return 0;
    }
    uint8_t *room = pk_room(q->sink, 1);
    if (!room)
        return 0;
    key_row *row = (key_row *)(void *)room;
    *row = (key_row){key, code, (uint32_t)weight};
    if (p->mode == PK_TILING_PATHS) {
        row->weight = (uint32_t)(turned | palindrome << 1);
        memset(room + sizeof *row, 255, 3 * (size_t)p->squares);
        memcpy(room + sizeof *row, q->path, 3 * (size_t)q->squares);
    }
    pk_keep(q->sink, 1);
    return 1;
}

/* ---- the search ---- */

static int descend_upper(search *q, level *from, notch n);
static int descend_lower(search *q, level *from, notch n);

/* Searches on from a state whose next notch is n. 0: stop. It goes as deep as a half has squares and blocked runs, at
 * most some 4100 steps with half a kilobyte of stack each: 2 MB. */
INLINE int descend(search *q, level *from, notch n, const int upper) {
    const half *p = q->plan;
    if (++q->nodes % 1024 == 0 && pk_stop(q->sink))
        return 0;
    if (q->depth >= q->steps || n == DONE) {
        if (q->seed_room)
            return keep_seed(q);
        if (p->mode == PK_TILING_STATES) {
            if (!p->mirrored || q->row_done || n == DONE)
                return keep_state(q);
        } else if (n == DONE) {
            return p->mode == PK_TILING_NODES ? 1 : finish(q);
        }
    }
    const trace t = trace_of(q, n);
    const int room = (upper ? p->cut : p->height) - t.floor, greatest = t.width < room ? t.width : room;
    q->depth++;
    for (int a = 0; a < p->sizes && p->side[a] <= greatest; a++) {
        if (!q->left[a])
            continue;
        const notch next = place_square(q, from, from + 1, n, t, a, upper);
        if (next == DEAD)
            continue;
        if (q->depth <= SEED)
            q->step[q->depth - 1] = (uint8_t)a;
        const int go_on = upper ? descend_upper(q, from + 1, next) : descend_lower(q, from + 1, next);
        remove_square(q, t, a);
        if (!go_on)
            return 0;
    }
    if (upper && room < p->side[p->sizes - 1]) {
        uint64_t set = blocks(q, t);
        level beside;
        if (set && !look_beside(q, t, &beside))
            set = 0;
        for (; set; set &= set - 1) {
            const int part = pk_lowest_bit(set);
            const notch next = block_part(q, from, from + 1, n, t, part, &beside);
            if (next == DEAD)
                continue;
            if (q->depth <= SEED)
                q->step[q->depth - 1] = (uint8_t)(BLOCK + part);
            const int go_on = descend_upper(q, from + 1, next);
            unblock(q, t);
            if (!go_on)
                return 0;
        }
    }
    q->depth--;
    return 1;
}

static int descend_upper(search *q, level *from, notch n) { return descend(q, from, n, 1); }
static int descend_lower(search *q, level *from, notch n) { return descend(q, from, n, 0); }

int pk_half_go_on(search *q, level *from, notch n) {
    return q->plan->upper ? descend_upper(q, from, n) : descend_lower(q, from, n);
}

notch pk_half_begin(search *q, const half *p, pk_sink *sink) {
    uint8_t *const path = q->path;
    level *const levels = q->levels;
    const uint64_t nodes = q->nodes;
    memset(q, 0, sizeof *q);
    q->plan = p;
    q->sink = sink;
    q->path = path;
    q->levels = levels;
    q->nodes = nodes;
    q->code = p->start;
    q->weight = 1;
    q->palindrome = 1; /* an empty row */
    q->steps = p->mode == PK_TILING_STATES ? p->steps : 1 << 30;
    for (int a = 0; a < p->sizes; a++)
        q->left[a] = p->count[a] - (a == 0 && p->lacks);
    for (int a = 0; a <= p->sizes; a++)
        q->low[a] = q->code % p->place[a];
    q->height[0] = q->height[p->width + 1] = BORDER;
    q->width[0] = q->width_to[0] = q->width[p->width + 1] = q->width_to[p->width + 1] = 1;
    q->width[1] = q->width_to[p->width] = (uint16_t)p->width;
    const notch n = notch_of(p, 1, p->width, 0, p->height, p->holds);
    levels->count = 1;
    levels->notches[0] = n;
    return p->cut > 0 ? n : DONE;
}

/* Repeats the steps of a seed, which were possible when it was made. */
static notch replay(search *q, const seed *from, notch n) {
    for (int k = 0; k < from->steps; k++) {
        const int step = from->step[k];
        level *at = q->levels + k;
        const trace t = trace_of(q, n);
        level beside;
        if (step >= BLOCK && look_beside(q, t, &beside))
            n = block_part(q, at, at + 1, n, t, step - BLOCK, &beside);
        else
            n = q->plan->upper ? place_square(q, at, at + 1, n, t, step, 1)
                               : place_square(q, at, at + 1, n, t, step, 0);
        q->depth++;
    }
    return n;
}

/* Goes on from a state. */
static notch resume(search *q, const half *p, const state_row *row, pk_sink *sink) {
    uint32_t code = row->code;
    pk_half_begin(q, p, sink);
    q->code = code;
    q->weight = row->weight;
    q->small = row->small;
    q->orbit = row->orbit;
    q->palindrome = row->palindrome;
    q->row_done = 1;
    for (int a = 0; a < p->sizes; a++) {
        const int left = (int)(code % (uint32_t)(p->count[a] + 1));
        q->left[a] = left;
        q->low[a + 1] = row->code % p->place[a + 1];
        code /= (uint32_t)(p->count[a] + 1);
    }
    for (int x = 1, next; x <= p->width; x = next) {
        const int height = row->height[x - 1];
        for (next = x + 1; next <= p->width && row->height[next - 1] == height; next++)
            ;
        q->height[x] = (uint16_t)height;
        q->width[x] = q->width_to[next - 1] = (uint16_t)(next - x);
    }
    notch best = DONE;
    const int waiting = waits(p, q);
    q->levels->count = 0;
    for (int x = 1; x <= p->width; x += q->width[x])
        if (!(p->upper ? look(p, q, q->levels, &best, x, waiting, 1) : look(p, q, q->levels, &best, x, waiting, 0)))
            return DEAD;
    return best;
}

int pk_half_search(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const half *p = (const half *)plan;
    search *q = memory;
    q->levels = (level *)(q + 1);
    q->path = p->mode == PK_TILING_PATHS ? (uint8_t *)(q->levels + p->squares + p->width + 2) : NULL;
    q->nodes = 0;
    if (p->seeds) {
        const seed *from = p->seeds + unit;
        const notch n = replay(q, from, pk_half_begin(q, p, sink));
        pk_half_go_on(q, q->levels + from->steps, n);
    } else {
        const uint64_t last = (unit + 1) * STATES_A_UNIT < p->state_count ? (unit + 1) * STATES_A_UNIT : p->state_count;
        for (uint64_t k = unit * STATES_A_UNIT; k < last; k++) {
            const state_row *row = (const state_row *)(const void *)(p->states + k * p->state_bytes);
            const notch n = row->weight ? resume(q, p, row, sink) : DEAD;
            if (n != DEAD && !pk_half_go_on(q, q->levels, n))
                break;
        }
    }
    if (p->mode == PK_TILING_NODES)
        pk_found(sink, q->nodes);
    return q->status;
}
