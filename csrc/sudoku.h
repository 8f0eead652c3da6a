/* sudoku.h - sudoku: batches and single puzzles, all solutions, grids, puzzles, canonical forms. */
#ifndef PK_SUDOKU_H
#define PK_SUDOKU_H

#include "pk.h"

enum pk_sudoku_status {
    PK_SUDOKU_NONE = 0,    /* no solution */
    PK_SUDOKU_UNIQUE = 1,  /* exactly one */
    PK_SUDOKU_SEVERAL = 2, /* at least two */
    PK_SUDOKU_INVALID = 3  /* two equal givens in a house */
};

/* Puzzles are bytes, a cell each, row by row: 0 for an empty cell, else a digit from 1. `house` lists `houses` houses
 * of n cells each; NULL means the rows, columns and boxes of 9x9, for which there is a faster solver. `cpu` is the
 * highest pk_cpu level that may be used.
 *
 * A result is `keep` times n * n digits (the first one or two solutions that were found; zeros if there are none), a
 * byte with the status, and, without padding, a uint32 with the guesses that the search made and a uint64 with the
 * number of solutions, at most `limit`. */

/* A unit is a block of puzzles; a row is the result of a puzzle. */
int pk_sudoku_batch_plan(const uint8_t *puzzles, uint64_t count, int n, const uint16_t *house, int houses,
                         uint64_t limit, int keep, int cpu, pk_plan **plan);

/* The result of one puzzle, at once. PK_MORE: that would take long; use a plan. */
int pk_sudoku_quick(const uint8_t *puzzle, int n, const uint16_t *house, int houses, uint64_t limit, int keep, int cpu,
                    uint8_t *result);

/* The same for ordinary 9x9 sudoku as 81 characters, with one solution. PK_EINVAL: one of them is no cell. */
int pk_sudoku_quick_text(const char *text, uint64_t limit, int cpu, uint8_t *result);

/* All solutions of one puzzle in lexicographic order; a row is the n * n digits of one. */
int pk_sudoku_all_plan(const uint8_t *puzzle, int n, const uint16_t *house, int houses, int cpu, pk_plan **plan);

/* Writes bytes of text as cells, `count` of them: digits as they are, '.', '0', '*' and '_' as 0. Returns the place of
 * the first byte that is neither, or count. */
uint64_t pk_sudoku_cells(const uint8_t *text, uint64_t count, uint8_t *cells);

/* Finished grids, each of all with the same probability; a row is the 81 digits. They depend on the seed alone. */
int pk_sudoku_sample_plan(uint64_t count, uint64_t seed, pk_plan **plan);

/* An estimate of the number of all grids, from how many of so many proposals that sampler keeps: a test of it. */
double pk_sudoku_sample_total(uint64_t proposals, uint64_t seed);

/* Distinct finished grids made from `grid`, which must have no symmetry: from geometry `start` on (rows, columns,
 * transposition), each with all names of digits that leave `first` in the first cell; with `first` 0, all nine in
 * turn. A row is 81 digits, or with `text` 81 characters and a line feed. */
int pk_sudoku_grids_plan(const uint8_t *grid, uint64_t count, uint64_t start, int first, int text, pk_plan **plan);

/* Row-minlex forms. A row is the 81 digits and, without padding, a uint64 with the number of automorphisms, which is 0
 * if two equal givens clash: then there is no form. */
int pk_sudoku_canonical_plan(const uint8_t *puzzles, uint64_t count, pk_plan **plan);

/* Puzzles with exactly one solution and so many `clues`, or any number of them with 0. `orbit` gives the orbit of each
 * of the 81 cells, 0, 1, 2...: clues come in whole orbits. With `minimal`, no orbit can be left out. A row is the 81
 * cells of a puzzle and the 81 of its solution. The plan has no end in practice: ask for a number of rows. */
int pk_sudoku_puzzles_plan(uint64_t seed, int clues, int minimal, const uint8_t *orbit, int cpu, pk_plan **plan);

/* In the order in which they are tried; 0: none was needed. */
enum pk_sudoku_technique {
    PK_SUDOKU_HIDDEN_SINGLE = 1,
    PK_SUDOKU_NAKED_SINGLE = 2,
    PK_SUDOKU_LOCKED = 3,
    PK_SUDOKU_NAKED_PAIR = 4,
    PK_SUDOKU_HIDDEN_PAIR = 5,
    PK_SUDOKU_NAKED_TRIPLE = 6,
    PK_SUDOKU_HIDDEN_TRIPLE = 7,
    PK_SUDOKU_NAKED_QUAD = 8,
    PK_SUDOKU_HIDDEN_QUAD = 9,
    PK_SUDOKU_BEYOND = 10
};

/* Measures of difficulty. A row is four bytes: status, hardest technique, size of the smallest backdoor (4: more than
 * three), nothing; and a uint32, the guesses of the solver. */
int pk_sudoku_difficulty_plan(const uint8_t *puzzles, uint64_t count, int cpu, pk_plan **plan);

#endif
