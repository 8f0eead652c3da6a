/* tiling.h - squares that fill a rectangle. */
#ifndef PK_TILING_H
#define PK_TILING_H

#include "pk.h"

/* Everywhere: a rectangle of `width` columns and `height` rows, `sizes` distinct sides in ascending order, and how many
 * squares there are of each (`counts`, each at least 1). The code of a multiset of squares is a mixed radix number, the
 * count of the smallest side its lowest digit. */

enum pk_tiling_limits {
    PK_TILING_WIDTH = 56,   /* columns of a half: so many profiles of it have numbers of 64 bits */
    PK_TILING_HEIGHT = 126, /* rows of a rectangle that is cut into halves */
    PK_TILING_SIZES = 32,   /* distinct sides of a half */
    PK_TILING_DEPTH = 15    /* a notch that can be filled to this depth can be filled to any, as far as tables know */
};

/* Rules by which a half is pruned. Each is a necessary condition; tests switch them off one by one. */
enum pk_tiling_rules {
    PK_TILING_NOTCH = 1,    /* the squares that are left fill every notch as deep as it is */
    PK_TILING_TERRACE = 2,  /* beside a drop there is a stack from which the terrace can be covered */
    PK_TILING_PINWHEEL = 4, /* four squares wind round the only smallest one */
    PK_TILING_PLACEABLE = 8 /* the only smallest square still finds a place in its octant */
};

/* What the plan of a half does with the states it reaches. */
enum pk_tiling_mode {
    PK_TILING_STATES, /* rows: states after `steps` steps */
    PK_TILING_KEYS,   /* rows of 16 bytes: the key of each finished half, its code and its weight */
    PK_TILING_COUNT,  /* counts: for each finished half the weight of its partners times its own */
    PK_TILING_PAIRED, /* rows likewise, of finished halves that have partners; the weight is what COUNT counts */
    PK_TILING_PATHS,  /* rows: the same, and then the squares of the half, 3 bytes each: x, y, place of the side */
    PK_TILING_NODES   /* counts: states looked at */
};

enum pk_tiling_which {
    PK_TILING_ALL,         /* every tiling */
    PK_TILING_FUNDAMENTAL, /* of each class of images the one whose list of sides is least */
    PK_TILING_ORBITS       /* to count: the same, each as often as it has images */
};

/* A plain search, square by square in reading order. Rows have three int16 a square: x, y, side; they come in
 * lexicographic order of their sides. Up to 4096 columns and rows. */
int pk_tiling_search_plan(int width, int height, const int32_t *sides, const int32_t *counts, int sizes, int which,
                          pk_plan **plan);

/* Counts the tilings that a symmetry leaves as they are: bit 0 mirrors x, bit 1 mirrors y, bit 2 swaps them after that.
 * Up to 64 columns, 126 rows and 32 sizes, in ascending order; the areas add up to that of the rectangle. */
int pk_tiling_symmetric_plan(int width, int height, const int32_t *sides, const int32_t *counts, int sizes,
                             int symmetry, pk_plan **plan);

/* Tables of how deep a notch can be filled. Unit w is the width w + 1; it emits a byte for each code of the squares of
 * at most that width: the greatest depth, at most `deepest`, to which some of them fill a notch between high walls. */
int pk_tiling_depths_plan(const int32_t *sides, const int32_t *counts, int sizes, int widest, int deepest,
                          pk_plan **plan);

/* Sorts rows of keys by key and code, in place; a unit is the range of keys with the same first byte. Of equal rows the
 * first one gets the weight of all, and the others 0, as far as 32 bits hold it. Counts those that have a weight. */
int pk_tiling_sort_plan(uint8_t *rows, uint64_t count, pk_plan **plan);

/* closed[code] = whether a multiset in the rows of keys, or its complement in `all` if that is not 0, is part of
 * `code`; a bit for each code, `words` words. */
int pk_tiling_close(const int32_t *counts, int sizes, const uint8_t *rows, uint64_t count, uint32_t all,
                    uint64_t *closed, uint64_t words);

/* Merges equal rows of the plan of a half in mode STATES, in place: the first one gets the weight of all, and the
 * others 0. Counts those that differ. `rows` must outlive the plan. */
int pk_tiling_merge_plan(int width, uint8_t *rows, uint64_t count, pk_plan **plan);

typedef struct pk_tiling_half {
    int32_t width, height;
    int32_t cut;    /* rows of this half */
    int32_t upper;  /* the half of squares that end within it; else that of squares that begin within it */
    int32_t octant; /* the smallest square occurs once, in an eighth or fourth of the rectangle: one half holds it */
    int32_t holds;  /* ... this one */
    int32_t rules;
    int32_t mode;
    int32_t steps;
    int32_t small;        /* sizes that make the class: those of the places 0 .. small - 1, but for the only smallest */
    int32_t line, begins; /* ... as far as squares begin before this row, or, without `begins`, end at it or before */
    int32_t widest, deepest;
    uint64_t least, greatest; /* area of those that are used */
} pk_tiling_half;

/* One half. `depths` are the rows of the tables; `closed` is NULL or what pk_tiling_close made; `states` are merged
 * rows of a plan of the same half in mode STATES, or NULL to begin from the empty rectangle; `keys` are sorted rows of
 * the other half, or NULL. `depths` and `closed` are copied; `states` and `keys` must outlive the plan. */
int pk_tiling_half_plan(const int32_t *sides, const int32_t *counts, int sizes, const pk_tiling_half *half,
                        const uint8_t *depths, const uint64_t *closed, const uint8_t *states, uint64_t state_count,
                        const uint8_t *keys, uint64_t key_count, pk_plan **plan);

#endif
