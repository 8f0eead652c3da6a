/* tiling_symmetric.c - counts the tilings that a symmetry of the rectangle leaves as they are. With them, tilings up to
 * symmetry are counted without a list of them (Burnside).
 *
 * Each square is put together with its images, which are other squares or itself, so that what is covered always has
 * the symmetry. The next square covers the first free cell, in reading order. When only squares of side 1 are left
 * there is one way to go on. There are about as many such tilings as the square root of all; in a narrow rectangle far
 * more are mirrored from one long side to the other, and as states are not merged each of them is met.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "kernel.h"
#include "tiling.h"

enum { WIDTH = 64, HEIGHT = 126, SIZES = 32, MOST_IMAGES = 4, STEPS = 12, UNITS = 300 };

/* The sizes of the first squares. */
typedef struct prefix {
    int length;
    uint8_t size[STEPS];
} prefix;

typedef struct symmetric {
    pk_plan base;
    int width, height, sizes, symmetry;
    int side[SIZES], count[SIZES];
    prefix *prefixes;
    uint64_t room;
} symmetric;

typedef struct state {
    const symmetric *plan;
    symmetric *made; /* the same, while it is made */
    pk_sink *sink;
    uint64_t nodes, covered[HEIGHT];
    int left[SIZES], larger; /* squares left; those larger than 1 */
    prefix now;
    int steps; /* of its prefixes then */
} state;

typedef struct corner {
    int x, y;
} corner;

/* ---- a square and its images ---- */

static corner image(const symmetric *p, corner c, int side) {
    const int x = p->symmetry & 1 ? p->width - c.x - side : c.x, y = p->symmetry & 2 ? p->height - c.y - side : c.y;
    return p->symmetry & 4 ? (corner){y, x} : (corner){x, y};
}

static uint64_t columns(int x, int side) { return (~(uint64_t)0 >> (64 - side)) << x; }

static void flip(state *s, corner c, int side) {
    for (int y = c.y; y < c.y + side; y++)
        s->covered[y] ^= columns(c.x, side);
}

static int is_free(const state *s, corner c, int side) {
    uint64_t covered = 0;
    for (int y = c.y; y < c.y + side; y++)
        covered |= s->covered[y];
    return !(covered & columns(c.x, side));
}

/* Puts a square and its images. Returns how many they are, or 0 if they do not fit. */
static int put(state *s, corner first, int a) {
    const int side = s->plan->side[a];
    corner c[MOST_IMAGES] = {first};
    int images = 0;
    do {
        if (images == s->left[a] || !is_free(s, c[images], side)) {
            while (images)
                flip(s, c[--images], side);
            return 0;
        }
        flip(s, c[images], side);
        const corner next = image(s->plan, c[images++], side);
        if (next.x == first.x && next.y == first.y)
            break;
        c[images] = next;
    } while (images < MOST_IMAGES);
    s->left[a] -= images;
    s->larger -= side > 1 ? images : 0;
    return images;
}

static void take(state *s, corner c, int a, int images) {
    const int side = s->plan->side[a];
    s->left[a] += images;
    s->larger += side > 1 ? images : 0;
    for (; images; images--) {
        flip(s, c, side);
        c = image(s->plan, c, side);
    }
}

/* ---- the search ---- */

static int keep_prefix(state *s) {
    symmetric *p = s->made;
    if (p->base.units == p->room) {
        p->room = p->room ? 2 * p->room : UNITS;
        prefix *prefixes = realloc(p->prefixes, p->room * sizeof *prefixes);
        if (!prefixes)
            return 0;
        p->prefixes = prefixes;
    }
    p->prefixes[p->base.units++] = s->now;
    return 1;
}

/* `y` is a row above which all is covered. 0: stop. */
static int descend(state *s, int y) {
    const symmetric *p = s->plan;
    if (++s->nodes % 1024 == 0 && pk_stop(s->sink))
        return 0;
    if (s->made && (s->now.length == s->steps || !s->larger))
        return keep_prefix(s);
    if (!s->larger) {
        pk_found(s->sink, 1);
        return 1;
    }
    const uint64_t row = columns(0, p->width);
    while (s->covered[y] == row)
        y++;
    const corner c = {pk_lowest_bit(~s->covered[y]), y};
    for (int a = 0; a < p->sizes && p->side[a] <= p->width - c.x && p->side[a] <= p->height - y; a++) {
        const int images = put(s, c, a);
        if (!images)
            continue;
        if (s->now.length < STEPS)
            s->now.size[s->now.length] = (uint8_t)a;
        s->now.length++;
        const int go_on = descend(s, y);
        s->now.length--;
        take(s, c, a, images);
        if (!go_on)
            return 0;
    }
    return 1;
}

static void begin(state *s, const symmetric *p, pk_sink *sink) {
    *s = (state){.plan = p, .sink = sink};
    for (int a = 0; a < p->sizes; a++) {
        s->left[a] = p->count[a];
        s->larger += p->side[a] > 1 ? p->count[a] : 0;
    }
}

static int search_unit(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    (void)scratch;
    const symmetric *p = (const symmetric *)plan;
    state s;
    begin(&s, p, sink);
    const prefix *from = p->prefixes + unit;
    int y = 0;
    for (int k = 0; k < from->length; k++) {
        while (s.covered[y] == columns(0, p->width))
            y++;
        put(&s, (corner){pk_lowest_bit(~s.covered[y]), y}, from->size[k]);
    }
    descend(&s, y);
    return PK_OK;
}

/* ---- the plan ---- */

static void destroy(pk_plan *plan) {
    free(((symmetric *)plan)->prefixes);
    free(plan);
}

int pk_tiling_symmetric_plan(int width, int height, const int32_t *sides, const int32_t *counts, int sizes,
                             int symmetry, pk_plan **plan) {
    if (width < 1 || width > WIDTH || height < 1 || height > HEIGHT || sizes < 1 || sizes > SIZES || symmetry < 1 ||
        symmetry > 7 || (symmetry & 4 && width != height))
        return PK_EINVAL;
    symmetric *p = calloc(1, sizeof *p);
    if (!p)
        return PK_ENOMEM;
    p->base = (pk_plan){.row_bytes = 1, .search = search_unit, .destroy = destroy};
    p->width = width;
    p->height = height;
    p->sizes = sizes;
    p->symmetry = symmetry;
    for (int a = 0; a < sizes; a++) {
        p->side[a] = sides[a];
        p->count[a] = counts[a];
    }
    pk_sink sink = pk_sink_alone(NULL, 0);
    for (int steps = 1; steps <= STEPS && p->base.units < UNITS; steps++) {
        state s;
        begin(&s, p, &sink);
        p->base.units = 0;
        s.made = p;
        s.steps = steps;
        if (!descend(&s, 0)) {
            destroy(&p->base);
            return PK_ENOMEM;
        }
    }
    *plan = &p->base;
    return PK_OK;
}
