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

#endif
