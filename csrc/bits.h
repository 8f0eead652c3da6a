/* bits.h - bit and byte operations that compilers and machines spell differently. */
#ifndef PK_BITS_H
#define PK_BITS_H

#include <stdint.h>
#include <string.h>

/* The place of the lowest set bit; `word` is not 0. */
static inline int pk_lowest_bit(uint64_t word) { return __builtin_ctzll(word); }

static inline uint64_t pk_reverse_bytes(uint64_t word) { return __builtin_bswap64(word); }

/* A word that has `value` as the byte at address `place` when it is stored. */
static inline uint64_t pk_byte(unsigned value, int place) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return (uint64_t)value << (56 - 8 * place);
#else
    return (uint64_t)value << 8 * place;
#endif
}

/* Eight bytes as a word, the first one lowest. */
static inline uint64_t pk_load_little(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = pk_reverse_bytes(word);
#endif
    return word;
}

#endif
