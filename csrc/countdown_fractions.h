/* countdown_fractions.h - the plans of countdown.h over fractions. */
#ifndef PK_COUNTDOWN_FRACTIONS_H
#define PK_COUNTDOWN_FRACTIONS_H

#include "pk.h"

int pk_countdown_fractions_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                                int targets_count, int form, int use_all, int largest, const uint64_t *known,
                                uint64_t known_rows, int stage, pk_plan **plan);
int pk_countdown_fractions_reach_plan(const uint64_t *values, const uint8_t *counts, int kinds, uint64_t hands,
                                      uint64_t lo, uint64_t hi, int use_all, pk_plan **plan);

#endif
