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

/* `rows` are sorted by key and outlive the index. 0 when memory is out. */
int pk_keys_open(key_index *index, const key_row *rows, uint64_t count);

/* The rows of a key: from the returned one up to *end. */
static inline const key_row *pk_keys_find(const key_index *index, uint64_t key, const key_row **end) {
    const key_entry *e = index->entries + (key >> index->shift);
    *end = NULL;
    if (!(e->present >> (key >> (index->shift - 6) & 63) & 1))
        return NULL;
    const key_row *row = index->rows + e->start, *last = index->rows + e[1].start;
    while (row < last && row->key < key)
        row++;
    const key_row *after = row;
    while (after < last && after->key == key)
        after++;
    *end = after;
    return row;
}

#endif
