/* tiling_profiles.c - how many profiles there are, column by column from the end. */
#include "tiling_profiles.h"

#include <string.h>

int pk_profiles_open(profiles *all, int width, int heights) {
    memset(all, 0, sizeof *all);
    all->width = width;
    for (int h = 0; h < heights; h++)
        all->beyond[h][width] = 1;
    for (int x = width - 1; x >= 0; x--) {
        uint64_t sum = 0;
        for (int h = 0; h < heights; h++) {
            all->with[h][x] = x + h + 1 <= width ? all->beyond[h][x + h + 1] : 0;
            if (__builtin_add_overflow(sum, all->with[h][x], &sum))
                return 0;
            all->until[h][x] = sum;
        }
        for (int h = 0; h < heights; h++)
            if (__builtin_add_overflow(all->beyond[h][x + 1], sum - all->with[h][x], &all->beyond[h][x]))
                return 0;
    }
    return 1;
}
