/* probe.c - a kernel without a puzzle. It is in the wheel because tests run against the wheel. */
#include "probe.h"

#include <stdlib.h>

#include "kernel.h"

typedef struct probe {
    pk_plan base;
    uint64_t rows, spin, weight, broken;
} probe;

static int search(const pk_plan *plan, uint64_t unit, void *scratch, pk_sink *sink) {
    const probe *p = (const probe *)plan;
    uint64_t *noise = scratch;
    if (unit == p->broken)
        return PK_EINVAL;
    for (uint64_t i = 0; i < p->rows * (unit % 4); i++) {
        for (uint64_t k = 0; k < p->spin; k++) {
            *noise = *noise * 6364136223846793005u + 1442695040888963407u;
            if (k % 4096 == 4095 && pk_stop(sink))
                return PK_OK;
        }
        if (sink->counting) {
            pk_found(sink, p->weight);
        } else {
            uint64_t *row = (uint64_t *)(void *)pk_room(sink, 1);
            if (!row)
                return PK_OK;
            row[0] = unit;
            row[1] = i;
            pk_keep(sink, 1);
        }
        if (pk_stop(sink))
            return PK_OK;
    }
    return PK_OK;
}

static void destroy(pk_plan *plan) { free(plan); }

int pk_probe_plan(uint64_t units, uint64_t rows, uint64_t spin, uint64_t weight, uint64_t broken, pk_plan **plan) {
    probe *p = malloc(sizeof *p);
    if (!p)
        return PK_ENOMEM;
    *p = (probe){{units, 2 * sizeof(uint64_t), sizeof(uint64_t), search, destroy}, rows, spin, weight, broken};
    *plan = &p->base;
    return PK_OK;
}
