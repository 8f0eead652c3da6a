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
 * State: the skyline, a list of segments of equal height, and the multiset that is left, a mixed radix code.
 *
 *      segment   0     1     2    ...   n    n + 1
 *      x              0    x[2]        x[n]  width      heights below 128; BLOCKED + f: blocked from row f on;
 *      height   255  h[1]  h[2]        h[n]   255       255: the border
 *
 * A notch is a segment with higher neighbours. The leftmost cell of a notch is a square's corner, or a blocked run
 * begins there: so whichever notch is chosen by the state alone, each half is met exactly once. The narrowest is.
 *
 * Symmetry. If the smallest square occurs once it belongs to the upper half, to a fundamental part of the rectangle
 * (x <= middle, y <= middle, and y <= x in a square), and the weight of an upper half is the size of its place's orbit.
 * Of two lower halves that are mirror images only the one with the greater first row is searched. Profiles count as equal
 * to their mirror images; a pair then has the weight 1/2 x (2 if the profile is a palindrome) x (1 if the first row is
 * a palindrome, else 2). Here all weights are doubled, so that they are whole.
 *
 * Rules: see place_square and look. Each must hold in every tiling that the state is part of. Three that once looked
 * right were not: a terrace's stack is confined to the lower segment only if that segment's far wall reaches as high as
 * the terrace can be filled; ...
 */
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "bits.h"
#include "kernel.h"
#include "tiling.h"
#include "tiling_keys.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    SIZES = PK_TILING_SIZES,
    SEGMENTS = PK_TILING_WIDTH,
    SPAN = 96, /* segments, two borders, and what loads of 16 bytes reach over */
    BLOCKED = 128,
    BORDER = 255,
    DEAD = -1,
    DONE = 0,    /* no notch is left below the cut */
    BLOCK = 64,  /* a step that blocks b columns is BLOCK + b, one that places a square the place of its side */
    SEED = 12,   /* steps of a root unit at most */
    SEEDS = 400, /* root units at least, if there are */
    STATES_A_UNIT = 64
};

typedef struct skyline {
    int segments;
    uint8_t x[SPAN], height[SPAN];
} skyline;

typedef struct seed {
    uint8_t steps, step[SEED];
} seed;

typedef struct state_row {
    uint64_t weight;
    uint32_t code;
    uint8_t segments, orbit, palindrome, unused;
    uint8_t x_height[]; /* width bytes of x, width bytes of height */
} state_row;

typedef struct half {
    pk_plan base;
    int width, height, cut, upper, octant, rules, mode, steps, widest, deepest;
    int sizes, squares;
    int side[SIZES], count[SIZES];
    uint32_t place[SIZES + 1];
    uint32_t lower[SIZES][SIZES + 1]; /* what a square of each side takes from the codes of the sizes below each */
    uint32_t area[SIZES], small[SIZES];
    uint64_t least, greatest;
    uint32_t start; /* the code of all squares of this half */
    int fits[PK_TILING_WIDTH + 1]; /* how many sizes are at most so wide */
    const uint8_t *depth[PK_TILING_WIDTH + 1];
    uint8_t wall[256]; /* how high a neighbour is at least */
    uint8_t *depths;
    uint64_t *closed;
    seed *seeds;
    uint8_t *states;
    uint64_t state_count;
    size_t state_bytes;
    key_index keys;
} half;

typedef struct search {
    const half *plan;
    pk_sink *sink;
    uint32_t code;
    uint32_t low[SIZES + 1]; /* the code of the sizes below each */
    int left[SIZES];
    uint64_t small; /* area of the small squares used */
    uint64_t weight;
    int orbit; /* of the only smallest square's place; 0 before it has one */
    int palindrome, row_done;
    int depth, steps;
    int row_length, squares;
    uint64_t nodes;
    seed *seeds; /* while the plan is made: what is split */
    uint64_t seed_count, seed_room;
    uint8_t step[SEED];
    uint8_t row[SEGMENTS + 1]; /* sides of the first row */
    uint8_t *path;
    skyline *skylines;
} search;

/* ---- segments ---- */

/* The parts of a state that every step copies are short: 16 bytes at a time, and what lies behind does not matter. */
INLINE void copy_tail(uint8_t *to, const uint8_t *from, int count) {
    for (int i = 0; i < count; i += 16)
        memcpy(to + i, from + i, 16);
}

/* Of the segments 1..n, a bit each: lower than the left neighbour, lower than the right one, and not blocked. */
INLINE void compare(const skyline *s, uint64_t *left, uint64_t *right) {
    uint64_t l = 0, r = 0, f = 0;
    const int n = s->segments;
    const uint8_t *h = s->height;
#if defined(__SSE2__)
    for (int i = 0; i < n; i += 16) {
        const __m128i here = _mm_loadu_si128((const __m128i *)(const void *)(h + i + 1));
        const __m128i before = _mm_loadu_si128((const __m128i *)(const void *)(h + i));
        const __m128i after = _mm_loadu_si128((const __m128i *)(const void *)(h + i + 2));
        /* a >= b, unsigned, is max(a, b) == a */
        const unsigned not_left = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(here, before), here));
        const unsigned not_right = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_max_epu8(here, after), here));
        l |= (uint64_t)(uint16_t)~not_left << i;
        r |= (uint64_t)(uint16_t)~not_right << i;
        f |= (uint64_t)(uint16_t)~_mm_movemask_epi8(here) << i;
    }
#else
    for (int i = 0; i < n; i++) {
        l |= (uint64_t)(h[i + 1] < h[i]) << i;
        r |= (uint64_t)(h[i + 1] < h[i + 2]) << i;
        f |= (uint64_t)(h[i + 1] < BLOCKED) << i;
    }
#endif
    const uint64_t all = (((uint64_t)1 << (n - 1)) << 1) - 1;
    *left = l & f & all;
    *right = r & f & all;
}

/* ---- rules ---- */

/* Sums up to 63 of sides that are left, of the first `sizes` ones. */
static uint64_t sums(const search *q, int sizes, int extra) {
    uint64_t sum = 1;
    for (int a = 0; a < sizes; a++)
        for (int i = q->left[a] + (a == 0 ? extra : 0); i > 0 && q->plan->side[a] < 64; i--)
            sum |= sum << q->plan->side[a];
    return sum;
}

/* Whether the only smallest square, not placed yet, could be in columns x .. x + width - 1 at row y or above. */
INLINE int in_octant(const half *p, int x, int width, int y) {
    const int u = p->side[0], right = (p->width - u) / 2 < x + width - u ? (p->width - u) / 2 : x + width - u;
    return x <= right && y <= (p->height - u) / 2 && (p->width != p->height || y <= right);
}

/* A terrace: a segment with one higher neighbour, `rise` higher, and one lower, `drop` lower. Either it is filled like a
 * notch up to its wall; or a square crosses the edge, at the earliest on the floor and at the latest as high as the
 * terrace can be filled: then squares beside it stack up to exactly there. They are no wider than the lower segment, if
 * that has a wall on its far side as high as this. */
INLINE int terrace_is_dead(const half *p, const search *q, const skyline *s, int i, int wall_left, int extra) {
    const int width = s->x[i + 1] - s->x[i], floor = s->height[i];
    if (width > p->widest)
        return 0;
    const int wall = p->wall[s->height[wall_left ? i - 1 : i + 1]];
    const int rise = wall - floor < p->deepest ? wall - floor : p->deepest;
    const int above = p->upper ? 0 : (extra && floor + rise > p->cut);
    const int depth = p->depth[width][q->low[p->fits[width]] + (above && p->fits[width])];
    if (depth >= rise)
        return 0;
    const int lower = wall_left ? i + 1 : i - 1, drop = floor - s->height[lower];
    if (drop + depth > 62)
        return 0;
    const int far = p->wall[s->height[wall_left ? i + 2 : i - 2]], below = s->x[lower + 1] - s->x[lower];
    const int confined = far >= floor + depth;
    const uint64_t stacks = sums(q, confined ? p->fits[below] : p->sizes, above);
    return !(stacks >> drop & (((uint64_t)2 << depth) - 1));
}

/* Looks at every notch and terrace. Returns the narrowest notch below the cut, DONE or DEAD. */
INLINE int look(const half *p, const search *q, const skyline *s, const int upper) {
    uint64_t left, right;
    compare(s, &left, &right);
    const int waiting = upper && p->octant && !q->orbit;
    int best = DONE, least = 1 << 30, notches = 0;
    uint32_t taken[PK_TILING_WIDTH + 1];
    for (uint64_t set = left & right; set; set &= set - 1) {
        const int i = pk_lowest_bit(set) + 1, floor = s->height[i], width = s->x[i + 1] - s->x[i];
        const int a = p->wall[s->height[i - 1]], b = p->wall[s->height[i + 1]], wall = a < b ? a : b;
        const int depth = wall - floor < p->deepest ? wall - floor : p->deepest;
        if (p->rules & PK_TILING_NOTCH && width <= p->widest) {
            const int fits = p->fits[width];
            const uint8_t *table = p->depth[width];
            uint32_t code = q->low[fits];
            if (upper) {
                if (fits && waiting && !in_octant(p, s->x[i], width, floor))
                    code--;
                if (table[code] < depth)
                    return DEAD;
            } else if (fits && p->octant && floor + depth > p->cut) {
                if (table[code + 1] < depth || (floor < p->cut && table[code] < p->cut - floor))
                    return DEAD;
            } else if (table[code] < depth) {
                return DEAD;
            }
        }
        if (p->rules & PK_TILING_AREA && width <= p->widest) {
            if (!notches++)
                memset(taken, 0, sizeof *taken * (size_t)(p->widest + 1));
            taken[width] += (uint32_t)(width * depth);
        }
        if (floor < p->cut) {
            const int cost = width * 256 + floor;
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
    }
    if (notches > 1) {
        uint32_t need = 0, have = !upper && p->octant ? p->area[0] : 0;
        int a = 0;
        for (int width = 1; width <= p->widest; width++) {
            need += taken[width];
            for (; a < p->fits[width]; a++)
                have += p->area[a] * (uint32_t)q->left[a];
            if (need > have)
                return DEAD;
        }
    }
    if (p->rules & PK_TILING_TERRACE) {
        const int extra = !upper && p->octant;
        for (uint64_t set = left ^ right; set; set &= set - 1) {
            const int i = pk_lowest_bit(set) + 1;
            if (terrace_is_dead(p, q, s, i, left >> (i - 1) & 1, extra))
                return DEAD;
        }
    }
    if (waiting && p->rules & PK_TILING_PLACEABLE) {
        for (int i = 1; s->x[i] <= (p->width - p->side[0]) / 2 && i <= s->segments; i++)
            if (s->height[i] < BLOCKED && in_octant(p, s->x[i], p->width, s->height[i]))
                goto placeable;
        return DEAD;
    }
placeable:
    return best;
}

/* The only smallest square lies inside and four squares wind round it: each of its walls is longer than it, and the
 * square above it ends on the lower of its neighbours, which is exactly as high as it. */
static int winds(const half *p, const skyline *s, int i) {
    const int u = p->side[0], floor = s->height[i], left = p->wall[s->height[i - 1]] - floor;
    if (floor == 0 || s->x[i] == 0)
        return 0;
    if (s->x[i + 1] - s->x[i] > u)
        return left == u;
    const int right = p->wall[s->height[i + 1]] - floor;
    return s->x[i + 1] < p->width && ((left == u && right > u) || (right == u && left > u));
}

/* How many places the symmetries of the rectangle make of the only smallest square's; 0 outside the fundamental part. */
static int orbit_of(const half *p, int x, int y) {
    const int u = p->side[0], x2 = 2 * x + u, y2 = 2 * y + u;
    if (x2 > p->width || y2 > p->height)
        return 0;
    if (p->width != p->height)
        return (x2 < p->width ? 2 : 1) * (y2 < p->height ? 2 : 1);
    if (y2 > x2)
        return 0;
    return y2 == p->height ? 1 : (y2 == x2 || x2 == p->width) ? 4 : 8;
}

/* ---- steps ---- */

INLINE void raise_segment(const skyline *s, skyline *t, int i, int width, int height) {
    const int n = s->segments, whole = s->x[i + 1] - s->x[i] == width;
    const int joins_left = s->height[i - 1] == height, joins_right = whole && s->height[i + 1] == height;
    copy_tail(t->x, s->x, i + 1);
    copy_tail(t->height, s->height, i + 1);
    const int from = i + 1 + joins_right;         /* the first segment that stays as it is */
    int to = i + !joins_left;                     /* and where it goes, */
    t->height[i] = (uint8_t)height;               /* if the raised part is not joined to the left */
    if (!whole) {
        t->x[to] = (uint8_t)(s->x[i] + width);
        t->height[to++] = s->height[i];
    }
    copy_tail(t->x + to, s->x + from, n + 2 - from);
    copy_tail(t->height + to, s->height + from, n + 2 - from);
    t->segments = n + to - from;
}

INLINE void take(search *q, int a) {
    const half *p = q->plan;
    q->code -= p->place[a];
    for (int i = 0; i <= p->sizes; i++)
        q->low[i] -= p->lower[a][i];
    q->left[a]--;
    q->small += p->small[a];
}

INLINE void give_back(search *q, int a) {
    const half *p = q->plan;
    q->code += p->place[a];
    for (int i = 0; i <= p->sizes; i++)
        q->low[i] += p->lower[a][i];
    q->left[a]++;
    q->small -= p->small[a];
}

static void undo_square(search *q, const skyline *s, int i, int a, const int upper) {
    give_back(q, a);
    q->squares--;
    if (upper) {
        if (q->plan->octant && a == 0)
            q->orbit = 0;
    } else if (s->height[i] == 0) {
        q->row_length--;
        q->row_done = 0;
    }
}

/* Whether the first row, just finished, is not less than its mirror image. */
static int row_is_canonical(search *q) {
    int i = 0;
    const int n = q->row_length;
    while (i < n && q->row[i] == q->row[n - 1 - i])
        i++;
    q->palindrome = i == n;
    return i == n || q->row[i] > q->row[n - 1 - i];
}

/* Places a square of the a-th side at the left end of notch i. Returns the next notch, DONE or DEAD; then nothing has
 * changed. */
INLINE int place_square(search *q, const skyline *s, skyline *t, int i, int a, const int upper) {
    const half *p = q->plan;
    const int side = p->side[a], floor = s->height[i], x = s->x[i], width = s->x[i + 1] - x;
    const uint32_t code = q->code - p->place[a];
    if (p->closed && !(p->closed[code / 64] >> code % 64 & 1))
        return DEAD;
    if (q->small + p->small[a] > p->greatest)
        return DEAD;
    int orbit = 0;
    if (upper && p->octant && a == 0) {
        orbit = orbit_of(p, x, floor);
        if (!orbit || (p->rules & PK_TILING_PINWHEEL && !winds(p, s, i)))
            return DEAD;
    }
    if (!upper && floor == 0) {
        q->row[q->row_length++] = (uint8_t)side;
        q->row_done = side == width;
        if (q->row_done && !row_is_canonical(q)) {
            q->row_length--;
            q->row_done = 0;
            return DEAD;
        }
    }
    raise_segment(s, t, i, side, floor + side);
    take(q, a);
    if (orbit)
        q->orbit = orbit;
    if (q->path) {
        q->path[3 * q->squares] = (uint8_t)x;
        q->path[3 * q->squares + 1] = (uint8_t)floor;
        q->path[3 * q->squares + 2] = (uint8_t)a;
    }
    q->squares++;
    const int next = look(p, q, t, upper);
    if (next == DEAD)
        undo_square(q, s, i, a, upper);
    return next;
}

/* The widths of runs that squares of the lower half may block from this floor on, a bit each: those that begin at the
 * floor of this notch and end beyond the half. */
static uint64_t blocks(const search *q, const skyline *s, int i) {
    const half *p = q->plan;
    const int floor = s->height[i], width = s->x[i + 1] - s->x[i], room = p->cut - floor;
    if (s->height[i - 1] == BLOCKED + floor)
        return 0;
    uint64_t sum = 1;
    for (int a = p->octant ? 1 : 0; a < p->sizes; a++)
        for (int k = q->left[a]; k > 0 && p->side[a] > room && p->side[a] <= width && floor + p->side[a] <= p->height; k--)
            sum |= sum << p->side[a];
    return sum & (((uint64_t)1 << width << 1) - 1) & ~(uint64_t)1;
}

/* ---- what is reached ---- */

INLINE uint64_t stir(uint64_t hash, unsigned width, unsigned height) {
    hash = (hash ^ (width << 8 | height)) * 0xd6e8feb86659fd93u;
    return hash ^ hash >> 29;
}

INLINE uint64_t settle(uint64_t hash) {
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93u;
    return hash ^ hash >> 32;
}

/* The key of a profile and of its mirror image: the lesser of two hashes. *palindrome: 1 if it is its own mirror image;
 * *turned: 1 if the key is that of the mirror image. */
static uint64_t key_of(const half *p, const skyline *s, int *palindrome, int *turned) {
    uint64_t forth = 1, back = 1;
    int same = 1;
    for (int i = 1, k = s->segments; k >= 1; i++, k--) {
        const unsigned hi = s->height[i], hk = s->height[k];
        const unsigned wi = (unsigned)(s->x[i + 1] - s->x[i]), wk = (unsigned)(s->x[k + 1] - s->x[k]);
        const unsigned cut = (unsigned)p->cut;
        const unsigned pi = !p->upper ? hi - cut : hi < BLOCKED ? 0 : cut - (hi - BLOCKED);
        const unsigned pk = !p->upper ? hk - cut : hk < BLOCKED ? 0 : cut - (hk - BLOCKED);
        forth = stir(forth, wi, pi);
        back = stir(back, wk, pk);
        same &= wi == wk && pi == pk;
    }
    forth = settle(forth);
    back = settle(back);
    *palindrome = same;
    *turned = back < forth;
    return back < forth ? back : forth;
}

static int keep_state(search *q, const skyline *s) {
    const half *p = q->plan;
    state_row *row = (state_row *)(void *)pk_room(q->sink, 1);
    if (!row)
        return 0;
    memset(row, 0, p->state_bytes);
    row->weight = q->weight;
    row->code = q->code;
    row->segments = (uint8_t)s->segments;
    row->orbit = (uint8_t)q->orbit;
    row->palindrome = (uint8_t)q->palindrome;
    memcpy(row->x_height, s->x + 1, (size_t)s->segments);
    memcpy(row->x_height + p->width, s->height + 1, (size_t)s->segments);
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
static int finish(search *q, const skyline *s) {
    const half *p = q->plan;
    if (q->small < p->least || (p->upper && p->octant && !q->orbit))
        return 1;
    const uint32_t code = p->upper ? q->code : p->start - q->code;
    int palindrome, turned;
    const uint64_t key = key_of(p, s, &palindrome, &turned);
    const uint64_t own = q->weight * (uint64_t)(p->upper ? (p->octant ? q->orbit : 1) : q->palindrome ? 1 : 2);
    uint64_t partners = 0;
    if (p->mode != PK_TILING_KEYS) {
        const key_row *end, *row = pk_keys_find(&p->keys, key, &end);
        for (; row < end; row++)
            if (row->code == code)
                partners += row->weight;
        if (!partners)
            return 1;
    }
    if (p->mode == PK_TILING_COUNT) {
        pk_found(q->sink, partners * own * (palindrome ? 2 : 1));
        return 1;
    }
    if (own > UINT32_MAX)
        return 0;
    uint8_t *room = pk_room(q->sink, 1);
    if (!room)
        return 0;
    key_row *row = (key_row *)(void *)room;
    *row = (key_row){key, code, (uint32_t)own};
    if (p->mode == PK_TILING_PATHS) {
        row->weight = (uint32_t)(turned | palindrome << 1);
        memset(room + sizeof *row, 255, 3 * (size_t)p->squares);
        memcpy(room + sizeof *row, q->path, 3 * (size_t)q->squares);
    }
    pk_keep(q->sink, 1);
    return 1;
}

/* ---- the search ---- */

static int descend_upper(search *q, const skyline *s, int i);
static int descend_lower(search *q, const skyline *s, int i);

INLINE int descend(search *q, const skyline *s, int i, const int upper) {
    const half *p = q->plan;
    if (++q->nodes % 1024 == 0 && pk_stop(q->sink))
        return 0;
    if (q->depth >= q->steps || i == DONE) {
        if (q->seed_room) {
            if (q->depth == q->steps || i == DONE)
                return keep_seed(q);
        } else if (p->mode == PK_TILING_STATES) {
            if (upper || q->row_done || i == DONE)
                return keep_state(q, s);
        } else if (i == DONE) {
            return p->mode == PK_TILING_NODES ? 1 : finish(q, s);
        }
    }
    skyline *t = (skyline *)(uintptr_t)(s + 1);
    const int floor = s->height[i], width = s->x[i + 1] - s->x[i], room = (upper ? p->cut : p->height) - floor;
    const int greatest = width < room ? width : room;
    q->depth++;
    for (int a = 0; a < p->sizes && p->side[a] <= greatest; a++) {
        if (!q->left[a])
            continue;
        const int next = place_square(q, s, t, i, a, upper);
        if (next == DEAD)
            continue;
        if (q->depth <= SEED)
            q->step[q->depth - 1] = (uint8_t)a;
        const int go_on = upper ? descend_upper(q, t, next) : descend_lower(q, t, next);
        undo_square(q, s, i, a, upper);
        if (!go_on)
            return 0;
    }
    if (upper && room < p->side[p->sizes - 1]) {
        for (uint64_t set = blocks(q, s, i); set; set &= set - 1) {
            const int wide = pk_lowest_bit(set);
            raise_segment(s, t, i, wide, BLOCKED + floor);
            const int next = look(p, q, t, upper);
            if (next == DEAD)
                continue;
            if (q->depth <= SEED)
                q->step[q->depth - 1] = (uint8_t)(BLOCK + wide);
            if (!descend_upper(q, t, next))
                return 0;
        }
    }
    q->depth--;
    return 1;
}

static int descend_upper(search *q, const skyline *s, int i) { return descend(q, s, i, 1); }
static int descend_lower(search *q, const skyline *s, int i) { return descend(q, s, i, 0); }

static void begin(search *q, const half *p, pk_sink *sink) {
    uint8_t *const path = q->path;
    skyline *const skylines = q->skylines;
    memset(q, 0, sizeof *q);
    q->plan = p;
    q->sink = sink;
    q->path = path;
    q->skylines = skylines;
    q->code = p->start;
    q->weight = 1;
    q->palindrome = 1; /* an empty row */
    q->steps = p->mode == PK_TILING_STATES ? p->steps : 1 << 30;
    for (int a = 0; a < p->sizes; a++)
        q->left[a] = p->count[a] - (a == 0 && p->octant && !p->upper);
    for (int a = 0; a <= p->sizes; a++)
        q->low[a] = q->code % p->place[a];
    skyline *s = q->skylines;
    memset(s, 0, sizeof *s);
    s->segments = 1;
    s->x[2] = (uint8_t)p->width;
    s->height[0] = s->height[2] = BORDER;
}

static int first_notch(const half *p) { return p->cut > 0 ? 1 : DONE; }

/* Repeats the steps of a seed, which were possible when it was made. */
static int replay(search *q, const seed *from, int *notch) {
    const half *p = q->plan;
    *notch = first_notch(p);
    for (int k = 0; k < from->steps; k++) {
        const int step = from->step[k];
        const skyline *s = q->skylines + k;
        skyline *t = q->skylines + k + 1;
        if (step < BLOCK) {
            *notch = p->upper ? place_square(q, s, t, *notch, step, 1) : place_square(q, s, t, *notch, step, 0);
        } else {
            raise_segment(s, t, *notch, step - BLOCK, BLOCKED + s->height[*notch]);
            *notch = look(p, q, t, 1);
        }
        q->depth++;
    }
    return from->steps;
}

/* Goes on from a state. */
static int resume(search *q, const state_row *row) {
    const half *p = q->plan;
    uint32_t code = row->code;
    begin(q, p, q->sink);
    q->code = code;
    q->weight = row->weight;
    q->orbit = row->orbit;
    q->palindrome = row->palindrome;
    q->row_done = 1;
    for (int a = 0; a < p->sizes; a++) {
        const int left = (int)(code % (uint32_t)(p->count[a] + 1));
        q->small += (uint64_t)(q->left[a] - left) * p->small[a];
        q->left[a] = left;
        q->low[a + 1] = row->code % p->place[a + 1];
        code /= (uint32_t)(p->count[a] + 1);
    }
    skyline *s = q->skylines;
    s->segments = row->segments;
    memcpy(s->x + 1, row->x_height, row->segments);
    memcpy(s->height + 1, row->x_height + p->width, row->segments);
    s->x[row->segments + 1] = (uint8_t)p->width;
    s->height[row->segments + 1] = BORDER;
    return p->upper ? look(p, q, s, 1) : look(p, q, s, 0);
}

static int search_half(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const half *p = (const half *)plan;
    search *q = memory;
    q->skylines = (skyline *)(q + 1);
    q->path = p->mode == PK_TILING_PATHS ? (uint8_t *)(q->skylines + p->squares + p->width + 2) : NULL;
    q->sink = sink;
    q->plan = p;
    uint64_t nodes = 0;
    if (p->seeds) {
        int notch;
        begin(q, p, sink);
        const int depth = replay(q, p->seeds + unit, &notch);
        if (p->upper)
            descend_upper(q, q->skylines + depth, notch);
        else
            descend_lower(q, q->skylines + depth, notch);
        nodes = q->nodes;
    } else {
        const uint64_t last = (unit + 1) * STATES_A_UNIT < p->state_count ? (unit + 1) * STATES_A_UNIT : p->state_count;
        for (uint64_t k = unit * STATES_A_UNIT; k < last; k++) {
            const int notch = resume(q, (const state_row *)(const void *)(p->states + k * p->state_bytes));
            if (notch == DEAD)
                continue;
            if (!(p->upper ? descend_upper(q, q->skylines, notch) : descend_lower(q, q->skylines, notch)))
                break;
            nodes += q->nodes;
        }
    }
    if (p->mode == PK_TILING_NODES)
        pk_found(sink, nodes);
    return PK_OK;
}

/* ---- the plan ---- */

static size_t scratch_bytes(const half *p) {
    return sizeof(search) + (size_t)(p->squares + p->width + 2) * sizeof(skyline) + 3 * (size_t)p->squares;
}

/* Cuts the search into units by its first steps: one step more until there are enough. */
static int make_seeds(half *p) {
    const int never = 0, most = p->mode == PK_TILING_STATES && p->steps < SEED ? p->steps : SEED;
    pk_sink sink = {.stop = &never, .wanted = UINT64_MAX};
    search *q = calloc(1, scratch_bytes(p));
    if (!q)
        return 0;
    q->skylines = (skyline *)(q + 1);
    for (int steps = 0;; steps++) {
        begin(q, p, &sink);
        q->steps = steps;
        q->seeds = malloc(256 * sizeof *q->seeds);
        q->seed_room = q->seeds ? 256 : 0;
        if (!q->seeds || !(p->upper ? descend_upper(q, q->skylines, first_notch(p))
                                    : descend_lower(q, q->skylines, first_notch(p)))) {
            free(q->seeds);
            free(q);
            return 0;
        }
        if (q->seed_count >= SEEDS || steps >= most)
            break;
        free(q->seeds);
    }
    p->seeds = q->seeds;
    p->base.units = q->seed_count;
    free(q);
    return 1;
}

static uint64_t state_hash(const uint8_t *row, size_t bytes) {
    uint64_t hash = bytes;
    for (size_t i = sizeof(uint64_t); i < bytes; i += 8) {
        uint64_t word = 0;
        memcpy(&word, row + i, bytes - i < 8 ? bytes - i : 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return hash;
}

/* Equal states become one, with the sum of their weights, in the order of their first appearance. */
static int merge_states(half *p, const uint8_t *states, uint64_t count) {
    const size_t bytes = p->state_bytes, head = sizeof(uint64_t);
    uint64_t slots = 1024;
    while (slots < 2 * count)
        slots *= 2;
    uint32_t *slot = calloc(slots, sizeof *slot);
    p->states = malloc(count * bytes + 1);
    if (!slot || !p->states || count >= UINT32_MAX) {
        free(slot);
        return 0;
    }
    for (uint64_t k = 0; k < count; k++) {
        const uint8_t *row = states + k * bytes;
        uint64_t at = state_hash(row, bytes) & (slots - 1);
        uint8_t *kept = NULL;
        for (; slot[at]; at = (at + 1) & (slots - 1)) {
            kept = p->states + (slot[at] - 1) * bytes;
            if (!memcmp(kept + head, row + head, bytes - head))
                break;
        }
        if (slot[at]) {
            ((state_row *)(void *)kept)->weight += ((const state_row *)(const void *)row)->weight;
        } else {
            memcpy(p->states + p->state_count * bytes, row, bytes);
            slot[at] = (uint32_t)++p->state_count;
        }
    }
    free(slot);
    uint8_t *fitted = realloc(p->states, p->state_count * bytes + 1);
    if (fitted)
        p->states = fitted;
    p->base.units = (p->state_count + STATES_A_UNIT - 1) / STATES_A_UNIT;
    return 1;
}

static void destroy(pk_plan *plan) {
    half *p = (half *)plan;
    free(p->depths);
    free(p->closed);
    free(p->seeds);
    free(p->states);
    free(p->keys.entries);
    free(p);
}

static int copy_tables(half *p, const uint8_t *depths, const uint64_t *closed) {
    size_t bytes = 0;
    for (int w = 1; w <= p->widest; w++)
        bytes += p->place[p->fits[w]];
    p->depths = malloc(bytes + 1);
    if (!p->depths)
        return 0;
    if (bytes)
        memcpy(p->depths, depths, bytes);
    bytes = 0;
    for (int w = 1; w <= p->widest; w++) {
        p->depth[w] = p->depths + bytes;
        bytes += p->place[p->fits[w]];
    }
    if (closed) {
        const size_t words = (p->place[p->sizes] + 63) / 64;
        p->closed = malloc(words * sizeof *closed);
        if (!p->closed)
            return 0;
        memcpy(p->closed, closed, words * sizeof *closed);
    }
    return 1;
}

static void copy_problem(half *p, const int32_t *sides, const int32_t *counts, int sizes, const pk_tiling_half *given) {
    p->width = given->width;
    p->height = given->height;
    p->cut = given->cut;
    p->upper = given->upper;
    p->octant = given->octant;
    p->rules = given->rules;
    p->mode = given->mode;
    p->steps = given->steps;
    p->widest = given->widest;
    p->deepest = given->deepest;
    p->least = given->least;
    p->greatest = given->greatest;
    p->sizes = sizes;
    p->place[0] = 1;
    for (int a = 0; a < sizes; a++) {
        p->side[a] = sides[a];
        p->count[a] = counts[a];
        p->squares += counts[a];
        p->place[a + 1] = p->place[a] * (uint32_t)(counts[a] + 1);
        p->area[a] = (uint32_t)(sides[a] * sides[a]);
        if (a < given->small && !(a == 0 && p->octant))
            p->small[a] = p->area[a];
        for (int i = a + 1; i <= sizes; i++)
            p->lower[a][i] = p->place[a];
    }
    for (int w = 1; w <= PK_TILING_WIDTH; w++)
        for (p->fits[w] = 0; p->fits[w] < sizes && sides[p->fits[w]] <= w;)
            p->fits[w]++;
    if (p->squares == 1)
        p->rules &= ~PK_TILING_PINWHEEL;
    p->start = p->place[sizes] - 1 - (p->octant && !p->upper);
    for (int h = 0; h < 256; h++)
        p->wall[h] = (uint8_t)(h < BLOCKED ? h : h == BORDER ? p->height : p->cut + 1);
}

int pk_tiling_half_plan(const int32_t *sides, const int32_t *counts, int sizes, const pk_tiling_half *given,
                        const uint8_t *depths, const uint64_t *closed, const uint8_t *states, uint64_t state_count,
                        const uint8_t *keys, uint64_t key_count, pk_plan **plan) {
    half *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    copy_problem(p, sides, counts, sizes, given);
    p->state_bytes = (sizeof(state_row) + 2 * (size_t)p->width + 7) / 8 * 8;
    p->base.search = search_half;
    p->base.destroy = destroy;
    p->base.scratch_bytes = scratch_bytes(p);
    p->base.row_bytes = p->mode == PK_TILING_STATES  ? p->state_bytes
                        : p->mode == PK_TILING_PATHS ? (sizeof(key_row) + 3 * (size_t)p->squares + 7) / 8 * 8
                                                     : sizeof(key_row);
    if (!copy_tables(p, depths, closed) ||
        (keys && !pk_keys_open(&p->keys, (const key_row *)(const void *)keys, key_count)) ||
        !(states ? merge_states(p, states, state_count) : make_seeds(p))) {
        destroy(&p->base);
        return PK_ENOMEM;
    }
    *plan = &p->base;
    return PK_OK;
}
