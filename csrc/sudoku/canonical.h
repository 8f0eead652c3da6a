/* canonical.h - row-minlex forms: of all images of a grid under the symmetries, the least when read row by row. */
#ifndef PK_SUDOKU_CANONICAL_H
#define PK_SUDOKU_CANONICAL_H

#include <stddef.h>
#include <stdint.h>

/* Of a finished grid. Returns the number of its automorphisms. */
uint64_t pk_canonical_grid(const uint8_t *grid, uint8_t *least);

/* Candidates for the least image of a puzzle: two lists that grow as they must. Zero is empty. */
typedef struct canonical_space {
    struct candidate *list[2];
    size_t capacity[2];
} canonical_space;

/* Of a puzzle without clashes, where an empty cell is less than any digit. Returns the number of its automorphisms, or
 * 0 when memory is out. */
uint64_t pk_canonical_puzzle(const uint8_t *puzzle, uint8_t *least, canonical_space *space);
void pk_canonical_space_free(canonical_space *space);

#endif
