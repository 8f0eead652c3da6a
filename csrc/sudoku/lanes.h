/* lanes.h - the 9x9 solver, as the other files of this folder use it. */
#ifndef PK_SUDOKU_LANES_H
#define PK_SUDOKU_LANES_H

#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"

enum {
    CELLS = 81,
    WORDS = 27,      /* 9 digits x 3 bands, 27 bits each: word 3 * digit + band */
    MOST_LANES = 16, /* of any variant */
    DEPTH = 81       /* guesses on top of each other: each decides a cell */
};

typedef struct lane_state {
    uint32_t word[WORDS];
} lane_state;

/* Which solutions are wanted, of what, and what came out. Zero is a sensible value of everything that is not needed. */
typedef struct lane_job {
    /* Where `count` searches start: puzzles of 81 bytes, 0 for an empty cell, `stride` bytes from one to the next, or
     * states. With `forbid`, puzzle k may not have its own digit in cell forbid[k]: that clue is left out, and its
     * digit struck out there. */
    const uint8_t *puzzles;
    size_t stride;
    const uint8_t *forbid;
    const lane_state *states;
    size_t count;

    uint64_t limit;  /* solutions of each search */
    int share;       /* idle lanes take over parts of other searches: which solution comes first is then open */
    uint64_t budget; /* rounds, if not 0; then the search gives up */
    pk_sink *sink;   /* asked now and then whether to stop, if not NULL */

    uint64_t *counts;   /* of each search */
    uint32_t *guesses;  /* of each search, or NULL */
    uint8_t *shared;    /* whether a search was shared, or NULL */
    uint8_t *solutions; /* the first `keep` solutions of each search, 81 bytes each, or NULL */
    size_t keep, solution_stride;
    uint8_t *pool; /* or all solutions of all searches, until there are `room` */
    size_t room, used;
} lane_job;

enum { LANES_DONE = 0, LANES_STOPPED, LANES_SPENT, LANES_FULL };

/* Runs a job on one thread; `scratch` has pk_lanes_scratch_bytes() and is aligned to 64 bytes. */
typedef int lanes_run(lane_job *job, void *scratch);

/* The variant for a CPU level (PK_CPU_...), at most what the machine has. */
lanes_run *pk_lanes_choose(int cpu);
size_t pk_lanes_scratch_bytes(void);

#endif
