/* queens_sort.c - boards in lexicographic order: a board of up to 16 rows is a 64-bit key, four bits a column, first
 * row uppermost. Keys are dealt out by their upper byte, each heap by the next one and so on; heaps of a few keys are
 * sorted by insertion. After the first byte a heap lies in the cache.
 */
#include <stdlib.h>
#include <string.h>

#include "bits.h"
#include "queens.h"

enum { FEW = 24 };

/* The lower four bits of eight bytes, the first byte uppermost. */
static inline uint64_t pack(uint64_t bytes) {
    bytes = (bytes | bytes >> 4) & 0x00ff00ff00ff00ffu;
    bytes = (bytes | bytes >> 8) & 0x0000ffff0000ffffu;
    return (bytes | bytes >> 16) & 0xffffffffu;
}

static inline uint64_t unpack(uint64_t nibbles) {
    nibbles = (nibbles | nibbles << 16) & 0x0000ffff0000ffffu;
    nibbles = (nibbles | nibbles << 8) & 0x00ff00ff00ff00ffu;
    return (nibbles | nibbles << 4) & 0x0f0f0f0f0f0f0f0fu;
}

/* Eight bytes, the first one uppermost, whatever the machine. */
static inline uint64_t load_bytes(const uint8_t *from) { return pk_reverse_bytes(pk_load_little(from)); }

static inline void store_bytes(uint8_t *to, uint64_t word) {
    word = pk_byte(1, 0) == 1 ? pk_reverse_bytes(word) : word;
    memcpy(to, &word, 8);
}

static void insert(uint64_t *keys, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

/* Sorts `keys`, equal above bit `shift` + 8, and leaves them in `keys`. */
static void deal(uint64_t *keys, uint64_t *spare, size_t count, int shift) {
    if (count <= FEW) {
        insert(keys, count);
        return;
    }
    size_t heap[257] = {0};
    for (size_t i = 0; i < count; i++)
        heap[(keys[i] >> shift & 255) + 1]++;
    for (int b = 0; b < 256; b++)
        heap[b + 1] += heap[b];
    size_t next[256];
    memcpy(next, heap, sizeof next);
    for (size_t i = 0; i < count; i++)
        spare[next[keys[i] >> shift & 255]++] = keys[i];
    memcpy(keys, spare, count * sizeof *keys);
    for (int b = 0; b < 256 && shift; b++)
        if (heap[b + 1] - heap[b] > 1)
            deal(keys + heap[b], spare + heap[b], heap[b + 1] - heap[b], shift - 8);
}

int pk_queens_sort(const uint8_t *rows, uint64_t count, int n, uint8_t *out) {
    if (n < 1 || n > 16)
        return PK_EINVAL;
    const size_t width = (size_t)n;
    uint64_t *keys = malloc((count + 1) * sizeof *keys), *spare = malloc((count + 1) * sizeof *spare);
    if (!keys || !spare) {
        free(keys);
        free(spare);
        return PK_ENOMEM;
    }
    uint8_t board[16] = {0};
    for (uint64_t i = 0; i < count; i++) {
        memcpy(board, rows + i * width, width);
        keys[i] = pack(load_bytes(board)) << 32 | pack(load_bytes(board + 8));
    }
    deal(keys, spare, count, 56);
    for (uint64_t i = 0; i < count; i++) {
        store_bytes(board, unpack(keys[i] >> 32));
        store_bytes(board + 8, unpack(keys[i] & 0xffffffffu));
        memcpy(out + i * width, board, width);
    }
    free(keys);
    free(spare);
    return PK_OK;
}
