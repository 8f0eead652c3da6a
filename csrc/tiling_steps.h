/* tiling_steps.h - a square is placed, or a part of a notch blocked, and taken back. Only tiling_halves.c reads this.
 */
#ifndef PK_TILING_STEPS_H
#define PK_TILING_STEPS_H

#include "tiling_rules.h"

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
            sum = with_multiples(sum, p->side[a], a == 0 && p->lacks ? 1 : q->left[a]);
    return sum & (((uint64_t)1 << t.width << 1) - 1) & ~(uint64_t)1;
}

#endif
