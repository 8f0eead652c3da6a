/* queens_fragments.h - boards of the join as rows. A board is put together from fragments: bytes that are the columns
 * of some rows, and zero elsewhere. */
#ifndef PK_QUEENS_FRAGMENTS_H
#define PK_QUEENS_FRAGMENTS_H

#include <string.h>

#include "queens_board.h"
#include "queens_join.h"

/* The fragments of two queens, for the rows of the four lists two by two. */
void pk_join_fragments(const join *p, scratch *s, const unit *u, const lists *l);

/* The boards of `count` east halves. */
void pk_join_east_boards(const join *p, scratch *s, const lists *l, size_t first, size_t count);

static inline void add_fragments(const join *p, const scratch *s, int quadrant, int couples, uint64_t cells,
                                 fragment *to) {
    const fragment *from = s->fragments[quadrant];
    for (int i = 0; i < couples; i++, cells >>= 8, from += p->h * p->h) {
        to->forward |= from[cells & 255].forward;
        to->turned |= from[cells & 255].turned;
    }
}

/* The images that are least in their class, if that is all that is wanted. */
static size_t keep_least(const join *p, const board image[8], int images, uint8_t *row) {
    size_t kept = 0;
    for (int i = 0; i < 8; i++) {
        uint8_t columns[32];
        memcpy(columns, &image[i], 32);
        if (images >> i & 1 && is_least(columns, p->n, p->allowed))
            memcpy(row + kept++ * (size_t)p->n, columns, 32);
    }
    return kept;
}

/* Writes the images of a board, 32 bytes each: what a row does not need the next one overwrites. */
static inline int put(const join *p, int images, const fragment *whole, pk_sink *sink) {
    const size_t n = (size_t)p->n;
    uint8_t *row = pk_room(sink, 8 + 32 / n);
    if (!row)
        return 0;
    const board mirror = (board){0} + (uint8_t)(n - 1);
    board image[8];
    image[0] = whole->forward;
    image[1] = mirror - whole->forward;
    image[2] = whole->turned;
    image[3] = mirror - whole->turned;
    if (images & 0xf0) {
        uint8_t columns[32], inverse[32] = {0}, turned[32] = {0};
        memcpy(columns, &whole->forward, 32);
        for (size_t i = 0; i < n; i++) {
            inverse[columns[i]] = (uint8_t)i;
            turned[n - 1 - columns[i]] = (uint8_t)i;
        }
        memcpy(&image[4], inverse, 32);
        memcpy(&image[6], turned, 32);
        image[5] = mirror - image[4];
        image[7] = mirror - image[6];
    }
    if (p->fundamental) {
        pk_keep(sink, keep_least(p, image, images, row));
        return 1;
    }
    const uint8_t *const begin = row;
#define PUT(i) (memcpy(row, &image[i], 32), row += n)
    PUT(0);
    switch (images) {
    case ONE:
        break;
    case MIRRORED:
        PUT(1);
        break;
    case TURNED:
        PUT(2);
        break;
    case ROTATED:
        PUT(3);
        PUT(5);
        PUT(6);
        break;
    default:
        PUT(1);
        PUT(2);
        PUT(3);
        if (images == UPRIGHT)
            break;
        PUT(4);
        PUT(5);
        PUT(6);
        PUT(7);
    }
#undef PUT
    pk_keep(sink, (size_t)(row - begin) / n);
    return 1;
}

#endif
