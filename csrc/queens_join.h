/* queens_join.h - what the parts of the join share: its plan, the memory of a worker, a unit that is opened.
 *
 *     queens_join.c       the method, and the plan
 *     queens_unit.c       scratch memory; the lists of a unit
 *     queens_lanes.c      the search of a unit, for each width of vectors
 *     queens_fragments.c  boards as rows
 */
#ifndef PK_QUEENS_JOIN_H
#define PK_QUEENS_JOIN_H

#include "kernel.h"
#include "queens.h"
#include "queens_quadrant.h"

enum { NORTH_EAST, SOUTH_EAST, NORTH_WEST, SOUTH_WEST };
enum {
    GROUP = 512,
    BATCH = 192, /* sets of boards at a time, 64 bytes each */
    H_MOST = PK_QUEENS_JOIN_MOST / 2,
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
    size_t list, block, east; /* as many pairs as east halves */
} sizes;

typedef struct join {
    pk_plan base;
    int n, h, odd, crossing;
    int classes; /* of western pairs, by queens on long diagonals: 3 if n is even and no square is barred, else 1 */
    int fundamental;
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
    batch *batches, *batches_end;
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
} lists;

typedef struct range {
    uint32_t start, middle, end;
} range;

/* The table's quadrant that a frame sees as `quadrant`. */
static inline int quadrant_in_frame(const frame *f, int quadrant) {
    return quadrant ^ (f->flip_rows ? SOUTH_EAST : 0) ^ (f->flip_columns ? NORTH_WEST : 0);
}

static inline range list_range(const lists *l, int quadrant, uint32_t columns) {
    const uint32_t first = l->first[quadrant];
    return (range){l->start[quadrant][columns] - first, l->middle[quadrant][columns] - first,
                   l->start[quadrant][columns + 1] - first};
}

/* Lays out the scratch memory at `memory` and returns its size; with s == NULL it only measures. */
size_t pk_join_scratch(const join *p, scratch *s, char *memory);

/* `memory` as scratch memory, and the lists of the unit. NULL: stopped. */
scratch *pk_join_open(const join *p, const unit *u, void *memory, lists *l, pk_sink *sink);

/* The search of a unit, for a pk_cpu. */
int (*pk_join_search(int cpu))(const pk_plan *plan, uint64_t number, void *memory, pk_sink *sink);

#endif
