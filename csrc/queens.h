/* queens.h - n queens that do not attack one another: all boards, counts, completions, one board. */
#ifndef PK_QUEENS_H
#define PK_QUEENS_H

#include "pk.h"

enum {
    PK_QUEENS_SEARCH_MOST = 64, /* the largest n of the plain search */
    PK_QUEENS_JOIN_LEAST = 4,
    PK_QUEENS_JOIN_MOST = 22 /* n = 23 would take most of a day */
};

/* A row of both plans has n bytes: the column of the queen of each row. `allowed` says where queens may stand: bit c of
 * word r is the square in row r and column c; NULL means everywhere. (A placed queen is a row with one bit, and squares
 * that it attacks are not allowed.) With `fundamental` a board comes out if no rotation or reflection of it that also
 * stands on allowed squares is lexicographically smaller. */

/* Row after row, in lexicographic order; a unit is a placement of the first few rows. */
int pk_queens_search_plan(int n, const uint64_t *allowed, int toroidal, int fundamental, pk_plan **plan);

/* Counts the boards that a half turn (`turns` = 1) or a quarter turn (2) leaves as they are, 1 <= n <= 32. */
int pk_queens_turned_plan(int n, int turns, pk_plan **plan);

/* How many boards there are, at once: for small n, because nothing can stop it. */
uint64_t pk_queens_count(int n);

/* Joins quadrants, see queens_join.c; a unit is a set of rows whose queens stand in the east. `cpu` is a pk_cpu. The
 * order of rows depends on n and on whether there is `allowed`, on nothing else. From n = 19 on it takes up to seconds:
 * another thread may set `*stop`, and the status is PK_CANCELLED soon; `stop` may be NULL. */
int pk_queens_join_plan(int n, const uint64_t *allowed, int fundamental, int cpu, const int32_t *stop, pk_plan **plan);

/* One board, for n up to some thousands, with queens that are given: column[r] is the column of row r's queen, or -1. A
 * plan of one unit and at most one row, n 32-bit columns; it points to the two arrays. */
int pk_queens_place_plan(int n, const int32_t *column, const uint8_t *blocked, uint64_t seed, pk_plan **plan);

/* Sorts boards of n <= 16 rows lexicographically into `out`. A pk_status. */
int pk_queens_sort(const uint8_t *rows, uint64_t count, int n, uint8_t *out);

#endif
