/* queens_lanes.c - the search of a unit, compiled for each width of vectors; the code is in queens_lanes.h. */
#include <string.h>

#include "bits.h"
#include "queens_fragments.h"
#include "queens_join.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define WIDE_VARIANTS 1
#include <immintrin.h>
#endif

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
