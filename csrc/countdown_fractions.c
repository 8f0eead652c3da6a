/* countdown_fractions.c - the numbers game with fractions: countdown_search.h and countdown_reach.h over
 * countdown_ratio.h. */
#include "countdown_fractions.h"

#include "countdown_ratio.h"

#include "countdown_reach.h"
#include "countdown_search.h"

/* Values have no bound, so the tables are not capped. */
int pk_countdown_fractions_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                                int targets_count, int form, int use_all, int largest, const uint64_t *known,
                                uint64_t known_rows, int stage, pk_plan **plan) {
    return make_plan(values, counts, kinds, targets, targets_count, form, use_all, largest, 0, known, known_rows, stage,
                     plan);
}

int pk_countdown_fractions_reach_plan(const uint64_t *values, const uint8_t *counts, int kinds, uint64_t hands,
                                      uint64_t lo, uint64_t hi, int use_all, pk_plan **plan) {
    return make_reach(values, counts, kinds, hands, lo, hi, use_all, plan);
}
