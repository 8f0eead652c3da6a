/* tiling_half.h - the plan of a half and the state of its search. Only C reads this; tiling_halves.c has the method.
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
 */
#ifndef PK_TILING_HALF_H
#define PK_TILING_HALF_H

#include "kernel.h"
#include "tiling.h"
#include "tiling_keys.h"
#include "tiling_profiles.h"

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
static const notch DONE = UINT32_MAX; /* no notch is left below the cut */

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

typedef struct filling {
    const uint8_t *depth; /* by the code of so many sizes */
    int fits;
} filling;

/* `depths`, `closed`, `seeds` and the index of the keys are its own. */
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
    filling notch[PK_TILING_WIDTH + 1]; /* the same, and for widths without tables one that forbids nothing */
    uint8_t wall[256];                  /* how high a neighbour is at least */
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
    uint64_t nodes; /* of the unit: many small states ask for a stop too */
    int status;     /* PK_EOVERFLOW when a weight does not fit */
    seed *seeds;    /* while the plan is made: what is split */
    uint64_t seed_count, seed_room;
    uint8_t step[SEED];
    uint8_t row[SPAN]; /* sides of the first row */
    uint8_t *path;
    level *levels;
} search;

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

/* Begins with an empty rectangle: its notch. */
notch pk_half_begin(search *q, const half *p, pk_sink *sink);

/* Searches on from a state whose next notch is n. 0: stop. */
int pk_half_go_on(search *q, level *from, notch n);

int pk_half_search(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink);

#endif
