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
 * State: the multiset that is left, a mixed radix code, and the skyline, segments of equal height. Segments are
 * boundary tags in arrays by column, so that a step writes a few entries in place, and undoes them:
 *
 *      column     0     1  2  3  4  5  6      width + 1     A segment has its height and width at its first column and
 *      height    255    4        0  .  .  ...    255        its width at its last one; what lies between is stale.
 *      width      1     3        3  .  .  ...     1         Heights are below 128; 255 is the border, BLOCKED + f is
 *      width_to   1     .  .  3  .  .  3  ...     1         blocked from row f on.
 *
 * A notch is a segment with higher neighbours. The leftmost cell of a notch is a square's corner, or a blocked run
 * begins there: so whichever notch is chosen by the state alone, each half is met exactly once. The narrowest is. The
 * notches are a list that each step copies and corrects: a step touches one notch, and no other notch is its neighbour.
 *
 * Symmetry. If the smallest square occurs once, one half holds it, in a fundamental part of the rectangle (x <= middle,
 * y <= middle from that half's border, and y <= x in a square), with the size of its place's orbit as weight. Of mirror
 * images of the other half only the one with the greater first row is searched. Profiles count as equal to their mirror
 * images; a pair then has the weight 1/2 x (2 if the profile is a palindrome) x (1 if the first row is one, else 2).
 * Here all weights are doubled, so that they are whole. If no square is the only smallest one, the lower half has the
 * rule of the first row, and that is all.
 *
 * Rules. Each is a necessary condition on the whole tiling, seen from a state; tests switch each on alone.
 *   notch      what is left fills it as deep as its lower wall is high: exact tables (tiling_depths.c). Without the
 *              only smallest square where that cannot be, and with it where the notch reaches into the half that holds
 * it. terrace    see terrace_is_dead. Only as far as the terrace can be filled is the stack beside it confined, and
 * only by a far wall that is as high as that. pinwheel   see winds. placeable  the only smallest square still has a
 * column in its fundamental part. closure    what is left contains what some half of the other kind leaves for this
 * one.
 *
 * Equal states are merged after some steps, with their number as weight: rows of one plan are handed to the next.
 *
 * The method is that of meeting in the middle, with skylines as in the usual search for squared squares; the pinwheel
 * is well known for these (Brooks, Smith, Stone and Tutte, 1940).
 *
 * Limits: 63 columns, 126 rows, 32 sides, codes of 32 bits. n = 8 of the Partridge puzzle: 8e7 states; the plain search
 * has 6.3e10.
 *
 * Tried and left, for n = 8: a rule for the area that all notches together take from small squares (2% fewer states);
 * all terraces looked at again after each step, not only those whose neighbours changed (6% fewer); four classes
 * instead of two (30% more states); states merged every two steps (half the states, twice the time: it is memory that
 * counts).
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "kernel.h"
#include "tiling.h"
#include "tiling_keys.h"
#include "tiling_profiles.h"
#include "tiling_states.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    SIZES = PK_TILING_SIZES,
    LOWS = (SIZES + 1 + 3) / 4 * 4,
    SPAN = PK_TILING_WIDTH + 2,
    NOTCHES = (PK_TILING_WIDTH + 1) / 2 + 3,
    BLOCKED = 128,
    BORDER = 255,
    BLOCK = 64,  /* a step that blocks b columns is BLOCK + b, one that places a square the place of its side */
    SEED = 12,   /* steps of a root unit at most */
    SEEDS = 400, /* root units at least, if there are */
    STATES_A_UNIT = 64
};

/* A notch is one word, so that the least is the narrowest, the lowest of those and then the leftmost:
 *
 *      31   24 23   16 15    8   7    6..4   3..0
 *      | width | floor |  x   | flag |   0  | depth |
 *
 * The depth is that of its lower wall, at most `deepest`. The flag says: in the upper half, that it is a place for the
 * only smallest square; in the lower half, that its depth reaches into the upper half, where that square may be. */
typedef uint32_t notch;

enum { DEAD = 0, FLAG = 128, DEPTH = 15 };
static const notch DONE = UINT32_MAX;                /* no notch is left below the cut */

INLINE int notch_x(notch n) { return n >> 8 & 255; }
INLINE int notch_floor(notch n) { return n >> 16 & 255; }
INLINE int notch_width(notch n) { return (int)(n >> 24); }

typedef struct level {
    uint32_t count;
    notch notches[NOTCHES];
} level;

typedef struct seed {
    uint8_t steps, step[SEED];
} seed;


typedef struct half {
    pk_plan base;
    int width, height, cut, upper, octant, rules, mode, steps, widest, deepest;
    int holds;    /* the only smallest square, */
    int lacks;    /* or the other half does, */
    int reach;    /* and then it is no lower than this */
    int mirrored; /* of halves that are mirror images only one is searched */
    int sizes, squares;
    int side[SIZES], count[SIZES];
    uint32_t place[SIZES + 1];
    uint32_t lower[SIZES][LOWS]; /* what a square of each side takes from the codes of the sizes below each */
    uint32_t area[SIZES], small[SIZES];
    int line, begins;         /* small squares count if they begin before this row, or if they end at it or before */
    uint64_t least, greatest; /* area of those in the class */
    uint32_t start;           /* the code of all squares of this half */
    int lows;                 /* of `low`, those in use, a multiple of four */
    uint8_t fits[PK_TILING_WIDTH + 1]; /* how many sizes are at most so wide */
    const uint8_t *depth[PK_TILING_WIDTH + 1];
    uint8_t wall[256]; /* how high a neighbour is at least */
    uint8_t *depths;
    uint64_t *closed;
    seed *seeds;
    const uint8_t *states;
    uint64_t state_count;
    size_t state_bytes;
    profiles profiles;
    key_index keys;
} half;

typedef struct search {
    const half *plan;
    pk_sink *sink;
    uint32_t code;
    int orbit;               /* of the only smallest square's place; 0 before it has one */
    uint32_t low[LOWS];      /* the code of the sizes below each */
    uint16_t height[SPAN];   /* at the first column of each segment; bytes would alias everything */
    uint16_t width[SPAN];    /* likewise */
    uint16_t width_to[SPAN]; /* at the last column of each segment */
    int32_t left[SIZES];
    uint64_t small; /* area of the small squares used */
    uint64_t weight;
    int palindrome, row_done;
    int depth, steps;
    int row_length, squares;
    uint64_t nodes;
    int status;  /* PK_EOVERFLOW when a weight does not fit */
    seed *seeds; /* while the plan is made: what is split */
    uint64_t seed_count, seed_room;
    uint8_t step[SEED];
    uint8_t row[SPAN]; /* sides of the first row */
    uint8_t *path;
    level *levels;
} search;

/* ---- segments ---- */

/* What a step has overwritten. */
typedef struct trace {
    int x, width, floor, left, left_width, right, right_width, right_height;
} trace;

INLINE trace trace_of(const search *q, notch n) {
    const int x = notch_x(n), width = notch_width(n), left_width = q->width_to[x - 1], right = x + width;
    return (trace){x, width, notch_floor(n), x - left_width, left_width, right, q->width[right], q->height[right]};
}

/* Raises the first `part` columns of a notch. Returns where the segment begins that they belong to now. */
INLINE int raise_part(search *q, trace t, int part, int height) {
    const int joins_left = q->height[t.left] == height;
    const int joins_right = part == t.width && q->height[t.right] == height;
    const int start = joins_left ? t.left : t.x, end = t.x + part + (joins_right ? t.right_width : 0);
    q->height[start] = (uint16_t)height;
    q->width[start] = q->width_to[end - 1] = (uint16_t)(end - start);
    if (part < t.width) {
        q->height[t.x + part] = (uint16_t)t.floor;
        q->width[t.x + part] = q->width_to[t.right - 1] = (uint16_t)(t.width - part);
    }
    return start;
}

/* Once the right neighbour is joined, what happens later may overwrite its height too. */
INLINE void restore(search *q, trace t) {
    q->height[t.right] = (uint16_t)t.right_height;
    q->height[t.x] = (uint16_t)t.floor;
    q->width[t.x] = q->width_to[t.right - 1] = (uint16_t)t.width;
    q->width[t.left] = q->width_to[t.x - 1] = (uint16_t)t.left_width;
    q->width[t.right] = q->width_to[t.right + t.right_width - 1] = (uint16_t)t.right_width;
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

/* Whether the only smallest square, not placed yet, could be in `width` columns from x on, at row y or above. */
INLINE int in_octant(const half *p, int x, int width, int y) {
    const int u = p->side[0], middle = (p->width - u) / 2, last = x - 1 + width - u,
              right = middle < last ? middle : last;
    return x - 1 <= right && y <= (p->height - u) / 2 && (p->width != p->height || y <= right);
}

INLINE int waits(const half *p, const search *q) { return p->holds && !q->orbit; }

/* The word of a notch whose lower wall is `wall`. */
INLINE notch notch_of(const half *p, int x, int width, int floor, int wall, int waiting) {
    const int depth = wall - floor < p->deepest ? wall - floor : p->deepest;
    const int flag = waiting ? in_octant(p, x, width, floor) : p->lacks && floor + depth > p->reach;
    return (notch)(width << 24 | floor << 16 | x << 8 | (flag ? FLAG : 0) | depth);
}

/* Whether what is left, but for `less`, can fill a notch. */
INLINE int can_fill(const half *p, const search *q, notch n, const uint32_t *less, const int waiting, const int upper) {
    const int width = notch_width(n), depth = n & DEPTH, flag = (n & FLAG) != 0;
    if (width > p->widest || !(p->rules & PK_TILING_NOTCH))
        return 1;
    const int fits = p->fits[width];
    const uint8_t *table = p->depth[width] + (q->low[fits] - less[fits]);
    if (!p->lacks || !flag)
        return table[-(waiting && !flag)] >= depth;
    /* Only what lies in the other half can have the smallest square; of that half's squares some cross the cut upwards.
     */
    return table[1] >= depth && (upper || table[0] >= p->cut - notch_floor(n));
}

/* A terrace: a segment with one higher neighbour and one lower. Either it is filled like a notch up to its wall; or a
 * square crosses the edge, at the earliest on the floor and at the latest as high as the terrace can be filled: then
 * squares beside it stack up to exactly there. They are no wider than the lower segment, if that has a wall on its far
 * side as high as this. */
INLINE int terrace_is_dead(const half *p, const search *q, int x, int left, int right) {
    const int width = q->width[x], floor = q->height[x], wall_left = q->height[left] > floor;
    if (width > p->widest)
        return 0;
    const int wall = p->wall[q->height[wall_left ? left : right]];
    const int rise = wall - floor < p->deepest ? wall - floor : p->deepest;
    const int above = p->lacks && floor + rise > p->reach;
    const int depth = p->depth[width][(int)q->low[p->fits[width]] + above];
    if (depth >= rise)
        return 0;
    const int lower = wall_left ? right : left, drop = floor - q->height[lower], below = q->width[lower];
    if (drop + depth > 62)
        return 0;
    const int beyond = wall_left ? lower + below : lower - q->width_to[lower - 1];
    const int confined = p->wall[q->height[beyond]] >= floor + depth;
    const uint64_t stacks = sums(q, confined ? p->fits[below] : p->sizes, above);
    return !(stacks >> drop & (((uint64_t)2 << depth) - 1));
}

static const uint32_t nothing[LOWS];

/* Looks at the segment at x, whose neighbourhood has changed. A notch is added to the level. 0: dead. */
INLINE int look(const half *p, const search *q, level *to, notch *best, int x, const int waiting, const int upper) {
    const int floor = q->height[x], width = q->width[x];
    if (floor >= BLOCKED)
        return 1;
    const int left = x - q->width_to[x - 1], right = x + width, a = q->height[left], b = q->height[right];
    if (a > floor && b > floor) {
        const notch n = notch_of(p, x, width, floor, p->wall[a] < p->wall[b] ? p->wall[a] : p->wall[b], waiting);
        to->notches[to->count++] = n;
        if (floor < p->cut && n < *best)
            *best = n;
        return can_fill(p, q, n, nothing, waiting, upper);
    }
    return (a < floor && b < floor) || !(p->rules & PK_TILING_TERRACE) || !terrace_is_dead(p, q, x, left, right);
}

/* Whether the only smallest square still has a place somewhere. */
static int is_placeable(const half *p, const search *q) {
    const int last = (p->width - p->side[0]) / 2 + 1;
    for (int x = 1; x <= last; x += q->width[x])
        if (q->height[x] < BLOCKED && in_octant(p, x, p->width, q->height[x]))
            return 1;
    return 0;
}

/* The only smallest square lies inside and four squares wind round it: each of its walls is longer than it, and the
 * square above it ends on the lower of its neighbours, which is exactly as high as it. */
static int winds(const half *p, const search *q, trace t) {
    const int u = p->side[0], left = p->wall[q->height[t.left]] - t.floor;
    if (t.floor == 0 || t.left == 0)
        return 0;
    if (t.width > u)
        return left == u;
    const int right = p->wall[q->height[t.right]] - t.floor;
    return t.right <= p->width && ((left == u && right > u) || (right == u && left > u));
}

/* How many places the symmetries of the rectangle make of the only smallest square's; 0 outside the fundamental part.
 */
static int orbit_of(const half *p, int x, int y) {
    const int u = p->side[0], x2 = 2 * (x - 1) + u, y2 = 2 * y + u;
    if (x2 > p->width || y2 > p->height)
        return 0;
    if (p->width != p->height)
        return (x2 < p->width ? 2 : 1) * (y2 < p->height ? 2 : 1);
    if (y2 > x2)
        return 0;
    return y2 == p->height ? 1 : (y2 == x2 || x2 == p->width) ? 4 : 8;
}

/* ---- steps ---- */

/* The area by which a square on this floor adds to what the class is made of. */
INLINE uint32_t small_area(const half *p, int floor, int a) {
    return (p->begins ? floor < p->line : floor + p->side[a] <= p->line) ? p->small[a] : 0;
}

INLINE void take(search *q, int a) {
    const half *p = q->plan;
    const uint32_t *lower = p->lower[a];
    q->code -= p->place[a];
    for (int i = 0; i < p->lows; i += 4) {
        q->low[i] -= lower[i];
        q->low[i + 1] -= lower[i + 1];
        q->low[i + 2] -= lower[i + 2];
        q->low[i + 3] -= lower[i + 3];
    }
    q->left[a]--;
    q->squares++;
}

INLINE void give_back(search *q, int a) {
    const half *p = q->plan;
    const uint32_t *lower = p->lower[a];
    q->code += p->place[a];
    for (int i = 0; i < p->lows; i += 4) {
        q->low[i] += lower[i];
        q->low[i + 1] += lower[i + 1];
        q->low[i + 2] += lower[i + 2];
        q->low[i + 3] += lower[i + 3];
    }
    q->left[a]++;
    q->squares--;
}

INLINE void leave_row(search *q, int floor) {
    if (q->plan->mirrored && floor == 0) {
        q->row_length--;
        q->row_done = 0;
    }
}

/* Takes up a square of the first row, or BLOCKED and the width of a blocked run. 0: the row is finished, and less than
 * its mirror image. */
static int enter_row(search *q, int part, int finished) {
    q->row[q->row_length++] = (uint8_t)part;
    q->row_done = finished;
    if (!finished)
        return 1;
    int i = 0;
    const int n = q->row_length;
    while (i < n && q->row[i] == q->row[n - 1 - i])
        i++;
    q->palindrome = i == n;
    return i == n || q->row[i] > q->row[n - 1 - i];
}

/* Undoes place_square. */
INLINE void remove_square(search *q, trace t, int a) {
    give_back(q, a);
    q->small -= small_area(q->plan, t.floor, a);
    restore(q, t);
    if (q->plan->holds && a == 0)
        q->orbit = 0;
    leave_row(q, t.floor);
}

/* Places a square of the a-th side at the left end of a notch. Returns the next notch, DONE or DEAD; then nothing has
 * changed. Most squares are refused before anything is written. */
INLINE notch place_square(search *q, const level *from, level *to, notch n, trace t, int a, const int upper) {
    const half *p = q->plan;
    const int side = p->side[a];
    const uint32_t code = q->code - p->place[a];
    if (p->closed && !(p->closed[code / 64] >> code % 64 & 1))
        return DEAD;
    const uint32_t small = small_area(p, t.floor, a);
    if (q->small + small > p->greatest)
        return DEAD;
    int orbit = 0;
    if (p->holds && a == 0) {
        orbit = orbit_of(p, t.x, t.floor);
        if (!orbit || (p->rules & PK_TILING_PINWHEEL && !winds(p, q, t)))
            return DEAD;
    }
    const int waiting = waits(p, q) && !orbit;
    notch best = DONE;
    to->count = 0;
    if (side < t.width) {
        const int right = p->wall[q->height[t.right]], top = t.floor + side;
        const notch rest = notch_of(p, t.x + side, t.width - side, t.floor, right < top ? right : top, waiting);
        if (!can_fill(p, q, rest, p->lower[a], waiting, upper))
            return DEAD;
        to->notches[to->count++] = best = rest;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        const notch other = from->notches[i];
        if (other == n)
            continue;
        if (side <= notch_width(other) && !can_fill(p, q, other, p->lower[a], waiting, upper))
            return DEAD;
        to->notches[to->count++] = other;
        if (other < best && notch_floor(other) < p->cut)
            best = other;
    }
    if (p->mirrored && t.floor == 0 && !enter_row(q, side, side == t.width)) {
        leave_row(q, t.floor);
        return DEAD;
    }
    const int start = raise_part(q, t, side, t.floor + side);
    take(q, a);
    q->small += small;
    if (orbit)
        q->orbit = orbit;
    if (look(p, q, to, &best, start, waiting, upper) &&
        (start == t.left || look(p, q, to, &best, t.left, waiting, upper)) &&
        (side < t.width || q->width[start] + start != t.right || look(p, q, to, &best, t.right, waiting, upper)) &&
        (!waiting || !(p->rules & PK_TILING_PLACEABLE) || is_placeable(p, q))) {
        if (q->path) {
            uint8_t *square = q->path + 3 * (q->squares - 1);
            square[0] = (uint8_t)(t.x - 1);
            square[1] = (uint8_t)t.floor;
            square[2] = (uint8_t)a;
        }
        return best;
    }
    remove_square(q, t, a);
    return DEAD;
}

/* Undoes block_part. */
INLINE void unblock(search *q, trace t) {
    restore(q, t);
    leave_row(q, t.floor);
}

/* Blocks the first `part` columns of a notch; `beside` is what has become of the segment on its left. */
static notch block_part(search *q, const level *from, level *to, notch n, trace t, int part, const level *beside) {
    const half *p = q->plan;
    const int waiting = waits(p, q);
    notch best = DONE;
    to->count = 0;
    if (part < t.width) {
        const int wall = p->wall[t.right_height] < p->cut + 1 ? p->wall[t.right_height] : p->cut + 1;
        const notch rest = notch_of(p, t.x + part, t.width - part, t.floor, wall, waiting);
        if (!can_fill(p, q, rest, nothing, waiting, 1))
            return DEAD;
        to->notches[to->count++] = best = rest;
    }
    for (uint32_t i = 0; i < from->count; i++) {
        const notch other = from->notches[i];
        if (other == n)
            continue;
        to->notches[to->count++] = other;
        if (other < best && notch_floor(other) < p->cut)
            best = other;
    }
    if (p->mirrored && t.floor == 0 && !enter_row(q, BLOCKED + part, part == t.width)) {
        leave_row(q, t.floor);
        return DEAD;
    }
    if (beside->count) {
        const notch left = to->notches[to->count++] = beside->notches[0];
        if (left < best && notch_floor(left) < p->cut)
            best = left;
    }
    raise_part(q, t, part, BLOCKED + t.floor);
    if ((part < t.width || look(p, q, to, &best, t.right, waiting, 1)) &&
        (!waiting || !(p->rules & PK_TILING_PLACEABLE) || is_placeable(p, q)))
        return best;
    unblock(q, t);
    return DEAD;
}

/* Looks at the segment on the left of a notch as if some of it were blocked: the same for any part. 0: dead. */
static int look_beside(search *q, trace t, level *beside) {
    notch best = DONE;
    beside->count = 0;
    q->height[t.x] = (uint16_t)(BLOCKED + t.floor);
    const int alive = look(q->plan, q, beside, &best, t.left, waits(q->plan, q), 1);
    q->height[t.x] = (uint16_t)t.floor;
    return alive;
}

/* The widths of runs that squares of the lower half may block from this floor on, a bit each: those that begin at the
 * floor of this notch and end beyond the half. */
static uint64_t blocks(const search *q, trace t) {
    const half *p = q->plan;
    const int room = p->cut - t.floor;
    if (q->height[t.left] == BLOCKED + t.floor)
        return 0;
    uint64_t sum = 1;
    for (int a = p->holds; a < p->sizes; a++)
        if (p->side[a] > room && p->side[a] <= t.width && t.floor + p->side[a] <= p->height)
            for (int k = a == 0 && p->lacks ? 1 : q->left[a]; k > 0; k--)
                sum |= sum << p->side[a];
    return sum & (((uint64_t)1 << t.width << 1) - 1) & ~(uint64_t)1;
}

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
        const key_row *end, *row = pk_keys_find(&p->keys, key, &end);
        for (; row < end; row++)
            if (row->code == code)
                partners += row->weight;
        if (!partners)
            return 1;
    }
    if (p->mode == PK_TILING_COUNT) {
        uint64_t pairs;
        if (__builtin_mul_overflow(partners, own * (palindrome ? 2 : 1), &pairs) ||
            pairs > UINT64_MAX - q->sink->found) {
            q->status = PK_EOVERFLOW;
            return 0;
        }
        pk_found(q->sink, pairs);
        return 1;
    }
    if (own > UINT32_MAX) {
        q->status = PK_EOVERFLOW;
        return 0;
    }
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

static int descend_upper(search *q, level *from, notch n);
static int descend_lower(search *q, level *from, notch n);

/* Searches on from a state whose next notch is n. 0: stop. */
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

/* Begins with an empty rectangle. */
static notch begin(search *q, const half *p, pk_sink *sink) {
    uint8_t *const path = q->path;
    level *const levels = q->levels;
    memset(q, 0, sizeof *q);
    q->plan = p;
    q->sink = sink;
    q->path = path;
    q->levels = levels;
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
    begin(q, p, sink);
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

static int search_half(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const half *p = (const half *)plan;
    search *q = memory;
    q->levels = (level *)(q + 1);
    q->path = p->mode == PK_TILING_PATHS ? (uint8_t *)(q->levels + p->squares + p->width + 2) : NULL;
    uint64_t nodes = 0;
    if (p->seeds) {
        const seed *from = p->seeds + unit;
        const notch n = replay(q, from, begin(q, p, sink));
        level *at = q->levels + from->steps;
        p->upper ? descend_upper(q, at, n) : descend_lower(q, at, n);
        nodes = q->nodes;
    } else {
        const uint64_t last = (unit + 1) * STATES_A_UNIT < p->state_count ? (unit + 1) * STATES_A_UNIT : p->state_count;
        for (uint64_t k = unit * STATES_A_UNIT; k < last; k++) {
            const state_row *row = (const state_row *)(const void *)(p->states + k * p->state_bytes);
            const notch n = row->weight ? resume(q, p, row, sink) : DEAD;
            if (n == DEAD)
                continue;
            if (!(p->upper ? descend_upper(q, q->levels, n) : descend_lower(q, q->levels, n)))
                break;
            nodes += q->nodes;
        }
    }
    if (p->mode == PK_TILING_NODES)
        pk_found(sink, nodes);
    return q->status;
}

/* ---- the plan ---- */

static size_t scratch_bytes(const half *p) {
    return sizeof(search) + (size_t)(p->squares + p->width + 2) * sizeof(level) + 3 * (size_t)p->squares;
}

/* Cuts the search into units by its first steps: one step more until there are enough. */
static int make_seeds(half *p) {
    const int most = p->mode == PK_TILING_STATES && p->steps < SEED ? p->steps : SEED;
    pk_sink sink = pk_sink_alone(NULL, 0);
    search *q = calloc(1, scratch_bytes(p));
    if (!q)
        return 0;
    q->levels = (level *)(q + 1);
    for (int steps = 0;; steps++) {
        const notch n = begin(q, p, &sink);
        q->steps = steps;
        q->seeds = malloc(256 * sizeof *q->seeds);
        q->seed_room = q->seeds ? 256 : 0;
        if (!q->seeds || !(p->upper ? descend_upper(q, q->levels, n) : descend_lower(q, q->levels, n))) {
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

static void destroy(pk_plan *plan) {
    half *p = (half *)plan;
    free(p->depths);
    free(p->closed);
    free(p->seeds);
    free(p->keys.entries);
    free(p);
}

static int copy_tables(half *p, const uint8_t *depths, const uint64_t *closed) {
    size_t bytes = 1;
    for (int w = 1; w <= p->widest; w++)
        bytes += p->place[p->fits[w]] + 1;
    p->depths = calloc(bytes, 1);
    if (!p->depths)
        return 0;
    uint8_t *to = p->depths + 1; /* a 0 before and behind each table */
    for (int w = 1; w <= p->widest; w++) {
        memcpy(to, depths, p->place[p->fits[w]]);
        p->depth[w] = to;
        depths += p->place[p->fits[w]];
        to += p->place[p->fits[w]] + 1;
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
    p->line = given->line;
    p->begins = given->begins;
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
        while (p->fits[w] < sizes && sides[p->fits[w]] <= w)
            p->fits[w]++;
    p->lows = (sizes + 1 + 3) / 4 * 4;
    if (p->squares == 1)
        p->rules &= ~PK_TILING_PINWHEEL;
    p->holds = p->octant && given->holds;
    p->lacks = p->octant && !given->holds;
    p->reach = p->upper ? p->cut - p->side[0] + 1 : p->cut;
    p->mirrored = p->octant ? p->lacks : !p->upper;
    p->start = p->place[sizes] - 1 - (uint32_t)p->lacks;
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
    p->state_bytes = state_bytes(p->width);
    p->base.search = search_half;
    p->base.destroy = destroy;
    p->base.scratch_bytes = scratch_bytes(p);
    p->base.row_bytes = p->mode == PK_TILING_STATES  ? p->state_bytes
                        : p->mode == PK_TILING_PATHS ? (sizeof(key_row) + 3 * (size_t)p->squares + 7) / 8 * 8
                                                     : sizeof(key_row);
    int status = PK_OK;
    if (!profiles_open(&p->profiles, p->width, p->side[sizes - 1]))
        status = PK_EINVAL;
    else if (!copy_tables(p, depths, closed) ||
        (keys && !pk_keys_open(&p->keys, (const key_row *)(const void *)keys, key_count)))
        status = PK_ENOMEM;
    else if (states) {
        p->states = states;
        p->state_count = state_count;
        p->base.units = (state_count + STATES_A_UNIT - 1) / STATES_A_UNIT;
    } else if (!make_seeds(p))
        status = PK_ENOMEM;
    if (status) {
        destroy(&p->base);
        return status;
    }
    *plan = &p->base;
    return PK_OK;
}
