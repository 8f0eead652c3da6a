/* tiling_states.c - of equal states the first one gets all the weight, and the others none.
 *
 * Rows are ordered into ranges by their hash when the plan is made; a unit merges one range, in a table that fits the
 * cache. The rows stay where they are: neighbours have grown from the same beginning, and to search them one after the
 * other is a sixth faster than in the order of their hashes.
 */
#include "tiling_states.h"

#include <stdlib.h>

#include "kernel.h"
#include "tiling.h"

enum { A_RANGE = 4096, MOST_RANGES = 1 << 16 };      /* rows, about */
static const uint64_t MOST_WEIGHT = UINT64_MAX >> 6; /* times an orbit of 8 and twice 2 it still fits */

typedef struct merger {
    pk_plan base;
    uint8_t *rows;
    size_t bytes;    /* a row */
    uint32_t *order; /* places of rows, range by range */
    uint64_t start[MOST_RANGES + 1];
} merger;

static state_row *row_at(const merger *m, uint64_t k) { return (state_row *)(void *)(m->rows + k * m->bytes); }

/* It is done as a whole or not at all, and to do it twice changes nothing. */
static int merge_range(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const merger *m = (const merger *)plan;
    const uint64_t first = m->start[unit], last = m->start[unit + 1];
    uint64_t slots = 16;
    (void)memory;
    while (slots < 2 * (last - first))
        slots *= 2;
    state_row **slot = calloc(slots, sizeof *slot);
    if (!slot)
        return PK_ENOMEM;
    for (uint64_t i = first; i < last; i++) {
        state_row *row = row_at(m, m->order[i]);
        uint64_t at = row->hash & (slots - 1);
        while (slot[at] && memcmp((uint8_t *)slot[at] + STATE_HEAD, (uint8_t *)row + STATE_HEAD, m->bytes - STATE_HEAD))
            at = (at + 1) & (slots - 1);
        if (!slot[at]) {
            slot[at] = row;
            pk_found(sink, row->weight > 0);
        } else if (row->weight > MOST_WEIGHT - slot[at]->weight) {
            free(slot);
            return PK_EOVERFLOW;
        } else {
            slot[at]->weight += row->weight;
            row->weight = 0;
        }
    }
    free(slot);
    return PK_OK;
}

static void destroy(pk_plan *plan) {
    free(((merger *)plan)->order);
    free(plan);
}

int pk_tiling_merge_plan(int width, uint8_t *rows, uint64_t count, pk_plan **plan) {
    merger *m = calloc(1, sizeof *m);
    if (!m)
        return PK_ENOMEM;
    int bits = 0;
    while (1 << bits < MOST_RANGES && count >> bits > A_RANGE)
        bits++;
    m->base = (pk_plan){(uint64_t)1 << bits, 1, 0, merge_range, destroy};
    m->rows = rows;
    m->bytes = state_bytes(width);
    m->order = count < UINT32_MAX ? malloc(count * sizeof *m->order + 1) : NULL;
    if (!m->order) {
        destroy(&m->base);
        return PK_ENOMEM;
    }
    /* the low bits of the hash are for the tables */
    const int shift = 32 - bits;
    for (uint64_t k = 0; k < count; k++)
        m->start[((uint64_t)row_at(m, k)->hash >> shift) + 1]++;
    for (uint64_t r = 0; r < m->base.units; r++)
        m->start[r + 1] += m->start[r];
    for (uint64_t k = 0; k < count; k++)
        m->order[m->start[(uint64_t)row_at(m, k)->hash >> shift]++] = (uint32_t)k;
    memmove(m->start + 1, m->start, m->base.units * sizeof *m->start);
    m->start[0] = 0;
    *plan = &m->base;
    return PK_OK;
}
