/* queens_join.c - n queens by joining quadrants: boards are not searched for, they are put together.
 *
 *              h         h                 odd n: a middle column and a middle row between the quadrants
 *         +---------+---------+
 *         |   NW    |   NE    | h          The two diagonals of a square, with x and y counted from the centre:
 *         |         |         |
 *         +---------+---------+                 sum        x + y   = -(h - 1) .. h - 1   cross the vertical
 *         |   SW    |   SE    | h               difference y - x   = -(h - 1) .. h - 1   centre line
 *         |         |         |
 *         +---------+---------+            Any two queens of different halves that attack one another along a
 *                                          diagonal share one of these 2 (2h - 1) lines.
 *
 *     word of an east half:   63       4h-2              2h-1                0
 *                             | unused | difference + h - 1 | h - 1 - sum     |
 *
 * The units are the sets R of h rows whose queens stand in the east; the others stand in the west. For each R:
 *   1. East halves are the pairs of a north-east and a south-east way (rows of R in the north, in the south; the
 * columns of one are those the other leaves) that share no line: an AND of two words. The half is the OR of them.
 *   2. West halves stay pairs: a list of north-west ways, one of south-west ways, and the pairs that get along.
 *   3. 512 east halves are transposed to bit planes. For each western square the planes of its two lines, ANDed, are
 *      the east halves that tolerate a queen there; for each western way a few look-ups and ANDs give the set of the
 *      east halves that tolerate it.
 *   4. A pair's boards are the AND of the sets of its two ways: 512 boards tested at once, and counted or listed.
 *
 * Symmetry, when no square is barred (`images` says which of the eight images each board that is made stands for):
 *   even n  R and its mirror image, north for south, give the same: only the smaller is searched. A board with queens
 *           on both long diagonals has just one image under rotation where both are in the west, a board with one has
 *           one under reflection; so the east leaves the long diagonals free. A board with none is made for R or for
 *           its complement.
 *   odd n   with a queen in the centre: as even n, both long diagonals being barred. Otherwise the queen of the middle
 *           column can be brought to the north, that of the middle row to the west, and the first one closer to the
 *           centre: one in eight, exactly. The middle row is then row 0 of the south-west quadrant.
 * With barred squares there are four tables and no symmetry; if n is odd, a reflected problem stands for each of the
 * four places of the middle queens.
 *
 * The method, and the scheme of symmetry, are those of Evgeny Kluev, N-Queens-Count-Sol. No code is taken from there.
 *
 * Order of the rows: by unit (place of the middle column's queen if n is odd; then the set R, rows of the north and
 * then of the south, as numbers), then as the join meets them. It does not depend on the processor.
 *
 * Limits: 4 <= n <= 22. The table of n = 20 takes 0.12 GB and 0.2 s to make, that of n = 22 1.1 GB and 1.5 s.
 *
 * Lost, or without gain: tables of the odd case for each place of the middle queen (n = 17: 40 ms to make; one table
 * and a filter 10 ms); counting the bits of each word by a byte shuffle (8 operations a word; carry-save adders take
 * under 7, and no shuffle: n = 18 in 2.3 s instead of 2.9 s, together with 512 boards to an index instead of 256); a
 * call for each class of pairs in a block (n = 16: 3 ms more); batches of 96 to 384 sets instead of 192 (no
 * difference).
 */
#include "queens.h"

#include <string.h>

#include "bits.h"
#include "kernel.h"
#include "queens_board.h"
#include "queens_quadrant.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_VARIANTS 1
#include <immintrin.h>
#endif

enum { NORTH_EAST, SOUTH_EAST, NORTH_WEST, SOUTH_WEST };
enum {
    GROUP = 512,
    BATCH = 192, /* sets of boards at a time, 64 bytes each */
    H_MOST = PK_QUEENS_JOIN_MOST / 2,
    COUPLES = (H_MOST + 2) / 2,
    PLACES = 65536 / 8 - 2 /* a batch's sets of boards are numbered in 16 bits */
};

/* Images, as in queens_board.h: identity, columns mirrored, rows turned around, half turn; the transposed ones. */
enum { ONE = 0x01, MIRRORED = 0x03, TURNED = 0x05, UPRIGHT = 0x0f, ROTATED = 0x69, ALL_IMAGES = 0xff };

typedef uint8_t board __attribute__((vector_size(32)));

/* A part of a board, zero elsewhere, and the same with its rows turned around. */
typedef struct fragment {
    board forward, turned;
} fragment;

typedef struct unit {
    uint16_t north, south; /* rows of the east, from the centre */
    uint8_t frame;
    uint8_t images[3]; /* of boards with queens on no, one, two long diagonals */
} unit;

/* The units of an odd board differ in the queen of the middle column; with barred squares, also in reflections. */
typedef struct frame {
    uint8_t row; /* of the middle column's queen, from the centre; 0 if it is in the centre, or n is even */
    uint8_t flip_rows, flip_columns;
    uint8_t least;      /* least column of the middle row's queen */
    uint64_t barred[2]; /* lines in the north, in the south */
} frame;

typedef struct batch {
    uint32_t north, norths, south, souths; /* ways of the two lists */
    uint32_t pairs[3];
} batch;

typedef struct origin {
    uint32_t north, south;
} origin;

typedef struct sizes {
    size_t list, block, east, pairs;
} sizes;

typedef struct join {
    pk_plan base;
    int n, h, odd, crossing;
    int symmetric_even, classes, fundamental;
    uint64_t *allowed; /* NULL: everywhere */
    quadrant tables[4];
    const quadrant *quadrants[4];
    int table_count;
    frame frames[4 * (H_MOST + 1)];
    int frame_count;
    unit *units;
    size_t unit_capacity;
    sizes sizes;
    uint32_t pack_words[16][8] __attribute__((aligned(32))); /* the words chosen by a mask, first */
    uint64_t pack_bytes[256];                                /* the places of the bits of a mask */
} join;

typedef struct scratch {
    int ready;
    int frame;            /* of `filtered`, plus one */
    quadrant filtered[4]; /* by quadrant of the frame */
    uint64_t *north_words, *south_words, *east;
    origin *east_origin;
    uint32_t *north_meets, *south_meets;
    uint32_t *pairs[3];
    batch *batches;
    uint64_t *plane, *square, *all, *north_couples, *south_couples, *north_boards, *south_boards;
    int fragments_frame;
    uint32_t fragments_rows[4];
    fragment *single[4], *fragments[4], *east_boards;
    fragment always;
} scratch;

/* The four lists of a unit. */
typedef struct lists {
    uint32_t rows[4], first[4], count[4];
    const uint32_t *start[4], *middle[4];
    const uint64_t *lines[4], *cells[4];
    const batch *batches_end;
} lists;

typedef struct range {
    uint32_t start, middle, end;
} range;

static inline range list_range(const lists *l, int quadrant, uint32_t columns) {
    const uint32_t first = l->first[quadrant];
    return (range){l->start[quadrant][columns] - first, l->middle[quadrant][columns] - first,
                   l->start[quadrant][columns + 1] - first};
}

/* ---- scratch memory ---- */

static size_t table_words(const quadrant *q) { return (size_t)1 << (q->rows + q->h); }

/* Lays out the scratch memory at `memory`; with s == NULL it only measures. */
static size_t lay_out(const join *p, scratch *s, char *memory) {
    size_t used = 0;
    scratch unused;
    s = s ? s : &unused;
    const size_t cells = (size_t)p->h * (size_t)p->h, couples = (size_t)(p->h + p->odd + 1) / 2;
    const sizes *z = &p->sizes;
#define TAKE(pointer, count)                                                                                           \
    ((pointer) = memory ? (void *)(memory + used) : NULL, used += ((size_t)(count) * sizeof *(pointer) + 63) / 64 * 64)
    TAKE(s->plane, 64 * 8);
    TAKE(s->square, (p->h + p->odd) * p->h * 8);
    TAKE(s->all, 8);
    TAKE(s->north_couples, couples * cells * 8);
    TAKE(s->south_couples, couples * cells * 8);
    TAKE(s->north_boards, (z->block + BATCH + 1) * 8);
    TAKE(s->south_boards, (z->block + BATCH + 1) * 8);
    TAKE(s->north_words, z->list + 8);
    TAKE(s->south_words, z->list + 8);
    TAKE(s->north_meets, z->list + 8);
    TAKE(s->south_meets, z->list + 8);
    TAKE(s->batches, ((size_t)1 << p->h) + 1);
    TAKE(s->east, z->east + GROUP + 8);
    TAKE(s->east_origin, z->east + 8);
    for (int c = 0; c < p->classes; c++)
        TAKE(s->pairs[c], z->pairs + ((size_t)8 << p->h) + 8);
    TAKE(s->east_boards, GROUP);
    for (int i = 0; i < 4; i++) {
        TAKE(s->single[i], (p->h + p->odd) * p->h);
        TAKE(s->fragments[i], couples * cells);
    }
    for (int i = 0; i < 4 && p->odd; i++) {
        quadrant *q = &s->filtered[i];
        const quadrant *largest = &p->tables[0];
        for (int k = 1; k < p->table_count; k++)
            largest = p->tables[k].count > largest->count ? &p->tables[k] : largest;
        if (p->table_count == 1 && i > 1) {
            *q = s->filtered[i - 2]; /* the west is as the east */
            continue;
        }
        TAKE(q->start, table_words(largest) + 1);
        TAKE(q->lines, largest->count + 1);
        TAKE(q->cells, largest->count + 1);
    }
#undef TAKE
    return used;
}

/* ---- opening a unit ---- */

static int quadrant_in_frame(const frame *f, int quadrant) {
    return quadrant ^ (f->flip_rows ? SOUTH_EAST : 0) ^ (f->flip_columns ? NORTH_WEST : 0);
}

/* The ways of a table that bear the queen of the middle column: it stands on `barred` lines, and in row `row`. */
static void filter(quadrant *to, const quadrant *from, uint64_t barred, uint32_t rows, unsigned least) {
    const int h = from->h;
    const uint32_t all = (uint32_t)1 << h;
    uint32_t count = 0;
    to->h = h;
    to->rows = from->rows;
    to->middle = to->start; /* not needed: any line will do */
    for (uint32_t set = 0; set < (uint32_t)1 << from->rows; set++) {
        const size_t base = (size_t)set << h;
        const uint32_t *const begin = from->start + base;
        uint32_t *const start = to->start + base;
        const int size = count_bits(set);
        const unsigned limit = !(set & 1) ? 0 : size == 1 ? least : least * (unsigned)h;
        start[0] = start[all] = count;
        for (uint32_t c = set & ~rows ? all : ((uint32_t)1 << size) - 1; c < all; c = c ? next_combination(c) : all) {
            start[c] = count;
            for (uint32_t i = begin[c]; i < begin[c + 1]; i++) {
                to->lines[count] = from->lines[i];
                to->cells[count] = from->cells[i];
                count += !(from->lines[i] & barred) & ((from->cells[i] & 255) >= limit);
            }
            start[c + 1] = count;
        }
        start[all] = count;
    }
}

static void filter_for(const join *p, scratch *s, const frame *f) {
    const uint32_t all = ((uint32_t)2 << p->h) - 2;
    for (int i = 0; i < (p->table_count == 1 ? 2 : 4); i++) {
        const int south = i & SOUTH_EAST;
        const uint32_t rows = f->row == 0 ? all : south ? all | 1 : all ^ 1u << f->row;
        filter(&s->filtered[i], p->quadrants[quadrant_in_frame(f, i)], f->barred[!!south], rows, f->least);
    }
    for (int i = 2; i < 4 && p->table_count == 1; i++)
        s->filtered[i] = s->filtered[i - 2];
}

static scratch *open_unit(const join *p, const unit *u, void *memory, lists *l) {
    scratch *s = memory;
    const frame *f = p->frames + u->frame;
    const uint32_t all = ((uint32_t)1 << p->h) - 1;
    if (!s->ready) {
        lay_out(p, s, (char *)memory + (sizeof *s + 63) / 64 * 64);
        s->ready = 1;
    }
    if (p->odd && s->frame != u->frame + 1) {
        filter_for(p, s, f);
        s->frame = u->frame + 1;
    }
    /* Row i of the quadrants is row i + 1 of the tables if n is odd. */
    l->rows[NORTH_EAST] = (uint32_t)u->north << p->odd;
    l->rows[SOUTH_EAST] = (uint32_t)u->south << p->odd;
    l->rows[NORTH_WEST] = (all ^ u->north) << p->odd;
    l->rows[SOUTH_WEST] = (all ^ u->south) << p->odd;
    if (f->row) {
        l->rows[NORTH_WEST] &= ~(1u << f->row);
        l->rows[SOUTH_WEST] |= 1;
    }
    for (int i = 0; i < 4; i++) {
        const quadrant *q = p->odd ? &s->filtered[i] : p->quadrants[i];
        const size_t base = (size_t)l->rows[i] << p->h;
        l->start[i] = q->start + base;
        l->middle[i] = q->middle + base;
        l->first[i] = l->start[i][0];
        l->count[i] = l->start[i][all + 1] - l->first[i];
        l->lines[i] = q->lines + l->first[i];
        l->cells[i] = q->cells + l->first[i];
    }
    return s;
}

/* ---- boards ---- */

/* The byte of row y of a board, counted from the centre, and the column x there. */
static void set_square(const join *p, const frame *f, fragment *to, int south, int y, int west, int x) {
    const int n = p->n, h = p->h;
    int row = south ? h + y : h - 1 + p->odd - y, column = west ? h - 1 + p->odd - x : h + x;
    row = f->flip_rows ? n - 1 - row : row;
    column = f->flip_columns ? n - 1 - column : column;
    to->forward[row] = (uint8_t)column;
    to->turned[n - 1 - row] = (uint8_t)column;
}

/* The fragments of one queen, for the squares of the four quadrants. */
static void make_single_fragments(const join *p, scratch *s, const frame *f) {
    memset(&s->always, 0, sizeof s->always);
    if (p->odd)
        set_square(p, f, &s->always, 0, f->row, 0, 0);
    for (int i = 0; i < 4; i++) {
        fragment *to = s->single[i];
        for (int row = 0; row < p->h + p->odd; row++)
            for (int column = 0; column < p->h; column++, to++) {
                /* A quadrant's column is x - 1 if n is odd, x - 1/2 if it is even; its row is y or y - 1/2. */
                memset(to, 0, sizeof *to);
                set_square(p, f, to, i & SOUTH_EAST, row, i & NORTH_WEST, column + p->odd);
            }
    }
}

/* The fragments of two queens, for the rows of the four lists two by two. */
static void make_fragments(const join *p, scratch *s, const unit *u, const lists *l) {
    const int h = p->h;
    if (s->fragments_frame != u->frame + 1) {
        make_single_fragments(p, s, p->frames + u->frame);
        memset(s->fragments_rows, 0xff, sizeof s->fragments_rows);
        s->fragments_frame = u->frame + 1;
    }
    for (int i = 0; i < 4; i++) {
        if (s->fragments_rows[i] == l->rows[i])
            continue;
        s->fragments_rows[i] = l->rows[i];
        fragment *to = s->fragments[i];
        for (uint32_t rows = l->rows[i]; rows; rows &= rows - 1, to += h * h) {
            const fragment *const first = s->single[i] + __builtin_ctz(rows) * h;
            rows &= rows - 1;
            if (!rows) {
                memcpy(to, first, (size_t)h * sizeof *to);
                break;
            }
            const fragment *const second = s->single[i] + __builtin_ctz(rows) * h;
            for (int a = 0; a < h; a++)
                for (int b = 0; b < h; b++) {
                    to[a * h + b].forward = first[a].forward | second[b].forward;
                    to[a * h + b].turned = first[a].turned | second[b].turned;
                }
        }
    }
}

static inline void add_fragments(const join *p, const scratch *s, int quadrant, int couples, uint64_t cells,
                                 fragment *to) {
    const fragment *from = s->fragments[quadrant];
    for (int i = 0; i < couples; i++, cells >>= 8, from += p->h * p->h) {
        to->forward |= from[cells & 255].forward;
        to->turned |= from[cells & 255].turned;
    }
}

static void make_east_boards(const join *p, scratch *s, const lists *l, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const origin o = s->east_origin[first + i];
        fragment east;
        memset(&east, 0, sizeof east);
        add_fragments(p, s, NORTH_EAST, (count_bits(l->rows[NORTH_EAST]) + 1) / 2, l->cells[NORTH_EAST][o.north],
                      &east);
        add_fragments(p, s, SOUTH_EAST, (count_bits(l->rows[SOUTH_EAST]) + 1) / 2, l->cells[SOUTH_EAST][o.south],
                      &east);
        s->east_boards[i] = east;
    }
}

/* The images that are least in their class, if that is all that is wanted. */
static size_t keep_least(const join *p, const board image[8], int images, uint8_t *row) {
    size_t kept = 0;
    for (int i = 0; i < 8; i++) {
        uint8_t columns[32];
        memcpy(columns, &image[i], 32);
        if (images >> i & 1 && is_least(columns, p->n, p->allowed))
            memcpy(row + kept++ * (size_t)p->n, columns, 32);
    }
    return kept;
}

/* Writes the images of a board, 32 bytes each: what a row does not need the next one overwrites. */
static inline int put(const join *p, int images, const fragment *whole, pk_sink *sink) {
    const size_t n = (size_t)p->n;
    uint8_t *row = pk_room(sink, 8 + 32 / n);
    if (!row)
        return 0;
    const board mirror = (board){0} + (uint8_t)(n - 1);
    board image[8];
    image[0] = whole->forward;
    image[1] = mirror - whole->forward;
    image[2] = whole->turned;
    image[3] = mirror - whole->turned;
    if (images & 0xf0) {
        uint8_t columns[32], inverse[32] = {0}, turned[32] = {0};
        memcpy(columns, &whole->forward, 32);
        for (size_t i = 0; i < n; i++) {
            inverse[columns[i]] = (uint8_t)i;
            turned[n - 1 - columns[i]] = (uint8_t)i;
        }
        memcpy(&image[4], inverse, 32);
        memcpy(&image[6], turned, 32);
        image[5] = mirror - image[4];
        image[7] = mirror - image[6];
    }
    if (p->fundamental) {
        pk_keep(sink, keep_least(p, image, images, row));
        return 1;
    }
    const uint8_t *const begin = row;
#define PUT(i) (memcpy(row, &image[i], 32), row += n)
    PUT(0);
    switch (images) {
    case ONE:
        break;
    case MIRRORED:
        PUT(1);
        break;
    case TURNED:
        PUT(2);
        break;
    case ROTATED:
        PUT(3);
        PUT(5);
        PUT(6);
        break;
    default:
        PUT(1);
        PUT(2);
        PUT(3);
        if (images == UPRIGHT)
            break;
        PUT(4);
        PUT(5);
        PUT(6);
        PUT(7);
    }
#undef PUT
    pk_keep(sink, (size_t)(row - begin) / n);
    return 1;
}

/* ---- the variants ---- */

#define LANES 2
#define SUFFIX portable
#include "queens_lanes.h"

#ifdef WIDE_VARIANTS

/* Both compilers can compile a part of a file for another processor; they spell it differently. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2,bmi,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,popcnt")
#endif
#define LANES 4
#define SUFFIX avx2
#include "queens_lanes.h"
#ifdef __clang__
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512vpopcntdq,avx2,bmi,popcnt"))),              \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512vl,avx512vpopcntdq,avx2,bmi,popcnt")
#endif
#define LANES 8
#define SUFFIX avx512
#define COUNT_BITS(x) ((words)_mm512_popcnt_epi64((__m512i)(x)))
#include "queens_lanes.h"
#ifdef __clang__
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

/* ---- the plan ---- */

static void destroy(pk_plan *plan) {
    join *p = (join *)plan;
    for (int i = 0; i < p->table_count; i++)
        pk_quadrant_free(&p->tables[i]);
    free(p->allowed);
    free(p->units);
    free(p);
}

static int make_tables(join *p) {
    const int n = p->n, h = p->h, odd = p->odd;
    p->table_count = p->allowed ? 4 : 1;
    for (int i = 0; i < p->table_count; i++) {
        uint32_t columns[H_MOST + 1];
        for (int y = 0; y < h + odd; y++) {
            columns[y] = ((uint32_t)1 << h) - 1;
            const int row = i & SOUTH_EAST ? h + y : h - 1 + odd - y;
            for (int x = 0; x < h && p->allowed; x++) {
                const int column = i & NORTH_WEST ? h - 1 - x : n - h + x;
                if (!(p->allowed[row] >> column & 1))
                    columns[y] &= ~(1u << x);
            }
        }
        if (!pk_quadrant_make(&p->tables[i], h, odd, columns))
            return 0;
    }
    for (int i = 0; i < 4; i++)
        p->quadrants[i] = &p->tables[p->allowed ? i : 0];
    return 1;
}

/* How long lists can get. East halves and pairs of a unit are pairs of ways with complementary columns; there are at
 * most as many as half the squares of the block sizes add up to. */
static void measure(join *p) {
    double squares[H_MOST + 2] = {0};
    sizes *z = &p->sizes;
    for (int i = 0; i < p->table_count; i++) {
        const quadrant *q = &p->tables[i];
        for (uint32_t rows = 0; rows < (uint32_t)1 << q->rows; rows++) {
            const int size = count_bits(rows);
            double sum = 0;
            for (uint32_t c = ((uint32_t)1 << size) - 1; c < (uint32_t)1 << q->h;
                 c = c ? next_combination(c) : 1u << q->h) {
                const uint32_t *const at = q->start + (((size_t)rows << q->h) + c);
                const size_t block = at[1] - at[0];
                z->block = block > z->block ? block : z->block;
                sum += (double)block * (double)block;
            }
            const uint32_t *const list = q->start + ((size_t)rows << q->h);
            const size_t length = list[(size_t)1 << q->h] - list[0];
            z->list = length > z->list ? length : z->list;
            squares[size] = sum > squares[size] ? sum : squares[size];
        }
    }
    for (int k = 0; k <= p->h; k++) {
        const size_t bound = (size_t)((squares[k] + squares[p->h - k]) / 2) + 1;
        z->east = bound > z->east ? bound : z->east;
    }
    z->pairs = z->east;
}

static void add_frame(join *p, int row, int flip_rows, int flip_columns, int least) {
    const int h = p->h;
    frame f = {(uint8_t)row, (uint8_t)flip_rows, (uint8_t)flip_columns, (uint8_t)least, {0, 0}};
    if (p->odd) {
        f.barred[0] = (row < h ? (uint64_t)1 << (h + row) : 0) | (row ? (uint64_t)1 << (4 * h - row) : 0);
        f.barred[1] = (uint64_t)1 << (h - row);
    }
    p->frames[p->frame_count++] = f;
}

static void make_frames(join *p) {
    const int h = p->h;
    const uint64_t *const allowed = p->allowed;
    if (!p->odd || !allowed || allowed[h] >> h & 1)
        add_frame(p, 0, 0, 0, 0);
    for (int row = 1; p->odd && !allowed && row < h; row++)
        add_frame(p, row, 0, 0, row);
    for (int flips = 0; p->odd && allowed && flips < 4; flips++)
        for (int row = 1; row <= h; row++)
            if (allowed[flips & 1 ? h + row : h - row] >> h & 1)
                add_frame(p, row, flips & 1, flips >> 1, 0);
}

static int has_ways(const join *p, const frame *f, int quadrant, uint32_t rows) {
    const struct quadrant *q = p->quadrants[quadrant_in_frame(f, quadrant)];
    const uint32_t *const list = q->start + ((size_t)rows << q->h);
    return list[0] < list[(size_t)1 << q->h];
}

static int add_unit(join *p, const unit *u) {
    if (p->base.units == p->unit_capacity) {
        const size_t capacity = p->unit_capacity ? 2 * p->unit_capacity : 256;
        unit *units = realloc(p->units, capacity * sizeof *units);
        if (!units)
            return 0;
        p->units = units;
        p->unit_capacity = capacity;
    }
    p->units[p->base.units++] = *u;
    return 1;
}

/* Which images the boards of a set R stand for; 0 if none. */
static int choose_images(const join *p, const frame *f, unit *u) {
    const uint32_t north = u->north, south = u->south;
    memset(u->images, ONE, sizeof u->images);
    if (p->allowed)
        return 1;
    if (f->row) {
        memset(u->images, ALL_IMAGES, sizeof u->images);
        return 1;
    }
    if (north > south)
        return 0;
    const uint32_t same = ~(north ^ south) & (((uint32_t)1 << p->h) - 1);
    u->images[0] = !same ? ONE : north & same & -same ? MIRRORED : 0;
    u->images[1] = MIRRORED;
    u->images[2] = ROTATED;
    if (north != south) {
        /* and what is mirrored, north for south */
        u->images[0] |= (uint8_t)(u->images[0] << 2);
        u->images[1] |= (uint8_t)(u->images[1] << 2);
        u->images[2] = ALL_IMAGES;
    }
    return !p->odd || u->images[0];
}

static int make_units(join *p) {
    const int h = p->h, odd = p->odd;
    const uint32_t all = ((uint32_t)1 << h) - 1;
    for (int i = 0; i < p->frame_count; i++) {
        const frame *f = &p->frames[i];
        const uint32_t gone = f->row ? 1u << (f->row - 1) : 0;
        for (uint32_t north = 0; north <= all; north++) {
            const uint32_t west = (all ^ north ^ gone) << odd;
            if (north & gone || !has_ways(p, f, NORTH_EAST, north << odd) || !has_ways(p, f, NORTH_WEST, west))
                continue;
            for (uint32_t south = 0; south <= all; south++) {
                unit u = {(uint16_t)north, (uint16_t)south, (uint8_t)i, {0, 0, 0}};
                if (count_bits(north) + count_bits(south) != h || !choose_images(p, f, &u) ||
                    !has_ways(p, f, SOUTH_EAST, south << odd) ||
                    !has_ways(p, f, SOUTH_WEST, (all ^ south) << odd | !!f->row))
                    continue;
                if (!add_unit(p, &u))
                    return 0;
            }
        }
    }
    return 1;
}

static int (*choose_search(int cpu))(const pk_plan *, uint64_t, void *, pk_sink *) {
#ifdef WIDE_VARIANTS
    if (cpu == PK_CPU_AVX512)
        return search_avx512;
    if (cpu == PK_CPU_AVX2)
        return search_avx2;
#endif
    (void)cpu;
    return search_portable;
}

int pk_queens_join_plan(int n, const uint64_t *allowed, int fundamental, int cpu, pk_plan **plan) {
    if (n < PK_QUEENS_JOIN_LEAST || n > PK_QUEENS_JOIN_MOST)
        return PK_EINVAL;
    join *p = aligned_alloc(64, (sizeof *p + 63) / 64 * 64);
    if (!p)
        return PK_ENOMEM;
    memset(p, 0, sizeof *p);
    p->base.row_bytes = (size_t)n;
    p->base.search = choose_search(cpu);
    p->base.destroy = destroy;
    p->n = n;
    p->h = n / 2;
    p->odd = n % 2;
    p->crossing = 2 * p->h - 1;
    p->symmetric_even = !p->odd && !allowed;
    p->classes = p->symmetric_even ? 3 : 1;
    p->fundamental = fundamental;
    int status = PK_OK;
    if (allowed) {
        p->allowed = malloc((size_t)n * sizeof *allowed);
        if (p->allowed)
            memcpy(p->allowed, allowed, (size_t)n * sizeof *allowed);
        else
            status = PK_ENOMEM;
    }
    if (status == PK_OK && !make_tables(p))
        status = PK_ENOMEM;
    if (status == PK_OK) {
        measure(p);
        make_frames(p);
        if (!make_units(p))
            status = PK_ENOMEM;
        else if (p->sizes.block + BATCH > PLACES)
            status = PK_EINVAL;
    }
    if (status != PK_OK) {
        destroy(&p->base);
        return status;
    }
    for (int mask = 0; mask < 16; mask++)
        for (int bit = 0, k = 0; bit < 4; bit++)
            if (mask >> bit & 1) {
                p->pack_words[mask][k++] = (uint32_t)(2 * bit);
                p->pack_words[mask][k++] = (uint32_t)(2 * bit + 1);
            }
    for (int mask = 0; mask < 256; mask++)
        for (int bit = 0, k = 0; bit < 8; bit++)
            if (mask >> bit & 1)
                p->pack_bytes[mask] |= (uint64_t)bit << 8 * k++;
    p->base.scratch_bytes = (sizeof(scratch) + 63) / 64 * 64 + lay_out(p, NULL, NULL);
    *plan = &p->base;
    return PK_OK;
}
