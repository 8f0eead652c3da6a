/* uniform.h - random finished grids, as the other files of this folder use them. */
#ifndef PK_SUDOKU_UNIFORM_H
#define PK_SUDOKU_UNIFORM_H

#include "random.h"

typedef struct uniform uniform;

/* The tables; NULL when memory is out. */
uniform *pk_uniform_make(void);

/* One finished grid, 81 digits: each of the 6,670,903,752,021,072,936,960 with equal probability. */
void pk_uniform_draw(const uniform *u, rng *r, uint8_t *grid);

#endif
