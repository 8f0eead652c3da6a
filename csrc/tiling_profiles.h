/* tiling_profiles.h - profiles of halves, numbered. Only C reads this.
 *
 *        4 4 4 4 4 0 2 2 2 0 0     A profile says how far each column protrudes beyond the cut. It is made of runs.
 *      +-----------+ +-----+        A run of height h is wider than h, because the squares that end there began before
 *      |           |-|     |---+    the cut. Neighbouring runs differ.
 *
 * There are about 2.2^width such profiles. The number of one is how many come before it in the order of its runs, by
 * height and then by width: so two profiles never have the same number.
 */
#ifndef PK_TILING_PROFILES_H
#define PK_TILING_PROFILES_H

#include <stdint.h>

#include "tiling.h"

enum { COLUMNS = PK_TILING_WIDTH + 1 };

typedef struct profiles {
    int width;
    uint64_t with[COLUMNS][COLUMNS];   /* [h][x] how many go on at column x with a run of height h */
    uint64_t until[COLUMNS][COLUMNS];  /* ... or of one that is less */
    uint64_t beyond[COLUMNS][COLUMNS]; /* [h][x] how many go on after a run of height h that ends at x, or further on */
} profiles;

/* Heights are less than `heights`. 0: there are more profiles than numbers of 64 bits. */
int pk_profiles_open(profiles *all, int width, int heights);

typedef struct ranking {
    uint64_t rank;
    int x, height;
} ranking;

/* Takes up the next run of a profile. */
static inline void rank_run(const profiles *all, ranking *r, int width, int height) {
    const uint64_t taller =
        r->x > 0 && r->height < height ? all->with[r->height][r->x] : 0; /* no run follows its like */
    r->rank += all->until[height][r->x] - all->beyond[height][r->x + width] - taller;
    r->x += width;
    r->height = height;
}

/* A permutation of the numbers of 64 bits under which neighbours fall far apart. */
static inline uint64_t scatter(uint64_t number) {
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    number = (number ^ number >> 32) * 0xd6e8feb86659fd93u;
    return number ^ number >> 32;
}

#endif
