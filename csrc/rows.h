/* rows.h - a growing block of rows. */
#ifndef PK_ROWS_H
#define PK_ROWS_H

#include <stddef.h>
#include <stdint.h>

typedef struct pk_rows {
    uint8_t *data;
    size_t used, capacity; /* bytes */
} pk_rows;

/* Room for `bytes` more, or 0 when memory is out; then the block is as it was. */
int pk_rows_reserve(pk_rows *rows, size_t bytes);

/* Moves all bytes of `from` to the end of `rows`; `from` is left empty. 0 when memory is out. */
int pk_rows_append(pk_rows *rows, pk_rows *from);

/* Gives back what the block holds beyond its rows, if that is more than the rows. */
void pk_rows_shrink(pk_rows *rows);

/* Gives the block away. NULL when it is empty. */
uint8_t *pk_rows_release(pk_rows *rows);

#endif
