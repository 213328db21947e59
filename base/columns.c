#include "base/columns.h"

#include "base/count.h"

struct range {
    int32_t first, last;
    unsigned char columns;
};

static const struct range ranges[] = {
#define NONE(first, last) {first, last, 0},
#define TWO(first, last) {first, last, 2},
#include "base/columns.def"
#undef NONE
#undef TWO
};

size_t columns_of(int32_t character)
{
    size_t low = 0, high = COUNT(ranges);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (character > ranges[middle].last)
            low = middle + 1;
        else if (character < ranges[middle].first)
            high = middle;
        else
            return ranges[middle].columns;
    }
    return 1;
}
