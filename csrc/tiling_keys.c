/* tiling_keys.c - rows of keys: sorted in place, merged, given an index; multisets that contain what a half has used.
 *
 * There may be hundreds of millions of rows, so nothing is copied: rows are exchanged into 256 ranges by their first
 * byte, one pass over all, when the plan is made; then each range is a unit, sorted the same way by the bytes that
 * follow: the key and then the code. Of rows that are equal in both the first one gets all the weight, and the others
 * none.
 */
#include "tiling_keys.h"

#include <stdlib.h>
#include <string.h>

#include "kernel.h"
#include "tiling.h"

enum { FEW = 24, BYTES = 256, PLACES = 12 };

typedef struct sorter {
    pk_plan base;
    key_row *rows;
    uint64_t start[BYTES + 1];
} sorter;

static void sort_few(key_row *rows, uint64_t count) {
    for (uint64_t i = 1; i < count; i++) {
        const key_row row = rows[i];
        uint64_t k = i;
        for (; k > 0 && pk_key_is_before(&row, rows[k - 1].key, rows[k - 1].code); k--)
            rows[k] = rows[k - 1];
        rows[k] = row;
    }
}

/* Bytes of what rows are ordered by, the most significant one being 0. */
static unsigned byte_of(const key_row *row, int place) {
    return place < 8 ? row->key >> (56 - 8 * place) & 255 : row->code >> (24 - 8 * (place - 8)) & 255;
}

/* Exchanges rows until each is in the range of its byte: start[b] .. start[b + 1]. */
static void part(key_row *rows, uint64_t count, int place, uint64_t *start) {
    uint64_t next[BYTES];
    memset(start, 0, (BYTES + 1) * sizeof *start);
    for (uint64_t i = 0; i < count; i++)
        start[byte_of(rows + i, place) + 1]++;
    for (int b = 0; b < BYTES; b++) {
        next[b] = start[b];
        start[b + 1] += start[b];
    }
    for (int b = 0; b < BYTES; b++) {
        while (next[b] < start[b + 1]) {
            key_row row = rows[next[b]];
            unsigned to;
            while ((to = byte_of(&row, place)) != (unsigned)b) {
                const key_row other = rows[next[to]];
                rows[next[to]++] = row;
                row = other;
            }
            rows[next[b]++] = row;
        }
    }
}

static void sort_rows(key_row *rows, uint64_t count, int place) {
    uint64_t start[BYTES + 1];
    if (count <= FEW) {
        sort_few(rows, count);
    } else if (place < PLACES) {
        part(rows, count, place, start);
        for (int b = 0; b < BYTES; b++)
            sort_rows(rows + start[b], start[b + 1] - start[b], place + 1);
    }
}

/* Returns how many have a weight. Where 32 bits do not hold the weight, several rows do. */
static uint64_t merge_rows(key_row *rows, uint64_t count) {
    uint64_t kept = 0;
    key_row *to = NULL;
    for (key_row *row = rows; row < rows + count; row++) {
        if (to && row->key == to->key && row->code == to->code && row->weight <= UINT32_MAX - to->weight) {
            to->weight += row->weight;
            row->weight = 0;
        } else {
            to = row;
            kept++;
        }
    }
    return kept;
}

/* To do it twice changes nothing. */
static int search_range(const pk_plan *plan, uint64_t unit, void *memory, pk_sink *sink) {
    const sorter *s = (const sorter *)plan;
    key_row *rows = s->rows + s->start[unit];
    const uint64_t count = s->start[unit + 1] - s->start[unit];
    (void)memory;
    sort_rows(rows, count, 1);
    pk_found(sink, merge_rows(rows, count));
    return PK_OK;
}

static void destroy(pk_plan *plan) { free(plan); }

int pk_tiling_sort_plan(uint8_t *rows, uint64_t count, pk_plan **plan) {
    sorter *s = calloc(1, sizeof *s);
    if (!s)
        return PK_ENOMEM;
    s->base = (pk_plan){BYTES, 1, 0, search_range, destroy};
    s->rows = (key_row *)(void *)rows;
    part(s->rows, count, 0, s->start);
    *plan = &s->base;
    return PK_OK;
}

int pk_keys_open(key_index *index, const key_row *rows, uint64_t count) {
    int bits = 1;
    while (bits < 40 && (count >> bits) > 8)
        bits++;
    const uint64_t entries = (uint64_t)1 << bits;
    index->rows = rows;
    index->shift = 64 - bits;
    index->entries = calloc(entries + 1, sizeof *index->entries);
    if (!index->entries)
        return 0;
    uint64_t i = 0;
    for (uint64_t e = 0; e < entries; e++) {
        index->entries[e].start = i;
        for (; i < count && rows[i].key >> index->shift == e; i++)
            index->entries[e].present |= (uint64_t)1 << (rows[i].key >> (index->shift - 6) & 63);
    }
    index->entries[entries].start = count;
    return 1;
}

int pk_tiling_close(const int32_t *counts, int sizes, const uint8_t *rows, uint64_t count, uint32_t all,
                    uint64_t *closed, uint64_t words) {
    const key_row *row = (const key_row *)(const void *)rows;
    memset(closed, 0, words * sizeof *closed);
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t code = all ? all - row[i].code : row[i].code;
        closed[code / 64] |= (uint64_t)1 << code % 64;
    }
    uint64_t place = 1, codes = 1;
    for (int a = 0; a < sizes; a++)
        codes *= (uint64_t)counts[a] + 1;
    for (int a = 0; a < sizes; a++) {
        const uint64_t radix = (uint64_t)counts[a] + 1;
        for (uint64_t block = 0; block < codes; block += place * radix)
            for (uint64_t code = block + place; code < block + place * radix; code++)
                if (closed[(code - place) / 64] >> (code - place) % 64 & 1)
                    closed[code / 64] |= (uint64_t)1 << code % 64;
        place *= radix;
    }
    return PK_OK;
}
