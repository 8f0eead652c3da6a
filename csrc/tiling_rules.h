/* tiling_rules.h - what prunes the search of a half. Only tiling_halves.c reads this.
 *
 * Each rule is a necessary condition on the whole tiling, seen from a state; tests switch each on alone.
 *   notch      what is left fills it as deep as its lower wall is high: exact tables (tiling_depths.c). Without the
 *              only smallest square where that cannot be, and with it where the notch reaches into the half that holds
 *              it.
 *   terrace    see terrace_is_dead. Only as far as the terrace can be filled is the stack beside it confined, and only
 *              by a far wall that is as high as that.
 *   pinwheel   see winds.
 *   placeable  the only smallest square still has a column in its fundamental part.
 *   closure    what is left contains what some half of the other kind leaves for this one.
 */
#ifndef PK_TILING_RULES_H
#define PK_TILING_RULES_H

#include "tiling_half.h"

/* Adds up to `times` times `side` to each sum, side < 64: first once, then twice, four times ... */
INLINE uint64_t with_multiples(uint64_t sum, int side, int times) {
    for (int some = 1; times > 0; some *= 2) {
        const int step = some < times ? some : times;
        if (step * side > 63)
            break;
        sum |= sum << step * side;
        times -= step;
    }
    return sum;
}

/* Sums up to 63 of sides that are left, of the first `sizes` ones. */
static uint64_t sums(const search *q, int sizes, int extra) {
    uint64_t sum = 1;
    for (int a = 0; a < sizes && q->plan->side[a] < 64; a++)
        sum = with_multiples(sum, q->plan->side[a], q->left[a] + (a == 0 ? extra : 0));
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
    const int depth = n & DEPTH, flag = (n & FLAG) != 0;
    const filling f = p->notch[notch_width(n)];
    const uint8_t *table = f.depth + (q->low[f.fits] - less[f.fits]);
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

#endif
