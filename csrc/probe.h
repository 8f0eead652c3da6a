/* probe.h - a search made to order, so that the laws of the runtime can be tested on any length of search. */
#ifndef PK_PROBE_H
#define PK_PROBE_H

#include "pk.h"

/* A plan of `units` units. Unit u emits rows * (u % 4) rows of two uint64: u and the row's place in the unit. Each row
 * costs `spin` steps of arithmetic and counts as `weight` solutions. The unit `broken`, if there is one, fails with
 * PK_EINVAL. */
int pk_probe_plan(uint64_t units, uint64_t rows, uint64_t spin, uint64_t weight, uint64_t broken, pk_plan **plan);

#endif
