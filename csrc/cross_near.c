#include "cross.h"
int pk_cross_near_plan(const int64_t *values, const uint8_t *counts, int classes, int64_t tolerance, int64_t least, int64_t greatest, pk_plan **plan) { (void)values;(void)counts;(void)classes;(void)tolerance;(void)least;(void)greatest;(void)plan; return PK_EINVAL; }
