/* tiling_states.h - rows of states, which are merged between two plans of a half. Only C reads this. */
#ifndef PK_TILING_STATES_H
#define PK_TILING_STATES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct state_row {
    uint64_t weight;
    uint32_t hash; /* of all that follows */
    uint32_t code, small;
    uint8_t orbit, palindrome;
    uint8_t height[]; /* of each column */
} state_row;

enum { STATE_HEAD = offsetof(state_row, code) };

static inline size_t state_bytes(int width) { return (offsetof(state_row, height) + (size_t)width + 7) / 8 * 8; }

static inline uint32_t state_hash(const state_row *row, size_t bytes) {
    const uint8_t *from = (const uint8_t *)row;
    uint64_t hash = bytes;
    for (size_t i = STATE_HEAD; i < bytes; i += 8) {
        uint64_t word = 0;
        memcpy(&word, from + i, bytes - i < 8 ? bytes - i : 8);
        hash = (hash ^ word) * 0xd6e8feb86659fd93u;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

#endif
