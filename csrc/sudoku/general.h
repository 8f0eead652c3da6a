/* general.h - the solver for any size and any houses, as the plans use it. */
#ifndef PK_SUDOKU_GENERAL_H
#define PK_SUDOKU_GENERAL_H

#include <stddef.h>
#include <stdint.h>

#include "../kernel.h"

enum { MOST_DIGITS = 32 };

/* Two houses with cells in common: the cells of both, then those of the first only, then those of the second only. */
typedef struct meeting {
    uint32_t cells; /* where they begin in rules.link_cells */
    uint16_t both, first, second;
} meeting;

typedef struct rules {
    int n, cells, houses, links;
    uint32_t full;
    uint16_t *house;      /* n cells each */
    uint16_t *of, *of_at; /* the houses of cell c: of[of_at[c]] .. of[of_at[c + 1]] */
    meeting *link;
    uint16_t *link_cells;
} rules;

/* 0 when memory is out. `house` has n cells for each house. */
int pk_rules_make(rules *r, int n, const uint16_t *house, int houses);
void pk_rules_free(rules *r);

/* The digits that are possible in each cell of a puzzle, before any thought. */
void pk_rules_load(const rules *r, const uint8_t *puzzle, uint32_t *cand);

/* Whether two givens of a house are equal. */
int pk_rules_clash(const rules *r, const uint8_t *puzzle);

size_t pk_general_scratch_bytes(const rules *r);

/* Draws conclusions in `cand` until there are none. `cell` is what changed last, or -1 for all. 0: no solution. */
int pk_general_propagate(const rules *r, uint32_t *cand, int cell, void *scratch);

void pk_general_write(const rules *r, const uint32_t *cand, uint8_t *out);

typedef struct general_job {
    uint64_t limit;
    pk_sink *sink;
    uint64_t budget; /* guesses, if not 0 */
    uint8_t *first;  /* the first `keep` solutions, or NULL */
    size_t keep;
    uint8_t *pool; /* all solutions, until there are `room`, or NULL */
    size_t room;
    uint64_t count, guesses;
} general_job;

/* Searches below `start`; returns what a lanes_run does. */
int pk_general_search(const rules *r, const uint32_t *start, general_job *job, void *scratch);

#endif
