/* tiling_search.c - squares put into a rectangle one by one: every tiling, in the order of its list of sides.
 *
 *      0 +---------+------+     rows grow downwards here. The next square goes to the highest gap, the leftmost of
 * these: |         |______|     so squares are placed in reading order of their corners, and with sides tried in
 *        |_________|  ^         ascending order the tilings come in lexicographic order.
 *      y |
 *
 * Pruning: the width of every gap between deeper walls is a sum of sides that are left. Where only one image of each
 * tiling is wanted, no other corner's square is less than the first one; the rest is decided when a tiling stands.
 * For long searches of many squares in a narrow rectangle see tiling_halves.c.
 */
#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "tiling.h"

enum { SPAN = 4096 + 2, WORDS = SPAN / 64 + 1, SEED = 10, SEEDS = 300 };

typedef struct prefix {
    int length;
    uint16_t step[SEED];
} prefix;

typedef struct searching {
    pk_plan base;
    int width, height, sizes, squares, which;
    int32_t *side, *count;
    prefix *prefixes;
} searching;

typedef struct state {
    const searching *plan;
    pk_sink *sink;
    uint64_t nodes;
    int placed, steps;
    prefix *prefixes; /* while the plan is made */
    uint64_t prefix_count, prefix_room;
    prefix now;
    uint64_t sums[WORDS];
    int32_t height[SPAN], run[SPAN]; /* at the first column of each segment: its height and width */
    int32_t *left;
    int16_t *squares, *image; /* three numbers a square */
} state;

/* ---- sums of sides ---- */

static void shift_in(uint64_t *sums, int words, int by) {
    const int whole = by / 64, part = by % 64;
    for (int i = words - 1; i >= whole; i--) {
        uint64_t shifted = sums[i - whole] << part;
        if (part && i > whole)
            shifted |= sums[i - whole - 1] >> (64 - part);
        sums[i] |= shifted;
    }
}

static void make_sums(state *s) {
    const searching *p = s->plan;
    const int words = p->width / 64 + 1;
    memset(s->sums, 0, (size_t)words * sizeof *s->sums);
    s->sums[0] = 1;
    for (int a = 0; a < p->sizes; a++) {
        int left = s->left[a];
        for (int k = 1; left > 0; k *= 2) { /* 1, 2, 4, ... and the rest make every number of them */
            const int some = k < left ? k : left;
            if ((int64_t)some * p->side[a] <= p->width)
                shift_in(s->sums, words, some * p->side[a]);
            else /* one by one, as many as there is room for */
                for (int i = 0; i < some && (int64_t)(i + 1) * p->side[a] <= p->width; i++)
                    shift_in(s->sums, words, p->side[a]);
            left -= some;
        }
    }
}

/* ---- a finished tiling ---- */

/* How many images the tiling has, or 0 if another image has a lesser list of sides. */
static int images(state *s) {
    const searching *p = s->plan;
    const int n = p->squares, w = p->width, h = p->height, symmetries = w == h ? 8 : 4;
    int same = 1;
    for (int g = 1; g < symmetries; g++) {
        for (int i = 0; i < n; i++) {
            const int16_t *q = s->squares + 3 * i;
            int x = g & 1 ? w - q[0] - q[2] : q[0], y = g & 2 ? h - q[1] - q[2] : q[1];
            if (g & 4) {
                const int turned = x;
                x = y;
                y = turned;
            }
            int k = i;
            for (; k > 0; k--) { /* in reading order */
                const int16_t *before = s->image + 3 * (k - 1);
                if (before[1] < y || (before[1] == y && before[0] < x))
                    break;
                memcpy(s->image + 3 * k, before, 3 * sizeof *before);
            }
            s->image[3 * k] = (int16_t)x;
            s->image[3 * k + 1] = (int16_t)y;
            s->image[3 * k + 2] = q[2];
        }
        int i = 0;
        while (i < n && s->image[3 * i + 2] == s->squares[3 * i + 2])
            i++;
        if (i < n && s->image[3 * i + 2] < s->squares[3 * i + 2])
            return 0;
        same += i == n;
    }
    return symmetries / same;
}

/* 0: stop. */
static int finish(state *s) {
    const searching *p = s->plan;
    uint64_t weight = 1;
    if (p->which != PK_TILING_ALL) {
        const int orbit = images(s);
        if (!orbit)
            return 1;
        if (p->which == PK_TILING_ORBITS)
            weight = (uint64_t)orbit;
    }
    if (s->sink->counting) {
        pk_found(s->sink, weight);
        return 1;
    }
    uint8_t *row = pk_room(s->sink, 1);
    if (!row)
        return 0;
    memcpy(row, s->squares, 3 * sizeof(int16_t) * (size_t)p->squares);
    pk_keep(s->sink, 1);
    return 1;
}

/* ---- the search ---- */

static int keep_prefix(state *s) {
    if (s->prefix_count == s->prefix_room) {
        const uint64_t room = 2 * s->prefix_room;
        prefix *prefixes = realloc(s->prefixes, room * sizeof *prefixes);
        if (!prefixes)
            return 0;
        s->prefixes = prefixes;
        s->prefix_room = room;
    }
    s->now.length = s->placed;
    s->prefixes[s->prefix_count++] = s->now;
    return 1;
}

/* The first column of the highest gap (the one with the least height), or 0 if there is a gap that cannot be filled. */
static int find_gap(const state *s) {
    const searching *p = s->plan;
    int best = 1, before = 0;
    for (int x = 1; x <= p->width; x += s->run[x]) {
        const int after = x + s->run[x], h = s->height[x];
        if (h < s->height[best])
            best = x;
        if ((x == 1 || s->height[before] > h) && (after > p->width || s->height[after] > h) &&
            !(s->sums[s->run[x] / 64] >> s->run[x] % 64 & 1) && h < p->height)
            return 0;
        before = x;
    }
    return best;
}

/* Whether a square may be in a corner, if only the least image is wanted. */
static int may_be_corner(const state *s, int x, int y, int side) {
    const searching *p = s->plan;
    if (p->which == PK_TILING_ALL || side >= s->squares[2])
        return 1;
    return (x > 1 && x + side <= p->width) || (y > 0 && y + side < p->height);
}

/* It goes as deep as there are squares, at most 4096: with 160 bytes of stack each, under 1 MB. */
static int descend(state *s) {
    const searching *p = s->plan;
    if (++s->nodes % 1024 == 0 && pk_stop(s->sink))
        return 0;
    if (s->placed == s->steps && s->prefix_room)
        return keep_prefix(s);
    if (s->placed == p->squares)
        return s->prefix_room ? keep_prefix(s) : finish(s);
    make_sums(s);
    const int x = find_gap(s);
    if (!x)
        return 1;
    const int y = s->height[x], width = s->run[x], room = p->height - y < width ? p->height - y : width;
    int left = 0, right = x + width;
    for (int i = 1; i < x; i += s->run[i])
        left = i;
    const int left_run = s->run[left];
    for (int a = 0; a < p->sizes && p->side[a] <= room; a++) {
        const int side = p->side[a], bottom = y + side;
        if (!s->left[a] || (s->placed && !may_be_corner(s, x, y, side)))
            continue;
        int16_t *square = s->squares + 3 * s->placed;
        square[0] = (int16_t)(x - 1);
        square[1] = (int16_t)y;
        square[2] = (int16_t)side;
        if (s->placed < SEED)
            s->now.step[s->placed] = (uint16_t)a;
        const int joins_left = left && s->height[left] == bottom;
        const int joins_right = side == width && right <= p->width && s->height[right] == bottom;
        const int start = joins_left ? left : x, right_run = s->run[right], right_height = s->height[right];
        s->height[start] = bottom;
        s->run[start] = x + side - start + (joins_right ? right_run : 0);
        if (side < width) {
            s->height[x + side] = y;
            s->run[x + side] = width - side;
        }
        s->left[a]--;
        s->placed++;
        const int go_on = descend(s);
        s->placed--;
        s->left[a]++;
        s->height[right] = right_height;
        s->run[right] = right_run;
        s->height[x] = y;
        s->run[x] = width;
        s->run[left] = left_run;
        if (!go_on)
            return 0;
    }
    return 1;
}

static void begin(state *s, const searching *p, pk_sink *sink) {
    s->plan = p;
    s->sink = sink;
    s->left = (int32_t *)(s + 1);
    s->squares = (int16_t *)(s->left + p->sizes);
    s->image = s->squares + 3 * (size_t)p->squares;
    s->placed = 0;
    memcpy(s->left, p->count, (size_t)p->sizes * sizeof *s->left);
    s->height[1] = 0;
    s->run[1] = p->width;
    s->height[p->width + 1] = s->height[0] = INT32_MAX;
}

/* Places what a prefix says, the way descend did when the prefix was made. */
static void replay(state *s, const prefix *from) {
    const searching *p = s->plan;
    for (int k = 0; k < from->length; k++) {
        int x = 1, left = 0, before = 0;
        for (int i = 1; i <= p->width; before = i, i += s->run[i])
            if (i == 1 || s->height[i] < s->height[x]) {
                x = i;
                left = before;
            }
        const int a = from->step[k], side = p->side[a], y = s->height[x], width = s->run[x], right = x + width;
        int16_t *square = s->squares + 3 * s->placed++;
        square[0] = (int16_t)(x - 1);
        square[1] = (int16_t)y;
        square[2] = (int16_t)side;
        s->left[a]--;
        const int start = left && s->height[left] == y + side ? left : x;
        const int joins_right = side == width && right <= p->width && s->height[right] == y + side;
        s->height[start] = y + side;
        s->run[start] = x + side - start + (joins_right ? s->run[right] : 0);
        if (side < width) {
            s->height[x + side] = y;
            s->run[x + side] = width - side;
        }
    }
}

static int search_unit(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const searching *p = (const searching *)plan;
    state *s = memory;
    begin(s, p, sink);
    replay(s, p->prefixes + unit);
    descend(s);
    return PK_OK;
}

/* ---- the plan ---- */

static void destroy(pk_plan *plan) {
    searching *p = (searching *)plan;
    free(p->side);
    free(p->prefixes);
    free(p);
}

/* Cuts the search into units by its first squares: one more until there are enough. */
static int make_prefixes(searching *p) {
    const int most = p->squares < SEED ? p->squares : SEED;
    pk_sink sink = pk_sink_alone(NULL, 0);
    state *s = calloc(1, p->base.scratch_bytes);
    int made = s != NULL;
    for (int steps = 0; made && steps <= most; steps++) {
        free(s->prefixes);
        begin(s, p, &sink);
        s->steps = steps;
        s->prefix_count = 0;
        s->prefix_room = 256;
        s->prefixes = malloc(s->prefix_room * sizeof *s->prefixes);
        made = s->prefixes && descend(s);
        if (made && s->prefix_count >= SEEDS)
            break;
    }
    if (made) {
        p->prefixes = s->prefixes;
        p->base.units = s->prefix_count;
    } else if (s) {
        free(s->prefixes);
    }
    free(s);
    return made;
}

int pk_tiling_search_plan(int width, int height, const int32_t *sides, const int32_t *counts, int sizes, int which,
                          pk_plan **plan) {
    searching *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->base.search = search_unit;
    p->base.destroy = destroy;
    p->width = width;
    p->height = height;
    p->sizes = sizes;
    p->which = which;
    for (int a = 0; a < sizes; a++)
        p->squares += counts[a];
    p->base.row_bytes = 3 * sizeof(int16_t) * (size_t)p->squares;
    p->base.scratch_bytes = sizeof(state) + (size_t)sizes * sizeof(int32_t) + 2 * p->base.row_bytes;
    p->side = malloc(2 * (size_t)sizes * sizeof *p->side);
    if (p->side) {
        p->count = p->side + sizes;
        memcpy(p->side, sides, (size_t)sizes * sizeof *sides);
        memcpy(p->count, counts, (size_t)sizes * sizeof *counts);
    }
    if (!p->side || !make_prefixes(p)) {
        destroy(&p->base);
        return PK_ENOMEM;
    }
    *plan = &p->base;
    return PK_OK;
}
