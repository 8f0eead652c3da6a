/* countdown.c - the numbers game with whole numbers: countdown_search.h and countdown_reach.h over countdown_whole.h.
 */
#include "countdown.h"

#include "countdown_whole.h"

#include "countdown_fractions.h"
#include "countdown_reach.h"
#include "countdown_search.h"

static int search_or_stage(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                           int targets_count, int form, int fractions, int use_all, int largest, const uint64_t *known,
                           uint64_t known_rows, int stage, pk_plan **plan) {
    if (fractions)
        return pk_countdown_fractions_plan(values, counts, kinds, targets, targets_count, form, use_all, largest, known,
                                           known_rows, stage, plan);
    return make_plan(values, counts, kinds, targets, targets_count, form, use_all, largest, 1, known, known_rows, stage,
                     plan);
}

int pk_countdown_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                      int targets_count, int form, int fractions, int use_all, int largest, const uint64_t *known,
                      uint64_t known_rows, pk_plan **plan) {
    return search_or_stage(values, counts, kinds, targets, targets_count, form, fractions, use_all, largest, known,
                           known_rows, 0, plan);
}

int pk_countdown_stage_plan(const uint64_t *values, const uint8_t *counts, int kinds, const uint64_t *targets,
                            int targets_count, int form, int fractions, int use_all, int largest, const uint64_t *known,
                            uint64_t known_rows, pk_plan **plan) {
    return search_or_stage(values, counts, kinds, targets, targets_count, form, fractions, use_all, largest, known,
                           known_rows, 1, plan);
}

int pk_countdown_reach_plan(const uint64_t *values, const uint8_t *counts, int kinds, uint64_t hands, uint64_t lo,
                            uint64_t hi, int fractions, int use_all, pk_plan **plan) {
    if (fractions)
        return pk_countdown_fractions_reach_plan(values, counts, kinds, hands, lo, hi, use_all, plan);
    return make_reach(values, counts, kinds, hands, lo, hi, use_all, plan);
}
