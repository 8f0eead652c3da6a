/* queens_lanes.c - the search of a unit, compiled for each width of vectors, and what is the same for all of
 * them: writing boards as rows. The rest of the code is in queens_lanes.h. */
#include <string.h>

#include "bits.h"
#include "queens_fragments.h"
#include "queens_join.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_VARIANTS 1
#include <immintrin.h>
#endif

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

int (*pk_join_search(int cpu))(const pk_plan *, uint64_t, void *, pk_sink *) {
#ifdef WIDE_VARIANTS
    if (cpu == PK_CPU_AVX512)
        return search_avx512;
    if (cpu == PK_CPU_AVX2)
        return search_avx2;
#endif
    (void)cpu;
    return search_portable;
}
