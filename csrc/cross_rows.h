/* cross_rows.h - a filling of the cross and the look-alikes that follow from it. */
#ifndef PK_CROSS_ROWS_H
#define PK_CROSS_ROWS_H

#include <string.h>

#include "bits.h"
#include "cross.h"

/* Writes a filling, given as cells 0..7 and 8..15, and what follows from it: p and q swapped, p' and q' swapped, the
 * half turn that takes cell i to 15 - i. Returns how many rows that is. */
static inline size_t cross_write_rows(uint8_t *out, uint64_t low, uint64_t high, unsigned pq, unsigned pq2, int turn) {
    const uint64_t swap_low = pk_byte(pq2, 3) | pk_byte(pq2, 5), swap_high = pk_byte(pq, 2) | pk_byte(pq, 4);
    size_t rows = 0;
    for (int i = 0; i < (pq ? 2 : 1); i++, high ^= swap_high) {
        for (int k = 0; k < (pq2 ? 2 : 1); k++, low ^= swap_low) {
            const uint64_t row[2] = {low, high}, turned[2] = {pk_reverse_bytes(high), pk_reverse_bytes(low)};
            memcpy(out + PK_CROSS_CELLS * rows++, row, PK_CROSS_CELLS);
            if (turn)
                memcpy(out + PK_CROSS_CELLS * rows++, turned, PK_CROSS_CELLS);
        }
    }
    return rows;
}

#endif
