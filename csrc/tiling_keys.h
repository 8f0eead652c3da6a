/* tiling_keys.h - rows of keys: sorted, and looked up by the other half. Only C reads this. */
#ifndef PK_TILING_KEYS_H
#define PK_TILING_KEYS_H

#include <stddef.h>
#include <stdint.h>

typedef struct key_row {
    uint64_t key;
    uint32_t code;
    uint32_t weight;
} key_row;

/*      key    | top bits: which entry | six bits: which bit of `present` | ... |
 *
 * Entry e knows where the rows with these top bits begin, and for each of 64 ranges of keys whether there is a row: so
 * most keys that are not there are answered by one cache line. */
typedef struct key_entry {
    uint64_t present;
    uint64_t start;
} key_entry;

typedef struct key_index {
    const key_row *rows;
    key_entry *entries; /* one more than there are */
    int shift;          /* of the top bits */
} key_index;

/* `rows` are sorted by key and code, and outlive the index. 0 when memory is out. */
int pk_keys_open(key_index *index, const key_row *rows, uint64_t count);

static inline int pk_key_is_before(const key_row *row, uint64_t key, uint32_t code) {
    return row->key != key ? row->key < key : row->code < code;
}

/* The weight of all rows of a key and a code. A key may have many codes, so they are not looked at one by one. */
static inline uint64_t pk_keys_weight(const key_index *index, uint64_t key, uint32_t code) {
    const key_entry *e = index->entries + (key >> index->shift);
    if (!(e->present >> (key >> (index->shift - 6) & 63) & 1))
        return 0;
    uint64_t first = e->start, last = e[1].start, weight = 0;
    const uint64_t end = last;
    while (first < last) {
        const uint64_t middle = first + (last - first) / 2;
        if (pk_key_is_before(index->rows + middle, key, code))
            first = middle + 1;
        else
            last = middle;
    }
    for (; first < end && index->rows[first].key == key && index->rows[first].code == code; first++)
        weight += index->rows[first].weight;
    return weight;
}

#endif
