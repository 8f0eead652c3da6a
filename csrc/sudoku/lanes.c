/* lanes.c - 9x9 sudoku: one puzzle in each 32-bit lane of a vector, all solved in step.
 *
 *      a word: one digit, one band of three rows; bit 9 * row + column says that the digit may stand there
 *
 *        26       18 17        9 8         0
 *        | c8 ... c0 | c8 ... c0 | c8 ... c0 |          27 words (9 digits x 3 bands) are a puzzle,
 *        |   row 2   |   row 1   |   row 0   |          27 vectors are as many puzzles as there are lanes
 *
 * Three neighbouring cells of a row inside a box are a triad. A digit takes one triad in each row and in each box of a
 * band: a 3 x 3 matching of rows and boxes. A triad in which the digit may stand is kept only if it is part of such a
 * matching; the same for bands and columns of a stack. That is all there is of locked candidates, in a few shifts: the
 * two other rows' triads of the two other boxes must be there, crosswise one way or the other. Since a matching
 * concerns every third bit only, the three bands of a digit share one vector, a bit apart.
 *
 * A round: cells of one digit (by counting ones, twos and threes over the digits), then for each digit the matchings
 * of its rows and its columns; a triad that is alone in its row and box and has one cell left, or a column likewise,
 * is a hidden single. A cell that is decided loses its other digits, in the digits that follow at once and in the
 * earlier ones at the end of the round. A lane is dead when a cell or a matching is empty, solved when no cell has two
 * digits, stuck when a round changes nothing: then it guesses, and puts the rest on its own stack. A lane that is
 * through is filled with the next puzzle, so that the vectors stay full: a round costs the same for one lane or all.
 *
 * All nine columns must be seen to have a place for each digit. (A version that looked at bands only counted too many.)
 *
 * After the lanes of a prototype that was measured against tdoku (Tom Dillon), whose triads and whose choice of a guess
 * (a cell of two digits where most of those are) these are. Vectors are those of GCC and clang, so that one source
 * serves SSE2, AVX2, AVX-512 and NEON. Lanes are read and written through a union: no pointers to other types.
 */
#include "lanes.h"

#include <string.h>

#include "../bits.h"

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAS_VARIANTS 1
#include <immintrin.h>
#else
#define HAS_VARIANTS 0
#endif

#define INLINE static inline __attribute__((always_inline))
#define COUNT_BITS(x) __builtin_popcount(x)
#if defined(__clang__)
#define UNROLL(n) _Pragma("unroll")
#else
#define DO_PRAGMA(x) _Pragma(#x)
#define UNROLL(n) DO_PRAGMA(GCC unroll n)
#endif

/* Byte i of entry x is bit i of x. */
#define BITS1(x)                                                                                                       \
    (x) & 1, (x) >> 1 & 1, (x) >> 2 & 1, (x) >> 3 & 1, (x) >> 4 & 1, (x) >> 5 & 1, (x) >> 6 & 1, (x) >> 7 & 1
#define BITS4(x) BITS1(x), BITS1((x) + 1), BITS1((x) + 2), BITS1((x) + 3)
#define BITS16(x) BITS4(x), BITS4((x) + 4), BITS4((x) + 8), BITS4((x) + 12)
#define BITS64(x) BITS16(x), BITS16((x) + 16), BITS16((x) + 32), BITS16((x) + 48)
static const uint8_t spread[256 * 8] = {BITS64(0), BITS64(64), BITS64(128), BITS64(192)};

#define LANES 4
#define VARIANT(name) name##_portable
#include "lanes_body.h"
#undef LANES
#undef VARIANT

#if HAS_VARIANTS

#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#define LANES 8
#define VARIANT(name) name##_avx2
#include "lanes_body.h"
#undef LANES
#undef VARIANT
#if defined(__clang__)
#pragma clang attribute pop
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt"))), \
                             apply_to = function)
#else
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt")
#endif
#define LANES 16
#define VARIANT(name) name##_avx512
#include "lanes_body.h"
#undef LANES
#undef VARIANT
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif

#endif

lanes_run *pk_lanes_choose(int cpu) {
#if HAS_VARIANTS
    if (cpu >= PK_CPU_AVX512 && pk_cpu_level() >= PK_CPU_AVX512)
        return run_avx512;
    if (cpu >= PK_CPU_AVX2 && pk_cpu_level() >= PK_CPU_AVX2)
        return run_avx2;
#endif
    (void)cpu;
    return run_portable;
}

/* The largest variant's, so that scratch space does not depend on the CPU. */
typedef struct most_scratch {
    uint32_t state[WORDS + 6][MOST_LANES];
    lane_state stack[MOST_LANES][DEPTH];
} most_scratch;

size_t pk_lanes_scratch_bytes(void) { return sizeof(most_scratch); }
