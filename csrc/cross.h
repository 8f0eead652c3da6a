/* cross.h - fillings of the cross: seven lines of equal sum, exactly or within a tolerance. */
#ifndef PK_CROSS_H
#define PK_CROSS_H

#include "pk.h"

enum { PK_CROSS_CELLS = 16 };

/* Both plans take the distinct numbers in ascending order, `classes` of them, and how often each occurs (`counts`, 16
 * in all). A row has 16 bytes, one a cell: the number's place among the distinct ones. A unit is one sum, in ascending
 * order of sums. */

/* Equal sums. A unit is one sum, in ascending order. The numbers, and `total` if it is not NULL, are two's complement,
 * `limbs` words each, least significant first, with at least five bits to spare. With `total` only fillings of that sum
 * are found. */
int pk_cross_plan(const uint64_t *values, size_t limbs, const uint8_t *counts, int classes, const uint64_t *total,
                  pk_plan **plan);

/* Three places among the distinct numbers that add up to the sum of `unit`. */
void pk_cross_total(const pk_plan *plan, uint64_t unit, uint8_t *places);

/* Sums that differ by at most `tolerance` and lie in least .. greatest. A unit is a choice for cells 0 and 1. Numbers,
 * tolerance and bounds stay within 60 bits. */
int pk_cross_near_plan(const int64_t *values, const uint8_t *counts, int classes, int64_t tolerance, int64_t least,
                       int64_t greatest, pk_plan **plan);

#endif
